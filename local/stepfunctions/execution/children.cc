#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluation.h"

namespace byoshin::local::stepfunctions {
namespace {

std::shared_ptr<const HistoryEventDetails> NumberDetails(int64_t number) {
  auto details = std::make_shared<HistoryEventDetails>();
  details->number = number;
  return details;
}

// An event for a state that was waiting when a sibling failed; nothing for
// those that never wait.
std::optional<HistoryEventType> AbortedType(StateType type) {
  switch (type) {
    case StateType::kTask:
      return HistoryEventType::kTaskStateAborted;
    case StateType::kWait:
      return HistoryEventType::kWaitStateAborted;
    case StateType::kParallel:
      return HistoryEventType::kParallelStateAborted;
    case StateType::kMap:
      return HistoryEventType::kMapStateAborted;
    default:
      return std::nullopt;
  }
}

// What iteration `index` of a Map over `items` is for. A member of an object is
// an object with its name and its value.
Data ItemAt(const Data& items, size_t index) {
  if (items.is_array()) return items.elements()[index];
  const Data::Member& member = items.members()[index];
  ObjectBuilder item;
  item.Set("Key", member.key);
  item.Set("Value", member.value);
  return std::move(item).Build();
}

// $$.Map.Item
Data MapItemAt(const Data& items, size_t index) {
  ObjectBuilder item;
  item.Set("Index", Data::Integer(static_cast<int64_t>(index)));
  if (items.is_object()) {
    item.Set("Key", items.members()[index].key);
    item.Set("Value", items.members()[index].value);
  } else {
    item.Set("Value", items.elements()[index]);
  }
  return std::move(item).Build();
}

}  // namespace

void Execution::Machine::RunParallel(Strand& strand) {
  const State& state = *strand.state;
  Evaluated<Data> input = EffectiveInput(strand);
  if (!input.ok()) return FailEvaluation(strand, input.error());
  if (state.arguments) {
    input = EvaluateArguments(state, ScopeOf(strand, *input));
    if (!input.ok()) return FailEvaluation(strand, input.error());
  }
  if (TooLarge(*input)) {
    return HandleFailure(strand, DataLimitFailure(state.name));
  }
  if (FinishWithMock(strand, nullptr)) return;
  const int64_t started =
      AddEvent(strand, HistoryEventType::kParallelStateStarted).id;
  auto children = std::make_unique<Children>();
  children->results.resize(state.branches.size());
  children->next = state.branches.size();
  strand.children = std::move(children);
  strand.phase = Strand::Phase::kChildren;
  for (size_t i = 0; i < state.branches.size(); ++i) {
    const StateMachine& branch = state.branches[i];
    auto child = std::make_unique<Strand>(&branch, strand.run, &strand);
    child->index = static_cast<int64_t>(i);
    child->last_event = started;
    child->variables = strand.variables;
    child->map_item = strand.map_item;
    child->input = *input;
    AddChild(strand, std::move(child));
  }
}

void Execution::Machine::RunMap(Strand& strand) {
  auto children = std::make_unique<Children>();
  const Evaluated<Data> items = PrepareMap(strand, *children);
  if (!items.ok()) return FailEvaluation(strand, items.error());
  children->items = *items;
  std::optional<EvaluationError> error = LimitConcurrency(strand, *children);
  if (error) return FailEvaluation(strand, *error);
  HistoryEvent& event = AddEvent(strand, HistoryEventType::kMapStateStarted);
  event.details = NumberDetails(static_cast<int64_t>(items->size()));
  error = LimitFailures(strand, *children);
  if (error) return FailEvaluation(strand, *error);
  if (FinishWithMock(strand, children.get())) return;
  strand.children = std::move(children);
  strand.phase = Strand::Phase::kChildren;
  if (strand.state->map->mode == MapFields::Mode::kDistributed) {
    StartMapRun(strand);
  }
  if (strand.children->results.empty()) return FinishChildren(strand);
  StartIterations(strand, strand.last_event);
}

Evaluated<Data> Execution::Machine::PrepareMap(Strand& strand,
                                               Children& children) {
  const State& state = *strand.state;
  Evaluated<Data> effective = EffectiveInput(strand);
  if (!effective.ok()) return effective;
  children.effective_input = *effective;
  const Scope scope = ScopeOf(strand, *effective);
  if (state.map->item_reader) {
    if (hooks_ != nullptr && hooks_->item_reader_data) {
      return *hooks_->item_reader_data;
    }
    return EvaluationError{
        .error = kErrorItemReaderFailed,
        .cause = "The ItemReader cannot be used: this cloud has no S3.",
        .location = "ItemReader"};
  }
  if (state.map->result_writer && !state.map->result_writer->resource.empty() &&
      hooks_ == nullptr) {
    return EvaluationError{
        .error = kErrorResultWriterFailed,
        .cause = "The ResultWriter cannot be used: this cloud has no S3.",
        .location = "ResultWriter"};
  }
  return EvaluateItems(state, scope);
}

std::optional<EvaluationError> Execution::Machine::LimitConcurrency(
    Strand& strand, Children& children) {
  const State& state = *strand.state;
  Evaluated<int64_t> concurrency = int64_t{0};
  if (state.map->max_concurrency) {
    concurrency = EvaluateMaxConcurrency(
        state, ScopeOf(strand, children.effective_input));
    if (!concurrency.ok()) return concurrency.error();
  }
  const size_t limit = state.map->mode == MapFields::Mode::kDistributed
                           ? kMaxDistributedConcurrency
                           : kMaxInlineConcurrency;
  children.wanted_concurrency = *concurrency;
  children.max_concurrency =
      *concurrency <= 0 ? limit
                        : std::min(limit, static_cast<size_t>(*concurrency));
  return std::nullopt;
}

std::optional<EvaluationError> Execution::Machine::LimitFailures(
    Strand& strand, Children& children) {
  const State& state = *strand.state;
  if (state.map->tolerated_failure_count ||
      state.map->tolerated_failure_percentage) {
    Evaluated<ToleratedFailure> tolerated = EvaluateToleratedFailure(
        state, ScopeOf(strand, children.effective_input));
    if (!tolerated.ok()) return tolerated.error();
    children.tolerated = *tolerated;
  }
  InspectMap(strand, children);
  children.results.resize(children.items.size());
  return state.map->mode == MapFields::Mode::kDistributed
             ? MakeBatches(strand, children)
             : std::nullopt;
}

void Execution::Machine::StartIterations(Strand& strand, int64_t previous) {
  Children& children = *strand.children;
  while (children.next < children.results.size() &&
         children.running < children.max_concurrency) {
    const size_t index = children.next++;
    // A redrive leaves out what has succeeded.
    if (children.results[index]) continue;
    if (!StartIteration(strand, index, previous)) return;
  }
}

bool Execution::Machine::StartIteration(Strand& strand, size_t index,
                                        int64_t previous) {
  Children& children = *strand.children;
  Data map_item;
  Evaluated<Data> input = IterationInput(strand, index, map_item);
  if (!input.ok() || TooLarge(*input)) {
    // A redrive starts it again.
    children.next = index;
    Stop(strand);
    HandleFailure(strand, input.ok()
                              ? DataLimitFailure(strand.state->name)
                              : EvaluationFailure(strand, input.error()));
    return false;
  }
  if (children.map_run != nullptr) {
    AddChild(strand, MakeChildExecution(strand, index, *std::move(input)));
    return true;
  }
  HistoryEvent& event = AddEventAfter(*strand.run, previous,
                                      HistoryEventType::kMapIterationStarted);
  event.name = strand.state->name;
  event.details = NumberDetails(static_cast<int64_t>(index));
  auto child = std::make_unique<Strand>(&strand.state->map->processor,
                                        strand.run, &strand);
  child->index = static_cast<int64_t>(index);
  child->last_event = event.id;
  child->variables = strand.variables;
  child->map_item = std::move(map_item);
  child->input = *std::move(input);
  AddChild(strand, std::move(child));
  return true;
}

Evaluated<Data> Execution::Machine::IterationInput(Strand& strand, size_t index,
                                                   Data& map_item) {
  Children& children = *strand.children;
  if (children.batches.empty()) return ItemInput(strand, index, map_item);
  const auto [first, last] = children.batches[index];
  std::vector<Data> items;
  for (size_t i = first; i < last; ++i) {
    Evaluated<Data> item = ItemInput(strand, i, map_item);
    if (!item.ok()) return item;
    items.push_back(*std::move(item));
  }
  map_item = Data();
  ObjectBuilder batch;
  if (!children.batch_input.is_null()) {
    batch.Set("BatchInput", children.batch_input);
  }
  batch.Set("Items", Data::Array(std::move(items)));
  return std::move(batch).Build();
}

Evaluated<Data> Execution::Machine::ItemInput(Strand& strand, size_t index,
                                              Data& map_item) {
  const Children& children = *strand.children;
  map_item = MapItemAt(children.items, index);
  Data item = ItemAt(children.items, index);
  if (!strand.state->map->item_selector) return item;
  Scope scope = ScopeOf(strand, children.effective_input);
  scope.context = ContextOf(strand, map_item);
  return EvaluateItem(*strand.state, item, scope);
}

void Execution::Machine::AddChild(Strand& strand,
                                  std::unique_ptr<Strand> child) {
  Children& children = *strand.children;
  ++children.running;
  child->position = children.strands.size();
  child->state = child->machine->Find(child->machine->start_at);
  Continue(*child, Strand::Phase::kEnter);
  children.strands.push_back(std::move(child));
}

void Execution::Machine::RemoveChild(Strand& child) {
  std::vector<std::unique_ptr<Strand>>& strands =
      child.parent->children->strands;
  const size_t position = child.position;
  std::swap(strands[position], strands.back());
  strands[position]->position = position;
  strands.pop_back();
}

void Execution::Machine::FinishChild(Strand& child, Data output) {
  Strand& strand = *child.parent;
  Children& children = *strand.children;
  const int64_t last = child.last_event;
  int64_t succeeded = last;
  if (children.map_run != nullptr) {
    EndChildExecution(child, ExecutionStatus::kSucceeded, output, {});
    output = WrittenResult(child, std::move(output));
  } else if (strand.state->type == StateType::kMap) {
    HistoryEvent& event = AddEventAfter(
        *strand.run, last, HistoryEventType::kMapIterationSucceeded);
    event.name = strand.state->name;
    event.details = NumberDetails(child.index);
    succeeded = event.id;
  }
  children.results[static_cast<size_t>(child.index)] = std::move(output);
  ++children.succeeded;
  --children.running;
  RemoveChild(child);
  if (children.succeeded + children.failed < children.results.size()) {
    return StartIterations(strand, last);
  }
  if (children.map_run == nullptr) strand.last_event = succeeded;
  FinishChildren(strand);
}

void Execution::Machine::FailChild(Strand& child, Failure failure) {
  Strand& strand = *child.parent;
  --strand.children->running;
  failure.of_evaluation = false;
  if (strand.children->map_run != nullptr) {
    return FailChildExecution(child, failure);
  }
  const int64_t last = child.last_event;
  if (strand.state->type == StateType::kMap) {
    HistoryEvent& event =
        AddEventAfter(*strand.run, last, HistoryEventType::kMapIterationFailed);
    event.name = strand.state->name;
    event.details = NumberDetails(child.index);
  }
  AbortChildren(strand);
  strand.last_event = last;
  HandleFailure(strand, std::move(failure));
}

void Execution::Machine::AbortChildren(Strand& strand) {
  for (const std::unique_ptr<Strand>& child : strand.children->strands) {
    if (child->phase == Strand::Phase::kStopped) continue;
    if (child->children && child->children->map_run == nullptr) {
      AbortChildren(*child);
    }
    const std::optional<HistoryEventType> aborted =
        AbortedType(child->state->type);
    if (aborted && child->phase != Strand::Phase::kEnter) {
      AddEvent(*child, *aborted);
    }
    if (strand.state->type == StateType::kMap) {
      HistoryEvent& event =
          AddEventAfter(*strand.run, child->last_event,
                        HistoryEventType::kMapIterationAborted);
      event.name = strand.state->name;
      event.details = NumberDetails(child->index);
    }
    Stop(*child);
  }
  strand.children->running = 0;
}

void Execution::Machine::FinishChildren(Strand& strand) {
  Children& children = *strand.children;
  // The state goes on after its last branch or iteration, or after the start of
  // its Map Run, as on AWS.
  int64_t previous = strand.last_event;
  if (children.map_run != nullptr) {
    EndMapRun(strand, ExecutionStatus::kSucceeded);
    previous =
        AddEventAfter(*strand.run, previous, HistoryEventType::kMapRunSucceeded)
            .id;
  }
  AddEventAfter(*strand.run, previous,
                strand.state->type == StateType::kMap
                    ? HistoryEventType::kMapStateSucceeded
                    : HistoryEventType::kParallelStateSucceeded);
  std::vector<Data> results;
  const bool flatten = WritesFlattened(*strand.state);
  for (std::optional<Data>& result : children.results) {
    // Those that have failed, as far as that is tolerated, have none.
    if (!result) continue;
    if (flatten && result->is_array()) {
      results.insert(results.end(), result->elements().begin(),
                     result->elements().end());
    } else {
      results.push_back(*std::move(result));
    }
  }
  strand.children.reset();
  const Data result = Data::Array(std::move(results));
  if (TooLarge(result)) {
    return HandleFailure(strand, DataLimitFailure(strand.state->name));
  }
  FinishWithResult(strand, result);
}

}  // namespace byoshin::local::stepfunctions
