#include "local/gateway/early_requests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/http/web_socket.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/testing/echo_service.h"
#include "local/gateway/testing/signed_request.h"

namespace byoshin::local {
namespace {

using http::testing::SocketClient;

const absl::Time kEarlyNow = absl::FromUnixSeconds(1794816000);

constexpr char kEarlySocket[] =
    "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

std::string GetOf(absl::string_view path) {
  return absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

// A gateway that holds early requests, with an echo for SQS, pages that say
// whether they were asked for early, and a WebSocket.
class EarlyGatewayTest : public ::testing::Test {
 protected:
  EarlyGatewayTest() {
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
    auto gateway =
        Gateway::Start({.port = 0,
                        .threads = 1,
                        .take_other =
                            [this](const http::ServerRequest& request,
                                   const http::Responder& respond) {
                              return Take(request, respond);
                            },
                        .is_needed_early =
                            [this](const http::ServerRequest& request) {
                              const std::lock_guard lock(mutex_);
                              ++asked_;
                              changed_.notify_all();
                              return request.path == "/needed";
                            }},
                       {&sqs_}, credentials_, clock_);
    EXPECT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
  }

  std::string Signed(std::vector<http::Header> headers = {}) {
    headers.push_back({"Content-Type", "application/x-amz-json-1.0"});
    headers.push_back({"X-Amz-Target", "AmazonSQS.ListQueues"});
    return testing::SignedRequest({.host = "localhost",
                                   .service = "sqs",
                                   .headers = std::move(headers),
                                   .body = "{}",
                                   .time = kEarlyNow});
  }

  // Sends it and waits until the gateway has handled or held it.
  SocketClient SendEarly(absl::string_view request) {
    int before;
    {
      const std::lock_guard lock(mutex_);
      before = asked_;
    }
    SocketClient client(gateway_->port());
    client.Send(request);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_ > before; });
    lock.unlock();
    // The gateway has one thread, so it is done with the other request.
    EXPECT_EQ(Ask(GetOf(kHealthPath)).status, 200);
    return client;
  }

  http::Response Ask(absl::string_view request) {
    SocketClient client(gateway_->port());
    client.Send(request);
    return client.ReadResponse();
  }

  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) {
    if (request.path == "/socket") {
      respond.Upgrade({});
      return true;
    }
    const std::lock_guard lock(mutex_);
    if (request.path == "/slow") {
      slow_.emplace(respond);
      return true;
    }
    if (request.path != "/page" && request.path != "/needed") return false;
    respond({.body = ready_ ? "ready" : "early"});
    return true;
  }
  void BecomeReady() {
    {
      const std::lock_guard lock(mutex_);
      ready_ = true;
    }
    gateway_->HandleEarly();
  }

  time::SimulatedClock clock_{kEarlyNow};
  CredentialSet credentials_;
  testing::EchoService sqs_{"sqs"};
  std::mutex mutex_;
  std::condition_variable changed_;
  int asked_ = 0;
  bool ready_ = false;
  // A request in progress.
  std::optional<http::Responder> slow_;
  std::unique_ptr<Gateway> gateway_;
};

TEST_F(EarlyGatewayTest, HoldsRequestsUntilTheCloudIsReady) {
  SocketClient page = SendEarly(GetOf("/page"));
  SocketClient call = SendEarly(Signed());
  BecomeReady();
  EXPECT_EQ(page.ReadResponse().body, "ready");
  EXPECT_TRUE(absl::StartsWith(call.ReadResponse().body, "sqs ListQueues"));
  EXPECT_EQ(Ask(GetOf("/page")).body, "ready");
}

TEST_F(EarlyGatewayTest, HandlesWhatDeploymentsNeedAtOnce) {
  EXPECT_EQ(Ask(GetOf("/needed")).body, "early");
  EXPECT_EQ(Ask(GetOf(kHealthPath)).status, 200);
  // As functions send it. This token is not one of theirs.
  EXPECT_TRUE(
      absl::StrContains(Ask(Signed({{"X-Amz-Security-Token", "invalid"}})).body,
                        "UnrecognizedClientException"));
}

TEST_F(EarlyGatewayTest, AcceptsAWebSocketOnceTheCloudIsReady) {
  SocketClient socket = SendEarly(kEarlySocket);
  BecomeReady();
  EXPECT_TRUE(absl::StartsWith(socket.Read(12), "HTTP/1.1 101"));
}

TEST_F(EarlyGatewayTest, RefusesWhatItStillHoldsWhenItStops) {
  SocketClient page = SendEarly(GetOf("/page"));
  gateway_->Stop();
  const http::Response refused = page.ReadResponse();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "");
}

TEST_F(EarlyGatewayTest, FinishesWhatHasBegunAndRefusesTheRestBeforeItStops) {
  SocketClient slow = SendEarly(GetOf("/slow"));
  BecomeReady();
  // The gateway has one thread, so it is done with the other request.
  EXPECT_EQ(Ask(GetOf(kHealthPath)).status, 200);
  std::atomic<bool> answered = false;
  std::thread stop([&] {
    gateway_->BeginStop(absl::Hours(1));
    EXPECT_TRUE(answered);
  });
  while (Ask(GetOf("/page")).status != 503) std::this_thread::yield();
  EXPECT_EQ(Ask(GetOf(kHealthPath)).status, 200);
  // As functions send it. This token is not one of theirs.
  EXPECT_TRUE(
      absl::StrContains(Ask(Signed({{"X-Amz-Security-Token", "invalid"}})).body,
                        "UnrecognizedClientException"));
  answered = true;
  (*std::exchange(slow_, std::nullopt))({.body = "done"});
  stop.join();
  EXPECT_EQ(slow.ReadResponse().body, "done");
}

// Counts answers by their status.
class CountingExchange final : public http::Responder::Exchange {
 public:
  CountingExchange(int& handled, int& refused, bool connected)
      : handled_(handled), refused_(refused), connected_(connected) {}
  void Send(http::ServerResponse response) override {
    ++(response.status == 503 ? refused_ : handled_);
  }
  bool connected() const override { return connected_; }

 private:
  int& handled_;
  int& refused_;
  const bool connected_;
};

class EarlyRequestsTest : public ::testing::Test {
 protected:
  void Hold(const http::ServerRequest& request, bool connected = true) {
    EXPECT_TRUE(
        early_.Hold(request, http::Responder(std::make_shared<CountingExchange>(
                                 handled_, refused_, connected))));
  }
  void Handle() {
    early_.Handle(
        [](const http::ServerRequest&, const http::Responder& respond) {
          respond({.status = 200});
        });
  }

  EarlyRequests early_;
  int handled_ = 0;
  int refused_ = 0;
};

TEST_F(EarlyRequestsTest, RefusesMoreThanItHasRoomFor) {
  for (std::size_t i = 0; i < kMaxEarlyRequests; ++i) Hold({});
  EXPECT_EQ(refused_, 0);
  Hold({});
  EXPECT_EQ(refused_, 1);
  Handle();
  EXPECT_EQ(handled_, kMaxEarlyRequests);
}

TEST_F(EarlyRequestsTest, RefusesLongerBodiesThanItHasRoomFor) {
  Hold({.body = std::string(kMaxEarlyBytes - 1, 'x')});
  Hold({.body = "x"});
  EXPECT_EQ(refused_, 0);
  Hold({.body = "x"});
  EXPECT_EQ(refused_, 1);
  Hold({});
  EXPECT_EQ(refused_, 1);
  Handle();
  EXPECT_EQ(handled_, 3);
}

TEST_F(EarlyRequestsTest, RefusesAllOnceItIsTold) {
  Hold({});
  early_.Refuse();
  EXPECT_EQ(refused_, 1);
  Hold({});
  EXPECT_EQ(refused_, 2);
  Handle();
  EXPECT_EQ(handled_, 0);
}

TEST_F(EarlyRequestsTest, RefusesNothingOnceTheCloudIsReady) {
  Handle();
  early_.Refuse();
  EXPECT_FALSE(
      early_.Hold({}, http::Responder(std::make_shared<CountingExchange>(
                          handled_, refused_, /*connected=*/true))));
  EXPECT_EQ(refused_, 0);
}

TEST_F(EarlyRequestsTest, SkipsClientsThatHaveLeft) {
  Hold({}, /*connected=*/false);
  Handle();
  EXPECT_EQ(handled_ + refused_, 0);
}

}  // namespace
}  // namespace byoshin::local
