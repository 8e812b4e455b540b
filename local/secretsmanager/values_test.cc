// The values of secrets, their versions and stages.

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/secretsmanager/testing/manager_fixture.h"

namespace byoshin::local::secretsmanager {
namespace {

class SecretValuesTest : public ManagerFixture {
 protected:
  // {"VERSION":["STAGE",…]}
  std::string Stages(const std::string& id) {
    return json::WriteValue(Call(
        "DescribeSecret",
        absl::StrCat(R"({"SecretId":")", id, "\"}"))["VersionIdsToStages"]);
  }
};

TEST_F(SecretValuesTest, AreFoundByNameArnAndPartialArn) {
  const std::string arn = Create("app/db", "hunter2");
  EXPECT_TRUE(absl::StartsWith(
      arn, "arn:aws:secretsmanager:us-east-1:000000000000:secret:app/db-"));
  EXPECT_EQ(ValueOf("app/db"), "hunter2");
  EXPECT_EQ(ValueOf(arn), "hunter2");
  EXPECT_EQ(ValueOf(arn.substr(0, arn.size() - 7)), "hunter2");
  for (const std::string& id :
       {std::string("app"), arn.substr(0, arn.size() - 1),
        std::string(
            "arn:aws:secretsmanager:eu-west-1:000000000000:secret:app/db"),
        std::string("arn:aws:sqs:us-east-1:000000000000:secret:app/db")}) {
    EXPECT_EQ(
        ErrorOf("GetSecretValue", absl::StrCat(R"({"SecretId":")", id, "\"}")),
        "ResourceNotFoundException: Secrets Manager can't find the specified "
        "secret.")
        << id;
  }
  EXPECT_FALSE(
      Try("GetSecretValue", R"({"SecretId":"app/db"})", "eu-west-1").ok());
}

TEST_F(SecretValuesTest, ANameThatLooksLikeAnArnsEndIsNotMistaken) {
  const std::string plain = Create("db", "first");
  const std::string suffixed =
      Create(plain.substr(plain.rfind(':') + 1), "second", 2);
  EXPECT_EQ(ValueOf(plain), "first");
  EXPECT_EQ(ValueOf(suffixed), "second");
}

TEST_F(SecretValuesTest, MayBeBinary) {
  Call("CreateSecret", absl::StrCat(R"({"Name":"b","SecretBinary":"AAEC",
       "ClientRequestToken":")",
                                    Token(1), "\"}"));
  const Json::Value value = Call("GetSecretValue", R"({"SecretId":"b"})");
  EXPECT_EQ(value["SecretBinary"], "AAEC");
  EXPECT_FALSE(value.isMember("SecretString"));
  EXPECT_EQ(manager_->CurrentValue("b").status().message(),
            "the secret b has a binary value");
}

TEST_F(SecretValuesTest, ANewOneMakesTheCurrentOneThePreviousOne) {
  Create("db", "v1", 1);
  EXPECT_EQ(json::WriteValue(
                Call("PutSecretValue", Put("db", "v2", 2))["VersionStages"]),
            R"(["AWSCURRENT"])");
  EXPECT_EQ(ValueOf("db"), "v2");
  Call("PutSecretValue", Put("db", "v3", 3));
  EXPECT_EQ(Stages("db"),
            absl::StrCat("{\"", Token(2), "\":[\"AWSPREVIOUS\"],\"", Token(3),
                         "\":[\"AWSCURRENT\"]}"));
  EXPECT_EQ(
      Call("GetSecretValue",
           R"({"SecretId":"db","VersionStage":"AWSPREVIOUS"})")["SecretString"],
      "v2");
  // Without a stage it can still be had by its id, until there are too many.
  const std::string first =
      absl::StrCat(R"({"SecretId":"db","VersionId":")", Token(1), "\"}");
  EXPECT_EQ(Call("GetSecretValue", first)["SecretString"], "v1");
  for (int i = 4; i <= 101; ++i) Call("PutSecretValue", Put("db", "v", i));
  EXPECT_EQ(ErrorOf("GetSecretValue", first),
            absl::StrCat("ResourceNotFoundException: Secrets Manager can't "
                         "find the specified secret value for VersionId: ",
                         Token(1)));
}

TEST_F(SecretValuesTest, ARepeatedTokenIsHarmlessUnlessTheValueDiffers) {
  const std::string arn = Create("db", "v1", 1);
  EXPECT_EQ(Create("db", "v1", 1), arn);
  Call("PutSecretValue", Put("db", "v2", 2));
  Call("PutSecretValue", Put("db", "v3", 3));
  EXPECT_EQ(Call("PutSecretValue", Put("db", "v2", 2))["VersionId"], Token(2));
  EXPECT_EQ(ValueOf("db"), "v3");
  const std::string expected = absl::StrCat(
      "ResourceExistsException: You can't use ClientRequestToken ", Token(2),
      " because that value is already in use for a version of secret ", arn,
      ".");
  EXPECT_EQ(ErrorOf("PutSecretValue", Put("db", "other", 2)), expected);
  EXPECT_EQ(ErrorOf("UpdateSecret", Put("db", "other", 2)), expected);
}

TEST_F(SecretValuesTest, HaveStagesThatMove) {
  Create("db", "v1", 1);
  Call("PutSecretValue",
       Put("db", "v2", 2, R"(,"VersionStages":["AWSPENDING","blue"])"));
  EXPECT_EQ(ValueOf("db"), "v1");
  Call("PutSecretValue", Put("db", "v3", 3, R"(,"VersionStages":["blue"])"));
  const auto move = [&](const std::string& stage, int from, int to) {
    return absl::StrCat(
        R"({"SecretId":"db","VersionStage":")", stage, "\"",
        from == 0
            ? ""
            : absl::StrCat(R"(,"RemoveFromVersionId":")", Token(from), "\""),
        to == 0 ? "" : absl::StrCat(R"(,"MoveToVersionId":")", Token(to), "\""),
        "}");
  };
  Call("UpdateSecretVersionStage", move("AWSCURRENT", 1, 2));
  EXPECT_EQ(ValueOf("db"), "v2");
  Call("UpdateSecretVersionStage", move("AWSPENDING", 2, 0));
  EXPECT_EQ(Stages("db"),
            absl::StrCat("{\"", Token(1), "\":[\"AWSPREVIOUS\"],\"", Token(2),
                         "\":[\"AWSCURRENT\"],\"", Token(3), "\":[\"blue\"]}"));
  EXPECT_EQ(ErrorOf("UpdateSecretVersionStage", move("AWSCURRENT", 0, 1)),
            absl::StrCat(
                "InvalidParameterException: The parameter RemoveFromVersionId "
                "can't be empty. Staging label AWSCURRENT is currently "
                "attached to version ",
                Token(2),
                ", so you must explicitly reference that version in "
                "RemoveFromVersionId."));
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("UpdateSecretVersionStage", move("AWSCURRENT", 1, 3)),
      "it must be set to the version that currently has"));
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("UpdateSecretVersionStage", move("AWSCURRENT", 2, 0)),
      "You can only move staging label AWSCURRENT"));
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("UpdateSecretVersionStage", move("blue", 3, 9)), "VersionId"));
}

TEST_F(SecretValuesTest, HaveAtMostTwentyStages) {
  Create("db", "v1", 1);
  std::string stages;
  for (int i = 0; i < 21; ++i) {
    absl::StrAppend(&stages, i == 0 ? "" : ",", "\"s", i, "\"");
  }
  const std::string more = absl::StrCat(",\"VersionStages\":[", stages, "]");
  EXPECT_TRUE(
      absl::StartsWith(ErrorOf("PutSecretValue", Put("db", "v2", 2, more)),
                       "ValidationException: 1 validation error detected: "
                       "Value '[s0, s1"));
  EXPECT_EQ(Stages("db"),
            absl::StrCat("{\"", Token(1), "\":[\"AWSCURRENT\"]}"));
}

TEST_F(SecretValuesTest, MustMatchBothIdAndStageIfBothAreGiven) {
  Create("db", "v1", 1);
  Call("PutSecretValue", Put("db", "v2", 2));
  EXPECT_EQ(ErrorOf("GetSecretValue",
                    absl::StrCat(R"({"SecretId":"db","VersionId":")", Token(1),
                                 R"(","VersionStage":"AWSCURRENT"})")),
            "InvalidRequestException: You provided a VersionStage that is not "
            "associated to the provided VersionId.");
  EXPECT_EQ(ErrorOf("GetSecretValue",
                    R"({"SecretId":"db","VersionStage":"AWSPENDING"})"),
            "ResourceNotFoundException: Secrets Manager can't find the "
            "specified secret value for staging label: AWSPENDING");
}

TEST_F(SecretValuesTest, AreListedWithTheDayOfTheirLastUse) {
  Create("db", "v1", 1);
  clock_.RunUntil(clock_.Now() + absl::Hours(30));
  ValueOf("db");
  const Json::Value versions =
      Call("ListSecretVersionIds", R"({"SecretId":"db"})")["Versions"];
  ASSERT_EQ(versions.size(), 1u);
  // 2027-01-16 at midnight, in UTC.
  EXPECT_EQ(versions[0]["LastAccessedDate"].asInt64(), 1'800'057'600);
  EXPECT_EQ(versions[0]["CreatedDate"].asInt64(), 1'800'000'000);
  Call("PutSecretValue", Put("db", "v2", 2));
  Call("PutSecretValue", Put("db", "v3", 3));
  EXPECT_EQ(
      Call("ListSecretVersionIds", R"({"SecretId":"db"})")["Versions"].size(),
      2u);
  const std::string all = R"({"SecretId":"db","IncludeDeprecated":true,
                              "MaxResults":2)";
  Json::Value page = Call("ListSecretVersionIds", absl::StrCat(all, "}"));
  EXPECT_EQ(page["Versions"].size(), 2u);
  page = Call("ListSecretVersionIds",
              absl::StrCat(all, R"(,"NextToken":")",
                           page["NextToken"].asString(), "\"}"));
  EXPECT_EQ(page["Versions"].size(), 1u);
  EXPECT_FALSE(page.isMember("NextToken"));
}

TEST_F(SecretValuesTest, AreReadInBatchesWithTheErrorsOfOthers) {
  Create("a", "1", 1);
  Create("b", "2", 2);
  Call("CreateSecret", R"({"Name":"c"})");
  const Json::Value batch =
      Call("BatchGetSecretValue", R"({"SecretIdList":["b","x","a","c"]})");
  ASSERT_EQ(batch["SecretValues"].size(), 2u);
  EXPECT_EQ(batch["SecretValues"][0]["SecretString"], "2");
  ASSERT_EQ(batch["Errors"].size(), 2u);
  EXPECT_EQ(batch["Errors"][0]["SecretId"], "x");
  EXPECT_EQ(batch["Errors"][0]["ErrorCode"], "ResourceNotFoundException");
  EXPECT_EQ(batch["Errors"][1]["Message"],
            "Secrets Manager can't find the specified secret value for staging "
            "label: AWSCURRENT");
  const Json::Value filtered =
      Call("BatchGetSecretValue",
           R"({"Filters":[{"Key":"name","Values":["a","b"]}],"MaxResults":1})");
  EXPECT_EQ(filtered["SecretValues"][0]["Name"], "a");
  EXPECT_TRUE(filtered.isMember("NextToken"));
  for (const char* body : {"{}", R"({"SecretIdList":["a"],"Filters":[]})",
                           R"({"SecretIdList":["a"],"MaxResults":1})"}) {
    EXPECT_TRUE(
        absl::StrContains(ErrorOf("BatchGetSecretValue", body), "'Filters'"))
        << body;
  }
}

TEST_F(SecretValuesTest, HaveALimitInBytesAndNeverAppearInErrors) {
  Create("db", std::string(65536, 'x'), 1);
  const std::string error =
      ErrorOf("PutSecretValue", Put("db", std::string(65537, 'x'), 2));
  EXPECT_EQ(error,
            "ValidationException: 1 validation error detected: Value at "
            "'secretString' failed to satisfy constraint: Member must have "
            "length less than or equal to 65536");
  EXPECT_TRUE(absl::StrContains(ErrorOf("PutSecretValue", Put("db", "", 2)),
                                "greater than or equal to 1"));
  EXPECT_EQ(ErrorOf("PutSecretValue", R"({"SecretId":"db"})"),
            "InvalidRequestException: You must provide either SecretString or "
            "SecretBinary.");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("PutSecretValue", Put("db", "x", 2, R"(,"SecretBinary":"AAEC")")),
      "You can't specify both"));
  EXPECT_EQ(ErrorOf("PutSecretValue",
                    R"({"SecretId":"db","SecretString":"x",
                        "ClientRequestToken":"short"})"),
            "InvalidParameterException: ClientRequestToken must be 32-64 "
            "characters long.");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("PutSecretValue", R"({"SecretId":"db","SecretString":"x"})"),
      "You must provide a ClientRequestToken value."));
}

}  // namespace
}  // namespace byoshin::local::secretsmanager
