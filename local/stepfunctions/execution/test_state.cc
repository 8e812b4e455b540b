#include "local/stepfunctions/execution/test_state.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {
namespace {

using Outcome = StateTestHooks::Outcome;

absl::string_view StatusOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSucceeded:
      return "SUCCEEDED";
    case Outcome::kRetriable:
      return "RETRIABLE";
    case Outcome::kCaught:
      return "CAUGHT_ERROR";
    case Outcome::kFailed:
    case Outcome::kNone:
      break;
  }
  return "FAILED";
}

// inspectionData's errorDetails; empty if nothing is known of the error.
Data ErrorDetailsOf(const StateTestHooks& hooks) {
  ObjectBuilder details;
  if (hooks.outcome == Outcome::kCaught) {
    details.Set("catchIndex",
                Data::Integer(static_cast<int64_t>(hooks.catcher)));
  } else if (hooks.retrier) {
    details.Set("retryIndex",
                Data::Integer(static_cast<int64_t>(*hooks.retrier)));
    if (hooks.outcome == Outcome::kRetriable) {
      details.Set("retryBackoffIntervalSeconds",
                  Data::Integer(absl::ToInt64Seconds(hooks.retry_delay)));
    }
  }
  return std::move(details).Build();
}

StateTestHooks HooksFor(const TestStateRequest& request) {
  StateTestHooks hooks;
  hooks.context = request.context;
  hooks.mock_result = request.mock_result;
  if (request.mock_error) {
    hooks.mock_failure = Failure{.error = request.mock_error->error,
                                 .cause = request.mock_error->cause};
  }
  hooks.item_reader_data = request.map_item_reader_data;
  hooks.iteration_failures = request.map_iteration_failure_count;
  hooks.retry_count = request.retrier_retry_count;
  return hooks;
}

}  // namespace

// ---- The interpreter's part ----

void Execution::Machine::InspectTask(const Strand& strand,
                                     const Data& effective,
                                     const Data& arguments) {
  if (hooks_ == nullptr) return;
  if (strand.state->query_language == QueryLanguage::kJsonPath) {
    Inspect("afterInputPath", effective);
    Inspect("afterParameters", arguments);
  } else if (strand.state->arguments) {
    Inspect("afterArguments", arguments);
  }
}

void Execution::Machine::InspectMap(const Strand& strand,
                                    const Children& children) {
  if (hooks_ == nullptr) return;
  if (strand.state->query_language == QueryLanguage::kJsonPath) {
    Inspect("afterInputPath", children.effective_input);
    Inspect("afterItemsPath", children.items);
  }
  hooks_->inspection.Set("maxConcurrency",
                         Data::Integer(children.wanted_concurrency));
  if (children.tolerated.count) {
    hooks_->inspection.Set("toleratedFailureCount",
                           Data::Integer(*children.tolerated.count));
  }
  if (children.tolerated.percentage) {
    hooks_->inspection.Set(
        "toleratedFailurePercentage",
        Data::JavaScriptNumber(*children.tolerated.percentage));
  }
}

bool Execution::Machine::FinishWithMock(Strand& strand,
                                        const Children* children) {
  if (hooks_ == nullptr) return false;
  if (hooks_->mock_failure) {
    HandleFailure(strand, *hooks_->mock_failure);
    return true;
  }
  if (!hooks_->mock_result) return false;
  if (children != nullptr && hooks_->iteration_failures) {
    const int64_t failures = *hooks_->iteration_failures;
    const ToleratedFailure& tolerated = children->tolerated;
    if ((tolerated.count && failures > *tolerated.count) ||
        (tolerated.percentage &&
         static_cast<double>(failures) * 100 >
             *tolerated.percentage *
                 static_cast<double>(children->items.size()))) {
      HandleFailure(strand, ToleranceExceeded());
      return true;
    }
  }
  FinishWithResult(strand, *hooks_->mock_result);
  return true;
}

// ---- The test ----

class StateTest::Run {
 public:
  static absl::StatusOr<std::unique_ptr<Run>> Start(TestStateRequest request) {
    const StateMachine& machine = *request.machine;
    const State* state =
        FindAnywhere(machine, request.state_name.empty() ? machine.start_at
                                                         : request.state_name);
    if (state == nullptr) {
      return absl::InvalidArgumentError("State not found in definition");
    }
    if (absl::Status good = CheckTest(request, *state); !good.ok()) return good;
    auto run = absl::WrapUnique(new Run(std::move(request)));
    run->Begin(*state);
    return run;
  }

  const TaskRequest* task() const { return task_ ? &*task_ : nullptr; }

  void Finish(std::variant<TaskSucceeded, TaskFailed> outcome) {
    if (!task_) return;
    const TaskId task = task_->id;
    task_.reset();
    ExecutionInput input{.time = request_.now, .what = GoOn{}};
    if (auto* succeeded = std::get_if<TaskSucceeded>(&outcome)) {
      succeeded->task = task;
      input.what = *succeeded;
    } else {
      TaskFailed& failed = std::get<TaskFailed>(outcome);
      failed.task = task;
      input.what = failed;
    }
    machine_.Apply(input);
    Conclude();
  }

  const TestStateResult& result() const { return result_; }

 private:
  explicit Run(TestStateRequest request)
      : request_(std::move(request)),
        hooks_(HooksFor(request_)),
        machine_(request_.machine, request_.info, request_.input,
                 request_.now) {}

  void Begin(const State& state) {
    hooks_.inspection.Set("input", Data::String(request_.input.ToJson()));
    Effects effects = machine_.StartTest(state, request_.variables, &hooks_);
    if (effects.tasks.empty()) return Conclude();
    task_ = std::move(effects.tasks.front());
  }

  void Conclude() {
    result_.status = std::string(StatusOf(hooks_.outcome));
    if (hooks_.outcome != Outcome::kSucceeded) {
      result_.error = hooks_.failure.error;
      result_.cause = hooks_.failure.cause;
    }
    if (hooks_.outcome == Outcome::kSucceeded ||
        hooks_.outcome == Outcome::kCaught) {
      result_.output = hooks_.output;
      if (!hooks_.next.empty()) result_.next_state = hooks_.next;
    }
    if (request_.inspection_level == InspectionLevel::kInfo) return;
    const Data details = ErrorDetailsOf(hooks_);
    if (details.size() > 0) hooks_.inspection.Set("errorDetails", details);
    if (hooks_.variables.size() > 0) {
      hooks_.inspection.Set("variables",
                            Data::String(hooks_.variables.ToJson()));
    }
    result_.inspection_data = std::move(hooks_.inspection).Build();
  }

  TestStateRequest request_;
  StateTestHooks hooks_;
  Execution::Machine machine_;
  std::optional<TaskRequest> task_;
  TestStateResult result_;
};

absl::StatusOr<StateTest> StateTest::Start(TestStateRequest request) {
  absl::StatusOr<std::unique_ptr<Run>> run = Run::Start(std::move(request));
  if (!run.ok()) return run.status();
  return StateTest(*std::move(run));
}

StateTest::StateTest(std::unique_ptr<Run> run) : run_(std::move(run)) {}
StateTest::StateTest(StateTest&&) noexcept = default;
StateTest& StateTest::operator=(StateTest&&) noexcept = default;
StateTest::~StateTest() = default;

const TaskRequest* StateTest::task() const { return run_->task(); }

void StateTest::Finish(std::variant<TaskSucceeded, TaskFailed> outcome) {
  run_->Finish(std::move(outcome));
}

const TestStateResult& StateTest::result() const { return run_->result(); }

}  // namespace byoshin::local::stepfunctions
