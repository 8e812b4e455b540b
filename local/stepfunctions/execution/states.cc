#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluation.h"

namespace byoshin::local::stepfunctions {
namespace {

HistoryEventType EnteredType(StateType type) {
  switch (type) {
    case StateType::kTask:
      return HistoryEventType::kTaskStateEntered;
    case StateType::kChoice:
      return HistoryEventType::kChoiceStateEntered;
    case StateType::kWait:
      return HistoryEventType::kWaitStateEntered;
    case StateType::kSucceed:
      return HistoryEventType::kSucceedStateEntered;
    case StateType::kFail:
      return HistoryEventType::kFailStateEntered;
    case StateType::kParallel:
      return HistoryEventType::kParallelStateEntered;
    case StateType::kMap:
      return HistoryEventType::kMapStateEntered;
    case StateType::kPass:
      break;
  }
  return HistoryEventType::kPassStateEntered;
}

template <typename PathType>
bool Absent(const PathField<PathType>& field) {
  return field.kind == PathField<PathType>::Kind::kAbsent;
}

bool IsJsonata(const State& state) {
  return state.query_language == QueryLanguage::kJsonata;
}

}  // namespace

void Execution::Machine::Enter(Strand& strand) {
  strand.event_before = strand.last_event;
  HistoryEvent& event = AddEvent(strand, EnteredType(strand.state->type));
  event.name = strand.state->name;
  SetEventData(*strand.run, event, strand.input);
  strand.entered_event = event.id;
  strand.entered_time = now_;
  strand.attempts.clear();
  strand.retry_count = 0;
  strand.token.clear();
  Attempt(strand);
}

void Execution::Machine::Attempt(Strand& strand) {
  switch (strand.state->type) {
    case StateType::kTask:
      return RunTask(strand);
    case StateType::kPass:
      return RunPass(strand);
    case StateType::kChoice:
      return RunChoice(strand);
    case StateType::kWait:
      return RunWait(strand);
    case StateType::kSucceed:
      return RunSucceed(strand);
    case StateType::kFail:
      return RunFail(strand);
    case StateType::kParallel:
      return RunParallel(strand);
    case StateType::kMap:
      return RunMap(strand);
  }
}

Evaluated<Data> Execution::Machine::EffectiveInput(Strand& strand) {
  if (Absent(strand.state->input_path)) return strand.input;
  return SelectPath(strand.state->input_path, ScopeOf(strand, strand.input));
}

void Execution::Machine::RunPass(Strand& strand) {
  const State& state = *strand.state;
  if (IsJsonata(state)) return FinishWithInput(strand);
  Evaluated<Data> effective = EffectiveInput(strand);
  if (!effective.ok()) return FailEvaluation(strand, effective.error());
  Evaluated<Data> result = *effective;
  if (state.arguments) {
    result = EvaluateArguments(state, ScopeOf(strand, *effective));
    if (!result.ok()) return FailEvaluation(strand, result.error());
  }
  if (state.result) {
    Inspect("result", *state.result);
    return FinishWithResult(strand, *state.result);
  }
  Inspect("afterInputPath", *effective);
  Inspect("afterParameters", *result);
  FinishWithResult(strand, *result);
}

void Execution::Machine::RunChoice(Strand& strand) {
  const State& state = *strand.state;
  Evaluated<Data> effective = EffectiveInput(strand);
  if (!effective.ok()) return FailEvaluation(strand, effective.error());
  if (!IsJsonata(state)) Inspect("afterInputPath", *effective);
  const Scope scope = ScopeOf(strand, *effective);
  const Evaluated<std::optional<size_t>> found = FindChoice(state, scope);
  if (!found.ok()) return FailEvaluation(strand, found.error());
  const ChoiceRule* rule =
      found->has_value() ? &state.choices[**found] : nullptr;
  if (rule == nullptr && state.default_state.empty()) {
    return FailEvaluation(
        strand, {.error = kErrorNoChoiceMatched,
                 .cause = "Failed to transition out of the state. The state "
                          "does not point to a next state.",
                 .location = ""});
  }
  const Evaluated<Data> assigned =
      EvaluateAssign(rule != nullptr ? rule->assign : state.assign, scope);
  if (!assigned.ok()) return FailEvaluation(strand, assigned.error());
  const std::optional<Template>& template_for_output =
      rule != nullptr ? rule->output : state.output;
  Evaluated<Data> output =
      IsJsonata(state) ? EvaluateOutput(template_for_output, *effective, scope)
                       : SelectPath(state.output_path, scope);
  if (!output.ok()) return FailEvaluation(strand, output.error());
  const std::string& next = rule != nullptr ? rule->next : state.default_state;
  Exit(strand, *std::move(output), *assigned, strand.machine->Find(next), next);
}

void Execution::Machine::RunWait(Strand& strand) {
  Evaluated<Data> effective = EffectiveInput(strand);
  if (!effective.ok()) return FailEvaluation(strand, effective.error());
  const Evaluated<absl::Time> until =
      WaitUntil(*strand.state, ScopeOf(strand, *std::move(effective)), now_);
  if (!until.ok()) return FailEvaluation(strand, until.error());
  // TestState does not wait.
  if (*until <= now_ || hooks_ != nullptr) return FinishWithInput(strand);
  strand.phase = Strand::Phase::kWaiting;
  strand.timer = SetTimer(TimerKind::kWait, *until, &strand);
}

void Execution::Machine::RunSucceed(Strand& strand) { FinishWithInput(strand); }

void Execution::Machine::RunFail(Strand& strand) {
  const State& state = *strand.state;
  if (!IsJsonata(state)) Inspect("afterInputPath", strand.input);
  Failure failure;
  if (state.error || state.cause) {
    const Scope scope = ScopeOf(strand, strand.input);
    Evaluated<std::optional<std::string>> error =
        EvaluateText(state.error, scope);
    if (!error.ok()) return FailEvaluation(strand, error.error());
    Evaluated<std::optional<std::string>> cause =
        EvaluateText(state.cause, scope);
    if (!cause.ok()) return FailEvaluation(strand, cause.error());
    failure.error = *std::move(error);
    failure.cause = *std::move(cause);
  }
  HandleFailure(strand, std::move(failure));
}

void Execution::Machine::FinishWithInput(Strand& strand) {
  const State& state = *strand.state;
  Evaluated<Data> output = EffectiveInput(strand);
  if (!output.ok()) return FailEvaluation(strand, output.error());
  if (!IsJsonata(state)) Inspect("afterInputPath", *output);
  Evaluated<Data> assigned = Data::EmptyObject();
  if (state.assign || state.output || !Absent(state.output_path)) {
    const Scope scope = ScopeOf(strand, *output);
    assigned = EvaluateAssign(state.assign, scope);
    if (!assigned.ok()) return FailEvaluation(strand, assigned.error());
    output = IsJsonata(state) ? EvaluateOutput(state.output, *output, scope)
                              : SelectPath(state.output_path, scope);
    if (!output.ok()) return FailEvaluation(strand, output.error());
  }
  Exit(strand, *std::move(output), *assigned, state.next_state, state.next);
}

void Execution::Machine::FinishWithResult(Strand& strand, const Data& result) {
  const State& state = *strand.state;
  Evaluated<Data> output = result;
  Evaluated<Data> assigned = Data::EmptyObject();
  if (IsJsonata(state)) {
    if (state.assign || state.output) {
      Scope scope = ScopeOf(strand, strand.input);
      scope.result = result;
      assigned = EvaluateAssign(state.assign, scope);
      if (!assigned.ok()) return FailEvaluation(strand, assigned.error());
      output = EvaluateOutput(state.output, result, scope);
    }
  } else {
    if (state.assign) {
      assigned = EvaluateAssign(state.assign, ScopeOf(strand, result));
      if (!assigned.ok()) return FailEvaluation(strand, assigned.error());
    }
    output = PlaceResult(strand, result);
  }
  if (!output.ok()) return FailEvaluation(strand, output.error());
  Exit(strand, *std::move(output), *assigned, state.next_state, state.next);
}

Evaluated<Data> Execution::Machine::PlaceResult(Strand& strand,
                                                const Data& result) {
  const State& state = *strand.state;
  Evaluated<Data> selected = result;
  if (state.result_selector) {
    selected = SelectResult(state, ScopeOf(strand, result));
    if (!selected.ok()) return selected;
  }
  Inspect("afterResultSelector", *selected);
  Evaluated<Data> placed =
      PutResult(state.result_path, strand.input, *selected);
  if (!placed.ok()) return placed;
  Inspect("afterResultPath", *placed);
  if (Absent(state.output_path)) return placed;
  return SelectPath(state.output_path, ScopeOf(strand, *placed));
}

void Execution::Machine::Exit(Strand& strand, Data output, const Data& assigned,
                              const State* next, absl::string_view next_name) {
  if (TooLarge(output) || assigned.depth() > kMaxDataDepth) {
    return HandleFailure(strand, DataLimitFailure(strand.state->name));
  }
  if (hooks_ != nullptr) {
    hooks_->outcome = StateTestHooks::Outcome::kSucceeded;
    hooks_->output = std::move(output);
    hooks_->next = std::string(next_name);
    hooks_->variables = Merged(strand.variables, assigned);
    return;
  }
  AddExited(strand, output, assigned);
  if (assigned.size() > 0) {
    strand.variables = Merged(strand.variables, assigned);
    if (strand.variables.JsonSize() > kMaxVariablesBytes) {
      return FailStrand(strand, {.error = kErrorDataLimitExceeded,
                                 .cause = "The variables exceed the maximum "
                                          "size of an execution's variables."});
    }
  }
  strand.children.reset();
  if (next == nullptr) return EndStrand(strand, std::move(output));
  strand.state = next;
  strand.input = std::move(output);
  Continue(strand, Strand::Phase::kEnter);
}

void Execution::Machine::EndStrand(Strand& strand, Data output) {
  if (strand.parent != nullptr) return FinishChild(strand, std::move(output));
  // A history without room for the last events has failed the execution.
  if (full_run_ == &run_) return;
  EndExecution(
      {.status = ExecutionStatus::kSucceeded, .output = std::move(output)},
      HistoryEventType::kExecutionSucceeded);
}

}  // namespace byoshin::local::stepfunctions
