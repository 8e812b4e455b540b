// A Collector that hangs, crashes, leaks memory and prints garbage, deployed in
// the scheduler's own template in place of the real one: the cloud survives,
// people see what is wrong, and once the real one is there nothing is lost.

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "core/time/simulated_clock.h"
#include "local/dashboard/source.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

constexpr char kMisbehavingZip[] = "local/lambda/testing/bootstrap.zip";
constexpr char kDeadLetterQueue[] = "SchedulingDeadLetterQueue";
// In real time; what hangs takes it five times. The least that there is.
constexpr int kTimeoutSeconds = 1;

// What each slot of the minute makes it do: see local/lambda/testing.
constexpr const char* kCommands[scheduler::kSlotsPerMinute] = {
    "hang", "abort", "exit:3", "exit:0", "leak:150", "garbage", "large", "fail",
    // Floods its log, and answers with something else than JSON.
    "flood:5 RESPOND:[:END",
    // Names a message that is not in the batch.
    "RESPOND:{'batchItemFailures':[{'itemIdentifier':'nobody'}]}:END", "abort",
    "fail"};

// As long as a message is tried again, until it is a dead letter.
const absl::Duration kAllReceives =
    scheduler::kMaxReceiveCount * scheduler::kVisibilityTimeout +
    absl::Minutes(2);

Json::Value Parse(const std::string& text) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(text);
  EXPECT_TRUE(value.ok()) << value.status();
  return *value;
}

// The real one, but that nothing fires by itself.
local::stack::StackDeployment Quiet(local::stack::StackDeployment deployment) {
  Json::Value document = Parse(deployment.template_text);
  document["Resources"]["ScheduleRule"]["Properties"]["State"] = "DISABLED";
  deployment.template_text = json::WriteValue(document);
  return deployment;
}

local::stack::StackDeployment Misbehaving(
    local::stack::StackDeployment deployment) {
  Json::Value document = Parse(deployment.template_text);
  Json::Value& function = document["Resources"][kCollector]["Properties"];
  std::string script;
  for (int slot = 0; slot < scheduler::kSlotsPerMinute; ++slot) {
    absl::StrAppend(
        &script, R"(from\":\")",
        time::FormatIso8601(kMinute + slot * scheduler::kSlotInterval), "=",
        kCommands[slot], "|");
  }
  function["Environment"]["Variables"]["COMMANDS"] = script;
  function["Timeout"] = kTimeoutSeconds;
  deployment.template_text = json::WriteValue(document);
  deployment.zips[kCollectorZip] = files::ReadFile(kMisbehavingZip).value();
  return deployment;
}

std::map<absl::Time, int> EachOnce(absl::Time from, int slots) {
  std::map<absl::Time, int> once;
  for (int i = 0; i < slots; ++i) once[from + i * scheduler::kSlotInterval] = 1;
  return once;
}

class MisbehavingFunctionTest : public testing::Test {
 protected:
  void FireAndRun(absl::Duration duration) {
    const absl::Status fired = cloud_->source().Tick("").status();
    ASSERT_TRUE(fired.ok()) << fired;
    clock_.RunUntil(clock_.Now() + duration);
  }
  std::int64_t DeadLetters() {
    const absl::StatusOr<local::dashboard::DeadLetters> letters =
        cloud_->source().GetDeadLetters(1);
    EXPECT_TRUE(letters.ok()) << letters.status();
    return letters->total;
  }

  time::SimulatedClock clock_{kMinute};
  TestCloud cloud_{clock_};
  const local::stack::StackDeployment good_ = Quiet(cloud_.deployment());
};

TEST_F(MisbehavingFunctionTest, ThatCannotStartIsSeenInTerminalLogAndPage) {
  local::stack::StackDeployment deployment = Misbehaving(good_);
  Json::Value document = Parse(deployment.template_text);
  document["Resources"][kCollector]["Properties"]["Environment"]["Variables"]
          ["INIT"] = "crash";
  deployment.template_text = json::WriteValue(document);
  absl::Status deployed = cloud_.Deploy(deployment);
  ASSERT_TRUE(deployed.ok()) << deployed;
  cloud_->Begin();
  FireAndRun(kAllReceives);

  EXPECT_EQ(DeadLetters(), scheduler::kSlotsPerMinute);
  EXPECT_EQ(cloud_.StatusOf(kCollector).errors,
            scheduler::kSlotsPerMinute * scheduler::kMaxReceiveCount);
  EXPECT_TRUE(cloud_.Logged(kCollector, "platform.initReport"));
  EXPECT_TRUE(cloud_.Logged(kCollector, "signal: aborted"));
  int told = 0;
  for (const std::string& note : cloud_.notes()) {
    told += absl::StrContains(note, "cannot start: Runtime.ExitError");
  }
  EXPECT_EQ(told, 1);
}

TEST_F(MisbehavingFunctionTest, IsSeenAndSurvivedAndNothingIsLost) {
  absl::Status deployed = cloud_.Deploy(Misbehaving(good_));
  ASSERT_TRUE(deployed.ok()) << deployed;
  cloud_->Begin();
  FireAndRun(kAllReceives);

  // Every message was tried as often as the redrive policy says.
  EXPECT_EQ(DeadLetters(), scheduler::kSlotsPerMinute);
  EXPECT_TRUE(cloud_.stored().empty());
  const local::dashboard::FunctionStatus collector =
      cloud_.StatusOf(kCollector);
  EXPECT_EQ(collector.invocations,
            scheduler::kSlotsPerMinute * scheduler::kMaxReceiveCount);
  EXPECT_GE(collector.timeouts, scheduler::kMaxReceiveCount);
  // All but the three that answer, though with nonsense.
  EXPECT_GE(collector.errors + collector.timeouts,
            (scheduler::kSlotsPerMinute - 3) * scheduler::kMaxReceiveCount);
  for (const char* text :
       {R"("status":"timeout")", R"("errorType":"Runtime.ExitError")",
        R"("errorType":"Runtime.OutOfMemory")",
        R"("errorType":"Function.ResponseSizeTooLarge")",
        "the whole batch counts as failed"}) {
    EXPECT_TRUE(cloud_.Logged(kCollector, text)) << text;
  }
  // The others did not notice.
  EXPECT_EQ(cloud_.StatusOf(kSender).invocations, 1);
  EXPECT_EQ(cloud_.StatusOf(kSender).errors, 0);

  deployed = cloud_.Deploy(good_);
  ASSERT_TRUE(deployed.ok()) << deployed;
  const absl::StatusOr<std::int64_t> moved =
      cloud_->source().Redrive({.queue = kDeadLetterQueue}, std::nullopt);
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(*moved, scheduler::kSlotsPerMinute);
  clock_.RunUntil(clock_.Now() + absl::Minutes(1));
  EXPECT_EQ(cloud_.stored(), EachOnce(kMinute, scheduler::kSlotsPerMinute));
  EXPECT_EQ(DeadLetters(), 0);

  // And it goes on as if nothing had been.
  const absl::Time next = clock_.Now();
  FireAndRun(absl::Minutes(1));
  std::map<absl::Time, int> all = EachOnce(kMinute, scheduler::kSlotsPerMinute);
  all.merge(EachOnce(next, scheduler::kSlotsPerMinute));
  EXPECT_EQ(cloud_.stored(), all);
  EXPECT_EQ(cloud_.StatusOf(kSender).errors, 0);
}

}  // namespace
}  // namespace byoshin::e2e
