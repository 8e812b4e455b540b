// What the scheduler's template must mean beyond being valid: how its numbers
// relate, what each deployment has, and that nothing is left unprotected.
#include "infra/gen/scheduler_stack.h"

#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/constants.h"
#include "infra/gen/default_deployment.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using testing::DeployedTemplate;
using ::testing::ElementsAre;
using testing::Texts;
using ::testing::UnorderedElementsAre;

namespace core = ::byoshin::scheduler;

absl::Duration SecondsOf(const Json::Value& value) {
  EXPECT_TRUE(value.isIntegral()) << json::Describe(value);
  return absl::Seconds(value.asInt64());
}

// Times.

TEST(SchedulerStack, GivesTheFunctionsTheTimeoutsThatTheirCodeCountsOn) {
  const auto timeout = [](const char* id) {
    return SecondsOf(Default().Properties(id)["Timeout"]);
  };
  EXPECT_EQ(timeout("SenderFunction"), core::kSenderTimeout);
  EXPECT_EQ(timeout("CollectorFunction"), core::kCollectorTimeout);
  EXPECT_EQ(timeout("MockApiFunction"), core::kMockApiTimeout);
}

TEST(SchedulerStack, HidesAMessageForSixTimesTheCollectorsTimeout) {
  EXPECT_GE(
      SecondsOf(Default().Properties("SchedulingQueue")["VisibilityTimeout"]),
      6 * SecondsOf(Default().Properties("CollectorFunction")["Timeout"]));
}

TEST(SchedulerStack, LeavesTheCollectorTimeAfterTheApiHasTimedOut) {
  const absl::Duration timeout =
      SecondsOf(Default().Properties("CollectorFunction")["Timeout"]);
  const int batch =
      Default().Properties("CollectorEventSource")["BatchSize"].asInt();
  EXPECT_LT(core::kApiConnectTimeout, core::kApiTimeout);
  EXPECT_LT(batch * core::kApiTimeout + core::kDeadlineMargin, timeout);
}

TEST(SchedulerStack, LeavesTheSenderTimeForEveryBatchToTimeOut) {
  constexpr int kBatches = 2;
  EXPECT_LT(kBatches * core::kSendTimeout + core::kDeadlineMargin,
            SecondsOf(Default().Properties("SenderFunction")["Timeout"]));
}

TEST(SchedulerStack, LeavesApiGatewayTimeToHearFromTheMockApi) {
  constexpr absl::Duration kApiGatewayTimeout = absl::Seconds(29);
  EXPECT_LT(SecondsOf(Default().Properties("MockApiFunction")["Timeout"]),
            kApiGatewayTimeout);
}

TEST(SchedulerStack, HasDelaysThatSqsAllowsAndTheQueueSurvives) {
  const Json::Value queue = Default().Properties("SchedulingQueue");
  const core::Plan plan =
      core::PlanMinute(absl::UnixEpoch(), absl::ZeroDuration()).value();
  absl::Duration expected = absl::ZeroDuration();
  for (const core::PlannedMessage& message : plan) {
    EXPECT_EQ(message.delay, expected);
    EXPECT_LT(message.delay, absl::Seconds(900));
    EXPECT_LT(message.delay, SecondsOf(queue["MessageRetentionPeriod"]));
    expected += core::kSlotInterval;
  }
  EXPECT_FALSE(queue.isMember("DelaySeconds"))
      << "the messages bring their own delays";
  EXPECT_FALSE(queue.isMember("FifoQueue"))
      << "a FIFO queue takes no delay per message";
}

TEST(SchedulerStack, DeadLettersAMessageBeforeItExpires) {
  const Json::Value queue = Default().Properties("SchedulingQueue");
  const absl::Duration retention = SecondsOf(queue["MessageRetentionPeriod"]);
  const int receives = queue["RedrivePolicy"]["maxReceiveCount"].asInt();
  EXPECT_EQ(receives, core::kMaxReceiveCount);
  EXPECT_LT(receives * SecondsOf(queue["VisibilityTimeout"]), retention);
  // A dead letter's age counts from when the message was first sent.
  EXPECT_GT(SecondsOf(Default().Properties(
                "SchedulingDeadLetterQueue")["MessageRetentionPeriod"]),
            retention);
}

// The flow.

TEST(SchedulerStack, InvokesTheSenderEveryMinute) {
  const Json::Value rule = Default().Properties("ScheduleRule");
  EXPECT_EQ(rule["ScheduleExpression"], "cron(* * * * ? *)");
  EXPECT_EQ(rule["State"], "ENABLED");
  ASSERT_EQ(rule["Targets"].size(), 1);
  const Json::Value& target = rule["Targets"][0];
  EXPECT_EQ(target["Arn"], "SenderFunction.Arn");
  EXPECT_EQ(target["DeadLetterConfig"]["Arn"], "RuleFailureQueue.Arn");
  EXPECT_GT(target["RetryPolicy"]["MaximumRetryAttempts"].asInt(), 0);
  EXPECT_EQ(SecondsOf(target["RetryPolicy"]["MaximumEventAgeInSeconds"]),
            kMaxEventAge);

  const Json::Value permission = Default().Properties("SchedulePermission");
  EXPECT_EQ(permission["FunctionName"], "SenderFunction");
  EXPECT_EQ(permission["Principal"], "events.amazonaws.com");
  EXPECT_EQ(permission["SourceArn"], "ScheduleRule.Arn");
}

TEST(SchedulerStack, KeepsInvocationsThatTheSenderFailed) {
  const Json::Value config = Default().Properties("SenderInvokeConfig");
  EXPECT_EQ(config["FunctionName"], "SenderFunction");
  EXPECT_EQ(config["DestinationConfig"]["OnFailure"]["Destination"],
            "SenderFailureQueue.Arn");
  EXPECT_EQ(config["MaximumRetryAttempts"].asInt(), kSenderRetryAttempts);
}

TEST(SchedulerStack, FeedsTheCollectorFromTheQueueMessageByMessage) {
  const Json::Value mapping = Default().Properties("CollectorEventSource");
  EXPECT_EQ(mapping["FunctionName"], "CollectorFunction");
  EXPECT_EQ(mapping["EventSourceArn"], "SchedulingQueue.Arn");
  EXPECT_EQ(mapping["BatchSize"].asInt(), core::kCollectorBatchSize);
  EXPECT_THAT(Texts(mapping["FunctionResponseTypes"]),
              ElementsAre("ReportBatchItemFailures"));
}

TEST(SchedulerStack, HasTheTableThatTheCollectorWritesTo) {
  const Json::Value table = Default().Properties("MetricsTable");
  EXPECT_EQ(table["TableName"], core::kMetricsTableName);
  EXPECT_EQ(json::WriteValue(table["KeySchema"]),
            R"([{"AttributeName":"metricName","KeyType":"HASH"},)"
            R"({"AttributeName":"slotTime","KeyType":"RANGE"}])");
  EXPECT_EQ(json::WriteValue(table["AttributeDefinitions"]),
            R"([{"AttributeName":"metricName","AttributeType":"S"},)"
            R"({"AttributeName":"slotTime","AttributeType":"S"}])");
}

TEST(SchedulerStack, RunsEveryFunctionAsAStaticBinary) {
  const std::vector<std::string> functions =
      Default().Ids("AWS::Lambda::Function");
  EXPECT_THAT(functions,
              UnorderedElementsAre("SenderFunction", "CollectorFunction",
                                   "MockApiFunction"));
  std::set<std::string> keys;
  for (const std::string& id : functions) {
    const Json::Value function = Default().Properties(id);
    EXPECT_EQ(function["Runtime"], "provided.al2023") << id;
    EXPECT_EQ(function["Handler"], "bootstrap") << id;
    EXPECT_THAT(Texts(function["Architectures"]), ElementsAre("x86_64")) << id;
    EXPECT_EQ(function["Code"]["S3Bucket"], "value-of-CodeBucket") << id;
    keys.insert(function["Code"]["S3Key"].asString());
  }
  EXPECT_THAT(keys, ElementsAre("byoshin/value-of-CollectorCode",
                                "byoshin/value-of-MockApiCode",
                                "byoshin/value-of-SenderCode"));
}

TEST(SchedulerStack, SaysWhichZipBelongsToWhichParameter) {
  const Json::Value& code = Default().source()["Metadata"]["Byoshin"]["Code"];
  EXPECT_EQ(json::WriteValue(code),
            R"({"CollectorCode":"collector.zip","MockApiCode":"mock_api.zip",)"
            R"("SenderCode":"sender.zip"})");
  for (const std::string& parameter : code.getMemberNames()) {
    EXPECT_TRUE(Default().source()["Parameters"].isMember(parameter));
  }
}

// Settings.

TEST(SchedulerStack, ReservesConcurrencyOnlyIfAsked) {
  EXPECT_FALSE(Default()
                   .Properties("CollectorFunction")
                   .isMember("ReservedConcurrentExecutions"));
  const DeployedTemplate deployed(SchedulerStack(),
                                  {{"ReservedConcurrency", "20"}});
  EXPECT_EQ(
      deployed.Properties("CollectorFunction")["ReservedConcurrentExecutions"],
      "20");
  for (const Json::Value& choice :
       Default()
           .source()["Parameters"]["ReservedConcurrency"]["AllowedValues"]) {
    if (choice.asInt() == 0) continue;
    EXPECT_GE(
        choice.asInt(),
        Default()
            .Properties(
                "CollectorEventSource")["ScalingConfig"]["MaximumConcurrency"]
            .asInt());
  }
}

TEST(SchedulerStack, TracesUnlessToldOtherwise) {
  const DeployedTemplate untraced(SchedulerStack(),
                                  {{"Tracing", "PassThrough"}});
  for (const std::string& id : Default().Ids("AWS::Lambda::Function")) {
    EXPECT_EQ(Default().Properties(id)["TracingConfig"]["Mode"], "Active");
    EXPECT_EQ(untraced.Properties(id)["TracingConfig"]["Mode"], "PassThrough");
  }
  EXPECT_EQ(untraced.Properties("MockApiStage")["TracingEnabled"], false);
}

TEST(SchedulerStack, DescribesEveryParameterAndOutput) {
  for (const char* section : {"Parameters", "Outputs"}) {
    const Json::Value& entries = Default().source()[section];
    for (const std::string& id : entries.getMemberNames()) {
      EXPECT_NE(entries[id]["Description"].asString(), "") << id;
    }
  }
  EXPECT_EQ(Default().Output("MetricsTableName"), core::kMetricsTableName);
}

}  // namespace
}  // namespace byoshin::infra
