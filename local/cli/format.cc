#include "local/cli/format.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"
#include "local/cli/escape.h"
#include "local/cli/table.h"
#include "local/cli/terminal.h"
#include "local/dashboard/duration_text.h"

namespace byoshin::local::cli {
namespace {

std::string Millis(const Json::Value& value) {
  return value.isNumeric()
             ? dashboard::DurationText(absl::Milliseconds(value.asDouble()))
             : "-";
}

// How long ago something was at `now`.
std::string Age(const Json::Value& millis, const Json::Value& now) {
  if (!millis.isNumeric()) return "-";
  return dashboard::DurationText(absl::Milliseconds(
      std::max<std::int64_t>(now.asInt64() - millis.asInt64(), 0)));
}

// The member, where `value` may be null.
const Json::Value& Member(const Json::Value& value, const char* name) {
  return value.isObject() ? value[name] : Json::Value::nullSingleton();
}

// A text without its quotes, anything else as JSON.
std::string TextOf(const Json::Value& value) {
  return value.isString() ? value.asString()
         : value.isNull() ? ""
                          : json::WriteValue(value);
}

// The line's own time is the log's, the request's id is long, and metrics that
// are embedded describe themselves at length.
bool IsShownElsewhere(absl::string_view name) {
  for (const absl::string_view known :
       {"timestamp", "time", "level", "requestId", "_aws"}) {
    if (name == known) return true;
  }
  return false;
}

// As wide as the widest, so that messages stand below each other.
std::string PaintLevel(const std::string& level, const Terminal& terminal) {
  const std::string padded = absl::StrFormat("%-5s", level);
  if (level == "ERROR" || level == "FATAL") {
    return terminal.Paint(Colour::kRed, padded);
  }
  if (level == "WARN" || level == "WARNING") {
    return terminal.Paint(Colour::kYellow, padded);
  }
  return padded;
}

std::string FormatExactMillis(const Json::Value& millis) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ",
                          absl::FromUnixMillis(millis.asInt64()),
                          absl::UTCTimeZone());
}

// Adds the stack of each row as its first column, unless there is only one.
// `names` are the columns that may be shortened.
std::string FormatOfStacks(const Json::Value& status, const Json::Value& list,
                           std::vector<std::string> header,
                           std::vector<std::vector<std::string>> rows,
                           const Paper& paper, std::vector<std::size_t> names) {
  if (status["stacks"].size() > 1) {
    header.insert(header.begin(), "STACK");
    for (Json::ArrayIndex i = 0; i < list.size(); ++i) {
      rows[i].insert(rows[i].begin(), list[i]["stack"].asString());
    }
    for (std::size_t& name : names) ++name;
    names.insert(names.begin(), 0);
  }
  return FormatTable(header, std::move(rows), paper, names);
}

std::string FormatApis(const Json::Value& status, const Paper& paper) {
  const Json::Value& apis = status["apis"];
  if (apis.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& api : apis) {
    rows.push_back({api["name"].asString(), api["url"].asString()});
  }
  return absl::StrCat("\n",
                      FormatOfStacks(status, apis, {"REST API", "ADDRESS"},
                                     std::move(rows), paper, {0}));
}

// As a whole, or for some of their messages.
std::string Failures(const Json::Value& function) {
  const Json::Value& errors = function["errors"];
  if (!errors.isNumeric()) return FormatCount(errors);
  return absl::StrCat(errors.asInt64() + function["partialFailures"].asInt64());
}

std::string FormatFunctions(const Json::Value& status, const Paper& paper) {
  const Json::Value& functions = status["functions"];
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& function : functions) {
    const Json::Value& duration = function["durationMs"];
    rows.push_back(
        {function["name"].asString(), FormatCount(function["invocations"]),
         Failures(function), FormatCount(function["timeouts"]),
         FormatCount(function["throttles"]),
         FormatCount(function["coldStarts"]),
         FormatCount(function["environments"]), Millis(Member(duration, "p50")),
         Millis(Member(duration, "p99"))});
  }
  return FormatOfStacks(status, functions,
                        {"FUNCTION", "CALLS", "ERRORS", "TIMEOUTS", "THROTTLED",
                         "COLD", "WARM", "P50", "P99"},
                        std::move(rows), paper, {0});
}

}  // namespace

std::string CsvField(absl::string_view text) {
  if (text.find_first_of(",\"\r\n") == absl::string_view::npos) {
    return std::string(text);
  }
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string FormatMillis(const Json::Value& millis) {
  if (!millis.isNumeric()) return "-";
  return time::FormatIso8601(absl::FromUnixMillis(millis.asInt64()));
}

std::string FormatCount(const Json::Value& count) {
  return count.isNumeric() ? absl::StrCat(count.asInt64()) : "-";
}

std::string FormatStatus(const Json::Value& status,
                         const std::string& of_applications,
                         const Paper& paper) {
  return absl::StrCat(
      "time          ", FormatMillis(status["now"]), "\n", of_applications,
      "dead letters  ", FormatCount(status["deadLetters"]),
      status["deadLetters"].asInt64() > 0
          ? " (`byoshin queues --dead-letters` shows them)"
          : "",
      "\n\n", FormatQueues(status, paper), "\n", FormatFunctions(status, paper),
      FormatApis(status, paper));
}

std::string FormatQueues(const Json::Value& status, const Paper& paper) {
  std::vector<std::vector<std::string>> rows;
  for (const Json::Value& queue : status["queues"]) {
    rows.push_back(
        {queue["name"].asString(), FormatCount(queue["visible"]),
         FormatCount(queue["delayed"]), FormatCount(queue["inFlight"]),
         FormatCount(queue["retries"]), Age(queue["oldest"], status["now"]),
         queue["deadLetterQueue"].isString()
             ? queue["deadLetterQueue"].asString()
             : "-"});
  }
  constexpr std::size_t kName = 0;
  constexpr std::size_t kDeadLetterQueue = 6;
  return FormatOfStacks(status, status["queues"],
                        {"QUEUE", "VISIBLE", "DELAYED", "IN FLIGHT", "RETRIES",
                         "OLDEST", "DEAD LETTERS TO"},
                        std::move(rows), paper, {kName, kDeadLetterQueue});
}

std::string FormatLogLine(const Json::Value& line, const Terminal& terminal) {
  const std::string text = line["text"].asString();
  const std::string begin =
      absl::StrCat(terminal.Paint(Colour::kDim, FormatExactMillis(line["t"])),
                   "  ", Printable(line["function"].asString()), "  ");
  const absl::StatusOr<Json::Value> object = json::ParseValue(text);
  if (!object.ok() || !object->isObject()) {
    return absl::StrCat(begin, Printable(text), "\n");
  }
  std::vector<std::string> parts;
  if (const std::string level = TextOf((*object)["level"]); !level.empty()) {
    parts.push_back(PaintLevel(Printable(level), terminal));
  }
  // What the platform itself says has a type in place of a message.
  const char* const message = object->isMember("message") ? "message" : "type";
  if (object->isMember(message)) {
    parts.push_back(Printable(TextOf((*object)[message])));
  }
  for (const std::string& name : object->getMemberNames()) {
    if (name == message || IsShownElsewhere(name)) continue;
    parts.push_back(
        Printable(absl::StrCat(name, "=", TextOf((*object)[name]))));
  }
  return absl::StrCat(begin, absl::StrJoin(parts, "  "), "\n");
}

std::string FormatDeadLetter(const Json::Value& letter,
                             const Terminal& terminal) {
  const std::string body = letter["body"].asString();
  return absl::StrCat(FormatMillis(letter["sent"]), "  ",
                      letter["queue"].asString(), "  received ",
                      FormatCount(letter["receives"]), " times  ",
                      letter["id"].asString(), "\n",
                      terminal.is_interactive() ? Printable(body) : body, "\n");
}

}  // namespace byoshin::local::cli
