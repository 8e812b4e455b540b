// Functions that cannot start: what people are told, and what is in the log.

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/files/folders.h"
#include "local/lambda/executor.h"
#include "local/lambda/function.h"
#include "local/lambda/lambda.h"
#include "local/lambda/testing/lambda_fixture.h"

namespace byoshin::local::lambda {
namespace {

using ::testing::ElementsAre;
using Starting = LambdaFixture;

TEST_F(Starting, TellsOnceWhyAFunctionCannotStartAndLogsItEachTime) {
  FunctionConfig config = TestFunction();
  config.variables = {{"INIT", "crash"}};
  const std::string arn = Put(config);
  for (int i = 0; i < 3; ++i) {
    const InvocationReport report = Invoke(arn, "hello")->report;
    EXPECT_EQ(report.outcome, InvocationReport::Outcome::kCrash);
    EXPECT_FALSE(report.reached_function);
  }
  EXPECT_THAT(
      Notes(),
      ElementsAre("function subject cannot start: Runtime.ExitError: Runtime "
                  "exited with error: signal: aborted; `byoshin logs "
                  "--function=subject` shows what it printed"));
  EXPECT_EQ(CountLogged("subject",
                        "\tPhase: init\tStatus: error\tError Type: "
                        "Runtime.ExitError"),
            3);
  EXPECT_EQ(CountLogged("subject", "INIT_REPORT Init Duration: "), 3);
  EXPECT_EQ(CountLogged("subject", "START RequestId: "), 3);
  EXPECT_EQ(CountLogged("subject", "Error: Runtime exited with error: signal"),
            3);

  // Another reason, and the first one again after it has worked.
  config.variables = {{"INIT", "error"}};
  Put(config);
  ASSERT_TRUE(Invoke(arn, "hello").ok());
  EXPECT_EQ(Notes().size(), 2);
  EXPECT_TRUE(absl::StrContains(Notes().back(), "Init: no configuration"));
  config.variables = {};
  Put(config);
  EXPECT_EQ(Invoke(arn, "hello")->function_error, "");
  EXPECT_EQ(Notes().size(), 2);
  config.variables = {{"INIT", "error"}};
  Put(config);
  ASSERT_TRUE(Invoke(arn, "hello").ok());
  EXPECT_EQ(Notes().size(), 3);
}

TEST_F(Starting, TellsWhyAFunctionCannotStartThatNobodyHasInvoked) {
  FunctionConfig config = TestFunction("hanging");
  config.variables = {{"INIT", "hang"}};
  Put(config);
  lambda_->WarmUp();
  timer_.Expire(kInitTimeout);
  lambda_->Statistics("");  // the loop has dealt with it
  ASSERT_EQ(Notes().size(), 1);
  EXPECT_TRUE(absl::StrContains(
      Notes().front(),
      "hanging cannot start: Sandbox.Timedout: Task timed out "
      "after 10.00 seconds"));
  EXPECT_TRUE(Logged("hanging", "Phase: init\tStatus: timeout"));
}

TEST_F(Starting, TellsOfAFunctionWithoutAProgram) {
  FunctionConfig config = TestFunction();
  config.logging.format = LoggingConfig::Format::kJson;
  const std::string arn = Put(config);
  ASSERT_TRUE(RemoveTree(lambda_->GetFunction(arn)->code.folder).ok());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "hello");
  EXPECT_TRUE(absl::StrContains(result->payload, "Runtime.InvalidEntrypoint"));
  EXPECT_TRUE(absl::StrContains(result->log_tail, "platform.initReport"));
  ASSERT_EQ(Notes().size(), 1);
  EXPECT_TRUE(absl::StrContains(Notes().front(), "No such file"));
  EXPECT_TRUE(Logged("subject", R"("errorType":"Runtime.InvalidEntrypoint")"));
  EXPECT_TRUE(Logged("subject", "/bootstrap: No such file or directory"));
}

}  // namespace
}  // namespace byoshin::local::lambda
