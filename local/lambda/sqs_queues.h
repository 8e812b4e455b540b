// The queues of the local SQS, for Lambda and EventBridge.
//
//   SqsQueues queues(sqs);
//   Lambda::Open({…, .queues = queues, .sink = queues}, …);
#ifndef BYOSHIN_LOCAL_LAMBDA_SQS_QUEUES_H_
#define BYOSHIN_LOCAL_LAMBDA_SQS_QUEUES_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/queues/queues.h"
#include "local/sqs/sqs.h"

namespace byoshin::local::lambda {

// Thread-safe.
class SqsQueues final : public queues::QueueSource, public queues::QueueSink {
 public:
  // `sqs` must outlive this.
  explicit SqsQueues(sqs::Sqs& sqs) : sqs_(sqs) {}

  absl::StatusOr<WatchId> Watch(const std::string& queue_arn,
                                std::function<void()> available) override;
  void Unwatch(WatchId id) override;
  void Receive(
      const std::string& queue_arn, int max_messages,
      std::function<void(absl::StatusOr<std::vector<queues::QueueMessage>>)>
          done) override;
  void Delete(const std::string& queue_arn,
              std::vector<std::string> receipt_handles,
              std::function<void(absl::Status)> done) override;
  void GiveBack(const std::string& queue_arn,
                std::vector<std::string> receipt_handles,
                std::function<void(absl::Status)> done) override;
  void Send(const std::string& queue_arn, queues::OutgoingMessage message,
            std::function<void(absl::Status)> done) override;

 private:
  sqs::Sqs& sqs_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_SQS_QUEUES_H_
