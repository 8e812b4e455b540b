// The keys of the store.
#ifndef BYOSHIN_LOCAL_SQS_KEYS_H_
#define BYOSHIN_LOCAL_SQS_KEYS_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

inline constexpr absl::string_view kQueuePrefix = "q";    // by queue
inline constexpr absl::string_view kMessagePrefix = "m";  // by queue, message
inline constexpr absl::string_view kStatePrefix = "s";    // by queue, message
inline constexpr absl::string_view kTaskPrefix = "t";     // by task
// Of FIFO queues: accepted messages and receive attempts, by queue and sequence
// number.
inline constexpr absl::string_view kAcceptedPrefix = "d";
inline constexpr absl::string_view kAttemptPrefix = "a";
// All sequence numbers given out are below this one.
inline constexpr absl::string_view kSequenceKey = "x";
// The number of the next queue, so that numbers are not reused.
inline constexpr absl::string_view kNextQueueKey = "n";

inline std::string Key(absl::string_view prefix, uint64_t number) {
  std::string key(prefix);
  AppendNumber(number, key);
  return key;
}

inline std::string Key(absl::string_view prefix, uint64_t queue,
                       uint64_t message) {
  std::string key = Key(prefix, queue);
  AppendNumber(message, key);
  return key;
}

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_KEYS_H_
