// Looking at the queues, once and over time.
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/dashboard/queue_series.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"

namespace byoshin::local::stack {
namespace {

bool AreAlike(const dashboard::QueueSample& a,
              const dashboard::QueueSample& b) {
  const auto values = [](const dashboard::QueueSample& sample) {
    return std::tie(sample.waiting, sample.in_flight, sample.retries,
                    sample.dead_letters);
  };
  return values(a) == values(b);
}

}  // namespace

std::vector<sqs::QueueDepth> CloudSource::Depths(
    const std::vector<Queue>& queues) {
  if (queues.empty()) return {};
  // All are asked at once, so that the service is waited for only once.
  struct Asked {
    sync::Mutex mutex;
    std::vector<sqs::QueueDepth> depths ABSL_GUARDED_BY(mutex);
    std::size_t left ABSL_GUARDED_BY(mutex) = 0;
    std::promise<void> done;
  };
  const auto asked = std::make_shared<Asked>();
  {
    const sync::MutexLock lock(asked->mutex);
    asked->depths.resize(queues.size());
    asked->left = queues.size();
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    world_.sqs.Depth(queues[i].arn,
                     [asked, i](const absl::StatusOr<sqs::QueueDepth>& depth) {
                       const sync::MutexLock lock(asked->mutex);
                       asked->depths[i] = depth.value_or(sqs::QueueDepth());
                       if (--asked->left == 0) asked->done.set_value();
                     });
  }
  asked->done.get_future().wait();
  const sync::MutexLock lock(asked->mutex);
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
    const sync::MutexLock lock(mutex_);
    const std::int64_t retries = world_.queues.all_retries();
    sample.retries = retries - std::exchange(sampled_retries_, retries);
    samples_.Add(sample);
    if (AreAlike(std::exchange(last_sample_, sample), sample)) return;
  }
  world_.changes.Note();
}

}  // namespace byoshin::local::stack
