#include "local/apigateway/providers.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/apigateway/definition.h"
#include "local/apigateway/method_properties.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/throttle.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::BoolProperty;
using cloudformation::IsScalar;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceState;
using cloudformation::ScalarText;
using cloudformation::TextProperty;
using cloudformation::TextsProperty;

constexpr char kTextReason[] = "it is only a description";

std::vector<std::string> BinaryMediaTypes(const ResourceRequest& request) {
  const Json::Value& given = PropertyAt(request.properties, "BinaryMediaTypes");
  std::vector<std::string> types;
  // A single text is accepted as a list of one.
  if (given.isString()) types.push_back(given.asString());
  for (const Json::Value& type : given) types.push_back(type.asString());
  return types;
}

absl::StatusOr<KeySource> ReadKeySource(const ResourceRequest& request) {
  const std::string source = Text(request, "ApiKeySourceType");
  if (source.empty() || source == "HEADER") return KeySource::kHeader;
  if (source == "AUTHORIZER") return KeySource::kAuthorizer;
  return absl::InvalidArgumentError(absl::StrCat(
      "ApiKeySourceType is ", source, "; it must be HEADER or AUTHORIZER"));
}

Definition RestApiDefinition() {
  return {
      .type = "AWS::ApiGateway::RestApi",
      .schema = {.acted_on = {"Name", "ApiKeySourceType", "BinaryMediaTypes[]",
                              "Description", "EndpointConfiguration.Types[]",
                              "Tags[].Key", "Tags[].Value"},
                 .inert = {{"EndpointConfiguration.IpAddressType",
                            "there is one place to be reached at"}},
                 .required = {"Name"},
                 .attributes = {"RestApiId", "RootResourceId"}},
      .put =
          [](Registry& registry, const ResourceRequest& request,
             ResourceState& state) {
            const absl::StatusOr<KeySource> keys = ReadKeySource(request);
            if (!keys.ok()) return keys.status();
            registry.PutApi(
                state.physical_id, Text(request, "Name"),
                {.description = Text(request, "Description"),
                 .endpoint_types = TextsProperty(request.properties,
                                                 "EndpointConfiguration.Types")
                                       .value_or(std::vector<std::string>()),
                 .binary_media_types = BinaryMediaTypes(request),
                 .key_source = *keys,
                 .tags = ReadTags(request)});
            state.attributes = {{"RestApiId", state.physical_id},
                                {"RootResourceId",
                                 Registry::RootResourceId(state.physical_id)}};
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

Definition MethodDefinition() {
  return {.type = "AWS::ApiGateway::Method",
          .schema = MethodSchema(),
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState&) {
                absl::StatusOr<Method> method = ReadMethod(request.properties);
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

// "/orders/{id}" of "/~1orders~1{id}", and "*" of "/*". The path may also be
// written without ~1.
std::string SettingsPath(absl::string_view path) {
  absl::ConsumePrefix(&path, "/");
  if (path == kAll) return kAll;
  const std::string decoded = absl::StrReplaceAll(path, {{"~1", "/"}});
  return absl::StartsWith(decoded, "/") ? decoded : absl::StrCat("/", decoded);
}

absl::Status ReadMethodSettings(const Json::Value& properties, Stage& stage) {
  for (const Json::Value& setting : PropertyAt(properties, "MethodSettings")) {
    MethodSettings read{.logging_level =
                            TextProperty(setting, "LoggingLevel").value_or("")};
    const std::string method = TextProperty(setting, "HttpMethod").value_or("");
    const std::string path = TextProperty(setting, "ResourcePath").value_or("");
    if (method.empty() || path.empty()) {
      return absl::InvalidArgumentError(
          "MethodSettings needs both ResourcePath and HttpMethod");
    }
    absl::StatusOr<std::optional<ThrottleLimits>> limits =
        ReadThrottle(setting, "ThrottlingRateLimit", "ThrottlingBurstLimit");
    if (!limits.ok()) return limits.status();
    read.throttle = *limits;
    const absl::StatusOr<bool> metrics =
        BoolProperty(setting, "MetricsEnabled", false);
    if (!metrics.ok()) return metrics.status();
    read.metrics = *metrics;
    const absl::StatusOr<bool> trace =
        BoolProperty(setting, "DataTraceEnabled", false);
    if (!trace.ok()) return trace.status();
    read.data_trace = *trace;
    stage.settings[{SettingsPath(path), method}] = std::move(read);
  }
  return absl::OkStatus();
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
  // Reported, but without effect: traces are not collected.
  stage.tracing = *tracing;
  const Json::Value& variables = PropertyAt(request.properties, "Variables");
  for (const std::string& name : variables.getMemberNames()) {
    if (!IsScalar(variables[name])) {
      return absl::InvalidArgumentError(
          absl::StrCat("Variables.", name, " is not text"));
    }
    stage.variables[name] = ScalarText(variables[name]);
  }
  if (absl::Status status = ReadMethodSettings(request.properties, stage);
      !status.ok()) {
    return status;
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
                              "MethodSettings[].ThrottlingBurstLimit",
                              "Variables.*",
                              // Only reported: there is neither an execution
                              // log nor a CloudWatch to send metrics to.
                              "MethodSettings[].LoggingLevel",
                              "MethodSettings[].DataTraceEnabled",
                              "MethodSettings[].MetricsEnabled"},
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

}  // namespace

std::vector<std::unique_ptr<ResourceProvider>> NewProviders(
    Registry& registry) {
  std::vector<Definition> definitions = KeyDefinitions();
  for (Definition& part : PartDefinitions()) {
    definitions.push_back(std::move(part));
  }
  for (Definition (*definition)() :
       {RestApiDefinition, ResourceDefinition, MethodDefinition,
        DeploymentDefinition, StageDefinition}) {
    definitions.push_back(definition());
  }
  std::vector<std::unique_ptr<ResourceProvider>> providers;
  providers.reserve(definitions.size());
  for (Definition& definition : definitions) {
    providers.push_back(NewProvider(registry, std::move(definition)));
  }
  return providers;
}

}  // namespace byoshin::local::apigateway
