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
#include "core/scheduler/slot.h"
#include "local/applications/scheduler/record_table.h"
#include "local/events/events.h"

namespace byoshin::local::applications {
namespace {

// Records that are copied at a time: a slot that is being stored must not wait
// until a month of them has been copied.
constexpr std::size_t kVisitedAtATime = 4096;
// The slots of a minute whose messages a cloud sent when it started may be
// stored before the schedule fires first.
constexpr absl::Duration kBeforeFirstFiring = absl::Minutes(1);

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
                return AddStored(records);
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

bool SlotSource::AddStored(const std::vector<SlotRecord>& records) {
  bool all_held = true;
  {
    const sync::MutexLock lock(mutex_);
    for (const SlotRecord& record : records) {
      all_held = records_.Add(record) && all_held;
    }
  }
  world_.on_change();
  return all_held;
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
    status.records.missing =
        CountSlots(status.expected) - records_.Count(status.expected);
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
  const sync::MutexLock lock(mutex_);
  first = Earlier(first, expected_from_);
  if (first.has_value()) {
    // Older records do not count: somebody sent their minute again.
    records_.Visit({.from = *first - kBeforeFirstFiring, .to = *first},
                   [&](const SlotRecord& record) {
                     first = record.slot;
                     return false;
                   });
  }
  dashboard::TimeRange expected =
      applications::ExpectedSlots(first, lag, world_.clock.Now());
  // Counting older ones would take long.
  expected.from = std::max(expected.from, records_.held_since());
  return expected;
}

absl::StatusOr<SlotSource::Piece> SlotSource::FirstPiece(
    const dashboard::TimeRange& range) const {
  Piece piece{.end = range.to};
  std::string table;
  {
    const sync::MutexLock lock(mutex_);
    if (range.from >= records_.held_since() || !parts_.has_value()) {
      records_.Visit(range, [&](const SlotRecord& record) {
        piece.records.push_back(record);
        if (piece.records.size() < kVisitedAtATime) return true;
        piece.end = record.slot + absl::Nanoseconds(1);
        return false;
      });
      return piece;
    }
    piece.end = std::min(range.to, records_.held_since());
    table = parts_->collector.table_name;
  }
  Json::Value begin;
  do {
    absl::StatusOr<RecordPage> page =
        RecordTable(world_.dynamodb, world_.region, table)
            .Oldest({.from = range.from, .to = piece.end}, begin);
    if (!page.ok()) return page.status();
    piece.records = std::move(page->records);
    begin = std::move(page->next);
  } while (piece.records.empty() && !begin.isNull());
  if (!begin.isNull()) {
    piece.end = piece.records.back().slot + absl::Nanoseconds(1);
  }
  return piece;
}

absl::Status SlotSource::VisitRecords(
    const dashboard::TimeRange& range,
    absl::FunctionRef<bool(const SlotRecord&)> visit) {
  dashboard::TimeRange rest = range;
  do {
    if (absl::Status read = reader_.AwaitSince(rest.from); !read.ok()) {
      return read;
    }
    const absl::StatusOr<Piece> piece = FirstPiece(rest);
    if (!piece.ok()) return piece.status();
    for (const SlotRecord& record : piece->records) {
      if (!visit(record)) return absl::OkStatus();
    }
    rest.from = piece->end;
  } while (rest.from < rest.to);
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
  std::int64_t deleted = 0;
  if (const std::optional<SchedulerParts> scheduler = parts()) {
    const absl::StatusOr<std::int64_t> items =
        RecordTable(world_.dynamodb, world_.region,
                    scheduler->collector.table_name)
            .DeleteAll();
    if (!items.ok()) return items.status();
    deleted = *items;
  }
  // What was deleted is not missing.
  world_.events.ForgetFirst();
  {
    const sync::MutexLock lock(mutex_);
    expected_from_.reset();
    records_.Clear();
  }
  world_.on_change();
  return deleted;
}

}  // namespace byoshin::local::applications
