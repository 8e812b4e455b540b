#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/http/testing/loopback_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::AnswerAlways;
using ::byoshin::http::testing::AnswerOnce;
using ::byoshin::http::testing::Connection;
using ::byoshin::http::testing::LoopbackServer;
using ::byoshin::http::testing::UnusedPort;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::string_literals;

constexpr char kOk[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// The error of one request to a server that behaves as `handler` does.
absl::Status ErrorFrom(LoopbackServer::Handler handler, Request request = {}) {
  LoopbackServer server(std::move(handler));
  request.url = server.Url("/path?key=secret");
  CurlClient client("");
  const absl::Status status = client.Send(request).status();
  // Whatever went wrong, the message says with what, and no more than that.
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith(absl::StrCat(request.method, " ",
                                            server.Url("/path"), ": ")),
                    Not(HasSubstr("secret"))));
  return status;
}

TEST(CurlClientFailure, DoesNotSendAgainWhatFailedOnAFreshConnection) {
  LoopbackServer server(
      [](Connection& connection) { connection.ReadRequest(); });
  CurlClient client("");
  EXPECT_EQ(client.Send({.url = server.Url("/")}).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlClientFailure, SaysUnavailableWhenTheConnectionIsRefused) {
  const UnusedPort unused;
  CurlClient client("");
  const absl::Status status =
      client.Send({.url = absl::StrCat("http://127.0.0.1:", unused.port())})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(IsUnsent(status));
  EXPECT_THAT(
      std::string(status.message()),
      StartsWith(absl::StrCat("GET http://127.0.0.1:", unused.port(), "/: ")));
}

TEST(CurlClientFailure, GoesOnAfterANameThatNobodyHas) {
  LoopbackServer server(AnswerAlways(kOk));
  CurlClient client("");
  // Addresses need no resolver, which is made for the first name.
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(client.Send({.url = server.Url("/")}).ok());
    // RFC 6761, section 6.4. Whether a resolver says so in time is not known.
    const absl::Status status =
        client
            .Send({.url = "http://byoshin.invalid/",
                   .connect_timeout = absl::Milliseconds(100)})
            .status();
    EXPECT_THAT(status.code(), AnyOf(absl::StatusCode::kUnavailable,
                                     absl::StatusCode::kDeadlineExceeded));
    EXPECT_THAT(std::string(status.message()),
                StartsWith("GET http://byoshin.invalid/: "));
  }
  EXPECT_TRUE(client.Send({.url = server.Url("/")}).ok());
}

TEST(CurlClientFailure, NamesTheErrorOfTheSystem) {
  const absl::Status status = ErrorFrom([](Connection& connection) {
    connection.ReadRequest();
    connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no");
    connection.ResetOnClose();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Connection reset by peer"));
}

TEST(CurlClientFailure, SaysDeadlineExceededWhenTheServerNeverAnswers) {
  const absl::Status status =
      ErrorFrom([](Connection& connection) { connection.AwaitClose(); },
                {.timeout = absl::Milliseconds(50)});
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(CurlClientFailure, SaysCancelledWhenTheRequestIs) {
  const absl::Status status =
      ErrorFrom([](Connection& connection) { connection.AwaitClose(); },
                {.cancelled = [] { return true; }});
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
}

TEST(CurlClientFailure, SaysDeadlineExceededWhenTheServerNeverFinishes) {
  const absl::Status status = ErrorFrom(
      [](Connection& connection) {
        connection.ReadRequest();
        connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no");
        connection.AwaitClose();
      },
      {.timeout = absl::Milliseconds(50)});
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(CurlClientFailure, WorksAgainAfterATimeOut) {
  LoopbackServer server([](Connection& connection) {
    connection.ReadRequest();
    if (connection.index() > 0) connection.Write(kOk);
    connection.AwaitClose();
  });
  CurlClient client("");
  EXPECT_EQ(
      client.Send({.url = server.Url("/"), .timeout = absl::Milliseconds(50)})
          .status()
          .code(),
      absl::StatusCode::kDeadlineExceeded);
  const absl::StatusOr<Response> response =
      client.Send({.url = server.Url("/")});
  EXPECT_TRUE(response.ok()) << response.status();
}

TEST(CurlClientFailure, SendsNothingWhenNoTimeIsLeft) {
  LoopbackServer server(AnswerAlways(kOk));
  CurlClient client("");
  for (const absl::Duration timeout :
       {absl::ZeroDuration(), absl::Seconds(-1), -absl::InfiniteDuration()}) {
    EXPECT_EQ(client.Send({.url = server.Url("/"), .timeout = timeout})
                  .status()
                  .code(),
              absl::StatusCode::kDeadlineExceeded);
    EXPECT_EQ(client.Send({.url = server.Url("/"), .connect_timeout = timeout})
                  .status()
                  .code(),
              absl::StatusCode::kDeadlineExceeded);
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(CurlClientFailure, SaysResourceExhaustedWhenALongerBodyIsAnnounced) {
  const absl::Status status =
      ErrorFrom(AnswerOnce("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
                {.max_response_bytes = 2});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("longer than 2 bytes"));
}

TEST(CurlClientFailure, DoesNotWaitForABodyThatIsAnnouncedAsTooLong) {
  const absl::Status status = ErrorFrom(
      [](Connection& connection) {
        connection.ReadRequest();
        connection.Write(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
        connection.AwaitClose();
      },
      {.timeout = absl::InfiniteDuration()});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(CurlClientFailure, SaysResourceExhaustedWhenAChunkedBodyGrowsTooLong) {
  const absl::Status status = ErrorFrom(
      AnswerOnce("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
      {.max_response_bytes = 2});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(CurlClientFailure, SaysResourceExhaustedWhenABodyWithoutLengthDoesNotEnd) {
  const absl::Status status = ErrorFrom(
      [](Connection& connection) {
        connection.ReadRequest();
        connection.Write("HTTP/1.1 200 OK\r\n\r\n");
        connection.Write(std::string(4 << 20, 'x'));
        connection.AwaitClose();
      },
      {.timeout = absl::InfiniteDuration()});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(CurlClientFailure, AllowsForNoBodyAtAll) {
  const absl::Status status =
      ErrorFrom(AnswerOnce(kOk), {.max_response_bytes = 0});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(CurlClientFailure, SaysResourceExhaustedWhenThereAreTooManyHeaders) {
  std::string response = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&response, "X-", i, ": ", std::string(100, 'x'), "\r\n");
  }
  const absl::Status status =
      ErrorFrom(AnswerOnce(absl::StrCat(response, "\r\n")));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("headers"));
}

TEST(CurlClientFailure, SaysUnavailableWhenTheConnectionBreaks) {
  for (const char* part :
       {"", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    EXPECT_EQ(ErrorFrom(AnswerOnce(part)).code(),
              absl::StatusCode::kUnavailable)
        << part;
  }
}

TEST(CurlClientFailure, SaysUnavailableWhenTheConnectionIsReset) {
  const absl::Status status = ErrorFrom([](Connection& connection) {
    connection.ReadRequest();
    connection.ResetOnClose();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
}

TEST(CurlClientFailure, SaysUnavailableWhenTheAnswerIsNotHttp) {
  for (const char* garbage :
       {"hello\r\n\r\n", "SSH-2.0-OpenSSH_9.2p1\r\n", "\x15\x03\x01\x00\x02",
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "<html></html>",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"}) {
    EXPECT_EQ(ErrorFrom(AnswerOnce(garbage)).code(),
              absl::StatusCode::kUnavailable)
        << garbage;
  }
}

TEST(CurlClientFailure, RefusesMalformedUrls) {
  CurlClient client("");
  for (const char* url :
       {"", "x", "localhost:3000", "ftp://x/", "file:///etc/passwd",
        "http://u:secret@127.0.0.1/", "http://127.0.0.1:99999/",
        "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y"}) {
    const absl::Status status = client.Send({.url = url}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << url;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
  }
}

TEST(CurlClientFailure, RefusesMethodsAndHeadersThatWouldInjectOthers) {
  LoopbackServer server(AnswerAlways(kOk));
  CurlClient client("");
  const auto code_of = [&](Request request) {
    request.url = server.Url("/");
    const absl::Status status = client.Send(request).status();
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(server.Url("/: ")), Not(HasSubstr("secret"))));
    return status.code();
  };
  for (const std::string& method : {""s, "GET /x"s, "GET\r\n"s, "G\0T"s}) {
    EXPECT_EQ(code_of({.method = method}), absl::StatusCode::kInvalidArgument);
  }
  for (const std::string& name :
       {""s, "X:"s, "X Y"s, "X\r\nY"s, "X\0"s, "\xc3\xa9"s}) {
    EXPECT_EQ(code_of({.headers = {{name, "v"}}}),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
  for (const std::string& value :
       {"secret\r\nX: y"s, "secret\n"s, "\r"s, "secret\0"s, "\x7f"s}) {
    EXPECT_EQ(code_of({.headers = {{"X", value}}}),
              absl::StatusCode::kInvalidArgument)
        << value;
  }
  for (const char* name : {"Content-Length", "transfer-encoding"}) {
    EXPECT_EQ(code_of({.headers = {{name, "3"}}}),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(server.connections(), 0);
}

}  // namespace
}  // namespace byoshin::http
