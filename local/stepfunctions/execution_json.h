// How executions, and the children of distributed maps, are answered.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_JSON_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_JSON_H_

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/operation_json.h"

namespace byoshin::local::stepfunctions {

enum class IncludedData { kAll, kMetadata };
// The member `includedData`.
IncludedData ReadIncludedData(JsonFields& fields);

// DescribeExecution's answer.
Json::Value ExecutionJson(const kept::Execution& execution,
                          IncludedData included, absl::Time now);
// An entry of ListExecutions'.
Json::Value ListedExecutionJson(const kept::Execution& execution);
// StartSyncExecution's answer.
Json::Value SyncExecutionJson(const kept::Execution& execution,
                              IncludedData included);

// Why the execution can't be redriven; empty if it can, as far as that can be
// told without its history.
std::string RedriveRefusalOf(const kept::Execution& execution, absl::Time now);

// A child execution of a distributed map. Nothing if there is none.
std::optional<Json::Value> DescribeChild(Executions& executions,
                                         const std::string& arn,
                                         bool with_data);
// Those of a map run; all if `status` is empty. ResourceNotFound.
absl::StatusOr<Json::Value> ListChildren(Executions& executions,
                                         const std::string& map_run_arn,
                                         const std::string& status,
                                         const PageFields& page);

struct FoundChild {
  // Null if there is none. Valid until the next use of `executions`.
  const ChildExecution* child = nullptr;
  std::string map_run_arn{};
};
FoundChild FindChild(Executions& executions, const std::string& arn);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_JSON_H_
