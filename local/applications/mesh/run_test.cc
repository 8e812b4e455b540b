#include "local/applications/mesh/run.h"

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const stack::TemplateInputs& MeshInputs() {
  static const auto& inputs = *new stack::TemplateInputs{
      .parameters = {"ApiKeyExpires", "MaxConnectionTimeSeconds"}};
  return inputs;
}

TEST(SetKeyExpiry, RenewsTheKeyForAYear) {
  stack::StackDeployment deployment;
  SetKeyExpiry(MeshInputs(), absl::FromUnixSeconds(1'800'000'000), deployment);
  EXPECT_THAT(deployment.parameters,
              ElementsAre(Pair("ApiKeyExpires", "1831536000")));
}

TEST(SetKeyExpiry, KeepsWhatTheUserHasSet) {
  stack::StackDeployment deployment;
  deployment.parameters["ApiKeyExpires"] = "1800100000";
  SetKeyExpiry(MeshInputs(), absl::FromUnixSeconds(1'800'000'000), deployment);
  EXPECT_THAT(deployment.parameters,
              ElementsAre(Pair("ApiKeyExpires", "1800100000")));
}

TEST(SetKeyExpiry, LeavesOtherTemplatesAlone) {
  stack::StackDeployment deployment;
  SetKeyExpiry({.parameters = {"ApiKeyExpires"}}, absl::UnixEpoch(),
               deployment);
  EXPECT_THAT(deployment.parameters, IsEmpty());
}

TEST(MeshReport, SaysThatNobodyUsesTheMesh) {
  EXPECT_EQ(MeshReport("byoshin-mesh").text,
            "byoshin-mesh has no simulated users: nothing calls its API in a "
            "simulation.\n");
  EXPECT_EQ(MeshReport("").text, "");
}

}  // namespace
}  // namespace byoshin::local::applications
