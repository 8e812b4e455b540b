#include "local/sqs/message_groups.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::sqs {

MessageGroup* MessageGroups::Add(absl::string_view group_id, uint64_t number) {
  MessageGroup& group = groups_[std::string(group_id)];
  if (group.messages.empty()) group.id = std::string(group_id);
  group.messages.insert(number);
  return &group;
}

MessageGroup* MessageGroups::Remove(MessageGroup& group, uint64_t number) {
  group.messages.erase(number);
  if (!group.messages.empty()) return &group;
  SetAvailable(group, std::nullopt);
  groups_.erase(groups_.find(group.id));
  return nullptr;
}

void MessageGroups::Clear() {
  groups_.clear();
  available_.clear();
}

void MessageGroups::SetAvailable(MessageGroup& group,
                                 std::optional<absl::Time> since) {
  if (group.available.has_value()) available_.erase(*group.available);
  group.available.reset();
  if (!since.has_value()) return;
  group.available.emplace(*since, *group.messages.begin());
  available_.insert(*group.available);
}

std::optional<uint64_t> MessageGroups::First() const {
  if (available_.empty()) return std::nullopt;
  return available_.begin()->second;
}

}  // namespace byoshin::local::sqs
