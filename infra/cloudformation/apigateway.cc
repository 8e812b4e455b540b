#include "infra/cloudformation/apigateway.h"

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
  properties.Set("AuthorizationType", "NONE");
  properties.Set("ApiKeyRequired", api_key_required);
  // Lambda accepts only POST, whatever the client's method.
  properties.Set("Integration", Object({{"Type", "AWS_PROXY"},
                                        {"IntegrationHttpMethod", "POST"},
                                        {"Uri", InvocationUri(function_arn)}}));
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
  properties.Set("StageName", name);
  properties.Set("Description", description);
  properties.Set("TracingEnabled", tracing);
  properties.Set("AccessLogSetting",
                 Object({{"DestinationArn", access_log_group_arn},
                         {"Format", access_log_format}}));
  // No execution logs, which would contain full requests, in a log group that
  // API Gateway creates without retention; no metrics by method, which are
  // billed separately.
  properties.Set("MethodSettings",
                 List({Object({{"ResourcePath", "/*"},
                               {"HttpMethod", "*"},
                               {"ThrottlingRateLimit", rate_limit},
                               {"ThrottlingBurstLimit", burst_limit},
                               {"LoggingLevel", "OFF"},
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
