// The prompts and the local model, and a whole flow on PostgreSQL.
#include <json/json.h>

#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/model_answer.h"
#include "core/generation/process.h"
#include "core/generation/prompts.h"
#include "core/generation/request.h"
#include "core/generation/sql_goal_store.h"
#include "core/generation/sql_process_store.h"
#include "core/generation/state_service.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/worker.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/model.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generation/postgres_database.h"

namespace byoshin::properties {
namespace {

using generation::ProcessType;
using generation::testing::kAlice;
using generation::testing::kGoalId;
using generation::testing::kNever;

// The deterministic model, as a function asks it.
class LocalModel final : public aws::bedrock::Client {
 public:
  absl::StatusOr<aws::bedrock::ConverseResult> Converse(
      const aws::bedrock::ConverseRequest& request, absl::Time) override {
    ++questions_;
    local::bedrock::Question question{
        .model_id = request.model_id,
        .system = request.system,
        .inference = {.max_tokens = request.max_tokens}};
    for (const aws::bedrock::Message& message : request.messages) {
      question.turns.push_back(
          {.role = message.role == aws::bedrock::Role::kUser
                       ? local::bedrock::Role::kUser
                       : local::bedrock::Role::kAssistant,
           .text = message.text});
    }
    std::promise<absl::StatusOr<local::bedrock::Reply>> reply;
    model_.Ask(question, [&reply](absl::StatusOr<local::bedrock::Reply> given) {
      reply.set_value(std::move(given));
    });
    absl::StatusOr<local::bedrock::Reply> given = reply.get_future().get();
    if (!given.ok()) return given.status();
    return aws::bedrock::ConverseResult{
        .text = std::move(given->text),
        .stop_reason =
            given->stop_reason == local::bedrock::StopReason::kMaxTokens
                ? aws::bedrock::kStoppedAtMaxTokens
                : "end_turn"};
  }

  int questions() const { return questions_; }

 private:
  local::bedrock::DeterministicModel model_;
  int questions_ = 0;
};

// A text of up to `max` characters.
std::string AnyText(int max) {
  const std::vector<std::string> parts =
      *rc::gen::container<std::vector<std::string>>(
          *rc::gen::inRange(1, max + 1),
          rc::gen::element<std::string>("目", "標", "英", "語", "a", "Goal ",
                                        "、", ":", "\n", "`", "\"", "🎯"));
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

absl::Status Check(ProcessType type, absl::string_view answer) {
  switch (type) {
    case ProcessType::kSubGoals:
      return generation::ParseSubGoals(answer).status();
    case ProcessType::kActions:
      return generation::ParseActions(answer).status();
    case ProcessType::kTasks:
      break;
  }
  return generation::ParseTasks(answer).status();
}

// **Feature: async-generation, Property 7: For any goal, the local model answers a prompt with what the prompt demands**
TEST(ModelProperty, TheLocalModelAnswersWhatThePromptDemands) {
  CheckProperty([] {
    const generation::Goal goal{.title = AnyText(40),
                                .description = AnyText(100),
                                .deadline = "2027-03-31",
                                .background = AnyText(100),
                                .constraints = AnyText(50)};
    const generation::WorkItem item{.title = AnyText(50),
                                    .description = AnyText(50),
                                    .sub_goal_title = AnyText(50)};
    LocalModel model;
    for (const ProcessType type : generation::kProcessTypes) {
      const auto result = model.Converse(
          {.system = generation::SystemPrompt(),
           .messages = {{.text = generation::PromptFor(type, goal, item)}},
           .max_tokens = generation::kDefaultModelMaxTokens},
          kNever);
      RC_ASSERT(result.ok());
      RC_ASSERT(result->stop_reason == "end_turn");
      RC_ASSERT(Check(type, result->text) == absl::OkStatus());
    }
  });
}

class FlowTest : public ::testing::Test {
 protected:
  FlowTest() { database_.Clear(); }

  // Generates and returns the process, COMPLETED.
  generation::Process Generate(const std::string& body) {
    EXPECT_TRUE(states_.Admit(kAlice, kNever).ok());
    const generation::Process process =
        states_
            .Create(
                kAlice,
                generation::ParseGenerateRequest(body, clock_.Now()).value(),
                kNever)
            .value();
    Move(process.id, generation::ProcessStatus::kProcessing);
    const absl::StatusOr<std::string> worked =
        worker_.Handle({.payload = absl::StrCat(R"({"processId":")", process.id,
                                                R"(","taskToken":"t"})"),
                        .request_id = "r"});
    EXPECT_TRUE(worked.ok()) << worked.status();
    Move(process.id, generation::ProcessStatus::kCompleted);
    return states_.Get(kAlice, process.id, kNever).value();
  }
  void Move(const std::string& id, generation::ProcessStatus to) {
    const auto moved = states_.Move(id, to, std::nullopt, kNever);
    EXPECT_TRUE(moved.ok() && moved->changed);
  }
  static std::string RequestFor(const char* type) {
    return absl::StrCat(R"({"type":")", type, R"(","params":{"goalId":")",
                        kGoalId, R"("}})");
  }

  PostgresDatabase database_;
  generation::SqlProcessStore processes_{database_.sql()};
  generation::SqlGoalStore goals_{database_.sql()};
  LocalModel model_;
  generation::testing::FakeWorkflow workflow_;
  time::testing::InstantClock clock_{generation::testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  generation::ProcessingStateService states_{
      {.store = processes_,
       .clock = clock_,
       .state_machine_arn = generation::testing::kStateMachine}};
  generation::Worker worker_{{.model_id = "m", .max_tokens = 4096},
                             {.processes = processes_,
                              .goals = goals_,
                              .models = model_,
                              .workflow = workflow_,
                              .clock = clock_,
                              .logger = logger_}};
};

TEST_F(FlowTest, AGoalBecomesSubGoalsThenActionsThenTasks) {
  const generation::Process sub_goals =
      Generate(generation::testing::SubGoalRequest());
  EXPECT_EQ(sub_goals.progress, 100);
  EXPECT_EQ(json::ParseValue(sub_goals.result).value()["subGoals"].size(), 8u);

  const generation::Process actions = Generate(RequestFor("ACTION_GENERATION"));
  const Json::Value lists =
      json::ParseValue(actions.result).value()["subGoals"];
  ASSERT_EQ(lists.size(), 8u);
  for (const Json::Value& list : lists) EXPECT_EQ(list["actions"].size(), 8u);

  const generation::Process tasks = Generate(RequestFor("TASK_GENERATION"));
  EXPECT_EQ(json::ParseValue(tasks.result).value()["actions"].size(), 64u);
  // No answer had to be complained of.
  EXPECT_EQ(model_.questions(), 1 + 8 + 64);
}

}  // namespace
}  // namespace byoshin::properties
