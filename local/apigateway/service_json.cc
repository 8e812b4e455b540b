#include "local/apigateway/service_json.h"

#include <json/json.h>

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {
namespace {

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

// Adds what an integration that maps requests has in addition.
void AddMapping(const Mapping& mapping, Json::Value& value) {
  value["passthroughBehavior"] = PassthroughName(mapping.passthrough);
  if (!mapping.templates.empty()) {
    value["requestTemplates"] = ToJson(mapping.templates);
  }
  for (const IntegrationResponse& response : mapping.responses) {
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

// Null if a function answers.
const Mapping* MappingOf(const Method& method) {
  if (method.mock.has_value()) return &*method.mock;
  return method.service.has_value() ? &method.service->mapping : nullptr;
}

const char* AuthorizationName(MethodAuthorization::Type type) {
  switch (type) {
    case MethodAuthorization::Type::kNone:
      return "NONE";
    case MethodAuthorization::Type::kIam:
      return "AWS_IAM";
    case MethodAuthorization::Type::kCustom:
      return "CUSTOM";
    case MethodAuthorization::Type::kCognito:
      break;
  }
  return "COGNITO_USER_POOLS";
}

const char* IntegrationTypeName(const Method& method) {
  if (method.mock.has_value()) return "MOCK";
  return method.service.has_value() ? "AWS" : "AWS_PROXY";
}

// "~1orders~1{id}/GET".
std::string SettingsKey(const MethodKey& key) {
  return absl::StrCat(absl::StrReplaceAll(key.first, {{"/", "~1"}}), "/",
                      key.second);
}

Json::Value ToJson(const MethodSettings& settings) {
  Json::Value value(Json::objectValue);
  if (settings.throttle.has_value()) {
    value["throttlingRateLimit"] = settings.throttle->rate;
    value["throttlingBurstLimit"] = Json::Int64(settings.throttle->burst);
  }
  AddText(value, "loggingLevel", settings.logging_level);
  value["metricsEnabled"] = settings.metrics;
  value["dataTraceEnabled"] = settings.data_trace;
  return value;
}

}  // namespace

Json::Value ToJson(const RestApi& api) {
  Json::Value value(Json::objectValue);
  value["id"] = api.id;
  value["name"] = api.name;
  AddText(value, "description", api.details.description);
  value["apiKeySource"] = api.details.key_source == KeySource::kAuthorizer
                              ? "AUTHORIZER"
                              : "HEADER";
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
  value["authorizationType"] = AuthorizationName(method.authorization.type);
  AddText(value, "authorizerId", method.authorization.authorizer_id);
  for (const std::string& scope : method.authorization.scopes) {
    value["authorizationScopes"].append(scope);
  }
  value["apiKeyRequired"] = method.api_key_required;
  AddText(value, "operationName", method.operation_name);
  AddText(value, "requestValidatorId", method.validator_id);
  for (const auto& [name, required] : method.request_parameters) {
    value["requestParameters"][name] = required;
  }
  for (const auto& [type, model] : method.rules.models) {
    value["requestModels"][type] = model;
  }
  value["methodIntegration"] = IntegrationJson(resource, method);
  if (const Mapping* mapping = MappingOf(method); mapping != nullptr) {
    for (const IntegrationResponse& response : mapping->responses) {
      const std::string status = absl::StrCat(response.status);
      value["methodResponses"][status]["statusCode"] = status;
    }
  }
  return value;
}

Json::Value IntegrationJson(const Resource& resource, const Method& method) {
  Json::Value value(Json::objectValue);
  value["type"] = IntegrationTypeName(method);
  AddText(value, "httpMethod", method.integration_http_method);
  AddText(value, "uri", method.integration_uri);
  value["passthroughBehavior"] = PassthroughName(Passthrough::kWhenNoMatch);
  AddText(value, "credentials",
          method.service.has_value() ? method.service->role_arn
                                     : method.function_role_arn);
  if (const Mapping* mapping = MappingOf(method); mapping != nullptr) {
    AddMapping(*mapping, value);
  }
  value["timeoutInMillis"] =
      Json::Int64{absl::ToInt64Milliseconds(method.timeout)};
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
  for (const auto& [key, settings] : stage.settings) {
    value["methodSettings"][SettingsKey(key)] = ToJson(settings);
  }
  for (const auto& [name, text] : stage.variables) {
    value["variables"][name] = text;
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

Json::Value ToJson(const Authorizer& authorizer) {
  Json::Value value(Json::objectValue);
  value["id"] = authorizer.id;
  value["name"] = authorizer.name;
  value["type"] = std::string(NameOf(authorizer.type));
  AddText(value, "authType", authorizer.auth_type);
  AddText(value, "authorizerUri", authorizer.uri);
  AddText(value, "authorizerCredentials", authorizer.role_arn);
  for (const std::string& arn : authorizer.provider_arns) {
    value["providerARNs"].append(arn);
  }
  AddText(value, "identitySource",
          absl::StrJoin(authorizer.identity_sources, ",",
                        [](std::string* out, const ParameterSource& source) {
                          out->append(ToText(source));
                        }));
  AddText(value, "identityValidationExpression",
          authorizer.validation_expression);
  value["authorizerResultTtlInSeconds"] =
      Json::Int64{absl::ToInt64Seconds(authorizer.ttl)};
  return value;
}

Json::Value ToJson(const RequestValidator& validator) {
  Json::Value value(Json::objectValue);
  value["id"] = validator.id;
  AddText(value, "name", validator.name);
  value["validateRequestBody"] = validator.validate_body;
  value["validateRequestParameters"] = validator.validate_parameters;
  return value;
}

Json::Value ToJson(const Model& model) {
  Json::Value value(Json::objectValue);
  value["id"] = model.id;
  value["name"] = model.name;
  value["contentType"] = model.content_type;
  AddText(value, "description", model.description);
  AddText(value, "schema", model.schema);
  return value;
}

Json::Value ToJson(ResponseType type, const GatewayResponses& responses) {
  Json::Value value(Json::objectValue);
  const auto declared = responses.find(type);
  const bool is_default = declared == responses.end();
  value["responseType"] = std::string(NameOf(type));
  value["defaultResponse"] = is_default;
  int status = DefaultStatusOf(type);
  if (!is_default) status = declared->second.status.value_or(status);
  if (status != 0) value["statusCode"] = absl::StrCat(status);
  value["responseParameters"] = Json::objectValue;
  value["responseTemplates"] = Json::objectValue;
  if (!is_default) {
    for (const auto& [name, source] : declared->second.headers) {
      value["responseParameters"]["gatewayresponse.header." + name] =
          ToText(source);
    }
    value["responseTemplates"] = ToJson(declared->second.templates);
  }
  if (value["responseTemplates"].empty()) {
    value["responseTemplates"]["application/json"] =
        "{\"message\":$context.error.messageString}";
  }
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
