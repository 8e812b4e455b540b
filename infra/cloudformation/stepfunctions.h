// AWS Step Functions: state machines, built from typed states, so that the name
// of a state, a retry or a time-out is a constant like any other.
//
//   stepfunctions::Machine machine{
//       .start_at = "Work",
//       .states = {
//           {"Work",
//            stepfunctions::Task{
//                .resource = stepfunctions::kInvokeFunction,
//                .parameters = Object({{"FunctionName", GetAtt("Worker",
//                "Arn")},
//                                      {"Payload.$", "$"}}),
//                .result_path = "$.work",
//                .timeout = absl::Minutes(5),
//                .retry = {{.errors = {"Lambda.TooManyRequestsException"},
//                           .interval = absl::Seconds(1)}},
//                .next = "Done"}},
//           {"Done", stepfunctions::Succeed{}}}};
//   stack.Add("Workflow", stepfunctions::StateMachine{.role = role.Arn(),
//                                                     .machine = machine});
//
// The states are those of JSONPath. What the Amazon States Language calls null,
// as in "ResultPath": null, can't be said: CloudFormation refuses it.
// https://states-language.net/spec.html
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_STEPFUNCTIONS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_STEPFUNCTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::stepfunctions {

// Resources of tasks: invoke a function and wait for its answer, or for its
// task token.
inline constexpr char kInvokeFunction[] = "arn:aws:states:::lambda:invoke";
inline constexpr char kInvokeFunctionForToken[] =
    "arn:aws:states:::lambda:invoke.waitForTaskToken";

struct Retrier {
  std::vector<std::string> errors{};
  std::optional<absl::Duration> interval{};
  int max_attempts = 3;
  double backoff_rate = 2;
  std::optional<absl::Duration> max_delay{};
  enum class Jitter { kNone, kFull } jitter = Jitter::kNone;
};

struct Catcher {
  std::vector<std::string> errors{};
  std::string next{};
  // Where the error goes; without it, it replaces the input.
  std::string result_path{};
};

// In all states below, an empty `next` ends the machine, and an empty path is
// left out: it then has the language's default.
struct Task {
  Value resource{};
  Value parameters{};
  Value result_selector{};
  std::string input_path{};
  std::string result_path{};
  std::string output_path{};
  std::optional<absl::Duration> timeout{};
  std::optional<absl::Duration> heartbeat{};
  std::vector<Retrier> retry{};
  std::vector<Catcher> catchers{};
  std::string next{};
};

struct Pass {
  Value result{};
  Value parameters{};
  std::string result_path{};
  std::string next{};
};

// For a time that is known, or one that a path leads to.
struct Wait {
  std::optional<absl::Duration> duration{};
  std::string seconds_path{};
  std::string timestamp_path{};
  std::string next{};
};

struct Choice {
  struct Rule {
    // {"Variable": "$.type", "StringEquals": "GOAL"}, without Next.
    Value::Members condition{};
    std::string next{};
  };
  std::vector<Rule> rules{};
  std::string otherwise{};
};

struct Succeed {};

struct Fail {
  std::string error{};
  std::string cause{};
};

struct Parallel;
struct Map;
using State =
    std::variant<Task, Pass, Wait, Choice, Succeed, Fail, Parallel, Map>;

// A machine, or a part of one.
struct Machine {
  std::string comment{};
  std::string start_at{};
  std::optional<absl::Duration> timeout{};
  std::vector<std::pair<std::string, State>> states;

  // In the Amazon States Language.
  Value Definition() const;

  // InvalidArgument, listing all mistakes, if a state is named twice, a
  // transition leads to a state that is not there, or a state can't be reached.
  absl::Status Check() const;
};

struct Parallel {
  std::vector<Machine> branches{};
  std::string result_path{};
  std::vector<Retrier> retry{};
  std::vector<Catcher> catchers{};
  std::string next{};
};

struct Map {
  std::string items_path{};
  Value item_selector{};
  std::vector<Machine> processor{};  // exactly one
  int max_concurrency = 0;           // no limit if 0
  std::string result_path{};
  std::vector<Retrier> retry{};
  std::vector<Catcher> catchers{};
  std::string next{};
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-stepfunctions-statemachine.html
struct StateMachine {
  enum class Kind { kStandard, kExpress };
  enum class LogLevel { kOff, kFatal, kError, kAll };

  Value name{};
  Value role{};  // an ARN
  Kind kind = Kind::kStandard;
  Machine machine{};
  LogLevel log_level = LogLevel::kOff;
  // The ARN of the group, unless nothing is logged.
  Value log_group_arn{};
  bool logs_data = false;
  // Whether executions are traced.
  Value tracing{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::stepfunctions

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_STEPFUNCTIONS_H_
