// The history of executions, as Step Functions writes it to CloudWatch Logs.
// https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_LOG_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_LOG_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {

// One for each event that the level wants.
std::vector<std::string> LogLines(const kept::Execution& execution,
                                  const kept::Logging& logging,
                                  absl::Span<const HistoryEvent> events);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_LOG_H_
