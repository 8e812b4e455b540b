#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/retry.h"

namespace byoshin::local::stepfunctions {
namespace {

// What a Catch sees.
Data ErrorOutputOf(const Failure& failure) {
  ObjectBuilder output;
  output.Set("Error", Data::String(failure.error.value_or("")));
  output.Set("Cause", Data::String(failure.cause.value_or("")));
  return std::move(output).Build();
}

}  // namespace

std::string Execution::Machine::CauseOf(const Strand& strand,
                                        absl::string_view cause) const {
  // TestState's answers do not name the state.
  if (hooks_ != nullptr) return std::string(cause);
  return absl::StrCat("An error occurred while executing the state '",
                      strand.state->name, "' (entered at the event id #",
                      strand.entered_event, "). ", cause);
}

Failure Execution::Machine::EvaluationFailure(Strand& strand,
                                              const EvaluationError& error) {
  Failure failure{.error = error.error,
                  .cause = CauseOf(strand, error.cause),
                  .of_evaluation = true,
                  .location = error.location};
  if (error.error != kErrorQueryEvaluation) return failure;
  // On AWS, a failure before anything has happened comes after the event before
  // the state's, except in Wait states.
  const bool nothing_happened = strand.last_event == strand.entered_event &&
                                strand.state->type != StateType::kWait;
  HistoryEvent& event = AddEventAfter(
      *strand.run, nothing_happened ? strand.event_before : strand.last_event,
      HistoryEventType::kEvaluationFailed);
  event.name = strand.state->name;
  auto details = std::make_shared<HistoryEventDetails>();
  details->error = failure.error;
  details->cause = failure.cause;
  details->location = failure.location;
  event.details = std::move(details);
  strand.last_event = event.id;
  return failure;
}

void Execution::Machine::FailEvaluation(Strand& strand,
                                        const EvaluationError& error) {
  HandleFailure(strand, EvaluationFailure(strand, error));
}

Failure Execution::Machine::DataLimitFailure(absl::string_view name) const {
  return {.error = kErrorDataLimitExceeded,
          .cause = absl::StrCat(
              "The state/task '", name,
              "' returned a result with a size exceeding the maximum number of "
              "bytes service limit."),
          .of_evaluation = true};
}

void Execution::Machine::HandleFailure(Strand& strand, Failure failure) {
  if (Retry(strand, failure)) return;
  AddFailureEvents(strand, failure);
  if (Catch(strand, failure)) return;
  FailStrand(strand, std::move(failure));
}

bool Execution::Machine::Retry(Strand& strand, const Failure& failure) {
  const std::vector<Retrier>& retriers = strand.state->retry;
  const std::optional<size_t> found =
      FindRetrier(retriers, failure.error.value_or(""));
  if (!found) return false;
  strand.attempts.resize(retriers.size());
  int64_t& attempts = strand.attempts[*found];
  if (hooks_ != nullptr) {
    attempts += hooks_->retry_count;
    hooks_->retrier = found;
  }
  if (attempts >= retriers[*found].max_attempts) return false;
  const absl::Duration delay = RetryDelay(retriers[*found], attempts, random_);
  if (hooks_ != nullptr) {
    hooks_->outcome = StateTestHooks::Outcome::kRetriable;
    hooks_->failure = failure;
    hooks_->retry_delay = delay;
    return true;
  }
  ++attempts;
  ++strand.retry_count;
  strand.children.reset();
  strand.phase = Strand::Phase::kRetrying;
  strand.timer = SetTimer(TimerKind::kRetry, now_ + delay, &strand);
  return true;
}

void Execution::Machine::AddFailureEvents(Strand& strand,
                                          const Failure& failure) {
  const StateType type = strand.state->type;
  if (type != StateType::kMap && type != StateType::kParallel) return;
  if (failure.of_evaluation && failure.error != kErrorQueryEvaluation) return;
  AddEvent(strand, type == StateType::kMap
                       ? HistoryEventType::kMapStateFailed
                       : HistoryEventType::kParallelStateFailed);
}

bool Execution::Machine::Catch(Strand& strand, const Failure& failure) {
  const State& state = *strand.state;
  const std::optional<size_t> found =
      FindCatcher(state.catchers, failure.error.value_or(""));
  if (!found) return false;
  const Catcher& catcher = state.catchers[*found];
  const Data error_output = ErrorOutputOf(failure);
  const bool jsonata = state.query_language == QueryLanguage::kJsonata;
  Scope scope = ScopeOf(strand, jsonata ? strand.input : error_output);
  if (jsonata) scope.error_output = error_output;
  Evaluated<Data> assigned = EvaluateAssign(catcher.assign, scope);
  Evaluated<Data> output =
      jsonata ? EvaluateOutput(catcher.output, error_output, scope)
              : PutResult(catcher.result_path, strand.input, error_output);
  if (!assigned.ok() || !output.ok()) {
    FailStrand(strand,
               EvaluationFailure(
                   strand, assigned.ok() ? output.error() : assigned.error()));
    return true;
  }
  if (TooLarge(*output) || assigned->depth() > kMaxDataDepth) {
    FailStrand(strand, DataLimitFailure(state.name));
    return true;
  }
  Exit(strand, *std::move(output), *assigned,
       strand.machine->Find(catcher.next), catcher.next);
  if (hooks_ != nullptr) {
    hooks_->outcome = StateTestHooks::Outcome::kCaught;
    hooks_->failure = failure;
    hooks_->catcher = *found;
  }
  return true;
}

void Execution::Machine::FailStrand(Strand& strand, Failure failure) {
  strand.phase = Strand::Phase::kStopped;
  if (hooks_ != nullptr) {
    hooks_->outcome = StateTestHooks::Outcome::kFailed;
    hooks_->failure = std::move(failure);
    return;
  }
  if (strand.parent != nullptr) return FailChild(strand, std::move(failure));
  EndExecution({.status = ExecutionStatus::kFailed,
                .error = std::move(failure.error),
                .cause = std::move(failure.cause)},
               HistoryEventType::kExecutionFailed);
}

}  // namespace byoshin::local::stepfunctions
