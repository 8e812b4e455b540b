// Bedrock as a part of the cloud: what a stack's parameters limit.

#include "local/bedrock/module.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/stack_limits.h"
#include "local/cloud/cloud.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/module.h"
#include "local/iam/module.h"
#include "local/lambda/module.h"
#include "local/sqs/module.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kTemplate[] = R"({
    "Parameters": {
      "ModelRequestsPerMinute": {"Type": "Number", "Default": 0},
      "ModelTokensPerMinute": {"Type": "Number", "Default": 0}},
    "Resources": {"Worker": {"Type": "AWS::IAM::Role", "Properties": {
      "RoleName": "worker",
      "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
         "Action": "sts:AssumeRole"}]}}}}})";
constexpr char kWorker[] = "arn:aws:iam::000000000000:role/worker";

TEST(BedrockModule, LimitsWhatAStacksParametersSay) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'800'000'000));
  absl::StatusOr<std::unique_ptr<cloud::Cloud>> cloud = cloud::Cloud::Start(
      {.gateway = {.port = 0}},
      {iam::IamModule(), sqs::SqsModule(), lambda::LambdaModule({}),
       BedrockModule({.fault = {.kind = Fault::Kind::kError}}),
       cloudformation::CloudFormationModule(), BedrockLimitsModule()},
      clock);
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  EXPECT_EQ((*cloud)->Get<Faults>().Take().kind, Fault::Kind::kError);
  StackLimits& limits = (*cloud)->Get<StackLimits>();
  cloudformation::Deployer& deployer =
      (*cloud)->Get<cloudformation::Deployer>();
  const auto deploy = [&](const std::string& requests,
                          const std::string& tokens) {
    return deployer
        .Deploy({.stack_name = "app",
                 .template_text = kTemplate,
                 .parameters = {{"ModelRequestsPerMinute", requests},
                                {"ModelTokensPerMinute", tokens}}})
        .status();
  };
  ASSERT_TRUE(deploy("0", "0").ok());
  EXPECT_TRUE(limits.Begin(kWorker, 1'000'000).ok());
  ASSERT_TRUE(deploy("2", "0").ok());
  EXPECT_TRUE(limits.Begin(kWorker, 1).ok());
  EXPECT_FALSE(limits.Begin(kWorker, 1).ok());
  ASSERT_TRUE(deploy("0", "100").ok());
  clock.AdvanceBy(absl::Minutes(1));
  EXPECT_FALSE(limits.Begin(kWorker, 101).ok());
  EXPECT_TRUE(limits.Begin(kWorker, 100).ok());
  ASSERT_TRUE(deployer.Delete("app").ok());
  EXPECT_TRUE(limits.Begin(kWorker, 101).ok());
}

}  // namespace
}  // namespace byoshin::local::bedrock
