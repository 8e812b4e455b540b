// A queue in memory: its settings and the state of each message.
//
//   queue.Add(7, message, /*group_id=*/"", now);
//   queue.MakeDueVisible(now);
//   std::optional<uint64_t> first = queue.FirstReceivable();
//   if (first.has_value()) queue.Hide(*first, now + timeout);
//
// The indexes are private to this class, which does not use the store.
#ifndef BYOSHIN_LOCAL_SQS_QUEUE_H_
#define BYOSHIN_LOCAL_SQS_QUEUE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/deduplication.h"
#include "local/sqs/message.h"
#include "local/sqs/message_groups.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/receive_attempts.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

// What is known of a message without reading the store.
struct Message {
  enum class Place { kVisible, kDelayed, kInFlight };

  absl::Time sent_at{};
  MessageState state{};
  // Kept by Queue.
  Place place = Place::kVisible;
  MessageGroup* group = nullptr;  // in a FIFO queue
};

// The stored record of a queue, without its messages.
struct QueueRecord {
  QueueAddress address{};
  QueueSettings settings{};
  StringMap tags{};
  absl::Time created_at{};
  absl::Time modified_at{};
  absl::Time purged_at = absl::InfinitePast();
};

std::string EncodeQueue(const QueueRecord& queue);
// DataLoss if the record is damaged.
absl::StatusOr<QueueRecord> DecodeQueue(absl::string_view record);

// What a FIFO queue has in addition.
struct FifoIndexes {
  MessageGroups groups{};
  Deduplication deduplication{};
  ReceiveAttempts attempts{};
};

// Not thread-safe.
class Queue {
 public:
  Queue(uint64_t id, QueueRecord record)
      : id_(id),
        record_(std::move(record)),
        fifo_(record_.settings.fifo.has_value()
                  ? std::make_unique<FifoIndexes>()
                  : nullptr) {}

  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Never reused, even after the queue is deleted.
  uint64_t id() const { return id_; }
  const QueueAddress& address() const { return record_.address; }
  const QueueSettings& settings() const { return record_.settings; }
  QueueKind kind() const { return record_.settings.kind(); }
  // nullptr if it is a standard queue.
  FifoIndexes* fifo() const { return fifo_.get(); }
  const QueueRecord& record() const { return record_; }
  QueueRecord& mutable_record() { return record_; }

  // Adds a message under `number`, which must be higher than any before. It is
  // visible if its time has come. A standard queue ignores its group.
  void Add(uint64_t number, Message message, absl::string_view group_id,
           absl::Time now);
  // There must be such a message.
  void Remove(uint64_t number);
  void Clear();
  // nullptr if there is none.
  Message* Find(uint64_t number);

  // Puts the message in flight until `until`. There must be such a message,
  // here and below.
  void Hide(uint64_t number, absl::Time until);
  void MakeVisible(uint64_t number, absl::Time now);

  // The message that is received next: the one that has been visible the
  // longest; in a FIFO queue, the first of the group whose first message has.
  // nullopt if none can be received.
  std::optional<uint64_t> FirstReceivable() const;
  // The message that the same receiver gets after this one, which it has not
  // been given yet: in a FIFO queue, the next of the group if it is visible.
  std::optional<uint64_t> NextOfGroup(uint64_t number) const;
  // The messages that are still delayed.
  std::vector<uint64_t> Delayed() const;
  void SetDelay(uint64_t number, absl::Time until);

  // Makes due messages visible. Returns whether there was any.
  bool MakeDueVisible(absl::Time now);
  // The messages that are older than the queue's retention period.
  std::vector<uint64_t> Expired(absl::Time now) const;
  bool IsExpired(const Message& message, absl::Time now) const {
    return message.sent_at + settings().retention <= now;
  }
  // When either of these next has something to do, or a FIFO queue can forget
  // something.
  absl::Time NextDue() const;

  int64_t visible() const { return static_cast<int64_t>(visible_.size()); }
  int64_t delayed() const { return delayed_; }
  int64_t in_flight() const {
    return static_cast<int64_t>(waiting_.size()) - delayed_;
  }

 private:
  // A time and a message's number.
  using Index = absl::btree_set<std::pair<absl::Time, uint64_t>>;

  void Insert(uint64_t number, Message& message, Message::Place place);
  void Take(uint64_t number, const Message& message);
  void UpdateGroup(MessageGroup& group);

  const uint64_t id_;
  QueueRecord record_;
  const std::unique_ptr<FifoIndexes> fifo_;

  absl::flat_hash_map<uint64_t, Message> messages_;
  Index visible_;  // by the time since when
  Index waiting_;  // delayed and in flight, by the time until when
  Index by_age_;   // all of them, by when they were sent
  int64_t delayed_ = 0;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_QUEUE_H_
