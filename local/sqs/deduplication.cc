#include "local/sqs/deduplication.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/limits.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

std::string EncodeAccepted(const AcceptedMessage& message) {
  std::string record;
  AppendTime(message.sent_at, record);
  AppendText(message.deduplication_id, record);
  AppendText(message.group_id, record);
  AppendText(message.message_id, record);
  return record;
}

absl::StatusOr<AcceptedMessage> DecodeAccepted(uint64_t sequence,
                                               absl::string_view record) {
  RecordReader reader(record);
  AcceptedMessage message{.sequence = sequence, .sent_at = reader.Time()};
  message.deduplication_id = std::string(reader.Text());
  message.group_id = std::string(reader.Text());
  message.message_id = std::string(reader.Text());
  if (!reader.ok()) {
    return absl::DataLossError("a deduplication ID in the store is damaged");
  }
  return message;
}

void Deduplication::Add(AcceptedMessage message) {
  by_id_[message.deduplication_id].push_back(message.sequence);
  const uint64_t sequence = message.sequence;
  by_sequence_.emplace(sequence, std::move(message));
}

void Deduplication::Clear() {
  by_sequence_.clear();
  by_id_.clear();
}

const AcceptedMessage* Deduplication::Find(absl::string_view deduplication_id,
                                           const std::string* group_id,
                                           absl::Time now) const {
  const auto found = by_id_.find(deduplication_id);
  if (found == by_id_.end()) return nullptr;
  for (const uint64_t sequence : found->second) {
    const AcceptedMessage& message = by_sequence_.at(sequence);
    if (now < message.sent_at + kDeduplicationInterval &&
        (group_id == nullptr || message.group_id == *group_id)) {
      return &message;
    }
  }
  return nullptr;
}

absl::Time Deduplication::NextDue() const {
  if (by_sequence_.empty()) return absl::InfiniteFuture();
  return by_sequence_.begin()->second.sent_at + kDeduplicationInterval;
}

std::optional<uint64_t> Deduplication::Forget(absl::Time now) {
  if (NextDue() > now) return std::nullopt;
  const auto oldest = by_sequence_.begin();
  const uint64_t sequence = oldest->first;
  const auto same_id = by_id_.find(oldest->second.deduplication_id);
  std::erase(same_id->second, sequence);
  if (same_id->second.empty()) by_id_.erase(same_id);
  by_sequence_.erase(oldest);
  return sequence;
}

}  // namespace byoshin::local::sqs
