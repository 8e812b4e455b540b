// What an operator gets to see of the scheduler: alarms and the dashboard.
#include <json/json.h>

#include <set>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/constants.h"
#include "infra/gen/default_deployment.h"
#include "infra/gen/scheduler_stack.h"
#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra {
namespace {

using testing::DeployedTemplate;
using ::testing::HasSubstr;

namespace core = ::byoshin::scheduler;

// "Namespace/Metric{Name=Value}" of every alarm.
std::set<std::string> WatchedMetrics(const DeployedTemplate& deployed) {
  std::set<std::string> metrics;
  for (const std::string& id : deployed.Ids("AWS::CloudWatch::Alarm")) {
    const Json::Value alarm = deployed.Properties(id);
    EXPECT_EQ(alarm["Dimensions"].size(), 1) << id;
    const Json::Value& dimension = alarm["Dimensions"][0];
    metrics.insert(absl::StrCat(
        alarm["Namespace"].asString(), "/", alarm["MetricName"].asString(), "{",
        dimension["Name"].asString(), "=", dimension["Value"].asString(), "}"));
  }
  return metrics;
}

TEST(SchedulerAlarms, WatchEverythingThatCanFail) {
  std::set<std::string> expected = {
      "AWS/SQS/ApproximateAgeOfOldestMessage"
      "{QueueName=SchedulingQueue.QueueName}",
      "AWS/Events/FailedInvocations{RuleName=ScheduleRule}",
      "Byoshin/Scheduler/SlotsStored{Function=Collector}",
      "Byoshin/Scheduler/SlotsFailed{Function=Collector}"};
  for (const char* queue : {"SchedulingDeadLetterQueue", "SenderFailureQueue",
                            "RuleFailureQueue"}) {
    expected.insert(absl::StrCat(
        "AWS/SQS/ApproximateNumberOfMessagesVisible{QueueName=", queue,
        ".QueueName}"));
  }
  for (const std::string& function : Default().Ids("AWS::Lambda::Function")) {
    for (const char* metric : {"Errors", "Throttles", "Duration"}) {
      expected.insert(
          absl::StrCat("AWS/Lambda/", metric, "{FunctionName=", function, "}"));
    }
  }
  EXPECT_EQ(WatchedMetrics(Default()), expected);
}

TEST(SchedulerAlarms, TellNobodyWithoutAnAddress) {
  for (const std::string& id : Default().Ids("AWS::CloudWatch::Alarm")) {
    const Json::Value alarm = Default().Properties(id);
    EXPECT_FALSE(alarm.isMember("AlarmActions")) << id;
    EXPECT_FALSE(alarm.isMember("OKActions")) << id;
    EXPECT_NE(alarm["AlarmDescription"].asString(), "") << id;
  }
  EXPECT_FALSE(Default().Has("AlarmTopic"));
}

TEST(SchedulerAlarms, TellTheAddressWhenTheyGoOffAndWhenTheyAreOver) {
  const DeployedTemplate deployed(SchedulerStack(),
                                  {{"AlarmEmail", "ops@example.com"}});
  for (const std::string& id : deployed.Ids("AWS::CloudWatch::Alarm")) {
    const Json::Value alarm = deployed.Properties(id);
    EXPECT_EQ(json::WriteValue(alarm["AlarmActions"]), R"(["AlarmTopic"])");
    EXPECT_EQ(json::WriteValue(alarm["OKActions"]), R"(["AlarmTopic"])");
  }
  const Json::Value subscription = deployed.Properties("AlarmSubscription");
  EXPECT_EQ(subscription["Protocol"], "email");
  EXPECT_EQ(subscription["Endpoint"], "ops@example.com");
  // Undelivered alarms are kept, and only the topic may put them there.
  EXPECT_EQ(subscription["RedrivePolicy"]["deadLetterTargetArn"],
            "AlarmFailureQueue.Arn");
  const Json::Value statement = deployed.Properties(
      "AlarmFailureQueuePolicy")["PolicyDocument"]["Statement"][1];
  EXPECT_EQ(statement["Principal"]["Service"], "sns.amazonaws.com");
  EXPECT_EQ(statement["Condition"]["ArnEquals"]["aws:SourceArn"], "AlarmTopic");
}

TEST(SchedulerAlarms, DontGoOffForOneRetry) {
  const absl::Duration longest_delay =
      (core::kSlotsPerMinute - 1) * core::kSlotInterval;
  EXPECT_GT(
      absl::Seconds(
          Default().Properties("OldestMessageAlarm")["Threshold"].asInt()),
      longest_delay + core::kVisibilityTimeout);
}

TEST(SchedulerAlarms, NoticeAMinuteWithoutSlots) {
  const Json::Value alarm = Default().Properties("MissedSlotsAlarm");
  const int minutes = alarm["Period"].asInt() / 60;
  const int expected = minutes * core::kSlotsPerMinute;
  EXPECT_EQ(alarm["Statistic"], "Sum");
  EXPECT_EQ(alarm["ComparisonOperator"], "LessThanThreshold");
  EXPECT_EQ(alarm["TreatMissingData"], "breaching");
  // A whole minute less is within what the schedule may shift by; a slot more
  // is not.
  EXPECT_EQ(alarm["Threshold"].asInt(), expected - core::kSlotsPerMinute);
}

TEST(SchedulerAlarms, GoOffWellBeforeAFunctionTimesOut) {
  for (const char* name : {"Sender", "Collector", "MockApi"}) {
    const Json::Value alarm =
        Default().Properties(absl::StrCat(name, "DurationAlarm"));
    EXPECT_EQ(alarm["ExtendedStatistic"], "p99");
    EXPECT_LT(
        absl::Milliseconds(alarm["Threshold"].asInt()),
        absl::Seconds(Default()
                          .Properties(absl::StrCat(name, "Function"))["Timeout"]
                          .asInt()));
  }
}

Json::Value DashboardBody(const DeployedTemplate& deployed) {
  return json::ParseValue(
             deployed.Properties("Dashboard")["DashboardBody"].asString())
      .value();
}

TEST(SchedulerDashboard, HasWidgetsThatFitTheGridAndDontOverlap) {
  std::set<std::pair<int, int>> taken;
  const Json::Value body = DashboardBody(Default());
  for (const Json::Value& widget : body["widgets"]) {
    const int x = widget["x"].asInt();
    EXPECT_LE(x + widget["width"].asInt(), 24);
    for (int i = x; i < x + widget["width"].asInt(); ++i) {
      EXPECT_TRUE(taken.insert({i, widget["y"].asInt()}).second);
    }
  }
}

TEST(SchedulerDashboard, HasWhatCloudWatchInsistsOn) {
  const Json::Value body = DashboardBody(Default());
  for (const Json::Value& widget : body["widgets"]) {
    const std::string type = widget["type"].asString();
    const Json::Value& properties = widget["properties"];
    EXPECT_NE(properties["title"].asString(), "");
    EXPECT_EQ(properties.isMember("region"), type != "alarm");
    EXPECT_TRUE(properties.isMember(type == "metric"  ? "metrics"
                                    : type == "alarm" ? "alarms"
                                                      : "query"));
    for (const Json::Value& metric : properties["metrics"]) {
      EXPECT_GE(metric.size(), 4);
      EXPECT_TRUE(metric[metric.size() - 1].isMember("stat"));
    }
  }
}

TEST(SchedulerDashboard, ShowsTheSeriesLatenessAndErrors) {
  const std::string body = json::WriteValue(DashboardBody(Default()));
  EXPECT_THAT(body, HasSubstr("SOURCE 'CollectorLogGroup' | filter "
                              "ispresent(`count`) | stats max(`count`) as "
                              "ai_response_count by bin(5s)"));
  for (const char* metric :
       {core::kSlotLatenessMetric, core::kApiLatencyMetric, core::kStoredMetric,
        core::kDuplicateMetric, core::kFailedMetric, core::kSendFailedMetric}) {
    EXPECT_THAT(body, HasSubstr(absl::StrCat("\"", metric, "\"")));
  }
  for (const char* metric :
       {"Errors", "Throttles", "Duration", "ApproximateAgeOfOldestMessage",
        "FailedInvocations"}) {
    EXPECT_THAT(body, HasSubstr(absl::StrCat("\"", metric, "\"")));
  }
  for (const std::string& id : Default().Ids("AWS::CloudWatch::Alarm")) {
    if (absl::StartsWith(id, "MockApi")) continue;
    EXPECT_THAT(body, HasSubstr(absl::StrCat("\"", id, ".Arn\"")));
  }
}

TEST(SchedulerDashboard, DoesWithoutTheMockApi) {
  const DeployedTemplate deployed(
      SchedulerStack(),
      {{"ApiBaseUrl", "https://api.example.com"}, {"MockApiAccess", "none"}});
  EXPECT_GT(DashboardBody(deployed)["widgets"].size(), 0);
}

}  // namespace
}  // namespace byoshin::infra
