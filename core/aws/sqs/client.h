// The part of Amazon SQS that Byoshin's functions call.
//
// JsonClient (json_client.h) speaks the wire protocol itself; an implementation
// over aws-sdk-cpp would be possible, too.
#ifndef BYOSHIN_CORE_AWS_SQS_CLIENT_H_
#define BYOSHIN_CORE_AWS_SQS_CLIENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::aws::sqs {

// AWS's limit on the entries of one batch.
inline constexpr int kMaxBatchEntries = 10;

struct SendMessageBatchEntry {
  // Unique within the batch; names the entry in the result.
  std::string id{};
  std::string body{};
  // Whole seconds, at most 15 minutes.
  absl::Duration delay{};
};

struct SendMessageBatchRequest {
  std::string queue_url{};
  std::vector<SendMessageBatchEntry> entries{};
};

struct SendMessageBatchResult {
  struct Sent {
    std::string id{};
    std::string message_id{};
  };
  struct Failed {
    std::string id{};
    std::string code{};
    std::string message{};
    // The sender's fault, so that sending the same again would fail again.
    bool sender_fault = false;
  };
  // Together they name every entry of the request once.
  std::vector<Sent> sent{};
  std::vector<Failed> failed{};
};

// Calls SQS. Not thread-safe.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // An error means that no entry is known to have been sent; see aws::ErrorOf.
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
  virtual absl::StatusOr<SendMessageBatchResult> SendMessageBatch(
      const SendMessageBatchRequest& request, absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::sqs

#endif  // BYOSHIN_CORE_AWS_SQS_CLIENT_H_
