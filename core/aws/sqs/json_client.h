// SQS over its own wire protocol.
//
//   aws::sqs::JsonClient queue(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<SendMessageBatchResult> result = queue.SendMessageBatch(
//       {.queue_url = url, .entries = {{.id = "0", .body = "{}"}}}, deadline);
//
// Requests go to the host of the queue's URL, as AWS's SDKs send them, unless
// an endpoint is configured (see ResolveEndpoint of core/aws/endpoint.h).
#ifndef BYOSHIN_CORE_AWS_SQS_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_SQS_JSON_CLIENT_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/json_protocol.h"
#include "core/aws/sqs/client.h"

namespace byoshin::aws::sqs {

// Codes of entries that SQS has not reported as failed. Both may be sent again:
// SQS has a damaged message or none.
inline constexpr char kChecksumMismatch[] = "ChecksumMismatch";
inline constexpr char kNoAnswer[] = "NoAnswer";

inline constexpr absl::Duration kMaxDelay = absl::Minutes(15);

// Not thread-safe.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  // An entry whose MD5 differs, or for which SQS returns no result, is among
  // the failed, with the codes above. InvalidArgument before anything is sent:
  // no or too many entries, an id that is empty or not unique, a delay that is
  // not whole seconds or too long, an invalid queue URL. DataLoss: an answer
  // that names other entries than were sent, or one of them twice.
  absl::StatusOr<SendMessageBatchResult> SendMessageBatch(
      const SendMessageBatchRequest& request, absl::Time deadline) override;

 private:
  JsonProtocol protocol_;
};

}  // namespace byoshin::aws::sqs

#endif  // BYOSHIN_CORE_AWS_SQS_JSON_CLIENT_H_
