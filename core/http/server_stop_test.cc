// How a server ends: requests under way are finished, others are not begun.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/served_log.h"
#include "core/http/testing/socket_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::kGet;
using ::byoshin::http::testing::ServedLog;
using ::byoshin::http::testing::SocketClient;

class ServerStop : public ::testing::Test {
 protected:
  void Start(ServerOptions options) {
    options.on_served = log_.Recorder();
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start(std::move(options), held_.Handler());
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // Returns once the server no longer accepts connections.
  void WaitUntilStopping() {
    while (SocketClient().Connect(server_->port())) {
    }
  }

  HeldRequests held_;
  ServedLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerStop, LetsARequestUnderWayFinish) {
  Start({.drain_timeout = absl::InfiniteDuration()});
  SocketClient client(server_->port());
  client.Send(kGet);
  const Responder respond = held_.WaitFor(1).at(0);
  std::thread stop([&] { server_->Stop(); });
  WaitUntilStopping();

  respond({.body = "just in time"});

  const Response response = client.ReadResponse();
  EXPECT_EQ(response.body, "just in time");
  EXPECT_EQ(response.FindHeader("Connection"), "close");
  EXPECT_EQ(client.ReadUntilEnd(), "");
  client.Close();
  stop.join();
}

TEST_F(ServerStop, LetsARequestThatHasBegunToArriveFinish) {
  Start({.drain_timeout = absl::InfiniteDuration()});
  SocketClient client(server_->port());
  client.Send(
      "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: 1\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().status, 100);
  std::thread stop([&] { server_->Stop(); });
  WaitUntilStopping();

  client.Send("x");
  held_.WaitFor(1).at(0)({.body = "just in time"});

  EXPECT_EQ(client.ReadResponse().body, "just in time");
  client.Close();
  stop.join();
}

TEST_F(ServerStop, ClosesIdleConnectionsAtOnce) {
  Start({.drain_timeout = absl::InfiniteDuration()});
  SocketClient silent(server_->port());
  SocketClient waiting(server_->port());
  waiting.Send(kGet);
  held_.WaitFor(1).at(0)({});
  EXPECT_EQ(waiting.ReadResponse().status, 200);

  server_->Stop();

  EXPECT_EQ(silent.ReadUntilEnd(), "");
  EXPECT_EQ(waiting.ReadUntilEnd(), "");
  EXPECT_EQ(server_->connections(), 0);
}

// The server has no room for the second client, so only the system knows it.
TEST_F(ServerStop, ServesClientsThatItHasNotAcceptedYet) {
  Start({.max_connections = 1, .drain_timeout = absl::InfiniteDuration()});
  SocketClient first(server_->port());
  first.Send(kGet);
  const Responder answer_first = held_.WaitFor(1).at(0);
  SocketClient second(server_->port());
  second.Send(kGet);

  std::thread stop([&] { server_->Stop(); });
  held_.WaitFor(1).at(0)({.body = "just in time"});
  answer_first({});

  EXPECT_EQ(first.ReadResponse().status, 200);
  EXPECT_EQ(first.ReadUntilEnd(), "");
  EXPECT_EQ(second.ReadResponse().body, "just in time");
  EXPECT_EQ(second.ReadUntilEnd(), "");
  stop.join();
}

TEST_F(ServerStop, CutsOffWhatTakesTooLong) {
  Start({.drain_timeout = absl::ZeroDuration()});
  SocketClient waiting(server_->port());
  waiting.Send(kGet);
  const Responder respond = held_.WaitFor(1).at(0);

  server_->Stop();

  EXPECT_EQ(waiting.ReadUntilEnd(), "");
  EXPECT_EQ(log_.WaitFor(1).at(0).error,
            "the server stopped before the answer");
  EXPECT_FALSE(respond.connected());
  server_.reset();
  respond({.body = "to nobody"});
}

TEST_F(ServerStop, CanBeAskedForTwiceAndByTheDestructor) {
  Start({});
  std::thread other([&] { server_->Stop(); });
  server_->Stop();
  other.join();
  server_->Stop();
  server_.reset();
}

TEST_F(ServerStop, FreesThePort) {
  Start({});
  SocketClient client(server_->port());
  client.Send(kGet);
  held_.WaitFor(1).at(0)({});
  client.ReadResponse();
  const int port = server_->port();
  server_->Stop();
  EXPECT_FALSE(SocketClient().Connect(port));
}

TEST_F(ServerStop, GetsThroughWhileClientsKeepComing) {
  Start({.threads = 2, .drain_timeout = absl::ZeroDuration()});
  SocketClient asking(server_->port());
  asking.Send(kGet);
  const std::vector<Responder> held = held_.WaitFor(1);
  std::atomic<int> came = 0;
  std::atomic<bool> stopped = false;
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      while (!stopped) came += SocketClient().Connect(server_->port());
    });
  }
  while (came < 100) std::this_thread::yield();

  server_->Stop();

  stopped = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(server_->connections(), 0);
  EXPECT_FALSE(held.at(0).connected());
}

// A machine that sleeps, or a process that is stopped and continued, finds
// timers expired and clients gone at once.
TEST_F(ServerStop, ReturnsIfATimerExpiredWhileItsClientLeft) {
  ServerOptions options;
  options.idle_timeout = absl::Hours(24);
  options.write_timeout = absl::Milliseconds(200);
  const auto pause = absl::ToChronoMilliseconds(options.write_timeout);
  std::promise<void> left;
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      options, [&](const ServerRequest& request, Responder respond) {
        if (request.path == "/block") {
          // The server's only thread now misses what happens to the other
          // client, whose timer runs from its answer.
          left.get_future().wait();
          std::this_thread::sleep_until(std::chrono::steady_clock::now() +
                                        pause);
        }
        respond({});
      });
  ASSERT_TRUE(server.ok()) << server.status();
  SocketClient leaving((*server)->port());
  leaving.Send(kGet);
  EXPECT_EQ(leaving.ReadResponse().status, 200);
  SocketClient blocking((*server)->port());
  blocking.Send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");

  leaving.Close();
  left.set_value();

  EXPECT_EQ(blocking.ReadResponse().status, 200);
  (*server)->Stop();
  EXPECT_EQ((*server)->connections(), 0);
}

}  // namespace
}  // namespace byoshin::http
