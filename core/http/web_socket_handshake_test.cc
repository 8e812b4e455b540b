// How a request becomes a WebSocket, or does not.
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/served_log.h"
#include "core/http/testing/socket_client.h"
#include "core/http/testing/web_socket_client.h"
#include "core/http/testing/web_socket_log.h"
#include "core/http/web_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::ClientFrame;
using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::kGet;
using ::byoshin::http::testing::kTextFrame;
using ::byoshin::http::testing::ServedLog;
using ::byoshin::http::testing::SocketClient;
using ::byoshin::http::testing::WebSocketClient;
using ::byoshin::http::testing::WebSocketLog;
using ::byoshin::http::testing::WebSocketRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class WebSocketHandshake : public ::testing::Test {
 protected:
  void Start(Handler handler) {
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start({.on_served = served_.Recorder()}, std::move(handler));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  // Accepts every request.
  void StartAccepting() {
    Start([this](const ServerRequest&, Responder respond) {
      respond.Upgrade(log_.Upgrade());
    });
  }

  Response Ask(absl::string_view request) {
    SocketClient client(server_->port());
    client.Send(request);
    return client.ReadResponse();
  }

  ServedLog served_;
  WebSocketLog log_;
  std::unique_ptr<Server> server_;
};

// https://www.rfc-editor.org/rfc/rfc6455#section-1.3
TEST_F(WebSocketHandshake, AnswersWithTheAcceptKeyOfTheRfc) {
  StartAccepting();
  const WebSocketClient client(server_->port());
  EXPECT_EQ(client.handshake().FindHeader("Sec-WebSocket-Accept"),
            "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(client.handshake().FindHeader("Upgrade"), "websocket");
  EXPECT_EQ(client.handshake().FindHeader("Connection"), "Upgrade");
  EXPECT_EQ(client.handshake().FindHeader("Content-Length"), "");
  EXPECT_EQ(served_.WaitFor(1).at(0).status, 101);
}

TEST_F(WebSocketHandshake, ShowsTheHandlerWhatTheClientOffers) {
  ServerRequest seen;
  Start([&](const ServerRequest& request, Responder respond) {
    seen = request;
    WebSocketUpgrade upgrade = log_.Upgrade();
    upgrade.subprotocol = "graphql-ws";
    upgrade.headers = {{"X-Extra", "yes"}, {"Sec-WebSocket-Accept", "no"}};
    respond.Upgrade(std::move(upgrade));
  });
  const WebSocketClient client(
      server_->port(),
      WebSocketRequest("/graphql/realtime?header=e30=&payload=e30=",
                       "Origin: http://page.example\r\n"
                       "Sec-WebSocket-Protocol: graphql-ws, header-e30\r\n"
                       "Sec-WebSocket-Protocol: other\r\n"));
  EXPECT_EQ(seen.path, "/graphql/realtime");
  EXPECT_EQ(seen.query, "header=e30=&payload=e30=");
  EXPECT_EQ(seen.FindHeader("Origin"), "http://page.example");
  EXPECT_TRUE(WantsWebSocket(seen));
  EXPECT_THAT(OfferedSubprotocols(seen),
              ElementsAre("graphql-ws", "header-e30", "other"));
  EXPECT_EQ(client.handshake().FindHeader("Sec-WebSocket-Protocol"),
            "graphql-ws");
  EXPECT_EQ(client.handshake().FindHeader("X-Extra"), "yes");
  EXPECT_NE(client.handshake().FindHeader("Sec-WebSocket-Accept"), "no");
}

TEST_F(WebSocketHandshake, LetsTheHandlerRefuseWithAnOrdinaryAnswer) {
  Start([](const ServerRequest& request, Responder respond) {
    respond({.status = WantsWebSocket(request) ? 403 : 200, .body = "answer"});
  });
  SocketClient client(server_->port());
  client.Send(WebSocketRequest());
  EXPECT_EQ(client.ReadResponse().status, 403);
  // The connection goes on.
  client.Send(kGet);
  EXPECT_EQ(client.ReadResponse().status, 200);
}

TEST_F(WebSocketHandshake, AcceptsWhenTheHandlerDecidesLater) {
  HeldRequests held;
  Start(held.Handler());
  std::thread decide([&] { held.WaitFor(1).at(0).Upgrade(log_.Upgrade()); });
  WebSocketClient client(server_->port());
  decide.join();
  client.SendText("hello");
  EXPECT_EQ(log_.WaitForMessage(1).at(0), "hello");
}

TEST_F(WebSocketHandshake, OnlyTheFirstAnswerCounts) {
  Start([this](const ServerRequest&, Responder respond) {
    respond({.body = "first"});
    respond.Upgrade(log_.Upgrade());
  });
  EXPECT_EQ(Ask(WebSocketRequest()).body, "first");
}

TEST_F(WebSocketHandshake, ReadsFramesThatCameWithTheRequest) {
  StartAccepting();
  const WebSocketClient client(
      server_->port(),
      absl::StrCat(WebSocketRequest(), ClientFrame(kTextFrame, "early")));
  EXPECT_EQ(log_.WaitForMessage(1).at(0), "early");
}

TEST_F(WebSocketHandshake, TakesListsAndAnyCaseInTheHeaders) {
  StartAccepting();
  const std::string request = absl::StrReplaceAll(
      WebSocketRequest(), {{"Connection: Upgrade",
                            "connection: keep-alive, "
                            "upgrade"},
                           {"Upgrade: websocket", "UPGRADE: WebSocket"}});
  const WebSocketClient client(server_->port(), request);
}

TEST_F(WebSocketHandshake, RefusesWhatDoesNotAskForItCorrectly) {
  struct Case {
    absl::string_view from;
    absl::string_view to;
    int status;
  };
  const Case kCases[] = {
      {"Upgrade: websocket\r\n", "", 426},
      {"Upgrade: websocket", "Upgrade: h2c", 426},
      {"Version: 13", "Version: 8", 426},
      {"Version: 13", "Version: 13, 8", 426},
      {"Sec-WebSocket-Version: 13\r\n", "", 426},
      {"HTTP/1.1", "HTTP/1.0", 426},
      {"GET ", "POST ", 400},
      {"Connection: Upgrade\r\n", "", 400},
      {"Connection: Upgrade", "Connection: keep-alive", 400},
      {"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", 400},
      {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZQ==", 400},
      {"dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZ!==", 400},
      {"Host: x",
       "Host: x\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", 400},
  };
  StartAccepting();
  for (const Case& c : kCases) {
    SCOPED_TRACE(absl::StrCat(c.from, " -> ", c.to));
    const Response response =
        Ask(absl::StrReplaceAll(WebSocketRequest(), {{c.from, c.to}}));
    EXPECT_EQ(response.status, c.status);
    EXPECT_THAT(response.body, HasSubstr("error"));
    EXPECT_EQ(response.FindHeader("Sec-WebSocket-Version"),
              c.status == 426 ? "13" : "");
  }
}

TEST_F(WebSocketHandshake, DoesNotSendWhatTheHandlerGotWrong) {
  WebSocketUpgrade upgrade;
  Start([&](const ServerRequest&, Responder respond) {
    respond.Upgrade(upgrade);
  });
  upgrade.subprotocol = "not-offered";
  EXPECT_EQ(Ask(WebSocketRequest()).status, 500);
  EXPECT_THAT(served_.WaitFor(1).at(0).error,
              HasSubstr("did not offer the subprotocol \"not-offered\""));
  upgrade = {.headers = {{"X-Split", "a\r\nb"}}};
  EXPECT_EQ(Ask(WebSocketRequest()).status, 500);
}

}  // namespace
}  // namespace byoshin::http
