#include "core/scheduler/scheduled_event.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string BaseTimeOf(absl::string_view payload) {
  const absl::StatusOr<absl::Time> time = ParseBaseTime(payload);
  if (time.ok()) return time::FormatIso8601(*time);
  EXPECT_EQ(time.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(time.status().message());
}

TEST(ParseBaseTime, ReadsTheEventOfASchedule) {
  EXPECT_EQ(
      BaseTimeOf(
          R"({"version":"0","id":"53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",)"
          R"("detail-type":"Scheduled Event","source":"aws.events",)"
          R"("account":"123456789012","time":"2025-12-02T10:23:00Z",)"
          R"("region":"us-east-1","resources":["arn:aws:events:us-east-1:)"
          R"(123456789012:rule/every-minute"],"detail":{}})"),
      "2025-12-02T10:23:00Z");
}

TEST(ParseBaseTime, FloorsToTheMinute) {
  EXPECT_EQ(BaseTimeOf(R"({"time":"2025-12-02T10:23:59.999Z"})"),
            "2025-12-02T10:23:00Z");
  EXPECT_EQ(BaseTimeOf(R"({"time":"2025-12-02T19:23:41+09:00"})"),
            "2025-12-02T10:23:00Z");
}

TEST(ParseBaseTime, NamesWhatIsWrong) {
  EXPECT_EQ(BaseTimeOf("{}"),
            "the event is not one of an EventBridge schedule: time: required, "
            "but missing");
  EXPECT_THAT(BaseTimeOf(R"({"time":"yesterday"})"),
              HasSubstr("schedule: time: invalid ISO 8601 time"));
  EXPECT_THAT(BaseTimeOf(R"({"time":1764670980})"), HasSubstr("time: "));
  EXPECT_THAT(BaseTimeOf(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(BaseTimeOf("[]"),
              StartsWith("the event is not one of an EventBridge schedule: "));
}

}  // namespace
}  // namespace byoshin::scheduler
