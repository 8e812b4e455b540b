// Running the tasks of executions: requests to the services of the cloud, in
// the name of a role.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_TASKS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_TASKS_H_

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {

// A request of a Task state to a Lambda function or to a service.
struct TaskCall {
  TaskResource resource{};
  Data arguments{};
  std::string role_arn{};
  std::string execution_arn{};
  // Where the state machine is.
  std::string region{};
  std::string account_id{};
};

struct TaskFailure {
  std::string error{};
  std::string cause{};
};

using TaskOutcome = std::variant<Data, TaskFailure>;

// Thread-safe.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;

  // Calls `done` once, on any thread, perhaps before it returns. Does not wait
  // for jobs and callbacks: the outcome is the service's answer.
  virtual void Run(TaskCall call, std::function<void(TaskOutcome)> done) = 0;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_TASKS_H_
