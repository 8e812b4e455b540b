#include "local/bedrock/schema_example.h"

#include <json/json.h>

#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/match.h"
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

TEST(Subject, IsInTitlesIfItIsShortAndNoTitleItself) {
  const auto title = [](Language language, const char* topic) {
    return TitleText({.language = language, .topic = topic}, 1);
  };
  EXPECT_EQ(title(Language::kEnglish, "chess"), "Make a plan for chess");
  EXPECT_EQ(title(Language::kEnglish, "Publish my app and win many users"),
            "Make a plan");
  EXPECT_EQ(title(Language::kEnglish, "Learn the basics"), "Make a plan");
  EXPECT_EQ(title(Language::kJapanese, "英会話"), "英会話の計画を立てる");
  EXPECT_EQ(title(Language::kJapanese, "英会話の現状を把握する"),
            "計画を立てる");
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
