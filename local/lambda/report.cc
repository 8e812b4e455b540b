#include "local/lambda/report.h"

#include <json/json.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/lambda/runtime_api.h"

namespace byoshin::local::lambda {
namespace {

double Milliseconds(absl::Duration duration) {
  return absl::ToDoubleMilliseconds(duration);
}

// Lambda bills whole milliseconds, including the initialization on custom
// runtimes.
std::int64_t BilledMilliseconds(const InvocationReport& report) {
  return static_cast<std::int64_t>(std::ceil(
      Milliseconds(report.duration) +
      Milliseconds(report.init_duration.value_or(absl::ZeroDuration()))));
}

// Rounded up, so that a small function does not have 0.
std::size_t Megabytes(std::size_t bytes) {
  return (bytes + (std::size_t{1} << 20) - 1) >> 20;
}

absl::string_view StatusOf(const InvocationReport& report) {
  switch (report.outcome) {
    case InvocationReport::Outcome::kSuccess:
      return "success";
    case InvocationReport::Outcome::kTimeout:
      return "timeout";
    case InvocationReport::Outcome::kError:
    case InvocationReport::Outcome::kOutOfMemory:
    case InvocationReport::Outcome::kCrash:
      return "error";
  }
  return "error";
}

// The function's own errors are not in the platform's status.
bool Failed(const InvocationReport& report) {
  return report.outcome != InvocationReport::Outcome::kSuccess &&
         report.outcome != InvocationReport::Outcome::kError;
}

std::string TextReport(const FunctionConfig& function,
                       const InvocationReport& report) {
  std::string line = absl::StrFormat(
      "REPORT RequestId: %s\tDuration: %.2f ms\tBilled Duration: %d ms\t"
      "Memory Size: %d MB\tMax Memory Used: %d MB\t",
      report.request_id, Milliseconds(report.duration),
      BilledMilliseconds(report), function.memory_mb,
      Megabytes(report.max_memory_bytes));
  if (report.init_duration.has_value()) {
    absl::StrAppendFormat(&line, "Init Duration: %.2f ms\t",
                          Milliseconds(*report.init_duration));
  }
  if (Failed(report)) {
    absl::StrAppend(&line, "Status: ", StatusOf(report));
    if (report.outcome != InvocationReport::Outcome::kTimeout) {
      absl::StrAppend(&line, "\tError Type: ", report.error_type);
    }
  }
  return line;
}

std::string JsonEvent(absl::Time now, absl::string_view type,
                      absl::string_view record) {
  return absl::StrCat(R"({"time":")",
                      absl::FormatTime(kTimeFormat, now, absl::UTCTimeZone()),
                      R"(","type":")", type, R"(","record":)", record, "}");
}

std::string JsonReport(const FunctionConfig& function,
                       const InvocationReport& report, absl::Time now) {
  std::string record = "{\"requestId\":";
  json::AppendQuoted(report.request_id, record);
  absl::StrAppendFormat(
      &record,
      R"(,"metrics":{"durationMs":%.3f,"billedDurationMs":%d,)"
      R"("memorySizeMB":%d,"maxMemoryUsedMB":%d)",
      Milliseconds(report.duration), BilledMilliseconds(report),
      function.memory_mb, Megabytes(report.max_memory_bytes));
  if (report.init_duration.has_value()) {
    absl::StrAppendFormat(&record, R"(,"initDurationMs":%.3f)",
                          Milliseconds(*report.init_duration));
  }
  absl::StrAppend(&record, R"(},"status":")", StatusOf(report), "\"");
  if (!report.error_type.empty()) {
    record += ",\"errorType\":";
    json::AppendQuoted(report.error_type, record);
  }
  return JsonEvent(now, "platform.report", record + "}");
}

// A function's own text, shortened.
std::string Shown(absl::string_view text) {
  return std::string(json::CutAtCharacter(text, kMaxShownBytes));
}

// As Go names signals, which is what Lambda shows.
std::string SignalName(int signal) {
  const char* description = sigdescr_np(signal);
  return absl::StrCat("signal: ", description == nullptr
                                      ? absl::StrCat("signal ", signal)
                                      : absl::AsciiStrToLower(description));
}

}  // namespace

std::vector<std::string> StartLines(const FunctionConfig& function,
                                    absl::string_view request_id,
                                    absl::Time now) {
  if (function.logging.format == LoggingConfig::Format::kText) {
    return {absl::StrCat("START RequestId: ", request_id,
                         " Version: ", kLatestVersion)};
  }
  if (function.logging.system_level == LoggingConfig::SystemLevel::kWarning) {
    return {};
  }
  std::string record = "{\"requestId\":";
  json::AppendQuoted(request_id, record);
  absl::StrAppend(&record, ",\"version\":\"", kLatestVersion, "\"}");
  return {JsonEvent(now, "platform.start", record)};
}

std::vector<std::string> EndLines(const FunctionConfig& function,
                                  const InvocationReport& report,
                                  absl::Time now) {
  if (function.logging.format == LoggingConfig::Format::kText) {
    std::vector<std::string> lines;
    if (report.outcome == InvocationReport::Outcome::kTimeout) {
      lines.push_back(
          absl::StrCat(absl::FormatTime(kTimeFormat, now, absl::UTCTimeZone()),
                       " ", report.request_id, " ", report.error_message));
    }
    lines.push_back(absl::StrCat("END RequestId: ", report.request_id));
    lines.push_back(TextReport(function, report));
    return lines;
  }
  if (function.logging.system_level == LoggingConfig::SystemLevel::kWarning &&
      !Failed(report)) {
    return {};
  }
  return {JsonReport(function, report, now)};
}

std::vector<std::string> FailedInitLines(const FunctionConfig& function,
                                         const FailedInit& init,
                                         absl::Time now) {
  const bool timed_out = init.error.type == kTimeoutType;
  const absl::string_view status = timed_out ? "timeout" : "error";
  // Lambda reports the reason with the waiting request.
  const std::string reason = absl::StrCat(
      init.request_id.empty() ? "" : "RequestId: ", init.request_id,
      init.request_id.empty() ? "" : " ", "Error: ", init.error.message);
  if (function.logging.format == LoggingConfig::Format::kText) {
    std::string line = absl::StrFormat(
        "INIT_REPORT Init Duration: %.2f ms\tPhase: init\t"
        "Status: %s",
        Milliseconds(init.duration), status);
    if (!timed_out) absl::StrAppend(&line, "\tError Type: ", init.error.type);
    return {std::move(line), reason};
  }
  std::string record = absl::StrCat(
      R"({"initializationType":"on-demand","phase":"init","status":")", status,
      R"(","errorType":)");
  json::AppendQuoted(init.error.type, record);
  absl::StrAppendFormat(&record, R"(,"metrics":{"durationMs":%.3f}})",
                        Milliseconds(init.duration));
  std::string message = R"({"level":"ERROR","message":)";
  json::AppendQuoted(reason, message);
  message += ",\"errorType\":";
  json::AppendQuoted(init.error.type, message);
  return {JsonEvent(now, "platform.initReport", record), message + "}"};
}

PlatformError EntrypointError(const absl::Status& status) {
  return {.type = "Runtime.InvalidEntrypoint",
          .message = std::string(status.message())};
}

PlatformError InitError(absl::string_view payload) {
  PlatformError error{.type = kInitErrorType};
  const absl::StatusOr<Json::Value> value = json::ParseValue(payload);
  if (value.ok() && value->isObject()) {
    if ((*value)["errorType"].isString()) {
      error.type = (*value)["errorType"].asString();
    }
    if ((*value)["errorMessage"].isString()) {
      error.message = (*value)["errorMessage"].asString();
    }
  }
  if (error.message.empty()) {
    error.message = Shown(payload);
  }
  // Keeps a log entry on one line.
  for (std::string* text : {&error.type, &error.message}) {
    *text = absl::StrReplaceAll(Shown(*text), {{"\n", " "}});
  }
  return error;
}

PlatformError TimeoutError(absl::Duration timeout) {
  return {.type = kTimeoutType,
          .message = absl::StrFormat("Task timed out after %.2f seconds",
                                     absl::ToDoubleSeconds(timeout))};
}

PlatformError ExitError(const process::ExitStatus& exit) {
  PlatformError error{.type = "Runtime.ExitError"};
  if (exit.kind == process::ExitStatus::Kind::kSignalled) {
    error.message =
        absl::StrCat("Runtime exited with error: ", SignalName(exit.value));
  } else if (exit.value == 0) {
    error.message = "Runtime exited without providing a reason";
  } else {
    error.message =
        absl::StrCat("Runtime exited with error: exit status ", exit.value);
  }
  return error;
}

PlatformError OutOfMemoryError() {
  return {.type = "Runtime.OutOfMemory",
          .message = "Runtime exited with error: signal: killed"};
}

PlatformError TooLargeError() {
  return {.type = "Function.ResponseSizeTooLarge",
          .message = absl::StrCat(
              "Response payload size exceeded maximum allowed payload size (",
              kMaxResponseBytes, " bytes).")};
}

std::string ErrorMessageOf(absl::string_view payload,
                           absl::string_view request_id) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(payload);
  if (!value.ok() || !value->isObject() ||
      !(*value)["errorMessage"].isString()) {
    return "";
  }
  const std::string message = (*value)["errorMessage"].asString();
  return Shown(absl::StripPrefix(
      message, absl::StrCat("RequestId: ", request_id, " Error: ")));
}

std::string ErrorPayload(const PlatformError& error,
                         absl::string_view request_id) {
  std::string payload = "{\"errorType\":";
  json::AppendQuoted(error.type, payload);
  payload += ",\"errorMessage\":";
  json::AppendQuoted(
      absl::StrCat("RequestId: ", request_id, " Error: ", error.message),
      payload);
  payload += "}";
  return payload;
}

}  // namespace byoshin::local::lambda
