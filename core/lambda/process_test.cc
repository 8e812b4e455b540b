#include "core/lambda/process.h"

#include <stdlib.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/lambda/handler.h"
#include "core/lambda/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::lambda {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::unique_ptr<Handler>> RefuseToStart() {
  return absl::InvalidArgumentError("no queue");
}

TEST(Process, SaysWhichFunctionItIsWhereThereIsNoRuntimeApi) {
  unsetenv(kRuntimeApiVariable);
  Process process("Sender");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(process.Run(RefuseToStart), 1);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("This is Byoshin's Sender"));
}

TEST(Process, ReadsTheEnvironmentAndLogsToStandardOutput) {
  // Nobody listens on port 1.
  setenv(kRuntimeApiVariable, "127.0.0.1:1", 1);
  Process process("Sender");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(process.Run(RefuseToStart), 1);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("no queue"));
}

}  // namespace
}  // namespace byoshin::lambda
