// What the source knows about slots and queues over time: which slots should be
// stored by now, and samples of the queues.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "local/dashboard/history.h"
#include "local/dashboard/series.h"
#include "local/events/events.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/scheduler_parts.h"

namespace byoshin::local::stack {
namespace {

std::optional<absl::Time> Earlier(std::optional<absl::Time> a,
                                  std::optional<absl::Time> b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() ? a : b;
  return std::min(*a, *b);
}

bool AreAlike(const dashboard::QueueSample& a,
              const dashboard::QueueSample& b) {
  const auto values = [](const dashboard::QueueSample& sample) {
    return std::tie(sample.waiting, sample.in_flight, sample.retries,
                    sample.dead_letters);
  };
  return values(a) == values(b);
}

}  // namespace

void CloudSource::ExpectSlotsFrom(absl::Time slot) {
  {
    std::lock_guard lock(mutex_);
    expected_from_ = Earlier(expected_from_, slot);
  }
  Changed();
}

absl::Duration CloudSource::window_lag() const {
  std::lock_guard lock(mutex_);
  return scheduler_.has_value() ? scheduler_->window_lag : absl::ZeroDuration();
}

std::optional<absl::Time> CloudSource::FirstFired() {
  std::optional<SchedulerParts> scheduler;
  {
    std::lock_guard lock(mutex_);
    scheduler = scheduler_;
  }
  if (!scheduler.has_value()) return std::nullopt;
  std::optional<absl::Time> first;
  for (const events::RuleStatus& status : world_.events.ListRules()) {
    if (!scheduler->rule_arns.contains(status.rule.arn)) continue;
    first = Earlier(first, status.first_fired);
  }
  return first;
}

dashboard::TimeRange CloudSource::ExpectedSlots() {
  const absl::Duration lag = window_lag();
  std::optional<absl::Time> first = FirstFired();
  if (first.has_value()) first = scheduler::FloorToMinute(*first) - lag;
  {
    std::lock_guard lock(mutex_);
    first = Earlier(first, expected_from_);
    first = Earlier(first, records_.status().first);
  }
  dashboard::TimeRange expected =
      dashboard::ExpectedSlots(first, lag, world_.clock.Now());
  // Whether older ones were stored has been forgotten.
  expected.from = std::max(
      expected.from,
      expected.to - static_cast<std::int64_t>(dashboard::kMaxRememberedSlots) *
                        scheduler::kSlotInterval);
  return expected;
}

std::vector<sqs::QueueDepth> CloudSource::Depths(
    const std::vector<Queue>& queues) {
  if (queues.empty()) return {};
  // All are asked at once, so that the service is waited for only once.
  struct Asked {
    std::mutex mutex;
    std::vector<sqs::QueueDepth> depths;
    std::size_t left;
    std::promise<void> done;
  };
  const auto asked = std::make_shared<Asked>();
  asked->depths.resize(queues.size());
  asked->left = queues.size();
  for (std::size_t i = 0; i < queues.size(); ++i) {
    world_.sqs.Depth(queues[i].arn,
                     [asked, i](const absl::StatusOr<sqs::QueueDepth>& depth) {
                       std::lock_guard lock(asked->mutex);
                       asked->depths[i] = depth.value_or(sqs::QueueDepth());
                       if (--asked->left == 0) asked->done.set_value();
                     });
  }
  asked->done.get_future().wait();
  return asked->depths;
}

void CloudSource::TakeSample(absl::Time now) {
  const std::vector<Queue> queues = Queues();
  const std::vector<sqs::QueueDepth> depths = Depths(queues);
  dashboard::QueueSample sample{.time = now};
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const std::int64_t waiting = depths[i].visible + depths[i].delayed;
    if (queues[i].holds_dead_letters) {
      sample.dead_letters += waiting + depths[i].in_flight;
    } else {
      sample.waiting += waiting;
      sample.in_flight += depths[i].in_flight;
    }
  }
  {
    std::lock_guard lock(mutex_);
    const std::int64_t retries = world_.queues.all_retries();
    sample.retries = retries - std::exchange(sampled_retries_, retries);
    samples_.Add(sample);
    if (AreAlike(std::exchange(last_sample_, sample), sample)) return;
  }
  Changed();
}

}  // namespace byoshin::local::stack
