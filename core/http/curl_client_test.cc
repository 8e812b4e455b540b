#include "core/http/curl_client.h"

#include <atomic>
#include <future>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/testing/loopback_server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::byoshin::http::testing::AnswerAlways;
using ::byoshin::http::testing::AnswerOnce;
using ::byoshin::http::testing::Connection;
using ::byoshin::http::testing::LoopbackServer;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::string_literals;

constexpr char kOkAnswer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Answers with the request itself as the body.
void Echo(Connection& connection) {
  while (const auto request = connection.ReadRequest()) {
    connection.Write(absl::StrCat("HTTP/1.1 200 OK\r\nContent-Length: ",
                                  request->size(), "\r\n\r\n", *request));
  }
}

TEST(CurlClient, GivesStatusHeadersAndBody) {
  LoopbackServer server(
      AnswerAlways("HTTP/1.1 200 Fine\r\nContent-Type: text/plain\r\n"
                   "X-Twice: 1\r\nx-twice:  2 \r\nX-Empty:\r\n"
                   "Content-Length: 5\r\n\r\na\0b\r\n"s));
  CurlClient client("");
  const absl::StatusOr<Response> response =
      client.Send({.url = server.Url("/")});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "a\0b\r\n"s);
  EXPECT_EQ(response->FindHeader("content-TYPE"), "text/plain");
  EXPECT_EQ(response->FindHeader("X-Twice"), "1");
  EXPECT_EQ(response->headers.at(2).value, "2");
  EXPECT_EQ(response->FindHeader("X-Empty"), "");
  EXPECT_EQ(response->FindHeader("X-Missing"), "");
}

TEST(CurlClient, PassesOnABodyAsItArrives) {
  std::promise<void> received;
  LoopbackServer server([&received](Connection& connection) {
    connection.ReadRequest();
    connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
    // The rest is not sent before the client has had the beginning.
    received.get_future().wait();
    connection.Write("cd");
    connection.AwaitClose();
  });
  CurlClient client("");
  std::string body;
  const absl::StatusOr<Response> response = client.Send(
      {.url = server.Url("/"),
       .on_body = [&](const Response& head, absl::string_view piece) {
         EXPECT_EQ(head.status, 200);
         EXPECT_EQ(head.FindHeader("Content-Length"), "4");
         if (body.empty()) received.set_value();
         absl::StrAppend(&body, piece);
         return true;
       }});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(body, "abcd");
  EXPECT_EQ(response->body, "");
}

TEST(CurlClient, PassesOnNoMoreThanIsWanted) {
  LoopbackServer server(AnswerAlways(kOkAnswer));
  LoopbackServer failing(
      AnswerAlways("HTTP/1.1 503 No\r\nContent-Length: 3\r\n\r\nwhy"));
  CurlClient client("");
  const auto refuse = [](const Response&, absl::string_view) { return false; };
  EXPECT_TRUE(absl::IsCancelled(
      client.Send({.url = server.Url("/"), .on_body = refuse}).status()));
  EXPECT_TRUE(absl::IsResourceExhausted(client
                                            .Send({.url = server.Url("/"),
                                                   .max_response_bytes = 1,
                                                   .on_body = refuse})
                                            .status()));
  // An error is not what the receiver waits for.
  const absl::StatusOr<Response> error =
      client.Send({.url = failing.Url("/"), .on_body = refuse});
  ASSERT_TRUE(error.ok()) << error.status();
  EXPECT_EQ(error->body, "why");
}

TEST(CurlClient, SendsAGetWithNothingItWasNotAskedFor) {
  LoopbackServer server(Echo);
  CurlClient client("");
  const absl::StatusOr<Response> response =
      client.Send({.url = server.Url("/a/../b%20c?d=%2F&e"),
                   .headers = {{"X-Name", "value"}, {"X-Empty", ""}}});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->body, absl::StrCat("GET /a/../b%20c?d=%2F&e HTTP/1.1\r\n"
                                         "Host: 127.0.0.1:",
                                         server.port(),
                                         "\r\nAccept: */*\r\n"
                                         "X-Name: value\r\n"
                                         "X-Empty:\r\n"
                                         "Accept-Encoding: identity\r\n"
                                         "User-Agent: byoshin\r\n\r\n"));
}

TEST(CurlClient, SendsABody) {
  LoopbackServer server(Echo);
  CurlClient client("");
  // Longer than what curl would ask permission for, with "Expect".
  const std::string body = absl::StrCat(std::string(2 << 20, 'x'), "\0\r\n"s);
  const absl::StatusOr<Response> response = client.Send(
      {.method = "POST",
       .url = server.Url("/"),
       .headers = {{"Content-Type", "application/json"}, {"Host", "elsewhere"}},
       .body = body,
       .max_response_bytes = 4 << 20});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_TRUE(absl::EndsWith(response->body, absl::StrCat("\r\n\r\n", body)));
  const std::string head = response->body.substr(0, 1000);
  EXPECT_THAT(head, StartsWith("POST / HTTP/1.1\r\nHost: elsewhere\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(head, HasSubstr(absl::StrCat("\r\nContent-Length: ", body.size(),
                                           "\r\n")));
  EXPECT_THAT(head, Not(HasSubstr("Expect")));
}

TEST(CurlClient, SendsAnyMethodWithAndWithoutBody) {
  LoopbackServer server(Echo);
  CurlClient client("");
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "QUERY"}) {
    EXPECT_THAT(client.Send({.method = method, .url = server.Url("/")})->body,
                AllOf(StartsWith(absl::StrCat(method, " / HTTP/1.1\r\n")),
                      Not(HasSubstr("Content-Type"))));
    EXPECT_THAT(
        client.Send({.method = method, .url = server.Url("/"), .body = "x"})
            ->body,
        HasSubstr("Content-Length: 1\r\n"));
  }
  // After all of those, a plain one.
  EXPECT_THAT(client.Send({.url = server.Url("/")})->body,
              AllOf(StartsWith("GET / "), Not(HasSubstr("Content-Length"))));
}

TEST(CurlClient, SendsHeadAndWaitsForNoBody) {
  LoopbackServer server(
      AnswerAlways("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"));
  CurlClient client("");
  const absl::StatusOr<Response> response =
      client.Send({.method = "HEAD", .url = server.Url("/")});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->FindHeader("Content-Length"), "12");
  EXPECT_EQ(response->body, "");
}

TEST(CurlClient, TakesAnyStatusForAResponse) {
  for (const int status : {204, 304, 400, 404, 429, 500, 503, 599}) {
    LoopbackServer server(AnswerAlways(
        absl::StrCat("HTTP/1.1 ", status, " X\r\nContent-Length: 0\r\n\r\n")));
    CurlClient client("");
    const absl::StatusOr<Response> response =
        client.Send({.url = server.Url("/")});
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->status, status);
  }
}

TEST(CurlClient, DoesNotFollowRedirects) {
  LoopbackServer other(AnswerAlways(kOkAnswer));
  LoopbackServer server(AnswerAlways(
      absl::StrCat("HTTP/1.1 302 Found\r\nLocation: ", other.Url("/"),
                   "\r\nContent-Length: 0\r\n\r\n")));
  CurlClient client("");
  EXPECT_EQ(client.Send({.url = server.Url("/")})->status, 302);
  EXPECT_EQ(other.connections(), 0);
}

TEST(CurlClient, PassesOverInterimResponses) {
  LoopbackServer server(AnswerOnce(absl::StrCat(
      "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n", kOkAnswer)));
  CurlClient client("");
  const absl::StatusOr<Response> response =
      client.Send({.url = server.Url("/")});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->FindHeader("X-Early"), "");
}

TEST(CurlClient, TakesAChunkedBody) {
  LoopbackServer server(
      AnswerAlways("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                   "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"));
  CurlClient client("");
  EXPECT_EQ(client.Send({.url = server.Url("/")})->body, "abcde");
  EXPECT_EQ(client.Send({.url = server.Url("/")})->body, "abcde");
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlClient, KeepsConnectionsOpen) {
  LoopbackServer first(AnswerAlways(kOkAnswer));
  LoopbackServer second(AnswerAlways(kOkAnswer));
  CurlClient client("");
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(client.Send({.url = first.Url("/")}).ok());
    EXPECT_TRUE(
        client.Send({.method = "POST", .url = second.Url("/"), .body = "x"})
            .ok());
  }
  EXPECT_EQ(first.connections(), 1);
  EXPECT_EQ(second.connections(), 1);
}

TEST(CurlClient, KeepsTheConnectionAfterAnErrorStatus) {
  LoopbackServer server(
      AnswerAlways("HTTP/1.1 500 X\r\nContent-Length: 1\r\n\r\nx"));
  CurlClient client("");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.Send({.url = server.Url("/")})->status, 500);
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlClient, ReplacesAConnectionThatTheServerClosedBetweenRequests) {
  LoopbackServer server(AnswerOnce(kOkAnswer));
  CurlClient client("");
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<Response> response =
        client.Send({.method = "POST", .url = server.Url("/"), .body = "x"});
    EXPECT_TRUE(response.ok()) << response.status();
  }
  EXPECT_EQ(server.connections(), 3);
}

// The close crosses the next request on its way.
TEST(CurlClient, ReplacesAConnectionThatTheServerClosesOnTheNextRequest) {
  for (const bool reset : {false, true}) {
    LoopbackServer server([reset](Connection& connection) {
      connection.ReadRequest();
      connection.Write(kOkAnswer);
      if (connection.index() > 0) {
        connection.AwaitClose();
        return;
      }
      connection.ReadRequest();
      if (reset) connection.ResetOnClose();
    });
    CurlClient client("");
    const Request request{
        .method = "POST", .url = server.Url("/"), .body = "x"};
    EXPECT_TRUE(client.Send(request).ok());
    const absl::StatusOr<Response> response = client.Send(request);
    EXPECT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(server.connections(), 2);
  }
}

// curl may open another connection before it finds that it can't repeat the
// request: what counts is what the server gets.
TEST(CurlClient, DoesNotSendTwiceWhatMustNotBe) {
  for (const bool reset : {false, true}) {
    for (absl::string_view body : {"x", ""}) {
      std::atomic<int> requests = 0;
      {
        LoopbackServer server([&](Connection& connection) {
          while (connection.ReadRequest().has_value()) {
            if (++requests > 1) break;
            connection.Write(kOkAnswer);
          }
          if (reset) connection.ResetOnClose();
        });
        CurlClient client("");
        const Request request{.method = "POST",
                              .url = server.Url("/"),
                              .body = std::string(body),
                              .resend = Resend::kNever};
        EXPECT_TRUE(client.Send(request).ok());
        const absl::Status status = client.Send(request).status();
        EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
        EXPECT_FALSE(IsUnsent(status));
      }
      EXPECT_EQ(requests, 2) << "reset " << reset << ", body " << body;
    }
  }
}

TEST(CurlClient, SendsABodyOfAnyLengthThatMustNotBeSentTwice) {
  LoopbackServer server(Echo);
  CurlClient client("");
  for (const int length : {0, 1, 300000}) {
    const std::string body(length, 'x');
    const absl::StatusOr<Response> response =
        client.Send({.method = "POST",
                     .url = server.Url("/"),
                     .body = body,
                     .resend = Resend::kNever});
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_THAT(response->body,
                HasSubstr(absl::StrCat("Content-Length: ", length, "\r\n")));
    EXPECT_THAT(response->body, ::testing::EndsWith("\r\n\r\n" + body));
  }
}

TEST(CurlClient, TakesTimeOutsOfAnyLength) {
  LoopbackServer server(AnswerAlways(kOkAnswer));
  CurlClient client("");
  for (const absl::Duration timeout :
       {absl::Hours(1000000), absl::InfiniteDuration()}) {
    EXPECT_TRUE(client
                    .Send({.url = server.Url("/"),
                           .connect_timeout = timeout,
                           .timeout = timeout})
                    .ok());
  }
}

TEST(CurlClient, TakesABodyAsLongAsTheLimit) {
  LoopbackServer server(AnswerAlways(kOkAnswer));
  CurlClient client("");
  EXPECT_EQ(
      client.Send({.url = server.Url("/"), .max_response_bytes = 2})->body,
      "ok");
}

TEST(CurlClient, TakesOddButHarmlessHeaderValues) {
  LoopbackServer server(Echo);
  CurlClient client("");
  EXPECT_THAT(
      client
          .Send({.url = server.Url("/"),
                 .headers = {{"X", "a\tb ; \xe7\xa7\x92"}, {"Y", "  "}}})
          ->body,
      AllOf(HasSubstr("\r\nX: a\tb ; \xe7\xa7\x92\r\n"),
            HasSubstr("\r\nY:\r\n")));
}

}  // namespace
}  // namespace byoshin::http
