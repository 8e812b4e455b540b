// How executions come back from the store, leave memory, and are forgotten.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution_keys.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/keys.h"
#include "local/stepfunctions/limits.h"

namespace byoshin::local::stepfunctions {

absl::StatusOr<std::unique_ptr<Execution>> Executions::Replay(
    const kept::Execution& kept, std::uint64_t& inputs) {
  const kept::Revision* revision = world_.catalog.FindRevision(kept.revision());
  if (revision == nullptr) {
    return absl::DataLossError(
        absl::StrCat("the revision of ", kept.arn(), " is missing"));
  }
  absl::StatusOr<std::shared_ptr<const StateMachine>> definition =
      world_.catalog.DefinitionOf(*revision);
  if (!definition.ok()) return definition.status();
  absl::StatusOr<Data> input = Data::Parse(kept.input());
  if (!input.ok()) return input.status();
  std::unique_ptr<Execution> execution =
      Execution::Start(*std::move(definition), InfoOf(kept), *std::move(input),
                       absl::FromUnixMicros(kept.start_us()))
          .execution;
  inputs = 0;
  absl::Status damage;
  absl::Status scanned = world_.store.Scan(
      PrefixRange(LogKeys(kept.arn())), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        const absl::StatusOr<ExecutionInput> logged = ParseInput(value);
        if (!logged.ok()) {
          damage = absl::DataLossError(absl::StrCat(
              "the record ", key, " is damaged: ", logged.status().message()));
          return Store::Visit::kStop;
        }
        execution->Apply(*logged);
        ++inputs;
        return Store::Visit::kContinue;
      });
  scanned.Update(damage);
  if (!scanned.ok()) return scanned;
  return execution;
}

absl::Status Executions::Wake(const std::string& arn, Live& live) {
  if (live.execution != nullptr) {
    Touch(arn, live);
    return absl::OkStatus();
  }
  absl::StatusOr<std::optional<kept::Execution>> kept = FindKept(arn);
  if (!kept.ok()) return kept.status();
  if (!kept->has_value()) return ExecutionNotFoundError(arn);
  absl::StatusOr<std::unique_ptr<Execution>> execution =
      Replay(**kept, live.inputs);
  if (!execution.ok()) return execution.status();
  live.kept = **std::move(kept);
  live.execution = *std::move(execution);
  awake_.push_front(arn);
  live.awake = awake_.begin();
  return absl::OkStatus();
}

void Executions::Touch(const std::string& arn, Live& live) {
  if (live.awake == awake_.begin()) return;
  awake_.erase(live.awake);
  awake_.push_front(arn);
  live.awake = awake_.begin();
}

void Executions::LetSleep() {
  // Those that are not logged can't be woken.
  std::size_t tried = 0;
  while (awake_.size() > kMaxAwake && ++tried <= awake_.size()) {
    Live& live = live_.at(awake_.back());
    if (!live.logged || live.ended) {
      awake_.splice(awake_.begin(), awake_, std::prev(awake_.end()));
      continue;
    }
    awake_.pop_back();
    live.execution.reset();
    live.kept.clear_input();
  }
}

absl::Status Executions::Load() {
  ++epoch_;
  for (auto& [arn, live] : live_) {
    for (const auto& [id, timer] : live.timers) world_.loop.Cancel(timer);
  }
  live_.clear();
  awake_.clear();
  tokens_.clear();
  deferred_.clear();
  held_.clear();
  replayed_.clear();
  replayed_order_.clear();
  activities_.RemoveAllTasks();
  if (absl::Status loaded = announcements_.Load(); !loaded.ok()) return loaded;
  std::vector<std::string> arns;
  absl::Status scanned = world_.store.Scan(
      PrefixRange(kRunningPrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view) {
        arns.emplace_back(key.substr(absl::string_view(kRunningPrefix).size()));
        return Store::Visit::kContinue;
      });
  for (const std::string& arn : arns) {
    const absl::StatusOr<std::optional<kept::Execution>> kept = FindKept(arn);
    if (!kept.ok()) return kept.status();
    if (kept->has_value()) scanned.Update(Resume(**kept));
  }
  WaitForExpiry();
  return scanned;
}

void Executions::RemoveUnusedRevisions() {
  // Mostly there is none that only executions can have, and nothing to read.
  std::optional<std::set<std::string>> used;
  world_.catalog.RemoveRevisionsUnless([&](const std::string& key) {
    if (!used.has_value()) used = UsedRevisions();
    return !used.has_value() || used->contains(key);
  });
}

std::optional<std::set<std::string>> Executions::UsedRevisions() {
  std::set<std::string> used;
  const absl::Status scanned =
      world_.store.Scan(PrefixRange(kListPrefix), Store::Direction::kForward,
                        [&](absl::string_view, absl::string_view value) {
                          kept::Execution kept;
                          if (kept.ParseFromString(std::string(value))) {
                            used.insert(kept.revision());
                          }
                          return Store::Visit::kContinue;
                        });
  if (!scanned.ok()) return std::nullopt;
  for (const auto& [arn, live] : live_) used.insert(live.kept.revision());
  return used;
}

absl::Status Executions::Resume(kept::Execution kept) {
  const std::string arn = kept.arn();
  Live live{.kept = std::move(kept), .saved = true};
  live.logged = live.kept.type() != kept::EXPRESS;
  absl::StatusOr<std::unique_ptr<Execution>> execution =
      Replay(live.kept, live.inputs);
  if (!execution.ok()) return execution.status();
  live.execution = *std::move(execution);
  live.map_runs = live.execution->map_runs().size();
  Effects pending = live.execution->Pending();
  awake_.push_front(arn);
  live.awake = awake_.begin();
  live_.insert_or_assign(arn, std::move(live));
  CarryOut({.arn = arn, .effects = std::move(pending)});
  LetSleep();
  return absl::OkStatus();
}

void Executions::WaitForExpiry() {
  world_.loop.Cancel(std::exchange(expiry_timer_, 0));
  std::optional<std::int64_t> first;
  world_.store
      .Scan(PrefixRange(kExpiryPrefix), Store::Direction::kForward,
            [&](absl::string_view key, absl::string_view) {
              std::int64_t time = 0;
              if (absl::SimpleHexAtoi(
                      key.substr(absl::string_view(kExpiryPrefix).size(), 16),
                      &time)) {
                first = time;
              }
              return Store::Visit::kStop;
            })
      .IgnoreError();
  // Nothing that ends from now on expires sooner.
  const absl::Time next = first.has_value() ? absl::FromUnixMicros(*first)
                                            : world_.clock.Now() + kRetention;
  expiry_timer_ = world_.loop.At(next, [this, epoch = epoch_]() -> AfterCommit {
    if (epoch == epoch_) RemoveExpired();
    return TakeEffects();
  });
}

void Executions::RemoveExpired() {
  expiry_timer_ = 0;
  const std::int64_t now = absl::ToUnixMicros(world_.clock.Now());
  std::vector<std::string> keys;
  world_.store
      .Scan({.begin = kExpiryPrefix,
             .end = absl::StrCat(kExpiryPrefix,
                                 absl::StrFormat("%016x", now + 1))},
            Store::Direction::kForward,
            [&](absl::string_view key, absl::string_view) {
              keys.emplace_back(key);
              return Store::Visit::kContinue;
            })
      .IgnoreError();
  for (const std::string& key : keys) {
    const std::string arn =
        key.substr(absl::string_view(kExpiryPrefix).size() + 17);
    const absl::StatusOr<std::optional<kept::Execution>> kept = FindKept(arn);
    if (kept.ok() && kept->has_value()) {
      world_.store.Delete(ListKey(**kept)).IgnoreError();
    }
    world_.store.Delete(ExecutionKey(arn)).IgnoreError();
    world_.store.DeleteRange(PrefixRange(LogKeys(arn))).IgnoreError();
    world_.store.Delete(key).IgnoreError();
  }
  WaitForExpiry();
}

}  // namespace byoshin::local::stepfunctions
