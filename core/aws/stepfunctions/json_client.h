// Step Functions over its own wire protocol.
//
//   aws::stepfunctions::JsonClient workflows(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<std::string> execution = workflows.StartExecution(
//       {.state_machine_arn = arn, .name = id, .input = "{}"}, deadline);
#ifndef BYOSHIN_CORE_AWS_STEPFUNCTIONS_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_STEPFUNCTIONS_JSON_CLIENT_H_

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/json_protocol.h"
#include "core/aws/stepfunctions/client.h"

namespace byoshin::aws::stepfunctions {

// Not thread-safe. Errors and causes that are longer than AWS permits are
// truncated.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  absl::StatusOr<std::string> StartExecution(
      const StartExecutionRequest& request, absl::Time deadline) override;
  absl::Status StopExecution(const StopExecutionRequest& request,
                             absl::Time deadline) override;
  absl::StatusOr<Execution> DescribeExecution(absl::string_view execution_arn,
                                              absl::Time deadline) override;
  absl::Status SendTaskSuccess(absl::string_view token,
                               absl::string_view output,
                               absl::Time deadline) override;
  absl::Status SendTaskFailure(const TaskFailure& failure,
                               absl::Time deadline) override;
  absl::Status SendTaskHeartbeat(absl::string_view token,
                                 absl::Time deadline) override;

 private:
  absl::StatusOr<Json::Value> Send(
      absl::string_view operation, Json::Value input, absl::Time deadline,
      Repetition repetition = Repetition::kHarmless);

  JsonProtocol protocol_;
};

}  // namespace byoshin::aws::stepfunctions

#endif  // BYOSHIN_CORE_AWS_STEPFUNCTIONS_JSON_CLIENT_H_
