// The order of the messages of a FIFO queue.
//
//   MessageGroups groups;
//   MessageGroup* group = groups.Add("customer 7", /*number=*/1);
//   groups.SetAvailable(*group, now);
//   groups.First();  // 1: the first message of the first available group
//
// Messages of a group are received in the order in which they were sent. The
// first of them decides for all: while it is delayed or in flight, none can be
// received. Groups are received in the order in which their first messages
// became visible.
#ifndef BYOSHIN_LOCAL_SQS_MESSAGE_GROUPS_H_
#define BYOSHIN_LOCAL_SQS_MESSAGE_GROUPS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {

// Belongs to its MessageGroups.
struct MessageGroup {
  std::string id{};
  absl::btree_set<uint64_t> messages{};  // never empty
  // Since when the first message has been visible, with its number; not set if
  // it is invisible.
  std::optional<std::pair<absl::Time, uint64_t>> available{};
};

// Not thread-safe.
class MessageGroups {
 public:
  // Adds a message to a group. Its address stays until its last message is
  // removed.
  MessageGroup* Add(absl::string_view group_id, uint64_t number);
  // Removes a message. nullptr if it was the last of its group.
  MessageGroup* Remove(MessageGroup& group, uint64_t number);
  void Clear();

  // Sets since when the first message of the group has been visible; nullopt if
  // it is not. Call it whenever the first message changes.
  void SetAvailable(MessageGroup& group, std::optional<absl::Time> since);

  // The first message of the group that has been available the longest; nullopt
  // if none is available.
  std::optional<uint64_t> First() const;

 private:
  std::map<std::string, MessageGroup, std::less<>> groups_;
  absl::btree_set<std::pair<absl::Time, uint64_t>> available_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_MESSAGE_GROUPS_H_
