#include "local/applications/scheduler/slot_source.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "local/events/events.h"
#include "local/gateway/in_process.h"

namespace byoshin::local::applications {
namespace {

// Records that are copied at a time: a slot that is being stored must not wait
// until a month of them has been copied.
constexpr std::size_t kVisitedAtATime = 4096;
// What BatchWriteItem takes.
constexpr std::size_t kMaxBatchWrites = 25;

std::optional<absl::Time> Earlier(std::optional<absl::Time> a,
                                  std::optional<absl::Time> b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() ? a : b;
  return std::min(*a, *b);
}

}  // namespace

SlotSource::SlotSource(World world)
    : world_(std::move(world)),
      reader_(world_.dynamodb, world_.region,
              [this](const std::vector<SlotRecord>& records) {
                AddStored(records);
              }) {}

bool SlotSource::Load(const cloudformation::Stack& stack) {
  std::optional<SchedulerParts> parts = FindScheduler(stack);
  std::string table;
  {
    const sync::MutexLock lock(mutex_);
    if (parts_.has_value() && parts_->stack_name != stack.name) {
      return !parts.has_value();
    }
    if (!parts.has_value() && !parts_.has_value()) return true;
    const std::string previous =
        parts_.has_value() ? parts_->collector.table_name : "";
    parts_ = std::move(parts);
    if (parts_.has_value()) table = parts_->collector.table_name;
    // What it holds is known, or is being read.
    if (table == previous) table.clear();
  }
  if (!table.empty()) reader_.Start(table);
  world_.on_change();
  return true;
}

std::optional<SchedulerParts> SlotSource::parts() const {
  const sync::MutexLock lock(mutex_);
  return parts_;
}

void SlotSource::AddStored(const std::vector<SlotRecord>& records) {
  {
    const sync::MutexLock lock(mutex_);
    for (const SlotRecord& record : records) records_.Add(record);
  }
  world_.on_change();
}

void SlotSource::AddRecord(const SlotRecord& record) { AddStored({record}); }

bool SlotSource::IsTable(absl::string_view name) const {
  const sync::MutexLock lock(mutex_);
  if (!parts_.has_value()) return false;
  const std::string& table = parts_->collector.table_name;
  return name == table || (absl::StartsWith(name, "arn:") &&
                           absl::EndsWith(name, absl::StrCat("/", table)));
}

absl::Duration SlotSource::window_lag() const {
  const sync::MutexLock lock(mutex_);
  return parts_.has_value() ? parts_->sender.window_lag : absl::ZeroDuration();
}

void SlotSource::ExpectSlotsFrom(absl::Time slot) {
  {
    const sync::MutexLock lock(mutex_);
    expected_from_ = Earlier(expected_from_, slot);
  }
  world_.on_change();
}

SlotStatus SlotSource::GetStatus() {
  SlotStatus status{.expected = ExpectedSlots(), .window_lag = window_lag()};
  const bool all_read = reader_.HasReadAll();
  const sync::MutexLock lock(mutex_);
  status.records = records_.status();
  if (all_read) {
    // No record is older than the first slot that is expected.
    status.records.missing =
        CountSlots(status.expected) -
        (status.records.total - records_.CountFrom(status.expected.to));
  }
  return status;
}

std::optional<absl::Time> SlotSource::FirstFired() {
  const std::optional<SchedulerParts> scheduler = parts();
  if (!scheduler.has_value()) return std::nullopt;
  std::optional<absl::Time> first;
  for (const events::RuleStatus& status : world_.events.ListRules()) {
    if (!scheduler->rule_arns.contains(status.rule.arn)) continue;
    first = Earlier(first, status.first_fired);
  }
  return first;
}

dashboard::TimeRange SlotSource::ExpectedSlots() {
  const absl::Duration lag = window_lag();
  std::optional<absl::Time> first = FirstFired();
  if (first.has_value()) first = scheduler::FloorToMinute(*first) - lag;
  {
    const sync::MutexLock lock(mutex_);
    first = Earlier(first, expected_from_);
    first = Earlier(first, records_.status().first);
  }
  dashboard::TimeRange expected =
      applications::ExpectedSlots(first, lag, world_.clock.Now());
  // Whether older ones were stored has been forgotten.
  expected.from =
      std::max(expected.from,
               expected.to - static_cast<std::int64_t>(kMaxRememberedSlots) *
                                 scheduler::kSlotInterval);
  return expected;
}

absl::Status SlotSource::VisitRecords(
    const dashboard::TimeRange& range,
    absl::FunctionRef<bool(const SlotRecord&)> visit) {
  if (absl::Status read = reader_.AwaitSince(range.from); !read.ok()) {
    return read;
  }
  dashboard::TimeRange rest = range;
  std::vector<SlotRecord> piece;
  do {
    piece.clear();
    {
      const sync::MutexLock lock(mutex_);
      records_.Visit(rest, [&](const SlotRecord& record) {
        piece.push_back(record);
        return piece.size() < kVisitedAtATime;
      });
    }
    for (const SlotRecord& record : piece) {
      if (!visit(record)) return absl::OkStatus();
      rest.from = record.slot + absl::Nanoseconds(1);
    }
  } while (piece.size() == kVisitedAtATime);
  return absl::OkStatus();
}

SlotSource::Shortfall SlotSource::CountSince(absl::Time since) {
  dashboard::TimeRange expected = ExpectedSlots();
  expected.from = std::max(expected.from, since - window_lag());
  Shortfall shortfall{.missing = CountSlots(expected)};
  const absl::Time counted_to = expected.to;
  // What is not expected yet may be there already, late for its slot or not.
  expected.to = std::max(expected.to, world_.clock.Now());
  if (expected.from >= expected.to) return {};
  const absl::Status visited =
      VisitRecords(expected, [&](const SlotRecord& record) {
        if (record.slot < counted_to) --shortfall.missing;
        if (record.lateness.has_value() && *record.lateness > kSlotGrace) {
          ++shortfall.late;
        }
        return true;
      });
  return visited.ok() ? shortfall : Shortfall();
}

absl::StatusOr<std::int64_t> SlotSource::DeleteRecords() {
  if (absl::Status read = reader_.AwaitSince(absl::InfinitePast());
      !read.ok()) {
    return read;
  }
  std::vector<std::string> slots;
  {
    const sync::MutexLock lock(mutex_);
    records_.Visit({absl::InfinitePast(), absl::InfiniteFuture()},
                   [&](const SlotRecord& record) {
                     slots.push_back(time::FormatIso8601(record.slot));
                     return true;
                   });
  }
  if (absl::Status deleted = DeleteSlots(slots); !deleted.ok()) return deleted;
  // What was deleted is not missing.
  world_.events.ForgetFirst();
  {
    const sync::MutexLock lock(mutex_);
    expected_from_.reset();
    records_.Clear();
  }
  world_.on_change();
  return static_cast<std::int64_t>(slots.size());
}

absl::Status SlotSource::DeleteSlots(const std::vector<std::string>& slots) {
  const std::optional<SchedulerParts> scheduler = parts();
  if (!scheduler.has_value()) return absl::OkStatus();
  for (std::size_t begin = 0; begin < slots.size(); begin += kMaxBatchWrites) {
    Json::Value request;
    Json::Value& writes =
        request["RequestItems"][scheduler->collector.table_name];
    const std::size_t end = std::min(begin + kMaxBatchWrites, slots.size());
    for (std::size_t i = begin; i < end; ++i) {
      Json::Value write;
      Json::Value& key = write["DeleteRequest"]["Key"];
      key[scheduler::kMetricNameKey]["S"] = scheduler::kMetricName;
      key[scheduler::kSlotTimeKey]["S"] = slots[i];
      writes.append(std::move(write));
    }
    const absl::Status deleted =
        CallInProcess(world_.dynamodb,
                      {.operation = "BatchWriteItem", .region = world_.region},
                      request)
            .status();
    if (!deleted.ok()) return deleted;
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::applications
