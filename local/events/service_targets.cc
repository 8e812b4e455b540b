#include "local/events/service_targets.h"

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/json/value.h"
#include "local/gateway/service.h"

namespace byoshin::local::events {
namespace {

constexpr int kServerError = 500;

// Where the state machine of this ARN is: "arn:aws:states:REGION:ACCOUNT:…".
Call StartCall(const std::string& machine_arn, const std::string& payload) {
  constexpr std::size_t kParts = 5;
  const std::vector<std::string> parts = absl::StrSplit(machine_arn, ':');
  Json::Value body(Json::objectValue);
  body["stateMachineArn"] = machine_arn;
  body["input"] = payload;
  Call call{.operation = "StartExecution", .body = json::WriteValue(body)};
  if (parts.size() >= kParts) {
    call.region = parts[3];
    call.caller.account_id = parts[4];
  }
  return call;
}

// Errors of the service are tried again, those of the request are not.
absl::Status StatusOf(const Answer& answer) {
  if (answer.status < 300) return absl::OkStatus();
  if (answer.status >= kServerError) {
    return absl::UnavailableError(answer.body);
  }
  return absl::NotFoundError(answer.body);
}

}  // namespace

ServiceTargets::ServiceTargets(lambda::Lambda& lambda, Options options)
    : functions_(lambda), options_(std::move(options)) {}

void ServiceTargets::Deliver(const Target& target, const std::string& rule_arn,
                             std::string payload,
                             std::function<void(absl::Status)> done) {
  if (IsStateMachine(target)) {
    return StartMachine(target, payload, std::move(done));
  }
  if (IsQueue(target)) {
    return SendToQueue(target, rule_arn, std::move(payload), std::move(done));
  }
  functions_.Deliver(target, rule_arn, std::move(payload), std::move(done));
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sqs-permissions
void ServiceTargets::SendToQueue(const Target& target,
                                 const std::string& rule_arn,
                                 std::string payload,
                                 std::function<void(absl::Status)> done) {
  absl::Status allowed = options_.authorize_queue(rule_arn, target.arn);
  if (!allowed.ok()) return done(std::move(allowed));
  options_.sink.Send(
      target.arn,
      {.body = std::move(payload), .group_id = target.message_group_id},
      std::move(done));
}

void ServiceTargets::StartMachine(const Target& target,
                                  const std::string& payload,
                                  std::function<void(absl::Status)> done) {
  Service* const states = options_.states();
  if (states == nullptr) {
    return done(absl::NotFoundError("the cloud has no Step Functions"));
  }
  absl::Status allowed = options_.authorize(target.role_arn, target.arn);
  if (!allowed.ok()) return done(std::move(allowed));
  states->Handle(StartCall(target.arn, payload),
                 [done = std::move(done)](const Answer& answer) {
                   done(StatusOf(answer));
                 });
}

}  // namespace byoshin::local::events
