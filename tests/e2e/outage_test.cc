// An API that does not answer for minutes: people are told why, how much is
// missing and when it is over; the dashboard shows it while it lasts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/testing/loopback_server.h"
#include "core/json/value.h"
#include "core/scheduler/slot.h"
#include "core/time/simulated_clock.h"
#include "local/applications/scheduler/application.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class OutageTest : public testing::Test {
 protected:
  void PollDeadApi() {
    local::stack::StackDeployment deployment = cloud_.deployment();
    deployment.parameters[local::applications::kApiBaseUrlParameter] =
        dead_api_;
    const absl::Status deployed = cloud_.Deploy(deployment);
    ASSERT_TRUE(deployed.ok()) << deployed;
  }
  std::int64_t Missing() {
    return cloud_->Get<local::applications::SlotSource>()
        .CountSince(absl::InfinitePast())
        .missing;
  }

  const http::testing::UnusedPort unused_;
  const std::string dead_api_ =
      absl::StrCat("http://127.0.0.1:", unused_.port());
  time::SimulatedClock clock_{kMinute - absl::Seconds(1)};
  TestCloud cloud_{clock_};
};

TEST_F(OutageTest, IsToldFromItsFirstSlotUntilAllAreStored) {
  PollDeadApi();
  cloud_.WatchFailures();
  cloud_->Begin();
  clock_.RunUntil(kMinute + absl::Seconds(4));
  ASSERT_THAT(cloud_.failure_lines(), SizeIs(1));
  EXPECT_THAT(cloud_.failure_lines()[0],
              AllOf(HasSubstr("2025-12-02T10:23:00Z  "), HasSubstr(kCollector),
                    HasSubstr(absl::StrCat(" fails: GET ", dead_api_, "/"))));

  clock_.RunUntil(kMinute + absl::Seconds(119));
  EXPECT_EQ(Missing(), 22);
  ASSERT_THAT(cloud_.failure_lines(), SizeIs(2));
  EXPECT_THAT(cloud_.failure_lines()[1],
              HasSubstr(": 12 more failures in the last minute, 11 slots are "
                        "missing"));

  ASSERT_TRUE(cloud_.Deploy(cloud_.deployment()).ok());
  // Beyond the visibility time-out of the last that failed.
  clock_.RunUntil(kMinute + absl::Minutes(6));
  EXPECT_EQ(Missing(), 0);
  ASSERT_THAT(cloud_.failure_lines(), SizeIs(5));
  EXPECT_THAT(cloud_.failure_lines()[3],
              HasSubstr(" has recovered after 1m55s: "));
  EXPECT_THAT(cloud_.failure_lines()[4],
              HasSubstr("nothing is missing any more: 24 slots were stored "
                        "late, 0 are missing"));
}

TEST_F(OutageTest, EndsInDeadLettersThatAreTold) {
  PollDeadApi();
  cloud_.WatchFailures();
  cloud_->Begin();
  clock_.RunUntil(kMinute + absl::Minutes(17));
  EXPECT_THAT(cloud_.failure_lines(),
              Contains(AllOf(HasSubstr("SchedulingDeadLetterQueue holds "),
                             HasSubstr("`byoshin redrive` moves them back"))));
}

TEST_F(OutageTest, OfTheSenderIsToldWithWhatTheSenderSays) {
  local::stack::StackDeployment deployment = cloud_.deployment();
  absl::StatusOr<Json::Value> document =
      json::ParseValue(deployment.template_text);
  ASSERT_TRUE(document.ok()) << document.status();
  // It may not send to the queue any more.
  Json::Value& statements =
      (*document)["Resources"]["SenderRole"]["Properties"]["Policies"][0]
                 ["PolicyDocument"]["Statement"];
  Json::Value removed;
  ASSERT_TRUE(statements.removeIndex(0, &removed));
  ASSERT_EQ(removed["Action"].asString(), "sqs:SendMessage");
  deployment.template_text = json::WriteValue(*document);
  ASSERT_TRUE(cloud_.Deploy(deployment).ok());
  cloud_.WatchFailures();
  cloud_->Begin();
  clock_.RunUntil(kMinute + absl::Seconds(59));
  ASSERT_THAT(cloud_.failure_lines(), SizeIs(1));
  EXPECT_THAT(cloud_.failure_lines()[0],
              AllOf(HasSubstr(kSender),
                    HasSubstr(" fails: 12 of 12 messages were not sent"),
                    HasSubstr("AccessDenied")));
  EXPECT_EQ(Missing(), 10);
}

TEST_F(OutageTest, IsSeenInTheSamplesOfTheQueues) {
  PollDeadApi();
  cloud_->Begin();
  clock_.RunUntil(kMinute + absl::Minutes(7));
  std::vector<local::dashboard::QueueSample> samples;
  const absl::Status visited = cloud_->source().VisitSamples(
      {kMinute, kMinute + absl::Minutes(7)},
      [&](const local::dashboard::QueueSample& sample) {
        samples.push_back(sample);
      });
  ASSERT_TRUE(visited.ok()) << visited;
  ASSERT_EQ(samples.size(), 7 * scheduler::kSlotsPerMinute);
  for (const local::dashboard::QueueSample& sample : samples) {
    const absl::Duration passed = sample.time - kMinute;
    EXPECT_GT(sample.in_flight, 0) << passed;
    // Each is received again three minutes after the last time.
    const std::int64_t retries = passed < absl::Minutes(3)   ? 0
                                 : passed < absl::Minutes(6) ? 1
                                                             : 2;
    EXPECT_EQ(sample.retries, retries) << passed;
  }
}

}  // namespace
}  // namespace byoshin::e2e
