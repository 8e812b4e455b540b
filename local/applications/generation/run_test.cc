#include "local/applications/generation/run.h"

#include <json/json.h>

#include "absl/status/status.h"
#include "core/generation/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/application.h"
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

TEST(GenerationReport, SaysHowProcessesEndedAndWhichHaveNot) {
  Json::Value processes(Json::objectValue);
  processes["COMPLETED"] = 3;
  processes["TIMEOUT"] = 1;
  SimulationReport report =
      GenerationReport({.started = 4, .retried = 1}, processes);
  EXPECT_THAT(report.text,
              ::testing::StartsWith("processes        4 started, 1 of them "
                                    "retries\ncompleted        3\n"));
  EXPECT_THAT(report.text, ::testing::HasSubstr("timed out        1\n"));
  EXPECT_EQ(report.missing, 0);
  processes["PENDING"] = 1;
  report = GenerationReport({}, processes);
  EXPECT_EQ(report.missing, 1);
  EXPECT_EQ(report.missing_text, "1 process is not over");
  processes["PROCESSING"] = 2;
  EXPECT_EQ(GenerationReport({}, processes).missing_text,
            "3 processes are not over");
}

}  // namespace
}  // namespace byoshin::local::applications
