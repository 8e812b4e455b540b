#include "local/sqs/queue.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

std::string EncodeQueue(const QueueRecord& queue) {
  StringMap attributes = AttributesOf(queue.settings);
  // Stored even if there is no key that it applies to.
  attributes["KmsDataKeyReusePeriodSeconds"] =
      absl::StrCat(queue.settings.kms_reuse_seconds);
  std::string record;
  AppendText(queue.address.region, record);
  AppendText(queue.address.name, record);
  AppendTime(queue.created_at, record);
  AppendTime(queue.modified_at, record);
  AppendTime(queue.purged_at, record);
  AppendMap(attributes, record);
  AppendMap(queue.tags, record);
  return record;
}

absl::StatusOr<QueueRecord> DecodeQueue(absl::string_view record) {
  RecordReader reader(record);
  QueueRecord queue;
  queue.address.region = std::string(reader.Text());
  queue.address.name = std::string(reader.Text());
  queue.created_at = reader.Time();
  queue.modified_at = reader.Time();
  queue.purged_at = reader.Time();
  const StringMap attributes = reader.Map();
  queue.tags = reader.Map();
  queue.settings = InitialSettings(attributes);
  if (!reader.ok() || !ApplyAttributes(attributes, queue.settings).ok()) {
    return absl::DataLossError("a queue in the store is damaged");
  }
  return queue;
}

void Queue::Add(uint64_t number, Message message, absl::string_view group_id,
                absl::Time now) {
  const bool due = message.state.available_at <= now;
  const Message::Place place = due ? Message::Place::kVisible
                               : message.state.receives_here > 0
                                   ? Message::Place::kInFlight
                                   : Message::Place::kDelayed;
  Message& added = messages_[number] = std::move(message);
  by_age_.emplace(added.sent_at, number);
  added.group =
      fifo_ == nullptr ? nullptr : fifo_->groups.Add(group_id, number);
  Insert(number, added, place);
}

void Queue::Insert(uint64_t number, Message& message, Message::Place place) {
  message.place = place;
  Index& index = place == Message::Place::kVisible ? visible_ : waiting_;
  index.emplace(message.state.available_at, number);
  if (place == Message::Place::kDelayed) ++delayed_;
  if (message.group != nullptr && *message.group->messages.begin() == number) {
    UpdateGroup(*message.group);
  }
}

void Queue::UpdateGroup(MessageGroup& group) {
  const Message& first = messages_.at(*group.messages.begin());
  fifo_->groups.SetAvailable(
      group, first.place == Message::Place::kVisible
                 ? std::optional<absl::Time>(first.state.available_at)
                 : std::nullopt);
}

void Queue::Take(uint64_t number, const Message& message) {
  Index& index =
      message.place == Message::Place::kVisible ? visible_ : waiting_;
  index.erase({message.state.available_at, number});
  if (message.place == Message::Place::kDelayed) --delayed_;
}

void Queue::Remove(uint64_t number) {
  const auto found = messages_.find(number);
  Take(number, found->second);
  by_age_.erase({found->second.sent_at, number});
  MessageGroup* group = found->second.group;
  messages_.erase(found);
  if (group == nullptr) return;
  const bool was_first = *group->messages.begin() == number;
  group = fifo_->groups.Remove(*group, number);
  if (group != nullptr && was_first) UpdateGroup(*group);
}

void Queue::Clear() {
  messages_.clear();
  visible_.clear();
  waiting_.clear();
  by_age_.clear();
  delayed_ = 0;
  if (fifo_ != nullptr) *fifo_ = FifoIndexes();
}

Message* Queue::Find(uint64_t number) {
  const auto found = messages_.find(number);
  return found == messages_.end() ? nullptr : &found->second;
}

void Queue::Hide(uint64_t number, absl::Time until) {
  Message& message = messages_[number];
  Take(number, message);
  message.state.available_at = until;
  Insert(number, message, Message::Place::kInFlight);
}

void Queue::MakeVisible(uint64_t number, absl::Time now) {
  Message& message = messages_[number];
  Take(number, message);
  message.state.available_at = now;
  Insert(number, message, Message::Place::kVisible);
}

std::optional<uint64_t> Queue::FirstReceivable() const {
  if (fifo_ != nullptr) return fifo_->groups.First();
  if (visible_.empty()) return std::nullopt;
  return visible_.begin()->second;
}

std::optional<uint64_t> Queue::NextOfGroup(uint64_t number) const {
  if (fifo_ == nullptr) return std::nullopt;
  const MessageGroup* group = messages_.at(number).group;
  const auto next = group->messages.upper_bound(number);
  if (next == group->messages.end() ||
      messages_.at(*next).place != Message::Place::kVisible) {
    return std::nullopt;
  }
  return *next;
}

std::vector<uint64_t> Queue::Delayed() const {
  std::vector<uint64_t> numbers;
  for (const auto& [until, number] : waiting_) {
    if (messages_.at(number).place == Message::Place::kDelayed) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

void Queue::SetDelay(uint64_t number, absl::Time until) {
  Message& message = messages_[number];
  Take(number, message);
  message.state.available_at = until;
  Insert(number, message, Message::Place::kDelayed);
}

bool Queue::MakeDueVisible(absl::Time now) {
  bool any = false;
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    const auto [due, number] = *waiting_.begin();
    // Since it was due, not since now: messages are received in this order.
    MakeVisible(number, due);
    any = true;
  }
  return any;
}

std::vector<uint64_t> Queue::Expired(absl::Time now) const {
  std::vector<uint64_t> numbers;
  for (const auto& [sent_at, number] : by_age_) {
    if (sent_at + settings().retention > now) break;
    numbers.push_back(number);
  }
  return numbers;
}

absl::Time Queue::NextDue() const {
  absl::Time due = absl::InfiniteFuture();
  if (!waiting_.empty()) due = waiting_.begin()->first;
  if (!by_age_.empty()) {
    due = std::min(due, by_age_.begin()->first + settings().retention);
  }
  if (fifo_ != nullptr) {
    due = std::min(
        {due, fifo_->deduplication.NextDue(), fifo_->attempts.NextDue()});
  }
  return due;
}

}  // namespace byoshin::local::sqs
