// `byoshin processes` and the lines of `byoshin status`, against answers of a
// made-up cloud.
#include "local/applications/generation/commands.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/run.h"
#include "local/cli/command.h"
#include "local/cli/testing_commands.h"

namespace byoshin::local::applications {
namespace {

using ::testing::HasSubstr;

constexpr char kStatus[] = R"({"now": 1764671060000, "generation": {}})";
constexpr char kList[] = R"({"processes": [
  {"id": "p2", "type": "ACTION_GENERATION", "status": "PROCESSING",
   "progress": 37, "retryCount": 1, "created": 1764671000000,
   "completed": null, "error": null},
  {"id": "p1", "type": "SUBGOAL_GENERATION", "status": "FAILED",
   "progress": 50, "retryCount": 0, "created": 1764670000000,
   "completed": 1764670002100,
   "error": {"code": "AI_ERROR", "message": "no \u001bmodel"}}]})";

class ProcessesCommandTest : public cli::CommandTest {
 protected:
  int Run(std::vector<std::string> words) {
    words.insert(words.begin(), "processes");
    return CommandTest::Run({ProcessesCommand()}, words);
  }
};

TEST_F(ProcessesCommandTest, PrintsThemWithWhyTheyFailed) {
  Answer(kStatus);
  Answer(kList);
  EXPECT_EQ(Run({}), 0) << terminal_.noted;
  EXPECT_EQ(
      terminal_.printed,
      "PROCESS  TYPE                STATUS      PROGRESS  RETRY  CREATED       "
      "         TOOK  REASON\n"
      "p2       ACTION_GENERATION   PROCESSING  37%           1  "
      "2025-12-02T10:23:20Z  1 min\n"
      "p1       SUBGOAL_GENERATION  FAILED      50%           0  "
      "2025-12-02T10:06:40Z  2.1 s  AI_ERROR: no \\x1bmodel\n");
  EXPECT_THAT(Url(1), HasSubstr("/_byoshin/api/generation/processes?limit=20"));
}

TEST_F(ProcessesCommandTest, AsksForStates) {
  Answer(kStatus);
  Answer(kList);
  EXPECT_EQ(Run({"--failed", "-n", "3"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(1), HasSubstr("limit=3&status=FAILED%2CTIMEOUT"));
  Answer(kStatus);
  Answer(kList);
  EXPECT_EQ(Run({"--status=pending"}), 0) << terminal_.noted;
  EXPECT_THAT(Url(3), HasSubstr("status=PENDING"));
  EXPECT_NE(Run({"--failed", "--status=pending"}), 0);
  EXPECT_THAT(terminal_.noted, HasSubstr("not both"));
}

TEST_F(ProcessesCommandTest, PrintsJsonForScripts) {
  Answer(kStatus);
  Answer(kList);
  EXPECT_EQ(Run({"--json"}), 0) << terminal_.noted;
  EXPECT_EQ((*json::ParseValue(terminal_.printed))["processes"].size(), 2u);
}

TEST_F(ProcessesCommandTest, SaysHowToStartWhatIsNotThere) {
  Answer(R"({"now": 1})");
  EXPECT_EQ(Run({}), 1);
  EXPECT_THAT(terminal_.noted, HasSubstr("byoshin up --stack=generation"));
}

TEST(GenerationStatus, HasProcessesAndCallsOfTheModel) {
  EXPECT_EQ(FormatGenerationStatus(*json::ParseValue(
                R"({"problem": null, "processes": {"counts":
                      {"FAILED": 1, "COMPLETED": 8}},
                    "model": {"calls": 73, "inputTokens": 1000,
                      "outputTokens": 234,
                      "errors": {"ThrottlingException": 2}}})")),
            "processes     8 completed, 1 failed\n"
            "model calls   73, 2 failed, 1234 tokens\n");
  EXPECT_THAT(FormatGenerationStatus(*json::ParseValue(
                  R"({"problem": null, "processes": {"counts": {}},
                      "model": {"calls": 0, "inputTokens": 0,
                        "outputTokens": 0, "errors": {}}})")),
              HasSubstr("processes     none\n"));
}

TEST(GenerationStatus, SaysWhyThereIsNone) {
  EXPECT_EQ(
      FormatGenerationStatus(*json::ParseValue(R"({"problem": "no answer"})")),
      "processes     no answer\n");
}

TEST(GenerationGreeting, SaysHowToBegin) {
  EXPECT_EQ(
      GenerationGreeting(GenerationParts{.api_id = "w6c9", .stage = "prod"},
                         {.name = "demo", .password = "Secret-1"},
                         "http://127.0.0.1:4566"),
      "Mandala chart: http://127.0.0.1:4566/generation/\n"
      "  user demo, password Secret-1\n"
      "API: http://127.0.0.1:4566/restapis/w6c9/prod/_user_request_\n"
      "  curl -H \"Authorization: Bearer $(byoshin token --user=demo)\" "
      "http://127.0.0.1:4566/restapis/w6c9/prod/_user_request_"
      "/api/ai/async/history\n");
}

}  // namespace
}  // namespace byoshin::local::applications
