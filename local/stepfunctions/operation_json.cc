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
#include "local/gateway/constraints.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/paging.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/limits.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kLevelOff[] = "OFF";
constexpr char kDefaultKeyType[] = "AWS_OWNED_KEY";
constexpr char kCustomerKeyType[] = "CUSTOMER_MANAGED_KMS_KEY";
constexpr char kKeyId[] = "kmsKeyId";
constexpr char kReusePeriod[] = "kmsDataKeyReusePeriodSeconds";

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

absl::Status CheckDataSize(absl::string_view name, absl::string_view data) {
  if (data.size() <= kMaxDataBytes) return absl::OkStatus();
  ConstraintErrors errors;
  errors.AddWorded(absl::StrCat(
      "Value at '", name,
      "' failed to satisfy constraint: ", MaxLength(kMaxDataBytes)));
  return ValidationError(errors.Message());
}

PageFields ReadPage(JsonFields& fields) {
  const std::int64_t limit = fields.FindInteger("maxResults").value_or(0);
  return {
      .limit = static_cast<std::size_t>(limit == 0 ? kDefaultPageSize : limit),
      .token = fields.Text("nextToken")};
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
    JsonFields& fields) {
  std::map<std::string, std::string> tags;
  for (JsonFields& tag : fields.Objects("tags")) {
    const std::string key = tag.Text("key");
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return ValidationError(absl::StrCat(
          "The tag '", key, "' is not valid: the prefix aws: is reserved."));
    }
    tags[key] = tag.Text("value");
  }
  if (tags.size() > kMaxTags) {
    return ApiError("TooManyTags",
                    "You've exceeded the number of tags allowed "
                    "for a resource.");
  }
  return tags;
}

absl::StatusOr<kept::Logging> ReadLogging(JsonFields& fields) {
  kept::Logging logging;
  logging.set_level(kLevelOff);
  std::optional<JsonFields> given = fields.Object("loggingConfiguration");
  if (!given.has_value()) return logging;
  if (given->Has("level")) logging.set_level(given->Text("level"));
  logging.set_include_execution_data(given->Flag("includeExecutionData"));
  for (JsonFields& destination : given->Objects("destinations")) {
    std::optional<JsonFields> group =
        destination.Object("cloudWatchLogsLogGroup");
    const std::string arn = group.has_value() ? group->Text("logGroupArn") : "";
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

absl::StatusOr<std::string> ReadEncryption(JsonFields& fields) {
  std::optional<JsonFields> given = fields.Object("encryptionConfiguration");
  if (!given.has_value()) return "";
  const std::string type = given->Text("type");
  const bool has_key = given->Has(kKeyId);
  if (type == kDefaultKeyType && !has_key) return "";
  if (type == kCustomerKeyType && has_key) {
    Json::Value kept(Json::objectValue);
    kept["type"] = type;
    kept[kKeyId] = given->Text(kKeyId);
    if (const auto period = given->FindInteger(kReusePeriod)) {
      kept[kReusePeriod] = Json::Int64(*period);
    }
    return json::WriteValue(kept);
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
