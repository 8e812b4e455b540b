// Cognito's resources in templates.

#include "local/cognito/providers.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cognito/testing/test_pool.h"
#include "local/gateway/service.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceState;

constexpr char kPoolType[] = "AWS::Cognito::UserPool";
constexpr char kClientType[] = "AWS::Cognito::UserPoolClient";

class CognitoProvidersTest : public TestPool {
 protected:
  CognitoProvidersTest() { AddCognitoProviders(*cognito_, registry_); }

  ResourceProvider& Provider(const char* type) { return *registry_.Find(type); }
  ResourceRequest Request(const Json::Value& properties,
                          const std::string& physical_id = "") {
    return {.stack = stack_,
            .logical_id = "It",
            .physical_id = physical_id,
            .name_suffix = "ABCDEFGHIJKL",
            .properties = properties};
  }
  ResourceState Create(const char* type, const Json::Value& properties) {
    const absl::StatusOr<ResourceState> state =
        Provider(type).Create(Request(properties));
    EXPECT_TRUE(state.ok()) << state.status();
    return state.value_or(ResourceState{});
  }
  Json::Value Describe(const std::string& id) {
    Json::Value request(Json::objectValue);
    request["UserPoolId"] = id;
    return Good(Call("DescribeUserPool", request))["UserPool"];
  }

  const cloudformation::StackContext stack_{.stack_name = "demo"};
  cloudformation::ProviderRegistry registry_;
};

TEST_F(CognitoProvidersTest, MakeAPoolAndFindItAgain) {
  const Json::Value properties(Json::objectValue);
  ResourceProvider& provider = Provider(kPoolType);
  EXPECT_FALSE(provider.Find(Request(properties))->has_value());
  const ResourceState state = Create(kPoolType, properties);
  EXPECT_EQ(Describe(state.physical_id)["Name"], "demo-It-ABCDEFGHIJKL");
  EXPECT_EQ(state.attributes.at("Arn"),
            absl::StrCat("arn:aws:cognito-idp:us-east-1:000000000000:userpool/",
                         state.physical_id));
  EXPECT_EQ(state.attributes.at("ProviderURL"),
            absl::StrCat("https://cognito-idp.us-east-1.amazonaws.com/",
                         state.physical_id));
  const absl::StatusOr<std::optional<ResourceState>> found =
      provider.Find(Request(properties));
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->physical_id, state.physical_id);
  EXPECT_EQ(*provider.FindSuffix(Request(properties)), "ABCDEFGHIJKL");
  EXPECT_FALSE(*provider.IsMissing(Request(properties, state.physical_id)));
  EXPECT_TRUE(provider.Delete(Request(properties, state.physical_id)).ok());
  EXPECT_TRUE(*provider.IsMissing(Request(properties, state.physical_id)));
  EXPECT_TRUE(provider.Delete(Request(properties, state.physical_id)).ok());
}

TEST_F(CognitoProvidersTest, UpdateAPoolWithoutLosingUsers) {
  const Json::Value before = *json::ParseValue(
      R"({"Schema": [{"Name": "a", "AttributeDataType": "String"}]})");
  pool_ = Create(kPoolType, before).physical_id;
  AddUser("jane", "Secret-1");
  EXPECT_EQ(*Provider(kPoolType).DescribeData(Request(before, pool_)),
            "1 user");
  const Json::Value after = *json::ParseValue(
      R"({"Schema": [{"Name": "a", "AttributeDataType": "String"},
                     {"Name": "b", "AttributeDataType": "Number"}],
          "Policies": {"PasswordPolicy": {"MinimumLength": "12"}},
          "UserPoolTags": {"cost": 5}})");
  const absl::StatusOr<ResourceState> updated =
      Provider(kPoolType).Update(Request(after, pool_), before);
  ASSERT_TRUE(updated.ok()) << updated.status();
  const Json::Value pool = Describe(pool_);
  EXPECT_EQ(pool["Policies"]["PasswordPolicy"]["MinimumLength"], 12);
  EXPECT_EQ(pool["UserPoolTags"]["cost"], "5");
  EXPECT_EQ(pool["EstimatedNumberOfUsers"], 1);
  bool has_new = false;
  for (const Json::Value& attribute : pool["SchemaAttributes"]) {
    has_new = has_new || attribute["Name"] == "custom:b";
  }
  EXPECT_TRUE(has_new);
}

TEST_F(CognitoProvidersTest, RefuseUpdatesThatAwsRefuses) {
  const Json::Value before = *json::ParseValue(
      R"({"UsernameAttributes": ["email"], "Schema": [{"Name": "a"}]})");
  const std::string id = Create(kPoolType, before).physical_id;
  const Json::Value names = *json::ParseValue(R"({"Schema": [{"Name": "a"}]})");
  EXPECT_EQ(
      Provider(kPoolType).Update(Request(names, id), before).status().message(),
      "Updates are not allowed for property - UsernameAttributes.");
  const Json::Value schema =
      *json::ParseValue(R"({"UsernameAttributes": ["email"]})");
  EXPECT_EQ(Provider(kPoolType)
                .Update(Request(schema, id), before)
                .status()
                .message(),
            "Existing schema attributes cannot be modified or deleted.");
}

TEST_F(CognitoProvidersTest, DeleteAProtectedPoolOnlyIfItIsNew) {
  const Json::Value properties =
      *json::ParseValue(R"({"DeletionProtection": "ACTIVE"})");
  const std::string id = Create(kPoolType, properties).physical_id;
  EXPECT_FALSE(Provider(kPoolType).Delete(Request(properties, id)).ok());
  EXPECT_TRUE(Provider(kPoolType).DeleteNew(Request(properties, id)).ok());
  EXPECT_TRUE(*Provider(kPoolType).IsMissing(Request(properties, id)));
}

TEST_F(CognitoProvidersTest, MakeAClientWithASecret) {
  Json::Value properties = *json::ParseValue(
      R"({"GenerateSecret": "true", "RefreshTokenValidity": "5",
          "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"],
          "RefreshTokenRotation": {"Feature": "ENABLED",
                                   "RetryGracePeriodSeconds": "30"}})");
  properties["UserPoolId"] = pool_;
  const ResourceState state = Create(kClientType, properties);
  EXPECT_EQ(state.attributes.at("ClientId"), state.physical_id);
  EXPECT_FALSE(state.attributes.at("ClientSecret").empty());
  EXPECT_EQ(state.attributes.at("Name"), "demo-It-ABCDEFGHIJKL");
  const absl::StatusOr<std::optional<ResourceState>> found =
      Provider(kClientType).Find(Request(properties));
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->attributes, state.attributes);
  // The secret stays.
  const absl::StatusOr<ResourceState> updated =
      Provider(kClientType)
          .Update(Request(properties, state.physical_id), properties);
  ASSERT_TRUE(updated.ok()) << updated.status();
  EXPECT_EQ(updated->attributes, state.attributes);
  EXPECT_TRUE(Provider(kClientType)
                  .Delete(Request(properties, state.physical_id))
                  .ok());
  EXPECT_TRUE(
      *Provider(kClientType).IsMissing(Request(properties, state.physical_id)));
}

TEST_F(CognitoProvidersTest, SayWhatIsWrong) {
  const Json::Value properties = *json::ParseValue(R"({"MfaConfiguration": "ON",
                            "EnabledMfas": ["SOFTWARE_TOKEN_MFA",
                                            "EMAIL_OTP"]})");
  const absl::Status refused =
      Provider(kPoolType).Create(Request(properties)).status();
  EXPECT_NE(refused.message().find("does not support the factor EMAIL_OTP: "
                                   "EnabledMfas can only have "
                                   "SOFTWARE_TOKEN_MFA"),
            absl::string_view::npos)
      << refused;
}

TEST_F(CognitoProvidersTest, TurnSoftwareTokensOnAndOff) {
  const auto config = [&](const std::string& id) {
    Json::Value request(Json::objectValue);
    request["UserPoolId"] = id;
    return json::WriteValue(Good(Call("GetUserPoolMfaConfig", request)));
  };
  const Json::Value with = *json::ParseValue(R"({"MfaConfiguration": "OPTIONAL",
                            "EnabledMfas": ["SOFTWARE_TOKEN_MFA"]})");
  const Json::Value without = *json::ParseValue(R"({"UserPoolName": "p"})");
  const ResourceState state = *Provider(kPoolType).Create(Request(with));
  EXPECT_EQ(config(state.physical_id),
            R"({"MfaConfiguration":"OPTIONAL",)"
            R"("SoftwareTokenMfaConfiguration":{"Enabled":true}})");
  ASSERT_TRUE(Provider(kPoolType)
                  .Update(Request(without, state.physical_id), with)
                  .ok());
  EXPECT_EQ(config(state.physical_id), R"({"MfaConfiguration":"OFF"})");
}

TEST_F(CognitoProvidersTest, NeedPermissionForThePool) {
  const auto needed = [&](const char* operation, const std::string& body) {
    return cognito_->PermissionsFor({.operation = operation,
                                     .body = body,
                                     .region = kRegion,
                                     .caller = {.account_id = kAccount}});
  };
  EXPECT_EQ(needed("AdminGetUser",
                   R"({"UserPoolId": "us-east-1_p", "Username": "u"})"),
            (std::vector<NeededPermission>{
                {"cognito-idp:AdminGetUser",
                 "arn:aws:cognito-idp:us-east-1:000000000000:userpool/"
                 "us-east-1_p"}}));
  EXPECT_EQ(
      needed("ListUserPools", "{}"),
      (std::vector<NeededPermission>{{"cognito-idp:ListUserPools", "*"}}));
  EXPECT_TRUE(needed("InitiateAuth", "{}").empty());
}

}  // namespace
}  // namespace byoshin::local::cognito
