#include "local/appsync/resolve/request_log.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "core/time/iso8601.h"
#include "local/appsync/model/graphql_api.h"

namespace byoshin::local::appsync {
namespace {

// A socket may have its credentials in its subprotocols.
constexpr absl::string_view kCredentialHeaders[] = {
    "authorization", "cookie", "sec-websocket-protocol", "x-amz-security-token",
    "x-api-key"};
constexpr char kHidden[] = "****";
// The beginning of what console.error() writes.
constexpr char kErrorLine[] = "ERROR - ";

std::string Quoted(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

}  // namespace

void RequestLog::Write(absl::string_view text) {
  options_.write(absl::StrCat(options_.request_id, " ",
                              absl::StrReplaceAll(text, hidden_)));
}

void RequestLog::BeginRequest(const json::Data& headers,
                              absl::string_view query,
                              absl::string_view operation_name,
                              const json::Data& variables) {
  if (!active()) return;
  for (const absl::string_view name : kCredentialHeaders) {
    const json::Data* value = headers.Find(name);
    if (value == nullptr || !value->is_string() || value->string().empty()) {
      continue;
    }
    hidden_.emplace_back(value->string(), kHidden);
    // As it stands in JSON, if that differs.
    const std::string quoted = Quoted(value->string());
    const std::string in_json = quoted.substr(1, quoted.size() - 2);
    if (in_json != value->string()) hidden_.emplace_back(in_json, kHidden);
  }
  Write("Begin Request");
  if (!verbose()) return;
  Write(absl::StrCat("Request Headers: ", headers.ToJson()));
  Write(absl::StrCat(
      "GraphQL Query: ", query,
      ", Operation: ", operation_name.empty() ? "null" : operation_name,
      ", Variables: ", variables.is_null() ? "{}" : variables.ToJson()));
}

bool RequestLog::Wants(absl::string_view line) const {
  const FieldLogLevel level = absl::StartsWith(line, kErrorLine)
                                  ? FieldLogLevel::kError
                                  : FieldLogLevel::kInfo;
  return active() && options_.config.level >= level;
}

void RequestLog::Evaluated(const LoggedField& field,
                           const Evaluation& evaluation) {
  for (const std::string& line : evaluation.logs) {
    if (Wants(line)) Write(line);
  }
  const bool failed = !evaluation.error.empty();
  if (!(failed ? logs_failed_fields() : logs_all_fields())) return;
  std::string line =
      absl::StrCat("{\"logType\":", Quoted(evaluation.name),
                   ",\"path\":", field.path.ToJson(),
                   ",\"fieldName\":", Quoted(field.field_name),
                   ",\"resolverArn\":", Quoted(field.resolver_arn));
  if (!evaluation.function_name.empty()) {
    absl::StrAppend(&line,
                    ",\"functionName\":", Quoted(evaluation.function_name));
  }
  absl::StrAppend(&line, ",\"requestId\":", Quoted(options_.request_id),
                  ",\"fieldInError\":", failed ? "true" : "false",
                  ",\"errors\":[", failed ? Quoted(evaluation.error) : "",
                  "],\"parentType\":", Quoted(field.parent_type),
                  ",\"graphQLAPIId\":", Quoted(options_.api_id));
  if (verbose()) {
    absl::StrAppend(&line, ",\"context\":", evaluation.context,
                    ",\"evaluationResult\":", evaluation.result);
  }
  Write(absl::StrCat(line, "}"));
}

void RequestLog::EndField(const LoggedField& field, absl::Duration start,
                          absl::Duration duration) {
  if (!logs_all_fields()) return;
  Write(absl::StrCat("{\"duration\":", absl::ToInt64Nanoseconds(duration),
                     ",\"logType\":\"Tracing\",\"path\":", field.path.ToJson(),
                     ",\"fieldName\":", Quoted(field.field_name),
                     ",\"startOffset\":", absl::ToInt64Nanoseconds(start),
                     ",\"resolverArn\":", Quoted(field.resolver_arn),
                     ",\"requestId\":", Quoted(options_.request_id),
                     ",\"parentType\":", Quoted(field.parent_type),
                     ",\"returnType\":", Quoted(field.return_type),
                     ",\"graphQLAPIId\":", Quoted(options_.api_id), "}"));
}

void RequestLog::Failed(const json::Data& errors) {
  if (!logs_failed_fields()) return;
  for (const json::Data& error : errors.elements()) {
    json::ObjectBuilder shown;
    for (const json::Data::Member& member : error.members()) {
      // They may have parts of items.
      if (!verbose() &&
          (member.name() == "data" || member.name() == "errorInfo")) {
        continue;
      }
      shown.Set(std::string(member.name()), member.value);
    }
    Write(absl::StrCat(
        "{\"logType\":\"Error\",\"requestId\":", Quoted(options_.request_id),
        ",\"graphQLAPIId\":", Quoted(options_.api_id),
        ",\"error\":", std::move(shown).Build().ToJson(), "}"));
  }
}

void RequestLog::EndRequest(int status, absl::Time began,
                            absl::Duration latency) {
  if (!active()) return;
  Write(absl::StrCat("{\"logType\":\"RequestSummary\",\"requestId\":",
                     Quoted(options_.request_id), ",\"graphQLAPIId\":",
                     Quoted(options_.api_id), ",\"statusCode\":", status,
                     ",\"latency\":", absl::ToInt64Nanoseconds(latency), "}"));
  Write(absl::StrCat(
      "{\"duration\":", absl::ToInt64Nanoseconds(latency),
      ",\"logType\":\"ExecutionSummary\",\"requestId\":",
      Quoted(options_.request_id),
      ",\"startTime\":", Quoted(time::FormatIso8601(began)),
      ",\"endTime\":", Quoted(time::FormatIso8601(began + latency)),
      ",\"version\":1,\"graphQLAPIId\":", Quoted(options_.api_id), "}"));
  Write("Tokens Consumed: 1");
  Write("End Request");
}

}  // namespace byoshin::local::appsync
