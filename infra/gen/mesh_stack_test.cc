// What Mesh v2's template must mean beyond being valid: who may do what, what
// depends on the stage, and that every field has its resolver.
#include "infra/gen/mesh_stack.h"

#include <json/json.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/gen/testing/deployed_template.h"
#include "infra/gen/testing/permissions.h"

namespace byoshin::infra {
namespace {

using testing::DeployedTemplate;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PermissionsOf;
using ::testing::SizeIs;
using testing::Texts;
using ::testing::UnorderedElementsAre;

const DeployedTemplate& Production() {
  static const auto* const kDeployed = new DeployedTemplate(MeshStack());
  return *kDeployed;
}

const DeployedTemplate& Development() {
  static const auto* const kDeployed =
      new DeployedTemplate(MeshStack(), {{"Stage", "development"}});
  return *kDeployed;
}

// "dynamodb:Query on Table.Arn", for a role.
std::set<std::string> AllowedTo(const std::string& role) {
  std::set<std::string> allowed;
  const Json::Value properties = Production().Properties(role);
  for (const Json::Value& policy : properties["Policies"]) {
    for (const Json::Value& statement : policy["PolicyDocument"]["Statement"]) {
      EXPECT_EQ(statement["Effect"], "Allow");
      for (const std::string& action : Texts(statement["Action"])) {
        for (const std::string& resource : Texts(statement["Resource"])) {
          allowed.insert(absl::StrCat(action, " on ", resource));
        }
      }
    }
  }
  return allowed;
}

TEST(MeshStack, LetsEachFunctionDoWhatItNeedsWithTheTableAndNothingMore) {
  const std::map<std::string, std::set<std::string>> expected = {
      {"CreateGroup", {"GetItem", "PutItem"}},
      {"LeaveGroup", {"GetItem", "DeleteItem"}},
      {"DissolveGroup",
       {"GetItem", "PutItem", "Query", "DeleteItem", "BatchWriteItem"}},
      {"FireEvents", {"GetItem", "BatchWriteItem"}}};
  for (const auto& [name, actions] : expected) {
    std::set<std::string> permissions = {
        absl::StrCat("logs:CreateLogStream on ", name, "LogGroup.Arn"),
        absl::StrCat("logs:PutLogEvents on ", name, "LogGroup.Arn"),
        "xray:PutTraceSegments on *", "xray:PutTelemetryRecords on *"};
    for (const std::string& action : actions) {
      permissions.insert(absl::StrCat("dynamodb:", action, " on Table.Arn"));
    }
    EXPECT_EQ(PermissionsOf(Production(), absl::StrCat(name, "Function")),
              permissions)
        << name;
  }
}

TEST(MeshStack, LetsEachDataSourceDoWhatItsResolversNeedAndNothingMore) {
  EXPECT_THAT(
      AllowedTo("TableReaderRole"),
      UnorderedElementsAre("dynamodb:GetItem on Table.Arn",
                           "dynamodb:BatchGetItem on Table.Arn",
                           "dynamodb:Query on Table.Arn",
                           "dynamodb:GetItem on Table.Arn/index/GSI1",
                           "dynamodb:BatchGetItem on Table.Arn/index/GSI1",
                           "dynamodb:Query on Table.Arn/index/GSI1"));
  EXPECT_THAT(AllowedTo("HeartbeatWriterRole"),
              UnorderedElementsAre("dynamodb:PutItem on Table.Arn",
                                   "dynamodb:UpdateItem on Table.Arn",
                                   "dynamodb:DeleteItem on Table.Arn",
                                   "dynamodb:GetItem on Table.Arn"));
  EXPECT_THAT(AllowedTo("StatusWriterRole"),
              UnorderedElementsAre("dynamodb:BatchWriteItem on Table.Arn",
                                   "dynamodb:DeleteItem on Table.Arn",
                                   "dynamodb:GetItem on Table.Arn"));
  for (const char* name :
       {"CreateGroup", "LeaveGroup", "DissolveGroup", "FireEvents"}) {
    EXPECT_THAT(AllowedTo(absl::StrCat(name, "SourceRole")),
                UnorderedElementsAre(absl::StrCat("lambda:InvokeFunction on ",
                                                  name, "Function.Arn")));
  }
}

TEST(MeshStack, GivesEveryDataSourceARoleOfItsOwnThatOnlyAppSyncAssumes) {
  std::set<std::string> roles;
  int sources = 0;
  for (const std::string& id : Production().Ids("AWS::AppSync::DataSource")) {
    const Json::Value source = Production().Properties(id);
    if (source["Type"] == "NONE") {
      EXPECT_FALSE(source.isMember("ServiceRoleArn"));
      continue;
    }
    ++sources;
    const std::string arn = source["ServiceRoleArn"].asString();
    const std::string role = arn.substr(0, arn.find('.'));
    roles.insert(role);
    EXPECT_EQ(
        Production().Properties(role)["AssumeRolePolicyDocument"]["Statement"]
                                     [0]["Principal"]["Service"],
        "appsync.amazonaws.com")
        << role;
  }
  EXPECT_THAT(roles, SizeIs(sources));
}

TEST(MeshStack, ProtectsTheTable) {
  const Json::Value table = Production().Properties("Table");
  EXPECT_EQ(table["SSESpecification"]["SSEEnabled"], true);
  EXPECT_EQ(
      table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
      true);
  EXPECT_EQ(table["DeletionProtectionEnabled"], true);
  const Json::Value& resource = Production().source()["Resources"]["Table"];
  EXPECT_EQ(resource["DeletionPolicy"], "Retain");
  EXPECT_EQ(resource["UpdateReplacePolicy"], "Retain");
}

TEST(MeshStack, RemovesItemsByTheirTtlAndFindsGroupsByTheirDomain) {
  const Json::Value table = Production().Properties("Table");
  EXPECT_EQ(json::WriteValue(table["TimeToLiveSpecification"]),
            R"({"AttributeName":"ttl","Enabled":true})");
  EXPECT_EQ(
      json::WriteValue(table["GlobalSecondaryIndexes"]),
      R"([{"IndexName":"GSI1","KeySchema":[{"AttributeName":"GSI1PK",)"
      R"("KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"ALL"}}])");
}

TEST(MeshStack, LogsAndTracesRequests) {
  const Json::Value api = Production().Properties("Api");
  EXPECT_EQ(api["LogConfig"]["FieldLogLevel"], "ERROR");
  EXPECT_EQ(api["LogConfig"]["ExcludeVerboseContent"], false);
  EXPECT_EQ(api["LogConfig"]["CloudWatchLogsRoleArn"], "ApiLogRole.Arn");
  EXPECT_EQ(api["XrayEnabled"], true);
  EXPECT_EQ(DeployedTemplate(MeshStack(), {{"Tracing", "PassThrough"}})
                .Properties("Api")["XrayEnabled"],
            false);
}

TEST(MeshStack, ShowsTheSchemaInDevelopmentOnly) {
  EXPECT_EQ(Production().Properties("Api")["IntrospectionConfig"], "DISABLED");
  EXPECT_EQ(Development().Properties("Api")["IntrospectionConfig"], "ENABLED");
}

TEST(MeshStack, TakesIntervalsFromTheStage) {
  const auto variables = [](const DeployedTemplate& deployed) {
    return json::WriteValue(
        deployed.Properties("CreateGroupFunction")["Environment"]["Variables"]);
  };
  EXPECT_EQ(variables(Production()),
            R"({"MESH_HOST_HEARTBEAT_INTERVAL_SECONDS":"30",)"
            R"("MESH_MAX_CONNECTION_TIME_SECONDS":"3000",)"
            R"("MESH_TABLE_NAME":"MeshV2Table"})");
  EXPECT_EQ(variables(Development()),
            R"({"MESH_HOST_HEARTBEAT_INTERVAL_SECONDS":"15",)"
            R"("MESH_MAX_CONNECTION_TIME_SECONDS":"600",)"
            R"("MESH_TABLE_NAME":"MeshV2Table"})");
  const auto code = [](const DeployedTemplate& deployed, const char* id) {
    return deployed.Properties(id)["Code"].asString();
  };
  EXPECT_THAT(code(Production(), "PutNodePipelined"),
              HasSubstr("const MEMBER_INTERVAL_SECONDS = 120;\n"));
  EXPECT_THAT(code(Development(), "PutNodePipelined"),
              HasSubstr("const MEMBER_INTERVAL_SECONDS = 15;\n"));
  EXPECT_THAT(code(Production(), "UpdateGroupTTLPipelined"),
              HasSubstr("const HOST_INTERVAL_SECONDS = 30;\n"));
  EXPECT_THAT(code(Development(), "UpdateGroupTTLPipelined"),
              HasSubstr("const HOST_INTERVAL_SECONDS = 15;\n"));
}

TEST(MeshStack, TakesAMaximumOfItsOwn) {
  const DeployedTemplate deployed(MeshStack(),
                                  {{"MaxConnectionTimeSeconds", "90"}});
  EXPECT_EQ(deployed.Properties(
                "CreateGroupFunction")["Environment"]["Variables"]
                                      ["MESH_MAX_CONNECTION_TIME_SECONDS"],
            "90");
}

TEST(MeshStack, LetsTheKeyExpireWhenAsked) {
  EXPECT_FALSE(Production().Properties("ApiKey").isMember("Expires"));
  EXPECT_EQ(DeployedTemplate(MeshStack(), {{"ApiKeyExpires", "1795000000"}})
                .Properties("ApiKey")["Expires"],
            "1795000000");
}

TEST(MeshStack, ResolvesEachFieldAsItShould) {
  // P for a pipeline, U for a unit, with its data source.
  std::map<std::string, std::string> kinds;
  for (const std::string& id : Production().Ids("AWS::AppSync::Resolver")) {
    const Json::Value resolver = Production().Properties(id);
    kinds[resolver["FieldName"].asString()] =
        resolver["Kind"] == "PIPELINE"
            ? "P"
            : absl::StrCat("U ", resolver["DataSourceName"].asString());
  }
  const std::map<std::string, std::string> expected = {
      {"createDomain", "U NoSource.Name"},
      {"createGroup", "U CreateGroupSource.Name"},
      {"dissolveGroup", "U DissolveGroupSource.Name"},
      {"fireEventsByNode", "U FireEventsSource.Name"},
      {"getGroup", "U TableReader.Name"},
      {"getNodeStatus", "U TableReader.Name"},
      {"joinGroup", "P"},
      {"leaveGroup", "U LeaveGroupSource.Name"},
      {"listGroupStatuses", "P"},
      {"listGroupsByDomain", "U TableReader.Name"},
      {"listNodesInGroup", "U TableReader.Name"},
      {"renewHeartbeat", "P"},
      {"reportDataByNode", "P"},
      {"sendMemberHeartbeat", "P"}};
  EXPECT_EQ(kinds, expected);
}

TEST(MeshStack, ChecksTheGroupFirstInEveryPipeline) {
  for (const std::string& id : Production().Ids("AWS::AppSync::Resolver")) {
    const Json::Value resolver = Production().Properties(id);
    if (resolver["Kind"] != "PIPELINE") continue;
    const Json::Value& functions = resolver["PipelineConfig"]["Functions"];
    EXPECT_EQ(functions[0], "CheckGroupExistsPipelined.FunctionId") << id;
    constexpr int kMaxFunctions = 10;
    EXPECT_LE(functions.size(), kMaxFunctions) << id;
  }
  EXPECT_THAT(Texts(Production().Properties(
                  "ReportDataByNodeResolver")["PipelineConfig"]["Functions"]),
              ElementsAre("CheckGroupExistsPipelined.FunctionId",
                          "CheckMembershipPipelined.FunctionId",
                          "PutStatusPipelined.FunctionId",
                          "ConfirmWritePipelined.FunctionId",
                          "UndoLatestStatusPipelined.FunctionId",
                          "UndoStatusPipelined.FunctionId"));
  EXPECT_THAT(Texts(Production().Properties(
                  "JoinGroupResolver")["PipelineConfig"]["Functions"]),
              ElementsAre("CheckGroupExistsPipelined.FunctionId",
                          "PutNodePipelined.FunctionId",
                          "ConfirmWritePipelined.FunctionId",
                          "UndoNodePipelined.FunctionId"));
}

TEST(MeshStack, EndsFunctionsBeforeAppSyncGivesUp) {
  constexpr absl::Duration kAppSyncTimeout = absl::Seconds(30);
  for (const std::string& id : Production().Ids("AWS::Lambda::Function")) {
    EXPECT_LT(absl::Seconds(Production().Properties(id)["Timeout"].asInt()),
              kAppSyncTimeout);
  }
}

TEST(MeshStack, TellsWhereTheApiIs) {
  EXPECT_EQ(Production().Output("GraphQLUrl"), "Api.GraphQLUrl");
  EXPECT_EQ(Production().Output("RealtimeUrl"), "Api.RealtimeUrl");
  EXPECT_EQ(Production().Output("ApiKey"), "ApiKey.ApiKey");
}

TEST(MeshStack, WatchesTheApiTheFunctionsAndTheTable) {
  std::set<std::string> watched;
  for (const std::string& id : Production().Ids("AWS::CloudWatch::Alarm")) {
    const Json::Value alarm = Production().Properties(id);
    watched.insert(absl::StrCat(alarm["MetricName"].asString(), " of ",
                                alarm["Dimensions"][0]["Value"].asString()));
  }
  EXPECT_THAT(
      watched,
      UnorderedElementsAre(
          "5XXError of Api.ApiId", "ConnectServerError of Api.ApiId",
          "PublishDataMessageServerError of Api.ApiId", "Latency of Api.ApiId",
          "Errors of CreateGroupFunction", "Throttles of CreateGroupFunction",
          "Errors of LeaveGroupFunction", "Throttles of LeaveGroupFunction",
          "Errors of DissolveGroupFunction",
          "Throttles of DissolveGroupFunction", "Errors of FireEventsFunction",
          "Throttles of FireEventsFunction",
          "ReadThrottleEvents of MeshV2Table",
          "WriteThrottleEvents of MeshV2Table"));
}

}  // namespace
}  // namespace byoshin::infra
