#include "local/bedrock/schema_example.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/bedrock/texts.h"

namespace byoshin::local::bedrock {
namespace {

const Subject& JapaneseSubject() {
  static const auto* const subject =
      new Subject{.language = Language::kJapanese, .topic = "英会話"};
  return *subject;
}

Json::Value Example(absl::string_view schema, std::uint64_t seed = 1) {
  return ExampleFor(*json::ParseValue(schema), JapaneseSubject(), seed);
}

TEST(SchemaExample, HasTheGenerationsShapes) {
  const Json::Value value = Example(R"({
      "type": "object", "required": ["subGoals"],
      "properties": {"subGoals": {"type": "array", "minItems": 8, "maxItems": 8,
        "items": {"type": "object", "properties": {
          "title": {"type": "string", "minLength": 1, "maxLength": 20},
          "description": {"type": "string", "minLength": 100,
                          "maxLength": 120},
          "type": {"type": "string", "enum": ["EXECUTION", "HABIT"]},
          "position": {"type": "integer", "minimum": 1, "maximum": 8},
          "estimatedMinutes": {"type": "integer", "minimum": 15,
                               "maximum": 120}}}}}})");
  ASSERT_EQ(value["subGoals"].size(), 8u);
  std::set<std::string> titles;
  std::set<std::string> types;
  for (Json::ArrayIndex i = 0; i < 8; ++i) {
    const Json::Value& goal = value["subGoals"][i];
    titles.insert(goal["title"].asString());
    types.insert(goal["type"].asString());
    // Three bytes a character.
    EXPECT_LE(goal["title"].asString().size(), 60u);
    EXPECT_TRUE(absl::StartsWith(goal["title"].asString(), "英会話"));
    EXPECT_GE(goal["description"].asString().size(), 300u);
    EXPECT_LE(goal["description"].asString().size(), 360u);
    EXPECT_EQ(goal["position"].asUInt(), i + 1);
    EXPECT_GE(goal["estimatedMinutes"].asInt(), 15);
    EXPECT_LE(goal["estimatedMinutes"].asInt(), 120);
    EXPECT_EQ(goal["estimatedMinutes"].asInt() % 15, 0);
  }
  EXPECT_EQ(titles.size(), 8u);
  EXPECT_EQ(types, (std::set<std::string>{"EXECUTION", "HABIT"}));
}

TEST(SchemaExample, IsTheSameForTheSameSeedOnly) {
  constexpr char kSchema[] =
      R"({"type":"array","minItems":4,"items":{"type":"integer",
          "minimum":0,"maximum":1000000}})";
  EXPECT_EQ(Example(kSchema, 7), Example(kSchema, 7));
  EXPECT_NE(Example(kSchema, 7), Example(kSchema, 8));
}

TEST(SchemaExample, KeepsNumbersWithinTheirLimits) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto number = [&](absl::string_view schema) {
      return Example(schema, seed).asDouble();
    };
    EXPECT_EQ(number(R"({"type":"integer","minimum":5,"maximum":5})"), 5);
    EXPECT_EQ(number(R"({"type":"integer","exclusiveMinimum":5,
                         "exclusiveMaximum":7})"),
              6);
    EXPECT_LE(number(R"({"type":"integer","maximum":-5})"), -5);
    const double share = number(R"({"type":"number","minimum":0,"maximum":1})");
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    const Json::Value multiple =
        Example(R"({"type":"integer","minimum":1,"maximum":100,
                    "multipleOf":7})",
                seed);
    EXPECT_EQ(multiple.asInt() % 7, 0);
    EXPECT_LE(multiple.asInt(), 100);
    EXPECT_GE(multiple.asInt(), 1);
  }
}

TEST(SchemaExample, FollowsReferencesAndChoices) {
  const Json::Value value = Example(R"({
      "type": "object",
      "$defs": {"Id": {"type": "string", "format": "uuid"}},
      "properties": {
        "id": {"$ref": "#/$defs/Id"},
        "kind": {"const": "x"},
        "day": {"type": "string", "format": "date"},
        "maybe": {"type": ["null", "boolean"]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "both": {"allOf": [{"properties": {"a": {"const": 1}}},
                           {"properties": {"b": {"const": 2}}}]}}})");
  EXPECT_EQ(value["id"].asString().size(), 36u);
  EXPECT_EQ(value["kind"], "x");
  EXPECT_TRUE(absl::StartsWith(value["day"].asString(), "2027-"));
  EXPECT_TRUE(value["maybe"].isBool());
  EXPECT_TRUE(value["either"].isInt());
  EXPECT_EQ(json::WriteValue(value["both"]), R"({"a":1,"b":2})");
}

TEST(SchemaExample, EndsWhereASchemaDoesNot) {
  const Json::Value deep =
      Example(R"({"type":"object","properties":{"next":{"$ref":"#"}}})");
  EXPECT_TRUE(deep["next"]["next"].isObject());
  EXPECT_LT(json::WriteValue(deep).size(), 1000u);
  const Json::Value wide = Example(
      R"({"type":"array","minItems":1000000000,
          "items":{"type":"array","minItems":1000000000,
                   "items":{"type":"array","minItems":1000000000}}})");
  EXPECT_LT(json::WriteValue(wide).size(), 1u << 20);
}

TEST(SchemaExample, TakesAnExampleForAShape) {
  EXPECT_FALSE(IsSchema(*json::ParseValue(R"({"tasks":[]})")));
  EXPECT_FALSE(IsSchema(*json::ParseValue(R"({"type":"EXECUTION"})")));
  EXPECT_TRUE(IsSchema(*json::ParseValue(R"({"type":"array"})")));
  const Json::Value value = ExampleLike(
      *json::ParseValue(R"({"tasks":[{"title":"…","minutes":30}],"ok":true})"),
      JapaneseSubject(), 1);
  EXPECT_TRUE(
      absl::StartsWith(value["tasks"][0]["title"].asString(), "英会話"));
  EXPECT_EQ(value["tasks"][0]["minutes"], 30);
  EXPECT_EQ(value["ok"], true);
}

TEST(Subject, IsTheMostSpecificLabelledLine) {
  const Subject goal = SubjectOf(
      "次の目標を8つに分けてください。\n目標: 英語を話す\n- "
      "サブゴール：発音\n");
  EXPECT_EQ(goal.topic, "発音");
  EXPECT_EQ(goal.language, Language::kJapanese);
  const Subject english = SubjectOf("Plan this.\nGoal title: Run a marathon\n");
  EXPECT_EQ(english.topic, "Run a marathon");
  EXPECT_EQ(english.language, Language::kEnglish);
}

TEST(Subject, HasTheLanguageOfWhatIsLabelledNotOfTheInstructions) {
  EXPECT_EQ(SubjectOf("次の目標を分けてください。\n目標: Run a marathon\n"
                      "期限: 2027-01-01\n")
                .language,
            Language::kEnglish);
  EXPECT_EQ(SubjectOf("目標: TOEIC 900\n背景: 初心者です\n").language,
            Language::kJapanese);
}

// The titles of eight consecutive elements.
std::vector<std::string> EightTitles(const std::string& topic, int first) {
  const Subject subject = SubjectOf(absl::StrCat("アクション: ", topic));
  std::vector<std::string> titles;
  for (int i = first; i < first + 8; ++i) {
    titles.push_back(TitleText(subject, static_cast<std::uint64_t>(i)));
  }
  return titles;
}

TEST(Subject, HasStepsThatAllDifferAndConsistOfOtherThings) {
  const struct {
    const char* goal;
    std::size_t bytes_of_a_character;
  } kGoals[] = {{"chess", 1},
                {"Sing like a star", 1},
                {"Publish my app and win many users", 1},
                {"英会話", 3},
                {"十六文字になる長さの目標の一例", 3},
                {"アプリを公開して多くの人に使ってもらう", 3}};
  for (const auto& goal : kGoals) {
    for (int first = 0; first < 16; ++first) {
      SCOPED_TRACE(absl::StrCat(goal.goal, " ", first));
      std::set<std::string> seen;
      const auto sub_goals = EightTitles(goal.goal, first);
      seen.insert(sub_goals.begin(), sub_goals.end());
      std::string last;
      for (const std::string& sub_goal : sub_goals) {
        const auto steps = EightTitles(sub_goal, first);
        seen.insert(steps.begin(), steps.end());
        for (const std::string& step : steps) {
          EXPECT_LE(step.size(), 50 * goal.bytes_of_a_character) << step;
        }
        last = steps.back();
      }
      EXPECT_EQ(seen.size(), 8u + 64u);
      for (const std::string& part : EightTitles(last, first)) {
        EXPECT_FALSE(seen.contains(part)) << part;
        EXPECT_LE(part.size(), 40 * goal.bytes_of_a_character) << part;
      }
    }
  }
}

TEST(Subject, IsInTitlesIfItIsShortAndNoTitleItself) {
  const auto title = [](Language language, const char* topic) {
    return TitleText({.language = language, .topic = topic}, 1);
  };
  EXPECT_EQ(title(Language::kEnglish, "chess"), "Make a plan for chess");
  EXPECT_EQ(title(Language::kEnglish, "Publish my app and win many users"),
            "Make a plan");
  EXPECT_EQ(title(Language::kEnglish, "Learn the basics"),
            "Find out how others learn the basics");
  EXPECT_EQ(title(Language::kEnglish, "Practice chess every day"),
            "Find out how others practice every day");
  EXPECT_EQ(title(Language::kEnglish, "Set a date to make a plan"),
            "Choose a day and an hour");
  EXPECT_EQ(title(Language::kJapanese, "英会話"), "英会話の計画を立てる");
  EXPECT_EQ(title(Language::kJapanese, "英会話の現状を把握する"),
            "現状を把握する方法を調べる");
  EXPECT_EQ(title(Language::kJapanese, "現状を把握する方法を調べる"),
            "日付と時間を選ぶ");
  EXPECT_EQ(title(Language::kJapanese,
                  "個人開発のアプリを公開し、100人に使ってもらう"),
            "計画を立てる");
}

TEST(Subject, IsOtherwiseTheBeginningOfTheText) {
  EXPECT_EQ(SubjectOf("What is the capital of France? Be brief.").topic,
            "What is the capital of France");
  EXPECT_EQ(SubjectOf("明日の天気は？教えて。").topic, "明日の天気は");
  EXPECT_EQ(SubjectOf("```json\n{}\n```").topic, "your question");
  EXPECT_EQ(SubjectOf("Answer:\n```\n日本語\n```").language,
            Language::kEnglish);
}

}  // namespace
}  // namespace byoshin::local::bedrock
