// What the dashboard and the commands can have done: redrive, tick, reset.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
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
#include "core/sync/mutex.h"
#include "local/dashboard/source.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/logs/logs.h"
#include "local/sqs/message.h"
#include "local/stack/cloud_source.h"

namespace byoshin::local::stack {
namespace {

// The message, to be sent again. In a FIFO queue it stays in its group. Its own
// deduplication ID would make it a duplicate of the message that it was; its
// message ID makes a duplicate only of what an interrupted attempt has sent.
sqs::NewMessage Resent(const sqs::StoredMessage& letter) {
  sqs::NewMessage message{.body = letter.content.body,
                          .attributes = letter.content.attributes};
  if (!letter.content.group_id.empty()) {
    message.group_id = letter.content.group_id;
  }
  if (letter.header.sequence != 0) message.deduplication_id = letter.header.id;
  return message;
}

}  // namespace

absl::StatusOr<CloudSource::DeadLetterQueue> CloudSource::FindDeadLetters(
    const dashboard::QueueName& name) const {
  std::vector<DeadLetterQueue> found;
  std::vector<std::string> names;
  for (DeadLetterQueue& dead : DeadLetterQueues()) {
    names.push_back(dead.queue.name);
    if (dead.queue.name == name.queue &&
        (name.stack.empty() || dead.queue.stack == name.stack)) {
      found.push_back(std::move(dead));
    }
  }
  if (found.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("several stacks have a dead-letter queue \"", name.queue,
                     "\"; say which stack is meant"));
  }
  if (found.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no dead-letter queue \"", name.queue,
                     "\"; there are: ", absl::StrJoin(names, ", ")));
  }
  return std::move(found.front());
}

absl::StatusOr<std::int64_t> CloudSource::Redrive(
    const dashboard::QueueName& name,
    const std::optional<std::vector<std::string>>& ids) {
  const absl::StatusOr<DeadLetterQueue> found = FindDeadLetters(name);
  if (!found.ok()) return found.status();
  const auto& [dead, source] = *found;
  if (!source.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "there is no queue to move what is in \"", name.queue,
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
  world_.changes.Note();
  return depth.visible;
}

// One by one: received, sent to where they came from, deleted. In this order,
// so that nothing is lost: a message may be delivered twice, as SQS allows.
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
          world_.sqs.Send(source_arn, Resent(message.message), done);
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
  world_.changes.Note();
  if (!status.ok()) return status;
  return moved;
}

absl::StatusOr<std::vector<std::string>> CloudSource::Tick(
    absl::string_view rule) {
  std::vector<std::string> fired;
  std::vector<std::string> names;
  for (const events::RuleStatus& status : world_.events.ListRules()) {
    // A rule for events has no event of its own.
    if (status.rule.schedule_expression.empty()) continue;
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

absl::StatusOr<std::int64_t> CloudSource::Reset() {
  const absl::StatusOr<std::int64_t> messages = DeleteMessages();
  if (!messages.ok()) return messages.status();
  RemoveLogs();
  {
    const sync::MutexLock lock(mutex_);
    logs_.Clear();
    invocations_.Clear();
    samples_.Clear();
  }
  world_.changes.Note();
  return *messages;
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

void CloudSource::RemoveLogs() {
  logs::Logs& logs = world_.lambda.logs();
  std::set<std::string> groups;
  {
    // Including those of an earlier run that were not written to since.
    const sync::MutexLock lock(mutex_);
    for (const auto& [name, stack] : stacks_) {
      groups.insert(stack.view.log_groups.begin(), stack.view.log_groups.end());
    }
  }
  for (std::string& group : logs.Groups()) groups.insert(std::move(group));
  for (const std::string& group : groups) logs.Remove(group);
}

}  // namespace byoshin::local::stack
