// A task as a request to a service, and the service's answer as its outcome.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_REQUEST_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_REQUEST_H_

#include <variant>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/tasks.h"

namespace byoshin::local::stepfunctions {

// Without what the caller of the service adds: who calls, and where.
std::variant<Call, TaskFailure> RequestFor(const TaskCall& task,
                                           const Service& service);

TaskOutcome OutcomeOf(const TaskCall& task, const Answer& answer,
                      absl::string_view request_id, absl::Time now);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_SERVICE_REQUEST_H_
