#include "infra/cloudformation/stepfunctions.h"

#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::stepfunctions {
namespace {

Value Texts(const std::vector<std::string>& texts) {
  return List(Value::Items(texts.begin(), texts.end()));
}

// Absent if it is empty.
Value Optional(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

void AddTransition(const std::string& next, Properties& state) {
  next.empty() ? state.Set("End", true) : state.Set("Next", next);
}

void AddRetry(const std::vector<Retrier>& retry, Properties& state) {
  Value::Items retriers;
  for (const Retrier& retrier : retry) {
    Properties one;
    one.Set("ErrorEquals", Texts(retrier.errors));
    one.Set("IntervalSeconds", retrier.interval);
    one.Set("MaxAttempts", retrier.max_attempts);
    one.Set("BackoffRate", retrier.backoff_rate);
    one.Set("MaxDelaySeconds", retrier.max_delay);
    if (retrier.jitter == Retrier::Jitter::kFull) {
      one.Set("JitterStrategy", "FULL");
    }
    retriers.push_back(Object(one.members()));
  }
  state.SetList("Retry", std::move(retriers));
}

void AddCatch(const std::vector<Catcher>& catchers, Properties& state) {
  Value::Items all;
  for (const Catcher& catcher : catchers) {
    all.push_back(Object({{"ErrorEquals", Texts(catcher.errors)},
                          {"ResultPath", Optional(catcher.result_path)},
                          {"Next", catcher.next}}));
  }
  state.SetList("Catch", std::move(all));
}

// What all states have that do work.
template <typename Work>
void AddRetryCatchAndNext(const Work& work, Properties& state) {
  AddRetry(work.retry, state);
  AddCatch(work.catchers, state);
  AddTransition(work.next, state);
}

Properties FieldsOf(const Task& task) {
  Properties state;
  state.Set("Type", "Task");
  state.Set("Resource", task.resource);
  state.Set("InputPath", Optional(task.input_path));
  state.Set("Parameters", task.parameters);
  state.Set("ResultSelector", task.result_selector);
  state.Set("ResultPath", Optional(task.result_path));
  state.Set("OutputPath", Optional(task.output_path));
  state.Set("TimeoutSeconds", task.timeout);
  state.Set("HeartbeatSeconds", task.heartbeat);
  AddRetryCatchAndNext(task, state);
  return state;
}

Properties FieldsOf(const Pass& pass) {
  Properties state;
  state.Set("Type", "Pass");
  state.Set("Result", pass.result);
  state.Set("Parameters", pass.parameters);
  state.Set("ResultPath", Optional(pass.result_path));
  AddTransition(pass.next, state);
  return state;
}

Properties FieldsOf(const Wait& wait) {
  Properties state;
  state.Set("Type", "Wait");
  state.Set("Seconds", wait.duration);
  state.Set("SecondsPath", Optional(wait.seconds_path));
  state.Set("TimestampPath", Optional(wait.timestamp_path));
  AddTransition(wait.next, state);
  return state;
}

Properties FieldsOf(const Choice& choice) {
  Value::Items rules;
  for (const Choice::Rule& rule : choice.rules) {
    Value::Members members = rule.condition;
    members.emplace_back("Next", rule.next);
    rules.push_back(Object(std::move(members)));
  }
  Properties state;
  state.Set("Type", "Choice");
  state.Set("Choices", List(std::move(rules)));
  state.Set("Default", Optional(choice.otherwise));
  return state;
}

Properties FieldsOf(const Succeed&) {
  Properties state;
  state.Set("Type", "Succeed");
  return state;
}

Properties FieldsOf(const Fail& fail) {
  Properties state;
  state.Set("Type", "Fail");
  state.Set("Error", Optional(fail.error));
  state.Set("Cause", Optional(fail.cause));
  return state;
}

Properties FieldsOf(const Parallel& parallel) {
  Value::Items branches;
  for (const Machine& branch : parallel.branches) {
    branches.push_back(branch.Definition());
  }
  Properties state;
  state.Set("Type", "Parallel");
  state.Set("Branches", List(std::move(branches)));
  state.Set("ResultPath", Optional(parallel.result_path));
  AddRetryCatchAndNext(parallel, state);
  return state;
}

Properties FieldsOf(const Map& map) {
  Properties state;
  state.Set("Type", "Map");
  state.Set("ItemsPath", Optional(map.items_path));
  state.Set("ItemSelector", map.item_selector);
  for (const Machine& processor : map.processor) {
    state.Set("ItemProcessor", processor.Definition());
  }
  if (map.max_concurrency > 0) {
    state.Set("MaxConcurrency", map.max_concurrency);
  }
  state.Set("ResultPath", Optional(map.result_path));
  AddRetryCatchAndNext(map, state);
  return state;
}

// Where a state leads to, besides its end.
std::vector<std::string> TargetsOf(const State& state) {
  std::vector<std::string> targets;
  const auto add = [&](const std::string& target) {
    if (!target.empty()) targets.push_back(target);
  };
  std::visit(
      [&](const auto& one) {
        using Type = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Type, Choice>) {
          for (const Choice::Rule& rule : one.rules) add(rule.next);
          add(one.otherwise);
        } else if constexpr (!std::is_same_v<Type, Succeed> &&
                             !std::is_same_v<Type, Fail>) {
          add(one.next);
        }
        if constexpr (requires { one.catchers; }) {
          for (const Catcher& catcher : one.catchers) add(catcher.next);
        }
      },
      state);
  return targets;
}

const std::vector<Machine>& MachinesIn(const State& state) {
  static const auto* const none = new std::vector<Machine>();
  if (const auto* parallel = std::get_if<Parallel>(&state)) {
    return parallel->branches;
  }
  if (const auto* map = std::get_if<Map>(&state)) return map->processor;
  return *none;
}

// `names` are those of the whole machine: they must differ in its parts, too.
void FindMistakes(const Machine& machine, std::set<std::string>& names,
                  std::vector<std::string>& mistakes) {
  std::set<std::string> own;
  for (const auto& [name, state] : machine.states) {
    own.insert(name);
    if (!names.insert(name).second) {
      mistakes.push_back(absl::StrCat("the state ", name, " is there twice"));
    }
  }
  std::set<std::string> reached = {machine.start_at};
  if (!own.contains(machine.start_at)) {
    mistakes.push_back(absl::StrCat("it starts at ", machine.start_at,
                                    ", which is not there"));
  }
  for (const auto& [name, state] : machine.states) {
    for (const std::string& target : TargetsOf(state)) {
      reached.insert(target);
      if (own.contains(target)) continue;
      mistakes.push_back(absl::StrCat("the state ", name, " leads to ", target,
                                      ", which is not there"));
    }
    for (const Machine& part : MachinesIn(state)) {
      FindMistakes(part, names, mistakes);
    }
  }
  for (const std::string& name : own) {
    if (reached.contains(name)) continue;
    mistakes.push_back(absl::StrCat("nothing leads to the state ", name));
  }
}

absl::string_view LevelName(StateMachine::LogLevel level) {
  switch (level) {
    case StateMachine::LogLevel::kFatal:
      return "FATAL";
    case StateMachine::LogLevel::kError:
      return "ERROR";
    case StateMachine::LogLevel::kAll:
      return "ALL";
    case StateMachine::LogLevel::kOff:
      break;
  }
  return "OFF";
}

}  // namespace

Value Machine::Definition() const {
  Value::Members members;
  for (const auto& [name, state] : states) {
    const Properties fields =
        std::visit([](const auto& one) { return FieldsOf(one); }, state);
    members.emplace_back(name, Object(fields.members()));
  }
  Properties definition;
  definition.Set("Comment", Optional(comment));
  definition.Set("StartAt", start_at);
  definition.Set("TimeoutSeconds", timeout);
  definition.Set("States", Object(std::move(members)));
  return Object(definition.members());
}

absl::Status Machine::Check() const {
  std::set<std::string> names;
  std::vector<std::string> mistakes;
  FindMistakes(*this, names, mistakes);
  if (mistakes.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the state machine is wrong: ", absl::StrJoin(mistakes, "; ")));
}

ResourceType StateMachine::Type() {
  return {.name = "AWS::StepFunctions::StateMachine",
          .attributes = {"Arn", "Name", "StateMachineRevisionId"},
          .tags = ResourceType::Tags::kList};
}

Properties StateMachine::ToProperties() const {
  Properties properties;
  properties.Set("StateMachineName", name);
  properties.Set("StateMachineType",
                 kind == Kind::kExpress ? "EXPRESS" : "STANDARD");
  properties.Require("RoleArn", role);
  // Check() lists what is wrong with it; see the template's tests.
  properties.Require("Definition",
                     machine.Check().ok() ? machine.Definition() : Value());
  if (log_level != LogLevel::kOff) {
    properties.Set(
        "LoggingConfiguration",
        Object(
            {{"Level", LevelName(log_level)},
             {"IncludeExecutionData", logs_data},
             {"Destinations",
              List({Object({{"CloudWatchLogsLogGroup",
                             Object({{"LogGroupArn", log_group_arn}})}})})}}));
  }
  if (!tracing.absent()) {
    properties.Set("TracingConfiguration", Object({{"Enabled", tracing}}));
  }
  return properties;
}

}  // namespace byoshin::infra::cloudformation::stepfunctions
