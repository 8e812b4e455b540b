// CreateQueue, GetQueueUrl, GetQueueAttributes, SetQueueAttributes, ListQueues,
// ListDeadLetterSourceQueues, DeleteQueue, PurgeQueue.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/limits.h"
#include "local/sqs/queue.h"
#include "local/sqs/queue_settings.h"
#include "local/sqs/record.h"
#include "local/sqs/tags.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

// The maximum to list, and whether the caller wants pages.
struct Page {
  std::size_t limit = 0;
  bool wanted = false;
};

absl::StatusOr<Page> PageOf(const std::optional<int64_t>& max_results) {
  if (!max_results.has_value()) return Page{.limit = kMaxListResults};
  if (*max_results < 1 || *max_results > kMaxListResults) {
    return InvalidParameterValue(absl::StrCat(
        "Value for parameter MaxResults is invalid. Reason: MaxResults must be "
        "an integer between 1 and ",
        kMaxListResults, "."));
  }
  return Page{.limit = static_cast<std::size_t>(*max_results), .wanted = true};
}

// A token contains the name of the last queue listed.
absl::StatusOr<std::string> LastListed(absl::string_view next_token) {
  std::string name;
  if (!absl::Base64Unescape(next_token, &name) ||
      (!next_token.empty() && name.empty())) {
    return InvalidParameterValue("Invalid or expired next token.");
  }
  return name;
}

// The page of `names`, sorted, after `next_token`.
absl::StatusOr<QueueList> ListPage(std::vector<QueueAddress> queues,
                                   const std::optional<int64_t>& max_results,
                                   absl::string_view next_token) {
  const absl::StatusOr<Page> page = PageOf(max_results);
  if (!page.ok()) return page.status();
  const absl::StatusOr<std::string> last = LastListed(next_token);
  if (!last.ok()) return last.status();
  const auto begin = std::find_if(
      queues.begin(), queues.end(),
      [&](const QueueAddress& queue) { return queue.name > *last; });
  queues.erase(queues.begin(), begin);
  QueueList list{.queues = std::move(queues)};
  if (list.queues.size() > page->limit) {
    list.queues.resize(page->limit);
    if (page->wanted) {
      list.next_token = absl::Base64Escape(list.queues.back().name);
    }
  }
  return list;
}

// The name of an attribute that differs between `wanted` and `actual`; empty if
// there is none.
std::string Difference(const StringMap& wanted, const QueueSettings& actual) {
  QueueSettings changed = actual;
  if (!ApplyAttributes(wanted, changed).ok()) return wanted.begin()->first;
  const StringMap before = AttributesOf(actual);
  const StringMap after = AttributesOf(changed);
  if (before == after) return "";
  for (const auto& [name, value] : wanted) {
    const auto old_value = before.find(name);
    const auto new_value = after.find(name);
    const bool same =
        (old_value == before.end()) == (new_value == after.end()) &&
        (old_value == before.end() || old_value->second == new_value->second);
    if (!same) return name;
  }
  return wanted.begin()->first;
}

}  // namespace

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
absl::Status Engine::CreateQueue(const CreateQueueRequest& request) {
  QueueSettings settings = InitialSettings(request.attributes);
  if (absl::Status status = CheckQueueName(request.queue.name, settings.kind());
      !status.ok()) {
    return status;
  }
  if (absl::Status status = ApplyAttributes(request.attributes, settings);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckTags(request.tags, request.queue.name);
      !status.ok()) {
    return status;
  }
  if (const Queue* existing = Find(request.queue)) {
    const std::string difference =
        Difference(request.attributes, existing->settings());
    return difference.empty() ? absl::OkStatus() : QueueNameExists(difference);
  }
  if (absl::Status status =
          CheckRedrive(request.queue, request.attributes, settings);
      !status.ok()) {
    return status;
  }
  const absl::Time now = clock_.Now();
  const uint64_t id = next_queue_++;
  auto queue =
      std::make_unique<Queue>(id, QueueRecord{.address = request.queue,
                                              .settings = std::move(settings),
                                              .tags = request.tags,
                                              .created_at = now,
                                              .modified_at = now});
  std::string next;
  AppendNumber(next_queue_, next);
  store_.Put(kNextQueueKey, next).IgnoreError();
  PutQueue(*queue);
  if (!queue->settings().policy.empty()) {
    ReportPolicy(request.queue, queue->settings().policy);
  }
  queues_by_id_[id] = queue.get();
  queues_[request.queue] = std::move(queue);
  return absl::OkStatus();
}

absl::Status Engine::CheckRedrive(const QueueAddress& queue,
                                  const StringMap& attributes,
                                  const QueueSettings& settings) {
  const auto policy = attributes.find("RedrivePolicy");
  if (policy == attributes.end() || !settings.redrive.has_value()) {
    return absl::OkStatus();
  }
  const auto invalid = [&](absl::string_view reason) {
    return InvalidParameter("RedrivePolicy", policy->second, reason);
  };
  const std::optional<QueueAddress> target =
      QueueOfArn(settings.redrive->target_arn, options_.account_id);
  if (!target.has_value()) {
    return invalid("Invalid value for deadLetterTargetArn.");
  }
  if (target->region != queue.region) {
    return invalid(
        "Dead-letter target must be in the same region as the "
        "source queue.");
  }
  // AWS accepts a queue as its own target.
  const Queue* dead_letters = Find(*target);
  if (dead_letters == nullptr) {
    return invalid("Dead letter target does not exist.");
  }
  if (dead_letters->kind() != settings.kind()) {
    return invalid(
        "Dead-letter queue must be same type of queue as the source.");
  }
  if (!Allows(dead_letters->settings().redrive_allow,
              ArnOf(queue, options_.account_id))) {
    return invalid(
        "The dead-letter target's RedriveAllowPolicy does not allow "
        "this source queue.");
  }
  return absl::OkStatus();
}

void Engine::PutQueue(const Queue& queue) {
  store_.Put(Key(kQueuePrefix, queue.id()), EncodeQueue(queue.record()))
      .IgnoreError();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueUrl.html
absl::Status Engine::GetQueueUrl(const QueueAddress& queue) {
  return Find(queue) != nullptr ? absl::OkStatus() : QueueDoesNotExist();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueAttributes.html
absl::StatusOr<StringMap> Engine::GetQueueAttributes(
    const GetQueueAttributesRequest& request) {
  const Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  bool all = false;
  for (const std::string& name : request.names) {
    if (!IsAttributeName(name)) return UnknownAttribute(name);
    all = all || name == "All";
  }
  const QueueRecord& record = queue->record();
  StringMap attributes = AttributesOf(record.settings);
  attributes["ApproximateNumberOfMessages"] = absl::StrCat(queue->visible());
  attributes["ApproximateNumberOfMessagesNotVisible"] =
      absl::StrCat(queue->in_flight());
  attributes["ApproximateNumberOfMessagesDelayed"] =
      absl::StrCat(queue->delayed());
  attributes["CreatedTimestamp"] =
      absl::StrCat(absl::ToUnixSeconds(record.created_at));
  attributes["LastModifiedTimestamp"] =
      absl::StrCat(absl::ToUnixSeconds(record.modified_at));
  attributes["QueueArn"] = ArnOf(record.address, options_.account_id);
  if (all) return attributes;
  StringMap wanted;
  for (const std::string& name : request.names) {
    const auto found = attributes.find(name);
    if (found != attributes.end()) wanted.insert(*found);
  }
  return wanted;
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
absl::Status Engine::SetQueueAttributes(
    const SetQueueAttributesRequest& request) {
  Queue* queue = Find(request.queue);
  if (queue == nullptr) return QueueDoesNotExist();
  QueueSettings settings = queue->settings();
  if (absl::Status status = ApplyAttributes(request.attributes, settings);
      !status.ok()) {
    return status;
  }
  if (absl::Status status =
          CheckRedrive(request.queue, request.attributes, settings);
      !status.ok()) {
    return status;
  }
  // For a FIFO queue, AWS applies a new delay to delayed messages, too.
  if (queue->fifo() != nullptr && settings.delay != queue->settings().delay) {
    if (absl::Status status = ChangeDelay(*queue, settings.delay);
        !status.ok()) {
      return status;
    }
  }
  QueueRecord& record = queue->mutable_record();
  const bool has_new_policy = settings.policy != record.settings.policy;
  record.settings = std::move(settings);
  record.modified_at = clock_.Now();
  PutQueue(*queue);
  if (has_new_policy) ReportPolicy(request.queue, record.settings.policy);
  // Messages may expire with a shorter retention period.
  CatchUp(*queue);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ListQueues.html
absl::StatusOr<QueueList> Engine::ListQueues(const ListQueuesRequest& request) {
  std::vector<QueueAddress> queues;
  for (auto queue = queues_.lower_bound(
           {.region = request.region, .name = request.prefix});
       queue != queues_.end() && queue->first.region == request.region &&
       absl::StartsWith(queue->first.name, request.prefix);
       ++queue) {
    queues.push_back(queue->first);
  }
  return ListPage(std::move(queues), request.max_results, request.next_token);
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ListDeadLetterSourceQueues.html
absl::StatusOr<QueueList> Engine::ListDeadLetterSourceQueues(
    const ListDeadLetterSourceQueuesRequest& request) {
  if (Find(request.queue) == nullptr) return QueueDoesNotExist();
  const std::string arn = ArnOf(request.queue, options_.account_id);
  std::vector<QueueAddress> sources;
  for (const auto& [address, queue] : queues_) {
    const std::optional<RedrivePolicy>& redrive = queue->settings().redrive;
    if (redrive.has_value() && redrive->target_arn == arn) {
      sources.push_back(address);
    }
  }
  return ListPage(std::move(sources), request.max_results, request.next_token);
}

void Engine::DeleteMessages(Queue& queue) {
  // On AWS, too, a purge forgets deduplication IDs.
  for (const absl::string_view prefix :
       {kMessagePrefix, kStatePrefix, kAcceptedPrefix, kAttemptPrefix}) {
    store_.DeleteRange(PrefixRange(Key(prefix, queue.id()))).IgnoreError();
  }
  queue.Clear();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteQueue.html
absl::Status Engine::DeleteQueue(const QueueAddress& address) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  const uint64_t id = queue->id();
  DeleteMessages(*queue);
  if (!queue->settings().policy.empty()) ReportPolicy(address, "");
  store_.Delete(Key(kQueuePrefix, id)).IgnoreError();
  const auto waiters = waiters_by_queue_.find(id);
  while (waiters_by_queue_.count(id) > 0) {
    EndWait(*waiters->second.begin(), QueueDoesNotExist());
  }
  for (const uint64_t task : TasksOf(id)) {
    store_.Delete(Key(kTaskPrefix, task)).IgnoreError();
    tasks_.erase(task);
  }
  if (const auto scheduled = scheduled_.find(id);
      scheduled != scheduled_.end()) {
    due_.erase({scheduled->second, id});
    scheduled_.erase(scheduled);
  }
  ready_.erase(id);
  available_.erase(id);
  touched_.erase(std::remove(touched_.begin(), touched_.end(), queue),
                 touched_.end());
  queues_by_id_.erase(id);
  queues_.erase(address);
  return absl::OkStatus();
}

// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_PurgeQueue.html
absl::Status Engine::PurgeQueue(const QueueAddress& address) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  const absl::Time now = clock_.Now();
  absl::Time& purged_at = queue->mutable_record().purged_at;
  if (purged_at <= now && now < purged_at + kPurgeInterval) {
    return PurgeQueueInProgress(address.name);
  }
  purged_at = now;
  PutQueue(*queue);
  DeleteMessages(*queue);
  return absl::OkStatus();
}

}  // namespace byoshin::local::sqs
