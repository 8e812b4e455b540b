#include "local/events/rule.h"

#include <json/json.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"

namespace byoshin::local::events {
namespace {

std::string Quoted(absl::string_view text) {
  std::string quoted;
  json::AppendQuoted(text, quoted);
  return quoted;
}

}  // namespace

bool IsStateMachine(const Target& target) {
  return absl::StartsWith(target.arn, "arn:aws:states:");
}

std::string ScheduledEvent(const Rule& rule, absl::string_view event_id,
                           absl::Time time) {
  return absl::StrCat(
      R"({"version":"0","id":)", Quoted(event_id),
      R"(,"detail-type":"Scheduled Event","source":"aws.events","account":)",
      Quoted(rule.account_id), R"(,"time":)", Quoted(time::FormatIso8601(time)),
      absl::StrCat(R"(,"region":)", Quoted(rule.region), R"(,"resources":[)",
                   Quoted(rule.arn), R"(],"detail":{}})"));
}

absl::StatusOr<std::string> InputOf(const Target& target,
                                    absl::string_view event) {
  if (!target.input.empty()) return target.input;
  if (target.input_path.empty() || target.input_path == "$") {
    return std::string(event);
  }
  absl::string_view path = target.input_path;
  if (!absl::ConsumePrefix(&path, "$.")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "InputPath is not a path such as $.detail: ", target.input_path));
  }
  absl::StatusOr<Json::Value> value = json::ParseValue(event);
  if (!value.ok()) return value.status();
  const Json::Value* part = &*value;
  for (absl::string_view name : absl::StrSplit(path, '.')) {
    if (!part->isObject()) return "null";
    part = &(*part)[std::string(name)];
  }
  return json::WriteValue(*part);
}

}  // namespace byoshin::local::events
