#include "local/events/cloudformation.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/events/rule.h"
#include "local/events/rule_json.h"

namespace byoshin::local::events {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr std::size_t kMaxNameLength = 64;

// EventPattern is an object in templates, and may be text.
absl::StatusOr<std::string> ReadPattern(const Json::Value& properties) {
  const Json::Value& pattern =
      cloudformation::PropertyAt(properties, "EventPattern");
  if (pattern.isNull()) return "";
  if (pattern.isString()) return pattern.asString();
  return json::WriteValue(pattern);
}

// The local cloud has the default event bus only.
absl::Status CheckBusProperty(const Json::Value& properties) {
  const absl::StatusOr<std::string> bus =
      TextProperty(properties, "EventBusName", kDefaultBus);
  if (!bus.ok()) return bus.status();
  if (*bus == kDefaultBus || absl::EndsWith(*bus, ":event-bus/default")) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("EventBusName is \"", *bus,
                   "\", and the local cloud has only the default event bus"));
}
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html
class Provider final : public ResourceProvider {
 public:
  explicit Provider(Events& events) : events_(events) {}

  absl::string_view type() const override { return "AWS::Events::Rule"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Description", "EventBusName", "EventPattern.**", "Name",
                     "ScheduleExpression", "State", "Targets[].Arn",
                     "Targets[].DeadLetterConfig.Arn", "Targets[].Id",
                     "Targets[].Input", "Targets[].InputPath",
                     "Targets[].InputTransformer.InputPathsMap.*",
                     "Targets[].InputTransformer.InputTemplate",
                     "Targets[].RetryPolicy.MaximumEventAgeInSeconds",
                     "Targets[].RetryPolicy.MaximumRetryAttempts",
                     "Targets[].RoleArn",
                     "Targets[].SqsParameters.MessageGroupId"},
        .inert = {{"Tags", "the local cloud does not use tags"}},
        .create_only = {"EventBusName", "Name"},
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
    absl::StatusOr<Rule> rule = RuleOf(request, state.physical_id);
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
    absl::StatusOr<Rule> rule = RuleOf(request, name);
    if (!rule.ok()) return rule.status();
    const std::string arn = rule->arn;
    if (absl::Status put = events_.PutRule(*std::move(rule)); !put.ok()) {
      return put;
    }
    return ResourceState{.physical_id = name, .attributes = {{"Arn", arn}}};
  }

  static absl::StatusOr<Rule> RuleOf(const ResourceRequest& request,
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
    const absl::StatusOr<std::string> pattern = ReadPattern(request.properties);
    for (const auto* text : {&description, &schedule, &state, &pattern}) {
      if (!text->ok()) return text->status();
    }
    absl::Status bus = CheckBusProperty(request.properties);
    if (!bus.ok()) return bus;
    const absl::StatusOr<Rule::State> rule_state = ReadState(*state);
    if (!rule_state.ok()) return rule_state.status();
    rule.description = *description;
    rule.schedule_expression = *schedule;
    rule.event_pattern = *pattern;
    rule.state = *rule_state;
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
