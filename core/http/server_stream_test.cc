// Answers that are sent piece by piece over HTTP/1.
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/http/body_stream.h"
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
using ::testing::HasSubstr;

// More than the system takes for a client that does not read.
constexpr std::size_t kTooMuch = std::size_t{64} << 20;

class ServerStream : public ::testing::Test {
 protected:
  void Start(ServerOptions options = {}) {
    options.on_served = log_.Recorder();
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start(std::move(options), held_.Handler());
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // The body of the answer to the next request.
  std::shared_ptr<BodyStream> Begin(ServerResponse head = {},
                                    BodyStreamOptions options = {}) {
    return held_.WaitFor(1).at(0).Begin(std::move(head), options);
  }

  void WaitUntilStopping() {
    while (SocketClient().Connect(server_->port())) {
    }
  }

  HeldRequests held_;
  ServedLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerStream, SendsEachPieceWhenItIsWritten) {
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body =
      Begin({.status = 201, .headers = {{"X-A", "b"}}});
  const Response head = client.ReadResponse();
  EXPECT_EQ(head.status, 201);
  EXPECT_EQ(head.FindHeader("X-A"), "b");
  EXPECT_EQ(head.FindHeader("Transfer-Encoding"), "chunked");
  EXPECT_EQ(head.FindHeader("Content-Length"), "");

  EXPECT_TRUE(body->Write("hello"));
  EXPECT_EQ(client.Read(10), "5\r\nhello\r\n");
  EXPECT_TRUE(body->Write(std::string(26, 'x')));
  EXPECT_EQ(client.Read(32), "1a\r\n" + std::string(26, 'x') + "\r\n");
  body->End();
  EXPECT_EQ(client.Read(5), "0\r\n\r\n");
  EXPECT_EQ(log_.WaitFor(1).at(0).status, 201);
  EXPECT_EQ(log_.WaitFor(1).at(0).response_body_bytes, 31);
  EXPECT_EQ(log_.WaitFor(1).at(0).error, "");
}

TEST_F(ServerStream, ServesTheNextRequestOfTheConnection) {
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  // Everything before the head could be sent.
  const std::shared_ptr<BodyStream> body = Begin({.body = "first"});
  body->End();
  EXPECT_EQ(client.ReadResponse().status, 200);
  EXPECT_EQ(client.Read(15), "5\r\nfirst\r\n0\r\n\r\n");

  client.Send(kGet);
  held_.WaitFor(1).at(0)({.body = "second"});
  EXPECT_EQ(client.ReadResponse().body, "second");
}

TEST_F(ServerStream, EndsWithTheConnectionForHttp10) {
  Start();
  SocketClient client(server_->port());
  client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const std::shared_ptr<BodyStream> body = Begin();
  const Response head = client.ReadResponse();
  EXPECT_EQ(head.FindHeader("Transfer-Encoding"), "");
  EXPECT_EQ(head.FindHeader("Connection"), "close");
  body->Write("hel");
  EXPECT_EQ(client.Read(3), "hel");
  body->Write("lo");
  body->End();
  EXPECT_EQ(client.ReadUntilEnd(), "lo");
}

TEST_F(ServerStream, HasNoBodyForHead) {
  Start();
  SocketClient client(server_->port());
  client.Send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::shared_ptr<BodyStream> body = Begin({.body = "first"});
  EXPECT_EQ(client.ReadResponse(SocketClient::Body::kNone).status, 200);
  log_.WaitFor(1);
  client.Send(kGet);
  held_.WaitFor(1).at(0)({.body = "next"});
  EXPECT_EQ(client.ReadResponse().body, "next");
  EXPECT_FALSE(body->Write("nobody wants it"));
  EXPECT_EQ(log_.WaitFor(1).at(0).response_body_bytes, 0);
}

TEST_F(ServerStream, IsOnlyTheFirstAnswer) {
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  const Responder respond = held_.WaitFor(1).at(0);
  respond({.body = "whole"});
  const std::shared_ptr<BodyStream> second = respond.Begin({.status = 500});
  EXPECT_FALSE(second->Write("late"));
  second->End();
  EXPECT_EQ(client.ReadResponse().body, "whole");
}

TEST_F(ServerStream, RefusesAMalformedHead) {
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body =
      Begin({.headers = {{"bad name", ""}}});
  EXPECT_EQ(client.ReadResponse().status, 500);
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("malformed"));
  client.Send(kGet);
  held_.WaitFor(1);
  EXPECT_FALSE(body->Write("x"));
}

TEST_F(ServerStream, CutsOffWhatIsGivenUp) {
  Start();
  for (const bool explicitly : {true, false}) {
    SocketClient client(server_->port());
    client.Send(kGet);
    std::shared_ptr<BodyStream> body = Begin();
    EXPECT_EQ(client.ReadResponse().status, 200);
    body->Write("hello");
    EXPECT_EQ(client.Read(10), "5\r\nhello\r\n");
    if (explicitly) {
      body->Abort();
      EXPECT_FALSE(body->Write("more"));
    } else {
      body.reset();
    }
    EXPECT_EQ(client.ReadUntilEnd(), "");
  }
  EXPECT_EQ(log_.WaitFor(2).at(1).status, 200);
  EXPECT_EQ(log_.WaitFor(2).at(1).error, "the handler gave up the answer");
}

TEST_F(ServerStream, TellsThatTheClientHasDisconnected) {
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body = Begin({.body = "hello"});
  EXPECT_EQ(client.ReadResponse().status, 200);
  client.Close();
  EXPECT_EQ(log_.WaitFor(1).at(0).status, 200);
  EXPECT_NE(log_.WaitFor(1).at(0).error, "");
  while (server_->connections() > 0) std::this_thread::yield();
  EXPECT_FALSE(body->Write(""));
  EXPECT_FALSE(body->Write("more"));
  EXPECT_EQ(body->unsent_bytes(), 0);
}

TEST_F(ServerStream, CutsOffAClientThatReadsTooSlowly) {
  constexpr std::size_t kMaxUnsent = 1000;
  Start();
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body =
      Begin({}, {.max_unsent_bytes = kMaxUnsent});
  while (body->Write(std::string(100, 'x'))) {
    EXPECT_LE(body->unsent_bytes(), kMaxUnsent);
  }
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("reads too slowly"));
  EXPECT_EQ(client.ReadResponse().status, 200);
  EXPECT_THAT(client.ReadUntilEnd(), ::testing::Not(HasSubstr("0\r\n\r\n")));
}

TEST_F(ServerStream, GivesAClientOnlySoLongToRead) {
  Start({.write_timeout = absl::Milliseconds(1)});
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body =
      Begin({}, {.max_unsent_bytes = kTooMuch});
  EXPECT_TRUE(body->Write(std::string(kTooMuch, 'x')));
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("time-out"));
  while (server_->connections() > 0) std::this_thread::yield();
  EXPECT_FALSE(body->Write("more"));
}

TEST_F(ServerStream, FinishesWhileTheServerStops) {
  Start({.drain_timeout = absl::InfiniteDuration()});
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body = Begin({.body = "a"});
  EXPECT_EQ(client.ReadResponse().status, 200);
  EXPECT_EQ(client.Read(6), "1\r\na\r\n");
  std::thread stop([&] { server_->Stop(); });
  WaitUntilStopping();

  EXPECT_TRUE(body->Write("b"));
  body->End();

  EXPECT_EQ(client.ReadUntilEnd(), "1\r\nb\r\n0\r\n\r\n");
  client.Close();
  stop.join();
}

TEST_F(ServerStream, IsCutOffWhenTheServerStopsWaiting) {
  Start({.drain_timeout = absl::ZeroDuration()});
  SocketClient client(server_->port());
  client.Send(kGet);
  const std::shared_ptr<BodyStream> body = Begin({.body = "a"});
  EXPECT_EQ(client.ReadResponse().status, 200);
  EXPECT_EQ(client.Read(6), "1\r\na\r\n");

  server_->Stop();

  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_FALSE(body->Write("b"));
  EXPECT_EQ(log_.WaitFor(1).at(0).error,
            "the server stopped before the end of the answer");
}

}  // namespace
}  // namespace byoshin::http
