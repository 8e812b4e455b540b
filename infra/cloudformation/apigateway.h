// Amazon API Gateway: REST APIs whose methods are Lambda functions.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_APIGATEWAY_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_APIGATEWAY_H_

#include <string>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::apigateway {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-restapi.html
struct RestApi {
  Value name{};
  std::string description{};

  static ResourceType Type();
  // Regional: no client would benefit from an edge location.
  Properties ToProperties() const;
};

// One segment of a path.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-resource.html
struct PathResource {
  Value rest_api{};
  Value parent{};
  std::string path_part{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// A method that passes the whole request to a Lambda function.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-method.html
struct LambdaMethod {
  Value rest_api{};
  Value path_resource{};
  std::string http_method{};
  Value function_arn{};
  Value api_key_required{};
  // Without one, anybody may call the method.
  Value cognito_authorizer{};
  Value request_validator{};
  // By content type: {"application/json", model}.
  Value::Members request_models{};
  // "method.request.path.id" and the like, with whether it is required.
  Value::Members request_parameters{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// The answer to a browser that asks whether a page may call a path (CORS). API
// Gateway gives it without a function.
struct PreflightMethod {
  Value rest_api{};
  Value path_resource{};
  // The headers of the answer and their values.
  Value::Members headers{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// Accepts ID tokens of a user pool.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-authorizer.html
struct CognitoAuthorizer {
  Value rest_api{};
  std::string name{};
  Value user_pool_arn{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-requestvalidator.html
struct RequestValidator {
  Value rest_api{};
  std::string name{};

  static ResourceType Type();
  // Checks parameters and bodies.
  Properties ToProperties() const;
};

// A JSON schema for bodies.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-model.html
struct Model {
  Value rest_api{};
  std::string name{};
  std::string description{};
  Value schema{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// The answer to a request that API Gateway refuses by itself.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-gatewayresponse.html
struct GatewayResponse {
  Value rest_api{};
  std::string response_type{};  // "DEFAULT_4XX"
  int status = 0;               // that of the type if 0
  Value::Members headers{};
  // JSON; that of API Gateway if empty.
  std::string body{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// A snapshot of an API's methods. It never changes: to deploy a changed API,
// its id must be a new one.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-deployment.html
struct Deployment {
  Value rest_api{};
  std::string description{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-stage.html
struct Stage {
  // Whether API Gateway writes an execution log of the errors that it meets,
  // without the data of requests, into the group
  // API-Gateway-Execution-Logs_API/STAGE.
  enum class ExecutionLog { kOff, kErrors };

  Value rest_api{};
  Value deployment{};
  Value name{};
  Value description{};
  Value access_log_group_arn{};
  // A line for each request, with $context variables.
  std::string access_log_format{};
  int rate_limit = 0;  // requests a second
  int burst_limit = 0;
  // Whether requests are traced.
  Value tracing{};
  ExecutionLog execution_log = ExecutionLog::kOff;

  static ResourceType Type();
  Properties ToProperties() const;
};

// The role that API Gateway uses to write logs: one per account and region.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-account.html
struct Account {
  Value log_role{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-apikey.html
struct ApiKey {
  std::string description{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// The stages that a key gives access to, and its limits.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-usageplan.html
struct UsagePlan {
  std::string description{};
  Value rest_api{};
  Value stage{};
  int rate_limit = 0;  // requests a second
  int burst_limit = 0;

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-usageplankey.html
struct UsagePlanKey {
  Value usage_plan{};
  Value key{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::apigateway

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_APIGATEWAY_H_
