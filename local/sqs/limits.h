// Amazon SQS's limits and defaults.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-quotas.html
#ifndef BYOSHIN_LOCAL_SQS_LIMITS_H_
#define BYOSHIN_LOCAL_SQS_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace byoshin::local::sqs {

inline constexpr std::size_t kMaxQueueNameBytes = 80;

// The maximum size of a message with its attributes, and of a whole batch. It
// was 256 KiB until 2025.
inline constexpr int64_t kMaxMessageBytes = 1 << 20;
inline constexpr int64_t kMinMaximumMessageBytes = 1 << 10;

inline constexpr absl::Duration kMaxDelay = absl::Minutes(15);
inline constexpr absl::Duration kMaxVisibilityTimeout = absl::Hours(12);
inline constexpr absl::Duration kMaxWait = absl::Seconds(20);
inline constexpr absl::Duration kMinRetention = absl::Minutes(1);
inline constexpr absl::Duration kMaxRetention = absl::Hours(14 * 24);

inline constexpr absl::Duration kDefaultVisibilityTimeout = absl::Seconds(30);
inline constexpr absl::Duration kDefaultRetention = absl::Hours(4 * 24);

inline constexpr int64_t kMinKmsReuseSeconds = 60;
inline constexpr int64_t kMaxKmsReuseSeconds = 86400;
inline constexpr int64_t kDefaultKmsReuseSeconds = 300;

inline constexpr int kMaxInFlight = 120000;
inline constexpr int kMaxMessagesPerReceive = 10;
inline constexpr std::size_t kMaxBatchEntries = 10;
inline constexpr std::size_t kMaxBatchIdBytes = 80;

inline constexpr std::size_t kMaxMessageAttributes = 10;
inline constexpr std::size_t kMaxAttributeNameBytes = 256;
inline constexpr std::size_t kMaxAttributeTypeBytes = 256;
// Of a message group, for deduplication, and of an attempt to receive.
inline constexpr std::size_t kMaxFifoIdBytes = 128;

// In a FIFO queue: how long a deduplication ID, and the ID of an attempt to
// receive, are remembered.
inline constexpr absl::Duration kDeduplicationInterval = absl::Minutes(5);

inline constexpr std::size_t kMaxPermissionActions = 7;

inline constexpr int kMaxReceiveCountLimit = 1000;
inline constexpr std::size_t kMaxRedriveSources = 10;

inline constexpr std::size_t kMaxTags = 50;
inline constexpr std::size_t kMaxTagKeyBytes = 128;
inline constexpr std::size_t kMaxTagValueBytes = 256;

inline constexpr int kMaxListResults = 1000;
inline constexpr absl::Duration kPurgeInterval = absl::Seconds(60);

inline constexpr int kMaxMoveRate = 500;
inline constexpr int kMaxMoveTasksListed = 10;

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_LIMITS_H_
