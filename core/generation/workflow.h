// The executions of the state machine, each named after its process, so that
// starting one twice is harmless.
//
//   Workflow workflow(client, state_machine_arn);
//   absl::Status started = workflow.Start(process, deadline);
//   if (absl::IsAlreadyExists(started)) { /* its execution has ended */ }
#ifndef BYOSHIN_CORE_GENERATION_WORKFLOW_H_
#define BYOSHIN_CORE_GENERATION_WORKFLOW_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/process.h"

namespace byoshin::generation {

// Not thread-safe. The client must outlive it.
class Workflow {
 public:
  Workflow(aws::stepfunctions::Client& client, std::string state_machine_arn)
      : client_(client), state_machine_arn_(std::move(state_machine_arn)) {}

  // Starts the execution of the process. OK, too, if it runs already: the same
  // process always has the same input. AlreadyExists if it has ended, which
  // Step Functions remembers for 90 days.
  absl::Status Start(const Process& process, absl::Time deadline);

  // NotFound if the process has no execution.
  absl::StatusOr<aws::stepfunctions::ExecutionStatus> OutcomeOf(
      const Process& process, absl::Time deadline);

 private:
  aws::stepfunctions::Client& client_;
  const std::string state_machine_arn_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_WORKFLOW_H_
