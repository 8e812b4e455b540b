// What clients that do not play by the rules of a WebSocket can do: nothing.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/testing/web_socket_log.h"
#include "core/http/web_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::ClientFrame;
using ::byoshin::http::testing::ClosePayload;
using ::byoshin::http::testing::kBinaryFrame;
using ::byoshin::http::testing::kCloseFrame;
using ::byoshin::http::testing::kGet;
using ::byoshin::http::testing::kPingFrame;
using ::byoshin::http::testing::kPongFrame;
using ::byoshin::http::testing::kTextFrame;
using ::byoshin::http::testing::SocketClient;
using ::byoshin::http::testing::WebSocketClient;
using ::byoshin::http::testing::WebSocketLog;
using ::byoshin::http::testing::WebSocketRequest;

constexpr absl::Duration kTiny = absl::Milliseconds(1);

class WebSocketLimits : public ::testing::Test {
 protected:
  void Start(WebSocketOptions options) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
        {}, [this, options](const ServerRequest&, Responder respond) {
          respond.Upgrade(log_.Upgrade(options));
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  WebSocketLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(WebSocketLimits, ClosesForWhatTheProtocolForbids) {
  struct Case {
    std::string frames;
    int code;
  };
  const Case kCases[] = {
      {ClientFrame(0xf1, "reserved bits"), 1002},
      {ClientFrame(0x83, "reserved opcode"), 1002},
      {std::string("\x81\x01x", 3), 1002},
      {ClientFrame(kPingFrame, std::string(126, 'x')), 1002},
      {ClientFrame(0x09, "fragmented"), 1002},
      {ClientFrame(0x80, "continues nothing"), 1002},
      {absl::StrCat(ClientFrame(0x01, "a"), ClientFrame(0x01, "b")), 1002},
      {absl::StrCat("\x82\xff\xff", std::string(11, '\0')), 1002},
      {ClientFrame(kCloseFrame, "x"), 1002},
      {ClientFrame(kCloseFrame, ClosePayload(1006)), 1002},
      {ClientFrame(kCloseFrame, ClosePayload(1000, "\xff")), 1007},
      {ClientFrame(kTextFrame, "\xff"), 1007},
      {ClientFrame(kBinaryFrame, std::string(1001, 'x')), 1009},
      {absl::StrCat("\x82\xff\x7f", std::string(11, '\xff')), 1009},
      {absl::StrCat(ClientFrame(0x02, std::string(1000, 'x')),
                    ClientFrame(0x80, "x")),
       1009},
  };
  Start({.max_message_bytes = 1000, .close_timeout = absl::InfiniteDuration()});
  std::size_t closed = 0;
  for (const Case& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.frames.substr(0, 30)));
    WebSocketClient client(server_->port());
    // More follows, which would make a close without care a reset.
    client.SendBytes(absl::StrCat(c.frames, std::string(100'000, 'x')));
    const WebSocketClose close = client.ReadClose();
    EXPECT_EQ(close.code, c.code);
    EXPECT_EQ(client.ReadUntilEnd(), "");
    const WebSocketClose told = log_.WaitForClose(++closed).back();
    EXPECT_EQ(told.code, c.code);
    EXPECT_EQ(told.reason, close.reason);
  }
  EXPECT_THAT(log_.messages(), ::testing::IsEmpty());
}

TEST_F(WebSocketLimits, LeaveRoomForOtherClients) {
  const absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({.max_connections = 3},
                    [this](const ServerRequest& request, Responder respond) {
                      if (!WantsWebSocket(request))
                        return respond({.body = "served"});
                      respond.Upgrade(log_.Upgrade());
                    });
  ASSERT_TRUE(server.ok()) << server.status();
  const std::uint16_t port = (*server)->port();
  WebSocketClient first(port);
  WebSocketClient second(port);
  SocketClient other(port);
  other.Send(WebSocketRequest());
  EXPECT_EQ(other.ReadResponse().status, 503);
  other.Send(kGet);
  EXPECT_EQ(other.ReadResponse().body, "served");
  // Its place is free again, once the connection is gone.
  first.SendClose(kCloseNormal);
  EXPECT_EQ(first.ReadClose().code, kCloseNormal);
  EXPECT_EQ(first.ReadUntilEnd(), "");
  while ((*server)->connections() > 2) std::this_thread::yield();
  WebSocketClient third(port);
}

TEST_F(WebSocketLimits, ClosesASlowReaderAndTellsTheOwner) {
  Start({.max_unsent_bytes = 100'000,
         .ping_interval = absl::InfiniteDuration(),
         .close_timeout = absl::InfiniteDuration()});
  WebSocketClient client(server_->port());
  const std::shared_ptr<WebSocket> socket = log_.WaitForOpen(1).at(0);
  const auto text = std::make_shared<const std::string>(10'000, 'x');
  // First into the buffers of the system, then into the server's own.
  while (socket->SendText(text)) {
  }
  const WebSocketClose close = log_.WaitForClose(1).at(0);
  EXPECT_EQ(close.code, kCloseTryAgainLater);
  EXPECT_EQ(close.reason,
            "the client reads too slowly: more than 100000 bytes are unsent");
  // What was begun is sent, the rest was dropped.
  EXPECT_LE(socket->unsent_bytes(), 11'000);
  WebSocketClient::Frame frame = client.ReadFrame();
  while (frame.first_byte == kTextFrame) {
    EXPECT_EQ(frame.payload, *text);
    frame = client.ReadFrame();
  }
  EXPECT_EQ(frame.first_byte, kCloseFrame);
  EXPECT_EQ(frame.payload, ClosePayload(1013, close.reason));
  client.ConfirmClose(1013);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_EQ(text.use_count(), 1);
}

// A client that only sends pings would otherwise fill the memory with pongs.
TEST_F(WebSocketLimits, AnswersOnlyTheLatestPingOfAClientThatDoesNotRead) {
  Start({.ping_interval = absl::InfiniteDuration()});
  WebSocketClient client(server_->port());
  // More than the system keeps of the answers.
  std::string pings;
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&pings, ClientFrame(kPingFrame, std::string(125, 'x')));
  }
  for (int i = 0; i < 100; ++i) client.SendBytes(pings);
  client.SendText("last");
  log_.WaitForMessage(1);
  client.SendFrame(kPingFrame, "last");
  WebSocketClient::Frame frame = client.ReadFrame();
  int pongs = 1;
  for (; frame.payload != "last"; ++pongs) frame = client.ReadFrame();
  EXPECT_EQ(frame.first_byte, kPongFrame);
  EXPECT_LT(pongs, 100'000);
}

TEST_F(WebSocketLimits, CutsOffAClientThatDoesNotAnswerAPing) {
  Start({.ping_interval = kTiny, .ping_timeout = kTiny});
  WebSocketClient client(server_->port());
  EXPECT_EQ(client.ReadFrame().first_byte, kPingFrame);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  const WebSocketClose close = log_.WaitForClose(1).at(0);
  EXPECT_EQ(close.code, kCloseLost);
  EXPECT_EQ(close.reason, "no answer to a ping within 1ms");
}

TEST_F(WebSocketLimits, KeepsAClientThatAnswersPings) {
  Start({.ping_interval = kTiny, .ping_timeout = absl::Hours(1)});
  WebSocketClient client(server_->port());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.ReadFrame().first_byte, kPingFrame);
    client.SendFrame(kPongFrame, "");
  }
  client.SendText("still there");
  EXPECT_EQ(log_.WaitForMessage(1).at(0), "still there");
  EXPECT_THAT(log_.closes(), ::testing::IsEmpty());
}

TEST_F(WebSocketLimits, CutsOffAClientThatDoesNotConfirmAClose) {
  Start({.close_timeout = kTiny});
  WebSocketClient client(server_->port());
  log_.WaitForOpen(1).at(0)->Close(4000, "bye");
  EXPECT_EQ(client.ReadClose().code, 4000);
  EXPECT_EQ(client.ReadUntilEnd(), "");
}

TEST_F(WebSocketLimits, CutsOffAClientThatBreaksTheRulesAndStays) {
  Start({.close_timeout = kTiny});
  WebSocketClient client(server_->port());
  client.SendFrame(0x83, "");
  EXPECT_EQ(client.ReadClose().code, 1002);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  server_->Stop();
  EXPECT_EQ(server_->connections(), 0);
}

}  // namespace
}  // namespace byoshin::http
