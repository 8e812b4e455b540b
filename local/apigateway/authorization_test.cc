#include "local/apigateway/authorization.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "local/apigateway/authorizer.h"
#include "local/apigateway/front_fixture.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/cognito/token_verifier.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kArn[] = "arn:aws:execute-api:us-east-1:000000000000:api1";

ParameterSource HeaderSource(absl::string_view name) {
  return {.kind = ParameterSource::Kind::kHeader, .name = std::string(name)};
}

std::string PolicyResult(absl::string_view effect, absl::string_view resource,
                         absl::string_view more = "") {
  return absl::StrCat(
      R"({"principalId":"user-1","policyDocument":{"Version":"2012-10-17",)",
      R"("Statement":[{"Action":"execute-api:Invoke","Effect":")", effect,
      R"(","Resource":")", resource, R"("}]})", more, "}");
}

class AuthorizationTest : public FrontTest {
 protected:
  // GET /orders asks the authorizer, and so does every method of other paths.
  void Use(Authorizer authorizer, std::vector<std::string> scopes = {}) {
    authorizer.id = "a1";
    const bool is_pool = authorizer.type == Authorizer::Type::kCognito;
    if (!is_pool) authorizer.function_arn = kAuthorizerFunction;
    ChangeParts([&](ApiParts& parts) { parts.authorizers["a1"] = authorizer; });
    for (const auto& [id, http_method] :
         {std::pair("r-orders", "GET"), std::pair("r-rest", "ANY")}) {
      PutMethod(id, {.http_method = http_method,
                     .authorization = {
                         .type = is_pool ? MethodAuthorization::Type::kCognito
                                         : MethodAuthorization::Type::kCustom,
                         .authorizer_id = "a1",
                         .scopes = scopes}});
    }
    Redeploy();
    ASSERT_TRUE(
        registry_
            .PutStage("api1", {.name = "prod",
                               .deployment_id = "d1",
                               .access_log_group_arn = "g",
                               .access_log_format =
                                   "$context.status $context.authorizer.error "
                                   "$context.authorizer.principalId",
                               .variables = {{"color", "blue"}}})
            .ok());
  }
  void UseToken() {
    Use({.type = Authorizer::Type::kToken,
         .identity_sources = {HeaderSource("Authorization")}});
  }
  void UsePool(std::vector<std::string> scopes = {}) {
    Use({.type = Authorizer::Type::kCognito,
         .provider_arns = {"arn:pool"},
         .identity_sources = {HeaderSource("Authorization")}},
        std::move(scopes));
  }
  void Answers(absl::string_view payload) {
    invoker_.authorizer_result = FakeInvoker::Success(payload);
  }
  void Fails(absl::string_view payload) {
    invoker_.authorizer_result = FunctionInvoker::Result{
        .payload = std::string(payload), .failed = true};
  }

  http::ServerResponse SendToken(absl::string_view token,
                                 absl::string_view path = "/orders") {
    std::vector<http::Header> headers;
    if (!token.empty()) {
      headers.push_back({"authorization", std::string(token)});
    }
    return Send(
        {.method = "GET",
         .path = absl::StrCat("/restapis/api1/prod/_user_request_", path),
         .query = "q=1",
         .headers = headers});
  }
  void ExpectRefused(const http::ServerResponse& response, int status,
                     absl::string_view body, absl::string_view type) {
    EXPECT_EQ(response.status, status);
    EXPECT_EQ(response.body, body);
    EXPECT_EQ(Header(response, "x-amzn-ErrorType"), type);
    EXPECT_TRUE(invoker_.requests.empty()) << "the function was called";
  }
  void ExpectUnauthorized(const http::ServerResponse& response) {
    ExpectRefused(response, 401, R"({"message":"Unauthorized"})",
                  "UnauthorizedException");
  }
};

TEST_F(AuthorizationTest, AsksAFunctionAboutTheToken) {
  UseToken();
  Answers(PolicyResult("Allow", absl::StrCat(kArn, "/prod/GET/orders"),
                       R"(,"context":{"n":1.5,"b":true,"s":"x","z":null})"));
  EXPECT_EQ(SendToken("secret").status, 200);
  ASSERT_EQ(invoker_.authorizer_requests.size(), 1u);
  const FunctionInvoker::Request& asked = invoker_.authorizer_requests[0];
  EXPECT_EQ(asked.source_arn, absl::StrCat(kArn, "/authorizers/a1"));
  EXPECT_EQ(json::ParseValue(asked.payload).value(),
            json::ParseValue(
                absl::StrCat(R"({"type":"TOKEN","authorizationToken":"secret",)"
                             R"("methodArn":")",
                             kArn, R"(/prod/GET/orders"})"))
                .value());
  const Json::Value caller = Event()["requestContext"]["authorizer"];
  EXPECT_EQ(caller["principalId"], "user-1");
  EXPECT_EQ(caller["n"], "1.5");
  EXPECT_EQ(caller["b"], "true");
  EXPECT_EQ(caller["s"], "x");
  EXPECT_FALSE(caller.isMember("z"));
  EXPECT_EQ(log_.back(), "g 200 - user-1");
}

TEST_F(AuthorizationTest, RefusesAMissingTokenWithoutAskingTheFunction) {
  UseToken();
  ExpectUnauthorized(SendToken(""));
  EXPECT_TRUE(invoker_.authorizer_requests.empty());
  EXPECT_EQ(log_.back(), "g 401 an identity source is missing -");
}

TEST_F(AuthorizationTest, ComparesTheWholeTokenWithTheExpression) {
  Use({.type = Authorizer::Type::kToken,
       .identity_sources = {HeaderSource("Authorization")},
       .validation_expression = "Bearer [a-z]+"});
  Answers(PolicyResult("Allow", "*"));
  for (const char* token : {"Bearer 1", "xBearer a", "Bearer a "}) {
    ExpectUnauthorized(SendToken(token));
  }
  EXPECT_TRUE(invoker_.authorizer_requests.empty());
  EXPECT_EQ(SendToken("Bearer abc").status, 200);
}

TEST_F(AuthorizationTest, AppliesThePolicyAsAwsDoes) {
  UseToken();
  Answers(PolicyResult("Deny", "*"));
  ExpectRefused(SendToken("a"), 403,
                R"({"Message":"User is not authorized to access this resource )"
                R"(with an explicit deny"})",
                "AccessDeniedException");
  Answers(PolicyResult("Allow", absl::StrCat(kArn, "/prod/POST/*")));
  ExpectRefused(
      SendToken("b"), 403,
      R"({"Message":"User is not authorized to access this resource"})",
      "AccessDeniedException");
  Answers(PolicyResult("Allow", absl::StrCat(kArn, "/other/GET/orders")));
  EXPECT_EQ(SendToken("c").status, 403);
}

TEST_F(AuthorizationTest, IsA401IfTheFunctionSaysSo) {
  UseToken();
  Fails(R"({"errorMessage":"Unauthorized","errorType":"Error"})");
  ExpectUnauthorized(SendToken("a"));
  EXPECT_EQ(log_.back(), "g 401 the authorizer says so -");
}

TEST_F(AuthorizationTest, IsA500IfTheFunctionFailsOrTalksNonsense) {
  UseToken();
  const auto expect_failure = [&] {
    ExpectRefused(SendToken("a"), 500, R"({"message":null})",
                  "AuthorizerConfigurationException");
  };
  Fails(R"({"errorMessage":"Unauthorized!"})");
  expect_failure();
  for (const char* payload : {"", "null", "{}", R"({"principalId":"u"})",
                              R"({"principalId":"u","policyDocument":{}})"}) {
    Answers(payload);
    expect_failure();
  }
  invoker_.authorizer_result = absl::PermissionDeniedError("not permitted");
  expect_failure();
  EXPECT_EQ(log_.back(),
            "g 500 the authorizer can't be called: not permitted -");
}

TEST_F(AuthorizationTest, GivesAFunctionThirtySeconds) {
  UseToken();
  invoker_.waits = true;
  const auto response =
      Begin({.method = "GET",
             .path = "/restapis/api1/prod/_user_request_/orders",
             .headers = {{"Authorization", "a"}}});
  clock_.RunUntil(kNow + kAuthorizerTimeout - absl::Milliseconds(1));
  EXPECT_FALSE(response->has_value());
  clock_.RunUntil(kNow + kAuthorizerTimeout);
  ASSERT_TRUE(response->has_value());
  ExpectRefused(**response, 500, R"({"message":null})",
                "AuthorizerFailureException");
}

TEST_F(AuthorizationTest, KeepsAPolicyForItsTimeAndForAllMethods) {
  UseToken();
  Answers(PolicyResult("Allow", absl::StrCat(kArn, "/prod/GET/orders")));
  EXPECT_EQ(SendToken("a").status, 200);
  // The same policy, which does not allow it.
  EXPECT_EQ(SendToken("a", "/other").status, 403);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 1u);
  EXPECT_EQ(SendToken("b").status, 200);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 2u);
  clock_.AdvanceBy(kDefaultAuthorizerTtl - absl::Seconds(1));
  EXPECT_EQ(SendToken("a").status, 200);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 2u);
  clock_.AdvanceBy(absl::Seconds(1));
  EXPECT_EQ(SendToken("a").status, 200);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 3u);
}

TEST_F(AuthorizationTest, AsksEveryTimeIfNothingIsKept) {
  Use({.type = Authorizer::Type::kToken,
       .identity_sources = {HeaderSource("Authorization")},
       .ttl = absl::ZeroDuration()});
  Answers(PolicyResult("Allow", "*"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(SendToken("a").status, 200);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 3u);
}

TEST_F(AuthorizationTest, GivesAFunctionTheRequestWithoutItsBody) {
  Use({.type = Authorizer::Type::kRequest,
       .role_arn = "arn:role",
       .identity_sources = {
           HeaderSource("Authorization"),
           {.kind = ParameterSource::Kind::kQueryString, .name = "q"},
           {.kind = ParameterSource::Kind::kStageVariable, .name = "color"},
           {.kind = ParameterSource::Kind::kContext, .name = "httpMethod"}}});
  Answers(PolicyResult("Allow", "*"));
  EXPECT_EQ(SendToken("t").status, 200);
  ASSERT_EQ(invoker_.authorizer_requests.size(), 1u);
  EXPECT_EQ(invoker_.authorizer_requests[0].role_arn, "arn:role");
  const Json::Value event =
      *json::ParseValue(invoker_.authorizer_requests[0].payload);
  EXPECT_EQ(event["type"], "REQUEST");
  EXPECT_EQ(event["methodArn"], absl::StrCat(kArn, "/prod/GET/orders"));
  EXPECT_EQ(event["resource"], "/orders");
  EXPECT_EQ(event["headers"]["authorization"], "t");
  EXPECT_EQ(event["queryStringParameters"]["q"], "1");
  EXPECT_EQ(event["stageVariables"]["color"], "blue");
  EXPECT_EQ(event["requestContext"]["stage"], "prod");
  EXPECT_FALSE(event.isMember("body"));
  // The policy is kept for these values.
  EXPECT_EQ(SendToken("t").status, 200);
  EXPECT_EQ(invoker_.authorizer_requests.size(), 1u);
  invoker_.requests.clear();
  ExpectUnauthorized(SendToken(""));
}

TEST_F(AuthorizationTest, TakesTheKeyFromTheAuthorizer) {
  registry_.PutApi("api1", "orders", {.key_source = KeySource::kAuthorizer});
  registry_.PutKey({.id = "k1", .value = "open-sesame"});
  registry_.PutPlan({.id = "p1", .stages = {{"api1", "prod"}}});
  ASSERT_TRUE(registry_.AddKeyToPlan("p1", "k1").ok());
  UseToken();
  PutMethod("r-orders",
            {.http_method = "GET",
             .api_key_required = true,
             .authorization = {.type = MethodAuthorization::Type::kCustom,
                               .authorizer_id = "a1"}});
  Redeploy();
  Answers(PolicyResult("Allow", "*", R"(,"usageIdentifierKey":"wrong")"));
  EXPECT_EQ(SendToken("a").status, 403);
  Answers(PolicyResult("Allow", "*", R"(,"usageIdentifierKey":"open-sesame")"));
  EXPECT_EQ(SendToken("b").status, 200);
  EXPECT_EQ(Event()["requestContext"]["identity"]["apiKeyId"], "k1");
}

TEST_F(AuthorizationTest, AsksAUserPoolAboutTheToken) {
  UsePool();
  tokens_.verdict = {
      .outcome = cognito::Verdict::Outcome::kValid,
      .claims = *json::ParseValue(
          R"({"sub":"u-1","aud":"client","auth_time":1,"email_verified":true})")};
  EXPECT_EQ(SendToken("Bearer x.y.z").status, 200);
  EXPECT_EQ(tokens_.last.token, "Bearer x.y.z");
  EXPECT_EQ(tokens_.last.pool_arns, std::vector<std::string>{"arn:pool"});
  const Json::Value claims = Event()["requestContext"]["authorizer"]["claims"];
  EXPECT_EQ(claims["sub"], "u-1");
  EXPECT_EQ(claims["auth_time"], "1");
  EXPECT_EQ(claims["email_verified"], "true");
}

TEST_F(AuthorizationTest, RefusesWhatAUserPoolRefuses) {
  using Outcome = cognito::Verdict::Outcome;
  UsePool({"orders/read"});
  ExpectUnauthorized(SendToken(""));
  for (const Outcome outcome : {Outcome::kInvalid, Outcome::kLacksScope}) {
    tokens_.verdict = {.outcome = outcome, .reason = "forged"};
    ExpectUnauthorized(SendToken("t"));
    EXPECT_EQ(log_.back(), "g 401 forged -");
  }
  EXPECT_EQ(tokens_.last.scopes, std::vector<std::string>{"orders/read"});
  tokens_.verdict = {.outcome = Outcome::kExpired};
  ExpectRefused(SendToken("t"), 401,
                R"({"message":"The incoming token has expired"})",
                "UnauthorizedException");
}

TEST_F(AuthorizationTest, ComparesTheAudienceWithTheExpression) {
  Use({.type = Authorizer::Type::kCognito,
       .provider_arns = {"arn:pool"},
       .identity_sources = {HeaderSource("Authorization")},
       .validation_expression = "client-.*"});
  tokens_.verdict.outcome = cognito::Verdict::Outcome::kValid;
  tokens_.verdict.claims["aud"] = "other";
  ExpectUnauthorized(SendToken("t"));
  tokens_.verdict.claims["aud"] = "client-1";
  EXPECT_EQ(SendToken("t").status, 200);
}

TEST_F(AuthorizationTest, UsesTheAuthorizerOfTheDeployment) {
  UseToken();
  Answers(PolicyResult("Allow", "*"));
  ASSERT_TRUE(
      registry_
          .ChangeParts("api1",
                       [](ApiParts& parts) { parts.authorizers.erase("a1"); })
          .ok());
  EXPECT_EQ(SendToken("a").status, 200);
  Redeploy();
  invoker_.requests.clear();
  ExpectRefused(SendToken("a"), 500, R"({"message":null})",
                "AuthorizerConfigurationException");
}

}  // namespace
}  // namespace byoshin::local::apigateway
