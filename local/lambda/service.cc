#include "local/lambda/service.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/lambda/environment.h"

namespace byoshin::local::lambda {
namespace {

constexpr char kJson[] = "application/json";
constexpr char kFunctionsPath[] = "/2015-03-31/functions";
constexpr char kMappingsPath[] = "/2015-03-31/event-source-mappings";
constexpr char kEmptyEvent[] = "{}";
constexpr int kEphemeralStorageMb = 512;

// The REST-JSON protocol names the error in a header.
Answer ErrorAnswerFor(const absl::Status& status) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  Answer answer{.status = error.http_status, .content_type = kJson};
  answer.headers.push_back({"x-amzn-ErrorType", error.code});
  answer.body = "{\"Message\":";
  json::AppendQuoted(error.message, answer.body);
  if (!error.json_members.empty()) {
    absl::StrAppend(&answer.body, ",", error.json_members);
  }
  answer.body += "}";
  return answer;
}

Answer JsonAnswer(const Json::Value& value) {
  return {
      .status = 200, .content_type = kJson, .body = json::WriteValue(value)};
}

absl::Status NotFound(absl::string_view message) {
  return ServiceError({.code = "ResourceNotFoundException",
                       .message = std::string(message),
                       .http_status = 404,
                       .json_members = R"("Type":"User")"});
}

absl::string_view HeaderOf(const Call& call, absl::string_view name) {
  for (const http::Header& header : call.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return {};
}

// The byte that two hexadecimal digits stand for.
std::optional<char> HexByte(absl::string_view digits) {
  int value = 0;
  for (char digit : digits) {
    if (!absl::ascii_isxdigit(digit)) return std::nullopt;
    value = value * 16 + (absl::ascii_isdigit(digit)
                              ? digit - '0'
                              : absl::ascii_tolower(digit) - 'a' + 10);
  }
  return static_cast<char>(value);
}

std::string Decoded(absl::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::optional<char> byte;
    if (text[i] == '%' && i + 2 < text.size()) {
      byte = HexByte(text.substr(i + 1, 2));
    }
    decoded += byte.value_or(text[i]);
    if (byte.has_value()) i += 2;
  }
  return decoded;
}

// What the digest is in Base64.
std::string DigestInBase64(absl::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes += HexByte(hexadecimal.substr(i, 2)).value_or('\0');
  }
  return absl::Base64Escape(bytes);
}

// A parameter of the URL, decoded; empty if there is none.
std::string ParameterOf(const Call& call, absl::string_view name) {
  for (absl::string_view pair : absl::StrSplit(call.query, '&')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(pair, absl::MaxSplits('=', 1));
    if (parts.first == name) return Decoded(parts.second);
  }
  return "";
}

absl::Status CheckPayload(const std::string& payload, std::size_t max_bytes) {
  if (payload.size() > max_bytes) {
    return ServiceError(
        {.code = "RequestTooLargeException",
         .message = absl::StrCat("Request must be smaller than ", max_bytes,
                                 " bytes for the InvokeFunction operation"),
         .http_status = 413,
         .json_members = R"("Type":"User")"});
  }
  const absl::StatusOr<Json::Value> value = json::ParseValue(payload);
  if (value.ok()) return absl::OkStatus();
  return ServiceError(
      {.code = "InvalidRequestContentException",
       .message = absl::StrCat("Could not parse request body into json: ",
                               value.status().message()),
       .json_members = R"("Type":"User")"});
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

Answer ToAnswer(const absl::StatusOr<InvokeResult>& result, bool with_tail) {
  if (!result.ok()) return ErrorAnswerFor(result.status());
  Answer answer{.status = 200,
                .headers = {{"X-Amz-Executed-Version", kLatestVersion}},
                .content_type = kJson,
                .body = result->payload};
  if (!result->function_error.empty()) {
    answer.headers.push_back({"X-Amz-Function-Error", result->function_error});
  }
  if (with_tail) {
    answer.headers.push_back(
        {"X-Amz-Log-Result", absl::Base64Escape(result->log_tail)});
  }
  return answer;
}

}  // namespace

LambdaOperation OperationOf(absl::string_view method, absl::string_view path) {
  absl::ConsumeSuffix(&path, "/");
  if (method == "GET" && path == kFunctionsPath) return {"ListFunctions", ""};
  if (method == "GET" && path == kMappingsPath) {
    return {"ListEventSourceMappings", ""};
  }
  if (!absl::ConsumePrefix(&path, absl::StrCat(kFunctionsPath, "/"))) return {};
  const std::vector<absl::string_view> parts = absl::StrSplit(path, '/');
  const std::string function = Decoded(parts[0]);
  if (method == "GET" && parts.size() == 1) return {"GetFunction", function};
  if (parts.size() != 2) return {};
  if (method == "GET" && parts[1] == "configuration") {
    return {"GetFunctionConfiguration", function};
  }
  if (method == "POST" && parts[1] == "invocations") {
    return {"Invoke", function};
  }
  return {};
}

void LambdaService::Handle(Call call, AnswerFunction answer) {
  const LambdaOperation operation = OperationOf(call.method, call.path);
  const std::string arn = lambda_.ArnOf(operation.function, call.region);
  const std::string qualifier = ParameterOf(call, "Qualifier");
  if (!qualifier.empty() && qualifier != kLatestVersion) {
    return answer(ErrorAnswerFor(
        NotFound(absl::StrCat("Function not found: ", arn, ":", qualifier))));
  }
  if (operation.name == "Invoke") return Invoke(call, arn, std::move(answer));
  if (absl::StartsWith(operation.name, "GetFunction")) {
    return GetFunction(operation, arn, std::move(answer));
  }
  if (operation.name == "ListFunctions") {
    return ListFunctions(call, std::move(answer));
  }
  if (operation.name == "ListEventSourceMappings") {
    return ListEventSourceMappings(call, std::move(answer));
  }
  answer(ErrorAnswerFor(
      ServiceError({.code = "UnknownOperationException",
                    .message = absl::StrCat("the local Lambda does not offer ",
                                            call.method, " ", call.path),
                    .http_status = 404})));
}

// https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
void LambdaService::Invoke(const Call& call, const std::string& arn,
                           AnswerFunction answer) {
  const absl::string_view type = HeaderOf(call, "X-Amz-Invocation-Type");
  InvokeRequest request{
      .payload = call.body.empty() ? kEmptyEvent : call.body,
      .request_id = call.request_id,
      .client_context = std::string(HeaderOf(call, "X-Amz-Client-Context"))};
  const bool asynchronous = type == "Event";
  absl::Status good = CheckPayload(
      request.payload, asynchronous ? kMaxAsyncRequestBytes : kMaxRequestBytes);
  if (good.ok() && !type.empty() && !asynchronous && type != "DryRun" &&
      type != "RequestResponse") {
    good = ServiceError(
        {.code = "InvalidParameterValueException",
         .message = absl::StrCat("Unknown invocation type: ", type),
         .json_members = R"("Type":"User")"});
  }
  if (!good.ok()) return answer(ErrorAnswerFor(good));
  if (type == "DryRun") {
    return lambda_.CheckInvoke(arn, [answer](const absl::Status& status) {
      answer(status.ok() ? Answer{.status = 204} : ErrorAnswerFor(status));
    });
  }
  if (asynchronous) {
    return lambda_.InvokeAsync(
        arn, std::move(request), nullptr,
        [answer](const absl::StatusOr<std::string>& id) {
          answer(id.ok() ? Answer{.status = 202, .content_type = kJson}
                         : ErrorAnswerFor(id.status()));
        });
  }
  const bool with_tail = HeaderOf(call, "X-Amz-Log-Type") == "Tail";
  lambda_.Invoke(
      arn, std::move(request), nullptr,
      [answer, with_tail](const absl::StatusOr<InvokeResult>& result) {
        answer(ToAnswer(result, with_tail));
      });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
void LambdaService::GetFunction(const LambdaOperation& operation,
                                const std::string& arn, AnswerFunction answer) {
  const bool whole = operation.name == "GetFunction";
  lambda_.Inspect([arn, whole, answer](
                      const std::vector<FunctionConfig>& functions,
                      const std::vector<MappingConfig>&) {
    for (const FunctionConfig& function : functions) {
      if (function.arn != arn) continue;
      if (!whole) return answer(JsonAnswer(ToJson(function)));
      Json::Value value(Json::objectValue);
      value["Configuration"] = ToJson(function);
      value["Code"]["RepositoryType"] = "S3";
      value["Code"]["Location"] = absl::StrCat("file://", function.code.folder);
      value["Tags"] = Json::objectValue;
      if (function.reserved_concurrency.has_value()) {
        value["Concurrency"]["ReservedConcurrentExecutions"] =
            *function.reserved_concurrency;
      }
      return answer(JsonAnswer(value));
    }
    answer(ErrorAnswerFor(NotFound(absl::StrCat("Function not found: ", arn))));
  });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_ListFunctions.html
void LambdaService::ListFunctions(const Call& call, AnswerFunction answer) {
  lambda_.Inspect([region = call.region, answer](
                      const std::vector<FunctionConfig>& functions,
                      const std::vector<MappingConfig>&) {
    Json::Value value(Json::objectValue);
    value["Functions"] = Json::arrayValue;
    for (const FunctionConfig& function : functions) {
      if (function.region == region) {
        value["Functions"].append(ToJson(function));
      }
    }
    answer(JsonAnswer(value));
  });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_ListEventSourceMappings.html
void LambdaService::ListEventSourceMappings(const Call& call,
                                            AnswerFunction answer) {
  const std::string function = ParameterOf(call, "FunctionName");
  const std::string arn =
      function.empty() ? "" : lambda_.ArnOf(function, call.region);
  const std::string source = ParameterOf(call, "EventSourceArn");
  lambda_.Inspect(
      [arn, source, answer](const std::vector<FunctionConfig>&,
                            const std::vector<MappingConfig>& mappings) {
        Json::Value value(Json::objectValue);
        value["EventSourceMappings"] = Json::arrayValue;
        for (const MappingConfig& mapping : mappings) {
          if ((arn.empty() || mapping.function_arn == arn) &&
              (source.empty() || mapping.queue_arn == source)) {
            value["EventSourceMappings"].append(ToJson(mapping));
          }
        }
        answer(JsonAnswer(value));
      });
}

}  // namespace byoshin::local::lambda
