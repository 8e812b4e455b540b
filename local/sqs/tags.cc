// TagQueue, UntagQueue, ListQueueTags.
#include "local/sqs/tags.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/queue.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

absl::Status CheckTags(const StringMap& tags, absl::string_view queue_name) {
  if (tags.size() > kMaxTags) {
    return InvalidParameterValue(
        absl::StrCat("Too many tags added for queue ", queue_name, "."));
  }
  for (const auto& [key, value] : tags) {
    if (key.empty() || key.size() > kMaxTagKeyBytes) {
      return InvalidParameterValue(
          absl::StrCat("Tag keys must be between 1 and ", kMaxTagKeyBytes,
                       " characters in length."));
    }
    if (value.size() > kMaxTagValueBytes) {
      return InvalidParameterValue(
          absl::StrCat("Tag values must be between 0 and ", kMaxTagValueBytes,
                       " characters in length."));
    }
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return InvalidParameterValue(
          "Tag keys must not start with the reserved prefix aws:.");
    }
  }
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_TagQueue.html
absl::Status Engine::TagQueue(const TagQueueRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  if (request.tags.empty()) return MissingParameter("Tags");
  StringMap tags = queue->record().tags;
  for (const auto& [key, value] : request.tags) tags[key] = value;
  if (absl::Status status = CheckTags(tags, request.queue.name); !status.ok()) {
    return status;
  }
  queue->mutable_record().tags = std::move(tags);
  PutQueue(*queue);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_UntagQueue.html
absl::Status Engine::UntagQueue(const UntagQueueRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  if (request.keys.empty()) return MissingParameter("TagKeys");
  for (const std::string& key : request.keys) {
    queue->mutable_record().tags.erase(key);
  }
  PutQueue(*queue);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ListQueueTags.html
absl::StatusOr<StringMap> Engine::ListQueueTags(const QueueAddress& address) {
  const Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  return queue->record().tags;
}

}  // namespace byoshin::local::sqs
