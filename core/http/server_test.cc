#include "core/http/server.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/served_log.h"
#include "core/http/testing/socket_client.h"
#include "core/time/simulated_clock.h"
#include "core/turn/turn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::kGet;
using ::byoshin::http::testing::ServedLog;
using ::byoshin::http::testing::SocketClient;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::unique_ptr<Server> StartOrDie(ServerOptions options, Handler handler) {
  absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start(std::move(options), std::move(handler));
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

// Answers with the request, so that a test sees what reached the handler.
void Echo(const ServerRequest& request, Responder respond) {
  std::string text =
      absl::StrCat(request.method, " ", request.path, " ", request.query, "\n");
  for (const Header& header : request.headers) {
    absl::StrAppend(&text, header.name, "=", header.value, "\n");
  }
  absl::StrAppend(&text, request.body);
  respond({.headers = {{"X-Echo", "yes"}}, .body = text});
}

void Greet(const ServerRequest&, Responder respond) {
  respond({.body = "hello"});
}

TEST(Server, HandsTheRequestToTheHandlerAndTheAnswerToTheClient) {
  auto server = StartOrDie({}, Echo);
  SocketClient client(server->port());

  client.Send(
      "POST /a%20b?c=d&e HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nX-Twice: 2\r\n"
      "Content-Length: 4\r\n\r\nbody");
  const Response response = client.ReadResponse();

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.FindHeader("x-echo"), "yes");
  EXPECT_EQ(response.body,
            "POST /a%20b c=d&e\nHost=x\nX-Twice=1\nX-Twice=2\n"
            "Content-Length=4\nbody");
}

TEST(Server, KeepsTheConnectionForFurtherRequests) {
  auto server = StartOrDie({}, Echo);
  SocketClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.Send(absl::StrCat("GET /", i, " HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_THAT(client.ReadResponse().body,
                StartsWith(absl::StrCat("GET /", i, " ")));
  }
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  auto server = StartOrDie({}, Echo);
  SocketClient client(server->port());
  std::string requests;
  for (int i = 0; i < 500; ++i) {
    absl::StrAppend(&requests, "PUT /", i,
                    " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  }

  std::thread sender([&] { client.Send(requests); });
  for (int i = 0; i < 500; ++i) {
    EXPECT_THAT(client.ReadResponse().body,
                StartsWith(absl::StrCat("PUT /", i, " ")));
  }
  sender.join();
}

TEST(Server, UnderstandsARequestThatArrivesByteByByte) {
  auto server = StartOrDie({}, Echo);
  SocketClient client(server->port());
  for (absl::string_view end : {"0\r\n\r\n", "0\r\nT: u\r\n\r\n"}) {
    for (char byte : absl::StrCat("POST /slow HTTP/1.1\r\nHost: x\r\n"
                                  "Transfer-Encoding: chunked\r\n\r\n"
                                  "3\r\nabc\r\n2;x=y\r\nde\r\n",
                                  end)) {
      client.Send(absl::string_view(&byte, 1));
    }
    EXPECT_THAT(client.ReadResponse().body, EndsWith("\nabcde"));
  }
}

TEST(Server, ClosesAfterTheAnswerWhenTheClientAsksForIt) {
  auto server = StartOrDie({}, Greet);
  SocketClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string all = client.ReadUntilEnd();
  EXPECT_THAT(all, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_THAT(all, EndsWith("\r\n\r\nhello"));
}

TEST(Server, ClosesAfterTheAnswerWhenTheHandlerAsksForIt) {
  auto server = StartOrDie({}, [](const ServerRequest&, Responder respond) {
    respond({.headers = {{"Connection", "close"}}, .body = "bye"});
  });
  SocketClient client(server->port());
  client.Send(kGet);
  EXPECT_THAT(client.ReadUntilEnd(), EndsWith("\r\n\r\nbye"));
}

TEST(Server, ClosesAfterTheAnswerToAnHttp10Client) {
  auto server = StartOrDie({}, Greet);
  SocketClient client(server->port());
  client.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.ReadUntilEnd(), EndsWith("\r\n\r\nhello"));
}

TEST(Server, KeepsTheConnectionForAnHttp10ClientThatAsksForIt) {
  auto server = StartOrDie({}, Greet);
  SocketClient client(server->port());
  for (int i = 0; i < 2; ++i) {
    client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(client.ReadResponse().FindHeader("Connection"), "keep-alive");
  }
}

TEST(Server, AnswersAClientThatHasFinishedSending) {
  auto server = StartOrDie({}, Greet);
  SocketClient client(server->port());
  client.Send(kGet);
  client.FinishSending();
  EXPECT_THAT(client.ReadUntilEnd(), EndsWith("\r\n\r\nhello"));
}

TEST(Server, LeavesTheBodyOfAnAnswerToHeadOut) {
  auto server = StartOrDie({}, Greet);
  SocketClient client(server->port());
  client.Send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.ReadResponse(SocketClient::Body::kNone)
                .FindHeader("Content-Length"),
            "5");
  client.Send(kGet);
  EXPECT_EQ(client.ReadResponse().body, "hello");
}

TEST(Server, SendsNoLengthWhereNoBodyCanBe) {
  auto server = StartOrDie({}, [](const ServerRequest&, Responder respond) {
    respond({.status = 204, .body = "not sent"});
  });
  SocketClient client(server->port());
  for (int i = 0; i < 2; ++i) {
    client.Send(kGet);
    const Response response = client.ReadResponse();
    EXPECT_EQ(response.status, 204);
    EXPECT_EQ(response.FindHeader("Content-Length"), "");
  }
}

TEST(Server, TellsAClientThatWaitsForItToSendTheBody) {
  auto server = StartOrDie({}, Echo);
  SocketClient client(server->port());
  client.Send(
      "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: 2\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().status, 100);
  client.Send("ok");
  EXPECT_THAT(client.ReadResponse().body, EndsWith("\nok"));
}

TEST(Server, DatesItsAnswersByTheClockItIsGiven) {
  time::SimulatedClock clock(absl::FromUnixSeconds(784111777));
  ServerOptions options;
  options.clock = &clock;
  auto server = StartOrDie(options, Greet);
  SocketClient client(server->port());
  client.Send(kGet);
  EXPECT_EQ(client.ReadResponse().FindHeader("Date"),
            "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Server, AnswersWhenTheHandlerIsReady) {
  HeldRequests held;
  auto server = StartOrDie({}, held.Handler());
  SocketClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.Send(kGet);
    const Responder respond = held.WaitFor(1).at(0);
    EXPECT_TRUE(respond.connected());
    respond({.body = absl::StrCat(i)});
    respond({.body = "too late"});
    EXPECT_EQ(client.ReadResponse().body, absl::StrCat(i));
  }
}

TEST(Server, HoldsARequestWhileTheNextIsAlreadyThere) {
  HeldRequests held;
  auto server = StartOrDie({}, held.Handler());
  SocketClient client(server->port());
  client.Send(absl::StrCat(kGet, kGet));
  held.WaitFor(1).at(0)({.body = "1"});
  EXPECT_EQ(client.ReadResponse().body, "1");
  client.Send(kGet);  // while the second is being held
  held.WaitFor(1).at(0)({.body = "2"});
  held.WaitFor(1).at(0)({.body = "3"});
  EXPECT_EQ(client.ReadResponse().body, "2");
  EXPECT_EQ(client.ReadResponse().body, "3");
}

// All of them are connected and waiting at the same time, or this never ends.
TEST(Server, ServesHundredsOfClientsAtATime) {
  constexpr int kClients = 400;
  for (int threads : {1, 4}) {
    HeldRequests held;
    auto server = StartOrDie({.threads = threads}, held.Handler());
    std::vector<SocketClient> clients;
    for (int i = 0; i < kClients; ++i) {
      clients.emplace_back(server->port()).Send(kGet);
    }
    const std::vector<Responder> responders = held.WaitFor(kClients);
    EXPECT_EQ(server->connections(), kClients);
    for (const Responder& respond : responders) respond({.body = "at last"});
    for (SocketClient& client : clients) {
      EXPECT_EQ(client.ReadResponse().body, "at last");
    }
  }
}

TEST(Server, ServesClientsThatComeAndGoOnSeveralThreads) {
  std::atomic<int> handled = 0;
  auto server = StartOrDie(
      {.threads = 4}, [&](const ServerRequest& request, Responder respond) {
        ++handled;
        respond({.body = request.path});
      });
  std::vector<std::thread> users;
  for (int user = 0; user < 8; ++user) {
    users.emplace_back([&, user] {
      for (int visit = 0; visit < 25; ++visit) {
        SocketClient client(server->port());
        for (int i = 0; i < 4; ++i) {
          const std::string path = absl::StrCat("/", user, "/", visit, "/", i);
          client.Send(
              absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: x\r\n\r\n"));
          EXPECT_EQ(client.ReadResponse().body, path);
        }
      }
    });
  }
  for (std::thread& user : users) user.join();
  EXPECT_EQ(handled, 8 * 25 * 4);
}

TEST(Server, LetsHandlersPutWorkOffToTheEndOfATurn) {
  const int key = 0;
  auto server = StartOrDie({}, [&](const ServerRequest&,
                                   const Responder& respond) {
    EXPECT_EQ(turn::AtEnd(&key, [respond] { respond({.body = "in the end"}); }),
              turn::Put::kAtEnd);
  });
  SocketClient client(server->port());
  for (int i = 0; i < 2; ++i) {
    client.Send(kGet);
    EXPECT_EQ(client.ReadResponse().body, "in the end");
  }
}

TEST(Server, ClosesTheConnectionOfARequestThatNobodyAnswers) {
  ServedLog log;
  ServerOptions options;
  options.on_served = log.Recorder();
  auto server = StartOrDie(options, [](const ServerRequest&, Responder) {});
  SocketClient client(server->port());
  client.Send(kGet);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_EQ(log.WaitFor(1).at(0).status, 0);
  EXPECT_EQ(log.WaitFor(1).at(0).error, "the handler gave no answer");
}

TEST(Server, NoticesThatAClientLeavesBeforeItsAnswer) {
  HeldRequests held;
  ServedLog log;
  ServerOptions options;
  options.on_served = log.Recorder();
  auto server = StartOrDie(options, held.Handler());
  SocketClient client(server->port());
  client.Send(kGet);
  const Responder respond = held.WaitFor(1).at(0);
  client.Close();
  EXPECT_EQ(log.WaitFor(1).at(0).error,
            "the client disconnected before the answer");
  EXPECT_FALSE(respond.connected());
  respond({.body = "to nobody"});
}

TEST(Server, SurvivesAHandlerThatThrows) {
  auto server =
      StartOrDie({}, [](const ServerRequest& request, Responder respond) {
        if (request.path == "/bad") throw std::runtime_error("secret");
        respond({.body = "fine"});
      });
  SocketClient client(server->port());
  client.Send("GET /bad HTTP/1.1\r\nHost: x\r\n\r\n");
  const Response response = client.ReadResponse();
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, Not(HasSubstr("secret")));
  client.Send(kGet);
  EXPECT_EQ(client.ReadResponse().body, "fine");
}

TEST(Server, SendsNothingThatWouldBreakTheProtocol) {
  const std::vector<ServerResponse> malformed = {
      {.status = 0},
      {.status = 100},
      {.status = 600},
      {.headers = {{"X", "a\r\nSet-Cookie: b"}}},
      {.headers = {{"X", std::string("a\0b", 3)}}},
      {.headers = {{"X: y\r\nZ", "a"}}},
      {.headers = {{"", "a"}}},
  };
  for (const ServerResponse& answer : malformed) {
    ServedLog log;
    ServerOptions options;
    options.on_served = log.Recorder();
    auto server = StartOrDie(
        options,
        [&](const ServerRequest&, Responder respond) { respond(answer); });
    SocketClient client(server->port());
    client.Send(kGet);
    EXPECT_EQ(client.ReadResponse().status, 500);
    EXPECT_THAT(log.WaitFor(1).at(0).error,
                HasSubstr("the handler's answer is malformed"));
  }
}

TEST(Server, DecidesAboutFramingItself) {
  auto server = StartOrDie({}, [](const ServerRequest&, Responder respond) {
    respond({.headers = {{"content-length", "99"},
                         {"Transfer-Encoding", "chunked"}},
             .body = "hello"});
  });
  SocketClient client(server->port());
  client.Send(kGet);
  const Response response = client.ReadResponse();
  EXPECT_EQ(response.FindHeader("Content-Length"), "5");
  EXPECT_EQ(response.FindHeader("Transfer-Encoding"), "");
  EXPECT_EQ(response.body, "hello");
}

TEST(Server, ReportsWhatItServed) {
  ServedLog log;
  ServerOptions options;
  options.on_served = log.Recorder();
  auto server = StartOrDie(options, Greet);
  SocketClient client(server->port());
  client.Send("PUT /x?y HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  client.ReadResponse();

  const ServedRequest served = log.WaitFor(1).at(0);
  EXPECT_THAT(served.remote, StartsWith("127.0.0.1:"));
  EXPECT_EQ(served.method, "PUT");
  EXPECT_EQ(served.target, "/x?y");
  EXPECT_EQ(served.status, 200);
  EXPECT_EQ(served.request_body_bytes, 3);
  EXPECT_EQ(served.response_body_bytes, 5);
  EXPECT_GT(served.duration, absl::ZeroDuration());
  EXPECT_THAT(served.error, IsEmpty());
}

TEST(Server, SaysWhereItListens) {
  auto server = StartOrDie({}, Greet);
  EXPECT_GT(server->port(), 0);
  EXPECT_EQ(server->url(), absl::StrCat("http://127.0.0.1:", server->port()));
}

TEST(Server, NamesThePortThatIsInUse) {
  auto first = StartOrDie({}, Greet);
  const absl::Status status =
      Server::Start({.port = first->port()}, Greet).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(absl::StrCat("127.0.0.1:", first->port(),
                                     ": Address already in use")));
}

TEST(Server, RefusesOptionsThatMakeNoSense) {
  for (const ServerOptions& options : std::vector<ServerOptions>{
           {.address = "localhost"},
           {.address = ""},
           {.address = "192.0.2.1"},  // not of this machine: for documentation
           {.threads = 0},
           {.max_connections = 0},
           {.max_header_bytes = 0}}) {
    EXPECT_EQ(Server::Start(options, Greet).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace byoshin::http
