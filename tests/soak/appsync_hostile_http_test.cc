// Hostile GraphQL requests over HTTP: each gets a clear error or a bounded
// answer, the cloud's memory is bounded, and good clients are served
// afterwards.
#include <gtest/gtest.h>

#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/soak/hostile_api.h"
#include "tests/soak/hostile_client.h"

namespace byoshin::tests {
namespace {

// Of the cloud's process, with everything that it is made of. What these
// requests could take without limits is a multiple.
constexpr double kMaxMib = 1000;
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

std::string Repeated(absl::string_view text, int times) {
  std::string repeated;
  repeated.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) absl::StrAppend(&repeated, text);
  return repeated;
}

// Of an alias each: "a0: field a1: field …".
std::string Aliases(absl::string_view field, int count) {
  std::string aliases;
  for (int i = 0; i < count; ++i)
    absl::StrAppend(&aliases, "a", i, ": ", field, " ");
  return aliases;
}

// Fragments of which each spreads the next one twice.
std::string Doubling(int fragments) {
  std::string text = "{ node { ...F0 } }";
  for (int i = 0; i < fragments; ++i) {
    absl::StrAppend(&text, " fragment F", i, " on Node { a: child { ...F",
                    i + 1, " } b: child { ...F", i + 1, " } }");
  }
  return absl::StrCat(text, " fragment F", fragments, " on Node { id }");
}

// A chain of fragments, each a level deeper.
std::string Chain(int fragments) {
  std::string text = "{ node { ...F0 } }";
  for (int i = 0; i < fragments; ++i) {
    absl::StrAppend(&text, " fragment F", i, " on Node { child { ...F", i + 1,
                    " } }");
  }
  return absl::StrCat(text, " fragment F", fragments, " on Node { id }");
}

class AppsyncHostileHttp : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    absl::StatusOr<std::unique_ptr<HostileApi>> api = HostileApi::Start();
    ASSERT_TRUE(api.ok()) << api.status();
    api_ = api->release();
  }
  static void TearDownTestSuite() {
    delete api_;
    api_ = nullptr;
  }

  void SetUp() override { ASSERT_NE(api_, nullptr); }
  void TearDown() override {
    const absl::Status served = api_->ServeGoodClient();
    EXPECT_TRUE(served.ok()) << served;
    const absl::Status closed = api_->AwaitClosedSockets();
    EXPECT_TRUE(closed.ok()) << closed;
    std::cout << absl::StrFormat("the cloud: %.0f MiB, at most %.0f\n",
                                 api_->ResidentMib(), api_->PeakMib());
    EXPECT_LT(api_->PeakMib(), kMaxMib);
  }

  // The answer has the status, and `text` is part of it.
  static void ExpectAnswer(const absl::StatusOr<bench::Reply>& reply,
                           int status, absl::string_view text) {
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->status, status);
    EXPECT_TRUE(absl::StrContains(reply->body, text))
        << reply->body.substr(0, 1000);
  }

  static constexpr char kUnparsable[] = "Unable to parse GraphQL query.";
  static HostileApi* api_;
};

HostileApi* AppsyncHostileHttp::api_ = nullptr;

TEST_F(AppsyncHostileHttp, DeepQueriesAreRefused) {
  ExpectAnswer(api_->Ask(Repeated("{node", 100'000)), 400, kUnparsable);
  ExpectAnswer(api_->Ask(absl::StrCat("{ echo(list: ", Repeated("[", 100'000))),
               400, kUnparsable);
  ExpectAnswer(api_->Ask(absl::StrCat("query($v: ", Repeated("[", 100'000))),
               400, kUnparsable);
  // As deep as a query may be.
  ExpectAnswer(api_->Ask(absl::StrCat("{ node ", Repeated("{ child ", 190),
                                      "{ id }", Repeated("}", 191))),
               200, R"({"id":"0.)");
  ExpectAnswer(api_->Ask(Chain(250)), 200, R"({"id":"0.)");
  ExpectAnswer(api_->Ask(Chain(1200)), 200, "QueryTooComplex");
}

TEST_F(AppsyncHostileHttp, AliasesDontMultiplyWhatARequestTakes) {
  ExpectAnswer(api_->Ask(absl::StrCat("{ ", Aliases("echo", 10'000), "}")), 400,
               kUnparsable);
  const std::string variables =
      absl::StrCat(R"({"t":")", std::string(kMebibyte / 4, 't'), R"("})");
  ExpectAnswer(api_->Ask(absl::StrCat("query($t: String) { ",
                                      Aliases("echo(text: $t)", 150), "}"),
                         variables),
               200, "The resolvers return more than 33554432 bytes.");
  // A name that every error below it would repeat.
  ExpectAnswer(api_->Ask(absl::StrCat("{ ", std::string(kMebibyte / 2, 'n'),
                                      ": node { ", Aliases("id", 1000), "} }")),
               200, "The paths of the selected fields are longer than");
}

TEST_F(AppsyncHostileHttp, HugeVariablesAreBounded) {
  const std::string text(2 * kMebibyte, 't');
  ExpectAnswer(api_->Ask("query($t: String) { echo(text: $t) }",
                         absl::StrCat(R"({"t":")", text, R"("})")),
               200, text);
  // Far more than the 64 MiB that code has, however an object is kept.
  ExpectAnswer(api_->Ask("query($j: AWSJSON) { echo(json: $j) }",
                         absl::StrCat(R"({"j":"[)", Repeated("{},", 800'000),
                                      R"({}]"})")),
               200, "exceeded its memory limit");
  ExpectAnswer(api_->Ask("{ __typename }",
                         absl::StrCat(R"({"l":)", Repeated("[", 200'000))),
               400, kUnparsable);
  ExpectAnswer(
      api_->Ask("query($j: AWSJSON) { echo(json: $j) }",
                absl::StrCat(R"({"j":")", Repeated("[", 200'000), R"("})")),
      200, "Variable 'j' has an invalid value");
  // Nothing of it is read.
  absl::StatusOr<bench::Connection> connection =
      bench::Connection::Open(api_->target().port);
  ASSERT_TRUE(connection.ok()) << connection.status();
  ExpectAnswer(
      connection->Exchange(absl::StrCat(
          "POST ", api_->target().path,
          " HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")),
      413, "");
}

TEST_F(AppsyncHostileHttp, EndlessFragmentsAreRefused) {
  ExpectAnswer(api_->Ask("{ node { ...A } } fragment A on Node { ...B } "
                         "fragment B on Node { child { ...A } }"),
               200, "Fragment cycles not allowed");
  ExpectAnswer(api_->Ask("{ node { ...A } } fragment A on Node { ...A }"), 200,
               "Fragment cycles not allowed");
  ExpectAnswer(api_->Ask(Doubling(100)), 200,
               "The operation selects more than 50000 fields");
  // With a resolver for each of its thousand fields.
  ExpectAnswer(api_->Ask(Doubling(9)), 200, R"({"id":"0.........")");
}

TEST_F(AppsyncHostileHttp, InvalidUtf8IsRefused) {
  for (const absl::string_view bytes :
       {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    ExpectAnswer(api_->Post(absl::StrCat(R"({"query":"{ echo(text: \")", bytes,
                                         R"(\") }"})")),
                 400, kUnparsable);
    ExpectAnswer(api_->Post(absl::StrCat(
                     R"({"query":"query($t: String) { echo(text: $t) }",)",
                     R"("variables":{"t":")", bytes, R"("}})")),
                 400, kUnparsable);
  }
  absl::StatusOr<bench::Connection> connection =
      bench::Connection::Open(api_->target().port);
  ASSERT_TRUE(connection.ok()) << connection.status();
  const std::string head = absl::StrCat(
      " HTTP/1.1\r\nHost: 127.0.0.1:", api_->target().port, "\r\nx-api-key: ");
  ExpectAnswer(connection->Exchange(
                   absl::StrCat("GET ", api_->target().path, "?query=%7B%FF%7D",
                                head, api_->target().key, "\r\n\r\n")),
               400, kUnparsable);
  ExpectAnswer(connection->Exchange(absl::StrCat("GET ", api_->target().path,
                                                 "?query=%7Becho%7D", head,
                                                 "\xff\xfe\r\n\r\n")),
               401, "UnauthorizedException");
}

TEST_F(AppsyncHostileHttp, DocumentsThatAreKeptAreBounded) {
  // Distinct ones, of few bytes and many nodes.
  for (int i = 0; i < 30; ++i) {
    ExpectAnswer(api_->Ask(absl::StrCat("{ a", i, ": __typename ",
                                        Repeated("__typename ", 14'000), "}")),
                 200, R"("__typename":"Query")");
  }
}

TEST_F(AppsyncHostileHttp, RequestsThatAreCutAnywhereEnd) {
  const std::string request = bench::PostRequest(
      api_->target(),
      bench::GraphqlOperation{.query = R"({ echo(text: "a") })"});
  for (std::size_t cut = 0; cut < request.size(); ++cut) {
    CarelessSocket socket(api_->target().port);
    if (cut % 2 == 0) socket.ResetOnClose();
    socket.Send(absl::string_view(request).substr(0, cut));
  }
  // The same in two pieces is a request.
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    absl::StatusOr<bench::Connection> connection =
        bench::Connection::Open(api_->target().port);
    ASSERT_TRUE(connection.ok()) << connection.status();
    const absl::Status sent =
        connection->Send(absl::string_view(request).substr(0, cut));
    ASSERT_TRUE(sent.ok()) << sent;
    ExpectAnswer(connection->Exchange(absl::string_view(request).substr(cut)),
                 200, R"({"data":{"echo":"a"}})");
  }
}

TEST_F(AppsyncHostileHttp, AnswersThatNobodyReadsAreBounded) {
  const bench::GraphqlOperation operation = {
      .query =
          "query($t: String) { a: echo(text: $t) b: echo(text: $t) "
          "c: echo(text: $t) d: echo(text: $t) }",
      .variables =
          absl::StrCat(R"({"t":")", std::string(kMebibyte, 't'), R"("})")};
  const std::string request = bench::PostRequest(api_->target(), operation);
  std::vector<CarelessSocket> sockets;
  for (int i = 0; i < 10; ++i) {
    sockets.emplace_back(api_->target().port);
    sockets.back().Send(request);
  }
  // All are at work or done; good clients are served beside them.
  const absl::Status served = api_->ServeGoodClient();
  EXPECT_TRUE(served.ok()) << served;
}

}  // namespace
}  // namespace byoshin::tests
