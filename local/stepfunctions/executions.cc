#include "local/stepfunctions/executions.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/random/random.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution_keys.h"
#include "local/stepfunctions/execution_log.h"
#include "local/stepfunctions/keys.h"

namespace byoshin::local::stepfunctions {
namespace {

kept::Status KeptStatus(ExecutionStatus status) {
  switch (status) {
    case ExecutionStatus::kRunning:
      return kept::RUNNING;
    case ExecutionStatus::kSucceeded:
      return kept::SUCCEEDED;
    case ExecutionStatus::kFailed:
      return kept::FAILED;
    case ExecutionStatus::kTimedOut:
      return kept::TIMED_OUT;
    case ExecutionStatus::kAborted:
      return kept::ABORTED;
  }
  return kept::FAILED;
}

void SetEnd(const ExecutionEnd& end, kept::Execution& kept) {
  kept.set_status(KeptStatus(end.status));
  kept.set_stop_us(absl::ToUnixMicros(end.time));
  if (end.output.has_value()) kept.set_output(end.output->ToJson());
  if (end.error.has_value()) kept.set_error(*end.error);
  if (end.cause.has_value()) kept.set_cause(*end.cause);
}

// The task that the input is about; 0 if it is about none.
TaskId TaskOf(const decltype(ExecutionInput::what)& what) {
  return std::visit(
      [](const auto& input) -> TaskId {
        if constexpr (requires { input.task; }) {
          return input.task;
        } else {
          return 0;
        }
      },
      what);
}

}  // namespace

const char* StatusName(kept::Status status) {
  switch (status) {
    case kept::RUNNING:
      return "RUNNING";
    case kept::SUCCEEDED:
      return "SUCCEEDED";
    case kept::FAILED:
      return "FAILED";
    case kept::TIMED_OUT:
      return "TIMED_OUT";
    case kept::ABORTED:
      return "ABORTED";
    default:
      return "";
  }
}

Executions::Executions(World world)
    : world_(std::move(world)),
      activities_([this](ActivityTask task, ActivityWorker worker) {
        world_.loop.Submit([this, task = std::move(task),
                            worker = std::move(worker)]() -> AfterCommit {
          Apply(task.execution_arn,
                ActivityStarted{.task = task.task, .worker_name = worker.name});
          const bool wanted = FindToken(task.token) != nullptr;
          return TakeEffects([task, worker, wanted](const absl::Status& done) {
            worker.done(done.ok() && wanted ? std::optional(task)
                                            : std::nullopt);
          });
        });
      }),
      announcements_(world_.store, world_.gate, world_.status_changes) {}

Executions::~Executions() = default;

ExecutionInfo Executions::InfoOf(const kept::Execution& kept) const {
  return {.arn = kept.arn(),
          .name = kept.name(),
          .state_machine_arn = kept.machine_arn(),
          .state_machine_name = kept.machine_name(),
          .role_arn = kept.role_arn(),
          .type = kept.type() == kept::EXPRESS ? StateMachineType::kExpress
                                               : StateMachineType::kStandard,
          .state_machine_alias_arn = kept.alias_arn(),
          .state_machine_version_arn = kept.version_arn()};
}

absl::StatusOr<kept::Execution> Executions::Start(StartRequest request) {
  const StartTarget& target = request.target;
  absl::StatusOr<std::shared_ptr<const StateMachine>> definition =
      world_.catalog.DefinitionOf(*target.revision);
  if (!definition.ok()) return definition.status();
  const absl::Time now = world_.clock.Now();
  const absl::StatusOr<MachineArn> machine =
      ParseMachineArn(target.machine->arn());
  if (!machine.ok()) return machine.status();
  const bool express = target.machine->type() == kept::EXPRESS;
  kept::Execution kept;
  kept.set_arn(StatesArn(
      machine->place, express ? kExpressResource : kExecutionResource,
      absl::StrCat(target.machine->name(), ":", request.name,
                   express ? absl::StrCat(":", random::NewUuid()) : "")));
  kept.set_name(std::move(request.name));
  kept.set_machine_arn(target.machine->arn());
  kept.set_machine_name(target.machine->name());
  kept.set_type(target.machine->type());
  kept.set_revision(target.revision->key());
  kept.set_role_arn(target.revision->role_arn());
  kept.set_version_arn(target.version_arn);
  kept.set_alias_arn(target.alias_arn);
  kept.set_trace_header(std::move(request.trace_header));
  kept.set_input(std::move(request.input_text));
  kept.set_start_us(absl::ToUnixMicros(now));
  // As it is after a replay.
  const absl::Time start = absl::FromUnixMicros(kept.start_us());
  Execution::Started started = Execution::Start(
      *std::move(definition), InfoOf(kept), std::move(request.input), start);

  const std::string arn = kept.arn();
  Live& live = live_[arn];
  live.kept = std::move(kept);
  live.execution = std::move(started.execution);
  live.logged = !express;
  awake_.push_front(arn);
  live.awake = awake_.begin();
  const bool ended = started.effects.end.has_value();
  if (!ended && (live.logged || request.kept == StartRequest::Kept::kYes)) {
    Save(live);
  }
  SaveMapRuns(live);
  if (live.logged) announcements_.Add(live.kept);
  Defer(arn, live, std::move(started.effects));
  kept::Execution answer = live.kept;
  LetSleep();
  return answer;
}

void Executions::Save(Live& live) {
  // Failures show in the commit.
  const kept::Execution& kept = live.kept;
  live.saved = true;
  Store& store = world_.store;
  store.Put(ExecutionKey(kept.arn()), kept.SerializeAsString()).IgnoreError();
  const std::string running = absl::StrCat(kRunningPrefix, kept.arn());
  if (kept.type() == kept::EXPRESS) {
    store.Put(running, "").IgnoreError();
    return;
  }
  kept::Execution listed = kept;
  listed.clear_input();
  listed.clear_output();
  listed.clear_error();
  listed.clear_cause();
  store.Put(ListKey(kept), listed.SerializeAsString()).IgnoreError();
  if (kept.status() == kept::RUNNING) {
    store.Put(running, "").IgnoreError();
  } else {
    store.Delete(running).IgnoreError();
    store.Put(ExpiryKey(kept.stop_us(), kept.arn()), "").IgnoreError();
  }
}

void Executions::SaveEnd(Live& live, const ExecutionEnd& end) {
  SetEnd(end, live.kept);
  live.ended = true;
  if (live.logged) {
    Save(live);
    announcements_.Add(live.kept);
    return;
  }
  if (!live.saved) return;
  // Nobody can ask for an EXPRESS execution.
  world_.store.Delete(ExecutionKey(live.kept.arn())).IgnoreError();
  world_.store.Delete(absl::StrCat(kRunningPrefix, live.kept.arn()))
      .IgnoreError();
}

void Executions::AppendLog(const std::string& arn, Live& live,
                           const ExecutionInput& input) {
  world_.store
      .Put(absl::StrCat(LogKeys(arn), absl::StrFormat("%010d", live.inputs)),
           SerializeInput(input))
      .IgnoreError();
  ++live.inputs;
}

void Executions::SaveMapRuns(Live& live) {
  if (!live.logged) return;
  const auto& map_runs = live.execution->map_runs();
  for (; live.map_runs < map_runs.size(); ++live.map_runs) {
    world_.store
        .Put(absl::StrCat(kMapRunPrefix, map_runs[live.map_runs]->arn),
             live.kept.arn())
        .IgnoreError();
  }
}

void Executions::Defer(const std::string& arn, Live& live, Effects effects) {
  if (effects.end.has_value()) SaveEnd(live, *effects.end);
  Deferred deferred{.arn = arn};
  deferred.lines = LinesOf(live, effects.new_events);
  deferred.effects = std::move(effects);
  deferred_.push_back(std::move(deferred));
}

std::vector<std::string> Executions::LinesOf(const Live& live,
                                             std::size_t events) const {
  const kept::Revision* revision =
      world_.log ? world_.catalog.FindRevision(live.kept.revision()) : nullptr;
  if (revision == nullptr || revision->logging().log_groups_size() == 0) {
    return {};
  }
  const std::vector<HistoryEvent>& all = live.execution->events();
  return LogLines(live.kept, revision->logging(),
                  absl::MakeSpan(all).subspan(all.size() - events));
}

void Executions::Apply(const std::string& arn,
                       const decltype(ExecutionInput::what)& what) {
  const auto found = live_.find(arn);
  if (found == live_.end() || found->second.ended) return;
  Live& live = found->second;
  if (!Wake(arn, live).ok()) return;
  const TaskId task = TaskOf(what);
  if (task != 0 && !live.execution->HasTask(task)) return;
  const ExecutionInput input{
      .time = absl::FromUnixMicros(absl::ToUnixMicros(world_.clock.Now())),
      .what = what};
  Effects effects = live.execution->Apply(input);
  if (live.logged) AppendLog(arn, live, input);
  SaveMapRuns(live);
  Defer(arn, live, std::move(effects));
  LetSleep();
}

absl::StatusOr<std::optional<kept::Execution>> Executions::FindKept(
    const std::string& arn) {
  const auto live = live_.find(arn);
  if (live != live_.end() && live->second.execution != nullptr) {
    return live->second.kept;
  }
  const absl::StatusOr<std::optional<std::string>> text =
      world_.store.Get(ExecutionKey(arn));
  if (!text.ok()) return text.status();
  if (!text->has_value()) return std::nullopt;
  kept::Execution kept;
  if (kept.ParseFromString(**text)) return kept;
  return absl::DataLossError(
      absl::StrCat("the record of ", arn, " is damaged"));
}

absl::StatusOr<kept::Execution> Executions::Find(const std::string& arn) {
  const absl::StatusOr<ExecutionArn> parsed = ParseExecutionArn(arn);
  if (!parsed.ok()) return parsed.status();
  if (parsed->express) {
    return InvalidArnError(absl::StrCat(
        "Resource type not valid in this context: ", kExpressResource));
  }
  absl::StatusOr<std::optional<kept::Execution>> kept = FindKept(arn);
  if (!kept.ok()) return kept.status();
  if (!kept->has_value()) return ExecutionNotFoundError(arn);
  return **std::move(kept);
}

absl::StatusOr<const Execution*> Executions::Open(const std::string& arn) {
  if (const auto live = live_.find(arn); live != live_.end()) {
    if (absl::Status woken = Wake(arn, live->second); !woken.ok()) return woken;
    return live->second.execution.get();
  }
  if (const auto found = replayed_.find(arn); found != replayed_.end()) {
    return found->second.get();
  }
  const absl::StatusOr<kept::Execution> kept = Find(arn);
  if (!kept.ok()) return kept.status();
  std::uint64_t inputs = 0;
  absl::StatusOr<std::unique_ptr<Execution>> execution = Replay(*kept, inputs);
  if (!execution.ok()) return execution.status();
  replayed_order_.push_back(arn);
  if (replayed_order_.size() > kMaxReplayed) {
    replayed_.erase(replayed_order_.front());
    replayed_order_.pop_front();
  }
  return (replayed_[arn] = *std::move(execution)).get();
}

absl::Status Executions::List(
    const std::string& machine_arn, const std::string& after,
    absl::FunctionRef<bool(const std::string& key, const kept::Execution&)>
        visit) {
  KeyRange range = PrefixRange(ListKeys(machine_arn));
  if (!after.empty()) {
    // The key that follows it.
    range.begin =
        absl::StrCat(ListKeys(machine_arn), after, absl::string_view("\0", 1));
  }
  absl::Status damage;
  absl::Status scanned = world_.store.Scan(
      range, Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        kept::Execution kept;
        if (!kept.ParseFromString(std::string(value))) {
          damage = absl::DataLossError(
              absl::StrCat("the record ", key, " is damaged"));
          return Store::Visit::kStop;
        }
        const std::string rest(key.substr(ListKeys(machine_arn).size()));
        return visit(rest, kept) ? Store::Visit::kContinue
                                 : Store::Visit::kStop;
      });
  scanned.Update(damage);
  return scanned;
}

bool Executions::Stop(const std::string& arn, std::optional<std::string> error,
                      std::optional<std::string> cause) {
  const auto found = live_.find(arn);
  if (found == live_.end() || found->second.ended) return false;
  Apply(arn,
        StopRequested{.error = std::move(error), .cause = std::move(cause)});
  return true;
}

void Executions::StopAllOf(const std::string& machine_arn) {
  std::vector<std::string> arns;
  for (const auto& [arn, live] : live_) {
    if (live.kept.machine_arn() == machine_arn) arns.push_back(arn);
  }
  for (const std::string& arn : arns) Stop(arn, std::nullopt, std::nullopt);
}

absl::Status Executions::Redrive(const kept::Execution& kept) {
  const auto refuse = [](absl::string_view why) {
    return ApiError("ExecutionNotRedrivable",
                    absl::StrCat("Execution is not redrivable: ", why));
  };
  if (live_.contains(kept.arn())) return refuse("Execution is RUNNING");
  Live live{.kept = kept};
  absl::StatusOr<std::unique_ptr<Execution>> execution =
      Replay(kept, live.inputs);
  if (!execution.ok()) return execution.status();
  if (const std::string why = (*execution)->RedriveRefusal(); !why.empty()) {
    return refuse(why);
  }
  live.execution = *std::move(execution);
  live.map_runs = live.execution->map_runs().size();
  world_.store.Delete(ExpiryKey(kept.stop_us(), kept.arn())).IgnoreError();
  kept::Execution& running = live.kept;
  running.set_status(kept::RUNNING);
  running.clear_stop_us();
  running.clear_output();
  running.clear_error();
  running.clear_cause();
  running.set_redrive_count(kept.redrive_count() + 1);
  running.set_redrive_us(absl::ToUnixMicros(world_.clock.Now()));
  Save(live);
  announcements_.Add(live.kept);
  if (replayed_.erase(kept.arn()) != 0) replayed_order_.remove(kept.arn());
  awake_.push_front(kept.arn());
  live.awake = awake_.begin();
  live_.insert_or_assign(kept.arn(), std::move(live));
  Apply(kept.arn(), Redriven{});
  return absl::OkStatus();
}

std::string Executions::ParentOfMapRun(const std::string& map_run_arn) {
  return world_.store.Get(absl::StrCat(kMapRunPrefix, map_run_arn))
      .value_or(std::nullopt)
      .value_or("");
}

std::vector<std::pair<std::string, std::string>> Executions::MapRunsBelow(
    const std::string& prefix) {
  std::vector<std::pair<std::string, std::string>> found;
  // A failure shows as nothing found.
  world_.store
      .Scan(PrefixRange(absl::StrCat(kMapRunPrefix, prefix)),
            Store::Direction::kForward,
            [&](absl::string_view key, absl::string_view value) {
              found.emplace_back(
                  key.substr(absl::string_view(kMapRunPrefix).size()), value);
              return Store::Visit::kContinue;
            })
      .IgnoreError();
  return found;
}

}  // namespace byoshin::local::stepfunctions
