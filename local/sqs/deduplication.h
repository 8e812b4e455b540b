// The messages that a FIFO queue has accepted within the last five minutes, by
// deduplication ID.
//
//   Deduplication seen;
//   if (const AcceptedMessage* first = seen.Find("id", nullptr, now)) ...
//   seen.Add({.sequence = 1, .sent_at = now, .deduplication_id = "id", ...});
//
// A message stays known after it is received and deleted.
#ifndef BYOSHIN_LOCAL_SQS_DEDUPLICATION_H_
#define BYOSHIN_LOCAL_SQS_DEDUPLICATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {

struct AcceptedMessage {
  uint64_t sequence = 0;
  absl::Time sent_at{};
  std::string deduplication_id{};
  std::string group_id{};
  std::string message_id{};
};

// Without the sequence number, which is in the key.
std::string EncodeAccepted(const AcceptedMessage& message);
// DataLoss if the record is damaged.
absl::StatusOr<AcceptedMessage> DecodeAccepted(uint64_t sequence,
                                               absl::string_view record);

// Not thread-safe.
class Deduplication {
 public:
  // Its sequence number must be new.
  void Add(AcceptedMessage message);
  void Clear();

  // The message with this deduplication ID: in the group, if one is given, or
  // in any. nullptr if there is none, or the interval is over. Valid until the
  // next change.
  const AcceptedMessage* Find(absl::string_view deduplication_id,
                              const std::string* group_id,
                              absl::Time now) const;

  // When the oldest can be forgotten; absl::InfiniteFuture() if there is none.
  absl::Time NextDue() const;
  // Forgets the oldest if its interval is over, and returns its sequence
  // number.
  std::optional<uint64_t> Forget(absl::Time now);

 private:
  absl::btree_map<uint64_t, AcceptedMessage> by_sequence_;
  absl::flat_hash_map<std::string, std::vector<uint64_t>> by_id_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_DEDUPLICATION_H_
