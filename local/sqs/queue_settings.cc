#include "local/sqs/queue_settings.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/iam/policy.h"
#include "local/sqs/error.h"
#include "local/sqs/limits.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

constexpr absl::string_view kNames[] = {"All",
                                        "Policy",
                                        "VisibilityTimeout",
                                        "MaximumMessageSize",
                                        "MessageRetentionPeriod",
                                        "ApproximateNumberOfMessages",
                                        "ApproximateNumberOfMessagesNotVisible",
                                        "ApproximateNumberOfMessagesDelayed",
                                        "CreatedTimestamp",
                                        "LastModifiedTimestamp",
                                        "QueueArn",
                                        "DelaySeconds",
                                        "ReceiveMessageWaitTimeSeconds",
                                        "RedrivePolicy",
                                        "RedriveAllowPolicy",
                                        "KmsMasterKeyId",
                                        "KmsDataKeyReusePeriodSeconds",
                                        "SqsManagedSseEnabled",
                                        "FifoQueue",
                                        "ContentBasedDeduplication",
                                        "DeduplicationScope",
                                        "FifoThroughputLimit"};

struct Range {
  int64_t least = 0;
  int64_t most = 0;
};

absl::Status ReadInteger(absl::string_view name, absl::string_view text,
                         Range range, int64_t& out) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number < range.least ||
      number > range.most) {
    return InvalidAttributeValue(name);
  }
  out = number;
  return absl::OkStatus();
}

struct DurationRange {
  absl::Duration least{};
  absl::Duration most{};
};

absl::Status ReadSeconds(absl::string_view name, absl::string_view text,
                         DurationRange range, absl::Duration& out) {
  int64_t seconds = 0;
  absl::Status status = ReadInteger(
      name, text,
      {absl::ToInt64Seconds(range.least), absl::ToInt64Seconds(range.most)},
      seconds);
  if (status.ok()) out = absl::Seconds(seconds);
  return status;
}

absl::Status ReadBoolean(absl::string_view name, absl::string_view text,
                         bool& out) {
  if (!absl::EqualsIgnoreCase(text, "true") &&
      !absl::EqualsIgnoreCase(text, "false")) {
    return InvalidAttributeValue(name);
  }
  out = absl::EqualsIgnoreCase(text, "true");
  return absl::OkStatus();
}

// A number, or a text that contains one: clients send both.
std::optional<int64_t> IntegerOf(const Json::Value& value) {
  if (value.isInt64()) return value.asInt64();
  int64_t number = 0;
  if (value.isString() && absl::SimpleAtoi(value.asString(), &number)) {
    return number;
  }
  return std::nullopt;
}

absl::Status ReadRedrive(absl::string_view text,
                         std::optional<RedrivePolicy>& out) {
  if (text.empty()) {
    out.reset();
    return absl::OkStatus();
  }
  const auto invalid = [&](absl::string_view reason) {
    return InvalidParameter("RedrivePolicy", text, reason);
  };
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok() || !json->isObject()) {
    return invalid("Redrive policy is not a valid JSON map.");
  }
  for (const char* name : {"deadLetterTargetArn", "maxReceiveCount"}) {
    if (!json->isMember(name)) {
      return invalid(absl::StrCat(
          "Redrive policy does not contain mandatory attribute: ", name, "."));
    }
  }
  for (const std::string& name : json->getMemberNames()) {
    if (name != "deadLetterTargetArn" && name != "maxReceiveCount") {
      return invalid(
          "Only following attributes are supported: "
          "[deadLetterTargetArn, maxReceiveCount].");
    }
  }
  const Json::Value& count = (*json)["maxReceiveCount"];
  const std::optional<int64_t> max_receive_count = IntegerOf(count);
  if (!max_receive_count.has_value() || *max_receive_count < 1 ||
      *max_receive_count > kMaxReceiveCountLimit) {
    return invalid(absl::StrCat(
        "Invalid value for maxReceiveCount: ", json::Describe(count),
        ", valid values are from 1 to ", kMaxReceiveCountLimit,
        " both inclusive."));
  }
  const Json::Value& target = (*json)["deadLetterTargetArn"];
  if (!target.isString() || !absl::StartsWith(target.asString(), "arn:")) {
    return invalid("Invalid value for deadLetterTargetArn.");
  }
  out = RedrivePolicy{.target_arn = target.asString(),
                      .max_receive_count = *max_receive_count};
  return absl::OkStatus();
}

std::optional<RedriveAllowPolicy> ParseRedriveAllow(const Json::Value& json) {
  if (!json.isObject() || !json["redrivePermission"].isString()) {
    return std::nullopt;
  }
  const std::string permission = json["redrivePermission"].asString();
  const Json::Value& arns = json["sourceQueueArns"];
  RedriveAllowPolicy policy;
  if (permission == "byQueue") {
    policy.permission = RedriveAllowPolicy::Permission::kByQueue;
    if (!arns.isArray() || arns.empty() || arns.size() > kMaxRedriveSources) {
      return std::nullopt;
    }
    for (const Json::Value& arn : arns) {
      if (!arn.isString()) return std::nullopt;
      policy.source_arns.push_back(arn.asString());
    }
    return policy;
  }
  if (!arns.isNull()) return std::nullopt;
  if (permission == "denyAll") {
    policy.permission = RedriveAllowPolicy::Permission::kDenyAll;
  } else if (permission != "allowAll") {
    return std::nullopt;
  }
  return policy;
}

absl::Status ReadRedriveAllow(absl::string_view text,
                              std::optional<RedriveAllowPolicy>& out) {
  if (text.empty()) {
    out.reset();
    return absl::OkStatus();
  }
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  std::optional<RedriveAllowPolicy> policy;
  if (json.ok()) policy = ParseRedriveAllow(*json);
  if (!policy.has_value()) {
    return InvalidParameter(
        "RedriveAllowPolicy", text,
        "Amazon SQS can't create the redrive allow policy, as it's in an "
        "unsupported format.");
  }
  out = *std::move(policy);
  return absl::OkStatus();
}

absl::Status ReadPolicy(absl::string_view text, std::string& out) {
  if (!text.empty()) {
    const absl::StatusOr<Json::Value> json = json::ParseValue(text);
    if (!json.ok()) return InvalidAttributeValue("Policy");
    if (const absl::Status valid =
            iam::ParsePolicy(*json, iam::PolicyKind::kResource).status();
        !valid.ok()) {
      return InvalidAttributeValue("Policy", valid.message());
    }
  }
  out = std::string(text);
  return absl::OkStatus();
}

constexpr char kScopeQueue[] = "queue";
constexpr char kScopeMessageGroup[] = "messageGroup";
constexpr char kLimitPerQueue[] = "perQueue";
constexpr char kLimitPerMessageGroup[] = "perMessageGroupId";

absl::Status ApplyToStandardQueue(absl::string_view name) {
  if (name == kDeduplicationScope || name == kFifoThroughputLimit) {
    return InvalidAttributeName(absl::StrCat(
        "You can specify the ", name, " only when FifoQueue is set to true."));
  }
  return UnknownAttribute(name);
}

absl::Status ApplyToFifoQueue(absl::string_view name, absl::string_view value,
                              FifoSettings& settings) {
  if (name == kFifoQueue) {
    if (absl::EqualsIgnoreCase(value, "true")) return absl::OkStatus();
    return InvalidAttributeValue(name,
                                 "Modifying queue type is not supported.");
  }
  if (name == kContentBasedDeduplication) {
    return ReadBoolean(name, value, settings.content_based_deduplication);
  }
  if (name == kDeduplicationScope) {
    if (value != kScopeQueue && value != kScopeMessageGroup) {
      return InvalidAttributeValue(name);
    }
    settings.deduplication_scope = value == kScopeQueue
                                       ? FifoSettings::Scope::kQueue
                                       : FifoSettings::Scope::kMessageGroup;
    return absl::OkStatus();
  }
  if (name == kFifoThroughputLimit) {
    if (value != kLimitPerQueue && value != kLimitPerMessageGroup) {
      return InvalidAttributeValue(name);
    }
    settings.throughput_limit =
        value == kLimitPerQueue
            ? FifoSettings::ThroughputLimit::kPerQueue
            : FifoSettings::ThroughputLimit::kPerMessageGroupId;
    return absl::OkStatus();
  }
  return UnknownAttribute(name);
}

absl::Status CheckFifo(const FifoSettings& settings) {
  if (settings.throughput_limit ==
          FifoSettings::ThroughputLimit::kPerMessageGroupId &&
      settings.deduplication_scope != FifoSettings::Scope::kMessageGroup) {
    return InvalidAttributeValue(
        kFifoThroughputLimit,
        "The value perMessageGroupId is allowed only when DeduplicationScope "
        "is messageGroup.");
  }
  return absl::OkStatus();
}

absl::Status ApplyOne(const std::string& name, const std::string& value,
                      QueueSettings& settings) {
  if (name == "DelaySeconds") {
    return ReadSeconds(name, value, {absl::ZeroDuration(), kMaxDelay},
                       settings.delay);
  }
  if (name == "VisibilityTimeout") {
    return ReadSeconds(name, value,
                       {absl::ZeroDuration(), kMaxVisibilityTimeout},
                       settings.visibility_timeout);
  }
  if (name == "MessageRetentionPeriod") {
    return ReadSeconds(name, value, {kMinRetention, kMaxRetention},
                       settings.retention);
  }
  if (name == "ReceiveMessageWaitTimeSeconds") {
    return ReadSeconds(name, value, {absl::ZeroDuration(), kMaxWait},
                       settings.receive_wait);
  }
  if (name == "MaximumMessageSize") {
    return ReadInteger(name, value, {kMinMaximumMessageBytes, kMaxMessageBytes},
                       settings.max_message_bytes);
  }
  if (name == "KmsDataKeyReusePeriodSeconds") {
    return ReadInteger(name, value, {kMinKmsReuseSeconds, kMaxKmsReuseSeconds},
                       settings.kms_reuse_seconds);
  }
  if (name == "SqsManagedSseEnabled") {
    return ReadBoolean(name, value, settings.sqs_managed_sse);
  }
  if (name == "KmsMasterKeyId") {
    settings.kms_key_id = value;
    return absl::OkStatus();
  }
  if (name == "RedrivePolicy") return ReadRedrive(value, settings.redrive);
  if (name == "RedriveAllowPolicy") {
    return ReadRedriveAllow(value, settings.redrive_allow);
  }
  if (name == "Policy") return ReadPolicy(value, settings.policy);
  return settings.fifo.has_value()
             ? ApplyToFifoQueue(name, value, *settings.fifo)
             : ApplyToStandardQueue(name);
}

std::string TextOf(const RedrivePolicy& policy) {
  Json::Value json(Json::objectValue);
  json["deadLetterTargetArn"] = policy.target_arn;
  json["maxReceiveCount"] = static_cast<Json::Int64>(policy.max_receive_count);
  return json::WriteValue(json);
}

std::string TextOf(const RedriveAllowPolicy& policy) {
  using Permission = RedriveAllowPolicy::Permission;
  Json::Value json(Json::objectValue);
  json["redrivePermission"] =
      policy.permission == Permission::kAllowAll  ? "allowAll"
      : policy.permission == Permission::kDenyAll ? "denyAll"
                                                  : "byQueue";
  for (const std::string& arn : policy.source_arns) {
    json["sourceQueueArns"].append(arn);
  }
  return json::WriteValue(json);
}

std::string SecondsText(absl::Duration duration) {
  return absl::StrCat(absl::ToInt64Seconds(duration));
}

}  // namespace

QueueSettings InitialSettings(const StringMap& attributes) {
  QueueSettings settings;
  const auto fifo = attributes.find(kFifoQueue);
  if (fifo != attributes.end() &&
      absl::EqualsIgnoreCase(fifo->second, "true")) {
    settings.fifo.emplace();
  }
  return settings;
}

absl::Status ApplyAttributes(const StringMap& attributes,
                             QueueSettings& settings) {
  QueueSettings changed = settings;
  for (const auto& [name, value] : attributes) {
    if (absl::Status status = ApplyOne(name, value, changed); !status.ok()) {
      return status;
    }
  }
  if (changed.fifo.has_value()) {
    if (absl::Status status = CheckFifo(*changed.fifo); !status.ok()) {
      return status;
    }
  }
  // The two kinds of encryption are exclusive; the one in this request replaces
  // the existing one.
  const bool names_kms = attributes.count("KmsMasterKeyId") > 0;
  const bool names_sse = attributes.count("SqsManagedSseEnabled") > 0;
  if (!changed.kms_key_id.empty() && changed.sqs_managed_sse) {
    if (names_sse) {
      return InvalidAttributeName(
          "You can use one type of server-side encryption (SSE) at one time. "
          "You can either enable KMS SSE or SQS SSE.");
    }
    if (names_kms) changed.sqs_managed_sse = false;
  }
  settings = std::move(changed);
  return absl::OkStatus();
}

StringMap AttributesOf(const QueueSettings& settings) {
  StringMap attributes{
      {"DelaySeconds", SecondsText(settings.delay)},
      {"VisibilityTimeout", SecondsText(settings.visibility_timeout)},
      {"MessageRetentionPeriod", SecondsText(settings.retention)},
      {"ReceiveMessageWaitTimeSeconds", SecondsText(settings.receive_wait)},
      {"MaximumMessageSize", absl::StrCat(settings.max_message_bytes)},
      {"SqsManagedSseEnabled", settings.sqs_managed_sse ? "true" : "false"}};
  if (settings.fifo.has_value()) {
    const FifoSettings& fifo = *settings.fifo;
    attributes[kFifoQueue] = "true";
    attributes[kContentBasedDeduplication] =
        fifo.content_based_deduplication ? "true" : "false";
    attributes[kDeduplicationScope] =
        fifo.deduplication_scope == FifoSettings::Scope::kQueue
            ? kScopeQueue
            : kScopeMessageGroup;
    attributes[kFifoThroughputLimit] =
        fifo.throughput_limit == FifoSettings::ThroughputLimit::kPerQueue
            ? kLimitPerQueue
            : kLimitPerMessageGroup;
  }
  if (settings.redrive.has_value()) {
    attributes["RedrivePolicy"] = TextOf(*settings.redrive);
  }
  if (settings.redrive_allow.has_value()) {
    attributes["RedriveAllowPolicy"] = TextOf(*settings.redrive_allow);
  }
  if (!settings.policy.empty()) attributes["Policy"] = settings.policy;
  if (!settings.kms_key_id.empty()) {
    attributes["KmsMasterKeyId"] = settings.kms_key_id;
    attributes["KmsDataKeyReusePeriodSeconds"] =
        absl::StrCat(settings.kms_reuse_seconds);
  }
  return attributes;
}

bool IsAttributeName(absl::string_view name) {
  return std::find(std::begin(kNames), std::end(kNames), name) !=
         std::end(kNames);
}

bool Allows(const std::optional<RedriveAllowPolicy>& allow,
            absl::string_view source_arn) {
  if (!allow.has_value()) return true;
  switch (allow->permission) {
    case RedriveAllowPolicy::Permission::kAllowAll:
      return true;
    case RedriveAllowPolicy::Permission::kDenyAll:
      return false;
    case RedriveAllowPolicy::Permission::kByQueue:
      break;
  }
  return std::find(allow->source_arns.begin(), allow->source_arns.end(),
                   source_arn) != allow->source_arns.end();
}

}  // namespace byoshin::local::sqs
