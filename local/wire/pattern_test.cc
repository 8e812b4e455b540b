#include "local/wire/pattern.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/wire/model.h"
#include "local/wire/model_data.h"
#include "local/wire/models.h"

namespace byoshin::local::wire {
namespace {

using ::testing::ElementsAre;

TEST(PatternTest, MatchesTheWholeText) {
  EXPECT_TRUE(MatchesPattern(R"([\.\-_A-Za-z0-9]+)", "a-b_c.9"));
  EXPECT_FALSE(MatchesPattern(R"([\.\-_A-Za-z0-9]+)", "a b"));
  EXPECT_FALSE(MatchesPattern(R"(^[a-z]+$)", "a\nb"));
  EXPECT_FALSE(MatchesPattern(R"(^[a-z]+$)", "a\n"));
  EXPECT_FALSE(MatchesPattern("a.b", "a\nb"));
}

TEST(PatternTest, ReadsWhatOnlyJavaHas) {
  EXPECT_TRUE(MatchesPattern(R"([\u0020-\u00FF]+)", "caf\xC3\xA9 "));
  EXPECT_FALSE(MatchesPattern(R"([\u0020-\u00FF]+)", "\xE2\x82\xAC"));
  constexpr absl::string_view kAnyPlane =
      R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*)";
  EXPECT_TRUE(MatchesPattern(kAnyPlane, "\xF0\x9F\x95\x90\n"));
  EXPECT_FALSE(MatchesPattern(kAnyPlane, "\x01"));
  EXPECT_TRUE(MatchesPattern(R"(\p{ASCII}*)", "Root=1"));
  EXPECT_FALSE(MatchesPattern(R"(\p{Print}+)", "\t"));
}

TEST(PatternTest, TakesLongRepetitionsAsUnlimited) {
  EXPECT_EQ(TranslatePattern("[a]{1,2048}b{1,1000}"), "[a]{1,}b{1,}");
  EXPECT_EQ(TranslatePattern("[a]{1,512}"), "[a]{1,512}");
}

// All patterns of what `shape` has that can't be checked.
void AddUncheckable(const Shape& shape, int depth, std::set<std::string>& out) {
  if (depth > 8) return;
  if (!shape.pattern().empty() && !IsCheckable(shape.pattern())) {
    out.emplace(shape.pattern());
  }
  if (shape.type() == ShapeType::kList || shape.type() == ShapeType::kMap) {
    AddUncheckable(shape.element(), depth + 1, out);
  }
  if (shape.type() == ShapeType::kMap) {
    AddUncheckable(shape.key(), depth + 1, out);
  }
  for (const Shape::Member member : shape.members()) {
    AddUncheckable(member.shape(), depth + 1, out);
  }
}

// A lookahead, in connections of EventBridge.
TEST(PatternTest, ChecksAllOfTheModelsButThese) {
  std::set<std::string> uncheckable;
  for (const Model* model :
       {&kCognitoidpModel, &kEventsModel, &kLogsModel, &kSecretsmanagerModel}) {
    for (std::size_t i = 0; i < model->operation_count(); ++i) {
      const std::optional<Shape> input =
          model->InputOf(model->operation_name(i));
      if (input.has_value()) AddUncheckable(*input, 0, uncheckable);
    }
  }
  EXPECT_THAT(uncheckable, ElementsAre(R"(^(?!\s*$).+)"));
}

}  // namespace
}  // namespace byoshin::local::wire
