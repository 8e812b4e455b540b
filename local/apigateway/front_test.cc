#include "local/apigateway/front.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "local/apigateway/address.h"
#include "local/apigateway/front_fixture.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/service_integration.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

TEST_F(FrontTest, AnswersWithWhatTheFunctionSays) {
  invoker_.result = FakeInvoker::Success(
      R"({"statusCode":201,"headers":{"X-A":"1","X-B":2},"multiValueHeaders":{"X-A":["2","3"]},"body":"hi"})");
  const http::ServerResponse response = Get("/orders");
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.body, "hi");
  EXPECT_EQ(Header(response, "Content-Type"), "application/json");
  EXPECT_EQ(Header(response, "X-A"), "2");
  EXPECT_EQ(Header(response, "X-B"), "2");
  EXPECT_EQ(Header(response, "x-amzn-RequestId"), "id-1");
}

TEST_F(FrontTest, GivesTheFunctionTheEventOfAProxyIntegration) {
  Send({.method = "GET",
        .path = "/restapis/api1/prod/_user_request_/orders/a%20b",
        .query = "x=1&x=2&y=%2B",
        .headers = {{"Host", "127.0.0.1:4566"},
                    {"Accept", "a"},
                    {"Accept", "b"},
                    {"x-forwarded-for", "10.0.0.1"},
                    {"User-Agent", "test"}},
        .remote = "127.0.0.1:40312"});
  const Json::Value event = Event();
  EXPECT_EQ(event["resource"], "/orders/{id}");
  EXPECT_EQ(event["path"], "/orders/a b");
  EXPECT_EQ(event["httpMethod"], "GET");
  EXPECT_EQ(event["pathParameters"]["id"], "a b");
  EXPECT_EQ(event["queryStringParameters"]["x"], "2");
  EXPECT_EQ(event["queryStringParameters"]["y"], "+");
  EXPECT_EQ(event["multiValueQueryStringParameters"]["x"].size(), 2);
  EXPECT_EQ(event["multiValueHeaders"]["Accept"].size(), 2);
  EXPECT_EQ(event["headers"]["X-Forwarded-For"], "10.0.0.1, 127.0.0.1");
  EXPECT_EQ(event["headers"]["X-Forwarded-Port"], "4566");
  EXPECT_EQ(event["headers"]["X-Forwarded-Proto"], "http");
  EXPECT_TRUE(event["body"].isNull());
  EXPECT_EQ(event["isBase64Encoded"], false);
  const Json::Value& context = event["requestContext"];
  EXPECT_EQ(context["path"], "/prod/orders/a b");
  EXPECT_EQ(context["requestTime"], "02/Dec/2025:10:23:20 +0000");
  EXPECT_EQ(context["identity"]["sourceIp"], "127.0.0.1");
  EXPECT_EQ(context["apiId"], "api1");
  EXPECT_EQ(invoker_.requests[0].function_arn, kFunction);
  EXPECT_EQ(invoker_.requests[0].source_arn,
            "arn:aws:execute-api:us-east-1:000000000000:api1/prod/GET/orders/"
            "{id}");
}

TEST_F(FrontTest, GivesNullWhereThereIsNothing) {
  Send({.method = "PUT",
        .path = "/restapis/api1/prod/_user_request_/other/thing"});
  const Json::Value event = Event();
  EXPECT_EQ(event["resource"], "/{rest+}");
  EXPECT_EQ(event["pathParameters"]["rest"], "other/thing");
  EXPECT_TRUE(event["queryStringParameters"].isNull());
  EXPECT_TRUE(event["body"].isNull());
  EXPECT_EQ(event["isBase64Encoded"], false);
}

TEST_F(FrontTest, TakesBodiesForTextUnlessTheirTypeIsBinary) {
  const auto put = [&](absl::string_view type) {
    invoker_.result = FakeInvoker::Success(
        R"({"statusCode":200,"body":"aGk=","isBase64Encoded":true})");
    return Send({.method = "PUT",
                 .path = "/restapis/api1/prod/_user_request_/other",
                 .headers = {{"Content-Type", std::string(type)},
                             {"Accept", absl::StrCat(type, ", text/html")}},
                 .body = "a\xFF"});
  };
  // As long as the API has no binary types, bytes don't get through.
  EXPECT_EQ(put("image/png").body, "aGk=");
  EXPECT_EQ(Event()["body"], "a\uFFFD");
  EXPECT_EQ(Event()["isBase64Encoded"], false);

  registry_.PutApi("api1", "orders",
                   {.binary_media_types = {"image/*", "application/x-thing"}});
  EXPECT_EQ(put("image/png").body, "aGk=") << "not deployed yet";
  ASSERT_TRUE(registry_.Deploy("api1", "d1").ok());
  for (const char* type :
       {"image/png", "IMAGE/PNG; q=1", "application/x-thing"}) {
    EXPECT_EQ(put(type).body, "hi") << type;
    EXPECT_EQ(Event()["body"], "Yf8=") << type;
    EXPECT_EQ(Event()["isBase64Encoded"], true) << type;
  }
  for (const char* type : {"application/json", "", "imagepng", "*/*"}) {
    EXPECT_EQ(put(type).body, "aGk=") << type;
    EXPECT_EQ(Event()["isBase64Encoded"], false) << type;
  }
}

TEST_F(FrontTest, PrefersTheMoreExactPath) {
  Get("/orders/special");
  EXPECT_EQ(Event()["resource"], "/orders/special");
  Get("/orders/7");
  EXPECT_EQ(Event()["resource"], "/orders/{id}");
  Get("/orders/7/lines");
  EXPECT_EQ(Event()["resource"], "/{rest+}");
}

TEST_F(FrontTest, IsReachedUnderTheApisOwnHost) {
  const http::ServerResponse response = Send(
      {.method = "GET",
       .path = "/prod/orders",
       .headers = {{"Host", "api1.execute-api.us-east-1.localhost:4566"}}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(Event()["path"], "/orders");
}

TEST_F(FrontTest, TakesAllRequestsForTheApisOwnHost) {
  for (const char* path :
       {"/", "/_byoshin/api/reset", "/000000000000/orders", "/%zz"}) {
    const int status =
        Send({.method = "GET",
              .path = path,
              .headers = {{"Host", "api1.Execute-API.localhost:4566"}}})
            .status;
    EXPECT_TRUE(status == 400 || status == 403) << path << ": " << status;
  }
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(FrontTest, TakesTheOriginFromAnswersThatShareTheDashboards) {
  invoker_.result = FakeInvoker::Success(
      R"({"statusCode":200,"body":"<script>","headers":)"
      R"({"Content-Type":"text/html","Content-Security-Policy":"img-src *"}})");
  std::vector<std::string> policies;
  for (const http::Header& header : Get("/orders").headers) {
    if (header.name == "Content-Security-Policy") {
      policies.push_back(header.value);
    }
  }
  EXPECT_EQ(policies, (std::vector<std::string>{"img-src *", "sandbox"}));
  EXPECT_EQ(Header(Send({.method = "GET",
                         .path = "/restapis/api1/dev/_user_request_/orders"}),
                   "Content-Security-Policy"),
            "sandbox");
  EXPECT_EQ(
      Header(Send({.method = "GET",
                   .path = "/prod/orders",
                   .headers = {{"Host", "api1.execute-api.localhost:4566"}}}),
             "Content-Security-Policy"),
      "img-src *");
}

TEST_F(FrontTest, ServesNoServiceWorkerOnTheDashboardsOrigin) {
  EXPECT_EQ(Send({.method = "GET",
                  .path = "/restapis/api1/prod/_user_request_/orders",
                  .headers = {{"Service-Worker", "script"}}})
                .status,
            403);
  EXPECT_TRUE(invoker_.requests.empty());
  EXPECT_EQ(Send({.method = "GET",
                  .path = "/prod/orders",
                  .headers = {{"Host", "api1.execute-api.localhost:4566"},
                              {"Service-Worker", "script"}}})
                .status,
            200);
}

TEST_F(FrontTest, LeavesOtherPathsToOthers) {
  EXPECT_FALSE(Front::Wants({.path = "/"}));
  EXPECT_FALSE(Front::Wants({.path = "/restapis/api1/stages/prod"}));
  EXPECT_EQ(AddressOf({.path = "/"}), std::nullopt);
  EXPECT_EQ(AddressOf({.path = "/restapis/api1/stages/prod"}), std::nullopt);
  EXPECT_EQ(AddressOf({.path = "/restapis/api1/prod/_user_request_/%zz"}),
            std::nullopt);
}

TEST_F(FrontTest, RefusesAsAwsDoes) {
  const http::ServerResponse method =
      Send({.method = "DELETE",
            .path = "/restapis/api1/prod/_user_request_/orders"});
  EXPECT_EQ(method.status, 403);
  EXPECT_EQ(method.body, R"({"message":"Missing Authentication Token"})");
  EXPECT_EQ(Header(method, "x-amzn-ErrorType"),
            "MissingAuthenticationTokenException");
  const http::ServerResponse stage = Send(
      {.method = "GET", .path = "/restapis/api1/dev/_user_request_/orders"});
  EXPECT_EQ(stage.status, 403);
  EXPECT_EQ(stage.body, R"({"message":"Forbidden"})");
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(FrontTest, AsksForAKeyWhereTheMethodNeedsOne) {
  registry_.PutKey({.id = "k1", .value = "open-sesame"});
  registry_.PutKey({.id = "k2", .value = "not-in-the-plan"});
  registry_.PutPlan({.id = "p1", .stages = {{"api1", "prod"}}});
  ASSERT_TRUE(registry_.AddKeyToPlan("p1", "k1").ok());
  const auto post = [&](absl::string_view key) {
    return Send({.method = "POST",
                 .path = "/restapis/api1/prod/_user_request_/orders",
                 .headers = {{"X-Api-Key", std::string(key)}}})
        .status;
  };
  EXPECT_EQ(post(""), 403);
  EXPECT_EQ(post("wrong"), 403);
  EXPECT_EQ(post("not-in-the-plan"), 403);
  EXPECT_EQ(post("open-sesame"), 200);
  EXPECT_EQ(Event()["requestContext"]["identity"]["apiKeyId"], "k1");
  registry_.PutKey({.id = "k1", .value = "open-sesame", .enabled = false});
  EXPECT_EQ(post("open-sesame"), 403);
}

TEST_F(FrontTest, ThrottlesAStageAndLetsItRecover) {
  ASSERT_TRUE(
      registry_
          .PutStage("api1",
                    {.name = "prod",
                     .deployment_id = "d1",
                     .settings = {{{kAll, kAll},
                                   {.throttle = ThrottleLimits{2, 3}}}}})
          .ok());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get("/orders").status, 200);
  const http::ServerResponse refused = Get("/orders");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, R"({"message":"Too Many Requests"})");
  clock_.AdvanceBy(absl::Milliseconds(500));
  EXPECT_EQ(Get("/orders").status, 200);
  EXPECT_EQ(Get("/orders").status, 429);
}

TEST_F(FrontTest, ThrottlesAMethodByItsOwnLimits) {
  ASSERT_TRUE(
      registry_
          .PutStage(
              "api1",
              {.name = "prod",
               .deployment_id = "d1",
               .settings = {{{"/orders/{id}", "GET"},
                             {.throttle = ThrottleLimits{1, 1}}},
                            {{"/orders", "GET"}, {.logging_level = "INFO"}},
                            {{kAll, kAll},
                             {.throttle = ThrottleLimits{1, 2}}}}})
          .ok());
  EXPECT_EQ(Get("/orders/7").status, 200);
  EXPECT_EQ(Get("/orders/8").status, 429);
  EXPECT_EQ(Get("/orders").status, 200);
  EXPECT_EQ(Get("/other").status, 200);
  EXPECT_EQ(Get("/orders").status, 429);
}

TEST_F(FrontTest, GivesFunctionsTheStagesVariables) {
  PutMethod("r-orders", {.http_method = "GET"});
  ASSERT_TRUE(registry_
                  .PutMethod("api1", "r-special",
                             {.http_method = "GET",
                              .function_arn = "f:${stageVariables.alias}"})
                  .ok());
  Redeploy();
  ASSERT_TRUE(registry_
                  .PutStage("api1", {.name = "prod",
                                     .deployment_id = "d1",
                                     .variables = {{"alias", "blue"}}})
                  .ok());
  EXPECT_EQ(Get("/orders").status, 200);
  EXPECT_EQ(Event()["stageVariables"]["alias"], "blue");
  EXPECT_EQ(Get("/orders/special").status, 200);
  EXPECT_EQ(invoker_.requests.back().function_arn, "f:blue");
}

TEST_F(FrontTest, ThrottlesAKeyByItsPlan) {
  registry_.PutKey({.id = "k1", .value = "v"});
  registry_.PutPlan({.id = "p1",
                     .stages = {{"api1", "prod"}},
                     .throttle = ThrottleLimits{1, 1}});
  ASSERT_TRUE(registry_.AddKeyToPlan("p1", "k1").ok());
  const http::ServerRequest request{
      .method = "POST",
      .path = "/restapis/api1/prod/_user_request_/orders",
      .headers = {{"x-api-key", "v"}}};
  EXPECT_EQ(Send(request).status, 200);
  EXPECT_EQ(Send(request).status, 429);
}

TEST_F(FrontTest, AnswersForAFunctionThatFailsOrTalksNonsense) {
  registry_.PutApi("api1", "orders", {.binary_media_types = {"*/*"}});
  ASSERT_TRUE(registry_.Deploy("api1", "d1").ok());
  invoker_.result = absl::InternalError("it crashed");
  EXPECT_EQ(Get("/orders").status, 502);
  invoker_.result = FunctionInvoker::Result{.payload = "{}", .failed = true};
  EXPECT_EQ(Get("/orders").status, 502);
  EXPECT_EQ(log_.back(),
            R"(arn:log {"s":"502","a":"-","e":"the function failed: {}"})");
  for (const char* result :
       {"", "[]", "{}", R"({"statusCode":"abc"})", R"({"statusCode":99})",
        R"({"statusCode":101})",
        R"({"statusCode":200,"headers":{"a":"b\r\nc: d"}})",
        R"({"statusCode":200,"headers":{"a b":"c"}})",
        R"({"statusCode":200,"headers":{"":"c"}})",
        R"({"statusCode":200,"multiValueHeaders":{"a":["b","c\n"]}})",
        R"({"statusCode":200,"body":{}})", R"({"statusCode":200,"headers":[]})",
        R"({"statusCode":200,"headers":{"a":{}}})",
        R"({"statusCode":200,"multiValueHeaders":{"a":"b"}})",
        R"({"statusCode":200,"body":"%","isBase64Encoded":true})"}) {
    invoker_.result = FakeInvoker::Success(result);
    EXPECT_EQ(Get("/orders").status, 502) << result;
  }
  invoker_.result = absl::PermissionDeniedError("not permitted");
  const http::ServerResponse denied = Get("/orders");
  EXPECT_EQ(denied.status, 500);
  EXPECT_EQ(denied.body, R"({"message":"Internal server error"})");
}

TEST_F(FrontTest, AnswersForAFunctionThatTakesTooLongAtOnce) {
  invoker_.waits = true;
  const auto response = Begin(
      {.method = "GET", .path = "/restapis/api1/prod/_user_request_/orders"});
  clock_.RunUntil(kNow + kIntegrationTimeout - absl::Milliseconds(1));
  EXPECT_FALSE(response->has_value());
  clock_.RunUntil(kNow + kIntegrationTimeout);
  ASSERT_TRUE(response->has_value());
  EXPECT_EQ((*response)->status, 504);
  EXPECT_EQ((*response)->body, R"({"message":"Endpoint request timed out"})");
  EXPECT_EQ(
      log_,
      std::vector<std::string>{
          R"(arn:log {"s":"504","a":"-","e":"the integration took too long"})"});
  invoker_.waiting[0](invoker_.result);  // dropped
  EXPECT_EQ(log_.size(), 1u);
}

TEST_F(FrontTest, AnswersWithAResultThatComesInTime) {
  invoker_.waits = true;
  const auto response = Begin(
      {.method = "GET", .path = "/restapis/api1/prod/_user_request_/orders"});
  clock_.AdvanceBy(kIntegrationTimeout - absl::Milliseconds(1));
  invoker_.waiting[0](invoker_.result);
  ASSERT_TRUE(response->has_value());
  EXPECT_EQ((*response)->status, 200);
  clock_.RunUntil(kNow + absl::Minutes(1));
  EXPECT_EQ(log_.size(), 1u);
}

TEST_F(FrontTest, TakesTheTimeoutOfTheIntegration) {
  PutMethod("r-orders",
            {.http_method = "GET", .timeout = absl::Milliseconds(50)});
  Redeploy();
  invoker_.waits = true;
  const auto response = Begin(
      {.method = "GET", .path = "/restapis/api1/prod/_user_request_/orders"});
  clock_.RunUntil(kNow + absl::Milliseconds(50));
  ASSERT_TRUE(response->has_value());
  EXPECT_EQ((*response)->status, 504);
}

TEST_F(FrontTest, DropsResultsThatComeAfterItsEnd) {
  invoker_.waits = true;
  const auto response = Begin(
      {.method = "GET", .path = "/restapis/api1/prod/_user_request_/orders"});
  front_.reset();
  invoker_.waiting[0](invoker_.result);
  EXPECT_FALSE(response->has_value());
}

TEST_F(FrontTest, LogsEachRequestOnOneLineThatTheClientCantForge) {
  Send({.method = "GET",
        .path = "/restapis/api1/prod/_user_request_/orders",
        .headers = {{"User-Agent", "x\",\"s\":\"500"}}});
  ASSERT_EQ(log_.size(), 1);
  EXPECT_EQ(log_[0], R"(arn:log {"s":"200","a":"x\",\"s\":\"500","e":"-"})");
}

TEST_F(FrontTest, LogsWhatItRefuses) {
  Send({.method = "DELETE",
        .path = "/restapis/api1/prod/_user_request_/orders"});
  Send({.method = "GET", .path = "/restapis/api1/dev/_user_request_/orders"});
  ASSERT_EQ(log_.size(), 1) << "of a stage that is there";
  EXPECT_EQ(log_[0], R"(arn:log {"s":"403","a":"-","e":"-"})");
}

TEST_F(FrontTest, ServesAStageFromItsDeployment) {
  registry_.DeleteMethod("api1", "r-orders", "GET");
  EXPECT_EQ(Get("/orders").status, 200);
  ASSERT_TRUE(registry_.Deploy("api1", "d2").ok());
  ASSERT_TRUE(
      registry_.PutStage("api1", {.name = "prod", .deployment_id = "d2"}).ok());
  EXPECT_EQ(Get("/orders").status, 403);
}

TEST_F(FrontTest, RefusesToBuildOnWhatIsNotThere) {
  EXPECT_TRUE(absl::IsNotFound(registry_.PutResource("none", {})));
  EXPECT_TRUE(absl::IsNotFound(
      registry_.PutResource("api1", {.id = "x", .parent_id = "none"})));
  EXPECT_TRUE(absl::IsNotFound(registry_.PutMethod("api1", "none", {})));
  EXPECT_TRUE(absl::IsNotFound(registry_.Deploy("none", "d")));
  EXPECT_TRUE(absl::IsNotFound(
      registry_.PutStage("api1", {.name = "s", .deployment_id = "none"})));
  EXPECT_TRUE(absl::IsNotFound(registry_.AddKeyToPlan("none", "k")));
}

class ServiceFrontTest : public FrontTest {
 protected:
  void SetUp() override {
    FrontTest::SetUp();
    Put("r-orders", "started", "r-started");
    ServiceIntegration service{
        .service = "states",
        .action = "StartExecution",
        .region = "us-east-1",
        .role_arn = "arn:role",
        .mapping = {
            .passthrough = Passthrough::kNever,
            .responses = {{.status = 202, .selection_pattern = "200"},
                          {.status = 409, .selection_pattern = "400"}}}};
    service.mapping.templates["application/json"] =
        *MappingTemplate::Parse("{\"input\":$input.json('$')}");
    ASSERT_TRUE(registry_
                    .PutMethod("api1", "r-started",
                               {.http_method = "POST", .service = service})
                    .ok());
    ASSERT_TRUE(registry_.Deploy("api1", "d1").ok());
  }

  http::ServerResponse Post(absl::string_view body,
                            absl::string_view type = "application/json") {
    return Send({.method = "POST",
                 .path = "/restapis/api1/prod/_user_request_/orders/started",
                 .headers = {{"Content-Type", std::string(type)}},
                 .body = std::string(body)});
  }
};

TEST_F(ServiceFrontTest, CallsTheServiceAsTheRoleWithTheMappedBody) {
  const http::ServerResponse response = Post("{\"x\": 1}");
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(response.body, R"({"executionArn":"e"})");
  EXPECT_EQ(Header(response, "Content-Type"), "application/json");
  EXPECT_EQ(Header(response, "x-amzn-RequestId"), "id-1");
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_EQ(calls_[0].service, "states");
  EXPECT_EQ(calls_[0].action, "StartExecution");
  EXPECT_EQ(calls_[0].role_arn, "arn:role");
  EXPECT_EQ(calls_[0].body, R"({"input":{"x":1}})");
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(ServiceFrontTest, MapsTheErrorsOfTheService) {
  answer_ = Answer{.status = 400, .body = "{}"};
  EXPECT_EQ(Post("{}").status, 409);
}

TEST_F(ServiceFrontTest, RejectsBodiesThatItCannotMap) {
  const http::ServerResponse type = Post("{}", "text/plain");
  EXPECT_EQ(type.status, 415);
  EXPECT_EQ(type.body, R"({"message":"Unsupported Media Type"})");
  const http::ServerResponse text = Post("{\"a\" \"");
  EXPECT_EQ(text.status, 400);
  EXPECT_TRUE(json::ParseValue(text.body).ok()) << text.body;
  EXPECT_TRUE(calls_.empty());
}

TEST_F(ServiceFrontTest, IsAnInternalErrorIfTheCallOrTheMappingFails) {
  answer_ = absl::PermissionDeniedError("no trust");
  const http::ServerResponse denied = Post("{}");
  EXPECT_EQ(denied.status, 500);
  EXPECT_EQ(denied.body, R"({"message":"Internal server error"})");
  EXPECT_EQ(log_.back(), R"(arn:log {"s":"500","a":"-","e":"no trust"})");
  answer_ = Answer{.status = 503};
  EXPECT_EQ(Post("{}").status, 500);
}

TEST_F(ServiceFrontTest, AnswersWithATimeoutIfTheServiceTakesTooLong) {
  invoker_.waits = true;
  const auto response =
      Begin({.method = "POST",
             .path = "/restapis/api1/prod/_user_request_/orders/started"});
  clock_.RunUntil(kNow + kIntegrationTimeout);
  ASSERT_TRUE(response->has_value());
  EXPECT_EQ((*response)->status, 504);
  waiting_calls_[0](answer_);  // dropped
  EXPECT_EQ(log_.size(), 1u);
}

}  // namespace
}  // namespace byoshin::local::apigateway
