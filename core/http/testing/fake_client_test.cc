#include "core/http/testing/fake_client.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/http/client.h"
#include "gtest/gtest.h"

namespace byoshin::http::testing {
namespace {

TEST(FakeClient, AnswersInTheOrderWrittenDown) {
  FakeClient client;
  client.Answer({.status = 200, .body = "a"});
  client.Fail(absl::UnavailableError("b"));
  client.AnswerBy([](const Request& request) -> absl::StatusOr<Response> {
    return Response{.status = 404, .body = request.url};
  });
  EXPECT_EQ(client.unused(), 3);
  EXPECT_EQ(client.Send({.url = "http://x/1"})->body, "a");
  EXPECT_EQ(client.Send({.url = "http://x/2"}).status(),
            absl::UnavailableError("b"));
  EXPECT_EQ(client.Send({.url = "http://x/3"})->body, "http://x/3");
  EXPECT_EQ(client.unused(), 0);
}

TEST(FakeClient, RemembersWhatItWasAsked) {
  FakeClient client;
  client.Answer({.status = 200});
  EXPECT_TRUE(client
                  .Send({.method = "PUT",
                         .url = "http://x/",
                         .headers = {{"X-A", "1"}, {"x-a", "2"}}})
                  .ok());
  ASSERT_EQ(client.requests().size(), 1u);
  EXPECT_EQ(client.requests()[0].method, "PUT");
  EXPECT_EQ(HeaderOf(client.requests()[0], "x-A"), "1");
  EXPECT_EQ(HeaderOf(client.requests()[0], "x-b"), "");
}

TEST(FakeClient, AnswersTheRestTheSameWay) {
  FakeClient client;
  client.Answer({.status = 201});
  client.AlwaysAnswerBy([](const Request&) { return Response{.status = 202}; });
  EXPECT_EQ(client.Send({})->status, 201);
  EXPECT_EQ(client.Send({})->status, 202);
  EXPECT_EQ(client.Send({})->status, 202);
}

TEST(FakeClient, FailsWithoutAnAnswerAsNoRealClientDoes) {
  FakeClient client;
  EXPECT_EQ(client.Send({.url = "http://x/"}).status().code(),
            absl::StatusCode::kInternal);
  EXPECT_EQ(client.requests().size(), 1u);
}

}  // namespace
}  // namespace byoshin::http::testing
