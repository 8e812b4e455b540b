#include "local/cli/live_report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/ticker.h"
#include "local/applications/application.h"
#include "local/cli/failure_report.h"
#include "local/dashboard/source.h"

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

LiveReport::LiveReport(time::Clock& clock, Print print, std::string ellipsis)
    : clock_(clock), print_(std::move(print)), report_(std::move(ellipsis)) {}

LiveReport::~LiveReport() { Stop(); }

void LiveReport::AddOutcome(const stack::FunctionOutcome& outcome) {
  const sync::MutexLock lock(mutex_);
  if (stopped_) return;
  for (const std::string& line : report_.AddOutcome(outcome)) print_(line);
}

void LiveReport::AddNote(const std::string& text) {
  const absl::Time now = clock_.Now();
  const sync::MutexLock lock(mutex_);
  for (const std::string& line : report_.AddNote(now, text)) print_(line);
}

void LiveReport::Begin(const Observed& observed) {
  {
    const sync::MutexLock lock(mutex_);
    report_.Begin(clock_.Now());
  }
  ticker_ = std::make_unique<time::Ticker>(
      clock_, kLookInterval,
      [this, observed](absl::Time now) { Tick(now, observed); });
}

void LiveReport::Stop() {
  {
    const sync::MutexLock lock(mutex_);
    stopped_ = true;
  }
  ticker_.reset();
}

void LiveReport::Tick(absl::Time now, const Observed& observed) {
  absl::Time since;
  {
    const sync::MutexLock lock(mutex_);
    since = report_.since();
  }
  // Without the lock: the cloud's threads want it while they answer.
  const absl::StatusOr<dashboard::Status> status = observed.source.GetStatus();
  if (!status.ok()) return;
  FailureReport::Snapshot snapshot{.dead_letters = DeadLettersOf(*status)};
  for (applications::ApplicationRun* application : observed.applications) {
    applications::ExpectedWork work = application->CountWork(since);
    if (!work.one.empty()) snapshot.work.push_back(std::move(work));
  }
  const sync::MutexLock lock(mutex_);
  if (stopped_) return;
  for (const std::string& line : report_.Tick(now, snapshot)) print_(line);
}

}  // namespace byoshin::local::cli
