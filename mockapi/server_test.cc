#include "mockapi/server.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/testing/socket_client.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mockapi {
namespace {

using ::byoshin::http::testing::SocketClient;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kTarget[] =
    "/response_count?from=2025-12-02T10:23:00Z&to=2025-12-02T10%3A23%3A05Z";
constexpr char kBody[] =
    R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":1})";

std::string GetRequest(absl::string_view target) {
  return absl::StrCat("GET ", target, " HTTP/1.1\r\nHost: x\r\n\r\n");
}

class MockServer : public ::testing::Test {
 protected:
  MockServer() {
    absl::StatusOr<std::unique_ptr<http::Server>> server =
        StartServer({.threads = 2}, logger_);
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  http::Response Get(absl::string_view target) {
    SocketClient client(server_->port());
    client.Send(GetRequest(target));
    return client.ReadResponse();
  }

  time::SimulatedClock clock_{absl::UnixEpoch()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  std::unique_ptr<http::Server> server_;
};

TEST_F(MockServer, AnswersOverHttp) {
  const http::Response response = Get(kTarget);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.FindHeader("Content-Type"), "application/json");
  EXPECT_EQ(response.body, kBody);
  EXPECT_EQ(Get("/health").body, R"({"status":"ok"})");
}

TEST_F(MockServer, RefusesAQueryThatCannotBeTakenApart) {
  const http::Response response = Get("/response_count?from=%zz");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr(R"({"error":)"));
}

TEST_F(MockServer, RefusesOtherMethodsWithoutLosingTheConnection) {
  SocketClient client(server_->port());
  client.Send(
      "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
  const http::Response response = client.ReadResponse();
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.FindHeader("Allow"), "GET, HEAD");
  client.Send(GetRequest("/health"));
  EXPECT_EQ(client.ReadResponse().status, 200);
}

TEST_F(MockServer, ServesHundredsOfClientsAtATime) {
  constexpr int kClients = 400;
  std::vector<SocketClient> clients;
  for (int i = 0; i < kClients; ++i) clients.emplace_back(server_->port());
  for (int round = 0; round < 3; ++round) {
    for (SocketClient& client : clients) client.Send(GetRequest(kTarget));
    for (SocketClient& client : clients) {
      EXPECT_EQ(client.ReadResponse().body, kBody);
    }
  }
  EXPECT_EQ(server_->connections(), kClients);
}

TEST_F(MockServer, WritesOneLinePerRequest) {
  Get("/health?x=%E3%81%82");
  SocketClient client(server_->port());
  client.Send("nonsense\r\n\r\n");
  client.ReadUntilEnd();
  server_->Stop();

  ASSERT_EQ(sink_.lines().size(), 2);
  const Json::Value served = sink_.AtLevel("INFO").at(0);
  EXPECT_EQ(served["message"].asString(), "request served");
  EXPECT_EQ(served["method"].asString(), "GET");
  EXPECT_EQ(served["target"].asString(), "/health?x=%E3%81%82");
  EXPECT_EQ(served["status"].asInt(), 200);
  EXPECT_THAT(served["remote"].asString(), HasSubstr("127.0.0.1:"));
  EXPECT_GT(served["responseBytes"].asInt(), 0);
  EXPECT_GT(served["milliseconds"].asDouble(), 0);
  const Json::Value failed = sink_.AtLevel("WARN").at(0);
  EXPECT_EQ(failed["message"].asString(), "request failed");
  EXPECT_EQ(failed["status"].asInt(), 400);
  EXPECT_THAT(failed["error"].asString(), HasSubstr("malformed"));
}

TEST(PortFrom, IsTheVariableOr3000) {
  EXPECT_EQ(PortFrom(env::FromMap({})).value(), 3000);
  EXPECT_EQ(PortFrom(env::FromMap({{"PORT", ""}})).value(), 3000);
  EXPECT_EQ(PortFrom(env::FromMap({{"PORT", "8080"}})).value(), 8080);
  EXPECT_EQ(PortFrom(env::FromMap({{"PORT", "65535"}})).value(), 65535);
  EXPECT_EQ(PortFrom(env::FromMap({{"PORT", "0"}})).value(), 0);
}

TEST(PortFrom, RefusesWhatIsNoPort) {
  for (const std::string text : {"x", "65536", "-1", "+1", " 1", "1 ", "1.0",
                                 "0x10", "99999999999999999999"}) {
    const absl::Status status =
        PortFrom(env::FromMap({{"PORT", text}})).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("PORT"), HasSubstr(text), HasSubstr("65535")));
  }
}

}  // namespace
}  // namespace byoshin::mockapi
