#include "local/stepfunctions/panel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/panel_json.h"
#include "local/stepfunctions/stepfunctions.h"

namespace byoshin::local::stepfunctions {

// Defined by :embedded_page.
const std::vector<dashboard::Asset>& StatesAssets();

namespace {

constexpr char kMachineType[] = "AWS::StepFunctions::StateMachine";
constexpr kept::Status kAllStatuses[] = {kept::RUNNING, kept::SUCCEEDED,
                                         kept::FAILED, kept::TIMED_OUT,
                                         kept::ABORTED};

// "FAILED,TIMED_OUT"; all if it is empty.
absl::StatusOr<std::set<kept::Status>> ReadStatuses(absl::string_view text) {
  if (text.empty()) {
    return std::set<kept::Status>(std::begin(kAllStatuses),
                                  std::end(kAllStatuses));
  }
  std::set<kept::Status> statuses;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const auto* const found =
        std::find_if(std::begin(kAllStatuses), std::end(kAllStatuses),
                     [&](kept::Status one) { return StatusName(one) == name; });
    if (found == std::end(kAllStatuses)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "status: \"", name,
          "\" is invalid; use RUNNING, SUCCEEDED, FAILED, TIMED_OUT or "
          "ABORTED, separated by commas"));
    }
    statuses.insert(*found);
  }
  return statuses;
}

// By its ARN or its name; null if there is none.
const kept::Machine* FindByArnOrName(const Catalog& catalog,
                                     const std::string& text) {
  if (const kept::Machine* found = catalog.FindMachine(text)) return found;
  for (const auto& [arn, machine] : catalog.machines()) {
    if (machine.name() == text) return &machine;
  }
  return nullptr;
}

struct ListQuery {
  std::string machine{};
  std::set<kept::Status> statuses{};
  std::string after{};
  std::int64_t limit = 0;
};

absl::Status WriteExecutions(const ListQuery& query, const Catalog& catalog,
                             Executions& executions, json::Writer& json) {
  const kept::Machine* machine = FindByArnOrName(catalog, query.machine);
  if (machine == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("there is no state machine ", query.machine));
  }
  std::int64_t written = 0;
  std::int64_t visited = 0;
  std::string last;
  bool more = false;
  json.Open('{').Key("executions").Open('[');
  absl::Status listed = executions.List(
      machine->arn(), query.after,
      [&](const std::string& key, const kept::Execution& execution) {
        if (written == query.limit || visited == kMaxVisitedExecutions) {
          more = true;
          return false;
        }
        ++visited;
        last = key;
        if (query.statuses.contains(execution.status())) {
          WriteListedExecution(execution, json);
          ++written;
        }
        return true;
      });
  json.Close(']').Key("next");
  more ? json.String(absl::WebSafeBase64Escape(last)) : json.Null();
  json.Close('}');
  return listed;
}

struct EventQuery {
  std::string arn{};
  // The execution whose distributed map has started it; empty if none has.
  std::string parent{};
  std::int64_t after = 0;
  std::int64_t limit = 0;
};

absl::Status NoExecution(absl::string_view arn) {
  return absl::NotFoundError(absl::StrCat("there is no execution ", arn));
}

void WriteEvents(const std::vector<HistoryEvent>& events,
                 const EventQuery& query, json::Writer& json) {
  const std::size_t begin =
      std::min(events.size(), static_cast<std::size_t>(query.after));
  const std::size_t end =
      std::min(events.size(), begin + static_cast<std::size_t>(query.limit));
  const std::size_t longest = json.text().size() + kMaxEventPageBytes;
  std::size_t next = begin;
  json.Key("events").Open('[');
  while (next < end && json.text().size() < longest) {
    WriteEvent(events[next++], json);
  }
  json.Close(']');
  json.Key("next").Int(static_cast<std::int64_t>(next));
  json.Key("total").Int(static_cast<std::int64_t>(events.size()));
}

// The definition comes with the first page.
void WriteDefinition(const kept::Execution& execution, const EventQuery& query,
                     const Catalog& catalog, json::Writer& json) {
  if (query.after != 0) return;
  const kept::Revision* revision = catalog.FindRevision(execution.revision());
  if (revision == nullptr) return;
  json.Key("definition").String(revision->definition());
}

// Null if there is none.
const ChildExecution* FindChildOf(const Execution& parent,
                                  absl::string_view arn) {
  for (const std::unique_ptr<MapRun>& map_run : parent.map_runs()) {
    for (const auto& child : map_run->children) {
      if (child->arn == arn) return child.get();
    }
  }
  return nullptr;
}

// A child of a distributed map, with its parent's definition.
absl::Status WriteChild(const EventQuery& query, const Catalog& catalog,
                        Executions& executions, json::Writer& json) {
  const absl::StatusOr<kept::Execution> kept = executions.Find(query.parent);
  if (!kept.ok()) return NoExecution(query.parent);
  const absl::StatusOr<const Execution*> parent = executions.Open(query.parent);
  if (!parent.ok()) return parent.status();
  const ChildExecution* child = FindChildOf(**parent, query.arn);
  if (child == nullptr) return NoExecution(query.arn);
  json.Open('{').Key("execution");
  WriteExecution(*child, json);
  WriteDefinition(*kept, query, catalog, json);
  WriteEvents(child->events, query, json);
  json.Key("mapRuns").Open('[').Close(']').Close('}');
  return absl::OkStatus();
}

absl::Status WriteOne(const EventQuery& query, const Catalog& catalog,
                      Executions& executions, json::Writer& json) {
  const absl::StatusOr<kept::Execution> kept = executions.Find(query.arn);
  if (!kept.ok()) return NoExecution(query.arn);
  const absl::StatusOr<const Execution*> execution = executions.Open(query.arn);
  if (!execution.ok()) return execution.status();
  json.Open('{').Key("execution");
  WriteExecution(*kept, json);
  WriteDefinition(*kept, query, catalog, json);
  WriteEvents((*execution)->events(), query, json);
  json.Key("mapRuns").Open('[');
  for (const std::unique_ptr<MapRun>& map_run : (*execution)->map_runs()) {
    WriteMapRun(*map_run, json);
  }
  json.Close(']').Close('}');
  return absl::OkStatus();
}

}  // namespace

void StatesPanel::LoadStack(const cloudformation::Stack& stack) {
  const sync::MutexLock lock(mutex_);
  std::erase_if(stacks_,
                [&](const auto& entry) { return entry.second == stack.name; });
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type == kMachineType && !resource.state.physical_id.empty()) {
      stacks_[resource.state.physical_id] = stack.name;
    }
  }
}

std::string StatesPanel::StackOf(const std::string& machine_arn) {
  const sync::MutexLock lock(mutex_);
  const auto found = stacks_.find(machine_arn);
  return found == stacks_.end() ? "" : found->second;
}

bool StatesPanel::IsShown() {
  Refresh();
  return !summaries_.empty();
}

// Each machine by itself, so that the service does other work in between.
void StatesPanel::Refresh() {
  const std::uint64_t version = world_.version();
  if (fresh_ && version == version_) return;
  std::vector<kept::Machine> machines;
  world_.states.Read([&](const Catalog& catalog, Executions&) {
    more_machines_ = catalog.machines().size() > kMaxShownMachines;
    for (const auto& [arn, machine] : catalog.machines()) {
      if (machines.size() == kMaxShownMachines) break;
      machines.push_back(machine);
    }
  });
  summaries_.clear();
  for (const kept::Machine& machine : machines) {
    summaries_.push_back(Summarize(machine));
  }
  version_ = version;
  fresh_ = true;
}

StatesPanel::Summary StatesPanel::Summarize(const kept::Machine& machine) {
  Summary summary{.machine = machine};
  std::int64_t counted = 0;
  world_.states.Read([&](const Catalog&, Executions& executions) {
    // What can't be read is not counted; requests for it say why.
    executions
        .List(machine.arn(), "",
              [&](const std::string&, const kept::Execution& execution) {
                summary.more = counted == kMaxCountedExecutions;
                if (summary.more) return false;
                ++counted;
                ++summary.counts[execution.status()];
                if (summary.newest.size() < kMaxNewestExecutions) {
                  summary.newest.push_back(execution);
                }
                return true;
              })
        .IgnoreError();
  });
  return summary;
}

void StatesPanel::WriteSummary(const Summary& summary, json::Writer& json) {
  const kept::Machine& machine = summary.machine;
  const std::string stack = StackOf(machine.arn());
  json.Open('{');
  json.Key("arn").String(machine.arn());
  json.Key("name").String(machine.name());
  json.Key("stack");
  stack.empty() ? json.Null() : json.String(stack);
  json.Key("type").String(MachineTypeName(machine.type()));
  json.Key("created").Time(absl::FromUnixMicros(machine.created_us()));
  json.Key("counts").Open('{');
  for (const kept::Status status : kAllStatuses) {
    const auto found = summary.counts.find(status);
    json.Key(StatusName(status))
        .Int(found == summary.counts.end() ? 0 : found->second);
  }
  json.Close('}').Key("more").Bool(summary.more).Key("newest").Open('[');
  for (const kept::Execution& execution : summary.newest) {
    WriteListedExecution(execution, json);
  }
  json.Close(']').Close('}');
}

void StatesPanel::WriteStatus(json::Writer& json) {
  Refresh();
  json.Open('{').Key("machines").Open('[');
  for (const Summary& summary : summaries_) WriteSummary(summary, json);
  json.Close(']').Key("more").Bool(more_machines_).Close('}');
}

absl::StatusOr<std::string> StatesPanel::AnswerExecutions(
    const http::ServerRequest& request) {
  ListQuery query;
  absl::StatusOr<std::string> machine =
      dashboard::TextParameter(request, "machine");
  if (!machine.ok()) return machine.status();
  if (machine->empty()) {
    return absl::InvalidArgumentError(
        "machine: the ARN or name of a state machine is missing");
  }
  query.machine = *std::move(machine);
  const absl::StatusOr<std::string> statuses =
      dashboard::TextParameter(request, "status");
  if (!statuses.ok()) return statuses.status();
  absl::StatusOr<std::set<kept::Status>> wanted = ReadStatuses(*statuses);
  if (!wanted.ok()) return wanted.status();
  query.statuses = *std::move(wanted);
  const absl::StatusOr<std::string> after =
      dashboard::TextParameter(request, "after");
  if (!after.ok()) return after.status();
  if (!absl::WebSafeBase64Unescape(*after, &query.after)) {
    return absl::InvalidArgumentError(
        "after: not what `next` of an earlier answer was");
  }
  const absl::StatusOr<std::int64_t> limit = dashboard::IntParameter(
      request, "limit", {.least = 1, .most = 1000, .otherwise = 50});
  if (!limit.ok()) return limit.status();
  query.limit = *limit;
  json::Writer json;
  absl::Status written;
  world_.states.Read([&](const Catalog& catalog, Executions& executions) {
    written = WriteExecutions(query, catalog, executions, json);
  });
  if (!written.ok()) return written;
  return json.Take();
}

absl::StatusOr<std::string> StatesPanel::AnswerExecution(
    const http::ServerRequest& request) {
  EventQuery query;
  absl::StatusOr<std::string> arn = dashboard::TextParameter(request, "arn");
  if (!arn.ok()) return arn.status();
  if (arn->empty()) {
    return absl::InvalidArgumentError(
        "arn: the ARN of an execution is missing");
  }
  query.arn = *std::move(arn);
  absl::StatusOr<std::string> parent =
      dashboard::TextParameter(request, "parent");
  if (!parent.ok()) return parent.status();
  query.parent = *std::move(parent);
  const absl::StatusOr<std::int64_t> after = dashboard::IntParameter(
      request, "after",
      {.least = 0, .most = kMaxHistoryEvents, .otherwise = 0});
  if (!after.ok()) return after.status();
  query.after = *after;
  const absl::StatusOr<std::int64_t> limit = dashboard::IntParameter(
      request, "limit", {.least = 1, .most = 1000, .otherwise = 500});
  if (!limit.ok()) return limit.status();
  query.limit = *limit;
  json::Writer json;
  absl::Status written;
  world_.states.Read([&](const Catalog& catalog, Executions& executions) {
    written = query.parent.empty()
                  ? WriteOne(query, catalog, executions, json)
                  : WriteChild(query, catalog, executions, json);
  });
  if (!written.ok()) return written;
  return json.Take();
}

std::vector<dashboard::PanelEndpoint> StatesPanel::endpoints() {
  return {{.method = "GET",
           .name = "executions",
           .answer =
               [this](const http::ServerRequest& request) {
                 return AnswerExecutions(request);
               }},
          {.method = "GET",
           .name = "execution",
           .answer = [this](const http::ServerRequest& request) {
             return AnswerExecution(request);
           }}};
}

const std::vector<dashboard::Asset>& StatesPanel::assets() const {
  return StatesAssets();
}

}  // namespace byoshin::local::stepfunctions
