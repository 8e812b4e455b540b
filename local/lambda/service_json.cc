#include "local/lambda/service_json.h"

#include <json/json.h>

#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/gateway/rest.h"
#include "local/lambda/environment.h"

namespace byoshin::local::lambda {
namespace {

constexpr int kEphemeralStorageMb = 512;

// The digest in Base64.
std::string DigestInBase64(absl::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += HexByte(hexadecimal.substr(i, 2)).value_or('\0');
  }
  return absl::Base64Escape(bytes);
}

Json::Value ToJson(const LoggingConfig& logging, const std::string& group) {
  Json::Value value(Json::objectValue);
  const bool is_json = logging.format == LoggingConfig::Format::kJson;
  value["LogFormat"] = is_json ? "JSON" : "Text";
  value["LogGroup"] = group;
  if (is_json) {
    value["ApplicationLogLevel"] = logging.application_level;
    const auto level = logging.system_level;
    value["SystemLogLevel"] =
        level == LoggingConfig::SystemLevel::kDebug  ? "DEBUG"
        : level == LoggingConfig::SystemLevel::kInfo ? "INFO"
                                                     : "WARN";
  }
  return value;
}

// A permission as a statement of the function's policy.
// https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
Json::Value StatementJson(const Permission& permission,
                          const std::string& function_arn) {
  Json::Value value(Json::objectValue);
  value["Sid"] = permission.id;
  value["Effect"] = "Allow";
  if (permission.principal == "*") {
    value["Principal"] = "*";
  } else {
    value["Principal"]["Service"] = permission.principal;
  }
  value["Action"] = permission.action;
  value["Resource"] = function_arn;
  if (!permission.source_arn.empty()) {
    value["Condition"]["ArnLike"]["AWS:SourceArn"] = permission.source_arn;
  }
  if (!permission.source_account.empty()) {
    value["Condition"]["StringEquals"]["AWS:SourceAccount"] =
        permission.source_account;
  }
  return value;
}

}  // namespace

Json::Value ToJson(const FunctionConfig& function) {
  Json::Value value(Json::objectValue);
  value["FunctionName"] = function.name;
  value["FunctionArn"] = function.arn;
  value["Runtime"] = function.runtime;
  value["Role"] = function.role;
  value["Handler"] = function.handler;
  value["CodeSize"] = Json::UInt64(function.code.zip_bytes);
  value["Description"] = function.description;
  value["Timeout"] = Json::Int64(absl::ToInt64Seconds(function.timeout));
  value["MemorySize"] = function.memory_mb;
  value["LastModified"] = absl::FormatTime(
      "%Y-%m-%dT%H:%M:%E3S+0000", function.last_modified, absl::UTCTimeZone());
  value["CodeSha256"] = DigestInBase64(function.code.digest);
  value["Version"] = kLatestVersion;
  value["TracingConfig"]["Mode"] = function.tracing_mode;
  value["Architectures"].append(function.architecture);
  for (const auto& [name, text] : function.variables) {
    value["Environment"]["Variables"][name] = text;
  }
  value["State"] = "Active";
  value["LastUpdateStatus"] = "Successful";
  value["PackageType"] = "Zip";
  value["EphemeralStorage"]["Size"] = kEphemeralStorageMb;
  value["LoggingConfig"] = ToJson(function.logging, LogGroupOf(function));
  return value;
}

Json::Value ToJson(const MappingConfig& mapping) {
  Json::Value value(Json::objectValue);
  value["UUID"] = mapping.uuid;
  value["BatchSize"] = mapping.batch_size;
  value["MaximumBatchingWindowInSeconds"] =
      Json::Int64(absl::ToInt64Seconds(mapping.batching_window));
  value["EventSourceArn"] = mapping.queue_arn;
  value["FunctionArn"] = mapping.function_arn;
  value["LastModified"] = absl::ToUnixMillis(mapping.last_modified) / 1000.0;
  value["State"] =
      mapping.state == MappingConfig::State::kEnabled ? "Enabled" : "Disabled";
  value["StateTransitionReason"] = "USER_INITIATED";
  value["FunctionResponseTypes"] = Json::arrayValue;
  if (mapping.responses == MappingConfig::Responses::kReportBatchItemFailures) {
    value["FunctionResponseTypes"].append("ReportBatchItemFailures");
  }
  if (mapping.max_concurrency.has_value()) {
    value["ScalingConfig"]["MaximumConcurrency"] = *mapping.max_concurrency;
  }
  return value;
}

Json::Value FunctionJson(const FunctionConfig& function) {
  Json::Value value(Json::objectValue);
  value["Configuration"] = ToJson(function);
  value["Code"]["RepositoryType"] = "S3";
  value["Code"]["Location"] = absl::StrCat("file://", function.code.folder);
  value["Tags"] = Json::objectValue;
  if (function.reserved_concurrency.has_value()) {
    value["Concurrency"] = ConcurrencyJson(function);
  }
  return value;
}

Json::Value ConcurrencyJson(const FunctionConfig& function) {
  Json::Value value(Json::objectValue);
  if (function.reserved_concurrency.has_value()) {
    value["ReservedConcurrentExecutions"] = *function.reserved_concurrency;
  }
  return value;
}

Json::Value InvokeConfigJson(const FunctionDetails& function) {
  Json::Value value(Json::objectValue);
  const EventInvokeConfig config =
      function.invoke_config.value_or(EventInvokeConfig{});
  value["FunctionArn"] = absl::StrCat(function.config.arn, ":", kLatestVersion);
  value["LastModified"] = absl::ToUnixMillis(config.last_modified) / 1000.0;
  value["MaximumRetryAttempts"] = config.max_retries;
  value["MaximumEventAgeInSeconds"] =
      Json::Int64(absl::ToInt64Seconds(config.max_age));
  value["DestinationConfig"]["OnSuccess"] = Json::objectValue;
  value["DestinationConfig"]["OnFailure"] = Json::objectValue;
  if (!config.on_failure.empty()) {
    value["DestinationConfig"]["OnFailure"]["Destination"] = config.on_failure;
  }
  return value;
}

Json::Value PolicyJson(const FunctionDetails& function) {
  Json::Value policy(Json::objectValue);
  policy["Version"] = "2012-10-17";
  policy["Id"] = "default";
  policy["Statement"] = Json::arrayValue;
  for (const Permission& permission : function.permissions) {
    policy["Statement"].append(StatementJson(permission, function.config.arn));
  }
  Json::Value value(Json::objectValue);
  value["Policy"] = json::WriteValue(policy);
  return value;
}

}  // namespace byoshin::local::lambda
