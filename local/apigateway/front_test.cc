#include "local/apigateway/front.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/service_integration.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'764'671'000);
constexpr char kFunction[] = "arn:aws:lambda:us-east-1:000000000000:function:f";

class FakeInvoker final : public FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    requests.push_back(std::move(request));
    if (clock != nullptr) clock->AdvanceBy(takes);
    done(result);
  }

  std::vector<Request> requests;
  absl::StatusOr<std::string> result = R"({"statusCode":200,"body":"hello"})";
  time::SimulatedClock* clock = nullptr;
  absl::Duration takes = absl::ZeroDuration();
};

class Recorder final : public http::Responder::Exchange {
 public:
  explicit Recorder(std::optional<http::ServerResponse>& out) : out_(out) {}
  void Send(http::ServerResponse response) override {
    out_ = std::move(response);
  }
  bool connected() const override { return true; }

 private:
  std::optional<http::ServerResponse>& out_;
};

std::string Header(const http::ServerResponse& response,
                   absl::string_view name) {
  for (const http::Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

class FrontTest : public testing::Test {
 protected:
  void SetUp() override {
    registry_.PutApi("api1", "orders");
    const std::string root = Registry::RootResourceId("api1");
    Put(root, "orders", "r-orders");
    Put("r-orders", "{id}", "r-id");
    Put("r-orders", "special", "r-special");
    Put(root, "{rest+}", "r-rest");
    for (const char* id : {"r-orders", "r-id", "r-special"}) {
      Method("GET", id, false);
    }
    Method("ANY", "r-rest", false);
    Method("POST", "r-orders", true);
    ASSERT_TRUE(registry_.Deploy("api1", "d1").ok());
    ASSERT_TRUE(
        registry_
            .PutStage(
                "api1",
                {.name = "prod",
                 .deployment_id = "d1",
                 .access_log_group_arn = "arn:log",
                 .access_log_format =
                     R"({"s":"$context.status","a":"$context.identity.userAgent","e":"$context.integrationErrorMessage"})"})
            .ok());
  }

  void Put(absl::string_view parent, absl::string_view part,
           absl::string_view id) {
    ASSERT_TRUE(registry_
                    .PutResource("api1", {.id = std::string(id),
                                          .parent_id = std::string(parent),
                                          .path_part = std::string(part)})
                    .ok());
  }
  void Method(absl::string_view name, absl::string_view id, bool key) {
    ASSERT_TRUE(registry_
                    .PutMethod("api1", id,
                               {.http_method = std::string(name),
                                .api_key_required = key,
                                .function_arn = kFunction})
                    .ok());
  }

  http::ServerResponse Send(http::ServerRequest request) {
    EXPECT_TRUE(Front::Wants(request));
    std::optional<http::ServerResponse> response;
    front_.Handle(request,
                  http::Responder(std::make_shared<Recorder>(response)));
    EXPECT_TRUE(response.has_value());
    return *response;
  }
  http::ServerResponse Get(absl::string_view path) {
    return Send(
        {.method = "GET",
         .path = absl::StrCat("/restapis/api1/prod/_user_request_", path),
         .remote = "127.0.0.1:40312"});
  }
  Json::Value Event() {
    return *json::ParseValue(invoker_.requests.back().payload);
  }

  time::SimulatedClock clock_{kNow};
  Registry registry_;
  FakeInvoker invoker_;
  std::vector<ServiceCall> calls_;
  absl::StatusOr<Answer> answer_ = Answer{.body = R"({"executionArn":"e"})"};
  absl::Duration service_takes_ = absl::ZeroDuration();
  std::vector<std::string> log_;
  int ids_ = 0;
  Front front_{
      registry_,
      {.invoker = invoker_,
       .call_service =
           [this](ServiceCall call, const auto& done) {
             calls_.push_back(std::move(call));
             clock_.AdvanceBy(service_takes_);
             done(answer_);
           },
       .clock = clock_,
       .account_id = "000000000000",
       .region = "us-east-1",
       .access_log =
           [this](absl::string_view group, std::string line) {
             log_.push_back(absl::StrCat(group, " ", line));
           },
       .new_request_id = [this] { return absl::StrCat("id-", ++ids_); }}};
};

TEST_F(FrontTest, AnswersWithWhatTheFunctionSays) {
  invoker_.result =
      R"({"statusCode":201,"headers":{"X-A":"1","X-B":2},"multiValueHeaders":{"X-A":["2","3"]},"body":"hi"})";
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
    invoker_.result =
        R"({"statusCode":200,"body":"aGk=","isBase64Encoded":true})";
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
  invoker_.result =
      R"({"statusCode":200,"body":"<script>","headers":)"
      R"({"Content-Type":"text/html","Content-Security-Policy":"img-src *"}})";
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
  ASSERT_TRUE(registry_
                  .PutStage("api1", {.name = "prod",
                                     .deployment_id = "d1",
                                     .throttle = ThrottleLimits{2, 3}})
                  .ok());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get("/orders").status, 200);
  const http::ServerResponse refused = Get("/orders");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.body, R"({"message":"Too Many Requests"})");
  clock_.AdvanceBy(absl::Milliseconds(500));
  EXPECT_EQ(Get("/orders").status, 200);
  EXPECT_EQ(Get("/orders").status, 429);
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
    invoker_.result = result;
    EXPECT_EQ(Get("/orders").status, 502) << result;
  }
  invoker_.result = absl::PermissionDeniedError("not permitted");
  const http::ServerResponse denied = Get("/orders");
  EXPECT_EQ(denied.status, 500);
  EXPECT_EQ(denied.body, R"({"message":"Internal server error"})");
}

TEST_F(FrontTest, TellsTheClientWhenTheFunctionTookTooLong) {
  invoker_.clock = &clock_;
  invoker_.takes = absl::Seconds(30);
  EXPECT_EQ(Get("/orders").status, 504);
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
        .passthrough = Passthrough::kNever,
        .responses = {{.status = 202, .selection_pattern = "200"},
                      {.status = 409, .selection_pattern = "400"}}};
    service.templates["application/json"] =
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

TEST_F(ServiceFrontTest, AnswersWithATimeoutIfTheServiceTookTooLong) {
  service_takes_ = kIntegrationTimeout;
  EXPECT_EQ(Post("{}").status, 202);
  service_takes_ = kIntegrationTimeout + absl::Seconds(1);
  EXPECT_EQ(Post("{}").status, 504);
}

}  // namespace
}  // namespace byoshin::local::apigateway
