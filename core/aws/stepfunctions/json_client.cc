#include "core/aws/stepfunctions/json_client.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/stepfunctions/client.h"
#include "core/json/text.h"
#include "core/json/value.h"

namespace byoshin::aws::stepfunctions {
namespace {

// Input and output of an execution may have 256 KiB each, and are longer as
// JSON strings.
constexpr std::size_t kMaxResponseBytes = std::size_t{4} << 20;

struct NamedStatus {
  absl::string_view name;
  ExecutionStatus status;
};
constexpr NamedStatus kStatuses[] = {
    {"RUNNING", ExecutionStatus::kRunning},
    {"SUCCEEDED", ExecutionStatus::kSucceeded},
    {"FAILED", ExecutionStatus::kFailed},
    {"TIMED_OUT", ExecutionStatus::kTimedOut},
    {"ABORTED", ExecutionStatus::kAborted},
    {"PENDING_REDRIVE", ExecutionStatus::kPendingRedrive},
};

std::string NameOfCall(absl::string_view operation) {
  return absl::StrCat("Step Functions ", operation);
}

absl::Status Damaged(absl::string_view operation, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(NameOfCall(operation), ": in the answer, ", what));
}

void SetFailure(absl::string_view error, absl::string_view cause,
                Json::Value& input) {
  if (!error.empty()) {
    input["error"] = std::string(json::CutAtCharacter(error, kMaxErrorLength));
  }
  if (!cause.empty()) {
    input["cause"] = std::string(json::CutAtCharacter(cause, kMaxCauseLength));
  }
}

// Seconds since 1970, with a fraction.
std::optional<absl::Time> ReadTime(const Json::Value& json) {
  if (!json.isNumeric()) return std::nullopt;
  return absl::FromUnixMillis(0) + absl::Seconds(json.asDouble());
}

absl::StatusOr<Execution> ReadExecution(const Json::Value& output) {
  constexpr char kOperation[] = "DescribeExecution";
  const std::string name = json::TextMember(output, "status");
  const auto* status = std::find_if(
      std::begin(kStatuses), std::end(kStatuses),
      [&](const NamedStatus& known) { return known.name == name; });
  if (status == std::end(kStatuses)) {
    return Damaged(kOperation, absl::StrCat("status is ",
                                            json::Describe(output["status"])));
  }
  const std::optional<absl::Time> start = ReadTime(output["startDate"]);
  if (!start.has_value()) {
    return Damaged(
        kOperation,
        absl::StrCat("startDate is ", json::Describe(output["startDate"])));
  }
  return Execution{
      .execution_arn = json::TextMember(output, "executionArn"),
      .state_machine_arn = json::TextMember(output, "stateMachineArn"),
      .name = json::TextMember(output, "name"),
      .status = status->status,
      .start_date = *start,
      .stop_date = ReadTime(output["stopDate"]),
      .input = json::TextMember(output, "input"),
      .output = json::TextMember(output, "output"),
      .error = json::TextMember(output, "error"),
      .cause = json::TextMember(output, "cause")};
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::StatusOr<Json::Value> JsonClient::Send(absl::string_view operation,
                                             Json::Value input,
                                             absl::Time deadline,
                                             Repetition repetition) {
  return protocol_.Send({.service = {.name = "states", .variable = "SFN"},
                         .target = absl::StrCat("AWSStepFunctions.", operation),
                         .operation = NameOfCall(operation),
                         .input = std::move(input),
                         .limits = {.max_response_bytes = kMaxResponseBytes,
                                    .repetition = repetition}},
                        deadline);
}

absl::StatusOr<std::string> JsonClient::StartExecution(
    const StartExecutionRequest& request, absl::Time deadline) {
  constexpr char kOperation[] = "StartExecution";
  Json::Value input(Json::objectValue);
  input["stateMachineArn"] = request.state_machine_arn;
  if (!request.name.empty()) input["name"] = request.name;
  input["input"] = request.input;
  const absl::StatusOr<Json::Value> output =
      Send(kOperation, std::move(input), deadline,
           request.name.empty() ? Repetition::kHarmful : Repetition::kHarmless);
  if (!output.ok()) return output.status();
  std::string arn = json::TextMember(*output, "executionArn");
  if (arn.empty()) return Damaged(kOperation, "there is no executionArn");
  return arn;
}

absl::Status JsonClient::StopExecution(const StopExecutionRequest& request,
                                       absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["executionArn"] = request.execution_arn;
  SetFailure(request.error, request.cause, input);
  return Send("StopExecution", std::move(input), deadline).status();
}

absl::StatusOr<Execution> JsonClient::DescribeExecution(
    absl::string_view execution_arn, absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["executionArn"] = std::string(execution_arn);
  const absl::StatusOr<Json::Value> output =
      Send("DescribeExecution", std::move(input), deadline);
  if (!output.ok()) return output.status();
  return ReadExecution(*output);
}

absl::Status JsonClient::SendTaskSuccess(absl::string_view token,
                                         absl::string_view output,
                                         absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["taskToken"] = std::string(token);
  input["output"] = std::string(output);
  return Send("SendTaskSuccess", std::move(input), deadline).status();
}

absl::Status JsonClient::SendTaskFailure(const TaskFailure& failure,
                                         absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["taskToken"] = failure.token;
  SetFailure(failure.error, failure.cause, input);
  return Send("SendTaskFailure", std::move(input), deadline).status();
}

absl::Status JsonClient::SendTaskHeartbeat(absl::string_view token,
                                           absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["taskToken"] = std::string(token);
  return Send("SendTaskHeartbeat", std::move(input), deadline).status();
}

}  // namespace byoshin::aws::stepfunctions
