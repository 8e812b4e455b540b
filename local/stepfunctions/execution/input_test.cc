#include "local/stepfunctions/execution/input.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

TEST(ExecutionInput, SurvivesTheLog) {
  const Data value = *Data::Parse(R"({"a":[1,2.0,null,"ü"]})");
  const std::vector<ExecutionInput> inputs = {
      {.time = absl::FromUnixNanos(1), .what = TaskSubmitted{1, value}},
      {.time = absl::FromUnixNanos(1700000000123456789),
       .what = TaskSucceeded{2, value}},
      {.time = absl::UnixEpoch(), .what = TaskFailed{3, "E", std::nullopt}},
      {.time = absl::UnixEpoch(), .what = TaskHeartbeat{4}},
      {.time = absl::UnixEpoch(), .what = ActivityStarted{5, "worker"}},
      {.time = absl::UnixEpoch(), .what = TimerFired{6}},
      {.time = absl::UnixEpoch(), .what = StopRequested{std::nullopt, "c"}},
      {.time = absl::UnixEpoch(), .what = Redriven{}},
      {.time = absl::UnixEpoch(), .what = GoOn{}},
      {.time = absl::UnixEpoch(), .what = MapRunUpdated{"arn", 5, {}, 2.5}},
  };
  for (const ExecutionInput& input : inputs) {
    const std::string text = SerializeInput(input);
    const absl::StatusOr<ExecutionInput> parsed = ParseInput(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status();
    EXPECT_EQ(parsed->time, input.time);
    EXPECT_EQ(parsed->what.index(), input.what.index());
    EXPECT_EQ(SerializeInput(*parsed), text);
  }
}

TEST(ExecutionInput, RefusesWhatIsNotOne) {
  for (const char* text :
       {"", "{}", "[]", "[1]", "[99,0]", "[6,0]", "[6,0,1,2]", "[6,\"0\",1]",
        "[5,0,1,2]", "[3,0,1,2,null]"}) {
    EXPECT_EQ(ParseInput(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
