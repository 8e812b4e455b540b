// A rule that may not invoke its function, deployed in the scheduler's own
// template: what becomes of its events is for the policy of its queue to say.

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/dashboard/source.h"
#include "local/stack/stack_cloud.h"
#include "tests/e2e/test_cloud.h"

namespace byoshin::e2e {
namespace {

constexpr char kQueue[] = "RuleFailureQueue";

class RuleFailureTest : public testing::Test {
 protected:
  // Lets the rule fire once, in vain.
  void Run(const Json::Value& document) {
    local::stack::StackDeployment deployment = cloud_.deployment();
    deployment.template_text = json::WriteValue(document);
    const absl::Status deployed = cloud_.Deploy(deployment);
    ASSERT_TRUE(deployed.ok()) << deployed;
    cloud_->Begin();
    clock_.RunUntil(kMinute + absl::Seconds(30));
  }

  Json::Value WithoutPermission() const {
    absl::StatusOr<Json::Value> document =
        json::ParseValue(cloud_.deployment().template_text);
    EXPECT_TRUE(document.ok()) << document.status();
    (*document)["Resources"].removeMember("SchedulePermission");
    return *document;
  }

  std::int64_t MessagesOnQueue() {
    const absl::StatusOr<local::dashboard::Status> status =
        cloud_->source().GetStatus();
    EXPECT_TRUE(status.ok()) << status.status();
    for (const local::dashboard::QueueStatus& queue : status->queues) {
      if (absl::StrContains(queue.name, kQueue)) return queue.visible;
    }
    ADD_FAILURE() << "there is no queue " << kQueue;
    return 0;
  }

  // What people were told about missing permissions.
  std::vector<std::string> Denials() const {
    std::vector<std::string> denials;
    for (std::string& note : cloud_.notes()) {
      if (absl::StrContains(note, "is not authorized")) {
        denials.push_back(std::move(note));
      }
    }
    return denials;
  }

  time::SimulatedClock clock_{kMinute - absl::Seconds(1)};
  TestCloud cloud_{clock_};
};

TEST_F(RuleFailureTest, PutsTheEventOnTheQueueWhosePolicyLetsTheRule) {
  Run(WithoutPermission());
  EXPECT_EQ(MessagesOnQueue(), 1);
  EXPECT_EQ(Denials(), std::vector<std::string>());
}

TEST_F(RuleFailureTest, SaysWhichStatementAQueueLacksThatDoesNotLetTheRule) {
  Json::Value document = WithoutPermission();
  Json::Value& statements =
      document["Resources"]["RuleFailureQueuePolicy"]["Properties"]
              ["PolicyDocument"]["Statement"];
  ASSERT_EQ(statements.size(), 2);
  statements.resize(1);  // what it denies
  Run(document);
  EXPECT_EQ(MessagesOnQueue(), 0);
  ASSERT_EQ(Denials().size(), 1);
  const std::string note = Denials()[0];
  EXPECT_TRUE(absl::StrContains(
      note,
      "User: events.amazonaws.com is not authorized to perform: "
      "sqs:SendMessage"))
      << note;
  EXPECT_TRUE(absl::StrContains(note, "missing: ")) << note;
}

}  // namespace
}  // namespace byoshin::e2e
