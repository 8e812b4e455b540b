// Who may do what in the scheduler's stack, and that data is protected.
#include <json/json.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/constants.h"
#include "infra/gen/default_deployment.h"
#include "infra/gen/scheduler_stack.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using testing::DeployedTemplate;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::PermissionsOf;
using testing::Texts;
using ::testing::UnorderedElementsAre;

// Everything that each function may do. What its code calls is compared with
// this in scheduler_behaviour_test.
TEST(SchedulerStack, LetsTheSenderSendToTheQueueAndNothingMore) {
  EXPECT_THAT(PermissionsOf(Default(), "SenderFunction"),
              UnorderedElementsAre("sqs:SendMessage on SchedulingQueue.Arn",
                                   "sqs:SendMessage on SenderFailureQueue.Arn",
                                   "logs:CreateLogStream on SenderLogGroup.Arn",
                                   "logs:PutLogEvents on SenderLogGroup.Arn",
                                   "xray:PutTraceSegments on *",
                                   "xray:PutTelemetryRecords on *"));
}

TEST(SchedulerStack, LetsTheCollectorPutItemsAndReadItsQueueAndNothingMore) {
  EXPECT_THAT(
      PermissionsOf(Default(), "CollectorFunction"),
      UnorderedElementsAre("dynamodb:PutItem on MetricsTable.Arn",
                           "sqs:ReceiveMessage on SchedulingQueue.Arn",
                           "sqs:DeleteMessage on SchedulingQueue.Arn",
                           "sqs:GetQueueAttributes on SchedulingQueue.Arn",
                           "logs:CreateLogStream on CollectorLogGroup.Arn",
                           "logs:PutLogEvents on CollectorLogGroup.Arn",
                           "xray:PutTraceSegments on *",
                           "xray:PutTelemetryRecords on *"));
}

TEST(SchedulerStack, LetsTheMockApiWriteItsLogAndNothingMore) {
  EXPECT_THAT(
      PermissionsOf(Default(), "MockApiFunction"),
      UnorderedElementsAre("logs:CreateLogStream on MockApiLogGroup.Arn",
                           "logs:PutLogEvents on MockApiLogGroup.Arn",
                           "xray:PutTraceSegments on *",
                           "xray:PutTelemetryRecords on *"));
}

TEST(SchedulerStack, GivesEveryFunctionARoleOfItsOwn) {
  std::set<std::string> roles;
  const std::vector<std::string> functions =
      Default().Ids("AWS::Lambda::Function");
  for (const std::string& id : functions) {
    roles.insert(Default().Properties(id)["Role"].asString());
  }
  EXPECT_EQ(roles.size(), functions.size());
}

TEST(SchedulerStack, LetsOnlyTheServiceAssumeARole) {
  for (const std::string& id : Default().Ids("AWS::IAM::Role")) {
    const Json::Value trust =
        Default().Properties(id)["AssumeRolePolicyDocument"]["Statement"];
    ASSERT_EQ(trust.size(), 1) << id;
    EXPECT_EQ(trust[0]["Action"], "sts:AssumeRole");
    EXPECT_EQ(trust[0]["Principal"]["Service"], id == "ApiGatewayLogRole"
                                                    ? "apigateway.amazonaws.com"
                                                    : "lambda.amazonaws.com");
  }
}

TEST(SchedulerStack, NamesTheSourceOfEveryInvocation) {
  for (const std::string& id : Default().Ids("AWS::Lambda::Permission")) {
    const Json::Value permission = Default().Properties(id);
    EXPECT_EQ(permission["Action"], "lambda:InvokeFunction");
    EXPECT_NE(permission["SourceArn"].asString(), "") << id;
    EXPECT_FALSE(absl::StrContains(permission["SourceArn"].asString(), "*"))
        << id;
  }
}

// The statements of the policy of each queue.
std::map<std::string, Json::Value> QueuePolicies() {
  std::map<std::string, Json::Value> policies;
  for (const std::string& id : Default().Ids("AWS::SQS::QueuePolicy")) {
    const Json::Value policy = Default().Properties(id);
    for (const std::string& url : Texts(policy["Queues"])) {
      policies[url.substr(url.rfind('/') + 1)] =
          policy["PolicyDocument"]["Statement"];
    }
  }
  return policies;
}

TEST(SchedulerStack, TakesMessagesOverTlsOnly) {
  const std::map<std::string, Json::Value> policies = QueuePolicies();
  for (const std::string& queue : Default().Ids("AWS::SQS::Queue")) {
    ASSERT_EQ(policies.count(queue), 1) << queue << " has no policy";
    const Json::Value& deny = policies.at(queue)[0];
    EXPECT_EQ(deny["Effect"], "Deny");
    EXPECT_EQ(deny["Principal"], "*");
    EXPECT_EQ(deny["Action"], "sqs:*");
    EXPECT_EQ(deny["Resource"], absl::StrCat(queue, ".Arn"));
    EXPECT_EQ(json::WriteValue(deny["Condition"]),
              R"({"Bool":{"aws:SecureTransport":"false"}})");
  }
}

TEST(SchedulerStack, LetsNobodyElseSendButTheRuleToItsOwnQueue) {
  for (const auto& [queue, statements] : QueuePolicies()) {
    std::vector<std::string> allowed;
    for (const Json::Value& statement : statements) {
      if (statement["Effect"] == "Allow") {
        allowed.push_back(json::WriteValue(statement));
      }
    }
    if (queue != "RuleFailureQueue") {
      EXPECT_THAT(allowed, IsEmpty()) << queue;
      continue;
    }
    EXPECT_THAT(
        allowed,
        ElementsAre(
            R"({"Action":"sqs:SendMessage","Condition":{"ArnEquals":)"
            R"({"aws:SourceArn":"ScheduleRule.Arn"}},"Effect":"Allow",)"
            R"("Principal":{"Service":"events.amazonaws.com"},)"
            R"("Resource":"RuleFailureQueue.Arn","Sid":"LetTheRuleSend"})"));
  }
}

TEST(SchedulerStack, LetsOnlyThisAccountsAlarmsPublish) {
  const DeployedTemplate deployed(SchedulerStack(),
                                  {{"AlarmEmail", "ops@example.com"}});
  const Json::Value statements =
      deployed.Properties("AlarmTopicPolicy")["PolicyDocument"]["Statement"];
  ASSERT_EQ(statements.size(), 2);
  EXPECT_EQ(statements[0]["Effect"], "Deny");
  EXPECT_EQ(statements[1]["Principal"]["Service"], "cloudwatch.amazonaws.com");
  EXPECT_EQ(json::WriteValue(statements[1]["Condition"]),
            R"({"StringEquals":{"aws:SourceAccount":"123456789012"}})");
}

TEST(SchedulerStack, EncryptsWhatItStores) {
  for (const std::string& id : Default().Ids("AWS::SQS::Queue")) {
    EXPECT_EQ(Default().Properties(id)["SqsManagedSseEnabled"], true) << id;
  }
  EXPECT_EQ(
      Default().Properties("MetricsTable")["SSESpecification"]["SSEEnabled"],
      true);
}

TEST(SchedulerStack, CanRestoreTheTableAndKeepsItAndTheDeadLetters) {
  const Json::Value table = Default().Properties("MetricsTable");
  EXPECT_EQ(
      table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
      true);
  EXPECT_EQ(table["DeletionProtectionEnabled"], true);
  for (const char* id : {"MetricsTable", "SchedulingDeadLetterQueue",
                         "SenderFailureQueue", "RuleFailureQueue"}) {
    const Json::Value& resource = Default().source()["Resources"][id];
    EXPECT_EQ(resource["DeletionPolicy"], "Retain") << id;
    EXPECT_EQ(resource["UpdateReplacePolicy"], "Retain") << id;
  }
}

TEST(SchedulerStack, KeepsLogsForTheTimeThatWasAskedFor) {
  const DeployedTemplate deployed(SchedulerStack(),
                                  {{"LogRetentionDays", "7"}});
  std::set<std::string> groups;
  for (const std::string& id : deployed.Ids("AWS::Logs::LogGroup")) {
    groups.insert(id);
    EXPECT_EQ(deployed.Properties(id)["RetentionInDays"], "7") << id;
  }
  // A function's log group is a resource that the function refers to, so that
  // it is there before the function is.
  for (const std::string& id : deployed.Ids("AWS::Lambda::Function")) {
    EXPECT_EQ(
        groups.count(
            deployed.Properties(id)["LoggingConfig"]["LogGroup"].asString()),
        1)
        << id;
  }
}

TEST(SchedulerStack, TagsWhatCanBeTagged) {
  // The types that CloudFormation has no tags for.
  const std::set<std::string> untagged = {
      "AWS::ApiGateway::Account",         "AWS::ApiGateway::Deployment",
      "AWS::ApiGateway::GatewayResponse", "AWS::ApiGateway::RequestValidator",
      "AWS::ApiGateway::Method",          "AWS::ApiGateway::Resource",
      "AWS::CloudWatch::Dashboard",       "AWS::Lambda::EventInvokeConfig",
      "AWS::Lambda::Permission",          "AWS::SQS::QueuePolicy"};
  for (const std::string& id : Default().Ids()) {
    const Json::Value properties = Default().Properties(id);
    EXPECT_EQ(properties.isMember("Tags"),
              untagged.count(Default().TypeOf(id)) == 0)
        << id;
    if (!properties.isMember("Tags")) continue;
    EXPECT_EQ(json::WriteValue(properties["Tags"]),
              R"([{"Key":"Application","Value":"byoshin"},)"
              R"({"Key":"Component","Value":"scheduler"}])")
        << id;
  }
}

}  // namespace
}  // namespace byoshin::infra
