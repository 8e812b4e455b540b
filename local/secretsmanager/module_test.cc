// Secrets Manager as a part of the cloud.

#include "local/secretsmanager/module.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloud/cloud.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/module.h"
#include "local/iam/iam.h"
#include "local/iam/module.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kTemplate[] = R"({
    "Resources": {
      "Reader": {"Type": "AWS::IAM::Role", "Properties": {
        "RoleName": "reader",
        "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
          {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
           "Action": "sts:AssumeRole"}]}}},
      "Db": {"Type": "AWS::SecretsManager::Secret",
             "Properties": {"Name": "db", "SecretString": "hunter2"}},
      "Policy": {"Type": "AWS::SecretsManager::ResourcePolicy",
        "Properties": {"SecretId": {"Ref": "Db"}, "ResourcePolicy": {
          "Version": "2012-10-17", "Statement": [
            {"Effect": "Allow",
             "Principal": {"AWS": {"Fn::GetAtt": ["Reader", "Arn"]}},
             "Action": "secretsmanager:GetSecretValue",
             "Resource": "*"}]}}}},
    "Outputs": {"Secret": {"Value": {"Ref": "Db"}}}})";

TEST(SecretsManagerModule, OffersSecretsAndEnforcesTheirPolicies) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'800'000'000));
  absl::StatusOr<std::unique_ptr<cloud::Cloud>> cloud =
      cloud::Cloud::Start({.gateway = {.port = 0}},
                          {iam::IamModule(), SecretsManagerModule(),
                           cloudformation::CloudFormationModule()},
                          clock);
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  const absl::StatusOr<cloudformation::DeployResult> deployed =
      (*cloud)->Get<cloudformation::Deployer>().Deploy(
          {.stack_name = "s", .template_text = kTemplate});
  ASSERT_TRUE(deployed.ok()) << deployed.status();
  EXPECT_EQ(*(*cloud)->Get<Secrets>().CurrentValue("db"), "hunter2");
  iam::Iam& iam = (*cloud)->Get<iam::Iam>();
  const absl::StatusOr<iam::SessionCredentials> session =
      iam.AssumeRole({.role_arn = "arn:aws:iam::000000000000:role/reader",
                      .session_name = "s",
                      .service = "lambda.amazonaws.com"});
  ASSERT_TRUE(session.ok()) << session.status();
  const auto allowed = [&](const std::string& action) {
    return iam
        .Authorize({.principal = iam.PrincipalOf(session->access_key_id),
                    .action = action,
                    .resource = deployed->stack.outputs.at("Secret").value})
        .allowed();
  };
  EXPECT_TRUE(allowed("secretsmanager:GetSecretValue"));
  EXPECT_FALSE(allowed("secretsmanager:PutSecretValue"));
  ASSERT_TRUE((*cloud)->Get<cloudformation::Deployer>().Delete("s").ok());
  EXPECT_FALSE(allowed("secretsmanager:GetSecretValue"));
}

}  // namespace
}  // namespace byoshin::local::secretsmanager
