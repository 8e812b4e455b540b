// What web pages on other origins, and other hosts, get from the gateway.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/testing/echo_service.h"
#include "local/gateway/testing/signed_request.h"

namespace byoshin::local {
namespace {

constexpr char kApp[] = "https://app.example.com";

class GatewayAccess : public ::testing::Test {
 protected:
  GatewayAccess() {
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
    auto gateway =
        Gateway::Start({.port = 0,
                        .allowed_origins = {kApp},
                        .allowed_hosts = {"box"},
                        .take_other =
                            [this](const http::ServerRequest& request,
                                   const http::Responder& respond) {
                              if (request.path != "/page") return false;
                              ++pages_;
                              respond({.body = "a page"});
                              return true;
                            },
                        .on_request =
                            [this](const AccessRecord& record) {
                              statuses_.push_back(record.status);
                            }},
                       {&sqs_, &dynamodb_}, credentials_, clock_);
    EXPECT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
    host_ = absl::StrCat("127.0.0.1:", gateway_->port());
  }

  http::Response Ask(absl::string_view bytes) {
    http::testing::SocketClient client(gateway_->port());
    client.Send(bytes);
    return client.ReadResponse();
  }
  // A signed request whose sender adds headers that are not signed.
  http::Response AskSigned(const std::string& host,
                           const std::vector<http::Header>& added,
                           const std::string& target = "/") {
    std::string bytes = testing::SignedRequest(
        {.target = target,
         .host = host,
         .service = "sqs",
         .headers = {{"Content-Type", "application/x-amz-json-1.0"},
                     {"X-Amz-Target", "AmazonSQS.ListQueues"}},
         .body = "{}",
         .time = clock_.Now()});
    std::string lines;
    for (const http::Header& header : added) {
      absl::StrAppend(&lines, header.name, ": ", header.value, "\r\n");
    }
    bytes.insert(bytes.find("\r\n") + 2, lines);
    return Ask(bytes);
  }
  http::Response AskPlainly(const std::string& method, const std::string& path,
                            const std::string& host,
                            absl::string_view lines = "") {
    return Ask(absl::StrCat(method, " ", path, " HTTP/1.1\r\nHost: ", host,
                            "\r\n", lines, "\r\n"));
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1794816000)};
  CredentialSet credentials_;
  testing::EchoService sqs_{"sqs"};
  testing::EchoService dynamodb_{"dynamodb"};
  int pages_ = 0;
  std::vector<int> statuses_;
  std::unique_ptr<Gateway> gateway_;
  std::string host_;
};

TEST_F(GatewayAccess, ARightSignatureDoesNotHelpAPageOnAnotherOrigin) {
  EXPECT_EQ(AskSigned(host_, {}).status, 200);
  const http::Response script =
      AskSigned(host_, {{"Origin", "https://evil.example"}});
  EXPECT_EQ(script.status, 403);
  EXPECT_TRUE(absl::StrContains(script.body, "AccessDeniedException"));
  EXPECT_TRUE(absl::StrContains(script.body, "--allow-origin=ORIGIN"));
  EXPECT_EQ(script.FindHeader("Access-Control-Allow-Origin"), "");
  const http::Response image =
      AskSigned(host_, {{"Sec-Fetch-Site", "cross-site"},
                        {"Sec-Fetch-Mode", "no-cors"},
                        {"Sec-Fetch-Dest", "image"}});
  EXPECT_EQ(image.status, 403);
  EXPECT_EQ(AskSigned(host_, {{"Origin", "null"}}).status, 403);
  EXPECT_EQ(statuses_, (std::vector<int>{200, 403, 403, 403}));
}

TEST_F(GatewayAccess, ARightSignatureDoesNotHelpARequestForAnotherHost) {
  const http::Response rebound = AskSigned("rebound.example:4566", {});
  EXPECT_EQ(rebound.status, 403);
  EXPECT_TRUE(absl::StrContains(rebound.body, "--allow-host=NAME"));
  EXPECT_EQ(AskSigned("box:4566", {}).status, 200);
  EXPECT_EQ(AskSigned("sqs.us-east-1.amazonaws.com", {}).status, 200);
}

TEST_F(GatewayAccess, ErrorsAreInTheProtocolOfTheRequest) {
  const http::Response query =
      AskPlainly("GET", "/?Action=PurgeQueue&X-Amz-Algorithm=AWS4-HMAC-SHA256",
                 host_, "Sec-Fetch-Site: cross-site\r\n");
  EXPECT_EQ(query.status, 403);
  EXPECT_TRUE(absl::StrContains(query.body, "<Code>AccessDenied</Code>"))
      << query.body;
  const http::Response page = AskPlainly("GET", "/page", "rebound.example");
  EXPECT_EQ(page.status, 403);
  EXPECT_TRUE(absl::StartsWith(page.body, "{\"error\":\"the Host header"));
}

TEST_F(GatewayAccess, EveryPathIsBehindTheGuard) {
  for (const char* path :
       {"/", "/page", "/_byoshin/health", "/_byoshin/api/reset",
        "/000000000000/orders", "/2015-03-31/functions/f/invocations"}) {
    for (const char* method : {"GET", "POST", "OPTIONS", "DELETE"}) {
      EXPECT_EQ(AskPlainly(method, path, "rebound.example").status, 403)
          << method << path;
      EXPECT_EQ(AskPlainly(method, path, host_,
                           "Origin: https://evil.example\r\n"
                           "Access-Control-Request-Method: POST\r\n")
                    .status,
                403)
          << method << path;
    }
  }
  EXPECT_EQ(pages_, 0);
  EXPECT_EQ(AskPlainly("GET", "/page", host_).body, "a page");
}

TEST_F(GatewayAccess, AnAllowedOriginMayAskBeforeItCalls) {
  const http::Response preflight =
      AskPlainly("OPTIONS", "/", host_,
                 absl::StrCat("Origin: ", kApp,
                              "\r\nAccess-Control-Request-Method: POST\r\n"
                              "Access-Control-Request-Headers: "
                              "authorization,x-amz-target\r\n"));
  EXPECT_EQ(preflight.status, 204);
  EXPECT_EQ(preflight.FindHeader("Access-Control-Allow-Origin"), kApp);
  EXPECT_EQ(preflight.FindHeader("Access-Control-Allow-Methods"), "POST");
  EXPECT_EQ(preflight.FindHeader("Access-Control-Allow-Headers"),
            "authorization,x-amz-target");
  EXPECT_EQ(preflight.FindHeader("Vary"), "Origin");
}

TEST_F(GatewayAccess, AnAllowedOriginMayReadAnswersAndErrors) {
  const http::Response answer = AskSigned(host_, {{"Origin", kApp}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.FindHeader("Access-Control-Allow-Origin"), kApp);
  EXPECT_EQ(answer.FindHeader("Access-Control-Expose-Headers"), "*");
  const http::Response unsigned_call =
      AskPlainly("POST", "/", host_,
                 absl::StrCat("Origin: ", kApp, "\r\nContent-Length: 0\r\n"));
  EXPECT_EQ(unsigned_call.FindHeader("Access-Control-Allow-Origin"), kApp);
  const http::Response health = AskPlainly(
      "GET", "/_byoshin/health", host_, absl::StrCat("Origin: ", kApp, "\r\n"));
  EXPECT_EQ(health.FindHeader("Access-Control-Allow-Origin"), kApp);
}

// REST APIs say themselves who may read their answers.
TEST_F(GatewayAccess, NothingIsAddedToAnswersOfOthers) {
  const http::Response page =
      AskPlainly("OPTIONS", "/page", host_,
                 absl::StrCat("Origin: ", kApp,
                              "\r\nAccess-Control-Request-Method: GET\r\n"));
  EXPECT_EQ(page.body, "a page");
  EXPECT_EQ(page.FindHeader("Access-Control-Allow-Origin"), "");
}

}  // namespace
}  // namespace byoshin::local
