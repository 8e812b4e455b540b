#include "local/stack/outcomes.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/lambda/function.h"
#include "local/lambda/log_streams.h"
#include "local/logs/logs.h"

namespace byoshin::local::stack {
namespace {

// More requests than can be under way: some were never reported.
constexpr std::size_t kMaxRequests = 10'000;

// Written by the cloud itself about what it could not do with the function.
bool IsOfThePlatform(const logs::LogLine& line) {
  return absl::StartsWith(line.stream, lambda::kEventSourceStream) ||
         line.stream == lambda::kAsyncStream;
}

std::string ReasonOf(const lambda::InvocationReport& report) {
  if (report.error_type.empty()) {
    return report.error_message.empty() ? "it has failed without a message"
                                        : report.error_message;
  }
  return report.error_message.empty()
             ? report.error_type
             : absl::StrCat(report.error_type, ": ", report.error_message);
}

}  // namespace

void OutcomeReader::AddLine(absl::string_view function,
                            const logs::LogLine& line) {
  if (IsOfThePlatform(line)) {
    return on_outcome_({.started = line.time,
                        .time = line.time,
                        .function = std::string(function),
                        .failure = line.text});
  }
  // Few lines are errors, and parsing costs more than looking.
  if (!absl::StrContains(line.text, "\"ERROR\"")) return;
  const absl::StatusOr<Json::Value> object = json::ParseValue(line.text);
  if (!object.ok() || !object->isObject() ||
      json::TextMember(*object, "level") != "ERROR") {
    return;
  }
  const std::string request_id = json::TextMember(*object, "requestId");
  if (request_id.empty()) return;
  std::string error = json::TextMember(*object, "error");
  if (error.empty()) error = json::TextMember(*object, "message");
  const sync::MutexLock lock(mutex_);
  if (errors_.size() >= kMaxRequests) errors_.clear();
  errors_.try_emplace(request_id, std::move(error));
}

void OutcomeReader::AddReport(absl::Time now,
                              const lambda::InvocationReport& report) {
  FunctionOutcome outcome{
      .started = report.started, .time = now, .function = report.function_name};
  {
    const sync::MutexLock lock(mutex_);
    if (auto error = errors_.extract(report.request_id); !error.empty()) {
      outcome.failure = std::move(error.mapped());
    }
  }
  if (report.outcome != lambda::InvocationReport::Outcome::kSuccess) {
    outcome.failure = ReasonOf(report);
    outcome.could_not_start = !report.reached_function;
  }
  on_outcome_(outcome);
}

}  // namespace byoshin::local::stack
