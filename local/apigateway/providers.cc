#include "local/apigateway/providers.h"

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::BoolProperty;
using cloudformation::NumberProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;
using cloudformation::TextsProperty;

constexpr char kTextReason[] = "for people to read";
// Kept with the resource, though templates can't ask for it: a key has to be
// the same after a restart.
constexpr char kKeyValue[] = "Value";
constexpr std::size_t kKeyLength = 40;

// What one type of resource is, and how it gets into the registry.
struct Definition {
  std::string type{};
  ResourceSchema schema{};
  // The id of a new resource. By default its name's suffix in lower case.
  std::function<std::string(const ResourceRequest&)> new_id = nullptr;
  // Puts the resource, new or changed, with the id `state` has; may add
  // attributes to it.
  std::function<absl::Status(Registry&, const ResourceRequest&, ResourceState&)>
      put = nullptr;
  std::function<void(Registry&, const ResourceRequest&)> remove = nullptr;
};

std::string Text(const ResourceRequest& request, absl::string_view path) {
  return TextProperty(request.properties, path).value_or("");
}

Tags ReadTags(const ResourceRequest& request) {
  Tags tags;
  for (const Json::Value& tag : PropertyAt(request.properties, "Tags")) {
    tags[TextProperty(tag, "Key").value_or("")] =
        TextProperty(tag, "Value").value_or("");
  }
  return tags;
}

class Provider final : public ResourceProvider {
 public:
  Provider(Registry& registry, Definition definition)
      : registry_(registry), definition_(std::move(definition)) {}

  absl::string_view type() const override { return definition_.type; }
  const ResourceSchema& schema() const override { return definition_.schema; }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    ResourceState state{.physical_id =
                            definition_.new_id
                                ? definition_.new_id(request)
                                : absl::AsciiStrToLower(request.name_suffix)};
    return Put(request, std::move(state));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, {.physical_id = request.physical_id});
  }

  absl::Status Delete(const ResourceRequest& request) override {
    if (definition_.remove) definition_.remove(registry_, request);
    return absl::OkStatus();
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    return Put(request, state).status();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    ResourceState state) {
    if (absl::Status status = definition_.put(registry_, request, state);
        !status.ok()) {
      return status;
    }
    return state;
  }

  Registry& registry_;
  const Definition definition_;
};

std::vector<std::string> BinaryMediaTypes(const ResourceRequest& request) {
  const Json::Value& given = PropertyAt(request.properties, "BinaryMediaTypes");
  std::vector<std::string> types;
  // A single text may stand for a list of one.
  if (given.isString()) types.push_back(given.asString());
  for (const Json::Value& type : given) types.push_back(type.asString());
  return types;
}

Definition RestApiDefinition() {
  return {.type = "AWS::ApiGateway::RestApi",
          .schema = {.acted_on = {"Name", "BinaryMediaTypes[]", "Description",
                                  "EndpointConfiguration.Types[]", "Tags[].Key",
                                  "Tags[].Value"},
                     .inert = {{"EndpointConfiguration.IpAddressType",
                                "there is one place to be reached at"}},
                     .required = {"Name"},
                     .attributes = {"RestApiId", "RootResourceId"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                registry.PutApi(
                    state.physical_id, Text(request, "Name"),
                    {.description = Text(request, "Description"),
                     .endpoint_types =
                         TextsProperty(request.properties,
                                       "EndpointConfiguration.Types")
                             .value_or(std::vector<std::string>()),
                     .binary_media_types = BinaryMediaTypes(request),
                     .tags = ReadTags(request)});
                state.attributes = {{"RestApiId", state.physical_id},
                                    {"RootResourceId", Registry::RootResourceId(
                                                           state.physical_id)}};
                return absl::OkStatus();
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeleteApi(request.physical_id);
              }};
}

Definition ResourceDefinition() {
  return {.type = "AWS::ApiGateway::Resource",
          .schema = {.acted_on = {"RestApiId", "ParentId", "PathPart"},
                     .required = {"RestApiId", "ParentId", "PathPart"},
                     .create_only = {"RestApiId", "ParentId", "PathPart"},
                     .attributes = {"ResourceId"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                state.attributes = {{"ResourceId", state.physical_id}};
                return registry.PutResource(
                    Text(request, "RestApiId"),
                    {.id = state.physical_id,
                     .parent_id = Text(request, "ParentId"),
                     .path_part = Text(request, "PathPart")});
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeleteResource(Text(request, "RestApiId"),
                                        request.physical_id);
              }};
}

// From "arn:aws:apigateway:…:lambda:path/2015-03-31/functions/ARN/invocations".
absl::StatusOr<std::string> FunctionArnOf(absl::string_view uri) {
  constexpr absl::string_view kBefore = "/functions/";
  const std::size_t begin = uri.find(kBefore);
  if (begin == absl::string_view::npos ||
      !absl::EndsWith(uri, "/invocations")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Integration.Uri is not that of a Lambda function: ", uri));
  }
  uri.remove_prefix(begin + kBefore.size());
  return std::string(absl::StripSuffix(uri, "/invocations"));
}

absl::StatusOr<Method> ReadMethod(const ResourceRequest& request) {
  if (const std::string type = Text(request, "Integration.Type");
      type != "AWS_PROXY") {
    return absl::UnimplementedError(absl::StrCat("Integration.Type is ", type,
                                                 "; only AWS_PROXY is there"));
  }
  if (const std::string type = Text(request, "AuthorizationType");
      type != "NONE") {
    return absl::UnimplementedError(
        absl::StrCat("AuthorizationType is ", type, "; only NONE is there"));
  }
  absl::StatusOr<std::string> function =
      FunctionArnOf(Text(request, "Integration.Uri"));
  if (!function.ok()) return function.status();
  absl::StatusOr<bool> key =
      BoolProperty(request.properties, "ApiKeyRequired", false);
  if (!key.ok()) return key.status();
  return Method{.http_method = Text(request, "HttpMethod"),
                .api_key_required = *key,
                .function_arn = *std::move(function),
                .integration_uri = Text(request, "Integration.Uri"),
                .integration_http_method =
                    Text(request, "Integration.IntegrationHttpMethod")};
}

Definition MethodDefinition() {
  return {.type = "AWS::ApiGateway::Method",
          .schema = {.acted_on = {"RestApiId", "ResourceId", "HttpMethod",
                                  "AuthorizationType", "ApiKeyRequired",
                                  "Integration.IntegrationHttpMethod",
                                  "Integration.Type", "Integration.Uri"},
                     .required = {"RestApiId", "ResourceId", "HttpMethod",
                                  "AuthorizationType", "Integration"},
                     .create_only = {"RestApiId", "ResourceId", "HttpMethod"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState&) {
                absl::StatusOr<Method> method = ReadMethod(request);
                if (!method.ok()) return method.status();
                return registry.PutMethod(Text(request, "RestApiId"),
                                          Text(request, "ResourceId"),
                                          *std::move(method));
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeleteMethod(Text(request, "RestApiId"),
                                      Text(request, "ResourceId"),
                                      Text(request, "HttpMethod"));
              }};
}

Definition DeploymentDefinition() {
  return {.type = "AWS::ApiGateway::Deployment",
          .schema = {.acted_on = {"RestApiId"},
                     .inert = {{"Description", kTextReason}},
                     .required = {"RestApiId"},
                     .create_only = {"RestApiId"},
                     .attributes = {"DeploymentId"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                state.attributes = {{"DeploymentId", state.physical_id}};
                return registry.Deploy(Text(request, "RestApiId"),
                                       state.physical_id);
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeleteDeployment(Text(request, "RestApiId"),
                                          request.physical_id);
              }};
}

absl::StatusOr<std::optional<ThrottleLimits>> ReadThrottle(
    const Json::Value& settings, absl::string_view rate_path,
    absl::string_view burst_path) {
  if (PropertyAt(settings, rate_path).isNull()) return std::nullopt;
  const absl::StatusOr<double> rate = NumberProperty(settings, rate_path, 0);
  if (!rate.ok()) return rate.status();
  const absl::StatusOr<double> burst =
      NumberProperty(settings, burst_path, *rate);
  if (!burst.ok()) return burst.status();
  return ThrottleLimits{.rate = *rate, .burst = *burst};
}

absl::StatusOr<Stage> ReadStage(const ResourceRequest& request) {
  Stage stage{
      .name = Text(request, "StageName"),
      .deployment_id = Text(request, "DeploymentId"),
      .access_log_group_arn = Text(request, "AccessLogSetting.DestinationArn"),
      .access_log_format = Text(request, "AccessLogSetting.Format"),
      .description = Text(request, "Description"),
      .tags = ReadTags(request)};
  const absl::StatusOr<bool> tracing =
      BoolProperty(request.properties, "TracingEnabled", false);
  if (!tracing.ok()) return tracing.status();
  // Reported, and without effect: nobody collects traces.
  stage.tracing = *tracing;
  for (const Json::Value& setting :
       PropertyAt(request.properties, "MethodSettings")) {
    const std::string path = TextProperty(setting, "ResourcePath").value_or("");
    const std::string method = TextProperty(setting, "HttpMethod").value_or("");
    if (path != "/*" || method != "*") {
      return absl::UnimplementedError(
          absl::StrCat("MethodSettings for ", method, " ", path,
                       ": only those for all methods (* on /*) are there"));
    }
    absl::StatusOr<std::optional<ThrottleLimits>> limits =
        ReadThrottle(setting, "ThrottlingRateLimit", "ThrottlingBurstLimit");
    if (!limits.ok()) return limits.status();
    stage.throttle = *limits;
  }
  return stage;
}

Definition StageDefinition() {
  return {
      .type = "AWS::ApiGateway::Stage",
      .schema = {.acted_on = {"RestApiId", "DeploymentId", "StageName",
                              "AccessLogSetting.DestinationArn",
                              "AccessLogSetting.Format", "Description",
                              "TracingEnabled", "Tags[].Key", "Tags[].Value",
                              "MethodSettings[].ResourcePath",
                              "MethodSettings[].HttpMethod",
                              "MethodSettings[].ThrottlingRateLimit",
                              "MethodSettings[].ThrottlingBurstLimit"},
                 .inert = {{"MethodSettings[].LoggingLevel",
                            "the access log and the functions' logs are there"},
                           {"MethodSettings[].DataTraceEnabled",
                            "there is no execution log"},
                           {"MethodSettings[].MetricsEnabled",
                            "there is no CloudWatch to send metrics to"}},
                 .required = {"RestApiId", "StageName"},
                 .create_only = {"RestApiId", "StageName"}},
      .new_id =
          [](const ResourceRequest& request) {
            return Text(request, "StageName");
          },
      .put =
          [](Registry& registry, const ResourceRequest& request,
             ResourceState&) {
            absl::StatusOr<Stage> stage = ReadStage(request);
            if (!stage.ok()) return stage.status();
            return registry.PutStage(Text(request, "RestApiId"),
                                     *std::move(stage));
          },
      .remove =
          [](Registry& registry, const ResourceRequest& request) {
            registry.DeleteStage(Text(request, "RestApiId"),
                                 request.physical_id);
          }};
}

std::string NewKeyValue() {
  constexpr absl::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  absl::BitGen random;
  std::string value;
  for (std::size_t i = 0; i < kKeyLength; ++i) {
    value += kLetters[absl::Uniform<std::size_t>(random, 0, kLetters.size())];
  }
  return value;
}

Definition ApiKeyDefinition() {
  return {
      .type = "AWS::ApiGateway::ApiKey",
      .schema = {.acted_on = {"Description", "Enabled", "Name", "Tags[].Key",
                              "Tags[].Value", "Value"},
                 .create_only = {"Value"},
                 .attributes = {"APIKeyId"}},
      .put =
          [](Registry& registry, const ResourceRequest& request,
             ResourceState& state) {
            const absl::StatusOr<bool> enabled =
                BoolProperty(request.properties, "Enabled", false);
            if (!enabled.ok()) return enabled.status();
            std::string& value = state.attributes[kKeyValue];
            if (value.empty()) value = Text(request, "Value");
            if (value.empty()) value = registry.KeyValue(state.physical_id);
            if (value.empty()) value = NewKeyValue();
            state.attributes["APIKeyId"] = state.physical_id;
            registry.PutKey({.id = state.physical_id,
                             .value = value,
                             .enabled = *enabled,
                             .name = TextProperty(request.properties, "Name",
                                                  state.physical_id)
                                         .value_or(""),
                             .description = Text(request, "Description"),
                             .tags = ReadTags(request)});
            return absl::OkStatus();
          },
      .remove =
          [](Registry& registry, const ResourceRequest& request) {
            registry.DeleteKey(request.physical_id);
          }};
}

Definition UsagePlanDefinition() {
  return {.type = "AWS::ApiGateway::UsagePlan",
          .schema = {.acted_on = {"ApiStages[].ApiId", "ApiStages[].Stage",
                                  "Throttle.RateLimit", "Throttle.BurstLimit",
                                  "Description", "UsagePlanName", "Tags[].Key",
                                  "Tags[].Value"},
                     .attributes = {"Id"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                UsagePlan plan{
                    .id = state.physical_id,
                    .name = TextProperty(request.properties, "UsagePlanName",
                                         state.physical_id)
                                .value_or(""),
                    .description = Text(request, "Description"),
                    .tags = ReadTags(request)};
                for (const Json::Value& stage :
                     PropertyAt(request.properties, "ApiStages")) {
                  plan.stages.push_back(
                      {.api_id = TextProperty(stage, "ApiId").value_or(""),
                       .stage = TextProperty(stage, "Stage").value_or("")});
                }
                absl::StatusOr<std::optional<ThrottleLimits>> limits =
                    ReadThrottle(request.properties, "Throttle.RateLimit",
                                 "Throttle.BurstLimit");
                if (!limits.ok()) return limits.status();
                plan.throttle = *limits;
                registry.PutPlan(std::move(plan));
                state.attributes = {{"Id", state.physical_id}};
                return absl::OkStatus();
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeletePlan(request.physical_id);
              }};
}

Definition UsagePlanKeyDefinition() {
  return {.type = "AWS::ApiGateway::UsagePlanKey",
          .schema = {.acted_on = {"UsagePlanId", "KeyId"},
                     .inert = {{"KeyType", "API_KEY is the only one there is"}},
                     .required = {"UsagePlanId", "KeyId", "KeyType"},
                     .create_only = {"UsagePlanId", "KeyId", "KeyType"},
                     .attributes = {"Id"}},
          .new_id =
              [](const ResourceRequest& request) {
                return absl::StrCat(Text(request, "KeyId"), ":",
                                    Text(request, "UsagePlanId"));
              },
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                state.attributes = {{"Id", state.physical_id}};
                return registry.AddKeyToPlan(Text(request, "UsagePlanId"),
                                             Text(request, "KeyId"));
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.RemoveKeyFromPlan(Text(request, "UsagePlanId"),
                                           Text(request, "KeyId"));
              }};
}

}  // namespace

std::vector<std::unique_ptr<ResourceProvider>> NewProviders(
    Registry& registry) {
  std::vector<std::unique_ptr<ResourceProvider>> providers;
  for (Definition& definition : std::vector<Definition>{
           RestApiDefinition(), ResourceDefinition(), MethodDefinition(),
           DeploymentDefinition(), StageDefinition(), ApiKeyDefinition(),
           UsagePlanDefinition(), UsagePlanKeyDefinition()}) {
    providers.push_back(
        std::make_unique<Provider>(registry, std::move(definition)));
  }
  return providers;
}

}  // namespace byoshin::local::apigateway
