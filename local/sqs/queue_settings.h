// The attributes of a queue that can be set: their rules, defaults and text.
//
//   QueueSettings settings;  // the defaults
//   absl::Status status = ApplyAttributes({{"DelaySeconds", "5"}}, settings);
//   AttributesOf(settings);  // {{"DelaySeconds", "5"}, {"VisibilityTimeout"...
//
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
#ifndef BYOSHIN_LOCAL_SQS_QUEUE_SETTINGS_H_
#define BYOSHIN_LOCAL_SQS_QUEUE_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/limits.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

// Where messages go after too many receives.
struct RedrivePolicy {
  std::string target_arn{};
  int64_t max_receive_count = 0;
};

// Which queues may use this one as dead-letter queue.
struct RedriveAllowPolicy {
  enum class Permission { kAllowAll, kDenyAll, kByQueue };
  Permission permission = Permission::kAllowAll;
  std::vector<std::string> source_arns{};
};

// Attributes of FIFO queues.
inline constexpr char kFifoQueue[] = "FifoQueue";
inline constexpr char kContentBasedDeduplication[] =
    "ContentBasedDeduplication";
inline constexpr char kDeduplicationScope[] = "DeduplicationScope";
inline constexpr char kFifoThroughputLimit[] = "FifoThroughputLimit";

// What only FIFO queues have.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html
struct FifoSettings {
  enum class Scope { kQueue, kMessageGroup };
  enum class ThroughputLimit { kPerQueue, kPerMessageGroupId };
  bool content_based_deduplication = false;
  // Where a deduplication ID identifies a message.
  Scope deduplication_scope = Scope::kQueue;
  // Stored and reported, but without effect: nothing is throttled.
  ThroughputLimit throughput_limit = ThroughputLimit::kPerQueue;
};

struct QueueSettings {
  // Set for FIFO queues.
  std::optional<FifoSettings> fifo{};
  absl::Duration delay = absl::ZeroDuration();
  absl::Duration visibility_timeout = kDefaultVisibilityTimeout;
  absl::Duration retention = kDefaultRetention;
  absl::Duration receive_wait = absl::ZeroDuration();
  int64_t max_message_bytes = kMaxMessageBytes;
  std::optional<RedrivePolicy> redrive{};
  std::optional<RedriveAllowPolicy> redrive_allow{};
  // Stored and reported, but without effect: nothing is encrypted.
  std::string policy{};
  std::string kms_key_id{};
  int64_t kms_reuse_seconds = kDefaultKmsReuseSeconds;
  bool sqs_managed_sse = true;

  QueueKind kind() const {
    return fifo.has_value() ? QueueKind::kFifo : QueueKind::kStandard;
  }
};

// The settings that a queue created with `attributes` begins with: those of a
// FIFO queue or of a standard queue. ApplyAttributes() sets the rest.
QueueSettings InitialSettings(const StringMap& attributes);

// Sets `attributes`, or changes nothing and returns an error:
// InvalidAttributeName for an attribute that can't be set or is for FIFO queues
// only, InvalidAttributeValue and InvalidParameterValue for values. The kind of
// a queue can't be changed. The caller checks whether the dead-letter queue
// exists.
absl::Status ApplyAttributes(const StringMap& attributes,
                             QueueSettings& settings);

// All that are set, as GetQueueAttributes returns them.
StringMap AttributesOf(const QueueSettings& settings);

// Whether there is an attribute of this name, set or computed, "All" included.
bool IsAttributeName(absl::string_view name);

// Whether `allow` permits dead letters from the queue with this ARN.
bool Allows(const std::optional<RedriveAllowPolicy>& allow,
            absl::string_view source_arn);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_QUEUE_SETTINGS_H_
