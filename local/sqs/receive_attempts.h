// The attempts to receive from a FIFO queue within the last five minutes, by
// the ReceiveRequestAttemptId that the receiver gave: the same ID again returns
// the same messages.
#ifndef BYOSHIN_LOCAL_SQS_RECEIVE_ATTEMPTS_H_
#define BYOSHIN_LOCAL_SQS_RECEIVE_ATTEMPTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {

struct ReceiveAttempt {
  struct Message {
    uint64_t number = 0;
    uint64_t receipt = 0;
  };
  uint64_t sequence = 0;
  absl::Time made_at{};
  std::string id{};
  // The end of the visibility timeout of all its messages.
  absl::Time invisible_until{};
  std::vector<Message> messages{};
};

// Without the sequence number, which is in the key.
std::string EncodeAttempt(const ReceiveAttempt& attempt);
// DataLoss if the record is damaged.
absl::StatusOr<ReceiveAttempt> DecodeAttempt(uint64_t sequence,
                                             absl::string_view record);

// Not thread-safe.
class ReceiveAttempts {
 public:
  // Its sequence number must be new. Replaces an attempt with the same ID.
  void Add(ReceiveAttempt attempt);
  void Clear();

  // nullptr if there is none, or the interval is over.
  ReceiveAttempt* Find(absl::string_view id, absl::Time now);
  void Remove(uint64_t sequence);

  // When the oldest can be forgotten; absl::InfiniteFuture() if there is none.
  absl::Time NextDue() const;
  // Forgets the oldest if its interval is over, and returns its sequence
  // number.
  std::optional<uint64_t> Forget(absl::Time now);

 private:
  std::map<uint64_t, ReceiveAttempt> by_sequence_;
  absl::flat_hash_map<std::string, uint64_t> by_id_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_RECEIVE_ATTEMPTS_H_
