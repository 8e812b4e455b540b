#include "core/generation/model_answer.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/prompts.h"
#include "core/generation/testing/fixture.h"
#include "core/json/value.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using testing::ActionsAnswer;
using testing::SubGoalsAnswer;
using testing::TasksAnswer;

// An acceptable answer with another value in one element.
std::string AnswerWith(const std::string& answer, const char* list,
                       const char* name, const Json::Value& value) {
  Json::Value json = json::ParseValue(answer).value();
  json[list][1][name] = value;
  return json::WriteValue(json);
}

template <typename T>
void ExpectComplaint(const absl::StatusOr<std::vector<T>>& parsed,
                     absl::string_view complaint) {
  EXPECT_TRUE(absl::IsInvalidArgument(parsed.status()));
  EXPECT_EQ(parsed.status().message(), complaint);
}

TEST(ParseSubGoals, NumbersThem) {
  const auto sub_goals = ParseSubGoals(SubGoalsAnswer());
  ASSERT_TRUE(sub_goals.ok()) << sub_goals.status();
  ASSERT_EQ(sub_goals->size(), 8u);
  EXPECT_EQ(
      sub_goals->back(),
      (SubGoal{.position = 8, .title = "サブゴール8", .description = "説明"}));
}

TEST(ParseSubGoals, FindsJsonWithinOtherText) {
  EXPECT_TRUE(ParseSubGoals(absl::StrCat("はい。\n```json\n", SubGoalsAnswer(),
                                         "\n```\n以上です。"))
                  .ok());
}

TEST(ParseSubGoals, WantsEight) {
  Json::Value json = json::ParseValue(SubGoalsAnswer()).value();
  json["subGoals"].resize(7);
  ExpectComplaint(ParseSubGoals(json::WriteValue(json)),
                  "subGoals: expected 8 elements, found 7");
  for (const char* text :
       {"", "ごめんなさい", "}{", "{\"subGoals\": [", "[]"}) {
    ExpectComplaint(ParseSubGoals(text), "the answer is not a JSON object");
  }
  ExpectComplaint(ParseSubGoals("{}"), "subGoals: expected an array");
}

TEST(ParseSubGoals, ChecksTexts) {
  const auto with = [](const char* name, const Json::Value& value) {
    return ParseSubGoals(AnswerWith(SubGoalsAnswer(), "subGoals", name, value));
  };
  ExpectComplaint(with("title", 5), "subGoals[1].title: expected a string");
  ExpectComplaint(with("title", "　"), "subGoals[1].title: must not be blank");
  ExpectComplaint(
      with("title", std::string(51, 'x')),
      "subGoals[1].title: expected at most 50 characters, found 51");
  ExpectComplaint(with("title", "サブゴール1"),
                  "subGoals[1].title: must differ from the titles before");
  ExpectComplaint(
      with("description", std::string("a\0b", 3)),
      "subGoals[1].description: must not contain control characters");
  EXPECT_TRUE(with("title", std::string(50, 'x')).ok());
}

TEST(ParseActions, WantsExecutionOrHabit) {
  const auto actions = ParseActions(ActionsAnswer());
  ASSERT_TRUE(actions.ok()) << actions.status();
  EXPECT_EQ((*actions)[0].type, ActionType::kExecution);
  EXPECT_EQ((*actions)[1].type, ActionType::kHabit);
  ExpectComplaint(
      ParseActions(AnswerWith(ActionsAnswer(), "actions", "type", "habit")),
      R"(actions[1].type: expected "EXECUTION" or "HABIT")");
}

TEST(ParseTasks, WantsMinutesBetween15And120) {
  const auto tasks = ParseTasks(TasksAnswer());
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  EXPECT_EQ((*tasks)[0].estimated_time, absl::Minutes(15));
  EXPECT_EQ((*tasks)[1].estimated_time, absl::Minutes(120));
  const auto with = [](const Json::Value& minutes) {
    return ParseTasks(
        AnswerWith(TasksAnswer(), "tasks", "estimatedMinutes", minutes));
  };
  ExpectComplaint(with(14),
                  "tasks[1].estimatedMinutes: expected 15 to 120, found 14");
  ExpectComplaint(with(121),
                  "tasks[1].estimatedMinutes: expected 15 to 120, found 121");
  ExpectComplaint(with("30"), "tasks[1].estimatedMinutes: expected an integer");
  ExpectComplaint(with(30.5), "tasks[1].estimatedMinutes: expected an integer");
}

TEST(ParseTasks, WantsAtLeastOne) {
  ExpectComplaint(ParseTasks(R"({"tasks":[]})"),
                  "tasks: expected 1 to 4 elements, found 0");
  ExpectComplaint(ParseTasks(R"({"tasks":[1]})"),
                  "tasks[0]: expected an object");
}

TEST(Prompts, HaveTheirSchemaInAFencedBlock) {
  const Goal goal{.title = "英語を話す", .description = "説明"};
  for (const ProcessType type : kProcessTypes) {
    const std::string schema = json::WriteValue(AnswerSchema(type));
    const std::string block = absl::StrCat("```json\n", schema, "\n```\n");
    const std::string prompt = PromptFor(type, goal, {});
    EXPECT_NE(prompt.find(block), std::string::npos);
    EXPECT_NE(prompt.find("目標: 英語を話す\n"), std::string::npos);
    EXPECT_EQ(prompt.find("制約"), std::string::npos);
    EXPECT_NE(ComplaintPrompt(type, "x").find(block), std::string::npos);
  }
}

TEST(Prompts, NameTheSubGoalAndTheAction) {
  const WorkItem item{.title = "単語を覚える", .sub_goal_title = "語彙"};
  const std::string prompt = PromptFor(ProcessType::kTasks, {}, item);
  EXPECT_NE(prompt.find("サブゴール: 語彙\n"), std::string::npos);
  EXPECT_NE(prompt.find("アクション: 単語を覚える\n"), std::string::npos);
}

TEST(Prompts, LetNoTextOfAUserEndTheBlock) {
  const std::string prompt =
      PromptFor(ProcessType::kSubGoals, {.title = "```json\n{}\n```"}, {});
  EXPECT_EQ(prompt.find("```"), prompt.rfind("```json"));
}

TEST(AnswerSchema, DemandsWhatIsChecked) {
  const Json::Value tasks =
      AnswerSchema(ProcessType::kTasks)["properties"]["tasks"];
  EXPECT_EQ(tasks["minItems"].asInt(), 1);
  const Json::Value& minutes = tasks["items"]["properties"]["estimatedMinutes"];
  EXPECT_EQ(minutes["minimum"].asInt(), 15);
  EXPECT_EQ(minutes["maximum"].asInt(), 120);
  const Json::Value actions =
      AnswerSchema(ProcessType::kActions)["properties"]["actions"];
  EXPECT_EQ(actions["minItems"].asInt(), 8);
  EXPECT_EQ(actions["maxItems"].asInt(), 8);
  EXPECT_EQ(actions["items"]["required"].size(), 3u);
}

}  // namespace
}  // namespace byoshin::generation
