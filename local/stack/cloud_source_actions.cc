// What the dashboard and the commands can have done: redrive, tick, reset.
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/scheduler/constants.h"
#include "core/time/iso8601.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/logs/logs.h"
#include "local/stack/cloud_source.h"

namespace byoshin::local::stack {
namespace {

// What BatchWriteItem takes.
constexpr std::size_t kMaxBatchWrites = 25;

}  // namespace

absl::StatusOr<std::int64_t> CloudSource::Redrive(
    absl::string_view queue,
    const std::optional<std::vector<std::string>>& ids) {
  for (const auto& [dead, source] : DeadLetterQueues()) {
    if (dead.name != queue) continue;
    if (!source.has_value()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "there is no queue to move what is in \"", queue,
          "\" back to: it holds events that a function or a rule has failed "
          "with; `byoshin queues --dead-letters` shows them, and `byoshin "
          "invoke` calls the function again with one"));
    }
    if (ids.has_value()) return RedriveSome(dead.arn, source->arn, *ids);
    const sqs::QueueDepth depth = Depth(dead.arn);
    Json::Value request;
    request["SourceArn"] = dead.arn;
    request["DestinationArn"] = source->arn;
    const absl::Status status =
        CallInProcess(
            world_.sqs,
            {.operation = "StartMessageMoveTask", .region = world_.region},
            request)
            .status();
    if (!status.ok()) return status;
    Changed();
    return depth.visible;
  }
  std::vector<std::string> names;
  for (const DeadLetterQueue& dead : DeadLetterQueues()) {
    names.push_back(dead.queue.name);
  }
  return absl::NotFoundError(
      absl::StrCat("there is no dead-letter queue \"", queue,
                   "\"; there are: ", absl::StrJoin(names, ", ")));
}

// One by one: received, sent to where they came from, deleted. In this order,
// so that nothing is lost; the Collector takes no harm from a repetition.
absl::StatusOr<std::int64_t> CloudSource::RedriveSome(
    const std::string& dead_arn, const std::string& source_arn,
    const std::vector<std::string>& ids) {
  const std::set<std::string> wanted(ids.begin(), ids.end());
  const absl::StatusOr<std::vector<sqs::ReceivedMessage>> received =
      async::Await<sqs::ReceiveResult>([&](auto done) {
        world_.sqs.Receive(dead_arn,
                           {.max_messages = static_cast<int>(kMaxPeeked),
                            .visibility_timeout = absl::Seconds(30)},
                           done);
      });
  if (!received.ok()) return received.status();
  std::int64_t moved = 0;
  std::vector<std::string> done_with;
  std::vector<sqs::VisibilityChange> give_back;
  for (const sqs::ReceivedMessage& message : *received) {
    if (!wanted.contains(message.message.header.id)) {
      give_back.push_back({message.receipt_handle, absl::ZeroDuration()});
      continue;
    }
    const absl::StatusOr<sqs::SendMessageResult> sent =
        async::Await<absl::StatusOr<sqs::SendMessageResult>>([&](auto done) {
          world_.sqs.Send(source_arn,
                          {.body = message.message.content.body,
                           .attributes = message.message.content.attributes},
                          done);
        });
    if (!sent.ok()) return sent.status();
    done_with.push_back(message.receipt_handle);
    ++moved;
  }
  absl::Status status = async::Await<absl::Status>(
      [&](auto done) { world_.sqs.Delete(dead_arn, done_with, done); });
  if (status.ok()) {
    status = async::Await<absl::Status>([&](auto done) {
      world_.sqs.ChangeVisibility(dead_arn, give_back, done);
    });
  }
  Changed();
  if (!status.ok()) return status;
  return moved;
}

absl::StatusOr<std::vector<std::string>> CloudSource::Tick(
    absl::string_view rule) {
  std::vector<std::string> fired;
  std::vector<std::string> names;
  for (const events::RuleStatus& status : world_.events.ListRules()) {
    names.push_back(status.rule.name);
    if (!rule.empty() && status.rule.name != rule) continue;
    const absl::Status ticked = world_.events.Tick(status.rule.arn);
    if (!ticked.ok()) return ticked;
    fired.push_back(status.rule.name);
  }
  if (fired.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no rule \"", rule,
                     "\"; there are: ", absl::StrJoin(names, ", ")));
  }
  return fired;
}

absl::StatusOr<dashboard::ResetCounts> CloudSource::Reset() {
  if (absl::Status read = reader_.AwaitSince(absl::InfinitePast());
      !read.ok()) {
    return read;
  }
  const absl::StatusOr<std::int64_t> messages = DeleteMessages();
  if (!messages.ok()) return messages.status();
  const absl::StatusOr<std::int64_t> records = DeleteRecords();
  if (!records.ok()) return records.status();
  RemoveLogs();
  // What was deleted is not missing.
  world_.events.ForgetFirst();
  {
    std::lock_guard lock(mutex_);
    expected_from_.reset();
    records_.Clear();
    logs_.Clear();
    invocations_.Clear();
    samples_.Clear();
  }
  Changed();
  return dashboard::ResetCounts{.records = *records, .messages = *messages};
}

absl::StatusOr<std::int64_t> CloudSource::DeleteMessages() {
  std::int64_t deleted = 0;
  for (const Queue& queue : Queues()) {
    const sqs::QueueDepth depth = Depth(queue.arn);
    const absl::Status emptied = async::Await<absl::Status>(
        [&](auto done) { world_.sqs.Empty(queue.arn, done); });
    if (!emptied.ok()) return emptied;
    deleted += depth.visible + depth.delayed + depth.in_flight;
  }
  return deleted;
}

absl::StatusOr<std::int64_t> CloudSource::DeleteRecords() {
  std::string table;
  std::vector<std::string> slots;
  {
    std::lock_guard lock(mutex_);
    table = table_;
    records_.Visit({absl::InfinitePast(), absl::InfiniteFuture()},
                   [&](const dashboard::SlotRecord& record) {
                     slots.push_back(time::FormatIso8601(record.slot));
                     return true;
                   });
  }
  for (std::size_t begin = 0; begin < slots.size(); begin += kMaxBatchWrites) {
    Json::Value request;
    Json::Value& writes = request["RequestItems"][table];
    const std::size_t end = std::min(begin + kMaxBatchWrites, slots.size());
    for (std::size_t i = begin; i < end; ++i) {
      Json::Value write;
      Json::Value& key = write["DeleteRequest"]["Key"];
      key[scheduler::kMetricNameKey]["S"] = scheduler::kMetricName;
      key[scheduler::kSlotTimeKey]["S"] = slots[i];
      writes.append(std::move(write));
    }
    const absl::Status deleted =
        CallInProcess(world_.dynamodb,
                      {.operation = "BatchWriteItem", .region = world_.region},
                      request)
            .status();
    if (!deleted.ok()) return deleted;
  }
  return static_cast<std::int64_t>(slots.size());
}

void CloudSource::RemoveLogs() {
  logs::Logs& logs = world_.lambda.logs();
  std::set<std::string> groups;
  {
    // Those of an earlier run, too, that nobody has written to since.
    std::lock_guard lock(mutex_);
    groups = log_groups_;
  }
  for (std::string& group : logs.Groups()) groups.insert(std::move(group));
  for (const std::string& group : groups) logs.Remove(group);
}

}  // namespace byoshin::local::stack
