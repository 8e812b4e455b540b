#include "tests/integration/fake_sqs.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"

namespace byoshin::integration {
namespace {

constexpr char kQueuePath[] = "/000000000000/schedule";
constexpr int kMaxEntries = 10;
constexpr std::size_t kMaxIdBytes = 80;
// Of one message and of a batch.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr int kMaxDelaySeconds = 900;

http::ServerResponse Refuse(absl::string_view type, absl::string_view message,
                            absl::string_view query_code) {
  http::ServerResponse response = AwsEndpoint::Error(
      400, absl::StrCat("com.amazonaws.sqs#", type), message);
  response.headers.push_back(
      {"x-amzn-query-error", absl::StrCat(query_code, ";Sender")});
  return response;
}

bool IsValidId(const std::string& id) {
  return !id.empty() && id.size() <= kMaxIdBytes &&
         id.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
             "WXYZ0123456789-_") == std::string::npos;
}

// Something is wrong with an entry's members, whatever the other entries are.
std::optional<http::ServerResponse> CheckEntry(const Json::Value& entry) {
  if (!entry.isObject() || !entry["Id"].isString() ||
      !entry["MessageBody"].isString()) {
    return AwsEndpoint::Error(400,
                              "com.amazon.coral.service#SerializationException",
                              "an entry lacks Id or MessageBody");
  }
  // A number with a fraction, or a string, does not deserialise as an integer.
  if (entry.isMember("DelaySeconds") && !entry["DelaySeconds"].isInt()) {
    return AwsEndpoint::Error(400,
                              "com.amazon.coral.service#SerializationException",
                              "DelaySeconds is not an integer");
  }
  if (!IsValidId(entry["Id"].asString())) {
    return Refuse("InvalidBatchEntryId",
                  "A batch entry id can only contain alphanumeric characters, "
                  "hyphens and underscores. It can be at most 80 letters long.",
                  "AWS.SimpleQueueService.InvalidBatchEntryId");
  }
  const int delay = entry.get("DelaySeconds", 0).asInt();
  if (delay < 0 || delay > kMaxDelaySeconds ||
      entry["MessageBody"].asString().empty()) {
    return AwsEndpoint::Error(
        400, "com.amazonaws.sqs#InvalidParameterValue",
        absl::StrCat("Value for parameter DelaySeconds or MessageBody of ",
                     entry["Id"].asString(), " is invalid."));
  }
  return std::nullopt;
}

std::optional<http::ServerResponse> CheckBatch(const Json::Value& entries) {
  if (!entries.isArray() || entries.empty()) {
    return Refuse("EmptyBatchRequest",
                  "There should be at least one SendMessageBatchRequestEntry "
                  "in the request.",
                  "AWS.SimpleQueueService.EmptyBatchRequest");
  }
  if (entries.size() > kMaxEntries) {
    return Refuse("TooManyEntriesInBatchRequest",
                  "Maximum number of entries per request are 10.",
                  "AWS.SimpleQueueService.TooManyEntriesInBatchRequest");
  }
  std::set<std::string> ids;
  std::size_t bytes = 0;
  for (const Json::Value& entry : entries) {
    if (auto refusal = CheckEntry(entry)) return refusal;
    bytes += entry["MessageBody"].asString().size();
    if (!ids.insert(entry["Id"].asString()).second) {
      return Refuse("BatchEntryIdsNotDistinct",
                    absl::StrCat("Id ", entry["Id"].asString(), " repeated."),
                    "AWS.SimpleQueueService.BatchEntryIdsNotDistinct");
    }
  }
  if (bytes > kMaxBytes) {
    return Refuse("BatchRequestTooLong",
                  "Batch requests cannot be longer than 1048576 bytes.",
                  "AWS.SimpleQueueService.BatchRequestTooLong");
  }
  return std::nullopt;
}

Json::Value ToFailed(const Json::Value& entry,
                     const FakeSqs::EntryFailure& failure) {
  Json::Value failed;
  failed["Id"] = entry["Id"];
  failed["Code"] = failure.code;
  failed["Message"] = absl::StrCat("The entry failed: ", failure.code);
  failed["SenderFault"] = failure.sender_fault;
  return failed;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FakeSqs>> FakeSqs::Start() {
  std::unique_ptr<FakeSqs> sqs(new FakeSqs());
  absl::StatusOr<std::unique_ptr<AwsEndpoint>> endpoint = AwsEndpoint::Start(
      {.service = "sqs", .target_prefix = "AmazonSQS."},
      [sqs = sqs.get()](absl::string_view operation, const Json::Value& input) {
        return sqs->Call(operation, input);
      });
  if (!endpoint.ok()) return endpoint.status();
  // The handler reads it, on another thread.
  std::lock_guard<std::mutex> lock(sqs->mutex_);
  sqs->endpoint_ = *std::move(endpoint);
  return sqs;
}

std::string FakeSqs::queue_url() const {
  return absl::StrCat(endpoint_->url(), kQueuePath);
}

void FakeSqs::FailEntries(const EntryFailure& failure) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (int delay : failure.delay_seconds) {
    failures_.push_back(failure);
    failures_.back().delay_seconds = {delay};
  }
}

void FakeSqs::AnswerWrongMd5(int times) {
  std::lock_guard<std::mutex> lock(mutex_);
  wrong_md5_ = times;
}

void FakeSqs::AnswerIncompletely(int times) {
  std::lock_guard<std::mutex> lock(mutex_);
  incomplete_ = times;
}

std::vector<FakeSqs::Message> FakeSqs::messages() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return messages_;
}

http::ServerResponse FakeSqs::Call(absl::string_view operation,
                                   const Json::Value& input) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (operation != "SendMessageBatch") {
    return AwsEndpoint::Error(
        400, "com.amazon.coral.service#UnknownOperationException", "");
  }
  if (input["QueueUrl"] != queue_url()) {
    return Refuse("QueueDoesNotExist", "The specified queue does not exist.",
                  "AWS.SimpleQueueService.NonExistentQueue");
  }
  const Json::Value& entries = input["Entries"];
  if (auto refusal = CheckBatch(entries)) return *std::move(refusal);

  Json::Value output(Json::objectValue);
  for (const Json::Value& entry : entries) {
    if (EntryFailure* failure = FailureOf(entry)) {
      --failure->times;
      output["Failed"].append(ToFailed(entry, *failure));
    } else {
      output["Successful"].append(Accept(entry));
    }
  }
  if (wrong_md5_ > 0) --wrong_md5_;
  if (incomplete_ > 0) {
    --incomplete_;
    Json::Value last;
    output["Successful"].removeIndex(output["Successful"].size() - 1, &last);
  }
  return AwsEndpoint::Success(output);
}

FakeSqs::EntryFailure* FakeSqs::FailureOf(const Json::Value& entry) {
  const int delay = entry.get("DelaySeconds", 0).asInt();
  for (EntryFailure& failure : failures_) {
    if (failure.times > 0 && failure.delay_seconds.contains(delay)) {
      return &failure;
    }
  }
  return nullptr;
}

Json::Value FakeSqs::Accept(const Json::Value& entry) {
  const std::string body = entry["MessageBody"].asString();
  messages_.push_back({body, entry.get("DelaySeconds", 0).asInt()});
  Json::Value sent;
  sent["Id"] = entry["Id"];
  sent["MessageId"] = absl::StrFormat("5fea7756-0ea4-451a-a703-%012d",
                                      static_cast<int>(messages_.size()));
  sent["MD5OfMessageBody"] = crypto::HexEncode(
      crypto::Md5(wrong_md5_ > 0 ? absl::StrCat(body, " damaged") : body));
  return sent;
}

}  // namespace byoshin::integration
