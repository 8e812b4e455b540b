#include "local/applications/generation/run.h"

#include "absl/status/status.h"
#include "core/generation/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::applications {
namespace {

constexpr char kUrl[] = "postgresql://postgres:hush@localhost:5432";

TEST(GenerationRun, IsRefusedOnAServerThatPermitsNoFurtherUsers) {
  const stack::StackDeployment stack{
      .stack_name = "mandala",
      .template_text = generation::kReaderSecretVariable};
  EXPECT_TRUE(CheckServer(stack, "").ok());
  const absl::Status status = CheckServer(stack, kUrl);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(status.message(), ::testing::HasSubstr("mandala"));
  EXPECT_THAT(status.message(), ::testing::HasSubstr("--postgres"));
  EXPECT_THAT(status.message(), ::testing::Not(::testing::HasSubstr("hush")));
}

TEST(GenerationRun, LeavesOtherStacksAlone) {
  EXPECT_TRUE(CheckServer({.template_text = "{}"}, kUrl).ok());
}

}  // namespace
}  // namespace byoshin::local::applications
