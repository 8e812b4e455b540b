#include "local/cli/live_report.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/cli/failure_report.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/stack/slot_ticker.h"

namespace byoshin::local::cli {
namespace {

std::vector<FailureReport::DeadLetterQueue> DeadLettersOf(
    const dashboard::Status& status) {
  std::vector<FailureReport::DeadLetterQueue> dead;
  for (const dashboard::QueueStatus& queue : status.queues) {
    if (!queue.holds_dead_letters) continue;
    dead.push_back({.name = queue.name,
                    .held = queue.visible + queue.delayed + queue.in_flight,
                    .can_be_moved_back = std::any_of(
                        status.queues.begin(), status.queues.end(),
                        [&](const dashboard::QueueStatus& other) {
                          return other.dead_letter_queue == queue.name;
                        })});
  }
  return dead;
}

}  // namespace

std::int64_t CountMissing(dashboard::DashboardSource& source,
                          absl::Time since) {
  dashboard::TimeRange expected = source.ExpectedSlots();
  expected.from = std::max(expected.from, since);
  std::int64_t missing = dashboard::CountSlots(expected);
  if (missing == 0) return 0;
  const absl::Status visited =
      source.VisitRecords(expected, [&](const dashboard::SlotRecord&) {
        --missing;
        return true;
      });
  // The cloud is stopping.
  return visited.ok() ? missing : 0;
}

LiveReport::LiveReport(time::Clock& clock, Print print, std::string ellipsis)
    : clock_(clock), print_(std::move(print)), report_(std::move(ellipsis)) {}

LiveReport::~LiveReport() { Stop(); }

void LiveReport::AddOutcome(const stack::FunctionOutcome& outcome) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopped_) return;
  for (const std::string& line : report_.AddOutcome(outcome)) print_(line);
}

void LiveReport::AddRecord(const dashboard::SlotRecord& record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  report_.AddRecord(record);
}

void LiveReport::AddNote(const std::string& text) {
  const absl::Time now = clock_.Now();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::string& line : report_.AddNote(now, text)) print_(line);
}

void LiveReport::Begin(const Observed& observed) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    report_.Begin(clock_.Now(),
                  observed.window_lag.value_or(absl::ZeroDuration()));
  }
  ticker_ = std::make_unique<stack::SlotTicker>(
      clock_, [this, observed](absl::Time now) { Tick(now, observed); });
}

void LiveReport::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  ticker_.reset();
}

void LiveReport::Tick(absl::Time now, const Observed& observed) {
  absl::Time since;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    since = report_.since();
  }
  // Without the lock: the cloud's threads want it while they answer.
  const absl::StatusOr<dashboard::Status> status = observed.source.GetStatus();
  if (!status.ok()) return;
  FailureReport::Snapshot snapshot{.dead_letters = DeadLettersOf(*status)};
  if (observed.window_lag.has_value()) {
    snapshot.missing = CountMissing(observed.source, since);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopped_) return;
  for (const std::string& line : report_.Tick(now, snapshot)) print_(line);
}

}  // namespace byoshin::local::cli
