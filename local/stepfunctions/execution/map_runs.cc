#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/execution/machine.h"
#include "local/stepfunctions/execution/strand.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluation.h"

namespace byoshin::local::stepfunctions {
namespace {

// arn:aws:states:REGION:ACCOUNT:KIND:NAME of the same region and account.
std::string SiblingArn(absl::string_view arn, absl::string_view kind,
                       absl::string_view name) {
  std::vector<absl::string_view> parts = absl::StrSplit(arn, ':');
  parts.resize(5);
  return absl::StrCat(absl::StrJoin(parts, ":"), ":", kind, ":", name);
}

int64_t& CountOf(MapRun::Counts& counts, ExecutionStatus status) {
  switch (status) {
    case ExecutionStatus::kSucceeded:
      return counts.succeeded;
    case ExecutionStatus::kFailed:
      return counts.failed;
    case ExecutionStatus::kTimedOut:
      return counts.timed_out;
    case ExecutionStatus::kAborted:
      return counts.aborted;
    case ExecutionStatus::kRunning:
      break;
  }
  return counts.running;
}

bool ExceedsTolerance(const MapRun& run, const ToleratedFailure& tolerated) {
  const int64_t failed = run.items.failed + run.items.timed_out;
  if (failed == 0) return false;
  if (!tolerated.count && !tolerated.percentage) return true;
  if (tolerated.count && failed > *tolerated.count) return true;
  return tolerated.percentage &&
         static_cast<double>(failed) * 100 >
             *tolerated.percentage * static_cast<double>(run.items.total);
}

int64_t ItemsOf(const Children& children, size_t index) {
  if (children.batches.empty()) return 1;
  return static_cast<int64_t>(children.batches[index].second -
                              children.batches[index].first);
}

void SetTolerance(const ToleratedFailure& tolerated, MapRun& run) {
  run.tolerated_failure_count = tolerated.count.value_or(0);
  run.tolerated_failure_percentage = tolerated.percentage.value_or(0);
}

}  // namespace

void Execution::Machine::Recount(MapRun& run, int64_t items,
                                 ExecutionStatus from, ExecutionStatus to) {
  CountOf(run.items, from) -= items;
  CountOf(run.items, to) += items;
  --CountOf(run.executions, from);
  ++CountOf(run.executions, to);
}

std::optional<EvaluationError> Execution::Machine::MakeBatches(
    Strand& strand, Children& children) {
  const State& state = *strand.state;
  if (!state.map->item_batcher) return std::nullopt;
  const ItemBatcher& batcher = *state.map->item_batcher;
  const Scope scope = ScopeOf(strand, children.effective_input);
  const Evaluated<std::optional<int64_t>> max_items =
      EvaluateCount(batcher.max_items_per_batch, scope);
  if (!max_items.ok()) return max_items.error();
  const Evaluated<std::optional<int64_t>> max_bytes =
      EvaluateCount(batcher.max_input_bytes_per_batch, scope);
  if (!max_bytes.ok()) return max_bytes.error();
  if (batcher.batch_input) {
    const Evaluated<Data> batch_input = batcher.batch_input->Evaluate(scope);
    if (!batch_input.ok()) return batch_input.error();
    children.batch_input = *batch_input;
  }
  const auto item_limit =
      static_cast<size_t>(std::max<int64_t>(1, max_items->value_or(INT64_MAX)));
  const size_t byte_limit =
      std::min(kMaxDataBytes, static_cast<size_t>(std::max<int64_t>(
                                  1, max_bytes->value_or(INT64_MAX))));
  // {"BatchInput":…,"Items":[…]}
  const size_t frame = children.batch_input.JsonSize() + 30;
  size_t bytes = frame;
  size_t first = 0;
  for (size_t i = 0; i < children.items.size(); ++i) {
    const size_t size = children.items.is_array()
                            ? children.items.elements()[i].JsonSize()
                            : children.items.members()[i].value.JsonSize();
    if (i > first && (i - first >= item_limit || bytes + size > byte_limit)) {
      children.batches.emplace_back(first, i);
      first = i;
      bytes = frame;
    }
    bytes += size + 1;
  }
  if (first < children.items.size()) {
    children.batches.emplace_back(first, children.items.size());
  }
  children.results.resize(children.batches.size());
  return std::nullopt;
}

void Execution::Machine::StartMapRun(Strand& strand) {
  Children& children = *strand.children;
  const MapFields& map = *strand.state->map;
  auto run = std::make_unique<MapRun>();
  run->label = map.label.empty() ? random_.Uuid() : map.label;
  run->arn = SiblingArn(info_.state_machine_arn, "mapRun",
                        absl::StrCat(info_.state_machine_name, "/", run->label,
                                     ":", random_.Uuid()));
  run->execution_arn = strand.run->arn;
  run->state_name = strand.state->name;
  run->start_time = now_;
  run->max_concurrency = children.wanted_concurrency;
  SetTolerance(children.tolerated, *run);
  run->items.total = static_cast<int64_t>(children.items.size());
  run->items.pending = run->items.total;
  run->executions.total = static_cast<int64_t>(children.results.size());
  run->executions.pending = run->executions.total;
  HistoryEvent& event = AddEvent(strand, HistoryEventType::kMapRunStarted);
  auto details = std::make_shared<HistoryEventDetails>();
  details->map_run_arn = run->arn;
  event.details = std::move(details);
  children.map_run = run.get();
  map_runs_.push_back(std::move(run));
}

std::unique_ptr<Strand> Execution::Machine::MakeChildExecution(
    Strand& strand, size_t index, Data child_input) {
  Children& children = *strand.children;
  MapRun& map_run = *children.map_run;
  const std::string machine_name =
      absl::StrCat(info_.state_machine_name, "/", map_run.label);
  auto child = std::make_shared<ChildExecution>();
  child->name = random_.Uuid();
  child->arn = SiblingArn(info_.state_machine_arn, "execution",
                          absl::StrCat(machine_name, ":", child->name));
  child->start_time = now_;
  child->item_count = ItemsOf(children, index);
  child->input = child_input;
  map_run.items.pending -= child->item_count;
  map_run.items.running += child->item_count;
  --map_run.executions.pending;
  ++map_run.executions.running;

  auto run = std::make_unique<Run>();
  run->arn = child->arn;
  run->events = &child->events;
  run->child = child.get();
  SetRunContext(
      *run, child->name, child_input,
      SiblingArn(info_.state_machine_arn, "stateMachine", machine_name),
      machine_name);
  map_run.children.push_back(std::move(child));
  auto result = std::make_unique<Strand>(&strand.state->map->processor,
                                         run.get(), &strand);
  run->owner = result.get();
  result->own_run = std::move(run);
  result->index = static_cast<int64_t>(index);
  result->input = std::move(child_input);
  AddStarted(*result);
  return result;
}

void Execution::Machine::EndChildExecution(Strand& child,
                                           ExecutionStatus status,
                                           std::optional<Data> output,
                                           const Failure& failure) {
  Run& run = *child.run;
  if (full_run_ == &run) full_run_ = nullptr;
  HistoryEvent& event =
      AddEvent(child, status == ExecutionStatus::kSucceeded
                          ? HistoryEventType::kExecutionSucceeded
                      : status == ExecutionStatus::kFailed
                          ? HistoryEventType::kExecutionFailed
                          : HistoryEventType::kExecutionAborted);
  if (output) {
    SetEventData(run, event, *output);
  } else {
    auto details = std::make_shared<HistoryEventDetails>();
    details->error = failure.error;
    details->cause = failure.cause;
    event.details = std::move(details);
  }
  ChildExecution& execution = *run.child;
  execution.status = status;
  execution.stop_time = now_;
  execution.output = std::move(output);
  execution.error = failure.error;
  execution.cause = failure.cause;
  MapRun& map_run = *child.parent->children->map_run;
  Recount(map_run, execution.item_count, ExecutionStatus::kRunning, status);
  const bool keep = ++map_run.ended_children <= kMaxChildHistories;
  if (!keep && status == ExecutionStatus::kSucceeded) {
    std::vector<HistoryEvent>().swap(execution.events);
  }
}

void Execution::Machine::FailChildExecution(Strand& child,
                                            const Failure& failure) {
  Strand& strand = *child.parent;
  Children& children = *strand.children;
  EndChildExecution(child, ExecutionStatus::kFailed, std::nullopt, failure);
  ++children.failed;
  if (!ExceedsTolerance(*children.map_run, children.tolerated)) {
    if (children.succeeded + children.failed == children.results.size()) {
      return FinishChildren(strand);
    }
    return StartIterations(strand, strand.last_event);
  }
  Failure exceeded = ToleranceExceeded();
  EndMapRun(strand, ExecutionStatus::kFailed);
  Stop(strand);
  HistoryEvent& event = AddEvent(strand, HistoryEventType::kMapRunFailed);
  auto details = std::make_shared<HistoryEventDetails>();
  details->error = exceeded.error;
  details->cause = exceeded.cause;
  event.details = std::move(details);
  HandleFailure(strand, std::move(exceeded));
}

Failure Execution::Machine::ToleranceExceeded() {
  return {.error = kErrorExceedToleratedFailureThreshold,
          .cause = "The specified tolerated failure threshold was exceeded"};
}

bool Execution::Machine::WritesFlattened(const State& state) {
  return state.map && state.map->result_writer &&
         state.map->result_writer->transformation == "FLATTEN";
}

Data Execution::Machine::WrittenResult(const Strand& child, Data output) const {
  const MapFields& map = *child.parent->state->map;
  if (!map.result_writer || map.result_writer->transformation != "NONE") {
    return output;
  }
  const ChildExecution& execution = *child.run->child;
  ObjectBuilder included;
  included.Set("Included", Data::Boolean(true));
  const Data details = std::move(included).Build();
  ObjectBuilder record;
  record.Set("ExecutionArn", Data::String(execution.arn));
  record.Set("Input", Data::String(execution.input.ToJson()));
  record.Set("InputDetails", details);
  record.Set("Name", Data::String(execution.name));
  record.Set("Output", Data::String(output.ToJson()));
  record.Set("OutputDetails", details);
  record.Set("RedriveCount", Data::Integer(execution.redrive_count));
  record.Set("RedriveStatus", Data::String("NOT_REDRIVABLE"));
  record.Set("RedriveStatusReason",
             Data::String("Execution is SUCCEEDED and cannot be redriven"));
  record.Set("StartDate", ContextTime(execution.start_time));
  record.Set("StateMachineArn", *child.run->machine_context.Find("Id"));
  record.Set("Status", Data::String(ExecutionStatusName(execution.status)));
  record.Set("StopDate", ContextTime(now_));
  return std::move(record).Build();
}

void Execution::Machine::EndMapRun(Strand& strand, ExecutionStatus status) {
  MapRun& run = *strand.children->map_run;
  if (run.status != ExecutionStatus::kRunning) return;
  run.status = status;
  run.stop_time = now_;
}

void Execution::Machine::On(const MapRunUpdated& input) {
  for (const std::unique_ptr<MapRun>& run : map_runs_) {
    if (run->arn != input.map_run_arn ||
        run->status != ExecutionStatus::kRunning) {
      continue;
    }
    Strand* strand = FindMapStrand(*root_, *run);
    if (strand == nullptr) return;
    Children& children = *strand->children;
    if (input.max_concurrency) {
      run->max_concurrency = *input.max_concurrency;
      children.max_concurrency =
          *input.max_concurrency <= 0
              ? kMaxDistributedConcurrency
              : std::min(kMaxDistributedConcurrency,
                         static_cast<size_t>(*input.max_concurrency));
    }
    if (input.tolerated_failure_count) {
      children.tolerated.count = input.tolerated_failure_count;
    }
    if (input.tolerated_failure_percentage) {
      children.tolerated.percentage = input.tolerated_failure_percentage;
    }
    SetTolerance(children.tolerated, *run);
    return StartIterations(*strand, strand->last_event);
  }
}

Strand* Execution::Machine::FindMapStrand(Strand& strand,
                                          const MapRun& run) const {
  if (!strand.children) return nullptr;
  if (strand.children->map_run == &run) return &strand;
  for (const std::unique_ptr<Strand>& child : strand.children->strands) {
    Strand* found = FindMapStrand(*child, run);
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace byoshin::local::stepfunctions
