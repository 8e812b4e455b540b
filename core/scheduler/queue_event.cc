#include "core/scheduler/queue_event.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "core/scheduler/message.h"
#include "core/scheduler/slot.h"
#include "proto/sqs.pb.h"

namespace byoshin::scheduler {
namespace {

constexpr char kRecords[] = "Records";
constexpr char kMessageId[] = "messageId";
constexpr char kReceiveCount[] = "ApproximateReceiveCount";

absl::Status NotAnEvent(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the event is not one of an SQS queue: ", why));
}

absl::StatusOr<Window> WindowOf(const events::SqsMessage& message) {
  absl::StatusOr<Window> window = ParseMessage(message.body());
  if (window.ok()) return window;
  return absl::InvalidArgumentError(
      absl::StrCat("body: ", window.status().message()));
}

QueueRecord ParseRecord(const Json::Value& json) {
  const absl::StatusOr<events::SqsMessage> message =
      json::FromValue<events::SqsMessage>(json);
  if (!message.ok()) {
    // An invalid record with a messageId can still be reported by it.
    std::string id;
    if (json.isObject() && json[kMessageId].isString()) {
      id = json[kMessageId].asString();
    }
    return {.message_id = std::move(id),
            .receive_count = {},
            .window = message.status()};
  }
  if (message->message_id().empty()) {
    return {.message_id = {},
            .receive_count = {},
            .window = absl::InvalidArgumentError("messageId: empty")};
  }
  const auto count = message->attributes().find(kReceiveCount);
  return {.message_id = message->message_id(),
          .receive_count = count == message->attributes().end() ? std::string()
                                                                : count->second,
          .window = WindowOf(*message)};
}

}  // namespace

absl::StatusOr<std::vector<QueueRecord>> ParseQueueEvent(
    absl::string_view payload) {
  const absl::StatusOr<Json::Value> event = json::ParseValue(payload);
  if (!event.ok()) return NotAnEvent(event.status().message());
  if (!event->isObject()) {
    return NotAnEvent(
        absl::StrCat("expected an object, found ", json::Describe(*event)));
  }
  const Json::Value& list = (*event)[kRecords];
  if (!list.isArray()) {
    return NotAnEvent(absl::StrCat(kRecords, ": expected an array, found ",
                                   json::Describe(list)));
  }
  std::vector<QueueRecord> records;
  records.reserve(list.size());
  for (const Json::Value& record : list) {
    records.push_back(ParseRecord(record));
  }
  return records;
}

}  // namespace byoshin::scheduler
