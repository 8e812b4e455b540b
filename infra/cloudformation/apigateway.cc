#include "infra/cloudformation/apigateway.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::apigateway {
namespace {

// The URI of a function in API Gateway. The date is the version of Lambda's
// API.
Value InvocationUri(const Value& function_arn) {
  return Sub(
      "arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/"
      "functions/${FunctionArn}/invocations",
      {{"FunctionArn", function_arn}});
}

// A literal in a mapping: in single quotes.
Value Literal(const Value& text) {
  if (const auto* plain = text.IfIs<std::string>(); plain != nullptr) {
    return absl::StrCat("'", *plain, "'");
  }
  return Sub("'${Text}'", {{"Text", text}});
}

// {"PREFIX.NAME": "'VALUE'"} for each header.
Value HeaderMapping(absl::string_view prefix, const Value::Members& headers) {
  Value::Members mapping;
  for (const auto& [name, value] : headers) {
    mapping.emplace_back(absl::StrCat(prefix, ".", name), Literal(value));
  }
  return Object(std::move(mapping));
}

}  // namespace

ResourceType RestApi::Type() {
  return {.name = "AWS::ApiGateway::RestApi",
          .attributes = {"RestApiId", "RootResourceId"},
          .tags = ResourceType::Tags::kList};
}

Properties RestApi::ToProperties() const {
  Properties properties;
  properties.Set("Name", name);
  properties.Set("Description", description);
  properties.Set("EndpointConfiguration",
                 Object({{"Types", List({"REGIONAL"})}}));
  return properties;
}

ResourceType PathResource::Type() {
  return {.name = "AWS::ApiGateway::Resource", .attributes = {"ResourceId"}};
}

Properties PathResource::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Require("ParentId", parent);
  properties.Set("PathPart", path_part);
  return properties;
}

ResourceType LambdaMethod::Type() {
  return {.name = "AWS::ApiGateway::Method"};
}

Properties LambdaMethod::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Require("ResourceId", path_resource);
  properties.Set("HttpMethod", http_method);
  properties.Set("AuthorizationType",
                 cognito_authorizer.absent() ? "NONE" : "COGNITO_USER_POOLS");
  properties.Set("AuthorizerId", cognito_authorizer);
  properties.Set("ApiKeyRequired", api_key_required);
  properties.Set("RequestValidatorId", request_validator);
  if (!request_models.empty()) {
    properties.Set("RequestModels", Object(request_models));
  }
  if (!request_parameters.empty()) {
    properties.Set("RequestParameters", Object(request_parameters));
  }
  // Lambda accepts only POST, whatever the client's method.
  properties.Set("Integration", Object({{"Type", "AWS_PROXY"},
                                        {"IntegrationHttpMethod", "POST"},
                                        {"Uri", InvocationUri(function_arn)}}));
  return properties;
}

ResourceType PreflightMethod::Type() {
  return {.name = "AWS::ApiGateway::Method"};
}

Properties PreflightMethod::ToProperties() const {
  constexpr char kStatus[] = "204";
  constexpr char kPrefix[] = "method.response.header";
  Value::Members declared;
  for (const auto& [name, value] : headers) {
    declared.emplace_back(absl::StrCat(kPrefix, ".", name), true);
  }
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Require("ResourceId", path_resource);
  properties.Set("HttpMethod", "OPTIONS");
  properties.Set("AuthorizationType", "NONE");
  properties.Set(
      "Integration",
      Object({{"Type", "MOCK"},
              {"PassthroughBehavior", "NEVER"},
              {"RequestTemplates",
               Object({{"application/json", R"({"statusCode": 204})"}})},
              {"IntegrationResponses",
               List({Object({{"StatusCode", kStatus},
                             {"ResponseParameters",
                              HeaderMapping(kPrefix, headers)}})})}}));
  properties.Set(
      "MethodResponses",
      List({Object({{"StatusCode", kStatus},
                    {"ResponseParameters", Object(std::move(declared))}})}));
  return properties;
}

ResourceType CognitoAuthorizer::Type() {
  return {.name = "AWS::ApiGateway::Authorizer",
          .attributes = {"AuthorizerId"}};
}

Properties CognitoAuthorizer::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Set("Name", name);
  properties.Set("Type", "COGNITO_USER_POOLS");
  properties.Set("IdentitySource", "method.request.header.Authorization");
  properties.Require("ProviderARNs", List({user_pool_arn}));
  return properties;
}

ResourceType RequestValidator::Type() {
  return {.name = "AWS::ApiGateway::RequestValidator",
          .attributes = {"RequestValidatorId"}};
}

Properties RequestValidator::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Set("Name", name);
  properties.Set("ValidateRequestBody", true);
  properties.Set("ValidateRequestParameters", true);
  return properties;
}

ResourceType Model::Type() { return {.name = "AWS::ApiGateway::Model"}; }

Properties Model::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Set("Name", name);
  properties.Set("Description", description);
  properties.Set("ContentType", "application/json");
  properties.Require("Schema", schema);
  return properties;
}

ResourceType GatewayResponse::Type() {
  return {.name = "AWS::ApiGateway::GatewayResponse", .attributes = {"Id"}};
}

Properties GatewayResponse::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Set("ResponseType", response_type);
  properties.Set("StatusCode",
                 status == 0 ? Value() : Value(absl::StrCat(status)));
  properties.Set("ResponseParameters",
                 HeaderMapping("gatewayresponse.header", headers));
  if (!body.empty()) {
    properties.Set("ResponseTemplates", Object({{"application/json", body}}));
  }
  return properties;
}

ResourceType Deployment::Type() {
  return {.name = "AWS::ApiGateway::Deployment",
          .attributes = {"DeploymentId"}};
}

Properties Deployment::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Set("Description", description);
  return properties;
}

ResourceType Stage::Type() {
  return {.name = "AWS::ApiGateway::Stage", .tags = ResourceType::Tags::kList};
}

Properties Stage::ToProperties() const {
  Properties properties;
  properties.Require("RestApiId", rest_api);
  properties.Require("DeploymentId", deployment);
  properties.Require("StageName", name);
  properties.Set("Description", description);
  properties.Set("TracingEnabled", tracing);
  properties.Set("AccessLogSetting",
                 Object({{"DestinationArn", access_log_group_arn},
                         {"Format", access_log_format}}));
  // No data of requests in execution logs; no metrics by method, which are
  // billed separately.
  properties.Set(
      "MethodSettings",
      List({Object({{"ResourcePath", "/*"},
                    {"HttpMethod", "*"},
                    {"ThrottlingRateLimit", rate_limit},
                    {"ThrottlingBurstLimit", burst_limit},
                    {"LoggingLevel",
                     execution_log == ExecutionLog::kErrors ? "ERROR" : "OFF"},
                    {"DataTraceEnabled", false},
                    {"MetricsEnabled", false}})}));
  return properties;
}

ResourceType Account::Type() {
  return {.name = "AWS::ApiGateway::Account", .attributes = {"Id"}};
}

Properties Account::ToProperties() const {
  Properties properties;
  properties.Require("CloudWatchRoleArn", log_role);
  return properties;
}

ResourceType ApiKey::Type() {
  return {.name = "AWS::ApiGateway::ApiKey",
          .attributes = {"APIKeyId"},
          .tags = ResourceType::Tags::kList};
}

Properties ApiKey::ToProperties() const {
  Properties properties;
  properties.Set("Description", description);
  properties.Set("Enabled", true);
  return properties;
}

ResourceType UsagePlan::Type() {
  return {.name = "AWS::ApiGateway::UsagePlan",
          .attributes = {"Id"},
          .tags = ResourceType::Tags::kList};
}

Properties UsagePlan::ToProperties() const {
  Properties properties;
  properties.Set("Description", description);
  properties.Set("ApiStages",
                 List({Object({{"ApiId", rest_api}, {"Stage", stage}})}));
  properties.Set("Throttle", Object({{"RateLimit", rate_limit},
                                     {"BurstLimit", burst_limit}}));
  return properties;
}

ResourceType UsagePlanKey::Type() {
  return {.name = "AWS::ApiGateway::UsagePlanKey", .attributes = {"Id"}};
}

Properties UsagePlanKey::ToProperties() const {
  Properties properties;
  properties.Require("UsagePlanId", usage_plan);
  properties.Require("KeyId", key);
  properties.Set("KeyType", "API_KEY");
  return properties;
}

}  // namespace byoshin::infra::cloudformation::apigateway
