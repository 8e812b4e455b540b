#include "local/applications/scheduler/scheduler_parts.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <optional>
#include <set>
#include <string>

#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/scheduler/constants.h"
#include "local/applications/function_variables.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {
namespace {

constexpr char kSenderArn[] = "arn:aws:lambda:eu-west-1:000000000000:sender";
constexpr char kRuleArn[] = "arn:aws:events:eu-west-1:000000000000:rule/minute";

cloudformation::Stack SchedulerStack() {
  cloudformation::Stack stack;
  cloudformation::StackResource& sender = stack.resources["Sender"];
  sender.type = "AWS::Lambda::Function";
  sender.state.attributes["Arn"] = kSenderArn;
  Json::Value& of_sender = sender.properties["Environment"]["Variables"];
  of_sender[scheduler::kQueueUrlVariable] = "http://127.0.0.1:1/0/queue";
  of_sender[scheduler::kWindowLagVariable] = "10";
  cloudformation::StackResource& collector = stack.resources["Collector"];
  collector.type = "AWS::Lambda::Function";
  Json::Value& of_collector = collector.properties["Environment"]["Variables"];
  of_collector[scheduler::kApiBaseUrlVariable] = "http://127.0.0.1:3000";
  of_collector[scheduler::kTableNameVariable] = "records";
  const auto rule = [&](const char* id, const char* arn, const char* target) {
    cloudformation::StackResource& resource = stack.resources[id];
    resource.type = "AWS::Events::Rule";
    resource.state.attributes["Arn"] = arn;
    Json::Value entry;
    entry["Arn"] = target;
    resource.properties["Targets"].append(entry);
  };
  rule("Minute", kRuleArn, kSenderArn);
  rule("Other", "arn:other", "arn:aws:lambda:eu-west-1:000000000000:other");
  return stack;
}

TEST(FindScheduler, KnowsTheFunctionsAndTheRuleOfTheSender) {
  const std::optional<SchedulerParts> parts = FindScheduler(SchedulerStack());
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->sender.window_lag, absl::Seconds(10));
  EXPECT_EQ(parts->sender.queue_url, "http://127.0.0.1:1/0/queue");
  EXPECT_EQ(parts->collector.table_name, "records");
  EXPECT_EQ(parts->rule_arns, std::set<std::string>{kRuleArn});
}

TEST(FindScheduler, FindsNoneWhereAFunctionIsMissing) {
  for (const char* missing : {"Sender", "Collector"}) {
    cloudformation::Stack stack = SchedulerStack();
    stack.resources.erase(missing);
    EXPECT_FALSE(FindScheduler(stack).has_value()) << missing;
  }
}

TEST(VariablesOf, AreAFunctionsOnly) {
  const cloudformation::Stack stack = SchedulerStack();
  EXPECT_EQ(VariablesOf(stack.resources.at("Collector"))(
                scheduler::kTableNameVariable),
            "records");
  EXPECT_FALSE(
      VariablesOf(stack.resources.at("Minute"))(scheduler::kTableNameVariable)
          .has_value());
}

TEST(VariablesOf, AreNoneWhereThePropertyIsSomethingElse) {
  cloudformation::StackResource function;
  function.type = "AWS::Lambda::Function";
  for (const Json::Value& other :
       {Json::Value(), Json::Value("x"), Json::Value(Json::arrayValue)}) {
    function.properties["Environment"] = other;
    EXPECT_FALSE(VariablesOf(function)("A").has_value());
    function.properties["Environment"] = Json::Value(Json::objectValue);
    function.properties["Environment"]["Variables"] = other;
    EXPECT_FALSE(VariablesOf(function)("A").has_value());
  }
  function.properties["Environment"]["Variables"] = Json::Value();
  function.properties["Environment"]["Variables"]["A"]["B"] = "x";
  EXPECT_FALSE(VariablesOf(function)("A").has_value());
}

}  // namespace
}  // namespace byoshin::local::applications
