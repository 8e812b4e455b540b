// State machines, their versions and aliases, activities and tags.

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/testing/states_fixture.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kPass[] =
    R"({"StartAt":"S","States":{"S":{"Type":"Pass","End":true}}})";
constexpr char kOtherPass[] =
    R"({"StartAt":"T","States":{"T":{"Type":"Pass","End":true}}})";

class MachinesTest : public StatesFixture {
 protected:
  static std::string Body(
      const std::vector<std::pair<std::string, std::string>>& members) {
    std::string body = "{";
    for (const auto& [name, value] : members) {
      absl::StrAppend(&body, body.size() > 1 ? "," : "", QuotedJson(name), ":",
                      QuotedJson(value));
    }
    return body + "}";
  }
  Json::Value DescribeMachine(const std::string& arn) {
    return Ask("DescribeStateMachine", Body({{"stateMachineArn", arn}}));
  }
  std::string ErrorOf(const Json::Value& answer) {
    const std::string type = answer["__type"].asString();
    return absl::StrCat(type.substr(type.find('#') + 1), ": ",
                        answer["message"].asString());
  }
};

TEST_F(MachinesTest, CreatesOneAndDescribesIt) {
  const std::string arn = Create("orders", kPass);
  EXPECT_EQ(arn, absl::StrCat(kArnPrefix, "stateMachine:orders"));
  const Json::Value described = DescribeMachine(arn);
  EXPECT_EQ(described["definition"], kPass);
  EXPECT_EQ(described["type"], "STANDARD");
  EXPECT_EQ(described["status"], "ACTIVE");
  EXPECT_EQ(described["roleArn"], kRole);
  EXPECT_EQ(described["loggingConfiguration"]["level"], "OFF");
  EXPECT_EQ(described["tracingConfiguration"]["enabled"], false);
  EXPECT_EQ(described["creationDate"].asInt64(), 1'794'902'400);
  EXPECT_FALSE(described.isMember("revisionId"));
}

TEST_F(MachinesTest, KeepsThemOverARestart) {
  const std::string arn = Create("orders", kPass);
  Open();
  EXPECT_EQ(DescribeMachine(arn)["definition"], kPass);
}

TEST_F(MachinesTest, CreatesTheSameAgainAndRefusesAnother) {
  const std::string arn = Create("orders", kPass);
  EXPECT_EQ(Create("orders", kPass), arn);
  EXPECT_EQ(ErrorOf(Ask("CreateStateMachine", Body({{"name", "orders"},
                                                    {"definition", kOtherPass},
                                                    {"roleArn", kRole}}))),
            absl::StrCat("StateMachineAlreadyExists: State Machine Already "
                         "Exists: '",
                         arn, "'"));
}

TEST_F(MachinesTest, RefusesAsAwsDoes) {
  EXPECT_EQ(ErrorOf(Ask("CreateStateMachine",
                        Body({{"definition", kPass}, {"roleArn", kRole}}))),
            "ValidationException: 1 validation error detected: Value null at "
            "'name' failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(
      ErrorOf(Ask(
          "CreateStateMachine",
          Body({{"name", "a b"}, {"definition", kPass}, {"roleArn", kRole}}))),
      "InvalidName: Invalid Name: 'a b'");
  EXPECT_EQ(ErrorOf(Ask("CreateStateMachine",
                        Body({{"name", "m"},
                              {"definition", R"({"StartAt":"S"})"},
                              {"roleArn", kRole}}))),
            "InvalidDefinition: Invalid State Machine Definition: "
            "'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at "
            "/'");
  EXPECT_EQ(ErrorOf(DescribeMachine("orders")),
            "InvalidArn: Invalid Arn: 'Invalid ARN prefix: orders'");
  const std::string missing = absl::StrCat(kArnPrefix, "stateMachine:none");
  EXPECT_EQ(ErrorOf(DescribeMachine(missing)),
            absl::StrCat("StateMachineDoesNotExist: State Machine Does Not "
                         "Exist: '",
                         missing, "'"));
  EXPECT_EQ(
      ErrorOf(DescribeMachine(absl::StrCat(kArnPrefix, "activity:none"))),
      "InvalidArn: Invalid Arn: 'Resource type not valid in this context: "
      "activity'");
  EXPECT_EQ(ErrorOf(Ask("ListStateMachines", R"({"maxResults":1001})")),
            "ValidationException: 1 validation error detected: Value '1001' at "
            "'maxResults' failed to satisfy constraint: Member must have value "
            "less than or equal to 1000");
  EXPECT_EQ(ErrorOf(Ask("ListStateMachines", R"({"nextToken":"!"})")),
            "InvalidToken: Invalid Token: 'Invalid token'");
}

TEST_F(MachinesTest, GivesEachUpdateARevision) {
  const std::string arn = Create("orders", kPass);
  const Json::Value updated =
      Ask("UpdateStateMachine",
          Body({{"stateMachineArn", arn}, {"definition", kOtherPass}}));
  const std::string revision = updated["revisionId"].asString();
  EXPECT_EQ(revision.size(), 36u);
  EXPECT_EQ(DescribeMachine(arn)["revisionId"], revision);
  EXPECT_EQ(DescribeMachine(arn)["definition"], kOtherPass);
  // The same again is no change.
  EXPECT_EQ(Ask("UpdateStateMachine",
                Body({{"stateMachineArn", arn},
                      {"definition", kOtherPass}}))["revisionId"],
            revision);
  EXPECT_EQ(ErrorOf(Ask("UpdateStateMachine", Body({{"stateMachineArn", arn}})))
                .substr(0, 24),
            "MissingRequiredParameter");
}

TEST_F(MachinesTest, ListsThemInPages) {
  for (const char* name : {"c", "a", "b"}) Create(name, kPass);
  const Json::Value first = Ask("ListStateMachines", R"({"maxResults":2})");
  ASSERT_EQ(first["stateMachines"].size(), 2u);
  EXPECT_EQ(first["stateMachines"][0]["name"], "a");
  const Json::Value second =
      Ask("ListStateMachines",
          absl::StrCat(R"({"maxResults":2,"nextToken":")",
                       first["nextToken"].asString(), R"("})"));
  ASSERT_EQ(second["stateMachines"].size(), 1u);
  EXPECT_EQ(second["stateMachines"][0]["name"], "c");
  EXPECT_FALSE(second.isMember("nextToken"));
}

TEST_F(MachinesTest, DeletesOneWithItsVersionsAndAliases) {
  const std::string arn = Create("orders", kPass, R"(,"publish":true)");
  Ask("CreateStateMachineAlias",
      absl::StrCat(R"({"name":"live","routingConfiguration":[)",
                   R"({"stateMachineVersionArn":")", arn,
                   R"(:1","weight":100}]})"));
  Ask("DeleteStateMachine", Body({{"stateMachineArn", arn}}));
  for (const char* qualifier : {"", ":1", ":live"}) {
    EXPECT_EQ(
        ErrorOf(DescribeMachine(absl::StrCat(arn, qualifier))).substr(0, 24),
        "StateMachineDoesNotExist");
  }
  // One that is not there is no error.
  EXPECT_EQ(Ask("DeleteStateMachine", Body({{"stateMachineArn", arn}})),
            Json::Value(Json::objectValue));
}

TEST_F(MachinesTest, PublishesARevisionOnce) {
  const std::string arn = Create("orders", kPass);
  const std::string body = Body({{"stateMachineArn", arn}});
  EXPECT_EQ(Ask("PublishStateMachineVersion", body)["stateMachineVersionArn"],
            absl::StrCat(arn, ":1"));
  EXPECT_EQ(Ask("PublishStateMachineVersion", body)["stateMachineVersionArn"],
            absl::StrCat(arn, ":1"));
  const Json::Value updated =
      Ask("UpdateStateMachine",
          absl::StrCat(R"({"stateMachineArn":")", arn, R"(","publish":true,)",
                       R"("versionDescription":"second","definition":)",
                       QuotedJson(kOtherPass), "}"));
  EXPECT_EQ(updated["stateMachineVersionArn"], absl::StrCat(arn, ":2"));
  EXPECT_EQ(DescribeMachine(absl::StrCat(arn, ":1"))["definition"], kPass);
  const Json::Value second = DescribeMachine(absl::StrCat(arn, ":2"));
  EXPECT_EQ(second["definition"], kOtherPass);
  EXPECT_EQ(second["description"], "second");
  const Json::Value list = Ask("ListStateMachineVersions", body);
  ASSERT_EQ(list["stateMachineVersions"].size(), 2u);
  EXPECT_EQ(list["stateMachineVersions"][0]["stateMachineVersionArn"],
            absl::StrCat(arn, ":2"));
}

TEST_F(MachinesTest, NeverGivesAVersionsNumberAgain) {
  const std::string arn = Create("orders", kPass, R"(,"publish":true)");
  Ask("DeleteStateMachineVersion",
      Body({{"stateMachineVersionArn", absl::StrCat(arn, ":1")}}));
  EXPECT_EQ(Ask("PublishStateMachineVersion",
                Body({{"stateMachineArn", arn}}))["stateMachineVersionArn"],
            absl::StrCat(arn, ":2"));
}

TEST_F(MachinesTest, PublishesOnlyTheRevisionThatIsMeant) {
  const std::string arn = Create("orders", kPass);
  const std::string revision =
      Ask("UpdateStateMachine",
          Body({{"stateMachineArn", arn},
                {"definition", kOtherPass}}))["revisionId"]
          .asString();
  EXPECT_EQ(
      ErrorOf(Ask("PublishStateMachineVersion",
                  Body({{"stateMachineArn", arn}, {"revisionId", "INITIAL"}}))),
      absl::StrCat("ConflictException: Failed to publish the State "
                   "Machine version for revision INITIAL. The current "
                   "State Machine revision is ",
                   revision, "."));
}

TEST_F(MachinesTest, RefusesToDeleteAVersionThatAnAliasNeeds) {
  const std::string arn = Create("orders", kPass, R"(,"publish":true)");
  const std::string version = absl::StrCat(arn, ":1");
  Ask("CreateStateMachineAlias",
      absl::StrCat(R"({"name":"live","routingConfiguration":[)",
                   R"({"stateMachineVersionArn":")", version,
                   R"(","weight":100}]})"));
  EXPECT_EQ(ErrorOf(Ask("DeleteStateMachineVersion",
                        Body({{"stateMachineVersionArn", version}}))),
            "ConflictException: Version to be deleted must not be referenced "
            "by an alias. Current list of aliases referencing this version: "
            "[live]");
}

TEST_F(MachinesTest, ChecksTheRoutesOfAnAlias) {
  const std::string arn = Create("orders", kPass, R"(,"publish":true)");
  const auto create = [&](const std::string& name, const std::string& version,
                          int weight) {
    return ErrorOf(
        Ask("CreateStateMachineAlias",
            absl::StrCat(R"({"name":")", name, R"(","routingConfiguration":[)",
                         R"({"stateMachineVersionArn":")", arn, version,
                         R"(","weight":)", weight, "}]}")));
  };
  EXPECT_EQ(create("live", ":1", 99),
            "ValidationException: Sum of routing configuration weights must "
            "equal 100. Received: [99]");
  EXPECT_EQ(create("live", "", 100),
            absl::StrCat("ValidationException: Routing configuration must "
                         "contain state machine version ARNs. Received: [",
                         arn, "]"));
  EXPECT_EQ(create("123", ":1", 100),
            "ValidationException: 1 validation error detected: Value '123' at "
            "'name' failed to satisfy constraint: Member must satisfy regular "
            "expression pattern: "
            R"(^(?=.*[a-zA-Z_\-\.])[a-zA-Z0-9_\-\.]+$)");
  EXPECT_EQ(create("live", ":7", 100),
            "ResourceNotFound: Request references a resource that does not "
            "exist.");
}

TEST_F(MachinesTest, StartsTheVersionThatAnAliasLeadsTo) {
  const std::string arn =
      Create("m", OneState(R"({"Type":"Pass","Result":1,"End":true})"),
             R"(,"publish":true)");
  Ask("UpdateStateMachine",
      absl::StrCat(
          R"({"stateMachineArn":")", arn, R"(","publish":true,"definition":)",
          QuotedJson(OneState(R"({"Type":"Pass","Result":2,"End":true})")),
          "}"));
  Ask("CreateStateMachineAlias",
      absl::StrCat(R"({"name":"live","routingConfiguration":[)",
                   R"({"stateMachineVersionArn":")", arn,
                   R"(:1","weight":100},{"stateMachineVersionArn":")", arn,
                   R"(:2","weight":0}]})"));
  const Json::Value execution =
      Describe(Start(absl::StrCat(arn, ":live"), "{}"));
  EXPECT_EQ(execution["output"], "1");
  EXPECT_EQ(execution["stateMachineAliasArn"], absl::StrCat(arn, ":live"));
  EXPECT_EQ(execution["stateMachineVersionArn"], absl::StrCat(arn, ":1"));
  EXPECT_EQ(Describe(Start(arn, "{}"))["output"], "2");
  const Json::Value list =
      Ask("ListExecutions",
          Body({{"stateMachineArn", absl::StrCat(arn, ":live")}}));
  EXPECT_EQ(list["executions"].size(), 1u);
}

TEST_F(MachinesTest, TagsMachinesAndActivities) {
  const std::string activity =
      Ask("CreateActivity",
          R"({"name":"a","tags":[{"key":"k","value":"1"}]})")["activityArn"]
          .asString();
  EXPECT_EQ(activity, absl::StrCat(kArnPrefix, "activity:a"));
  Ask("TagResource", absl::StrCat(R"({"resourceArn":")", activity,
                                  R"(","tags":[{"key":"l","value":"2"}]})"));
  Ask("UntagResource",
      absl::StrCat(R"({"resourceArn":")", activity, R"(","tagKeys":["k"]})"));
  const Json::Value tags =
      Ask("ListTagsForResource", Body({{"resourceArn", activity}}))["tags"];
  ASSERT_EQ(tags.size(), 1u);
  EXPECT_EQ(tags[0]["key"], "l");
  EXPECT_EQ(tags[0]["value"], "2");
  EXPECT_EQ(Ask("ListActivities", "{}")["activities"].size(), 1u);
  Ask("DeleteActivity", Body({{"activityArn", activity}}));
  EXPECT_EQ(ErrorOf(Ask("DescribeActivity", Body({{"activityArn", activity}}))),
            absl::StrCat("ActivityDoesNotExist: Activity Does Not Exist: '",
                         activity, "'"));
}

TEST_F(MachinesTest, ValidatesADefinition) {
  const Json::Value good =
      Ask("ValidateStateMachineDefinition", Body({{"definition", kPass}}));
  EXPECT_EQ(good["result"], "OK");
  EXPECT_EQ(good["diagnostics"].size(), 0u);
  const Json::Value bad =
      Ask("ValidateStateMachineDefinition",
          Body({{"definition", OneState(R"({"Type":"Pass"})")}}));
  EXPECT_EQ(bad["result"], "FAIL");
  EXPECT_GE(bad["diagnostics"].size(), 1u);
  EXPECT_EQ(bad["diagnostics"][0]["severity"], "ERROR");
}

TEST_F(MachinesTest, NeedsThePermissionOnWhatTheCallIsAbout) {
  const auto needed = [&](const char* operation, const std::string& body) {
    return states_->PermissionsFor({.operation = operation,
                                    .body = body,
                                    .region = "us-east-1",
                                    .caller = {.account_id = "000000000000"}});
  };
  using Needed = std::vector<NeededPermission>;
  EXPECT_EQ(needed("CreateStateMachine", R"({"name":"m"})"),
            (Needed{{"states:CreateStateMachine",
                     absl::StrCat(kArnPrefix, "stateMachine:m")}}));
  EXPECT_EQ(needed("StartExecution", R"({"stateMachineArn":"a","name":"n"})"),
            (Needed{{"states:StartExecution", "a"}}));
  EXPECT_EQ(needed("SendTaskSuccess", R"({"taskToken":"t"})"),
            (Needed{{"states:SendTaskSuccess", "*"}}));
  EXPECT_EQ(needed("ListStateMachines", "{}"),
            (Needed{{"states:ListStateMachines", "*"}}));
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
