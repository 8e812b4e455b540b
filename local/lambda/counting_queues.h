// Queues that count how often messages are received again: the dashboard's
// retries.
#ifndef BYOSHIN_LOCAL_LAMBDA_COUNTING_QUEUES_H_
#define BYOSHIN_LOCAL_LAMBDA_COUNTING_QUEUES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "core/sync/mutex.h"
#include "local/queues/queues.h"

namespace byoshin::local::lambda {

// Thread-safe.
class CountingQueues final : public queues::QueueSource {
 public:
  // `queues` must outlive this.
  explicit CountingQueues(queues::QueueSource& queues) : queues_(queues) {}

  absl::StatusOr<WatchId> Watch(const std::string& queue_arn,
                                std::function<void()> available) override {
    return queues_.Watch(queue_arn, std::move(available));
  }
  void Unwatch(WatchId id) override { queues_.Unwatch(id); }
  void Receive(
      const std::string& queue_arn, int max_messages,
      std::function<void(absl::StatusOr<std::vector<queues::QueueMessage>>)>
          done) override {
    queues_.Receive(
        queue_arn, max_messages,
        [this, queue_arn, done = std::move(done)](
            absl::StatusOr<std::vector<queues::QueueMessage>> messages) {
          if (messages.ok()) Count(queue_arn, *messages);
          done(std::move(messages));
        });
  }
  void Delete(const std::string& queue_arn,
              std::vector<std::string> receipt_handles,
              std::function<void(absl::Status)> done) override {
    queues_.Delete(queue_arn, std::move(receipt_handles), std::move(done));
  }
  void GiveBack(const std::string& queue_arn,
                std::vector<std::string> receipt_handles,
                std::function<void(absl::Status)> done) override {
    queues_.GiveBack(queue_arn, std::move(receipt_handles), std::move(done));
  }

  std::int64_t retries(const std::string& queue_arn) const {
    const sync::MutexLock lock(mutex_);
    const auto found = retries_.find(queue_arn);
    return found == retries_.end() ? 0 : found->second;
  }
  std::int64_t all_retries() const {
    const sync::MutexLock lock(mutex_);
    std::int64_t all = 0;
    for (const auto& [arn, retries] : retries_) all += retries;
    return all;
  }

 private:
  void Count(const std::string& queue_arn,
             const std::vector<queues::QueueMessage>& messages) {
    const sync::MutexLock lock(mutex_);
    for (const queues::QueueMessage& message : messages) {
      const auto received = message.attributes.find("ApproximateReceiveCount");
      std::int64_t times = 0;
      if (received != message.attributes.end() &&
          absl::SimpleAtoi(received->second, &times) && times > 1) {
        ++retries_[queue_arn];
      }
    }
  }

  queues::QueueSource& queues_;
  mutable sync::Mutex mutex_;
  std::map<std::string, std::int64_t> retries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_COUNTING_QUEUES_H_
