#include "local/cloudformation/recorded.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::cloudformation {
namespace {

ResourceState Created(absl::string_view type, absl::string_view properties) {
  ProviderRegistry registry;
  AddRecordedProviders(registry);
  const StackContext stack{.stack_name = "s"};
  const Json::Value json = json::ParseValue(properties).value();
  absl::StatusOr<ResourceState> state =
      registry.Find(type)->Create({.stack = stack,
                                   .logical_id = "Id",
                                   .physical_id = "",
                                   .name_suffix = "ABCDEF123456",
                                   .properties = json});
  EXPECT_TRUE(state.ok()) << state.status();
  return state.value_or(ResourceState{});
}

TEST(RecordedTypes, GiveWhatAwsGives) {
  const ResourceState alarm = Created("AWS::CloudWatch::Alarm", "{}");
  EXPECT_EQ(alarm.physical_id, "s-Id-ABCDEF123456");
  EXPECT_EQ(alarm.attributes.at("Arn"),
            "arn:aws:cloudwatch:us-east-1:000000000000:alarm:"
            "s-Id-ABCDEF123456");
  EXPECT_EQ(
      Created("AWS::CloudWatch::Alarm", R"({"AlarmName": "a"})").physical_id,
      "a");
  EXPECT_EQ(Created("AWS::CloudWatch::Dashboard", R"({"DashboardName": "d"})")
                .physical_id,
            "d");
  const ResourceState topic =
      Created("AWS::SNS::Topic", R"({"TopicName": "t"})");
  EXPECT_EQ(topic.physical_id, "arn:aws:sns:us-east-1:000000000000:t");
  EXPECT_EQ(topic.attributes.at("TopicName"), "t");
  EXPECT_EQ(
      Created("AWS::SNS::Subscription", R"({"TopicArn": "arn:t"})").physical_id,
      "arn:t:abcdef123456");
}

TEST(RecordedTypes, SayWhyAndGiveEveryAttributeTheyPromise) {
  for (const RecordedType& type : RecordedTypes()) {
    EXPECT_FALSE(type.reason.empty()) << type.type;
    const ResourceState state = Created(type.type, "{}");
    EXPECT_FALSE(state.physical_id.empty()) << type.type;
    EXPECT_EQ(state.attributes.size(), type.attributes.size()) << type.type;
    for (const std::string& attribute : type.attributes) {
      EXPECT_EQ(state.attributes.count(attribute), 1u)
          << type.type << " " << attribute;
    }
  }
}

TEST(RecordedTypes, AreCountedWhereUsersMayExpectAnEffect) {
  Stack stack;
  EXPECT_EQ(DescribeRecorded(stack), "");
  for (const char* id : {"A", "B"}) {
    stack.resources[id].type = "AWS::CloudWatch::Alarm";
  }
  stack.resources["T"].type = "AWS::SNS::Topic";
  stack.resources["D"].type = "AWS::CloudWatch::Dashboard";
  stack.resources["Q"].type = "AWS::SQS::Queue";
  EXPECT_EQ(DescribeRecorded(stack), "2 alarms, 1 topic");
}

TEST(GeneratedName, IsCutWhereItIsTooLong) {
  const StackContext stack{.stack_name = std::string(100, 's')};
  const Json::Value none(Json::objectValue);
  const ResourceRequest request{.stack = stack,
                                .logical_id = std::string(100, 'i'),
                                .physical_id = "",
                                .name_suffix = "ABCDEF123456",
                                .properties = none};
  EXPECT_EQ(
      GeneratedName(request, 64),
      std::string(25, 's') + "-" + std::string(25, 'i') + "-ABCDEF123456");
  EXPECT_EQ(GeneratedName(request, 500).size(), 214u);
}

TEST(Properties, AreReadAsCloudFormationDoes) {
  const Json::Value p = json::ParseValue(R"({
      "i": 5, "it": "5", "f": 1.5, "t": "x", "b": true, "bt": "false",
      "list": ["a", 1], "nested": {"i": 7}})")
                            .value();
  EXPECT_EQ(*IntegerProperty(p, "i", 0), 5);
  EXPECT_EQ(*IntegerProperty(p, "it", 0), 5);
  EXPECT_EQ(*IntegerProperty(p, "nested.i", 0), 7);
  EXPECT_EQ(*IntegerProperty(p, "nested.none", 3), 3);
  EXPECT_EQ(*NumberProperty(p, "f", 0), 1.5);
  EXPECT_EQ(*NumberProperty(p, "it", 0), 5);
  EXPECT_EQ(*TextProperty(p, "i"), "5");
  EXPECT_EQ(*TextProperty(p, "none", "d"), "d");
  EXPECT_TRUE(*BoolProperty(p, "b", false));
  EXPECT_FALSE(*BoolProperty(p, "bt", true));
  EXPECT_EQ(*TextsProperty(p, "list"), (std::vector<std::string>{"a", "1"}));
  EXPECT_EQ(*TextsProperty(p, "t"), std::vector<std::string>{"x"});
  EXPECT_TRUE(TextsProperty(p, "none")->empty());
  EXPECT_EQ(IntegerProperty(p, "f", 0).status().message(),
            "property f must be an integer, not 1.5");
  EXPECT_FALSE(NumberProperty(p, "b", 0).ok());
  EXPECT_FALSE(BoolProperty(p, "t", false).ok());
  EXPECT_FALSE(TextProperty(p, "nested").ok());
  EXPECT_FALSE(TextsProperty(p, "nested").ok());
}

}  // namespace
}  // namespace byoshin::local::cloudformation
