#include "mockapi/handler.h"

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mockapi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kFrom[] = "2025-12-02T10:23:00Z";
constexpr char kTo[] = "2025-12-02T10:23:05Z";

http::ServerResponse Get(std::string path,
                         std::vector<http::QueryParameter> parameters = {}) {
  return Handle({.method = "GET", .path = path, .parameters = parameters});
}

http::ServerResponse GetCount(std::string from, std::string to) {
  return Get("/response_count", {{"from", from}, {"to", to}});
}

absl::string_view HeaderOf(const http::ServerResponse& response,
                           absl::string_view name) {
  for (const http::Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

// The text of an answer that is an error of this status; fails if it is not.
std::string ErrorOf(const http::ServerResponse& response, int status) {
  EXPECT_EQ(response.status, status) << response.body;
  EXPECT_EQ(HeaderOf(response, "Content-Type"), "application/json");
  const absl::StatusOr<Json::Value> body = json::ParseValue(response.body);
  EXPECT_TRUE(body.ok()) << body.status();
  EXPECT_THAT(body->getMemberNames(), SizeIs(1));
  return (*body)["error"].asString();
}

TEST(ResponseCount, AnswersWithTheWindowAndTheMinuteModuloEleven) {
  const http::ServerResponse response = GetCount(kFrom, kTo);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(HeaderOf(response, "Content-Type"), "application/json");
  EXPECT_EQ(response.body,
            R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z",)"
            R"("count":1})");
}

TEST(ResponseCount, WritesACountOfZero) {
  EXPECT_THAT(GetCount("2025-12-02T10:32:55Z", "2025-12-02T10:33:00Z").body,
              HasSubstr(R"("count":0)"));
}

TEST(ResponseCount, CountsByTheEndOfTheWindow) {
  EXPECT_THAT(GetCount("2025-12-02T10:22:55Z", "2025-12-02T10:23:00Z").body,
              HasSubstr(R"("count":1)"));
}

TEST(ResponseCount, GoesThroughElevenValuesOverTheHour) {
  std::set<std::int64_t> counts;
  for (int minute = 0; minute < 60; ++minute) {
    const absl::Time time = absl::FromCivil(
        absl::CivilSecond(2025, 12, 2, 10, minute, 59), absl::UTCTimeZone());
    EXPECT_EQ(CountAt(time), minute % 11);
    counts.insert(CountAt(time));
  }
  EXPECT_THAT(counts, SizeIs(11));
}

TEST(ResponseCount, CountsByTheMinuteOfUtcWhateverTheOffset) {
  EXPECT_EQ(
      GetCount("2025-12-02T15:53:00+05:30", "2025-12-02T15:53:05+05:30").body,
      GetCount(kFrom, kTo).body);
}

TEST(ResponseCount, DropsFractionsOfASecond) {
  EXPECT_EQ(GetCount("2025-12-02T10:23:00.999Z", "2025-12-02T10:23:05.5Z").body,
            GetCount(kFrom, kTo).body);
}

TEST(ResponseCount, IgnoresParametersOfOtherNames) {
  EXPECT_EQ(
      Get("/response_count",
          {{"x", "1"}, {"to", kTo}, {"x", "2"}, {"from", kFrom}, {"From", "3"}})
          .body,
      GetCount(kFrom, kTo).body);
}

// Row 1 of the mock API's error table.
TEST(ResponseCount, RefusesAQueryWithoutOneOfTheParameters) {
  EXPECT_THAT(ErrorOf(Get("/response_count", {{"to", kTo}}), 400),
              HasSubstr(R"("from": missing)"));
  EXPECT_THAT(ErrorOf(Get("/response_count", {{"from", kFrom}}), 400),
              HasSubstr(R"("to": missing)"));
  EXPECT_THAT(ErrorOf(Get("/response_count"), 400),
              HasSubstr(R"("from": missing)"));
}

// Row 2 of the mock API's error table.
TEST(ResponseCount, RefusesWhatIsNotIso8601) {
  for (const std::string bad :
       {"", "now", "2025-12-02", "2025-12-02T10:23:00", "1764671000",
        "2025-02-29T00:00:00Z", "2025-12-02T24:00:00Z", "2025-12-02 10:23:00Z",
        "2025-12-02T10:23:60Z", "2025-12-02T10:23:00Z ", "\xff\0"}) {
    EXPECT_THAT(ErrorOf(GetCount(bad, kTo), 400),
                HasSubstr(R"(query parameter "from": )"))
        << bad;
    EXPECT_THAT(ErrorOf(GetCount(kFrom, bad), 400),
                HasSubstr(R"(query parameter "to": )"))
        << bad;
  }
}

TEST(ResponseCount, ExplainsAPlusThatWasTakenForASpace) {
  EXPECT_THAT(ErrorOf(GetCount("2025-12-02T19:23:00 09:00", kTo), 400),
              AllOf(HasSubstr(R"("from")"), HasSubstr("%2B")));
}

TEST(ResponseCount, RefusesAParameterGivenTwice) {
  EXPECT_THAT(ErrorOf(Get("/response_count",
                          {{"from", kFrom}, {"to", kTo}, {"from", kFrom}}),
                      400),
              HasSubstr(R"("from": given more than once)"));
  EXPECT_THAT(ErrorOf(Get("/response_count",
                          {{"from", kFrom}, {"to", kTo}, {"to", kTo}}),
                      400),
              HasSubstr(R"("to": given more than once)"));
}

TEST(ResponseCount, RefusesAWindowWithoutLength) {
  EXPECT_THAT(ErrorOf(GetCount(kTo, kTo), 400),
              HasSubstr(R"("from": must be before "to")"));
  EXPECT_THAT(ErrorOf(GetCount(kTo, kFrom), 400),
              HasSubstr(R"("from": must be before "to")"));
  // The same instant in two spellings, and the same second.
  ErrorOf(GetCount("2025-12-02T19:23:05+09:00", kTo), 400);
  ErrorOf(GetCount("2025-12-02T10:23:05.1Z", "2025-12-02T10:23:05.9Z"), 400);
}

TEST(ResponseCount, TakesTheFirstAndTheLastSecond) {
  EXPECT_EQ(GetCount("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z").body,
            R"({"from":"0001-01-01T00:00:00Z","to":"9999-12-31T23:59:59Z",)"
            R"("count":4})");
}

TEST(Health, IsOk) {
  const http::ServerResponse response = Get("/health", {{"any", "thing"}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(HeaderOf(response, "Content-Type"), "application/json");
  EXPECT_EQ(response.body, R"({"status":"ok"})");
}

TEST(Handle, AnswersHeadLikeGet) {
  EXPECT_EQ(Handle({.method = "HEAD", .path = "/health"}).body,
            Get("/health").body);
  EXPECT_EQ(Handle({.method = "HEAD", .path = "/response_count"}).status, 400);
}

TEST(Handle, DoesNotKnowOtherPaths) {
  for (const std::string path :
       {"/", "", "/responsecount", "/response_count/", "/Health", "/health/x",
        "*", "response_count", "/response%5Fcount"}) {
    EXPECT_THAT(ErrorOf(Get(path), 404), HasSubstr("no such path")) << path;
    EXPECT_EQ(Handle({.method = "POST", .path = path}).status, 404) << path;
  }
}

TEST(Handle, KeepsALongPathOutOfTheAnswer) {
  EXPECT_LT(Get(absl::StrCat("/", std::string(10000, 'x'))).body.size(), 1000);
}

TEST(Handle, RefusesOtherMethodsAndNamesThoseAllowed) {
  for (const std::string path : {"/response_count", "/health"}) {
    for (const std::string method : {"POST", "PUT", "PATCH", "DELETE",
                                     "OPTIONS", "TRACE", "get", "", "X"}) {
      const http::ServerResponse response =
          Handle({.method = method, .path = path});
      EXPECT_THAT(ErrorOf(response, 405), HasSubstr(method));
      EXPECT_EQ(HeaderOf(response, "Allow"), "GET, HEAD");
    }
  }
}

}  // namespace
}  // namespace byoshin::mockapi
