// API Gateway's API over the wire.

#include "local/apigateway/service.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/service_integration.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kRegion[] = "us-east-1";
constexpr char kServiceUri[] =
    "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/f/"
    "invocations";

class ApiGatewayServiceTest : public ::testing::Test {
 protected:
  ApiGatewayServiceTest() {
    registry_.PutApi("api1", "orders",
                     {.description = "for orders",
                      .endpoint_types = {"REGIONAL"},
                      .binary_media_types = {"image/png"},
                      .tags = {{"team", "a"}}});
    EXPECT_TRUE(registry_
                    .PutResource("api1", {.id = "r1",
                                          .parent_id = "api1root",
                                          .path_part = "orders"})
                    .ok());
    EXPECT_TRUE(
        registry_
            .PutResource("api1",
                         {.id = "r2", .parent_id = "r1", .path_part = "{id}"})
            .ok());
    EXPECT_TRUE(registry_
                    .PutMethod("api1", "r2",
                               {.http_method = "GET",
                                .api_key_required = true,
                                .function_arn = "f",
                                .integration_uri = kServiceUri,
                                .integration_http_method = "POST"})
                    .ok());
    EXPECT_TRUE(registry_.Deploy("api1", "d1").ok());
    EXPECT_TRUE(
        registry_
            .PutStage("api1",
                      {.name = "prod",
                       .deployment_id = "d1",
                       .access_log_group_arn = "arn:group",
                       .access_log_format = "$context.status",
                       .settings = {{{kAll, kAll},
                                     {.throttle = ThrottleLimits{.rate = 50,
                                                                 .burst = 25}}},
                                    {{"/orders/{id}", "GET"},
                                     {.logging_level = "INFO"}}},
                       .variables = {{"alias", "blue"}},
                       .tracing = true})
            .ok());
    registry_.PutKey({.id = "k1", .value = "secret", .name = "key one"});
    registry_.PutPlan(
        {.id = "p1", .stages = {{.api_id = "api1", .stage = "prod"}}});
    EXPECT_TRUE(registry_.AddKeyToPlan("p1", "k1").ok());
  }

  Answer Ask(const std::string& path, const std::string& query = "",
             const std::string& region = kRegion) {
    ApiGatewayService service(registry_, {.region = kRegion});
    Answer result;
    service.Handle({.protocol = WireProtocol::kRestJson,
                    .path = path,
                    .method = "GET",
                    .query = query,
                    .region = region},
                   [&](Answer answer) { result = std::move(answer); });
    return result;
  }
  Json::Value Get(const std::string& path, const std::string& query = "") {
    const Answer answer = Ask(path, query);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return json::ParseValue(answer.body).value_or(Json::Value());
  }
  void ExpectNotFound(const std::string& path, const std::string& message) {
    const Answer answer = Ask(path);
    EXPECT_EQ(answer.status, 404);
    ASSERT_EQ(answer.headers.size(), 1u);
    EXPECT_EQ(answer.headers[0].value, "NotFoundException");
    EXPECT_EQ(answer.body, absl::StrCat(R"({"message":")", message, "\"}"));
  }

  Registry registry_;
};

TEST_F(ApiGatewayServiceTest, ShowsApis) {
  const Json::Value api = Get("/restapis")["item"][0];
  EXPECT_EQ(api["id"], "api1");
  EXPECT_EQ(api["name"], "orders");
  EXPECT_EQ(api["description"], "for orders");
  EXPECT_EQ(api["endpointConfiguration"]["types"][0], "REGIONAL");
  EXPECT_EQ(api["binaryMediaTypes"][0], "image/png");
  EXPECT_EQ(api["tags"]["team"], "a");
  EXPECT_EQ(Get("/restapis/api1"), api);
  EXPECT_EQ(json::ParseValue(Ask("/restapis", "", "eu-west-1").body)
                .value()["item"]
                .size(),
            0u);
}

TEST_F(ApiGatewayServiceTest, ShowsResourcesAndMethods) {
  const Json::Value resources = Get("/restapis/api1/resources");
  ASSERT_EQ(resources["item"].size(), 3u);
  EXPECT_EQ(resources["item"][0]["path"], "/");
  EXPECT_EQ(resources["item"][1]["path"], "/orders");
  EXPECT_EQ(resources["item"][2]["path"], "/orders/{id}");
  EXPECT_EQ(resources["item"][2]["resourceMethods"]["GET"],
            Json::Value(Json::objectValue));
  const Json::Value resource =
      Get("/restapis/api1/resources/r2", "embed=methods");
  EXPECT_EQ(resource["parentId"], "r1");
  const Json::Value method = Get("/restapis/api1/resources/r2/methods/GET");
  EXPECT_EQ(resource["resourceMethods"]["GET"], method);
  EXPECT_EQ(method["apiKeyRequired"], true);
  const Json::Value integration =
      Get("/restapis/api1/resources/r2/methods/GET/integration");
  EXPECT_EQ(method["methodIntegration"], integration);
  EXPECT_EQ(integration["type"], "AWS_PROXY");
  EXPECT_EQ(integration["uri"], kServiceUri);
  EXPECT_EQ(integration["httpMethod"], "POST");
}

TEST_F(ApiGatewayServiceTest, ShowsIntegrationsWithServices) {
  ServiceIntegration service{
      .service = "states",
      .action = "StartExecution",
      .role_arn = "arn:role",
      .mapping = {.passthrough = Passthrough::kNever,
                  .responses = {{.status = 200},
                                {.status = 400,
                                 .selection_pattern = "4..",
                                 .headers = {{"X-A", "b"}}}}}};
  service.mapping.templates["application/json"] =
      *MappingTemplate::Parse("$input.body");
  service.mapping.responses[1].templates["application/json"] =
      *MappingTemplate::Parse("{}");
  ASSERT_TRUE(
      registry_
          .PutMethod("api1", "r2", {.http_method = "POST", .service = service})
          .ok());
  const Json::Value method = Get("/restapis/api1/resources/r2/methods/POST");
  EXPECT_EQ(method["methodResponses"]["400"]["statusCode"], "400");
  const Json::Value& integration = method["methodIntegration"];
  EXPECT_EQ(integration["type"], "AWS");
  EXPECT_EQ(integration["credentials"], "arn:role");
  EXPECT_EQ(integration["passthroughBehavior"], "NEVER");
  EXPECT_EQ(integration["requestTemplates"]["application/json"], "$input.body");
  const Json::Value& bad = integration["integrationResponses"]["400"];
  EXPECT_EQ(bad["selectionPattern"], "4..");
  EXPECT_EQ(bad["responseParameters"]["method.response.header.X-A"], "'b'");
  EXPECT_EQ(bad["responseTemplates"]["application/json"], "{}");
}

TEST_F(ApiGatewayServiceTest, ShowsStagesAndDeployments) {
  const Json::Value stage = Get("/restapis/api1/stages/prod");
  EXPECT_EQ(stage["deploymentId"], "d1");
  EXPECT_EQ(stage["methodSettings"]["*/*"]["throttlingRateLimit"], 50.0);
  EXPECT_EQ(stage["methodSettings"]["*/*"]["throttlingBurstLimit"], 25);
  EXPECT_EQ(stage["methodSettings"]["~1orders~1{id}/GET"]["loggingLevel"],
            "INFO");
  EXPECT_EQ(stage["variables"]["alias"], "blue");
  EXPECT_EQ(stage["accessLogSettings"]["destinationArn"], "arn:group");
  EXPECT_EQ(stage["tracingEnabled"], true);
  EXPECT_EQ(Get("/restapis/api1/stages")["item"].size(), 1u);
  EXPECT_EQ(Get("/restapis/api1/stages", "deploymentId=x")["item"].size(), 0u);
  EXPECT_EQ(Get("/restapis/api1/deployments")["item"][0]["id"], "d1");
  EXPECT_EQ(Get("/restapis/api1/deployments/d1")["id"], "d1");
}

TEST_F(ApiGatewayServiceTest, ShowsWhatMethodsReferTo) {
  ASSERT_TRUE(
      registry_
          .ChangeParts("api1",
                       [](ApiParts& parts) {
                         parts.authorizers["a1"] = {
                             .id = "a1",
                             .name = "pool",
                             .type = Authorizer::Type::kCognito,
                             .provider_arns = {"arn:pool"},
                             .identity_sources = {
                                 {.kind = ParameterSource::Kind::kHeader,
                                  .name = "Authorization"}}};
                         parts.validators["v1"] = {
                             .id = "v1", .name = "all", .validate_body = true};
                         parts.models["Order"] = {
                             .id = "Order",
                             .name = "Order",
                             .content_type = "application/json",
                             .schema = "{}"};
                         parts.responses[ResponseType::kUnauthorized] = {
                             .type = ResponseType::kUnauthorized,
                             .status = 499,
                             .headers = {{"X-A", {.name = "b"}}}};
                       })
          .ok());
  ASSERT_TRUE(
      registry_
          .PutMethod(
              "api1", "r2",
              {.http_method = "PUT",
               .authorization = {.type = MethodAuthorization::Type::kCognito,
                                 .authorizer_id = "a1",
                                 .scopes = {"s"}},
               .validator_id = "v1",
               .rules = {.models = {{"application/json", "Order"}}},
               .mock = Mapping()})
          .ok());
  const Json::Value method = Get("/restapis/api1/resources/r2/methods/PUT");
  EXPECT_EQ(method["authorizationType"], "COGNITO_USER_POOLS");
  EXPECT_EQ(method["authorizerId"], "a1");
  EXPECT_EQ(method["authorizationScopes"][0], "s");
  EXPECT_EQ(method["requestValidatorId"], "v1");
  EXPECT_EQ(method["requestModels"]["application/json"], "Order");
  EXPECT_EQ(method["methodIntegration"]["type"], "MOCK");

  const Json::Value authorizer = Get("/restapis/api1/authorizers")["item"][0];
  EXPECT_EQ(authorizer["type"], "COGNITO_USER_POOLS");
  EXPECT_EQ(authorizer["providerARNs"][0], "arn:pool");
  EXPECT_EQ(authorizer["identitySource"],
            "method.request.header.Authorization");
  EXPECT_EQ(authorizer["authorizerResultTtlInSeconds"], 300);
  EXPECT_EQ(Get("/restapis/api1/authorizers/a1"), authorizer);
  const Json::Value validator =
      Get("/restapis/api1/requestvalidators")["item"][0];
  EXPECT_EQ(validator["validateRequestBody"], true);
  EXPECT_EQ(Get("/restapis/api1/requestvalidators/v1"), validator);
  EXPECT_EQ(Get("/restapis/api1/models")["item"][0]["name"], "Order");
  EXPECT_EQ(Get("/restapis/api1/models/Order")["schema"], "{}");
  EXPECT_EQ(Get("/restapis/api1/gatewayresponses")["item"].size(), 21u);
  const Json::Value changed =
      Get("/restapis/api1/gatewayresponses/UNAUTHORIZED");
  EXPECT_EQ(changed["statusCode"], "499");
  EXPECT_EQ(changed["defaultResponse"], false);
  EXPECT_EQ(changed["responseParameters"]["gatewayresponse.header.X-A"], "'b'");
  const Json::Value untouched =
      Get("/restapis/api1/gatewayresponses/THROTTLED");
  EXPECT_EQ(untouched["statusCode"], "429");
  EXPECT_EQ(untouched["defaultResponse"], true);
  ExpectNotFound("/restapis/api1/authorizers/x",
                 "Invalid Authorizer identifier specified");
  ExpectNotFound("/restapis/api1/models/x", "Invalid model name specified");
}

TEST_F(ApiGatewayServiceTest, TellsAKeysValueOnlyWhenAsked) {
  EXPECT_FALSE(Get("/apikeys")["item"][0].isMember("value"));
  EXPECT_EQ(Get("/apikeys", "includeValues=true")["item"][0]["value"],
            "secret");
  EXPECT_FALSE(Get("/apikeys/k1").isMember("value"));
  EXPECT_EQ(Get("/apikeys/k1", "includeValue=true")["value"], "secret");
  EXPECT_EQ(Get("/apikeys", "name=key%20one")["item"].size(), 1u);
  EXPECT_EQ(Get("/apikeys", "name=other")["item"].size(), 0u);
}

TEST_F(ApiGatewayServiceTest, ShowsUsagePlans) {
  EXPECT_EQ(Get("/usageplans")["item"][0]["apiStages"][0]["apiId"], "api1");
  EXPECT_EQ(Get("/usageplans", "keyId=other")["item"].size(), 0u);
  EXPECT_EQ(Get("/usageplans/p1")["id"], "p1");
  EXPECT_EQ(Get("/usageplans/p1/keys")["item"][0]["id"], "k1");
}

TEST_F(ApiGatewayServiceTest, GivesListsInPages) {
  const Json::Value first = Get("/restapis/api1/resources", "limit=2");
  EXPECT_EQ(first["item"].size(), 2u);
  const Json::Value rest =
      Get("/restapis/api1/resources",
          absl::StrCat("limit=2&position=", first["position"].asString()));
  EXPECT_EQ(rest["item"].size(), 1u);
  EXPECT_FALSE(rest.isMember("position"));
  EXPECT_EQ(Ask("/restapis", "limit=x").status, 400);
  EXPECT_EQ(Ask("/restapis", "position=!").status, 400);
}

TEST_F(ApiGatewayServiceTest, RefusesAsApiGatewayDoes) {
  ExpectNotFound("/restapis/x",
                 "Invalid API identifier specified 000000000000:x");
  ExpectNotFound("/restapis/x/resources",
                 "Invalid API identifier specified 000000000000:x");
  ExpectNotFound("/restapis/api1/resources/x",
                 "Invalid Resource identifier specified");
  ExpectNotFound("/restapis/api1/resources/r2/methods/PUT",
                 "Invalid Method identifier specified");
  ExpectNotFound("/restapis/api1/stages/x",
                 "Invalid stage identifier specified");
  ExpectNotFound("/apikeys/x", "Invalid API Key identifier specified");
  ExpectNotFound("/usageplans/x", "Invalid Usage Plan identifier specified");
  EXPECT_EQ(Ask("/domainnames").headers[0].value, "UnknownOperationException");
}

TEST_F(ApiGatewayServiceTest, NeedsThePermissionForTheMethodOnThePath) {
  const ApiGatewayService service(registry_, {.region = "us-east-1"});
  EXPECT_EQ(
      service.PermissionsFor(
          {.path = "/restapis/a", .method = "GET", .region = "us-east-1"}),
      (std::vector<NeededPermission>{
          {"apigateway:GET", "arn:aws:apigateway:us-east-1::/restapis/a"}}));
}

}  // namespace
}  // namespace byoshin::local::apigateway
