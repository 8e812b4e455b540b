// Secrets in templates, and references to them.

#include "local/secretsmanager/providers.h"

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/secretsmanager/testing/manager_fixture.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::secretsmanager {
namespace {

using cloudformation::Deployer;
using cloudformation::DeployResult;

class SecretTemplateTest : public ManagerFixture {
 protected:
  SecretTemplateTest() {
    AddSecretsManagerProviders(
        *manager_,
        [](const cloudformation::StackContext& stack,
           const std::string& identifier) -> absl::StatusOr<Json::Value> {
          if (identifier != "orders") return absl::NotFoundError("no cluster");
          Json::Value members;
          members["host"] = absl::StrCat("orders.", stack.region);
          members["port"] = 5432;
          return members;
        },
        registry_);
    deployer_ = *Deployer::Open(*stacks_, clock_, registry_, {});
  }

  absl::StatusOr<DeployResult> Deploy(absl::string_view resources) {
    return deployer_->Deploy(
        {.stack_name = "s",
         .template_text = absl::StrCat(R"({"Resources":)", resources, "}")});
  }
  std::string DeployError(absl::string_view resources) {
    return std::string(Deploy(resources).status().message());
  }

  std::unique_ptr<Store> stacks_ = *OpenSqliteStore({});
  cloudformation::ProviderRegistry registry_;
  std::unique_ptr<Deployer> deployer_;
};

TEST_F(SecretTemplateTest, GeneratesAPasswordIntoATemplate) {
  constexpr char kResources[] = R"({"Db": {
      "Type": "AWS::SecretsManager::Secret",
      "Properties": {"Name": "db", "Description": "d", "KmsKeyId": "k",
        "Tags": [{"Key": "a", "Value": "b"}],
        "GenerateSecretString": {
          "SecretStringTemplate": "{\"username\":\"postgres\"}",
          "GenerateStringKey": "password", "PasswordLength": "20",
          "ExcludePunctuation": "true"}}}})";
  ASSERT_TRUE(Deploy(kResources).ok());
  const Json::Value value = *json::ParseValue(ValueOf("db"));
  EXPECT_EQ(value["username"], "postgres");
  EXPECT_EQ(value["password"].asString().size(), 20u);
  const Json::Value described = Call("DescribeSecret", R"({"SecretId":"db"})");
  EXPECT_EQ(described["Description"], "d");
  EXPECT_EQ(described["Tags"][0]["Key"], "a");
  // Deployed again, the password stays.
  const std::string before = ValueOf("db");
  ASSERT_TRUE(Deploy(kResources).ok());
  EXPECT_EQ(ValueOf("db"), before);
}

TEST_F(SecretTemplateTest, ChangesTheValueOnlyIfItsDeclarationChanges) {
  const auto secret = [](absl::string_view properties) {
    return absl::StrCat(R"({"Db": {"Type": "AWS::SecretsManager::Secret",
                            "Properties": {"Name": "db")",
                        properties, "}}}");
  };
  ASSERT_TRUE(Deploy(secret(R"(, "SecretString": "one",
                               "Tags": [{"Key":"a","Value":"1"}])"))
                  .ok());
  Call("PutSecretValue", Put("db", "by hand", 2));
  ASSERT_TRUE(Deploy(secret(R"(, "SecretString": "one", "Description": "d",
                               "Tags": [{"Key":"b","Value":"2"}])"))
                  .ok());
  EXPECT_EQ(ValueOf("db"), "by hand");
  EXPECT_EQ(
      json::WriteValue(Call("DescribeSecret", R"({"SecretId":"db"})")["Tags"]),
      R"([{"Key":"b","Value":"2"}])");
  ASSERT_TRUE(Deploy(secret(R"(, "SecretString": "two")")).ok());
  EXPECT_EQ(ValueOf("db"), "two");
  ASSERT_TRUE(deployer_->Delete("s").ok());
  EXPECT_TRUE(absl::IsNotFound(manager_->CurrentValue("db").status()));
}

TEST_F(SecretTemplateTest, RefusesWhatItCannotMake) {
  const auto error = [&](absl::string_view properties) {
    return DeployError(
        absl::StrCat(R"({"Db": {"Type": "AWS::SecretsManager::Secret",
                         "Properties": {)",
                     properties, "}}}"));
  };
  EXPECT_TRUE(absl::StrContains(
      error(R"("SecretString": "a", "GenerateSecretString": {})"),
      "SecretString and GenerateSecretString exclude each other"));
  EXPECT_TRUE(absl::StrContains(
      error(R"("GenerateSecretString": {"GenerateStringKey": "k"})"),
      "needs both or neither"));
  EXPECT_TRUE(absl::StrContains(
      error(R"("GenerateSecretString": {"GenerateStringKey": "k",
               "SecretStringTemplate": "[]"})"),
      "is not a JSON object"));
  EXPECT_TRUE(absl::StrContains(
      error(R"("GenerateSecretString": {"PasswordLength": 2})"), "too short"));
  EXPECT_TRUE(
      absl::StrContains(error(R"("ReplicaRegions": [{"Region": "eu-west-1"}])"),
                        "ReplicaRegions"));
  EXPECT_TRUE(absl::StrContains(
      DeployError(R"({"R": {"Type": "AWS::SecretsManager::RotationSchedule",
                            "Properties": {"SecretId": "db"}}})"),
      "does not support this type"));
}

TEST_F(SecretTemplateTest, KeepsAPolicyOfASecret) {
  ASSERT_TRUE(Deploy(R"({
      "Db": {"Type": "AWS::SecretsManager::Secret",
             "Properties": {"Name": "db"}},
      "Policy": {"Type": "AWS::SecretsManager::ResourcePolicy",
                 "Properties": {"SecretId": {"Ref": "Db"},
                                "BlockPublicPolicy": true,
                                "ResourcePolicy": {"Statement": []}}}})")
                  .ok());
  EXPECT_EQ(Call("GetResourcePolicy", R"({"SecretId":"db"})")["ResourcePolicy"],
            R"({"Statement":[]})");
  ASSERT_TRUE(Deploy(R"({"Db": {"Type": "AWS::SecretsManager::Secret",
                         "Properties": {"Name": "db"}}})")
                  .ok());
  EXPECT_FALSE(Call("GetResourcePolicy", R"({"SecretId":"db"})")
                   .isMember("ResourcePolicy"));
}

TEST_F(SecretTemplateTest, AddsWhereADatabaseIs) {
  const auto resources = [](absl::string_view type, absl::string_view target) {
    return absl::StrCat(R"({
        "Db": {"Type": "AWS::SecretsManager::Secret",
               "Properties": {"Name": "db",
                              "SecretString": "{\"username\":\"u\"}"}},
        "At": {"Type": "AWS::SecretsManager::SecretTargetAttachment",
               "Properties": {"SecretId": {"Ref": "Db"}, "TargetType": ")",
                        type, R"(", "TargetId": ")", target, R"("}}})");
  };
  EXPECT_TRUE(absl::StrContains(
      DeployError(resources("AWS::RDS::DBInstance", "orders")),
      "TargetType AWS::RDS::DBInstance is not supported"));
  EXPECT_TRUE(absl::StrContains(
      DeployError(resources("AWS::RDS::DBCluster", "none")), "no cluster"));
  ASSERT_TRUE(Deploy(resources("AWS::RDS::DBCluster", "orders")).ok());
  EXPECT_EQ(ValueOf("db"),
            R"({"host":"orders.us-east-1","port":5432,"username":"u"})");
  ASSERT_TRUE(Deploy(resources("AWS::RDS::DBCluster", "orders")).ok());
  EXPECT_EQ(
      Call("ListSecretVersionIds", R"({"SecretId":"db"})")["Versions"].size(),
      2u);
}

TEST_F(SecretTemplateTest, ResolvesReferencesWithoutRecordingTheirValues) {
  const std::string arn =
      Create("db", R"({"user":"u","password":"hunter2","port":5432})");
  ASSERT_TRUE(
      Deploy(absl::StrCat(R"({"Copy": {"Type": "AWS::SecretsManager::Secret",
        "Properties": {"Name": "copy", "SecretString": {"Fn::Join": ["", [
          "{{resolve:secretsmanager:", ")",
                          arn, R"(", ":SecretString:password::}}:",
          "{{resolve:secretsmanager:db:SecretString:port}}"]]}}}})"))
          .ok());
  EXPECT_EQ(ValueOf("copy"), "hunter2:5432");
  const cloudformation::Stack stack = *deployer_->Find("s");
  const std::string recorded =
      json::WriteValue(stack.resources.at("Copy").properties);
  EXPECT_FALSE(absl::StrContains(recorded, "hunter2"));
  EXPECT_TRUE(absl::StrContains(recorded, "{{resolve:secretsmanager:"));
}

TEST_F(SecretTemplateTest, SaysWhyAReferenceCannotBeResolved) {
  Create("db", R"({"user":{"a":1}})", 1);
  Create("text", "plain", 2);
  const auto error = [&](absl::string_view reference) {
    return DeployError(absl::StrCat(
        R"({"Copy": {"Type": "AWS::SecretsManager::Secret",
            "Properties": {"SecretString": "{{resolve:secretsmanager:)",
        reference, R"(}}"}}})"));
  };
  EXPECT_TRUE(
      absl::StrContains(error("x:SecretString:k"), "there is no secret x"));
  EXPECT_TRUE(absl::StrContains(error("db:SecretString:user"),
                                "the secret db has no value under the key"));
  EXPECT_TRUE(absl::StrContains(error("text:SecretString:user"),
                                "the secret text is not a JSON object"));
  EXPECT_TRUE(absl::StrContains(error("text:SecretBinary"),
                                "SecretBinary is not supported"));
  EXPECT_TRUE(absl::StrContains(error("text:SecretString::AWSPREVIOUS"),
                                "has no such version"));
  EXPECT_TRUE(
      absl::StrContains(error("text:SecretString::a:b"), "exclude each other"));
  EXPECT_TRUE(absl::StrContains(error("arn:aws:x"), "ARN is incomplete"));
  EXPECT_TRUE(
      absl::StrContains(error("a:SecretString:b:c:d:e"), "too many parts"));
  EXPECT_FALSE(absl::StrContains(error("text:SecretString:user"), "plain"));
}

}  // namespace
}  // namespace byoshin::local::secretsmanager
