#include "local/apigateway/method_properties.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
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
  EXPECT_EQ(service.passthrough, Passthrough::kNever);
  EXPECT_EQ(service.templates.at("application/json").source(),
            "$input.json('$')");
  ASSERT_EQ(service.responses.size(), 2u);
  EXPECT_EQ(service.responses[0].status, 200);
  EXPECT_EQ(service.responses[0].headers.at("X-A"), "*");
  EXPECT_EQ(service.responses[1].status, 400);
  EXPECT_EQ(service.responses[1].selection_pattern, "4\\d{2}");
  EXPECT_EQ(service.responses[1].templates.size(), 1u);
}

TEST(MethodProperties, AllowAnEmptyResponseTemplate) {
  Json::Value properties = StartsExecutions();
  properties["Integration"]["IntegrationResponses"][0]["ResponseTemplates"]
            ["application/json"] = "";
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_TRUE(method->service->responses[0].templates.empty());
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

TEST(MethodProperties, RejectMappingsOfAProxyIntegration) {
  Json::Value properties = StartsExecutions();
  properties["Integration"] = Json::objectValue;
  properties["Integration"]["Type"] = "AWS_PROXY";
  properties["Integration"]["Uri"] =
      "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/f/"
      "invocations";
  EXPECT_TRUE(absl::IsUnimplemented(ReadMethod(properties).status()));
  properties.removeMember("MethodResponses");
  const absl::StatusOr<Method> method = ReadMethod(properties);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_EQ(method->function_arn, "f");
  EXPECT_FALSE(method->service.has_value());
  properties["Integration"]["Credentials"] = "arn:aws:iam::1:role/r";
  EXPECT_TRUE(absl::IsUnimplemented(ReadMethod(properties).status()));
}

}  // namespace
}  // namespace byoshin::local::apigateway
