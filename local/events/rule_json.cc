#include "local/events/rule_json.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/events/input.h"
#include "local/queues/queues.h"

namespace byoshin::local::events {
namespace {

using cloudformation::IntegerProperty;
using cloudformation::PropertyAt;
using cloudformation::TextProperty;

constexpr std::int64_t kMaxRetryAttempts = 185;
constexpr std::int64_t kMinEventAgeSeconds = 60;
constexpr std::int64_t kMaxEventAgeSeconds = 86400;
constexpr char kEnabledState[] = "ENABLED";
constexpr char kDisabledState[] = "DISABLED";

// The members of a target that the local cloud supports.
constexpr absl::string_view kTargetMembers[] = {
    "Arn",         "DeadLetterConfig", "Id",
    "Input",       "InputPath",        "InputTransformer",
    "RetryPolicy", "RoleArn",          "SqsParameters"};

absl::Status Invalid(const Target& target, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("the target \"", target.id, "\" ", what));
}

absl::Status CheckRange(absl::string_view name, std::int64_t value,
                        std::int64_t min, std::int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      name, " must be from ", min, " to ", max, ", and is ", value));
}

absl::StatusOr<RetryPolicy> ReadRetryPolicy(const Json::Value& target) {
  const absl::StatusOr<std::int64_t> attempts = IntegerProperty(
      target, "RetryPolicy.MaximumRetryAttempts", kMaxRetryAttempts);
  const absl::StatusOr<std::int64_t> age = IntegerProperty(
      target, "RetryPolicy.MaximumEventAgeInSeconds", kMaxEventAgeSeconds);
  if (!attempts.ok()) return attempts.status();
  if (!age.ok()) return age.status();
  absl::Status good =
      CheckRange("MaximumRetryAttempts", *attempts, 0, kMaxRetryAttempts);
  if (good.ok()) {
    good = CheckRange("MaximumEventAgeInSeconds", *age, kMinEventAgeSeconds,
                      kMaxEventAgeSeconds);
  }
  if (!good.ok()) return good;
  return RetryPolicy{.max_attempts = static_cast<int>(*attempts),
                     .max_age = absl::Seconds(*age)};
}

absl::StatusOr<InputTransformer> ReadTransformer(const Json::Value& json) {
  InputTransformer transformer;
  absl::StatusOr<std::string> text = TextProperty(json, "InputTemplate");
  if (!text.ok()) return text.status();
  transformer.text = *std::move(text);
  const Json::Value& paths = PropertyAt(json, "InputPathsMap");
  if (paths.isNull()) return transformer;
  if (!paths.isObject()) {
    return absl::InvalidArgumentError("InputPathsMap is not an object");
  }
  for (auto path = paths.begin(); path != paths.end(); ++path) {
    if (!path->isString()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "InputPathsMap.", path.name(), " is not a path such as $.detail"));
    }
    transformer.paths[path.name()] = path->asString();
  }
  return transformer;
}

absl::Status CheckKind(const Target& target) {
  const bool machine = IsStateMachine(target);
  if (!machine && !IsQueue(target) &&
      !absl::StartsWith(target.arn, "arn:aws:lambda:")) {
    return Invalid(target,
                   absl::StrCat("must be a Lambda function, an SQS queue or a "
                                "state machine, and is ",
                                target.arn));
  }
  if (machine == target.role_arn.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "RoleArn is ", machine ? "required" : "not supported",
        " for the target \"", target.id, "\", which is ", target.arn));
  }
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_SqsParameters.html
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
absl::Status CheckQueues(const Target& target) {
  if (queues::IsFifoQueue(target.arn) && target.message_group_id.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Parameter(s) SqsParameters must be specified for target: ", target.id,
        "."));
  }
  if (!IsQueue(target) && !target.message_group_id.empty()) {
    return Invalid(target, absl::StrCat("has SqsParameters, which are for SQS "
                                        "queues, and is ",
                                        target.arn));
  }
  if (queues::IsFifoQueue(target.dead_letters)) {
    return Invalid(
        target, absl::StrCat("has the dead-letter queue ", target.dead_letters,
                             ", which is a FIFO queue: EventBridge sends "
                             "dead letters to standard queues only"));
  }
  return absl::OkStatus();
}

absl::Status ReadTexts(const Json::Value& json, Target& target) {
  const std::pair<const char*, std::string*> texts[] = {
      {"Id", &target.id},
      {"Arn", &target.arn},
      {"RoleArn", &target.role_arn},
      {"Input", &target.input},
      {"InputPath", &target.input_path},
      {"SqsParameters.MessageGroupId", &target.message_group_id},
      {"DeadLetterConfig.Arn", &target.dead_letters}};
  for (const auto& [path, text] : texts) {
    absl::StatusOr<std::string> read = TextProperty(json, path);
    if (!read.ok()) return read.status();
    *text = *std::move(read);
  }
  for (const std::string& name : json.getMemberNames()) {
    if (std::find(std::begin(kTargetMembers), std::end(kTargetMembers), name) ==
        std::end(kTargetMembers)) {
      return Invalid(target,
                     absl::StrCat("has ", name,
                                  ", which the local cloud does not support"));
    }
  }
  return absl::OkStatus();
}

// Leaves CheckQueues() to the caller: a stored rule may be older than what that
// checks.
absl::StatusOr<Target> ParseTarget(const Json::Value& json) {
  if (!json.isObject()) {
    return absl::InvalidArgumentError("a target is not an object");
  }
  Target target;
  absl::Status read = ReadTexts(json, target);
  if (read.ok()) read = CheckKind(target);
  if (!read.ok()) return read;
  if (const Json::Value& transformer = PropertyAt(json, "InputTransformer");
      !transformer.isNull()) {
    absl::StatusOr<InputTransformer> parsed = ReadTransformer(transformer);
    if (!parsed.ok()) return parsed.status();
    target.transformer = *std::move(parsed);
  }
  if (absl::Status input = CheckInput(target); !input.ok()) return input;
  absl::StatusOr<RetryPolicy> retry = ReadRetryPolicy(json);
  if (!retry.ok()) return retry.status();
  target.retry = *retry;
  return target;
}

}  // namespace

Json::Value ToJson(const Rule& rule) {
  Json::Value value(Json::objectValue);
  value["Name"] = rule.name;
  value["Arn"] = rule.arn;
  value["State"] =
      rule.state == Rule::State::kEnabled ? kEnabledState : kDisabledState;
  if (!rule.schedule_expression.empty()) {
    value["ScheduleExpression"] = rule.schedule_expression;
  }
  if (!rule.event_pattern.empty()) value["EventPattern"] = rule.event_pattern;
  value["EventBusName"] = kDefaultBus;
  if (!rule.description.empty()) value["Description"] = rule.description;
  return value;
}

Json::Value ToJson(const Target& target) {
  Json::Value value(Json::objectValue);
  value["Id"] = target.id;
  value["Arn"] = target.arn;
  if (!target.role_arn.empty()) value["RoleArn"] = target.role_arn;
  if (!target.input.empty()) value["Input"] = target.input;
  if (!target.input_path.empty()) value["InputPath"] = target.input_path;
  if (!target.message_group_id.empty()) {
    value["SqsParameters"]["MessageGroupId"] = target.message_group_id;
  }
  if (target.transformer.has_value()) {
    Json::Value& transformer = value["InputTransformer"];
    transformer["InputTemplate"] = target.transformer->text;
    for (const auto& [name, path] : target.transformer->paths) {
      transformer["InputPathsMap"][name] = path;
    }
  }
  value["RetryPolicy"]["MaximumRetryAttempts"] = target.retry.max_attempts;
  value["RetryPolicy"]["MaximumEventAgeInSeconds"] =
      Json::Int64(absl::ToInt64Seconds(target.retry.max_age));
  if (!target.dead_letters.empty()) {
    value["DeadLetterConfig"]["Arn"] = target.dead_letters;
  }
  return value;
}

absl::StatusOr<Target> ReadTarget(const Json::Value& json) {
  absl::StatusOr<Target> target = ParseTarget(json);
  if (!target.ok()) return target;
  if (absl::Status good = CheckQueues(*target); !good.ok()) return good;
  return target;
}

absl::StatusOr<Rule::State> ReadState(absl::string_view text) {
  if (text == kEnabledState) return Rule::State::kEnabled;
  if (text == kDisabledState) return Rule::State::kDisabled;
  return absl::InvalidArgumentError(
      absl::StrCat("State must be ENABLED or DISABLED, and is \"", text, "\""));
}

std::string WriteRule(const Rule& rule) {
  Json::Value json = ToJson(rule);
  json["Region"] = rule.region;
  json["Account"] = rule.account_id;
  for (const Target& target : rule.targets) {
    json["Targets"].append(ToJson(target));
  }
  return json::WriteValue(json);
}

absl::StatusOr<Rule> ReadRule(absl::string_view text) {
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok()) return json.status();
  Rule rule{
      .name = json::TextMember(*json, "Name"),
      .region = json::TextMember(*json, "Region"),
      .account_id = json::TextMember(*json, "Account"),
      .arn = json::TextMember(*json, "Arn"),
      .description = json::TextMember(*json, "Description"),
      .schedule_expression = json::TextMember(*json, "ScheduleExpression"),
      .event_pattern = json::TextMember(*json, "EventPattern"),
      .origin = Rule::Origin::kApi};
  const absl::StatusOr<Rule::State> state =
      ReadState(json::TextMember(*json, "State"));
  if (!state.ok()) return state.status();
  rule.state = *state;
  for (const Json::Value& target : (*json)["Targets"]) {
    absl::StatusOr<Target> read = ParseTarget(target);
    if (!read.ok()) return read.status();
    rule.targets.push_back(*std::move(read));
  }
  return rule;
}

}  // namespace byoshin::local::events
