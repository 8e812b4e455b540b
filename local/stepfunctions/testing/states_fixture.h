// Step Functions on a simulated clock, with tasks in the hands of the test.
//
//   const std::string machine = Create("m", R"({"StartAt": …})");
//   const std::string execution = Start(machine, R"({"x":1})");
//   EXPECT_EQ(Describe(execution)["status"], "SUCCEEDED");
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_TESTING_STATES_FIXTURE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_TESTING_STATES_FIXTURE_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/status_change.h"
#include "local/stepfunctions/stepfunctions.h"
#include "local/stepfunctions/tasks.h"
#include "local/store/store.h"
#include "local/store/testing/failing_store.h"

namespace byoshin::local::stepfunctions {

// Remembers the tasks, and answers as it is told. Thread-safe.
class FakeTasks final : public TaskRunner {
 public:
  using Behaviour = std::function<TaskOutcome(const TaskCall&)>;

  // By default a task gives back its arguments.
  void Answer(Behaviour behaviour);
  // Those that come from now on are not answered.
  void Hang() { Answer(nullptr); }

  void Run(TaskCall call, std::function<void(TaskOutcome)> done) override;

  std::vector<TaskCall> calls() const;

 private:
  mutable sync::Mutex mutex_;
  Behaviour behaviour_ ABSL_GUARDED_BY(mutex_) = [](const TaskCall& call) {
    return TaskOutcome(call.arguments);
  };
  std::vector<TaskCall> calls_ ABSL_GUARDED_BY(mutex_);
};

class StatesFixture : public ::testing::Test {
 protected:
  static constexpr char kRole[] = "arn:aws:iam::000000000000:role/r";
  static constexpr char kArnPrefix[] = "arn:aws:states:us-east-1:000000000000:";

  StatesFixture() { Open(); }

  // As a process that starts again: what was not committed is lost.
  void Open();

  // The answer's body.
  Json::Value Ask(absl::string_view operation, const std::string& body);
  // The same while simulated time goes on.
  void AskLater(absl::string_view operation, const std::string& body,
                std::function<void(Json::Value)> done);

  // The ARN of a new state machine.
  std::string Create(const std::string& name, const std::string& definition,
                     const std::string& more = "");
  // The ARN of a new execution.
  std::string Start(const std::string& machine, const std::string& input,
                    const std::string& name = "");
  Json::Value Describe(const std::string& execution);
  std::string StatusOf(const std::string& execution);
  // The types of its events.
  std::vector<std::string> EventTypes(const std::string& execution);

  // Until nothing more happens at this time.
  void Settle() { clock_.AwaitIdle(); }
  void RunFor(absl::Duration duration) {
    clock_.RunUntil(clock_.Now() + duration);
  }

  // 2026-11-17T08:00:00Z
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'794'902'400)};
  std::unique_ptr<Store> sqlite_;
  std::unique_ptr<FailingStore> store_;
  FakeTasks tasks_;
  // Group and line.
  sync::Mutex log_mutex_;
  std::vector<std::pair<std::string, std::string>> log_
      ABSL_GUARDED_BY(log_mutex_);
  // What EventBridge gets, if it wants status changes.
  sync::Mutex changes_mutex_;
  bool changes_wanted_ ABSL_GUARDED_BY(changes_mutex_) = true;
  // Whether it says that it has stored them.
  bool changes_stored_ ABSL_GUARDED_BY(changes_mutex_) = true;
  std::vector<StatusChange> changes_ ABSL_GUARDED_BY(changes_mutex_);
  std::unique_ptr<StepFunctions> states_;
};

// {"StartAt":"S", "States":{"S":STATE}}
std::string OneState(absl::string_view state);
// The text as a JSON string.
std::string QuotedJson(absl::string_view text);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_TESTING_STATES_FIXTURE_H_
