#include "local/events/cloudformation.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
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
#include "local/events/rule.h"

namespace byoshin::local::events {
namespace {

using cloudformation::IntegerProperty;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr std::size_t kMaxNameLength = 64;
constexpr std::size_t kMaxTargets = 5;
constexpr std::int64_t kMaxRetryAttempts = 185;
constexpr std::int64_t kMinEventAgeSeconds = 60;
constexpr std::int64_t kMaxEventAgeSeconds = 86400;

absl::Status Check(absl::string_view name, std::int64_t value, std::int64_t min,
                   std::int64_t max) {
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
      Check("MaximumRetryAttempts", *attempts, 0, kMaxRetryAttempts);
  if (good.ok()) {
    good = Check("MaximumEventAgeInSeconds", *age, kMinEventAgeSeconds,
                 kMaxEventAgeSeconds);
  }
  if (!good.ok()) return good;
  return RetryPolicy{.max_attempts = static_cast<int>(*attempts),
                     .max_age = absl::Seconds(*age)};
}

absl::StatusOr<Target> ReadTarget(const Json::Value& value) {
  Target target;
  const std::pair<const char*, std::string*> texts[] = {
      {"Id", &target.id},
      {"Arn", &target.arn},
      {"RoleArn", &target.role_arn},
      {"Input", &target.input},
      {"InputPath", &target.input_path},
      {"DeadLetterConfig.Arn", &target.dead_letters}};
  for (const auto& [path, text] : texts) {
    absl::StatusOr<std::string> read = TextProperty(value, path);
    if (!read.ok()) return read.status();
    *text = *std::move(read);
  }
  const bool machine = IsStateMachine(target);
  if (!machine && !absl::StartsWith(target.arn, "arn:aws:lambda:")) {
    return absl::InvalidArgumentError(
        absl::StrCat("the target \"", target.id,
                     "\" must be a Lambda function or a state machine, and is ",
                     target.arn));
  }
  if (machine == target.role_arn.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "RoleArn is ", machine ? "required" : "not supported",
        " for the target \"", target.id, "\", which is ", target.arn));
  }
  if (!target.input.empty() && !json::ParseValue(target.input).ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the Input of the target \"", target.id, "\" is not JSON"));
  }
  absl::StatusOr<RetryPolicy> retry = ReadRetryPolicy(value);
  if (!retry.ok()) return retry.status();
  target.retry = *retry;
  return target;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html
class Provider final : public ResourceProvider {
 public:
  explicit Provider(Events& events) : events_(events) {}

  absl::string_view type() const override { return "AWS::Events::Rule"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Description", "Name", "ScheduleExpression", "State",
                     "Targets[].Arn", "Targets[].DeadLetterConfig.Arn",
                     "Targets[].Id", "Targets[].Input", "Targets[].InputPath",
                     "Targets[].RetryPolicy.MaximumEventAgeInSeconds",
                     "Targets[].RetryPolicy.MaximumRetryAttempts",
                     "Targets[].RoleArn"},
        .inert = {{"Tags", "the local cloud does not use tags"}},
        .required = {"ScheduleExpression"},
        .create_only = {"Name"},
        .attributes = {"Arn"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::string> name =
        TextProperty(request.properties, "Name");
    if (!name.ok()) return name.status();
    return Put(request, name->empty() ? cloudformation::GeneratedName(
                                            request, kMaxNameLength)
                                      : *name);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, request.physical_id);
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    absl::StatusOr<Rule> rule = ReadRule(request, state.physical_id);
    if (!rule.ok()) return rule.status();
    return events_.RestoreRule(*std::move(rule));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    events_.RemoveRule(ArnOf(request, request.physical_id));
    return absl::OkStatus();
  }

 private:
  static std::string ArnOf(const ResourceRequest& request,
                           const std::string& name) {
    return cloudformation::ArnOf(request.stack, "events",
                                 absl::StrCat("rule/", name));
  }

  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& name) {
    absl::StatusOr<Rule> rule = ReadRule(request, name);
    if (!rule.ok()) return rule.status();
    const std::string arn = rule->arn;
    if (absl::Status put = events_.PutRule(*std::move(rule)); !put.ok()) {
      return put;
    }
    return ResourceState{.physical_id = name, .attributes = {{"Arn", arn}}};
  }

  static absl::StatusOr<Rule> ReadRule(const ResourceRequest& request,
                                       const std::string& name) {
    Rule rule{.name = name,
              .region = request.stack.region,
              .account_id = request.stack.account_id,
              .arn = ArnOf(request, name)};
    const absl::StatusOr<std::string> description =
        TextProperty(request.properties, "Description");
    const absl::StatusOr<std::string> schedule =
        TextProperty(request.properties, "ScheduleExpression");
    const absl::StatusOr<std::string> state =
        TextProperty(request.properties, "State", "ENABLED");
    for (const auto* text : {&description, &schedule, &state}) {
      if (!text->ok()) return text->status();
    }
    if (*state != "ENABLED" && *state != "DISABLED") {
      return absl::InvalidArgumentError(absl::StrCat(
          "State must be ENABLED or DISABLED, and is \"", *state, "\""));
    }
    rule.description = *description;
    rule.schedule_expression = *schedule;
    rule.state =
        *state == "ENABLED" ? Rule::State::kEnabled : Rule::State::kDisabled;
    const Json::Value& targets =
        cloudformation::PropertyAt(request.properties, "Targets");
    if (targets.size() > kMaxTargets) {
      return absl::InvalidArgumentError(
          absl::StrCat("a rule has at most ", kMaxTargets, " targets"));
    }
    for (const Json::Value& value : targets) {
      absl::StatusOr<Target> target = ReadTarget(value);
      if (!target.ok()) return target.status();
      rule.targets.push_back(*std::move(target));
    }
    return rule;
  }

  Events& events_;
};

}  // namespace

std::unique_ptr<ResourceProvider> RuleProvider(Events& events) {
  return std::make_unique<Provider>(events);
}

}  // namespace byoshin::local::events
