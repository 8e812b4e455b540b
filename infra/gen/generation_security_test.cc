// Who may do what in the stack of asynchronous generation, and that data is
// protected.
#include <json/json.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/generation/constants.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/gen/generation_stack.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using testing::DeployedTemplate;
using testing::PermissionsOf;

const DeployedTemplate& Generation() {
  static const auto* const deployed = new DeployedTemplate(GenerationStack());
  return *deployed;
}

// Besides writing its own log and traces.
std::set<std::string> FurtherPermissionsOf(const std::string& name) {
  std::set<std::string> further;
  for (const std::string& permission :
       PermissionsOf(Generation(), absl::StrCat(name, "Function"))) {
    if (absl::StartsWith(permission, "xray:")) continue;
    if (absl::StartsWith(permission, "logs:")) {
      EXPECT_TRUE(absl::EndsWith(permission,
                                 absl::StrCat(" on ", name, "LogGroup.Arn")));
      continue;
    }
    further.insert(permission);
  }
  return further;
}

using Set = std::set<std::string>;

TEST(GenerationStack, LetsReadersReadAndNothingMoreThanStart) {
  Set reader = {"rds-data:ExecuteStatement on Database.DBClusterArn",
                "secretsmanager:GetSecretValue on DatabaseReaderSecret"};
  EXPECT_EQ(FurtherPermissionsOf(generation::kHistoryFunction), reader);
  reader.insert("states:StartExecution on Workflow");
  EXPECT_EQ(FurtherPermissionsOf(generation::kStatusFunction), reader);
}

TEST(GenerationStack, LetsTheApiStartAndStopExecutionsOfItsWorkflowOnly) {
  const Set starter = {"rds-data:ExecuteStatement on Database.DBClusterArn",
                       "secretsmanager:GetSecretValue on DatabaseWriterSecret",
                       "states:StartExecution on Workflow"};
  EXPECT_EQ(FurtherPermissionsOf(generation::kGenerateFunction), starter);
  EXPECT_EQ(FurtherPermissionsOf(generation::kRetryFunction), starter);
  const Set cancel = FurtherPermissionsOf(generation::kCancelFunction);
  ASSERT_EQ(cancel.size(), 3u);
  EXPECT_TRUE(absl::StrContains(*cancel.rbegin(), "states:StopExecution on "));
  EXPECT_TRUE(absl::EndsWith(*cancel.rbegin(), ":execution:Workflow.Name:*"));
}

TEST(GenerationStack, LetsTheWorkerAskOneModelAndReportAndSave) {
  Set expected = {"secretsmanager:GetSecretValue on DatabaseWriterSecret",
                  "states:SendTaskSuccess on *", "states:SendTaskFailure on *",
                  "states:SendTaskHeartbeat on *"};
  for (const char* operation :
       {"ExecuteStatement", "BatchExecuteStatement", "BeginTransaction",
        "CommitTransaction", "RollbackTransaction"}) {
    expected.insert(
        absl::StrCat("rds-data:", operation, " on Database.DBClusterArn"));
  }
  Set actual = FurtherPermissionsOf(generation::kWorkerFunction);
  std::vector<std::string> models;
  for (const std::string& permission : actual) {
    if (absl::StartsWith(permission, "bedrock:")) models.push_back(permission);
  }
  ASSERT_EQ(models.size(), 1u);
  EXPECT_TRUE(absl::EndsWith(
      models[0],
      absl::StrCat("::foundation-model/", generation::kDefaultModelId)))
      << models[0];
  EXPECT_FALSE(absl::StrContains(models[0], "*"));
  actual.erase(models[0]);
  EXPECT_EQ(actual, expected);
}

TEST(GenerationStack, LetsTheMigrationAloneUseTheOwnersSecret) {
  const char kOwner[] =
      "secretsmanager:GetSecretValue on Database.MasterUserSecret.SecretArn";
  for (const char* name :
       {generation::kGenerateFunction, generation::kStatusFunction,
        generation::kRetryFunction, generation::kCancelFunction,
        generation::kHistoryFunction, generation::kUpdateStateFunction,
        generation::kWorkerFunction, generation::kCleanUpFunction}) {
    EXPECT_FALSE(FurtherPermissionsOf(name).contains(kOwner)) << name;
  }
  EXPECT_TRUE(
      FurtherPermissionsOf(generation::kMigrationFunction).contains(kOwner));
}

TEST(GenerationStack, MigratesBeforeItUpdatesTheFunctions) {
  const Json::Value& resources = Generation().source()["Resources"];
  for (const std::string& id : Generation().Ids("AWS::Lambda::Function")) {
    const bool migrates =
        id == absl::StrCat(generation::kMigrationFunction, "Function");
    EXPECT_EQ(json::WriteValue(resources[id]["DependsOn"]),
              migrates ? "null" : R"("Schema")")
        << id;
  }
}

TEST(GenerationStack, GivesUsersTheirPasswordsAgainIfASecretChanges) {
  const Json::Value properties = Generation().Properties("Schema");
  EXPECT_EQ(properties["ReaderSecret"], "DatabaseReaderSecret");
  EXPECT_EQ(properties["WriterSecret"], "DatabaseWriterSecret");
  EXPECT_TRUE(properties["SecretsHash"].isString());
}

TEST(GenerationStack, LetsWhatEventsInvokeKeepItsFailures) {
  const Set update = {"rds-data:ExecuteStatement on Database.DBClusterArn",
                      "secretsmanager:GetSecretValue on DatabaseWriterSecret",
                      "sqs:SendMessage on FailureQueue.Arn"};
  EXPECT_EQ(FurtherPermissionsOf(generation::kUpdateStateFunction), update);
  Set clean_up = FurtherPermissionsOf(generation::kCleanUpFunction);
  for (const std::string& permission : update) {
    EXPECT_EQ(clean_up.erase(permission), 1u) << permission;
  }
  EXPECT_EQ(clean_up.erase("states:StartExecution on Workflow"), 1u);
  ASSERT_EQ(clean_up.size(), 1u);
  EXPECT_TRUE(
      absl::StartsWith(*clean_up.begin(), "states:DescribeExecution on "));
  EXPECT_TRUE(absl::EndsWith(*clean_up.begin(), ":execution:Workflow.Name:*"));
}

TEST(GenerationStack, CleansUpRarelyOnlyIfTheDatabaseMayPause) {
  const auto schedule = [](const DeployedTemplate& deployed) {
    return deployed.Properties("CleanUpRule")["ScheduleExpression"].asString();
  };
  EXPECT_EQ(schedule(Generation()), "rate(5 minutes)");
  EXPECT_EQ(schedule(DeployedTemplate(GenerationStack(),
                                      {{"DatabaseMinCapacity", "0"}})),
            "rate(60 minutes)");
}

TEST(GenerationStack, AsksAProfileInAllOfItsRegions) {
  const DeployedTemplate deployed(GenerationStack(), {{"ModelProfile", "us"}});
  Set models;
  for (const std::string& permission :
       PermissionsOf(deployed, "AIGenerationWorkerFunction")) {
    if (absl::StartsWith(permission, "bedrock:")) models.insert(permission);
  }
  ASSERT_EQ(models.size(), 2u);
  EXPECT_TRUE(absl::StrContains(*models.begin(), "bedrock:*::foundation-model"))
      << *models.begin();
  EXPECT_EQ(deployed.Properties(
                "AIGenerationWorkerFunction")["Environment"]["Variables"]
                                             [generation::kModelIdVariable],
            "us.amazon.nova-lite-v1:0");
}

TEST(GenerationStack, RequiresATokenForEveryMethodButPreflights) {
  int methods = 0;
  for (const std::string& id : Generation().Ids("AWS::ApiGateway::Method")) {
    const Json::Value method = Generation().Properties(id);
    if (method["HttpMethod"] == "OPTIONS") {
      EXPECT_EQ(method["Integration"]["Type"], "MOCK");
      continue;
    }
    ++methods;
    EXPECT_EQ(method["AuthorizationType"], "COGNITO_USER_POOLS") << id;
    EXPECT_EQ(method["AuthorizerId"], "ApiAuthorizer");
    EXPECT_EQ(method["RequestValidatorId"], "ApiValidator");
  }
  EXPECT_EQ(methods, 5);
}

TEST(GenerationStack, ProtectsTheDatabaseAndTheUsers) {
  const Json::Value cluster = Generation().Properties("Database");
  EXPECT_EQ(cluster["StorageEncrypted"], true);
  EXPECT_EQ(cluster["DeletionProtection"], true);
  EXPECT_EQ(cluster["ManageMasterUserPassword"], true);
  EXPECT_FALSE(cluster.isMember("MasterUserPassword"));
  EXPECT_GT(cluster["BackupRetentionPeriod"].asInt(), 1);
  EXPECT_EQ(Generation().Properties("DatabaseInstance")["PubliclyAccessible"],
            false);
  EXPECT_EQ(Generation().Properties("UserPool")["DeletionProtection"],
            "ACTIVE");
  for (const char* id : {"Database", "DatabaseInstance", "UserPool"}) {
    EXPECT_EQ(Generation().source()["Resources"][id]["DeletionPolicy"],
              "Retain");
  }
}

TEST(GenerationStack, HasTheLimitsOfTheDesign) {
  const Json::Value handler =
      Generation().Properties("AsyncProcessingHandlerFunction");
  EXPECT_EQ(handler["MemorySize"], 512);
  EXPECT_EQ(handler["Timeout"], 30);
  EXPECT_EQ(handler["ReservedConcurrentExecutions"], 50);
  const Json::Value worker =
      Generation().Properties("AIGenerationWorkerFunction");
  EXPECT_EQ(worker["MemorySize"], 1024);
  EXPECT_EQ(worker["ReservedConcurrentExecutions"], 10);
  const Json::Value machine = Generation().Properties("Workflow")["Definition"];
  const Json::Value task = machine["States"][generation::kWorkerState];
  EXPECT_EQ(machine["TimeoutSeconds"], 600);
  EXPECT_EQ(task["TimeoutSeconds"], 300);
  EXPECT_EQ(task["HeartbeatSeconds"], 60);
  EXPECT_GT(worker["Timeout"].asInt(), task["TimeoutSeconds"].asInt());
  EXPECT_EQ(task["Retry"][0]["IntervalSeconds"], 1);
  EXPECT_EQ(task["Retry"][0]["MaxAttempts"], 3);
  EXPECT_EQ(task["Retry"][0]["BackoffRate"].asDouble(), 2);
}

TEST(GenerationStack, LosesNoProcessIdOnTheWay) {
  const Json::Value states =
      Generation().Properties("Workflow")["Definition"]["States"];
  for (const std::string& name : states.getMemberNames()) {
    EXPECT_EQ(states[name]["Parameters"]["Payload"]["processId.$"],
              "$.processId");
    if (states[name].isMember("Next")) {
      EXPECT_TRUE(states[name].isMember("ResultPath")) << name;
    }
    for (const Json::Value& catcher : states[name]["Catch"]) {
      EXPECT_EQ(catcher["ResultPath"], "$.error") << name;
    }
  }
}

TEST(GenerationStack, WatchesWhatTheDesignSays) {
  const auto alarm = [](const char* id) { return Generation().Properties(id); };
  EXPECT_EQ(alarm("ErrorRateAlarm")["Threshold"], 5);
  EXPECT_EQ(alarm("TimeoutRateAlarm")["Threshold"], 10);
  EXPECT_EQ(alarm("ProcessingDurationAlarm")["Threshold"], 300000);
  EXPECT_EQ(alarm("ProcessingDurationAlarm")["Period"], 300);
  EXPECT_EQ(alarm("QueueDepthAlarm")["Threshold"], 100);
  for (const char* id : {"ErrorRateAlarm", "TimeoutRateAlarm",
                         "ProcessingDurationAlarm", "QueueDepthAlarm"}) {
    EXPECT_FALSE(alarm(id).isMember("AlarmActions")) << "nobody to tell";
  }
  const DeployedTemplate watched(GenerationStack(),
                                 {{"AlarmEmail", "ops@example.com"}});
  EXPECT_EQ(watched.Properties("ErrorRateAlarm")["AlarmActions"][0],
            "AlarmTopic");
}

}  // namespace
}  // namespace byoshin::infra
