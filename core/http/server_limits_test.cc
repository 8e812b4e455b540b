// What clients that do not play by the rules can do to a server: nothing.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/held_requests.h"
#include "core/http/testing/served_log.h"
#include "core/http/testing/socket_client.h"
#include "core/sync/mutex.h"
#include "core/sync/testing/no_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::HeldRequests;
using ::byoshin::http::testing::kGet;
using ::byoshin::http::testing::ServedLog;
using ::byoshin::http::testing::SocketClient;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kTiny = absl::Milliseconds(1);

// A server that records what it served and how often the handler was called.
class ServerLimits : public ::testing::Test {
 protected:
  void Start(ServerOptions options) {
    options.on_served = log_.Recorder();
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
        std::move(options), [this](const ServerRequest&, Responder respond) {
          ++handled_;
          respond({.body = answer_});
        });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // Whatever happened before, others are served.
  void ExpectThatOthersAreServed() {
    SocketClient client(server_->port());
    client.Send(kGet);
    EXPECT_EQ(client.ReadResponse().status, 200);
  }

  std::string answer_ = "hello";
  std::atomic<int> handled_ = 0;
  ServedLog log_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerLimits, AnswersWhatIsNotHttpWithAnErrorAndCloses) {
  struct Case {
    absl::string_view input;
    int status;
  };
  const Case kCases[] = {
      {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400},  // TLS
      {"hello\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP\r\n\r\n", 400},
      {"GET / FTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET / HTTP/1.1\nHost: x\n\n", 400},
      {"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"G@T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\nX: \x01\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r ", 505},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
       "Content-Length: 2\r\n\r\nab",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
       "Content-Length: 1\r\n\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "zz\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
       501},
      {"PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
       "0\r\n\r\n",
       501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
       "transfer-encoding: identity\r\n\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked;q=1\r\n\r\n"
       "0\r\n\r\n",
       501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \"chunked\"\r\n\r\n"
       "0\r\n\r\n",
       501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n"
       "\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
       "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ,chunked\r\n\r\n"
       "0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n\r\n", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n"
       "Content-Length: 1\r\n\r\na",
       501},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n"
       "0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\na", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n"
       "Content-Length: 1\r\n\r\na",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", 400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "0x1\r\na\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "1\na\r\n0\r\n\r\n",
       400},
      {"PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "1\r\nab\r\n0\r\n\r\n",
       400},
  };
  Start({});
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.input);
    SocketClient client(server_->port());
    // Whatever follows must not be taken for a request of its own.
    client.Send(absl::StrCat(c.input, kGet));
    const Response response = client.ReadResponse();
    EXPECT_EQ(response.status, c.status);
    EXPECT_EQ(response.FindHeader("Connection"), "close");
    EXPECT_EQ(response.FindHeader("Content-Type"), "application/json");
    EXPECT_THAT(response.body, StartsWith(R"({"error":")"));
    EXPECT_EQ(client.ReadUntilEnd(), "");
  }
  EXPECT_EQ(handled_, 0);
  for (const ServedRequest& served : log_.WaitFor(std::size(kCases))) {
    EXPECT_NE(served.error, "");
  }
  ExpectThatOthersAreServed();
}

TEST_F(ServerLimits, RefusesAHeaderThatIsTooLong) {
  Start({.max_header_bytes = 1000});
  const std::string start = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
  const std::string end = "\r\n\r\n";
  const std::string room(1000 - start.size() - end.size(), 'x');
  SocketClient client(server_->port());
  client.Send(absl::StrCat(start, room, end));
  EXPECT_EQ(client.ReadResponse().status, 200);
  client.Send(absl::StrCat(start, room, "x", end));
  EXPECT_EQ(client.ReadResponse().status, 431);
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_EQ(handled_, 1);
}

TEST_F(ServerLimits, RefusesAHeaderThatNeverEnds) {
  Start({.max_header_bytes = 1000});
  for (absl::string_view piece : {"x", "\r\n", "X: y\r\n"}) {
    SocketClient client(server_->port());
    if (piece == "X: y\r\n") client.Send("GET / HTTP/1.1\r\n");
    std::string flood;
    while (flood.size() <= 1000) absl::StrAppend(&flood, piece);
    client.Send(flood);
    EXPECT_EQ(client.ReadResponse().status, 431);
    EXPECT_EQ(client.ReadUntilEnd(), "");
  }
}

// More than fits between client and server: the client is still sending when
// the answer comes, and gets it all the same.
TEST_F(ServerLimits, RefusesABodyThatIsTooLong) {
  Start({.max_body_bytes = 10});
  const std::string header = "PUT / HTTP/1.1\r\nHost: x\r\n";
  const std::string much(1000, 'x');
  for (const std::string& body :
       {absl::StrCat("Content-Length: 1000\r\n\r\n", much),
        absl::StrCat("Transfer-Encoding: chunked\r\n\r\n3e8\r\n", much),
        absl::StrCat("Transfer-Encoding: chunked\r\n\r\n",
                     "6\r\nabcdef\r\n5\r\nabcde\r\n0\r\n\r\n")}) {
    SocketClient client(server_->port());
    client.Send(absl::StrCat(header, body));
    EXPECT_EQ(client.ReadResponse().status, 413);
    EXPECT_EQ(client.ReadUntilEnd(), "");
  }
  EXPECT_EQ(handled_, 0);

  SocketClient client(server_->port());
  client.Send(absl::StrCat(header, "Content-Length: 10\r\n\r\n0123456789"));
  EXPECT_EQ(client.ReadResponse().status, 200);
}

TEST_F(ServerLimits, RefusesChunksWhoseHeadersOrTrailersNeverEnd) {
  Start({.max_header_bytes = 1000});
  const std::string much(5000, 'x');
  for (const std::string& rest :
       {absl::StrCat("1;", much), absl::StrCat("0\r\nX: ", much)}) {
    SocketClient client(server_->port());
    client.Send(absl::StrCat(
        "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
        rest));
    EXPECT_EQ(client.ReadResponse().status, 431);
  }
  EXPECT_EQ(handled_, 0);
}

TEST_F(ServerLimits, GivesTheAnswerToAClientThatIsStillSending) {
  Start({});
  SocketClient client(server_->port());
  client.Send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");
  client.Send(std::string(1 << 20, 'x'));
  EXPECT_EQ(client.ReadResponse().status, 413);
}

TEST_F(ServerLimits, CutsOffAClientThatIsSlowWithItsHeader) {
  Start({.header_timeout = kTiny});
  SocketClient client(server_->port());
  client.Send("GET /slow HT");
  EXPECT_EQ(client.ReadUntilEnd(), "");
  EXPECT_THAT(log_.WaitFor(1).at(0).error,
              "time-out: no whole header within 1ms");
}

TEST_F(ServerLimits, CutsOffAClientThatIsSlowWithItsBody) {
  Start({.body_timeout = kTiny});
  SocketClient client(server_->port());
  client.Send("PUT /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1");
  EXPECT_EQ(client.ReadUntilEnd(), "");
  const ServedRequest served = log_.WaitFor(1).at(0);
  EXPECT_EQ(served.error, "time-out: no whole body within 1ms");
  EXPECT_EQ(served.target, "/slow");
}

TEST_F(ServerLimits, CutsOffAClientThatDoesNotTakeItsAnswer) {
  // More than the buffers between them can hold.
  answer_ = std::string(64 << 20, 'x');
  Start({.write_timeout = kTiny});
  SocketClient client(server_->port());
  client.Send(kGet);
  EXPECT_EQ(log_.WaitFor(1).at(0).error,
            "time-out: answer not taken within 1ms");
}

TEST_F(ServerLimits, ClosesAConnectionOnWhichNothingHappens) {
  Start({.idle_timeout = kTiny});
  SocketClient silent(server_->port());
  EXPECT_EQ(silent.ReadUntilEnd(), "");
  // Nothing happened, so there is nothing to report. The next server gives its
  // client the time to begin.
  Start({});
  SocketClient started(server_->port());
  started.Send("GET ");
  started.Close();
  EXPECT_EQ(log_.WaitFor(1).size(), 1);
}

TEST_F(ServerLimits, ReportsAClientThatLeavesInTheMiddleOfARequest) {
  Start({});
  SocketClient client(server_->port());
  client.Send("GET / HTTP/1.1\r\nHos");
  client.Close();
  EXPECT_THAT(log_.WaitFor(1).at(0).error, HasSubstr("connection lost"));
}

TEST_F(ServerLimits, LetsClientsBeyondTheLimitWaitForTheirTurn) {
  std::atomic<int> most = 0;
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(
      {.max_connections = 2}, [&](const ServerRequest&, Responder respond) {
        most = std::max<int>(most, server_->connections());
        respond({});
      });
  ASSERT_TRUE(server.ok()) << server.status();
  server_ = *std::move(server);
  std::vector<SocketClient> clients;
  for (int i = 0; i < 10; ++i) clients.emplace_back(server_->port()).Send(kGet);
  for (SocketClient& client : clients) {
    EXPECT_EQ(client.ReadResponse().status, 200);
    client.Close();
  }
  EXPECT_LE(most, 2);
}

TEST_F(ServerLimits, MakesRoomByClosingTheConnectionThatIsIdleLongest) {
  Start({.max_connections = 3});
  SocketClient silent(server_->port());
  SocketClient early(server_->port());
  early.Send(kGet);
  EXPECT_EQ(early.ReadResponse().status, 200);
  SocketClient late(server_->port());
  late.Send(kGet);
  EXPECT_EQ(late.ReadResponse().status, 200);

  SocketClient fourth(server_->port());
  fourth.Send(kGet);
  EXPECT_EQ(fourth.ReadResponse().status, 200);
  EXPECT_EQ(silent.ReadUntilEnd(), "");
  // Others are served as before, and the next to go is the next longest idle.
  late.Send(kGet);
  EXPECT_EQ(late.ReadResponse().status, 200);
  SocketClient fifth(server_->port());
  fifth.Send(kGet);
  EXPECT_EQ(fifth.ReadResponse().status, 200);
  EXPECT_EQ(early.ReadUntilEnd(), "");
}

TEST_F(ServerLimits, ClosesNoConnectionBeforeSomebodyNeedsItsPlace) {
  Start({.max_connections = 2});
  SocketClient first(server_->port());
  SocketClient second(server_->port());
  for (int i = 0; i < 3; ++i) {
    for (SocketClient* client : {&first, &second}) {
      client->Send(kGet);
      EXPECT_EQ(client->ReadResponse().status, 200);
    }
  }
}

TEST_F(ServerLimits, NeverClosesAConnectionWithARequestUnderWay) {
  HeldRequests held;
  const absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start({.max_connections = 2}, held.Handler());
  ASSERT_TRUE(server.ok()) << server.status();
  SocketClient answered((*server)->port());
  answered.Send(kGet);
  const Responder answer = held.WaitFor(1).at(0);
  SocketClient half((*server)->port());
  half.Send("GET / HTTP/1.1\r\nHo");

  // It waits until one of them is idle, and then takes its place.
  SocketClient waiting((*server)->port());
  waiting.Send(kGet);
  answer({.body = "first"});
  EXPECT_EQ(answered.ReadResponse().body, "first");
  held.WaitFor(1).at(0)({.body = "waited"});
  EXPECT_EQ(waiting.ReadResponse().body, "waited");
  EXPECT_EQ(answered.ReadUntilEnd(), "");
  half.Send("st: x\r\n\r\n");
  held.WaitFor(1).at(0)({.body = "half"});
  EXPECT_EQ(half.ReadResponse().body, "half");
}

// Sets how many file descriptors the process may have, until it is destroyed.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit now = before_;
    now.rlim_cur = count;
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &now), 0);
  }
  ~DescriptorLimit() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
};

TEST_F(ServerLimits, FreesDescriptorsOfIdleConnectionsWhenTheyRunOut) {
  Start({});
  SocketClient idle(server_->port());
  idle.Send(kGet);
  EXPECT_EQ(idle.ReadResponse().status, 200);
  SocketClient client;
  const DescriptorLimit limit(0);
  ASSERT_TRUE(client.Connect(server_->port()));
  EXPECT_EQ(idle.ReadUntilEnd(), "");
}

TEST_F(ServerLimits, DoesNotStartWithoutFileDescriptors) {
  // The lowest that is free.
  const int next = dup(0);
  ASSERT_GE(next, 0);
  close(next);
  bool started = false;
  int failures = 0;
  for (int count = 0; !started; ++count) {
    const DescriptorLimit limit(next + count);
    const absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start({.threads = 2}, [](const ServerRequest&, Responder) {});
    started = server.ok();
    if (started) break;
    ++failures;
    EXPECT_TRUE(absl::IsResourceExhausted(server.status())) << server.status();
    EXPECT_THAT(std::string(server.status().message()),
                HasSubstr("Too many open files"));
  }
  // Two loops with a descriptor or more each, and the port.
  EXPECT_GT(failures, 2);
}

// Loops take descriptors when they start, not when the first connection comes.
TEST_F(ServerLimits, HasWhatItNeedsButForConnectionsOnceItHasStarted) {
  constexpr int kThreads = 3;
  Start({.threads = kThreads});
  SocketClient clients[kThreads];
  const int next = dup(0);
  ASSERT_GE(next, 0);
  close(next);
  const DescriptorLimit limit(next + 1);
  // Each comes to another thread, and takes the only descriptor.
  for (SocketClient& client : clients) {
    ASSERT_TRUE(client.Connect(server_->port()));
    client.Send(kGet);
    EXPECT_EQ(client.ReadResponse().status, 200);
  }
}

TEST_F(ServerLimits, DoesNotStartWithoutThreads) {
  const sync::testing::NoThreads no_threads;
  EXPECT_TRUE(absl::IsResourceExhausted(
      Server::Start({}, [](const ServerRequest&, Responder) {}).status()));
}

TEST_F(ServerLimits, GoesOnAfterTheSystemRanOutOfFileDescriptors) {
  sync::Mutex mutex;
  sync::Condition reported;
  absl::Status error;
  ServerOptions options;
  options.on_accept_error = [&](const absl::Status& status) {
    const sync::MutexLock lock(mutex);
    error = status;
    reported.NotifyAll();
  };
  Start(options);
  SocketClient client;
  {
    DescriptorLimit limit(0);
    ASSERT_TRUE(client.Connect(server_->port()));
    const sync::MutexLock lock(mutex);
    while (error.ok()) reported.Wait(mutex);
    EXPECT_THAT(std::string(error.message()), HasSubstr("Too many open files"));
  }
  client.Send(kGet);
  EXPECT_EQ(client.ReadResponse().status, 200);
}

}  // namespace
}  // namespace byoshin::http
