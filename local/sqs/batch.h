// The rules that all batches share.
#ifndef BYOSHIN_LOCAL_SQS_BATCH_H_
#define BYOSHIN_LOCAL_SQS_BATCH_H_

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "local/sqs/api.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"

namespace byoshin::local::sqs {

inline bool IsBatchId(absl::string_view id) {
  return !id.empty() && id.size() <= kMaxBatchIdBytes &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '-' || c == '_';
         });
}

// `entry_type` is, for example, "SendMessageBatchRequestEntry".
template <typename T>
absl::Status CheckBatch(const std::vector<BatchEntry<T>>& entries,
                        absl::string_view entry_type) {
  if (entries.empty()) return EmptyBatchRequest(entry_type);
  if (entries.size() > kMaxBatchEntries) {
    return TooManyEntriesInBatchRequest(entries.size());
  }
  std::set<std::string> ids;
  for (const BatchEntry<T>& entry : entries) {
    if (!IsBatchId(entry.id)) return InvalidBatchEntryId();
    if (!ids.insert(entry.id).second) return BatchEntryIdsNotDistinct(entry.id);
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_BATCH_H_
