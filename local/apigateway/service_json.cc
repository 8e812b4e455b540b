#include "local/apigateway/service_json.h"

#include <json/json.h>

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {
namespace {

// The longest that a function may take to answer an API.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
constexpr int kIntegrationTimeoutMs = 29'000;

Json::Value ToJson(const Tags& tags) {
  Json::Value value(Json::objectValue);
  for (const auto& [key, text] : tags) value[key] = text;
  return value;
}

void AddText(Json::Value& value, const char* name, const std::string& text) {
  if (!text.empty()) value[name] = text;
}

std::string PathOf(const RestApi& api, const Resource& resource) {
  if (resource.parent_id.empty()) return "/";
  const auto parent = api.resources.find(resource.parent_id);
  if (parent == api.resources.end()) return "/" + resource.path_part;
  return absl::StrCat(absl::StripSuffix(PathOf(api, parent->second), "/"), "/",
                      resource.path_part);
}

Json::Value ToJson(const std::map<std::string, MappingTemplate>& templates) {
  Json::Value value(Json::objectValue);
  for (const auto& [type, mapping] : templates) value[type] = mapping.source();
  return value;
}

const char* PassthroughName(Passthrough passthrough) {
  switch (passthrough) {
    case Passthrough::kWhenNoTemplates:
      return "WHEN_NO_TEMPLATES";
    case Passthrough::kNever:
      return "NEVER";
    case Passthrough::kWhenNoMatch:
      break;
  }
  return "WHEN_NO_MATCH";
}

// Adds what an integration of type AWS has in addition.
void AddService(const ServiceIntegration& service, Json::Value& value) {
  value["credentials"] = service.role_arn;
  if (!service.templates.empty()) {
    value["requestTemplates"] = ToJson(service.templates);
  }
  for (const IntegrationResponse& response : service.responses) {
    const std::string status = absl::StrCat(response.status);
    Json::Value& entry = value["integrationResponses"][status];
    entry["statusCode"] = status;
    AddText(entry, "selectionPattern", response.selection_pattern);
    for (const auto& [name, text] : response.headers) {
      entry["responseParameters"]["method.response.header." + name] =
          absl::StrCat("'", text, "'");
    }
    if (!response.templates.empty()) {
      entry["responseTemplates"] = ToJson(response.templates);
    }
  }
}

}  // namespace

Json::Value ToJson(const RestApi& api) {
  Json::Value value(Json::objectValue);
  value["id"] = api.id;
  value["name"] = api.name;
  AddText(value, "description", api.details.description);
  value["apiKeySource"] = "HEADER";
  Json::Value& types = value["endpointConfiguration"]["types"];
  types = Json::arrayValue;
  for (const std::string& type : api.details.endpoint_types) types.append(type);
  if (types.empty()) types.append("EDGE");
  for (const std::string& type : api.details.binary_media_types) {
    value["binaryMediaTypes"].append(type);
  }
  value["tags"] = ToJson(api.details.tags);
  value["disableExecuteApiEndpoint"] = false;
  value["rootResourceId"] = api.root_resource_id;
  return value;
}

Json::Value ToJson(const RestApi& api, const Resource& resource,
                   Methods methods) {
  Json::Value value(Json::objectValue);
  value["id"] = resource.id;
  AddText(value, "parentId", resource.parent_id);
  AddText(value, "pathPart", resource.path_part);
  value["path"] = PathOf(api, resource);
  for (const auto& [name, method] : resource.methods) {
    value["resourceMethods"][name] = methods == Methods::kDescribed
                                         ? ToJson(resource, method)
                                         : Json::Value(Json::objectValue);
  }
  return value;
}

Json::Value ToJson(const Resource& resource, const Method& method) {
  Json::Value value(Json::objectValue);
  value["httpMethod"] = method.http_method;
  value["authorizationType"] = "NONE";
  value["apiKeyRequired"] = method.api_key_required;
  value["methodIntegration"] = IntegrationJson(resource, method);
  if (method.service.has_value()) {
    for (const IntegrationResponse& response : method.service->responses) {
      const std::string status = absl::StrCat(response.status);
      value["methodResponses"][status]["statusCode"] = status;
    }
  }
  return value;
}

Json::Value IntegrationJson(const Resource& resource, const Method& method) {
  Json::Value value(Json::objectValue);
  value["type"] = method.service.has_value() ? "AWS" : "AWS_PROXY";
  AddText(value, "httpMethod", method.integration_http_method);
  value["uri"] = method.integration_uri;
  value["passthroughBehavior"] =
      PassthroughName(method.service.has_value() ? method.service->passthrough
                                                 : Passthrough::kWhenNoMatch);
  if (method.service.has_value()) AddService(*method.service, value);
  value["timeoutInMillis"] = kIntegrationTimeoutMs;
  value["cacheNamespace"] = resource.id;
  value["cacheKeyParameters"] = Json::arrayValue;
  return value;
}

Json::Value ToJson(const Stage& stage) {
  Json::Value value(Json::objectValue);
  value["deploymentId"] = stage.deployment_id;
  value["stageName"] = stage.name;
  AddText(value, "description", stage.description);
  value["cacheClusterEnabled"] = false;
  value["cacheClusterStatus"] = "NOT_AVAILABLE";
  value["methodSettings"] = Json::objectValue;
  if (stage.throttle.has_value()) {
    // For all methods of all paths.
    Json::Value& all = value["methodSettings"]["*/*"];
    all["throttlingRateLimit"] = stage.throttle->rate;
    all["throttlingBurstLimit"] = Json::Int64(stage.throttle->burst);
  }
  if (!stage.access_log_group_arn.empty()) {
    value["accessLogSettings"]["destinationArn"] = stage.access_log_group_arn;
    value["accessLogSettings"]["format"] = stage.access_log_format;
  }
  value["tracingEnabled"] = stage.tracing;
  value["tags"] = ToJson(stage.tags);
  return value;
}

Json::Value ToJson(const Deployment& deployment) {
  Json::Value value(Json::objectValue);
  value["id"] = deployment.id;
  return value;
}

Json::Value ToJson(const ApiKey& key, KeyValues values) {
  Json::Value value(Json::objectValue);
  value["id"] = key.id;
  if (values == KeyValues::kShown) value["value"] = key.value;
  AddText(value, "name", key.name);
  AddText(value, "description", key.description);
  value["enabled"] = key.enabled;
  value["stageKeys"] = Json::arrayValue;
  value["tags"] = ToJson(key.tags);
  return value;
}

Json::Value ToJson(const UsagePlan& plan) {
  Json::Value value(Json::objectValue);
  value["id"] = plan.id;
  AddText(value, "name", plan.name);
  AddText(value, "description", plan.description);
  value["apiStages"] = Json::arrayValue;
  for (const UsagePlan::ApiStage& stage : plan.stages) {
    Json::Value& entry = value["apiStages"].append(Json::objectValue);
    entry["apiId"] = stage.api_id;
    entry["stage"] = stage.stage;
  }
  if (plan.throttle.has_value()) {
    value["throttle"]["rateLimit"] = plan.throttle->rate;
    value["throttle"]["burstLimit"] = Json::Int64(plan.throttle->burst);
  }
  value["tags"] = ToJson(plan.tags);
  return value;
}

}  // namespace byoshin::local::apigateway
