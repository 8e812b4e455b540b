#include "infra/cloudformation/stepfunctions.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "infra/cloudformation/check.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation::stepfunctions {
namespace {

Machine OneState(const char* name) {
  return {.start_at = name, .states = {{name, Pass{}}}};
}

TEST(Machine, SaysInTheStatesLanguageWhatATaskDoes) {
  const Machine machine{
      .comment = "works",
      .start_at = "Work",
      .timeout = absl::Minutes(10),
      .states = {
          {"Work", Task{.resource = kInvokeFunctionForToken,
                        .parameters = Object({{"FunctionName", Ref("Worker")}}),
                        .result_path = "$.work",
                        .timeout = absl::Minutes(5),
                        .heartbeat = absl::Seconds(30),
                        .retry = {{.errors = {"A", "B"},
                                   .interval = absl::Seconds(1),
                                   .max_attempts = 5,
                                   .backoff_rate = 1.5,
                                   .max_delay = absl::Seconds(60),
                                   .jitter = Retrier::Jitter::kFull}},
                        .catchers = {{.errors = {"States.ALL"},
                                      .next = "Failed",
                                      .result_path = "$.error"}},
                        .next = "Done"}},
          {"Done", Succeed{}},
          {"Failed", Fail{.error = "E", .cause = "because"}}}};
  EXPECT_TRUE(machine.Check().ok()) << machine.Check();
  EXPECT_EQ(
      ToCompactJson(machine.Definition()),
      R"({"Comment":"works","StartAt":"Work","TimeoutSeconds":600,"States":{)"
      R"("Work":{"Type":"Task",)"
      R"("Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",)"
      R"("Parameters":{"FunctionName":{"Ref":"Worker"}},)"
      R"("ResultPath":"$.work","TimeoutSeconds":300,"HeartbeatSeconds":30,)"
      R"("Retry":[{"ErrorEquals":["A","B"],"IntervalSeconds":1,)"
      R"("MaxAttempts":5,"BackoffRate":1.5,"MaxDelaySeconds":60,)"
      R"("JitterStrategy":"FULL"}],)"
      R"("Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.error",)"
      R"("Next":"Failed"}],"Next":"Done"},)"
      R"("Done":{"Type":"Succeed"},)"
      R"("Failed":{"Type":"Fail","Error":"E","Cause":"because"}}})");
}

TEST(Machine, SaysInTheStatesLanguageHowAMachineBranches) {
  const Machine machine{
      .start_at = "Which",
      .states = {
          {"Which", Choice{.rules = {{.condition = {{"Variable", "$.n"},
                                                    {"NumericEquals", 1}},
                                      .next = "Both"}},
                           .otherwise = "Later"}},
          {"Both", Parallel{.branches = {OneState("Left"), OneState("Right")},
                            .result_path = "$.both"}},
          {"Later", Wait{.duration = absl::Seconds(3), .next = "Each"}},
          {"Each", Map{.items_path = "$.items",
                       .processor = {OneState("One")},
                       .max_concurrency = 2}}}};
  EXPECT_TRUE(machine.Check().ok()) << machine.Check();
  EXPECT_EQ(
      ToCompactJson(machine.Definition()),
      R"({"StartAt":"Which","States":{"Which":{"Type":"Choice","Choices":[)"
      R"({"Variable":"$.n","NumericEquals":1,"Next":"Both"}],)"
      R"("Default":"Later"},"Both":{"Type":"Parallel","Branches":[)"
      R"({"StartAt":"Left","States":{"Left":{"Type":"Pass","End":true}}},)"
      R"({"StartAt":"Right","States":{"Right":{"Type":"Pass","End":true}}}],)"
      R"("ResultPath":"$.both","End":true},)"
      R"("Later":{"Type":"Wait","Seconds":3,"Next":"Each"},)"
      R"("Each":{"Type":"Map","ItemsPath":"$.items","ItemProcessor":)"
      R"({"StartAt":"One","States":{"One":{"Type":"Pass","End":true}}},)"
      R"("MaxConcurrency":2,"End":true}}})");
}

TEST(Machine, ListsWhatIsWrongWithItsTransitions) {
  const Machine machine{
      .start_at = "Begin",
      .states = {{"A", Pass{.next = "B"}},
                 {"C", Parallel{.branches = {OneState("A")}}}}};
  EXPECT_EQ(machine.Check(),
            absl::InvalidArgumentError(
                "the state machine is wrong: it starts at Begin, which is not "
                "there; the state A leads to B, which is not there; the state "
                "A is there twice; nothing leads to the state A; nothing leads "
                "to the state C"));
}

TEST(StateMachine, IsAResourceOfATemplate) {
  Template stack("a workflow");
  stack.Add("Workflow",
            StateMachine{.name = "orders",
                         .role = "arn:aws:iam::1:role/r",
                         .kind = StateMachine::Kind::kExpress,
                         .machine = OneState("Only"),
                         .log_level = StateMachine::LogLevel::kError,
                         .log_group_arn = "arn:logs",
                         .tracing = true});
  EXPECT_TRUE(Check(stack).ok()) << Check(stack);
  EXPECT_NE(
      ToCompactJson(stack.ToValue())
          .find(R"("Properties":{"StateMachineName":"orders",)"
                R"("StateMachineType":"EXPRESS",)"
                R"("RoleArn":"arn:aws:iam::1:role/r","Definition":)"
                R"({"StartAt":"Only","States":{"Only":{"Type":"Pass",)"
                R"("End":true}}},"LoggingConfiguration":{"Level":"ERROR",)"
                R"("IncludeExecutionData":false,"Destinations":[)"
                R"({"CloudWatchLogsLogGroup":{"LogGroupArn":"arn:logs"}}]},)"
                R"("TracingConfiguration":{"Enabled":true})"),
      std::string::npos)
      << ToCompactJson(stack.ToValue());
}

TEST(StateMachine, IsRefusedIfItsMachineIsWrong) {
  Template stack("a workflow");
  stack.Add(
      "Workflow",
      StateMachine{.role = "r", .machine = {.start_at = "A", .states = {}}});
  EXPECT_TRUE(absl::IsInvalidArgument(Check(stack)));
}

}  // namespace
}  // namespace byoshin::infra::cloudformation::stepfunctions
