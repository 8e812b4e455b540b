// How a server with WebSockets ends: they are told, and do not keep it.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/socket_client.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/testing/web_socket_log.h"
#include "core/http/web_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::SocketClient;
using ::byoshin::http::testing::WebSocketClient;
using ::byoshin::http::testing::WebSocketLog;
using ::byoshin::http::testing::WebSocketRequest;

class WebSocketStop : public ::testing::Test {
 protected:
  void Start(ServerOptions options, WebSocketOptions socket_options = {}) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
        std::move(options),
        [this, socket_options](const ServerRequest&, Responder respond) {
          respond.Upgrade(log_.Upgrade(socket_options));
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  WebSocketLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(WebSocketStop, TellsClientsThatItGoesAway) {
  Start({.drain_timeout = absl::InfiniteDuration()},
        {.close_timeout = absl::InfiniteDuration()});
  WebSocketClient client(server_->port());
  log_.WaitForOpen(1).at(0)->SendText("sent before");
  std::thread stop([&] { server_->Stop(); });
  EXPECT_EQ(client.ReadText(), "sent before");
  const WebSocketClose close = client.ReadClose();
  EXPECT_EQ(close.code, kCloseGoingAway);
  EXPECT_EQ(close.reason, "the server is stopping");
  client.ConfirmClose(kCloseGoingAway);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  stop.join();
  EXPECT_EQ(server_->connections(), 0);
  ASSERT_EQ(log_.closes().size(), 1);
  EXPECT_EQ(log_.closes()[0].code, kCloseGoingAway);
}

TEST_F(WebSocketStop, CutsOffClientsThatDoNotConfirmIt) {
  Start({.drain_timeout = absl::ZeroDuration()},
        {.close_timeout = absl::InfiniteDuration()});
  const WebSocketClient client(server_->port());
  log_.WaitForOpen(1);
  server_->Stop();
  EXPECT_EQ(server_->connections(), 0);
  ASSERT_EQ(log_.closes().size(), 1);
  EXPECT_EQ(log_.closes()[0].code, kCloseGoingAway);
}

TEST_F(WebSocketStop, CutsOffClientsThatDoNotRead) {
  Start({.drain_timeout = absl::ZeroDuration()},
        {.max_unsent_bytes = 100'000,
         .ping_interval = absl::InfiniteDuration(),
         .close_timeout = absl::InfiniteDuration()});
  const WebSocketClient client(server_->port());
  const std::shared_ptr<WebSocket> socket = log_.WaitForOpen(1).at(0);
  while (socket->SendText(std::string(10'000, 'x'))) {
  }
  server_->Stop();
  EXPECT_EQ(socket->unsent_bytes(), 0);
}

TEST_F(WebSocketStop, ClosesASocketThatIsAcceptedMeanwhile) {
  HeldRequests held;
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      {.drain_timeout = absl::InfiniteDuration()}, held.Handler());
  ASSERT_TRUE(server.ok()) << server.status();
  SocketClient asking((*server)->port());
  asking.Send(WebSocketRequest());
  const std::vector<Responder> responders = held.WaitFor(1);
  std::thread stop([&] { (*server)->Stop(); });
  while (SocketClient().Connect((*server)->port())) {
  }
  responders.at(0).Upgrade(log_.Upgrade());
  EXPECT_EQ(asking.ReadResponse().status, 101);
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, kCloseGoingAway);
  asking.Close();
  stop.join();
}

// A machine that sleeps, or a process that is stopped and continued, finds
// timers expired and clients gone at once.
TEST_F(WebSocketStop, ReturnsIfATimerExpiredWhileItsClientLeft) {
  WebSocketOptions socket_options;
  socket_options.ping_interval = absl::Milliseconds(200);
  socket_options.ping_timeout = absl::Hours(24);
  const auto pause = absl::ToChronoMilliseconds(socket_options.ping_interval);
  std::promise<void> left;
  absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({}, [&](const ServerRequest& request, Responder respond) {
        if (request.path != "/block") {
          return respond.Upgrade(log_.Upgrade(socket_options));
        }
        // The server's only thread now misses what happens to the other client.
        left.get_future().wait();
        std::this_thread::sleep_until(std::chrono::steady_clock::now() + pause);
        respond({});
      });
  ASSERT_TRUE(server.ok()) << server.status();
  WebSocketClient leaving((*server)->port());
  log_.WaitForOpen(1);
  SocketClient blocking((*server)->port());
  blocking.Send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");

  leaving.Leave();
  left.set_value();

  EXPECT_EQ(blocking.ReadResponse().status, 200);
  (*server)->Stop();
  EXPECT_EQ((*server)->connections(), 0);
  EXPECT_EQ(log_.closes().size(), 1);
}

TEST_F(WebSocketStop, EndsASocketThatReachesItsThreadLate) {
  std::promise<void> served;
  std::promise<void> stopping;
  std::promise<void> never;
  Start({.threads = 3,
         .drain_timeout = absl::ZeroDuration(),
         .on_served = [&](const ServedRequest& request) {
           if (request.status != 101) return;
           served.set_value();
           stopping.get_future().wait();
           // Time for the thread of the WebSockets to end too early.
           never.get_future().wait_for(std::chrono::milliseconds(100));
         }});
  // The first thread accepts, the second gets the WebSocket.
  SocketClient first(server_->port());
  WebSocketClient client(server_->port());
  served.get_future().wait();
  std::thread stop([&] { server_->Stop(); });
  stopping.set_value();
  stop.join();
  EXPECT_EQ(server_->connections(), 0);
}

// Owners send and close, clients come and go, the server stops: in any order.
TEST_F(WebSocketStop, GetsThroughWhileSocketsAreBusy) {
  Start({.threads = 2, .drain_timeout = absl::ZeroDuration()},
        {.max_unsent_bytes = 50'000});
  std::atomic<bool> stopped = false;
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(std::make_unique<WebSocketClient>(server_->port()));
  }
  const std::vector<std::shared_ptr<WebSocket>> sockets = log_.WaitForOpen(8);
  std::vector<std::thread> owners;
  const auto text = std::make_shared<const std::string>(1000, 'x');
  std::atomic<int> sent = 0;
  for (int i = 0; i < 4; ++i) {
    owners.emplace_back([&, i] {
      while (!stopped) {
        for (const auto& socket : sockets) sent += socket->SendText(text);
        if (sent > 1000) sockets[i]->Close(4000, "enough");
      }
    });
  }
  clients[7]->Leave();
  while (sent < 2000 && log_.closes().size() < 8) std::this_thread::yield();

  server_->Stop();

  stopped = true;
  for (std::thread& owner : owners) owner.join();
  EXPECT_EQ(log_.closes().size(), 8);
  EXPECT_EQ(server_->connections(), 0);
  EXPECT_EQ(text.use_count(), 1);
}

}  // namespace
}  // namespace byoshin::http
