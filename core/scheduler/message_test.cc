#include "core/scheduler/message.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const absl::Time kFrom = absl::FromCivil(
    absl::CivilSecond(2025, 12, 2, 10, 23, 0), absl::UTCTimeZone());
const Window kWindow = {kFrom, kFrom + absl::Seconds(5)};

std::string ErrorOf(absl::string_view body) {
  const absl::StatusOr<Window> window = ParseMessage(body);
  if (window.ok()) return "accepted";
  EXPECT_EQ(window.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(window.status().message());
}

TEST(WriteMessage, WritesTheSeedsSchema) {
  EXPECT_EQ(WriteMessage(kWindow),
            R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z"})");
}

TEST(ParseMessage, ReadsWhatWasWritten) {
  EXPECT_EQ(ParseMessage(WriteMessage(kWindow)).value(), kWindow);
}

TEST(ParseMessage, ReadsOffsetsAndIgnoresUnknownFields) {
  EXPECT_EQ(ParseMessage(R"({"to":"2025-12-02T19:23:05+09:00","x":[1],)"
                         R"("from":"2025-12-02T10:23:00.000Z"})")
                .value(),
            kWindow);
}

TEST(ParseMessage, RefusesWhatIsNotJson) {
  EXPECT_THAT(ErrorOf(""), StartsWith("line 1, column 1"));
  EXPECT_THAT(ErrorOf("not json"), StartsWith("line 1, column 1"));
  EXPECT_THAT(ErrorOf("{\"from\":"), StartsWith("line 1, column 9"));
  EXPECT_THAT(ErrorOf("\xff\xfe"), StartsWith("line 1, column 1"));
}

TEST(ParseMessage, RefusesJsonThatIsNotAnObject) {
  for (const char* body : {"null", "5", "[]", "\"x\""}) {
    EXPECT_THAT(ErrorOf(body), HasSubstr("object")) << body;
  }
}

TEST(ParseMessage, NamesTheFieldThatIsMissing) {
  EXPECT_EQ(ErrorOf("{}"), "from: required, but missing");
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:00Z"})"),
            "to: required, but missing");
}

TEST(ParseMessage, NamesTheFieldThatIsNotAnInstant) {
  EXPECT_THAT(ErrorOf(R"({"from":5,"to":"2025-12-02T10:23:05Z"})"),
              StartsWith("from: "));
  EXPECT_THAT(ErrorOf(R"({"from":"2025-12-02T10:23:00Z","to":null})"),
              StartsWith("to: "));
  EXPECT_THAT(ErrorOf(R"({"from":"10:23","to":"2025-12-02T10:23:05Z"})"),
              StartsWith("from: invalid ISO 8601 time \"10:23\""));
  EXPECT_THAT(ErrorOf(R"({"from":"2025-12-02T10:23:00Z","to":"soon"})"),
              StartsWith("to: invalid ISO 8601 time \"soon\""));
}

TEST(ParseMessage, RefusesAWindowThatIsEmptyOrBackwards) {
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:05Z",)"
                    R"("to":"2025-12-02T10:23:05Z"})"),
            "from 2025-12-02T10:23:05Z is not before to 2025-12-02T10:23:05Z");
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:05Z",)"
                    R"("to":"2025-12-02T10:23:00Z"})"),
            "from 2025-12-02T10:23:05Z is not before to 2025-12-02T10:23:00Z");
}

TEST(ParseMessage, RefusesAWindowOffTheBoundaries) {
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:01Z",)"
                    R"("to":"2025-12-02T10:23:06Z"})"),
            "from 2025-12-02T10:23:01Z is not on a 5s boundary");
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:00.001Z",)"
                    R"("to":"2025-12-02T10:23:05.001Z"})"),
            "from 2025-12-02T10:23:00.001Z is not on a 5s boundary");
}

TEST(ParseMessage, RefusesAWindowThatIsNotOneSlotLong) {
  EXPECT_EQ(ErrorOf(R"({"from":"2025-12-02T10:23:00Z",)"
                    R"("to":"2025-12-02T10:23:10Z"})"),
            "the window from 2025-12-02T10:23:00Z to 2025-12-02T10:23:10Z is "
            "10s long, not 5s");
  EXPECT_THAT(ErrorOf(R"({"from":"2025-12-02T10:23:00Z",)"
                      R"("to":"2025-12-02T10:23:04.999Z"})"),
              HasSubstr("4.999s long, not 5s"));
  EXPECT_THAT(ErrorOf(R"({"from":"0001-01-01T00:00:00Z",)"
                      R"("to":"9999-12-31T23:59:55Z"})"),
              HasSubstr("long, not 5s"));
}

}  // namespace
}  // namespace byoshin::scheduler
