#include "local/sqs/receive_attempts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/limits.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

std::string EncodeAttempt(const ReceiveAttempt& attempt) {
  std::string record;
  AppendTime(attempt.made_at, record);
  AppendText(attempt.id, record);
  AppendTime(attempt.invisible_until, record);
  AppendNumber(attempt.messages.size(), record);
  for (const ReceiveAttempt::Message& message : attempt.messages) {
    AppendNumber(message.number, record);
    AppendNumber(message.receipt, record);
  }
  return record;
}

absl::StatusOr<ReceiveAttempt> DecodeAttempt(uint64_t sequence,
                                             absl::string_view record) {
  RecordReader reader(record);
  ReceiveAttempt attempt{.sequence = sequence, .made_at = reader.Time()};
  attempt.id = std::string(reader.Text());
  attempt.invisible_until = reader.Time();
  for (uint64_t left = reader.Number(); left > 0 && reader.ok(); --left) {
    const uint64_t number = reader.Number();
    attempt.messages.push_back({.number = number, .receipt = reader.Number()});
  }
  if (!reader.ok()) {
    return absl::DataLossError("a receive attempt in the store is damaged");
  }
  return attempt;
}

void ReceiveAttempts::Add(ReceiveAttempt attempt) {
  if (const auto known = by_id_.find(attempt.id); known != by_id_.end()) {
    by_sequence_.erase(known->second);
  }
  by_id_[attempt.id] = attempt.sequence;
  const uint64_t sequence = attempt.sequence;
  by_sequence_.emplace(sequence, std::move(attempt));
}

void ReceiveAttempts::Clear() {
  by_sequence_.clear();
  by_id_.clear();
}

ReceiveAttempt* ReceiveAttempts::Find(absl::string_view id, absl::Time now) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  ReceiveAttempt& attempt = by_sequence_.at(found->second);
  return now < attempt.made_at + kDeduplicationInterval ? &attempt : nullptr;
}

void ReceiveAttempts::Remove(uint64_t sequence) {
  const auto attempt = by_sequence_.find(sequence);
  by_id_.erase(attempt->second.id);
  by_sequence_.erase(attempt);
}

absl::Time ReceiveAttempts::NextDue() const {
  if (by_sequence_.empty()) return absl::InfiniteFuture();
  return by_sequence_.begin()->second.made_at + kDeduplicationInterval;
}

std::optional<uint64_t> ReceiveAttempts::Forget(absl::Time now) {
  if (NextDue() > now) return std::nullopt;
  const uint64_t sequence = by_sequence_.begin()->first;
  Remove(sequence);
  return sequence;
}

}  // namespace byoshin::local::sqs
