#include "local/apigateway/method_properties.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/service_integration.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::apigateway {
namespace {

Json::Value StartsExecutions() {
  return *json::ParseValue(R"json({
    "RestApiId": "api0", "ResourceId": "res0", "HttpMethod": "POST",
    "AuthorizationType": "NONE",
    "Integration": {
      "Type": "AWS", "IntegrationHttpMethod": "POST",
      "Uri": "arn:aws:apigateway:eu-west-1:states:action/StartExecution",
      "Credentials": "arn:aws:iam::000000000000:role/api",
      "PassthroughBehavior": "NEVER",
      "RequestTemplates": {"application/json": "$input.json('$')"},
      "IntegrationResponses": [
        {"StatusCode": 200,
         "ResponseParameters": {"method.response.header.X-A": "'*'"}},
        {"StatusCode": "400", "SelectionPattern": "4\\d{2}",
         "ResponseTemplates": {"application/json": "{\"error\": \"bad\"}"}}]},
    "MethodResponses": [
      {"StatusCode": "200",
       "ResponseModels": {"application/json": "Empty"},
       "ResponseParameters": {"method.response.header.X-A": true}},
      {"StatusCode": 400}]})json");
}

// The error of the method with one of its integration's properties changed.
absl::Status WithIntegration(const char* name, const Json::Value& value) {
  Json::Value properties = StartsExecutions();
  properties["Integration"][name] = value;
  return ReadMethod(properties).status();
}

TEST(MethodProperties, DescribeACallOfStepFunctions) {
  const Json::Value properties = StartsExecutions();
  EXPECT_TRUE(
      cloudformation::SchemaTree(MethodSchema()).Check(properties).empty());
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  ASSERT_TRUE(method->service.has_value());
  const ServiceIntegration& service = *method->service;
  EXPECT_EQ(service.service, "states");
  EXPECT_EQ(service.action, "StartExecution");
  EXPECT_EQ(service.region, "eu-west-1");
  EXPECT_EQ(service.role_arn, "arn:aws:iam::000000000000:role/api");
  EXPECT_EQ(service.mapping.passthrough, Passthrough::kNever);
  EXPECT_EQ(service.mapping.templates.at("application/json").source(),
            "$input.json('$')");
  ASSERT_EQ(service.mapping.responses.size(), 2u);
  EXPECT_EQ(service.mapping.responses[0].status, 200);
  EXPECT_EQ(service.mapping.responses[0].headers.at("X-A"), "*");
  EXPECT_EQ(service.mapping.responses[1].status, 400);
  EXPECT_EQ(service.mapping.responses[1].selection_pattern, "4\\d{2}");
  EXPECT_EQ(service.mapping.responses[1].templates.size(), 1u);
}

TEST(MethodProperties, AllowAnEmptyResponseTemplate) {
  Json::Value properties = StartsExecutions();
  properties["Integration"]["IntegrationResponses"][0]["ResponseTemplates"]
            ["application/json"] = "";
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_TRUE(method->service->mapping.responses[0].templates.empty());
}

TEST(MethodProperties, RejectMappingTemplatesInOtherForms) {
  Json::Value templates;
  templates["application/json"] = "#set($x = $input.path('$'))";
  const absl::Status refused = WithIntegration("RequestTemplates", templates);
  EXPECT_TRUE(absl::IsUnimplemented(refused)) << refused;
  EXPECT_TRUE(absl::StartsWith(
      refused.message(),
      "Integration.RequestTemplates.application/json: the mapping template "
      "has \"#set($x"))
      << refused;
  Json::Value response;
  response["StatusCode"] = 200;
  response["ResponseTemplates"] = templates;
  Json::Value responses;
  responses.append(response);
  EXPECT_TRUE(absl::IsUnimplemented(
      WithIntegration("IntegrationResponses", responses)));
  responses[0]["ResponseTemplates"] = Json::objectValue;
  responses[0]["ResponseTemplates"]["text/xml"] = "<a/>";
  EXPECT_TRUE(absl::IsUnimplemented(
      WithIntegration("IntegrationResponses", responses)));
}

TEST(MethodProperties, RejectWhatCannotBeCalled) {
  for (const char* uri :
       {"arn:aws:apigateway:eu-west-1:states:action/Explode",
        "arn:aws:apigateway:eu-west-1:sqs:path/000000000000/q",
        "http://example.com", ""}) {
    EXPECT_TRUE(absl::IsUnimplemented(WithIntegration("Uri", uri))) << uri;
  }
  for (const char* role : {"", "arn:aws:iam::*:user/*"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(WithIntegration("Credentials", role)));
  }
  EXPECT_TRUE(
      absl::IsInvalidArgument(WithIntegration("IntegrationHttpMethod", "GET")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      WithIntegration("PassthroughBehavior", "SOMETIMES")));
  EXPECT_TRUE(absl::IsUnimplemented(WithIntegration("Type", "HTTP")));
}

TEST(MethodProperties, RejectResponsesThatNeverComeOrAreUndeclared) {
  const auto refused = [](absl::string_view responses) {
    return absl::IsInvalidArgument(
        WithIntegration("IntegrationResponses", *json::ParseValue(responses)));
  };
  EXPECT_FALSE(refused(R"([{"StatusCode":200}])"));
  EXPECT_TRUE(refused(R"([{"StatusCode":201}])"));
  EXPECT_TRUE(refused(R"([{"StatusCode":"many"}])"));
  EXPECT_TRUE(refused(R"([{}])"));
  EXPECT_TRUE(refused(R"([{"StatusCode":200},{"StatusCode":400}])"));
  EXPECT_TRUE(refused(R"([{"StatusCode":200,"SelectionPattern":"(?=a)b"}])"));
}

TEST(MethodProperties, RejectHeadersFromTheServicesAnswer) {
  Json::Value responses = *json::ParseValue(R"([{"StatusCode": 200,
      "ResponseParameters":
        {"method.response.header.X": "integration.response.header.Y"}}])");
  EXPECT_TRUE(absl::IsUnimplemented(
      WithIntegration("IntegrationResponses", responses)));
}

Json::Value CallsAFunction() {
  return *json::ParseValue(R"json({
    "RestApiId": "api0", "ResourceId": "res0", "HttpMethod": "POST",
    "AuthorizationType": "NONE",
    "Integration": {
      "Type": "AWS_PROXY", "IntegrationHttpMethod": "POST",
      "Uri": "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/f/invocations"}})json");
}

TEST(MethodProperties, IgnoreMappingsOfAProxyIntegrationAsAwsDoes) {
  Json::Value properties = CallsAFunction();
  properties["Integration"]["IntegrationResponses"][0]["StatusCode"] = "200";
  properties["Integration"]["PassthroughBehavior"] = "WHEN_NO_MATCH";
  properties["MethodResponses"][0]["StatusCode"] = "200";
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_EQ(method->function_arn, "f");
  EXPECT_FALSE(method->service.has_value());
  EXPECT_EQ(method->timeout, absl::Seconds(29));
}

TEST(MethodProperties, CallAFunctionAsARole) {
  Json::Value properties = CallsAFunction();
  properties["Integration"]["Credentials"] = "arn:aws:iam::1:role/r";
  EXPECT_EQ(ReadMethod(properties)->function_role_arn, "arn:aws:iam::1:role/r");
  properties["Integration"]["Credentials"] = "arn:aws:iam::*:user/*";
  EXPECT_TRUE(absl::IsUnimplemented(ReadMethod(properties).status()));
}

TEST(MethodProperties, LimitTheTimeoutAsAwsDoes) {
  Json::Value properties = CallsAFunction();
  for (const int millis : {50, 29'000}) {
    properties["Integration"]["TimeoutInMillis"] = millis;
    EXPECT_EQ(ReadMethod(properties)->timeout, absl::Milliseconds(millis));
  }
  for (const int millis : {49, 29'001}) {
    properties["Integration"]["TimeoutInMillis"] = millis;
    EXPECT_TRUE(absl::IsInvalidArgument(ReadMethod(properties).status()));
  }
}

TEST(MethodProperties, NameAnAuthorizer) {
  Json::Value properties = CallsAFunction();
  properties["AuthorizationType"] = "COGNITO_USER_POOLS";
  EXPECT_TRUE(absl::IsInvalidArgument(ReadMethod(properties).status()));
  properties["AuthorizerId"] = "a1";
  properties["AuthorizationScopes"][0] = "orders/read";
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_EQ(method->authorization.type, MethodAuthorization::Type::kCognito);
  EXPECT_EQ(method->authorization.authorizer_id, "a1");
  EXPECT_EQ(method->authorization.scopes,
            std::vector<std::string>{"orders/read"});
  properties["AuthorizationType"] = "CUSTOM";
  EXPECT_TRUE(absl::IsInvalidArgument(ReadMethod(properties).status()));
  properties["AuthorizationType"] = "MAGIC";
  EXPECT_TRUE(absl::IsInvalidArgument(ReadMethod(properties).status()));
  properties["AuthorizationType"] = "AWS_IAM";
  EXPECT_EQ(ReadMethod(properties)->authorization.type,
            MethodAuthorization::Type::kIam);
}

TEST(MethodProperties, SayWhatARequestMustHave) {
  Json::Value properties = CallsAFunction();
  properties["RequestValidatorId"] = "v1";
  properties["RequestModels"]["application/JSON"] = "Order";
  Json::Value& parameters = properties["RequestParameters"];
  parameters["method.request.header.X-A"] = "true";
  parameters["method.request.querystring.q"] = false;
  EXPECT_TRUE(
      cloudformation::SchemaTree(MethodSchema()).Check(properties).empty());
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_EQ(method->validator_id, "v1");
  EXPECT_EQ(method->rules.models.at("application/json"), "Order");
  ASSERT_EQ(method->rules.required_parameters.size(), 1u);
  EXPECT_EQ(method->rules.required_parameters[0].name, "X-A");
  for (const char* name : {"context.requestId", "method.request.body.a", "x"}) {
    parameters = Json::objectValue;
    parameters[name] = true;
    EXPECT_TRUE(absl::IsInvalidArgument(ReadMethod(properties).status()))
        << name;
  }
}

// As the tools write it that make APIs open to other origins.
TEST(MethodProperties, DescribeAPreflightAnswer) {
  const Json::Value properties = *json::ParseValue(R"json({
    "RestApiId": "api0", "ResourceId": "res0", "HttpMethod": "OPTIONS",
    "AuthorizationType": "NONE",
    "Integration": {
      "Type": "MOCK",
      "RequestTemplates": {"application/json": "{ statusCode: 204 }"},
      "IntegrationResponses": [{"StatusCode": "204", "ResponseParameters": {
        "method.response.header.Access-Control-Allow-Origin": "'*'",
        "method.response.header.Access-Control-Allow-Headers":
          "'Content-Type,Authorization'"}}]},
    "MethodResponses": [{"StatusCode": "204", "ResponseParameters": {
        "method.response.header.Access-Control-Allow-Origin": true,
        "method.response.header.Access-Control-Allow-Headers": true}}]})json");
  EXPECT_TRUE(
      cloudformation::SchemaTree(MethodSchema()).Check(properties).empty());
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  ASSERT_TRUE(method->mock.has_value());
  EXPECT_EQ(method->mock->responses[0].headers.size(), 2u);
}

}  // namespace
}  // namespace byoshin::local::apigateway
