// Messages to and from a WebSocket, and how it is closed.
#include "core/http/web_socket.h"

#include <cstddef>
#include <future>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/testing/web_socket_log.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::kBinaryFrame;
using ::byoshin::http::testing::kCloseFrame;
using ::byoshin::http::testing::kPingFrame;
using ::byoshin::http::testing::kPongFrame;
using ::byoshin::http::testing::SocketClient;
using ::byoshin::http::testing::WebSocketClient;
using ::byoshin::http::testing::WebSocketLog;
using ::byoshin::http::testing::WebSocketRequest;

class WebSocketTest : public ::testing::Test {
 protected:
  void Start(WebSocketUpgrade upgrade, ServerOptions options = {}) {
    // A slow machine is no dead client.
    upgrade.options.close_timeout = absl::InfiniteDuration();
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
        std::move(options), [upgrade = std::move(upgrade)](const ServerRequest&,
                                                           Responder respond) {
          respond.Upgrade(upgrade);
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // One that sends back what it gets.
  void StartEcho(ServerOptions options = {}) {
    WebSocketUpgrade upgrade = log_.Upgrade();
    upgrade.on_message = [](const std::shared_ptr<WebSocket>& socket,
                            WebSocketMessage::Type type, std::string data) {
      EXPECT_TRUE(socket->Send({.type = type, .head = std::move(data)}));
    };
    Start(std::move(upgrade), std::move(options));
  }

  WebSocketLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(WebSocketTest, CarriesTextAndBytesOfEveryLength) {
  StartEcho();
  WebSocketClient client(server_->port());
  for (std::size_t size : {0, 1, 125, 126, 65535, 65536, 1 << 19}) {
    const std::string text(size, 'x');
    client.SendText(text);
    EXPECT_EQ(client.ReadText(), text);
    const std::string bytes(size, '\xff');
    client.SendFrame(kBinaryFrame, bytes);
    const WebSocketClient::Frame frame = client.ReadFrame();
    EXPECT_EQ(frame.first_byte, kBinaryFrame);
    EXPECT_EQ(frame.payload, bytes);
  }
}

TEST_F(WebSocketTest, SendsFromAnyThreadEachInItsOrder) {
  Start(log_.Upgrade(), {.threads = 2});
  WebSocketClient client(server_->port());
  const std::shared_ptr<WebSocket> socket = log_.WaitForOpen(1).at(0);
  constexpr int kThreads = 4;
  constexpr int kMessages = 500;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&socket, thread] {
      for (int i = 0; i < kMessages; ++i) {
        EXPECT_TRUE(socket->SendText(absl::StrCat(thread, ":", i)));
      }
    });
  }
  std::vector<int> next(kThreads, 0);
  for (int i = 0; i < kThreads * kMessages; ++i) {
    const std::pair<std::string, std::string> text =
        absl::StrSplit(client.ReadText(), ':');
    int thread = 0;
    ASSERT_TRUE(absl::SimpleAtoi(text.first, &thread));
    EXPECT_EQ(text.second, absl::StrCat(next[thread]++));
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(WebSocketTest, CallsBackOnOneThreadWhicheverAccepted) {
  constexpr int kClients = 8;
  sync::Mutex mutex;
  std::set<std::thread::id> accepted;
  std::set<std::thread::id> called;
  WebSocketUpgrade upgrade = log_.Upgrade();
  upgrade.on_message = [&](const std::shared_ptr<WebSocket>& socket,
                           WebSocketMessage::Type, std::string data) {
    {
      const sync::MutexLock lock(mutex);
      called.insert(std::this_thread::get_id());
    }
    socket->SendText(std::move(data));
  };
  absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({.threads = 3, .drain_timeout = absl::ZeroDuration()},
                    [&](const ServerRequest&, Responder respond) {
                      {
                        const sync::MutexLock lock(mutex);
                        accepted.insert(std::this_thread::get_id());
                      }
                      respond.Upgrade(upgrade);
                    });
  ASSERT_TRUE(server.ok()) << server.status();
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<WebSocketClient>((*server)->port()));
    clients.back()->SendText("hello");
  }
  for (const auto& client : clients) EXPECT_EQ(client->ReadText(), "hello");
  (*server)->Stop();
  EXPECT_EQ(accepted.size(), 3);
  EXPECT_EQ(called.size(), 1);
}

TEST_F(WebSocketTest, ReachesEveryOneOfManySocketsFromAHandler) {
  // More than are woken in one turn, from a thread that is not theirs.
  constexpr std::size_t kClients = 150;
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      {.threads = 2, .drain_timeout = absl::ZeroDuration()},
      [&](const ServerRequest& request, const Responder& respond) {
        if (WantsWebSocket(request)) return respond.Upgrade(log_.Upgrade());
        for (const auto& socket : log_.WaitForOpen(kClients)) {
          EXPECT_TRUE(socket->SendText("first"));
          EXPECT_TRUE(socket->SendText("second"));
        }
        respond({.body = "sent"});
      });
  ASSERT_TRUE(server.ok()) << server.status();
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<WebSocketClient>((*server)->port()));
  }
  // Here, so that the handler, on the same thread as they, need not wait.
  log_.WaitForOpen(kClients);
  // Both threads get one of these requests.
  for (int round = 0; round < 2; ++round) {
    SocketClient publisher((*server)->port());
    publisher.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(publisher.ReadResponse().body, "sent");
    for (const auto& client : clients) {
      EXPECT_EQ(client->ReadText(), "first");
      EXPECT_EQ(client->ReadText(), "second");
    }
  }
}

TEST_F(WebSocketTest, SharesOneMessageAmongManySockets) {
  Start(log_.Upgrade(), {.drain_timeout = absl::ZeroDuration()});
  constexpr int kClients = 10;
  std::vector<std::unique_ptr<WebSocketClient>> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<WebSocketClient>(server_->port()));
  }
  auto text = std::make_shared<const std::string>(100'000, 'x');
  std::set<const WebSocket*> distinct;
  for (const auto& socket : log_.WaitForOpen(kClients)) {
    EXPECT_TRUE(socket->SendText(text));
    EXPECT_TRUE(socket->Send({.head = "head,", .shared = text}));
    distinct.insert(socket.get());
  }
  EXPECT_EQ(distinct.size(), kClients);
  for (const auto& client : clients) {
    EXPECT_EQ(client->ReadText(), *text);
    EXPECT_EQ(client->ReadText(), absl::StrCat("head,", *text));
  }
  server_->Stop();
  EXPECT_EQ(text.use_count(), 1);
  for (const auto& socket : log_.WaitForOpen(kClients)) {
    EXPECT_EQ(socket->unsent_bytes(), 0);
  }
}

TEST_F(WebSocketTest, AnswersPings) {
  StartEcho();
  WebSocketClient client(server_->port());
  for (const std::string& payload :
       {std::string(), std::string("\xff"), std::string(125, 'x')}) {
    client.SendFrame(kPingFrame, payload);
    const WebSocketClient::Frame frame = client.ReadFrame();
    EXPECT_EQ(frame.first_byte, kPongFrame);
    EXPECT_EQ(frame.payload, payload);
  }
  client.SendFrame(kPongFrame, "nobody asked");
  client.SendText("still there");
  EXPECT_EQ(client.ReadText(), "still there");
}

TEST_F(WebSocketTest, ConfirmsTheCloseOfTheClient) {
  StartEcho();
  WebSocketClient client(server_->port());
  client.SendClose(4321, "bye");
  const WebSocketClose confirmed = client.ReadClose();
  EXPECT_EQ(confirmed.code, 4321);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  const WebSocketClose close = log_.WaitForClose(1).at(0);
  EXPECT_EQ(close.code, 4321);
  EXPECT_EQ(close.reason, "bye");
  EXPECT_FALSE(log_.WaitForOpen(1).at(0)->SendText("to nobody"));
}

TEST_F(WebSocketTest, ConfirmsACloseWithoutACode) {
  StartEcho();
  WebSocketClient client(server_->port());
  client.SendFrame(kCloseFrame, "");
  EXPECT_EQ(client.ReadFrame().payload, "");
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, kCloseNoCode);
}

TEST_F(WebSocketTest, ClosesAfterWhatWasSentBefore) {
  Start(log_.Upgrade());
  WebSocketClient client(server_->port());
  const std::shared_ptr<WebSocket> socket = log_.WaitForOpen(1).at(0);
  EXPECT_TRUE(socket->SendText("last words"));
  socket->Close(4400, "not understood");
  socket->Close(4401, "too late");
  EXPECT_FALSE(socket->SendText("too late"));
  EXPECT_EQ(client.ReadText(), "last words");
  const WebSocketClose close = client.ReadClose();
  EXPECT_EQ(close.code, 4400);
  EXPECT_EQ(close.reason, "not understood");
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, 4400);
  client.ConfirmClose(4400);
  EXPECT_EQ(client.ReadUntilEnd(), "");
}

TEST_F(WebSocketTest, ReplacesACodeThatMayNotBeSent) {
  Start(log_.Upgrade());
  WebSocketClient client(server_->port());
  log_.WaitForOpen(1).at(0)->Close(kCloseLost, "");
  EXPECT_EQ(client.ReadClose().code, kCloseInternalError);
}

TEST_F(WebSocketTest, DeliversNothingAfterACloseByTheOwner) {
  WebSocketUpgrade upgrade = log_.Upgrade();
  upgrade.on_message = [record = upgrade.on_message](const auto& socket,
                                                     auto type, auto data) {
    record(socket, type, data);
    socket->Close(4000, "enough");
  };
  Start(std::move(upgrade));
  WebSocketClient client(server_->port());
  client.SendBytes(absl::StrCat(testing::ClientFrame(0x81, "first"),
                                testing::ClientFrame(0x81, "second"),
                                testing::ClientFrame(0x88, "")));
  EXPECT_EQ(client.ReadClose().code, 4000);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, 4000);
  EXPECT_THAT(log_.messages(), ::testing::ElementsAre("first"));
}

TEST_F(WebSocketTest, TellsThatTheClientLeft) {
  Start(log_.Upgrade());
  WebSocketClient client(server_->port());
  client.SendText("begun");
  log_.WaitForMessage(1);
  client.Leave();
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, kCloseLost);
}

TEST_F(WebSocketTest, ClosesIfACallbackThrows) {
  WebSocketUpgrade upgrade = log_.Upgrade();
  upgrade.on_message = [](const auto&, auto, auto) {
    throw std::runtime_error("unexpected");
  };
  Start(std::move(upgrade));
  WebSocketClient client(server_->port());
  client.SendText("hello");
  EXPECT_EQ(client.ReadClose().code, kCloseInternalError);
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, kCloseInternalError);
  WebSocketClient another(server_->port());
}

// So that a callback that captures the handle does not keep it for ever.
TEST_F(WebSocketTest, DestroysTheCallbacksAfterTheClose) {
  std::promise<void> destroyed;
  const absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({}, [&destroyed](const ServerRequest&, Responder respond) {
        const std::shared_ptr<void> captured(
            nullptr, [&destroyed](void*) { destroyed.set_value(); });
        respond.Upgrade({.on_message = [captured](const auto&, auto, auto) {}});
      });
  ASSERT_TRUE(server.ok()) << server.status();
  WebSocketClient client((*server)->port());
  client.SendClose(1000);
  destroyed.get_future().wait();
  EXPECT_EQ(client.ReadClose().code, 1000);
}

TEST_F(WebSocketTest, NeitherHoldsSimulatedTimeNorFeelsIt) {
  time::SimulatedClock clock(absl::UnixEpoch());
  StartEcho({.drain_timeout = absl::ZeroDuration(), .clock = &clock});
  WebSocketClient client(server_->port());
  EXPECT_EQ(client.handshake().FindHeader("Date"),
            "Thu, 01 Jan 1970 00:00:00 GMT");
  log_.WaitForOpen(1);
  EXPECT_TRUE(clock.idle());
  EXPECT_EQ(clock.waiters(), 0);
  clock.RunUntil(absl::UnixEpoch() + absl::Hours(24 * 365));
  client.SendText("a year later");
  EXPECT_EQ(client.ReadText(), "a year later");
  EXPECT_THAT(log_.closes(), ::testing::IsEmpty());
  server_ = nullptr;
}

TEST_F(WebSocketTest, MayBeUsedAfterTheServerHasEnded) {
  Start(log_.Upgrade(), {.drain_timeout = absl::ZeroDuration()});
  const WebSocketClient client(server_->port());
  const std::shared_ptr<WebSocket> socket = log_.WaitForOpen(1).at(0);
  server_->Stop();
  server_ = nullptr;
  EXPECT_FALSE(socket->SendText("to nobody"));
  socket->Close(1000, "");
  EXPECT_EQ(socket->unsent_bytes(), 0);
}

TEST_F(WebSocketTest, CountsAsAConnectionThatIsNeverIdle) {
  Start(log_.Upgrade(), {.max_connections = 1});
  WebSocketClient first(server_->port());
  log_.WaitForOpen(1);
  EXPECT_EQ(server_->connections(), 1);
  SocketClient second(server_->port());
  second.Send(WebSocketRequest());
  first.SendText("still here");
  log_.WaitForMessage(1);
  first.SendClose(1000);
  EXPECT_EQ(second.ReadResponse().status, 101);
  EXPECT_EQ(log_.WaitForClose(1).at(0).code, 1000);
  EXPECT_EQ(log_.WaitForOpen(2).size(), 2);
}

}  // namespace
}  // namespace byoshin::http
