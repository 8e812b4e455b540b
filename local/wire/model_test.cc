#include "local/wire/model.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/wire/model_data.h"
#include "local/wire/models.h"

namespace byoshin::local::wire {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> MemberNames(const Shape& shape) {
  std::vector<std::string> names;
  for (const Shape::Member member : shape.members()) {
    names.emplace_back(member.name());
  }
  return names;
}

TEST(ModelTest, HasEachOperationWithItsInput) {
  ASSERT_TRUE(kEventsModel.InputOf("EnableRule").has_value());
  EXPECT_THAT(MemberNames(*kEventsModel.InputOf("EnableRule")),
              ElementsAre("EventBusName", "Name"));
  EXPECT_TRUE(kEventsModel.Has("EnableRule"));
  EXPECT_FALSE(kEventsModel.Has("EnableRules"));
  EXPECT_FALSE(kEventsModel.Has(""));
  EXPECT_EQ(kEventsModel.InputOf("zzz"), std::nullopt);
  for (std::size_t i = 0; i < kEventsModel.operation_count(); ++i) {
    EXPECT_TRUE(kEventsModel.Has(kEventsModel.operation_name(i)));
  }
}

TEST(ModelTest, HasTheLimitsOfShapes) {
  const Shape rule = kEventsModel.InputOf("PutRule").value();
  const std::optional<Shape::Member> name = rule.FindMember("Name");
  ASSERT_TRUE(name.has_value());
  EXPECT_TRUE(name->is_required());
  EXPECT_EQ(name->shape().type(), ShapeType::kText);
  EXPECT_EQ(name->shape().min(), 1);
  EXPECT_EQ(name->shape().max(), 64);
  EXPECT_EQ(name->shape().pattern(), R"([\.\-_A-Za-z0-9]+)");
  EXPECT_TRUE(name->shape().values().empty());
  EXPECT_EQ(rule.FindMember("Nam"), std::nullopt);
  const Shape::Member state = rule.FindMember("State").value();
  EXPECT_FALSE(state.is_required());
  std::vector<std::string> states;
  for (const absl::string_view one : state.shape().values()) {
    states.emplace_back(one);
  }
  EXPECT_THAT(states,
              ElementsAre("ENABLED", "DISABLED",
                          "ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS"));
  const Shape tags = rule.FindMember("Tags")->shape();
  EXPECT_EQ(tags.type(), ShapeType::kList);
  EXPECT_THAT(MemberNames(tags.element()), ElementsAre("Key", "Value"));
}

TEST(ModelTest, KnowsWhichOperationsTakeNoSignature) {
  EXPECT_TRUE(kCognitoidpModel.IsUnsigned("InitiateAuth"));
  EXPECT_FALSE(kCognitoidpModel.IsUnsigned("AdminInitiateAuth"));
  EXPECT_FALSE(kCognitoidpModel.IsUnsigned("Initiate"));
  EXPECT_FALSE(kEventsModel.IsUnsigned("PutRule"));
}

TEST(ModelTest, KnowsWhatIsSensitive) {
  const Shape put = kSecretsmanagerModel.InputOf("PutSecretValue").value();
  EXPECT_TRUE(put.FindMember("SecretString")->shape().is_sensitive());
  EXPECT_FALSE(put.FindMember("SecretId")->shape().is_sensitive());
}

}  // namespace
}  // namespace byoshin::local::wire
