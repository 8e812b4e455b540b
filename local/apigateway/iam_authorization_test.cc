#include "local/apigateway/iam_authorization.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "local/apigateway/front_fixture.h"
#include "local/apigateway/rest_api.h"
#include "local/iam/iam.h"
#include "local/iam/policy.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kSignedPath[] = "/restapis/api1/prod/_user_request_/orders";
constexpr char kOrdersArn[] =
    "arn:aws:execute-api:us-east-1:000000000000:api1/prod/GET/orders";

class IamAuthorizationTest : public FrontTest {
 protected:
  void SetUp() override {
    FrontTest::SetUp();
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
    PutMethod("r-orders",
              {.http_method = "GET",
               .authorization = {.type = MethodAuthorization::Type::kIam}});
    Redeploy();
  }

  // A role of API users, whose policy allows `resource`, and its credentials.
  aws::Credentials AssumeRole(absl::string_view resource) {
    const auto policy = [](absl::string_view statement, iam::PolicyKind kind) {
      return *iam::ParsePolicy(
          *json::ParseValue(absl::StrCat(
              R"({"Version":"2012-10-17","Statement":[)", statement, "]}")),
          kind);
    };
    const std::string arn = iam_.RoleArn("/", "caller");
    iam_.PutRole(
        {.name = "caller",
         .arn = arn,
         .trust = policy(R"({"Effect":"Allow","Action":"sts:AssumeRole",
                             "Principal":{"Service":"lambda.amazonaws.com"}})",
                         iam::PolicyKind::kTrust),
         .policies = {
             {.name = "p",
              .document = policy(
                  absl::StrCat(R"({"Effect":"Allow",)"
                               R"("Action":"execute-api:Invoke","Resource":")",
                               resource, "\"}"),
                  iam::PolicyKind::kIdentity)}}});
    const absl::StatusOr<iam::SessionCredentials> session =
        iam_.AssumeRole({.role_arn = arn,
                         .session_name = "s",
                         .service = "lambda.amazonaws.com"});
    EXPECT_TRUE(session.ok()) << session.status();
    const aws::Credentials credentials{
        .access_key_id = session->access_key_id,
        .secret_access_key = aws::Secret(session->secret_access_key),
        .session_token = aws::Secret(session->session_token)};
    credentials_.Add({.access_key_id = credentials.access_key_id,
                      .secret_access_key = credentials.secret_access_key,
                      .session_token = credentials.session_token,
                      .expires = session->expiration});
    return credentials;
  }

  http::ServerResponse SendSigned(
      const aws::Credentials& credentials = {"test", aws::Secret("test")},
      absl::string_view service = "execute-api") {
    aws::RequestParts parts{.method = "GET",
                            .path = kSignedPath,
                            .headers = {{"Host", "127.0.0.1:4566"}}};
    http::ServerRequest request{.method = "GET",
                                .target = kSignedPath,
                                .path = kSignedPath,
                                .headers = parts.headers};
    const aws::Signature signature = aws::Sign(parts, credentials,
                                               {.region = "us-east-1",
                                                .service = std::string(service),
                                                .time = clock_.Now()});
    request.headers.insert(request.headers.end(), signature.headers.begin(),
                           signature.headers.end());
    return Send(request);
  }
};

TEST_F(IamAuthorizationTest, LetsTheAccountPassAndNamesIt) {
  const http::ServerResponse response = SendSigned();
  EXPECT_EQ(response.status, 200) << response.body;
  const Json::Value identity = Event()["requestContext"]["identity"];
  EXPECT_EQ(identity["accessKey"], "test");
  EXPECT_EQ(identity["accountId"], "000000000000");
  EXPECT_EQ(identity["userArn"], "arn:aws:iam::000000000000:root");
}

TEST_F(IamAuthorizationTest, LetsARolePassThatMayInvokeTheMethod) {
  EXPECT_EQ(SendSigned(AssumeRole(kOrdersArn)).status, 200);
  EXPECT_EQ(Event()["requestContext"]["identity"]["userArn"],
            "arn:aws:sts::000000000000:assumed-role/caller/s");
}

TEST_F(IamAuthorizationTest, RefusesARoleThatMayNot) {
  const http::ServerResponse response =
      SendSigned(AssumeRole(absl::StrCat(kOrdersArn, "/other")));
  EXPECT_EQ(response.status, 403);
  EXPECT_EQ(
      response.body,
      absl::StrCat(R"({"Message":"User: )",
                   "arn:aws:sts::000000000000:assumed-role/caller/s is not "
                   "authorized to perform: execute-api:Invoke on resource: ",
                   kOrdersArn, R"("})"));
  EXPECT_EQ(denied_, std::vector<std::string>{"execute-api:Invoke"});
  EXPECT_TRUE(invoker_.requests.empty());
}

TEST_F(IamAuthorizationTest, RefusesWhatIsNotSignedForIt) {
  const http::ServerResponse missing = Get("/orders");
  EXPECT_EQ(missing.status, 403);
  EXPECT_EQ(missing.body, R"({"message":"Missing Authentication Token"})");
  for (const http::ServerResponse& response :
       {SendSigned({"test", aws::Secret("wrong")}),
        SendSigned({"nobody", aws::Secret("test")}),
        SendSigned({"test", aws::Secret("test")}, "sqs")}) {
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(Header(response, "x-amzn-ErrorType"),
              "InvalidSignatureException");
  }
  EXPECT_TRUE(invoker_.requests.empty());
}

}  // namespace
}  // namespace byoshin::local::apigateway
