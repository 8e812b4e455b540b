#include <json/json.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/provider_calls.h"

namespace byoshin::local::stepfunctions {
namespace {

using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr char kLogGroupPath[] =
    "LoggingConfiguration.Destinations[].CloudWatchLogsLogGroup.LogGroupArn";

using Substitutions = std::vector<std::pair<std::string, std::string>>;

// "${name}" and what stands for it.
Substitutions SubstitutionsOf(const Json::Value& properties) {
  Substitutions substitutions;
  const Json::Value& given = PropertyAt(properties, "DefinitionSubstitutions");
  for (const std::string& name : given.getMemberNames()) {
    substitutions.emplace_back(absl::StrCat("${", name, "}"),
                               cloudformation::ScalarText(given[name]));
  }
  return substitutions;
}

// In every text of the value.
Json::Value Substituted(const Json::Value& value,
                        const Substitutions& substitutions) {
  if (value.isString()) {
    return absl::StrReplaceAll(value.asString(), substitutions);
  }
  if (value.isArray()) {
    Json::Value array(Json::arrayValue);
    for (const Json::Value& element : value) {
      array.append(Substituted(element, substitutions));
    }
    return array;
  }
  if (!value.isObject()) return value;
  Json::Value object(Json::objectValue);
  for (const std::string& name : value.getMemberNames()) {
    object[absl::StrReplaceAll(name, substitutions)] =
        Substituted(value[name], substitutions);
  }
  return object;
}

absl::StatusOr<std::string> DefinitionText(const Json::Value& properties) {
  const Json::Value& definition = PropertyAt(properties, "Definition");
  const absl::StatusOr<std::string> text =
      TextProperty(properties, "DefinitionString");
  if (!text.ok()) return text.status();
  if (definition.isNull() == text->empty()) {
    return absl::InvalidArgumentError(
        "exactly one of Definition and DefinitionString is required");
  }
  const Substitutions substitutions = SubstitutionsOf(properties);
  if (!text->empty()) return absl::StrReplaceAll(*text, substitutions);
  return json::WriteValue(Substituted(definition, substitutions));
}

absl::StatusOr<Json::Value> LoggingBody(const Json::Value& properties) {
  Json::Value logging(Json::objectValue);
  const absl::StatusOr<std::string> level =
      TextProperty(properties, "LoggingConfiguration.Level", "OFF");
  if (!level.ok()) return level.status();
  logging["level"] = *level;
  const absl::StatusOr<bool> data = cloudformation::BoolProperty(
      properties, "LoggingConfiguration.IncludeExecutionData", false);
  if (!data.ok()) return data.status();
  logging["includeExecutionData"] = *data;
  for (const Json::Value& destination :
       PropertyAt(properties, "LoggingConfiguration.Destinations")) {
    const absl::StatusOr<std::string> arn =
        TextProperty(destination, "CloudWatchLogsLogGroup.LogGroupArn");
    if (!arn.ok()) return arn.status();
    Json::Value entry;
    entry["cloudWatchLogsLogGroup"]["logGroupArn"] = *arn;
    logging["destinations"].append(std::move(entry));
  }
  return logging;
}

// What CreateStateMachine and UpdateStateMachine have in common.
absl::StatusOr<Json::Value> MachineBody(const Json::Value& properties) {
  Json::Value body(Json::objectValue);
  const absl::StatusOr<std::string> definition = DefinitionText(properties);
  if (!definition.ok()) return definition.status();
  body["definition"] = *definition;
  const absl::StatusOr<std::string> role = TextProperty(properties, "RoleArn");
  if (!role.ok()) return role.status();
  body["roleArn"] = *role;
  absl::StatusOr<Json::Value> logging = LoggingBody(properties);
  if (!logging.ok()) return logging.status();
  body["loggingConfiguration"] = *std::move(logging);
  const absl::StatusOr<bool> tracing = cloudformation::BoolProperty(
      properties, "TracingConfiguration.Enabled", false);
  if (!tracing.ok()) return tracing.status();
  body["tracingConfiguration"]["enabled"] = *tracing;
  return body;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachine.html
class StateMachineProvider final : public ResourceProvider {
 public:
  explicit StateMachineProvider(Service& states) : states_(states) {}

  absl::string_view type() const override {
    return "AWS::StepFunctions::StateMachine";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Definition.**", "DefinitionString",
                     "DefinitionSubstitutions.*", kLogGroupPath,
                     "LoggingConfiguration.IncludeExecutionData",
                     "LoggingConfiguration.Level", "RoleArn",
                     "StateMachineName", "StateMachineType", "Tags[].Key",
                     "Tags[].Value", "TracingConfiguration.Enabled"},
        .inert = {{"EncryptionConfiguration",
                   "the local cloud's files are private, and not encrypted"}},
        .required = {"RoleArn"},
        .create_only = {"StateMachineName", "StateMachineType"},
        .attributes = {"Arn", "Name", "StateMachineRevisionId"}};
    return schema;
  }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    absl::StatusOr<ResourceState> state =
        Describe(request, StatesArn({.region = request.stack.region,
                                     .account_id = request.stack.account_id},
                                    kMachineResource, NameOf(request)));
    if (IsMissingResource(state.status())) return std::nullopt;
    if (!state.ok()) return state.status();
    return *std::move(state);
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = Describe(request, request.physical_id).status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::StatusOr<Json::Value> body = MachineBody(request.properties);
    if (!body.ok()) return body.status();
    (*body)["name"] = NameOf(request);
    const absl::StatusOr<std::string> machine_type =
        TextProperty(request.properties, "StateMachineType", "STANDARD");
    if (!machine_type.ok()) return machine_type.status();
    (*body)["type"] = *machine_type;
    (*body)["tags"] = TagList(request.properties);
    const absl::StatusOr<Json::Value> created =
        CallFor(states_, request, "CreateStateMachine", *body);
    if (!created.ok()) return created.status();
    return Describe(request, json::TextMember(*created, "stateMachineArn"));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    absl::StatusOr<Json::Value> body = MachineBody(request.properties);
    if (!body.ok()) return body.status();
    (*body)["stateMachineArn"] = request.physical_id;
    absl::Status done =
        CallFor(states_, request, "UpdateStateMachine", *body).status();
    if (done.ok()) done = UpdateTags(states_, request, previous);
    if (!done.ok()) return done;
    return Describe(request, request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    return CallFor(states_, request, "DeleteStateMachine",
                   OneMember("stateMachineArn", request.physical_id))
        .status();
  }

  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override {
    Json::Value body = OneMember("stateMachineArn", request.physical_id);
    body["statusFilter"] = "RUNNING";
    const absl::StatusOr<Json::Value> list =
        CallFor(states_, request, "ListExecutions", body);
    // EXPRESS executions are not listed.
    if (!list.ok()) return "";
    const std::size_t count = (*list)["executions"].size();
    if (count == 0) return "";
    const bool more = list->isMember("nextToken");
    return absl::StrCat(more ? "more than " : "", count, " running execution",
                        count == 1 ? "" : "s");
  }

 private:
  static std::string NameOf(const ResourceRequest& request) {
    const std::string name =
        TextProperty(request.properties, "StateMachineName").value_or("");
    return name.empty() ? cloudformation::GeneratedName(request, kMaxNameLength)
                        : name;
  }

  absl::StatusOr<ResourceState> Describe(const ResourceRequest& request,
                                         const std::string& arn) {
    const absl::StatusOr<Json::Value> machine =
        CallFor(states_, request, "DescribeStateMachine",
                OneMember("stateMachineArn", arn));
    if (!machine.ok()) return machine.status();
    const std::string revision = json::TextMember(*machine, "revisionId");
    return ResourceState{
        .physical_id = arn,
        .attributes = {{"Arn", arn},
                       {"Name", json::TextMember(*machine, "name")},
                       {"StateMachineRevisionId",
                        revision.empty() ? "INITIAL" : revision}}};
  }

  Service& states_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewStateMachineProvider(Service& states) {
  return std::make_unique<StateMachineProvider>(states);
}

}  // namespace byoshin::local::stepfunctions
