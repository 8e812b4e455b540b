#include "local/lambda/sqs_event.h"

#include <json/json.h>

#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/json/value.h"

namespace byoshin::local::lambda {
namespace {

Json::Value ToJson(const queues::QueueMessageAttribute& attribute) {
  Json::Value value(Json::objectValue);
  if (absl::StartsWith(attribute.data_type, "Binary")) {
    value["binaryValue"] = absl::Base64Escape(attribute.value);
  } else {
    value["stringValue"] = attribute.value;
  }
  value["stringListValues"] = Json::arrayValue;
  value["binaryListValues"] = Json::arrayValue;
  value["dataType"] = attribute.data_type;
  return value;
}

Json::Value ToRecord(const queues::QueueMessage& message,
                     const std::string& queue_arn, const std::string& region) {
  Json::Value record(Json::objectValue);
  record["messageId"] = message.id;
  record["receiptHandle"] = message.receipt_handle;
  record["body"] = message.body;
  record["attributes"] = Json::objectValue;
  for (const auto& [name, value] : message.attributes) {
    record["attributes"][name] = value;
  }
  record["messageAttributes"] = Json::objectValue;
  for (const queues::QueueMessageAttribute& attribute :
       message.message_attributes) {
    record["messageAttributes"][attribute.name] = ToJson(attribute);
  }
  record["md5OfBody"] = message.md5_of_body;
  record["eventSource"] = "aws:sqs";
  record["eventSourceARN"] = queue_arn;
  record["awsRegion"] = region;
  return record;
}

// The failures that the response names; an error if the response is invalid.
absl::StatusOr<std::set<std::string>> ReadFailures(absl::string_view response) {
  std::set<std::string> failures;
  if (absl::StripAsciiWhitespace(response).empty()) return failures;
  absl::StatusOr<Json::Value> value = json::ParseValue(response);
  if (!value.ok()) return value.status();
  // Any other response names no failures.
  if (!value->isObject()) {
    if (value->isNull()) return failures;
    return absl::InvalidArgumentError("the response is not an object");
  }
  const Json::Value& items = (*value)["batchItemFailures"];
  if (items.isNull()) return failures;
  if (!items.isArray()) {
    return absl::InvalidArgumentError("batchItemFailures is not a list");
  }
  for (const Json::Value& item : items) {
    if (!item.isObject() || !item["itemIdentifier"].isString() ||
        item["itemIdentifier"].asString().empty()) {
      return absl::InvalidArgumentError(
          "an element of batchItemFailures has no itemIdentifier");
    }
    failures.insert(item["itemIdentifier"].asString());
  }
  return failures;
}

}  // namespace

std::string SqsEvent(const std::vector<queues::QueueMessage>& messages,
                     const std::string& queue_arn) {
  // arn:aws:sqs:<region>:<account>:<name>
  const std::vector<std::string> parts = absl::StrSplit(queue_arn, ':');
  const std::string region = parts.size() > 3 ? parts[3] : "";
  Json::Value event(Json::objectValue);
  event["Records"] = Json::arrayValue;
  for (const queues::QueueMessage& message : messages) {
    event["Records"].append(ToRecord(message, queue_arn, region));
  }
  return json::WriteValue(event);
}

BatchOutcome ReadBatchResponse(
    absl::string_view response,
    const std::vector<queues::QueueMessage>& messages) {
  const int count = static_cast<int>(messages.size());
  absl::StatusOr<std::set<std::string>> failures = ReadFailures(response);
  if (!failures.ok()) {
    return {.failed = count,
            .malformed = std::string(failures.status().message())};
  }
  BatchOutcome outcome;
  for (const queues::QueueMessage& message : messages) {
    if (failures->erase(message.id) > 0) {
      ++outcome.failed;
    } else {
      outcome.succeeded.push_back(message.receipt_handle);
    }
  }
  if (!failures->empty()) {
    return {
        .failed = count,
        .malformed = absl::StrCat("the itemIdentifier \"", *failures->begin(),
                                  "\" is not of a message of the batch")};
  }
  return outcome;
}

}  // namespace byoshin::local::lambda
