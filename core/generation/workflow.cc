#include "core/generation/workflow.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/process.h"
#include "core/json/json.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {

absl::Status Workflow::Start(const Process& process, absl::Time deadline) {
  WorkflowInput input;
  input.set_process_id(process.id);
  input.set_type(std::string(NameOf(process.type)));
  return client_
      .StartExecution({.state_machine_arn = state_machine_arn_,
                       .name = process.id,
                       .input = json::ToJson(input)},
                      deadline)
      .status();
}

absl::StatusOr<aws::stepfunctions::ExecutionStatus> Workflow::OutcomeOf(
    const Process& process, absl::Time deadline) {
  const absl::StatusOr<aws::stepfunctions::Execution> execution =
      client_.DescribeExecution(process.execution_arn, deadline);
  if (!execution.ok()) return execution.status();
  return execution->status;
}

}  // namespace byoshin::generation
