#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/language/data.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/stepfunctions/random_machine.h"

namespace byoshin::properties {
namespace {

using local::stepfunctions::ActivityStarted;
using local::stepfunctions::Data;
using local::stepfunctions::Effects;
using local::stepfunctions::Execution;
using local::stepfunctions::ExecutionInput;
using local::stepfunctions::GoOn;
using local::stepfunctions::JsonataCompiler;
using local::stepfunctions::ParsedData;
using local::stepfunctions::ParsedMachine;
using local::stepfunctions::ParseInput;
using local::stepfunctions::Redriven;
using local::stepfunctions::SimulatedInfo;
using local::stepfunctions::SimulatedRun;
using local::stepfunctions::SimulatedStart;
using local::stepfunctions::StateMachine;
using local::stepfunctions::StopRequested;
using local::stepfunctions::TaskFailed;
using local::stepfunctions::TaskHeartbeat;
using local::stepfunctions::TaskId;
using local::stepfunctions::TaskMock;
using local::stepfunctions::TaskRequest;
using local::stepfunctions::TaskSubmitted;
using local::stepfunctions::TaskSucceeded;
using local::stepfunctions::Timer;
using local::stepfunctions::TimerFired;

// So many inputs are enough; a machine may have many more.
constexpr size_t kMaxInputs = 400;
constexpr int64_t kMaxRedrives = 2;

std::string Described(const Effects& effects) {
  std::string text;
  for (const TaskRequest& task : effects.tasks) {
    absl::StrAppend(&text, "task ", task.id, " ", task.resource.arn, " ",
                    task.arguments.ToJson(), " ", task.token, " ",
                    task.execution_arn, "\n");
  }
  for (const TaskId task : effects.cancelled_tasks) {
    absl::StrAppend(&text, "cancel ", task, "\n");
  }
  for (const Timer& timer : effects.timers) {
    absl::StrAppend(&text, "timer ", timer.id, " ",
                    absl::ToUnixNanos(timer.time), "\n");
  }
  for (const auto timer : effects.cancelled_timers) {
    absl::StrAppend(&text, "cancel timer ", timer, "\n");
  }
  absl::StrAppend(&text, effects.go_on ? "go on\n" : "",
                  effects.end ? "end\n" : "", effects.new_events, " events\n");
  return text;
}

std::shared_ptr<const StateMachine> NewMachine(uint64_t seed) {
  static auto* const compiler = new JsonataCompiler();
  return ParsedMachine(RandomMachine(seed), compiler);
}

SimulatedRun NewRun(uint64_t seed) {
  return SimulatedRun(NewMachine(seed), ParsedData(kRandomMachineInput),
                      RandomTasks(seed));
}

// Applies what is due next; an execution that has failed is redriven.
bool Advance(SimulatedRun& run) {
  if (run.RunOne()) return true;
  if (!run.execution().RedriveRefusal().empty() ||
      run.execution().redrive_count() >= kMaxRedrives) {
    return false;
  }
  run.Apply(Redriven{});
  return true;
}

void RunSome(SimulatedRun& run, size_t inputs = kMaxInputs) {
  while (run.log().size() < inputs && Advance(run)) {
  }
}

// The effects of a run of the log, one after the other.
std::vector<std::string> Replayed(
    const std::shared_ptr<const StateMachine>& machine,
    const std::vector<std::string>& log) {
  Execution::Started started =
      Execution::Start(machine, SimulatedInfo(),
                       ParsedData(kRandomMachineInput), SimulatedStart());
  std::vector<std::string> effects = {Described(started.effects)};
  for (const std::string& text : log) {
    effects.push_back(Described(started.execution->Apply(*ParseInput(text))));
  }
  return effects;
}

// **Feature: stepfunctions, Property 1: replaying the log of an execution gives
// the same output, events and effects**
TEST(ExecutionProperty, ReplayGivesTheSame) {
  CheckProperty([] {
    const auto seed = *rc::gen::arbitrary<uint64_t>();
    SimulatedRun run = NewRun(seed);
    RunSome(run);
    const std::string events = run.EventsJson();
    const std::string outcome = run.Outcome();
    run.Restart();
    RC_ASSERT(run.EventsJson() == events);
    RC_ASSERT(run.Outcome() == outcome);
    const std::shared_ptr<const StateMachine> machine = NewMachine(seed);
    RC_ASSERT(Replayed(machine, run.log()) == Replayed(machine, run.log()));
  });
}

// **Feature: stepfunctions, Property 2: an execution that is cut off anywhere,
// replayed and continued ends as one that was not**
TEST(ExecutionProperty, ARestartChangesNothing) {
  CheckProperty([] {
    const auto seed = *rc::gen::arbitrary<uint64_t>();
    SimulatedRun whole = NewRun(seed);
    RunSome(whole);
    const size_t cut = *rc::gen::inRange<size_t>(0, whole.log().size() + 1);
    SimulatedRun run = NewRun(seed);
    RunSome(run, cut);
    run.Restart();
    RunSome(run);
    RC_ASSERT(run.log() == whole.log());
    RC_ASSERT(run.EventsJson() == whole.EventsJson());
    RC_ASSERT(run.Outcome() == whole.Outcome());
  });
}

// **Feature: stepfunctions, Property 3: the delays of retries are those that the
// specification computes**
TEST(ExecutionProperty, RetriesWaitAsSpecified) {
  CheckProperty([] {
    const int interval = *rc::gen::inRange(1, 100);
    const int attempts = *rc::gen::inRange(0, 8);
    const double rate = *rc::gen::inRange(10, 40) / 10.0;
    const int most = *rc::gen::inRange(100, 1000);
    const bool jitter = *rc::gen::arbitrary<bool>();
    const std::string machine = absl::StrCat(
        R"({"StartAt": "T", "States": {"T": {"Type": "Task", "End": true,
            "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f",
            "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": )",
        interval, R"(, "MaxAttempts": )", attempts, R"(, "BackoffRate": )",
        rate, R"(, "MaxDelaySeconds": )", most, R"(, "JitterStrategy": ")",
        jitter ? "FULL" : "NONE", "\"}]}}}");
    SimulatedRun run(machine, "{}", [](const TaskRequest&) {
      return TaskMock::Fail("E", "cause");
    });
    std::vector<absl::Time> starts = {run.now()};
    while (run.RunOne()) {
      if (run.tasks().size() > starts.size()) starts.push_back(run.now());
    }
    RC_ASSERT(starts.size() == static_cast<size_t>(attempts) + 1);
    for (size_t i = 1; i < starts.size(); ++i) {
      const absl::Duration delay = starts[i] - starts[i - 1];
      const absl::Duration expected = absl::Seconds(std::min<double>(
          most, interval * std::pow(rate, static_cast<double>(i - 1))));
      RC_ASSERT(delay >= absl::ZeroDuration());
      RC_ASSERT(delay <= expected + absl::Milliseconds(1));
      if (!jitter) {
        RC_ASSERT(delay >= expected - absl::Milliseconds(1));
      }
    }
  });
}

// **Feature: stepfunctions, Property 4: an execution that has ended wants nothing
// any more**
TEST(ExecutionProperty, AnEndLeavesNothingPending) {
  CheckProperty([] {
    SimulatedRun run = NewRun(*rc::gen::arbitrary<uint64_t>());
    const auto inputs = *rc::gen::inRange<size_t>(0, 60);
    RunSome(run, inputs);
    run.Apply(StopRequested{});
    const Effects pending = run.execution().Pending();
    RC_ASSERT(pending.tasks.empty());
    RC_ASSERT(pending.timers.empty());
    RC_ASSERT(!pending.go_on);
    RC_ASSERT(pending.end.has_value());
  });
}

// An input that need not fit, with small ids.
rc::Gen<decltype(ExecutionInput::what)> AnyInput() {
  using What = decltype(ExecutionInput::what);
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange(0, 10), rc::gen::inRange<uint64_t>(0, 12)),
      [](const std::pair<int, uint64_t>& drawn) -> What {
        const uint64_t id = drawn.second;
        switch (drawn.first) {
          case 0:
            return TaskSubmitted{id, Data::EmptyObject()};
          case 1:
            return TaskSucceeded{id, Data::Integer(static_cast<int64_t>(id))};
          case 2:
            return TaskFailed{id, "E", std::nullopt};
          case 3:
            return TaskHeartbeat{id};
          case 4:
            return ActivityStarted{id, "worker"};
          case 5:
            return StopRequested{};
          case 6:
            return Redriven{};
          case 7:
            return GoOn{};
          default:
            return TimerFired{id};
        }
      });
}

// **Feature: stepfunctions, Property 5: inputs that do not fit break nothing, and
// the log can still be replayed**
TEST(ExecutionProperty, AnyInputsCanBeApplied) {
  CheckProperty([] {
    const auto seed = *rc::gen::arbitrary<uint64_t>();
    SimulatedRun run(NewMachine(seed), ParsedData(kRandomMachineInput), {});
    for (const auto& input :
         *rc::gen::container<std::vector<decltype(ExecutionInput::what)>>(
             AnyInput())) {
      run.Apply(input);
    }
    const std::string events = run.EventsJson();
    const Effects pending = run.execution().Pending();
    run.Restart();
    RC_ASSERT(run.EventsJson() == events);
    RC_ASSERT(Described(run.execution().Pending()) == Described(pending));
  });
}

}  // namespace
}  // namespace byoshin::properties
