// How full the queues were over time, in as many points as a screen has.
//
//   QueueSeries series({from, to}, 2000);
//   for (const QueueSample& sample : samples) series.Add(sample);
//   for (const std::optional<QueueSample>& bucket : series.buckets()) ...
#ifndef BYOSHIN_LOCAL_DASHBOARD_QUEUE_SERIES_H_
#define BYOSHIN_LOCAL_DASHBOARD_QUEUE_SERIES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::dashboard {

// How often the queues are looked at.
inline constexpr absl::Duration kSampleInterval = absl::Seconds(5);

// The state of all queues at one time, `retries` since the sample before.
struct QueueSample {
  absl::Time time{};
  std::int64_t waiting = 0;
  std::int64_t in_flight = 0;
  std::int64_t retries = 0;
  std::int64_t dead_letters = 0;
};

// Not thread-safe.
class QueueSeries {
 public:
  // `max_buckets` is at least 2.
  QueueSeries(const TimeRange& range, int max_buckets)
      : layout_(range, kSampleInterval, max_buckets),
        buckets_(layout_.count()) {}

  const Buckets& layout() const { return layout_; }
  // The greatest of each bucket's samples; the sum, for retries. Its time means
  // nothing. Without value if there is no sample.
  const std::vector<std::optional<QueueSample>>& buckets() const {
    return buckets_;
  }

  // What is out of range is ignored.
  void Add(const QueueSample& sample) {
    const std::optional<std::size_t> i = layout_.IndexOf(sample.time);
    if (!i.has_value()) return;
    if (!buckets_[*i].has_value()) {
      buckets_[*i] = sample;
      return;
    }
    QueueSample& most = *buckets_[*i];
    most.waiting = std::max(most.waiting, sample.waiting);
    most.in_flight = std::max(most.in_flight, sample.in_flight);
    most.dead_letters = std::max(most.dead_letters, sample.dead_letters);
    most.retries += sample.retries;
  }

 private:
  const Buckets layout_;
  std::vector<std::optional<QueueSample>> buckets_;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_QUEUE_SERIES_H_
