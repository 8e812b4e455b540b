// Secrets as a whole, and those that other services own.

#include "local/secretsmanager/secrets.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/secretsmanager/testing/manager_fixture.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kMarked[] =
    "InvalidRequestException: You can't perform this operation on the secret "
    "because it was marked for deletion.";

class SecretsTest : public ManagerFixture {
 protected:
  std::vector<std::string> Names(absl::string_view body) {
    std::vector<std::string> names;
    const Json::Value list = Call("ListSecrets", body)["SecretList"];
    for (const Json::Value& secret : list) {
      names.push_back(secret["Name"].asString());
    }
    return names;
  }
  std::vector<NeededPermission> PermissionsFor(absl::string_view operation,
                                               absl::string_view body) {
    return manager_->PermissionsFor(
        {.operation = std::string(operation),
         .body = std::string(body),
         .region = kRegion,
         .caller = {.account_id = kLocalAccountId}});
  }
};

using SecretNames = std::vector<std::string>;

TEST_F(SecretsTest, HaveNamesThatAreUniqueAndValid) {
  Create("db", "v1", 1);
  EXPECT_EQ(ErrorOf("CreateSecret", R"({"Name":"db"})"),
            "ResourceExistsException: The operation failed because the secret "
            "db already exists.");
  EXPECT_EQ(ErrorOf("CreateSecret", R"({"Name":"a b"})"),
            "ValidationException: Invalid name. Must be a valid name "
            "containing alphanumeric characters, or any of the following: "
            "-/_+=.@!");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("CreateSecret",
              absl::StrCat(R"({"Name":")", std::string(513, 'a'), "\"}")),
      "less than or equal to 512"));
  EXPECT_TRUE(
      absl::StrContains(ErrorOf("CreateSecret", "{}"), "Value null at 'name'"));
}

TEST_F(SecretsTest, AreDescribedWithoutTheirValue) {
  Call("CreateSecret",
       absl::StrCat(R"({"Name":"db","Description":"d","KmsKeyId":"k",
                        "SecretString":"hunter2","Tags":[{"Key":"a","Value":"b"}],
                        "ClientRequestToken":")",
                    Token(1), "\"}"));
  const Json::Value described = Call("DescribeSecret", R"({"SecretId":"db"})");
  EXPECT_EQ(described["Description"], "d");
  EXPECT_EQ(described["KmsKeyId"], "k");
  EXPECT_EQ(json::WriteValue(described["Tags"]),
            R"([{"Key":"a","Value":"b"}])");
  EXPECT_FALSE(absl::StrContains(json::WriteValue(described), "hunter2"));
  Call("UpdateSecret", R"({"SecretId":"db","Description":"e"})");
  EXPECT_EQ(Call("DescribeSecret", R"({"SecretId":"db"})")["Description"], "e");
  EXPECT_EQ(ValueOf("db"), "hunter2");
}

TEST_F(SecretsTest, AreDeletedAfterTheirRecoveryWindow) {
  const absl::Time start = clock_.Now();
  Create("db", "v1", 1);
  const Json::Value deleted = Call("DeleteSecret", R"({"SecretId":"db"})");
  EXPECT_EQ(deleted["DeletionDate"].asInt64(),
            absl::ToUnixSeconds(start + absl::Hours(24 * 30)));
  EXPECT_EQ(ErrorOf("GetSecretValue", R"({"SecretId":"db"})"), kMarked);
  EXPECT_EQ(ErrorOf("PutSecretValue", Put("db", "v2", 2)), kMarked);
  EXPECT_EQ(ErrorOf("CreateSecret", R"({"Name":"db"})"),
            "InvalidRequestException: You can't create this secret because a "
            "secret with this name is already scheduled for deletion.");
  EXPECT_TRUE(
      absl::IsFailedPrecondition(manager_->CurrentValue("db").status()));
  EXPECT_TRUE(
      Call("DescribeSecret", R"({"SecretId":"db"})").isMember("DeletedDate"));
  EXPECT_EQ(Names("{}"), SecretNames{});
  EXPECT_EQ(Names(R"({"IncludePlannedDeletion":true})"), SecretNames{"db"});

  Call("RestoreSecret", R"({"SecretId":"db"})");
  EXPECT_EQ(ValueOf("db"), "v1");
  clock_.RunUntil(start + absl::Hours(24 * 31));
  EXPECT_EQ(ValueOf("db"), "v1");

  Call("DeleteSecret", R"({"SecretId":"db","RecoveryWindowInDays":7})");
  // Also if the process has ended meanwhile.
  Open();
  clock_.RunUntil(start + absl::Hours(24 * 38) - absl::Seconds(1));
  EXPECT_EQ(ErrorOf("GetSecretValue", R"({"SecretId":"db"})"), kMarked);
  clock_.RunUntil(start + absl::Hours(24 * 38));
  EXPECT_TRUE(
      absl::StartsWith(ErrorOf("DescribeSecret", R"({"SecretId":"db"})"),
                       "ResourceNotFoundException"));
  Create("db", "again", 1);
}

TEST_F(SecretsTest, AreDeletedAtOnceIfForced) {
  Create("db", "v1", 1);
  Call("DeleteSecret", R"({"SecretId":"db"})");
  const char force[] = R"({"SecretId":"db","ForceDeleteWithoutRecovery":true})";
  Call("DeleteSecret", force);
  EXPECT_TRUE(absl::IsNotFound(manager_->CurrentValue("db").status()));
  // Also if there is none.
  Call("DeleteSecret", force);
  EXPECT_EQ(ErrorOf("DeleteSecret",
                    R"({"SecretId":"db","RecoveryWindowInDays":7,
                        "ForceDeleteWithoutRecovery":true})"),
            "InvalidParameterException: You can't use "
            "ForceDeleteWithoutRecovery in conjunction with "
            "RecoveryWindowInDays.");
  EXPECT_EQ(
      ErrorOf("DeleteSecret", R"({"SecretId":"db","RecoveryWindowInDays":6})"),
      "InvalidParameterException: The RecoveryWindowInDays value must be "
      "between 7 and 30 days (inclusive).");
}

TEST_F(SecretsTest, SurviveARestart) {
  Create("db", "grüße\n", 1);
  Call("PutResourcePolicy",
       R"({"SecretId":"db","ResourcePolicy":"{\"Statement\":[]}"})");
  Open();
  EXPECT_EQ(ValueOf("db"), "grüße\n");
  EXPECT_EQ(Call("GetResourcePolicy", R"({"SecretId":"db"})")["ResourcePolicy"],
            R"({"Statement":[]})");
}

TEST_F(SecretsTest, AreUnchangedIfTheyCannotBeStored) {
  Create("db", "v1", 1);
  store_.FailCommits(1);
  EXPECT_FALSE(Try("PutSecretValue", Put("db", "v2", 2)).ok());
  EXPECT_EQ(ValueOf("db"), "v1");
  EXPECT_EQ(*manager_->CurrentValue("db"), "v1");
  store_.FailCommits(1);
  EXPECT_FALSE(manager_->CreateManaged({.name = "rds!x"}).ok());
  EXPECT_TRUE(absl::IsNotFound(manager_->CurrentValue("rds!x").status()));
}

TEST_F(SecretsTest, OfAServiceCanBeReadButNotChanged) {
  const absl::StatusOr<std::string> arn = manager_->CreateManaged(
      {.name = "rds!cluster-1",
       .description = "d",
       .owning_service = "rds",
       .value = R"({"username":"u"})",
       .tags = {{"aws:rds:primaryDBClusterArn", "arn"}}});
  ASSERT_TRUE(arn.ok()) << arn.status();
  EXPECT_EQ(ValueOf("rds!cluster-1"), R"({"username":"u"})");
  EXPECT_EQ(*manager_->CurrentValue(*arn), R"({"username":"u"})");
  const Json::Value described =
      Call("DescribeSecret", R"({"SecretId":"rds!cluster-1"})");
  EXPECT_EQ(described["OwningService"], "rds");
  EXPECT_EQ(described["Tags"].size(), 2u);
  const std::string refused =
      "InvalidRequestException: You can't perform this operation because the "
      "secret is managed by rds.";
  EXPECT_EQ(ErrorOf("PutSecretValue", Put("rds!cluster-1", "x", 2)), refused);
  EXPECT_EQ(ErrorOf("UpdateSecret", Put("rds!cluster-1", "x", 2)), refused);
  for (const char* more : {"", R"(,"ForceDeleteWithoutRecovery":true)"}) {
    EXPECT_EQ(
        ErrorOf("DeleteSecret",
                absl::StrCat(R"({"SecretId":"rds!cluster-1")", more, "}")),
        refused);
  }
  EXPECT_TRUE(absl::IsAlreadyExists(
      manager_->CreateManaged({.name = "rds!cluster-1"}).status()));
  EXPECT_TRUE(manager_->PutManaged(*arn, "new").ok());
  EXPECT_EQ(*manager_->CurrentValue(*arn), "new");
  EXPECT_TRUE(manager_->DeleteManaged(*arn).ok());
  EXPECT_TRUE(manager_->DeleteManaged(*arn).ok());
  EXPECT_TRUE(absl::IsNotFound(manager_->CurrentValue(*arn).status()));
  EXPECT_TRUE(absl::IsNotFound(manager_->PutManaged(*arn, "x")));
}

TEST_F(SecretsTest, OfAServiceAreCreatedAgainUnderTheirArns) {
  const std::string arn = *manager_->CreateManaged(
      {.name = "rds!cluster-1", .owning_service = "rds", .value = "v1"});
  ASSERT_TRUE(manager_->DeleteManaged(arn).ok());
  EXPECT_EQ(*manager_->CreateManaged(
                {.owning_service = "rds", .value = "v2", .arn = arn}),
            arn);
  EXPECT_EQ(*manager_->CurrentValue(arn), "v2");
  EXPECT_EQ(ValueOf("rds!cluster-1"), "v2");
  EXPECT_TRUE(
      absl::IsAlreadyExists(manager_->CreateManaged({.arn = arn}).status()));
  for (const char* invalid :
       {"rds!cluster-1", "arn:aws:secretsmanager:us-east-1:1:secret:-abcdef",
        "arn:aws:rds:us-east-1:000000000000:secret:db-abcdef"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        manager_->CreateManaged({.arn = invalid}).status()))
        << invalid;
  }
}

TEST_F(SecretsTest, OfUsersAreNotForServicesToDelete) {
  const std::string arn = Create("db", "v1");
  EXPECT_TRUE(manager_->DeleteManaged(arn).ok());
  EXPECT_TRUE(absl::IsNotFound(manager_->PutManaged(arn, "x")));
  EXPECT_EQ(ValueOf("db"), "v1");
}

TEST_F(SecretsTest, AreListedByFiltersAndInOrder) {
  Call("CreateSecret",
       R"({"Name":"prod/db","Description":"The Database",
           "Tags":[{"Key":"team","Value":"core"}]})");
  clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  Call("CreateSecret", R"({"Name":"dev/db"})");
  const auto filtered = [&](absl::string_view key, absl::string_view value) {
    return Names(absl::StrCat(R"({"Filters":[{"Key":")", key,
                              R"(","Values":[")", value, "\"]}]}"));
  };
  EXPECT_EQ(Names("{}"), (SecretNames{"prod/db", "dev/db"}));
  EXPECT_EQ(Names(R"({"SortOrder":"desc"})"),
            (SecretNames{"dev/db", "prod/db"}));
  EXPECT_EQ(Names(R"({"SortBy":"name"})"), (SecretNames{"dev/db", "prod/db"}));
  EXPECT_EQ(filtered("name", "prod"), SecretNames{"prod/db"});
  EXPECT_EQ(filtered("name", "Prod"), SecretNames{});
  EXPECT_EQ(filtered("name", "!prod"), SecretNames{"dev/db"});
  EXPECT_EQ(filtered("description", "the data"), SecretNames{"prod/db"});
  EXPECT_EQ(filtered("tag-key", "te"), SecretNames{"prod/db"});
  EXPECT_EQ(filtered("tag-value", "core"), SecretNames{"prod/db"});
  EXPECT_EQ(filtered("owning-service", "rds"), SecretNames{});
  EXPECT_EQ(filtered("all", "DATABASE core"), SecretNames{"prod/db"});
  const Json::Value page = Call("ListSecrets", R"({"MaxResults":1})");
  EXPECT_EQ(page["SecretList"][0]["Name"], "prod/db");
  EXPECT_EQ(Names(absl::StrCat(R"({"MaxResults":1,"NextToken":")",
                               page["NextToken"].asString(), "\"}")),
            SecretNames{"dev/db"});
  EXPECT_TRUE(absl::StartsWith(ErrorOf("ListSecrets", R"({"NextToken":"x"})"),
                               "InvalidNextTokenException"));
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("ListSecrets", R"({"Filters":[{"Key":"size","Values":["1"]}]})"),
      "enum value set"));
}

TEST_F(SecretsTest, AreTagged) {
  Create("db", "v1");
  Call("TagResource",
       R"({"SecretId":"db","Tags":[{"Key":"a","Value":"1"},
                                   {"Key":"b","Value":"2"}]})");
  Call("UntagResource", R"({"SecretId":"db","TagKeys":["a","c"]})");
  EXPECT_EQ(
      json::WriteValue(Call("DescribeSecret", R"({"SecretId":"db"})")["Tags"]),
      R"([{"Key":"b","Value":"2"}])");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("TagResource",
              R"({"SecretId":"db","Tags":[{"Key":"aws:x","Value":"1"}]})"),
      "reserved"));
}

TEST_F(SecretsTest, HavePoliciesOfValidJson) {
  Create("db", "v1");
  EXPECT_EQ(
      ErrorOf("PutResourcePolicy", R"({"SecretId":"db","ResourcePolicy":"{"})"),
      "MalformedPolicyDocumentException: This resource policy contains "
      "invalid Json.");
  Call("PutResourcePolicy",
       R"({"SecretId":"db","ResourcePolicy":"{\"Statement\":[]}"})");
  Call("DeleteResourcePolicy", R"({"SecretId":"db"})");
  EXPECT_FALSE(Call("GetResourcePolicy", R"({"SecretId":"db"})")
                   .isMember("ResourcePolicy"));
}

TEST_F(SecretsTest, TellTheirPoliciesOnceTheyAreStored) {
  std::vector<std::string> told;
  const auto open = [&] {
    manager_.reset();
    manager_ = *SecretsManager::Open(
        {.store = store_,
         .clock = clock_,
         .check_policy =
             [](const Json::Value& policy) {
               return policy.isMember("Statement")
                          ? absl::OkStatus()
                          : absl::InvalidArgumentError("no Statement");
             },
         .on_policy =
             [&](const PolicyChange& change) {
               told.push_back(change.policy);
             }});
  };
  open();
  Create("db", "v1");
  const char put[] =
      R"({"SecretId":"db","ResourcePolicy":"{\"Statement\":[]}"})";
  EXPECT_EQ(ErrorOf("PutResourcePolicy",
                    R"({"SecretId":"db","ResourcePolicy":"{}"})"),
            "MalformedPolicyDocumentException: no Statement");
  store_.FailCommits(1);
  EXPECT_FALSE(Try("PutResourcePolicy", put).ok());
  EXPECT_TRUE(told.empty());
  Call("PutResourcePolicy", put);
  open();
  Call("DeleteResourcePolicy", R"({"SecretId":"db"})");
  EXPECT_EQ(told, (std::vector<std::string>{R"({"Statement":[]})",
                                            R"({"Statement":[]})", ""}));
  // A policy ends with its secret.
  Call("PutResourcePolicy", put);
  told.clear();
  Call("DeleteSecret", R"({"SecretId":"db","RecoveryWindowInDays":7})");
  EXPECT_TRUE(told.empty());
  clock_.RunUntil(clock_.Now() + absl::Hours(24 * 7));
  EXPECT_EQ(told, std::vector<std::string>{""});
  Create("db", "v1");
  Call("PutResourcePolicy", put);
  told.clear();
  Call("DeleteSecret",
       R"({"SecretId":"db","ForceDeleteWithoutRecovery":true})");
  EXPECT_EQ(told, std::vector<std::string>{""});
}

TEST_F(SecretsTest, AreNotRotated) {
  Create("db", "v1");
  for (const char* operation : {"RotateSecret", "CancelRotateSecret"}) {
    EXPECT_TRUE(absl::StrContains(
        ErrorOf(operation, R"({"SecretId":"db"})"),
        "The local Secrets Manager does not rotate secrets."));
  }
  EXPECT_TRUE(absl::StrContains(ErrorOf("ReplicateSecretToRegions", "{}"),
                                "does not support"));
}

TEST_F(SecretsTest, NeedPermissionsOnTheirArn) {
  const std::string arn = Create("db", "v1");
  EXPECT_EQ(
      PermissionsFor("GetSecretValue", R"({"SecretId":"db"})"),
      (std::vector<NeededPermission>{{"secretsmanager:GetSecretValue", arn}}));
  EXPECT_EQ(PermissionsFor("GetSecretValue", R"({"SecretId":"none"})"),
            (std::vector<NeededPermission>{
                {"secretsmanager:GetSecretValue",
                 "arn:aws:secretsmanager:us-east-1:000000000000:secret:none-"
                 "000000"}}));
  EXPECT_EQ(
      PermissionsFor("ListSecrets", "{}"),
      (std::vector<NeededPermission>{{"secretsmanager:ListSecrets", "*"}}));
  EXPECT_EQ(
      PermissionsFor("CreateSecret", R"({"Name":"n","Tags":[{"Key":"a"}]})")
          .size(),
      2u);
  EXPECT_EQ(PermissionsFor("BatchGetSecretValue", R"({"SecretIdList":["db"]})"),
            (std::vector<NeededPermission>{
                {"secretsmanager:BatchGetSecretValue", "*"},
                {"secretsmanager:GetSecretValue", arn}}));
  Create("other", "v1");
  EXPECT_EQ(PermissionsFor("BatchGetSecretValue",
                           R"({"Filters":[{"Key":"name","Values":["db"]}]})"),
            (std::vector<NeededPermission>{
                {"secretsmanager:BatchGetSecretValue", "*"},
                {"secretsmanager:ListSecrets", "*"},
                {"secretsmanager:GetSecretValue", arn}}));
}

}  // namespace
}  // namespace byoshin::local::secretsmanager
