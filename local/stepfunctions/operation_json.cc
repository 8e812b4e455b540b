#include "local/stepfunctions/operation_json.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/gateway/paging.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/limits.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kLevelOff[] = "OFF";
constexpr char kDefaultKeyType[] = "AWS_OWNED_KEY";
constexpr char kCustomerKeyType[] = "CUSTOMER_MANAGED_KMS_KEY";

absl::Status InvalidLogging(absl::string_view reason) {
  return ApiError("InvalidLoggingConfiguration",
                  absl::StrCat("Invalid Logging Configuration: ", reason));
}

}  // namespace

Json::Value TimeJson(absl::Time time) {
  constexpr double kMillisPerSecond = 1000;
  return static_cast<double>(absl::ToUnixMillis(time)) / kMillisPerSecond;
}

Json::Value TimeJson(std::int64_t microseconds) {
  return TimeJson(absl::FromUnixMicros(microseconds));
}

Place PlaceOf(const Call& call) {
  return {.region = call.region, .account_id = call.caller.account_id};
}

PageFields ReadPage(Fields& fields) {
  const std::int64_t limit =
      fields.Integer("maxResults", {.min = 0, .max = kMaxPageSize});
  return {
      .limit = static_cast<std::size_t>(limit == 0 ? kDefaultPageSize : limit),
      .token =
          fields.Text("nextToken", {.min = 1, .max = kMaxPageTokenLength})};
}

absl::StatusOr<Json::Value> PageAnswer(
    absl::string_view name, const std::vector<std::string>& keys,
    KeyOrder order, const PageFields& page,
    const std::function<Json::Value(std::size_t index)>& entry) {
  const std::optional<Page> part =
      PageOf(keys, {.limit = page.limit,
                    .token = page.token,
                    .order = order == KeyOrder::kAscending
                                 ? PageRequest::Order::kAscending
                                 : PageRequest::Order::kDescending});
  if (!part.has_value()) return InvalidPageTokenError();
  Json::Value answer(Json::objectValue);
  Json::Value& list = answer[std::string(name)] = Json::arrayValue;
  for (std::size_t i = part->begin; i < part->end; ++i) list.append(entry(i));
  if (!part->next_token.empty()) answer["nextToken"] = part->next_token;
  return answer;
}

absl::StatusOr<std::map<std::string, std::string>> ReadTags(
    const Json::Value& list) {
  std::map<std::string, std::string> tags;
  for (const Json::Value& tag : list) {
    const std::string key = json::TextMember(tag, "key");
    const std::string value = json::TextMember(tag, "value");
    if (key.empty() || key.size() > kMaxTagKeyLength ||
        value.size() > kMaxTagValueLength) {
      return ValidationError(
          absl::StrCat("The tag '", key,
                       "' is not valid: a key has 1 to 128 characters, and a "
                       "value has at most 256."));
    }
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return ValidationError(absl::StrCat(
          "The tag '", key, "' is not valid: the prefix aws: is reserved."));
    }
    tags[key] = value;
  }
  if (tags.size() > kMaxTags) {
    return ApiError("TooManyTags",
                    "You've exceeded the number of tags allowed "
                    "for a resource.");
  }
  return tags;
}

absl::StatusOr<kept::Logging> ReadLogging(Fields& fields) {
  kept::Logging logging;
  logging.set_level(kLevelOff);
  const Json::Value& given = fields.Object("loggingConfiguration");
  if (given.isNull()) return logging;
  if (const std::string level = json::TextMember(given, "level");
      !level.empty()) {
    if (level != "ALL" && level != "ERROR" && level != "FATAL" &&
        level != kLevelOff) {
      fields.AddMistake("loggingConfiguration.level",
                        absl::StrCat("'", level, "'"),
                        "Member must satisfy enum value set: [ALL, ERROR, "
                        "FATAL, OFF]");
      return fields.status();
    }
    logging.set_level(level);
  }
  logging.set_include_execution_data(given["includeExecutionData"].isBool() &&
                                     given["includeExecutionData"].asBool());
  for (const Json::Value& destination : given["destinations"]) {
    const std::string arn =
        destination.isObject()
            ? json::TextMember(destination["cloudWatchLogsLogGroup"],
                               "logGroupArn")
            : "";
    if (!absl::StartsWith(arn, "arn:aws:logs:") || !absl::EndsWith(arn, ":*")) {
      return InvalidLogging(
          "Invalid Log Destination: Log Group ARN must end with ':*'.");
    }
    logging.add_log_groups(arn);
  }
  const bool complete =
      logging.log_groups_size() == 1 ||
      (logging.level() == kLevelOff && logging.log_groups_size() == 0);
  if (!complete) {
    return InvalidLogging("Must specify exactly one Log Destination.");
  }
  return logging;
}

Json::Value LoggingJson(const kept::Logging& logging) {
  Json::Value value(Json::objectValue);
  value["level"] = logging.level();
  value["includeExecutionData"] = logging.include_execution_data();
  for (const std::string& arn : logging.log_groups()) {
    Json::Value destination;
    destination["cloudWatchLogsLogGroup"]["logGroupArn"] = arn;
    value["destinations"].append(std::move(destination));
  }
  return value;
}

absl::StatusOr<std::string> ReadEncryption(Fields& fields) {
  const Json::Value& given = fields.Object("encryptionConfiguration");
  if (given.isNull()) return "";
  const std::string type = json::TextMember(given, "type");
  if (type == kDefaultKeyType && !given.isMember("kmsKeyId")) return "";
  if (type == kCustomerKeyType &&
      !json::TextMember(given, "kmsKeyId").empty()) {
    return json::WriteValue(given);
  }
  return ApiError("InvalidEncryptionConfiguration",
                  "Invalid Encryption Configuration: a key is required for "
                  "CUSTOMER_MANAGED_KMS_KEY, and only for that type.");
}

void AddEncryption(const std::string& encryption, Json::Value& answer) {
  if (encryption.empty()) return;
  answer["encryptionConfiguration"] =
      json::ParseValue(encryption).value_or(Json::Value());
}

absl::string_view TypeName(kept::Type type) {
  return type == kept::EXPRESS ? "EXPRESS" : "STANDARD";
}

}  // namespace byoshin::local::stepfunctions
