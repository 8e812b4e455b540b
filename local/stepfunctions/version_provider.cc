// Versions and aliases of state machines in templates.

#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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

ResourceState StateOfArn(const std::string& arn) {
  return {.physical_id = arn, .attributes = {{"Arn", arn}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachineversion.html
class VersionProvider final : public ResourceProvider {
 public:
  explicit VersionProvider(Service& states) : states_(states) {}

  absl::string_view type() const override {
    return "AWS::StepFunctions::StateMachineVersion";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema =
        *new ResourceSchema{.acted_on = {"Description", "StateMachineArn",
                                         "StateMachineRevisionId"},
                            .required = {"StateMachineArn"},
                            .create_only = {"Description", "StateMachineArn",
                                            "StateMachineRevisionId"},
                            .attributes = {"Arn"}};
    return schema;
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found =
        CallFor(states_, request, "DescribeStateMachine",
                OneMember("stateMachineArn", request.physical_id))
            .status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    Json::Value body(Json::objectValue);
    for (const auto& [property, member] :
         {std::pair("StateMachineArn", "stateMachineArn"),
          std::pair("StateMachineRevisionId", "revisionId"),
          std::pair("Description", "description")}) {
      const absl::StatusOr<std::string> text =
          TextProperty(request.properties, property);
      if (!text.ok()) return text.status();
      if (!text->empty()) body[member] = *text;
    }
    const absl::StatusOr<Json::Value> version =
        CallFor(states_, request, "PublishStateMachineVersion", body);
    if (!version.ok()) return version.status();
    return StateOfArn(json::TextMember(*version, "stateMachineVersionArn"));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    // A version never changes.
    return StateOfArn(request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    return CallFor(states_, request, "DeleteStateMachineVersion",
                   OneMember("stateMachineVersionArn", request.physical_id))
        .status();
  }

 private:
  Service& states_;
};

absl::StatusOr<Json::Value> AliasBody(const Json::Value& properties) {
  Json::Value body(Json::objectValue);
  const absl::StatusOr<std::string> description =
      TextProperty(properties, "Description");
  if (!description.ok()) return description.status();
  body["description"] = *description;
  for (const Json::Value& route :
       PropertyAt(properties, "RoutingConfiguration")) {
    const absl::StatusOr<std::string> version =
        TextProperty(route, "StateMachineVersionArn");
    const absl::StatusOr<std::int64_t> weight =
        cloudformation::IntegerProperty(route, "Weight", kAllWeight);
    if (!version.ok()) return version.status();
    if (!weight.ok()) return weight.status();
    Json::Value item(Json::objectValue);
    item["stateMachineVersionArn"] = *version;
    item["weight"] = Json::Int64(*weight);
    body["routingConfiguration"].append(std::move(item));
  }
  const absl::StatusOr<std::string> preferred =
      TextProperty(properties, "DeploymentPreference.StateMachineVersionArn");
  if (!preferred.ok()) return preferred.status();
  if (body.isMember("routingConfiguration") != preferred->empty()) {
    return absl::InvalidArgumentError(
        "exactly one of RoutingConfiguration and DeploymentPreference is "
        "required");
  }
  if (!preferred->empty()) {
    Json::Value item(Json::objectValue);
    item["stateMachineVersionArn"] = *preferred;
    item["weight"] = kAllWeight;
    body["routingConfiguration"].append(std::move(item));
  }
  return body;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachinealias.html
class AliasProvider final : public ResourceProvider {
 public:
  explicit AliasProvider(Service& states) : states_(states) {}

  absl::string_view type() const override {
    return "AWS::StepFunctions::StateMachineAlias";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"DeploymentPreference.StateMachineVersionArn",
                     "Description", "Name",
                     "RoutingConfiguration[].StateMachineVersionArn",
                     "RoutingConfiguration[].Weight"},
        .inert = {{"DeploymentPreference.Alarms", kAtOnce},
                  {"DeploymentPreference.Interval", kAtOnce},
                  {"DeploymentPreference.Percentage", kAtOnce},
                  {"DeploymentPreference.Type", kAtOnce}},
        .create_only = {"Name"},
        .attributes = {"Arn"}};
    return schema;
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found =
        CallFor(states_, request, "DescribeStateMachineAlias",
                OneMember("stateMachineAliasArn", request.physical_id))
            .status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::StatusOr<Json::Value> body = AliasBody(request.properties);
    if (!body.ok()) return body.status();
    const absl::StatusOr<std::string> name =
        TextProperty(request.properties, "Name");
    if (!name.ok()) return name.status();
    (*body)["name"] =
        name->empty() ? cloudformation::GeneratedName(request, kMaxNameLength)
                      : *name;
    const absl::StatusOr<Json::Value> alias =
        CallFor(states_, request, "CreateStateMachineAlias", *body);
    if (!alias.ok()) return alias.status();
    return StateOfArn(json::TextMember(*alias, "stateMachineAliasArn"));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    absl::StatusOr<Json::Value> body = AliasBody(request.properties);
    if (!body.ok()) return body.status();
    (*body)["stateMachineAliasArn"] = request.physical_id;
    absl::Status done =
        CallFor(states_, request, "UpdateStateMachineAlias", *body).status();
    if (!done.ok()) return done;
    return StateOfArn(request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    return CallFor(states_, request, "DeleteStateMachineAlias",
                   OneMember("stateMachineAliasArn", request.physical_id))
        .status();
  }

 private:
  static constexpr char kAtOnce[] =
      "the local cloud shifts traffic to the new version at once";

  Service& states_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-activity.html
class ActivityProvider final : public ResourceProvider {
 public:
  explicit ActivityProvider(Service& states) : states_(states) {}

  absl::string_view type() const override {
    return "AWS::StepFunctions::Activity";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Name", "Tags[].Key", "Tags[].Value"},
        .inert = {{"EncryptionConfiguration",
                   "the local cloud's files are private, and not encrypted"}},
        .required = {"Name"},
        .create_only = {"Name"},
        .attributes = {"Arn", "Name"}};
    return schema;
  }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    const std::string name =
        TextProperty(request.properties, "Name").value_or("");
    const std::string arn = StatesArn({.region = request.stack.region,
                                       .account_id = request.stack.account_id},
                                      kActivityResource, name);
    absl::Status found = CallFor(states_, request, "DescribeActivity",
                                 OneMember("activityArn", arn))
                             .status();
    if (!found.ok()) return std::nullopt;
    return StateOf(arn, name);
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = CallFor(states_, request, "DescribeActivity",
                                 OneMember("activityArn", request.physical_id))
                             .status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::string> name =
        TextProperty(request.properties, "Name");
    if (!name.ok()) return name.status();
    Json::Value body = OneMember("name", *name);
    body["tags"] = TagList(request.properties);
    const absl::StatusOr<Json::Value> activity =
        CallFor(states_, request, "CreateActivity", body);
    if (!activity.ok()) return activity.status();
    return StateOf(json::TextMember(*activity, "activityArn"), *name);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    absl::Status done = UpdateTags(states_, request, previous);
    if (!done.ok()) return done;
    return StateOf(
        request.physical_id,
        request.physical_id.substr(request.physical_id.rfind(':') + 1));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    return CallFor(states_, request, "DeleteActivity",
                   OneMember("activityArn", request.physical_id))
        .status();
  }

 private:
  static ResourceState StateOf(const std::string& arn,
                               const std::string& name) {
    return {.physical_id = arn, .attributes = {{"Arn", arn}, {"Name", name}}};
  }

  Service& states_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewStateMachineVersionProvider(
    Service& states) {
  return std::make_unique<VersionProvider>(states);
}

std::unique_ptr<ResourceProvider> NewStateMachineAliasProvider(
    Service& states) {
  return std::make_unique<AliasProvider>(states);
}

std::unique_ptr<ResourceProvider> NewActivityProvider(Service& states) {
  return std::make_unique<ActivityProvider>(states);
}

}  // namespace byoshin::local::stepfunctions
