// Authorizers, validators, models and gateway responses of templates.

#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/authorizer.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/providers.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceState;

constexpr char kAuthorizerUri[] =
    "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/"
    "arn:aws:lambda:us-east-1:000000000000:function:f/invocations";

class PartProvidersTest : public testing::Test {
 protected:
  PartProvidersTest() { registry_.PutApi("api0", "n"); }

  ResourceProvider& Of(absl::string_view type) {
    for (const auto& provider : providers_) {
      if (provider->type() == absl::StrCat("AWS::ApiGateway::", type)) {
        return *provider;
      }
    }
    ADD_FAILURE() << type;
    return *providers_.front();
  }

  absl::StatusOr<ResourceState> CreateFrom(absl::string_view type,
                                           Json::Value properties) {
    properties["RestApiId"] = "api0";
    ResourceProvider& provider = Of(type);
    for (const auto& mistake :
         cloudformation::SchemaTree(provider.schema()).Check(properties)) {
      ADD_FAILURE() << mistake.path << " " << mistake.what;
    }
    return provider.Create({.stack = stack_,
                            .logical_id = "Id",
                            .physical_id = "",
                            .name_suffix = "ID0",
                            .properties = properties});
  }
  absl::StatusOr<ResourceState> Create(absl::string_view type,
                                       absl::string_view properties) {
    return CreateFrom(type, *json::ParseValue(properties));
  }
  void Delete(absl::string_view type, absl::string_view id,
              absl::string_view properties) {
    Json::Value value = *json::ParseValue(properties);
    value["RestApiId"] = "api0";
    EXPECT_TRUE(Of(type)
                    .Delete({.stack = stack_,
                             .logical_id = "Id",
                             .physical_id = std::string(id),
                             .name_suffix = "ID0",
                             .properties = value})
                    .ok());
  }
  // The error of an authorizer with one of its properties changed.
  absl::Status WithProperty(const char* name, const Json::Value& value,
                            absl::string_view type = "TOKEN") {
    Json::Value properties = LambdaAuthorizer(type);
    properties[name] = value;
    return CreateFrom("Authorizer", properties).status();
  }
  static Json::Value LambdaAuthorizer(absl::string_view type) {
    Json::Value properties;
    properties["Name"] = "n";
    properties["Type"] = std::string(type);
    properties["AuthorizerUri"] = kAuthorizerUri;
    properties["IdentitySource"] = "method.request.header.Authorization";
    return properties;
  }
  ApiParts Parts() { return registry_.Apis()[0].parts; }

  const cloudformation::StackContext stack_{.stack_name = "s"};
  Registry registry_;
  std::vector<std::unique_ptr<ResourceProvider>> providers_ =
      NewProviders(registry_);
};

TEST_F(PartProvidersTest, MakeLambdaAuthorizers) {
  Json::Value properties = LambdaAuthorizer("REQUEST");
  properties["IdentitySource"] =
      "method.request.header.A, method.request.querystring.q";
  properties["AuthorizerResultTtlInSeconds"] = "60";
  properties["AuthorizerCredentials"] = "arn:aws:iam::1:role/r";
  const absl::StatusOr<ResourceState> state =
      CreateFrom("Authorizer", properties);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->physical_id, "id0");
  EXPECT_EQ(state->attributes.at("AuthorizerId"), "id0");
  const Authorizer authorizer = Parts().authorizers.at("id0");
  EXPECT_EQ(authorizer.type, Authorizer::Type::kRequest);
  EXPECT_EQ(authorizer.function_arn,
            "arn:aws:lambda:us-east-1:000000000000:function:f");
  EXPECT_EQ(authorizer.role_arn, "arn:aws:iam::1:role/r");
  EXPECT_EQ(authorizer.identity_sources.size(), 2u);
  EXPECT_EQ(authorizer.ttl, absl::Seconds(60));
  Delete("Authorizer", "id0", "{}");
  EXPECT_TRUE(Parts().authorizers.empty());
}

TEST_F(PartProvidersTest, MakeAuthorizersOfUserPools) {
  ASSERT_TRUE(Create("Authorizer",
                     R"({"Name":"n","Type":"COGNITO_USER_POOLS",
                 "IdentitySource":"method.request.header.Authorization",
                 "ProviderARNs":["arn:aws:cognito-idp:r:1:userpool/r_a"]})")
                  .ok());
  const Authorizer authorizer = Parts().authorizers.at("id0");
  EXPECT_EQ(authorizer.type, Authorizer::Type::kCognito);
  EXPECT_EQ(authorizer.provider_arns.size(), 1u);
  EXPECT_EQ(authorizer.ttl, absl::Seconds(300));
  for (const char* arns : {"[]", R"(["arn:aws:sqs:r:1:q"])"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        Create("Authorizer",
               absl::StrCat(
                   R"({"Name":"n","Type":"COGNITO_USER_POOLS","ProviderARNs":)",
                   arns, R"(,"IdentitySource":"method.request.header.A"})"))
            .status()))
        << arns;
  }
}

TEST_F(PartProvidersTest, RefuseAuthorizersThatCouldNotWork) {
  EXPECT_TRUE(WithProperty("Name", "other").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(WithProperty("Type", "MAGIC")));
  EXPECT_TRUE(
      absl::IsInvalidArgument(WithProperty("AuthorizerUri", "http://a")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      WithProperty("AuthorizerCredentials", "arn:user")));
  EXPECT_TRUE(absl::IsInvalidArgument(
      WithProperty("AuthorizerResultTtlInSeconds", 3601)));
  EXPECT_TRUE(absl::IsInvalidArgument(
      WithProperty("AuthorizerResultTtlInSeconds", -1)));
  EXPECT_TRUE(absl::IsInvalidArgument(
      WithProperty("IdentityValidationExpression", "(")));
  for (const char* source :
       {"", "method.request.header.A,method.request.header.B",
        "method.request.querystring.q"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(WithProperty("IdentitySource", source)))
        << source;
  }
  EXPECT_TRUE(absl::IsUnimplemented(WithProperty("IdentitySource", "$x")));
  EXPECT_TRUE(
      absl::IsInvalidArgument(WithProperty("IdentitySource", "", "REQUEST")));
  Json::Value uncached = LambdaAuthorizer("REQUEST");
  uncached.removeMember("IdentitySource");
  uncached["AuthorizerResultTtlInSeconds"] = 0;
  EXPECT_TRUE(CreateFrom("Authorizer", uncached).ok());
}

TEST_F(PartProvidersTest, MakeRequestValidators) {
  ASSERT_TRUE(
      Create("RequestValidator", R"({"Name":"n","ValidateRequestBody":"true"})")
          .ok());
  EXPECT_TRUE(Parts().validators.at("id0").validate_body);
  EXPECT_FALSE(Parts().validators.at("id0").validate_parameters);
  Delete("RequestValidator", "id0", "{}");
  EXPECT_TRUE(Parts().validators.empty());
}

TEST_F(PartProvidersTest, MakeModels) {
  EXPECT_EQ(Create("Model", R"({"Name":"Order","ContentType":"application/json",
                                "Schema":{"type":"object"}})")
                ->physical_id,
            "Order");
  EXPECT_EQ(Parts().models.at("Order").schema, R"({"type":"object"})");
  EXPECT_EQ(
      Create("Model", R"({"Schema":"{\"type\": \"object\"}"})")->physical_id,
      "ID0");
  EXPECT_EQ(Parts().models.at("ID0").schema, R"({"type": "object"})");
  for (const char* schema : {R"({"pattern":"("})", R"("{")", R"("[]")", "[]"}) {
    const absl::Status refused =
        Create("Model", absl::StrCat(R"({"Schema":)", schema, "}")).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  }
  Delete("Model", "Order", "{}");
  EXPECT_EQ(Parts().models.size(), 1u);
}

TEST_F(PartProvidersTest, MakeGatewayResponses) {
  ASSERT_TRUE(Create("GatewayResponse",
                     R"json({"ResponseType":"DEFAULT_4XX","StatusCode":"418",
                 "ResponseParameters":{
                   "gatewayresponse.header.Access-Control-Allow-Origin":"'*'",
                   "gatewayresponse.header.X":"method.request.header.Y"},
                 "ResponseTemplates":{"application/json":
                   "{\"m\":$context.error.messageString}"}})json")
                  .ok());
  const GatewayResponse response =
      Parts().responses.at(ResponseType::kDefault4xx);
  EXPECT_EQ(response.status, 418);
  EXPECT_EQ(response.headers.at("Access-Control-Allow-Origin").name, "*");
  EXPECT_EQ(response.headers.at("X").kind, ParameterSource::Kind::kHeader);
  EXPECT_EQ(response.templates.size(), 1u);
  Delete("GatewayResponse", "id0", R"({"ResponseType":"DEFAULT_4XX"})");
  EXPECT_TRUE(Parts().responses.empty());
}

TEST_F(PartProvidersTest, RefuseGatewayResponsesThatCouldNotWork) {
  for (const char* properties :
       {R"({"ResponseType":"TEAPOT"})",
        R"({"ResponseType":"THROTTLED","StatusCode":"600"})",
        R"({"ResponseType":"THROTTLED","ResponseParameters":
            {"gatewayresponse.path.a":"'b'"}})",
        R"({"ResponseType":"THROTTLED","ResponseParameters":
            {"gatewayresponse.header.a b":"'b'"}})",
        R"({"ResponseType":"THROTTLED","ResponseParameters":
            {"gatewayresponse.header.a":"b"}})",
        R"json({"ResponseType":"THROTTLED","ResponseTemplates":
            {"application/json":"#set($a = 1)"}})json"}) {
    EXPECT_FALSE(Create("GatewayResponse", properties).ok()) << properties;
  }
}

TEST_F(PartProvidersTest, RefuseMethodsThatReferToWhatIsNotThere) {
  ASSERT_TRUE(CreateFrom("Authorizer", LambdaAuthorizer("TOKEN")).ok());
  const auto put = [&](absl::string_view authorization) {
    Json::Value properties = *json::ParseValue(authorization);
    properties["ResourceId"] = "api0root";
    properties["HttpMethod"] = "GET";
    properties["Integration"]["Type"] = "AWS_PROXY";
    properties["Integration"]["Uri"] = kAuthorizerUri;
    if (!properties.isMember("AuthorizationType")) {
      properties["AuthorizationType"] = "NONE";
    }
    return CreateFrom("Method", properties).status();
  };
  EXPECT_TRUE(
      put(R"({"AuthorizationType":"CUSTOM","AuthorizerId":"id0"})").ok());
  EXPECT_TRUE(absl::IsNotFound(
      put(R"({"AuthorizationType":"CUSTOM","AuthorizerId":"none"})")));
  EXPECT_TRUE(absl::IsInvalidArgument(put(
      R"({"AuthorizationType":"COGNITO_USER_POOLS","AuthorizerId":"id0"})")));
  EXPECT_TRUE(absl::IsNotFound(put(R"({"RequestValidatorId":"none"})")));
  EXPECT_TRUE(absl::IsNotFound(
      put(R"({"RequestModels":{"application/json":"None"}})")));
  EXPECT_TRUE(put(R"({"RequestModels":{"application/json":"Empty"}})").ok());
}

}  // namespace
}  // namespace byoshin::local::apigateway
