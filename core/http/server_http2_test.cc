// HTTP/2 on a socket: time-outs, streams and how a server ends.
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/body_stream.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/http2_client.h"
#include "core/http/testing/served_log.h"
#include "core/http/testing/socket_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::Http2Client;
using ::byoshin::http::testing::ServedLog;
using ::byoshin::http::testing::SocketClient;
using ::testing::HasSubstr;

class ServerHttp2 : public ::testing::Test {
 protected:
  void Start(ServerOptions options = {}) {
    Start(std::move(options), held_.Handler());
  }
  void Start(ServerOptions options, Handler handler) {
    options.on_served = log_.Recorder();
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start(std::move(options), std::move(handler));
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    ASSERT_TRUE(socket_.Connect(server_->port()));
  }

  int Send(Http2Client::NewRequest request) {
    const int stream = client_.Request(std::move(request));
    socket_.Send(client_.TakeOutput());
    return stream;
  }
  int Get() { return Send({.headers = Http2Client::Headers("GET", "/")}); }
  // Reads until so much of the body has arrived, or the answer has ended.
  std::string ReadBody(int stream, std::size_t size) {
    while (!client_.HasEnded(stream) &&
           client_.ResponseTo(stream).body.size() < size) {
      const std::string byte = socket_.Read(1);
      if (byte.empty()) break;
      client_.Feed(byte);
    }
    return client_.ResponseTo(stream).body;
  }
  std::string ReadBody(int stream) {
    return ReadBody(stream, std::string::npos);
  }

  HeldRequests held_;
  ServedLog log_;
  std::unique_ptr<Server> server_;
  SocketClient socket_;
  Http2Client client_;
};

TEST_F(ServerHttp2, AnswersInAnyOrder) {
  Start();
  const int first = Get();
  const Responder respond_first = held_.WaitFor(1).at(0);
  const int second = Get();
  held_.WaitFor(1).at(0)({.status = 201, .body = "second"});
  EXPECT_EQ(ReadBody(second), "second");
  EXPECT_EQ(client_.ResponseTo(second).status, 201);
  respond_first({.body = "first"});
  EXPECT_EQ(ReadBody(first), "first");
  EXPECT_EQ(log_.WaitFor(2).at(0).status, 201);
  EXPECT_EQ(log_.WaitFor(2).at(0).response_body_bytes, 6);
  EXPECT_EQ(log_.WaitFor(2).at(1).error, "");
}

TEST_F(ServerHttp2, SendsEachPieceWhenItIsWritten) {
  Start();
  const int stream = Get();
  const std::shared_ptr<BodyStream> body =
      held_.WaitFor(1).at(0).Begin({.body = "a"});
  EXPECT_EQ(ReadBody(stream, 1), "a");
  EXPECT_TRUE(body->Write("b"));
  EXPECT_EQ(ReadBody(stream, 2), "ab");
  body->End();
  EXPECT_EQ(ReadBody(stream), "ab");
  EXPECT_EQ(client_.ErrorOf(stream), 0);
}

TEST_F(ServerHttp2, TellsThatARequestWasCancelled) {
  Start();
  const int stream = Get();
  const std::shared_ptr<BodyStream> body =
      held_.WaitFor(1).at(0).Begin({.body = "a"});
  EXPECT_EQ(ReadBody(stream, 1), "a");
  client_.Cancel(stream);
  socket_.Send(client_.TakeOutput());
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("CANCEL"));
  EXPECT_FALSE(body->Write("b"));

  const int next = Get();
  const Responder respond = held_.WaitFor(1).at(0);
  EXPECT_TRUE(respond.connected());
  respond({.body = "next"});
  EXPECT_EQ(ReadBody(next), "next");
}

TEST_F(ServerHttp2, EndsABodyThatIsBegunWhenTheRequestIsBeingCancelled) {
  std::vector<Responder> responders;
  std::shared_ptr<BodyStream> body;
  Start({}, [&](const ServerRequest&, Responder respond) {
    responders.push_back(std::move(respond));
    // The connection learns of it after it has handled what it has received.
    if (responders.size() == 2) body = responders.front().Begin({});
    held_.Handler()({}, responders.back());
  });
  const int stream = Get();
  held_.WaitFor(1);
  client_.Request({.headers = Http2Client::Headers("GET", "/")});
  const std::string request = client_.TakeOutput();
  client_.Cancel(stream);
  socket_.Send(request + client_.TakeOutput());
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("CANCEL"));
  held_.WaitFor(1);
  EXPECT_FALSE(body->Write("x"));
  server_.reset();
}

TEST_F(ServerHttp2, FinishesAnAnswerBeforeItMakesRoomForOthers) {
  Start({.max_connections = 1});
  // More than the kernel holds for a client that does not read.
  constexpr int kBytes = 16 << 20;
  client_.GrantWindow(kBytes);
  const int stream = Get();
  const Responder respond = held_.WaitFor(1).at(0);
  SocketClient other(server_->port());
  other.Send(testing::kGet);
  respond({.body = std::string(kBytes, 'x')});
  while (!client_.HasEnded(stream)) {
    const std::string bytes = socket_.Read(4096);
    if (bytes.empty()) break;
    client_.Feed(bytes);
  }
  EXPECT_EQ(client_.ResponseTo(stream).body.size(), kBytes);
  ASSERT_TRUE(client_.HasEnded(stream));
  held_.WaitFor(1).at(0)({.body = "other"});
  EXPECT_EQ(other.ReadResponse().body, "other");
}

TEST_F(ServerHttp2, TellsThatTheClientHasDisconnected) {
  Start();
  Get();
  const Responder respond = held_.WaitFor(1).at(0);
  socket_.Close();
  // A client that has not read everything resets the connection.
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("before the answer"));
  EXPECT_FALSE(respond.connected());
}

TEST_F(ServerHttp2, CutsOffAClientThatGrantsNoWindow) {
  Start({.write_timeout = absl::Milliseconds(1)});
  const int stream = Get();
  // More than a client takes without saying so.
  held_.WaitFor(1).at(0)({.body = std::string(100'000, 'x')});
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("time-out"));
  EXPECT_LT(ReadBody(stream).size(), 100'000);
  // The connection is cut off instead if the system was slow to take what the
  // client does accept.
  EXPECT_FALSE(client_.HasEnded(stream) && client_.ErrorOf(stream) == 0);
}

TEST_F(ServerHttp2, GivesAClientOnlySoLongToSendABody) {
  Start({.body_timeout = absl::Milliseconds(1)});
  const int stream = Send({.headers = Http2Client::Headers("POST", "/"),
                           .body = "x",
                           .is_complete = false});
  ReadBody(stream);
  EXPECT_NE(client_.ErrorOf(stream), 0);
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("no whole body"));
}

TEST_F(ServerHttp2, ClosesASilentConnection) {
  Start({.idle_timeout = absl::Milliseconds(1)});
  socket_.Send(client_.TakeOutput());
  client_.Feed(socket_.ReadUntilEnd());
}

TEST_F(ServerHttp2, HasNoWebSockets) {
  Start();
  const int stream = Get();
  held_.WaitFor(1).at(0).Upgrade({});
  ReadBody(stream);
  EXPECT_EQ(client_.ResponseTo(stream).status, 426);
}

TEST_F(ServerHttp2, ResetsARequestWithoutAnAnswer) {
  Start();
  const int stream = Get();
  held_.WaitFor(1);
  ReadBody(stream);
  EXPECT_NE(client_.ErrorOf(stream), 0);
  EXPECT_EQ(log_.WaitFor(1).at(0).error, "the handler gave no answer");
}

TEST_F(ServerHttp2, FinishesRequestsWhileTheServerStops) {
  Start({.drain_timeout = absl::InfiniteDuration()});
  const int stream = Get();
  const std::shared_ptr<BodyStream> body =
      held_.WaitFor(1).at(0).Begin({.body = "a"});
  EXPECT_EQ(ReadBody(stream, 1), "a");
  std::thread stop([&] { server_->Stop(); });
  while (SocketClient().Connect(server_->port())) {
  }
  EXPECT_TRUE(body->Write("b"));
  body->End();
  EXPECT_EQ(ReadBody(stream), "ab");
  EXPECT_EQ(client_.ErrorOf(stream), 0);
  EXPECT_TRUE(client_.going_away().has_value());
  stop.join();
}

TEST_F(ServerHttp2, IsCutOffWhenTheServerStopsWaiting) {
  Start({.drain_timeout = absl::ZeroDuration()});
  Get();
  const Responder respond = held_.WaitFor(1).at(0);
  server_->Stop();
  EXPECT_FALSE(respond.connected());
  EXPECT_EQ(log_.WaitFor(1).at(0).error,
            "the server stopped before the answer");
}

}  // namespace
}  // namespace byoshin::http
