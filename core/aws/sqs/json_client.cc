#include "core/aws/sqs/json_client.h"

#include <json/json.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/json_protocol.h"
#include "core/aws/sqs/client.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/http/url.h"
#include "core/json/value.h"

namespace byoshin::aws::sqs {
namespace {

constexpr char kOperation[] = "SQS SendMessageBatch";

// The entries without a result yet, by id.
using Pending = std::map<std::string, const SendMessageBatchEntry*>;

absl::Status Invalid(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(kOperation, ": ", what));
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(kOperation, ": in the answer, ", what));
}

absl::StatusOr<Pending> Index(const SendMessageBatchRequest& request) {
  if (request.entries.empty()) return Invalid("there are no entries to send");
  if (request.entries.size() > kMaxBatchEntries) {
    return Invalid(absl::StrCat(request.entries.size(),
                                " entries are more than the ", kMaxBatchEntries,
                                " of one batch"));
  }
  Pending pending;
  for (const SendMessageBatchEntry& entry : request.entries) {
    if (entry.id.empty()) return Invalid("an entry has no id");
    if (entry.delay < absl::ZeroDuration() || entry.delay > kMaxDelay ||
        entry.delay != absl::Trunc(entry.delay, absl::Seconds(1))) {
      return Invalid(absl::StrCat("the delay of entry \"", entry.id, "\", ",
                                  absl::FormatDuration(entry.delay),
                                  ", is not whole seconds up to 15 minutes"));
    }
    if (!pending.emplace(entry.id, &entry).second) {
      return Invalid(
          absl::StrCat("two entries have the id \"", entry.id, "\""));
    }
  }
  return pending;
}

Json::Value InputOf(const SendMessageBatchRequest& request) {
  Json::Value input(Json::objectValue);
  input["QueueUrl"] = request.queue_url;
  for (const SendMessageBatchEntry& entry : request.entries) {
    Json::Value item(Json::objectValue);
    item["Id"] = entry.id;
    item["MessageBody"] = entry.body;
    item["DelaySeconds"] =
        static_cast<Json::Int64>(absl::ToInt64Seconds(entry.delay));
    input["Entries"].append(std::move(item));
  }
  return input;
}

std::string Text(const Json::Value& object, const char* name) {
  const Json::Value& value = object[name];
  return value.isString() ? value.asString() : "";
}

// Removes the entry of an element of the answer from `pending`.
absl::StatusOr<const SendMessageBatchEntry*> TakeEntry(
    const Json::Value& element, Pending& pending) {
  if (!element.isObject() || !element["Id"].isString()) {
    return Damaged("an entry has no Id");
  }
  const auto found = pending.find(element["Id"].asString());
  if (found == pending.end()) {
    return Damaged(absl::StrCat("the Id ", json::Describe(element["Id"]),
                                " was not asked about, or comes twice"));
  }
  const SendMessageBatchEntry* entry = found->second;
  pending.erase(found);
  return entry;
}

// The list of this name; an empty one if there is none.
absl::StatusOr<Json::Value> List(const Json::Value& output, const char* name) {
  const Json::Value& list = output[name];
  if (list.isNull()) return Json::Value(Json::arrayValue);
  if (!list.isArray()) return Damaged(absl::StrCat(name, " is not a list"));
  return list;
}

absl::Status ReadSuccessful(const Json::Value& list, Pending& pending,
                            SendMessageBatchResult& result) {
  for (const Json::Value& element : list) {
    const absl::StatusOr<const SendMessageBatchEntry*> entry =
        TakeEntry(element, pending);
    if (!entry.ok()) return entry.status();
    const std::string md5 = crypto::HexEncode(crypto::Md5((*entry)->body));
    if (Text(element, "MD5OfMessageBody") == md5) {
      result.sent.push_back(
          {.id = (*entry)->id, .message_id = Text(element, "MessageId")});
    } else {
      result.failed.push_back(
          {.id = (*entry)->id,
           .code = kChecksumMismatch,
           .message = absl::StrCat("MD5OfMessageBody is ",
                                   json::Describe(element["MD5OfMessageBody"]),
                                   " but the body sent has ", md5)});
    }
  }
  return absl::OkStatus();
}

absl::Status ReadFailed(const Json::Value& list, Pending& pending,
                        SendMessageBatchResult& result) {
  for (const Json::Value& element : list) {
    const absl::StatusOr<const SendMessageBatchEntry*> entry =
        TakeEntry(element, pending);
    if (!entry.ok()) return entry.status();
    const Json::Value& sender_fault = element["SenderFault"];
    result.failed.push_back(
        {.id = (*entry)->id,
         .code = Text(element, "Code"),
         .message = Text(element, "Message"),
         .sender_fault = sender_fault.isBool() && sender_fault.asBool()});
  }
  return absl::OkStatus();
}

absl::StatusOr<SendMessageBatchResult> ResultOf(const Json::Value& output,
                                                Pending pending) {
  const absl::StatusOr<Json::Value> successful = List(output, "Successful");
  if (!successful.ok()) return successful.status();
  const absl::StatusOr<Json::Value> failed = List(output, "Failed");
  if (!failed.ok()) return failed.status();
  SendMessageBatchResult result;
  if (absl::Status status = ReadSuccessful(*successful, pending, result);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = ReadFailed(*failed, pending, result);
      !status.ok()) {
    return status;
  }
  for (const auto& [id, entry] : pending) {
    result.failed.push_back(
        {.id = id,
         .code = kNoAnswer,
         .message = "SQS says neither that it was sent nor that it failed"});
  }
  return result;
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::StatusOr<SendMessageBatchResult> JsonClient::SendMessageBatch(
    const SendMessageBatchRequest& request, absl::Time deadline) {
  const absl::StatusOr<http::Url> queue_url = http::ParseUrl(request.queue_url);
  if (!queue_url.ok()) {
    return Invalid(
        absl::StrCat("the queue URL: ", queue_url.status().message()));
  }
  absl::StatusOr<Pending> pending = Index(request);
  if (!pending.ok()) return pending.status();
  const absl::StatusOr<Json::Value> output =
      protocol_.Send({.service = {.name = "sqs"},
                      .target = "AmazonSQS.SendMessageBatch",
                      .operation = kOperation,
                      .input = InputOf(request),
                      .url = http::Origin(*queue_url),
                      // Requests errors with the names of the Query protocol,
                      // too.
                      .headers = {{"X-Amzn-Query-Mode", "true"}}},
                     deadline);
  if (!output.ok()) return output.status();
  return ResultOf(*output, *std::move(pending));
}

}  // namespace byoshin::aws::sqs
