#include "core/scheduler/api_client.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kGoodBody[] =
    R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":7})";

Window TheWindow() {
  const absl::Time from = time::ParseIso8601("2025-12-02T10:23:00Z").value();
  return {from, from + absl::Seconds(5)};
}

std::string BodyWithCount(absl::string_view count) {
  return absl::StrCat(
      R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":)",
      count, "}");
}

absl::StatusOr<int64_t> CountIn(const std::string& body) {
  return ReadCount({.status = 200, .headers = {}, .body = body}, TheWindow());
}

std::string DataLoss(const std::string& body) {
  const absl::Status status = CountIn(body).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  return std::string(status.message());
}

TEST(ResponseCountUrl, AsksAboutTheWindow) {
  EXPECT_EQ(ResponseCountUrl("http://localhost:3000", TheWindow()).value(),
            "http://localhost:3000/response_count"
            "?from=2025-12-02T10%3A23%3A00Z&to=2025-12-02T10%3A23%3A05Z");
}

TEST(ResponseCountUrl, KeepsThePathOfTheBaseUrl) {
  EXPECT_THAT(
      ResponseCountUrl("https://api.example.com/prod/", TheWindow()).value(),
      HasSubstr("https://api.example.com/prod/response_count?from="));
}

TEST(ResponseCountUrl, RefusesABaseUrlThatIsNone) {
  EXPECT_EQ(ResponseCountUrl("localhost", TheWindow()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ReadCount, TakesAnAnswerToTheQuestion) {
  EXPECT_EQ(CountIn(kGoodBody).value(), 7);
}

TEST(ReadCount, TakesZeroForAValue) {
  EXPECT_EQ(CountIn(BodyWithCount("0")).value(), 0);
}

TEST(ReadCount, TakesTheLargestCount) {
  EXPECT_EQ(CountIn(BodyWithCount("9223372036854775807")).value(),
            std::numeric_limits<int64_t>::max());
}

TEST(ReadCount, ComparesInstantsNotTheirSpelling) {
  EXPECT_EQ(CountIn(R"({"count":7,"from":"2025-12-02T19:23:00+09:00",)"
                    R"("to":"2025-12-02T10:23:05.000Z","more":null})")
                .value(),
            7);
}

TEST(ReadCount, RefusesEveryStatusButOk) {
  const auto code = [](int status) {
    return ReadCount({.status = status, .headers = {}, .body = kGoodBody},
                     TheWindow())
        .status()
        .code();
  };
  for (const int status : {500, 502, 503, 504, 599}) {
    EXPECT_EQ(code(status), absl::StatusCode::kUnavailable) << status;
  }
  EXPECT_EQ(code(429), absl::StatusCode::kResourceExhausted);
  for (const int status : {0, 100, 201, 204, 301, 302, 304, 400, 401, 404}) {
    EXPECT_EQ(code(status), absl::StatusCode::kFailedPrecondition) << status;
  }
}

TEST(ReadCount, SaysWhatTheApiSaidInsteadOfOk) {
  const absl::Status status =
      ReadCount({.status = 503, .headers = {}, .body = "try\nlater"},
                TheWindow())
          .status();
  EXPECT_EQ(status.message(),
            "the API answered with status 503, not 200: \"try\\nlater\"");
}

TEST(ReadCount, RefusesWhatIsNotJson) {
  for (const char* body : {"", "<html></html>", "{", "{\"count\":7", "\xff"}) {
    EXPECT_THAT(DataLoss(body),
                HasSubstr("the API's answer cannot be used: line 1, column"))
        << body;
  }
}

TEST(ReadCount, NamesTheFieldThatIsMissing) {
  EXPECT_THAT(DataLoss("{}"), HasSubstr("from: required, but missing"));
  EXPECT_THAT(DataLoss(R"({"from":"2025-12-02T10:23:00Z","count":7})"),
              HasSubstr("to: required, but missing"));
  EXPECT_THAT(DataLoss(R"({"from":"2025-12-02T10:23:00Z",)"
                       R"("to":"2025-12-02T10:23:05Z"})"),
              HasSubstr("count: required, but missing"));
}

TEST(ReadCount, RefusesACountThatIsNotAnInteger) {
  for (const char* count : {"\"7\"", "7.5", "7.0", "7e0", "true", "null", "[7]",
                            "{}", "9223372036854775808", "1e400"}) {
    EXPECT_THAT(CountIn(BodyWithCount(count)).status().code(),
                absl::StatusCode::kDataLoss)
        << count;
  }
  EXPECT_THAT(DataLoss(BodyWithCount("\"7\"")), HasSubstr("count: "));
}

TEST(ReadCount, RefusesANegativeCount) {
  EXPECT_THAT(DataLoss(BodyWithCount("-1")),
              HasSubstr("count is -1, which is negative"));
}

TEST(ReadCount, RefusesTheAnswerToAnotherQuestion) {
  EXPECT_THAT(DataLoss(R"({"from":"2025-12-02T10:22:55Z",)"
                       R"("to":"2025-12-02T10:23:05Z","count":7})"),
              HasSubstr("from is 2025-12-02T10:22:55Z, but "
                        "2025-12-02T10:23:00Z was asked for"));
  EXPECT_THAT(DataLoss(R"({"from":"2025-12-02T10:23:00Z",)"
                       R"("to":"2025-12-02T10:23:05.001Z","count":7})"),
              HasSubstr("to is 2025-12-02T10:23:05.001Z, but"));
  EXPECT_THAT(DataLoss(R"({"from":"now","to":"2025-12-02T10:23:05Z",)"
                       R"("count":7})"),
              HasSubstr("from: invalid ISO 8601 time"));
}

TEST(ApiClient, SendsOneGetWithinItsLimits) {
  http::testing::FakeClient http_client;
  http_client.Answer({.status = 200, .headers = {}, .body = kGoodBody});
  ApiClient api(http_client, "http://localhost:3000");
  EXPECT_EQ(api.FetchCount(TheWindow(), absl::Seconds(10)).value(), 7);

  ASSERT_THAT(http_client.requests(), SizeIs(1));
  const http::Request& request = http_client.requests()[0];
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.url,
            ResponseCountUrl("http://localhost:3000", TheWindow()).value());
  EXPECT_EQ(request.body, "");
  EXPECT_EQ(request.timeout, absl::Seconds(10));
  EXPECT_EQ(request.connect_timeout, absl::Seconds(2));
  EXPECT_EQ(request.max_response_bytes, 64 * 1024);
}

TEST(ApiClient, NeverConnectsLongerThanTheWholeMayTake) {
  http::testing::FakeClient http_client;
  http_client.Answer({.status = 200, .headers = {}, .body = kGoodBody});
  ApiClient api(http_client, "http://localhost:3000");
  ASSERT_TRUE(api.FetchCount(TheWindow(), absl::Milliseconds(300)).ok());
  EXPECT_EQ(http_client.requests().at(0).connect_timeout,
            absl::Milliseconds(300));
}

TEST(ApiClient, PassesOnWhyThereWasNoAnswer) {
  http::testing::FakeClient http_client;
  http_client.Fail(absl::UnavailableError("connection refused"));
  http_client.Fail(absl::DeadlineExceededError("time-out"));
  ApiClient api(http_client, "http://localhost:3000");
  EXPECT_EQ(api.FetchCount(TheWindow(), absl::Seconds(10)).status(),
            absl::UnavailableError("connection refused"));
  EXPECT_EQ(api.FetchCount(TheWindow(), absl::Seconds(10)).status(),
            absl::DeadlineExceededError("time-out"));
}

}  // namespace
}  // namespace byoshin::scheduler
