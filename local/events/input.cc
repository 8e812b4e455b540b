#include "local/events/input.h"

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "core/time/iso8601.h"

namespace byoshin::local::events {
namespace {

// Of AWS; variables of a target can't begin like this.
constexpr absl::string_view kRuleArn = "aws.events.rule-arn";
constexpr absl::string_view kRuleName = "aws.events.rule-name";
constexpr absl::string_view kIngestionTime = "aws.events.event.ingestion-time";
constexpr absl::string_view kEventWithoutDetail = "aws.events.event";
constexpr absl::string_view kWholeEvent = "aws.events.event.json";

// A member's name, or the index of an element.
using PathStep = std::variant<std::string, Json::ArrayIndex>;

// The steps of "$.detail.items[0]".
absl::StatusOr<std::vector<PathStep>> ParsePath(const std::string& text) {
  absl::Status wrong = absl::InvalidArgumentError(
      absl::StrCat("\"", text, "\" is not a path such as $.detail.items[0]"));
  absl::string_view path = text;
  if (!absl::ConsumePrefix(&path, "$")) return wrong;
  std::vector<PathStep> steps;
  while (!path.empty()) {
    if (absl::ConsumePrefix(&path, ".")) {
      const absl::string_view name = path.substr(0, path.find_first_of(".["));
      if (name.empty() || name == "*") return wrong;
      steps.emplace_back(std::string(name));
      path.remove_prefix(name.size());
      continue;
    }
    const std::size_t end = path.find(']');
    if (path[0] != '[' || end == absl::string_view::npos) return wrong;
    const absl::string_view index = path.substr(1, end - 1);
    Json::ArrayIndex number = 0;
    if (!absl::SimpleAtoi(index, &number)) return wrong;
    steps.emplace_back(number);
    path.remove_prefix(end + 1);
  }
  return steps;
}

// Null if there is none.
const Json::Value* FindAt(const std::vector<PathStep>& steps,
                          const Json::Value& event) {
  const Json::Value* value = &event;
  for (const PathStep& step : steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (!value->isObject()) return nullptr;
      value = value->find(name->data(), name->data() + name->size());
    } else {
      const Json::ArrayIndex index = std::get<Json::ArrayIndex>(step);
      if (!value->isArray() || index >= value->size()) return nullptr;
      value = &(*value)[index];
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

bool IsPredefined(absl::string_view name) {
  return name == kRuleArn || name == kRuleName || name == kIngestionTime ||
         name == kEventWithoutDetail || name == kWholeEvent;
}

// The value as part of a JSON string.
std::string Unquoted(const Json::Value& value) {
  if (value.isString()) {
    std::string quoted;
    json::AppendQuoted(value.asString(), quoted);
    return quoted.substr(1, quoted.size() - 2);
  }
  return absl::StrReplaceAll(json::WriteValue(value), {{"\"", ""}});
}

// Replaces the <names> in a template. `value_of` gets their names.
std::string FillIn(
    absl::string_view text,
    const std::function<std::optional<Json::Value>(absl::string_view)>&
        value_of) {
  std::string filled;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end =
        text[i] == '<' ? text.find('>', i) : absl::string_view::npos;
    std::optional<Json::Value> value;
    if (end != absl::string_view::npos) {
      value = value_of(text.substr(i + 1, end - i - 1));
    }
    if (value.has_value()) {
      filled += in_string ? Unquoted(*value) : json::WriteValue(*value);
      i = end;
      continue;
    }
    filled += text[i];
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\' && i + 1 < text.size()) {
      filled += text[++i];
    }
  }
  return filled;
}

Json::Value PredefinedValue(absl::string_view name, const Json::Value& event,
                            const InputContext& context) {
  if (name == kRuleArn) return context.rule.arn;
  if (name == kRuleName) return context.rule.name;
  if (name == kIngestionTime) {
    return time::FormatIso8601(context.ingestion_time);
  }
  Json::Value value = event;
  if (name == kEventWithoutDetail) value.removeMember("detail");
  return value;
}

absl::StatusOr<std::string> Transform(const InputTransformer& transformer,
                                      const Json::Value& event,
                                      const InputContext& context) {
  std::map<std::string, Json::Value, std::less<>> values;
  for (const auto& [name, path] : transformer.paths) {
    const absl::StatusOr<std::vector<PathStep>> steps = ParsePath(path);
    if (!steps.ok()) return steps.status();
    const Json::Value* value = FindAt(*steps, event);
    values[name] = value == nullptr ? Json::Value("") : *value;
  }
  return FillIn(transformer.text,
                [&](absl::string_view name) -> std::optional<Json::Value> {
                  if (IsPredefined(name)) {
                    return PredefinedValue(name, event, context);
                  }
                  const auto found = values.find(name);
                  if (found == values.end()) return std::nullopt;
                  return found->second;
                });
}

absl::Status CheckTransformer(const InputTransformer& transformer) {
  if (transformer.text.empty()) {
    return absl::InvalidArgumentError(
        "the InputTransformer has no InputTemplate");
  }
  std::string unknown;
  const std::string sample =
      FillIn(transformer.text,
             [&](absl::string_view name) -> std::optional<Json::Value> {
               if (!IsPredefined(name) &&
                   !transformer.paths.contains(std::string(name))) {
                 unknown = std::string(name);
               }
               return Json::Value("");
             });
  if (!unknown.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("InputTemplate contains the placeholder <", unknown,
                     ">, which InputPathsMap does not have"));
  }
  const char first =
      sample[sample.find_first_not_of(" \t\r\n") == std::string::npos
                 ? 0
                 : sample.find_first_not_of(" \t\r\n")];
  if ((first == '{' || first == '[') && !json::ParseValue(sample).ok()) {
    return absl::InvalidArgumentError("InputTemplate is not valid JSON");
  }
  for (const auto& [name, path] : transformer.paths) {
    const absl::StatusOr<std::vector<PathStep>> steps = ParsePath(path);
    if (!steps.ok()) return steps.status();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckInput(const Target& target) {
  const int ways = (target.input.empty() ? 0 : 1) +
                   (target.input_path.empty() ? 0 : 1) +
                   (target.transformer.has_value() ? 1 : 0);
  if (ways > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Only one of Input, InputPath, or InputTransformer must be provided "
        "for target ",
        target.id, "."));
  }
  if (!target.input.empty() && !json::ParseValue(target.input).ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the Input of the target \"", target.id, "\" is not JSON"));
  }
  if (!target.input_path.empty()) {
    const absl::StatusOr<std::vector<PathStep>> steps =
        ParsePath(target.input_path);
    if (!steps.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("InputPath: ", steps.status().message()));
    }
  }
  if (!target.transformer.has_value()) return absl::OkStatus();
  return CheckTransformer(*target.transformer);
}

absl::StatusOr<std::string> InputOf(const Target& target,
                                    absl::string_view event,
                                    const InputContext& context) {
  if (!target.input.empty()) return target.input;
  if (!target.transformer.has_value() &&
      (target.input_path.empty() || target.input_path == "$")) {
    return std::string(event);
  }
  const absl::StatusOr<Json::Value> value = json::ParseValue(event);
  if (!value.ok()) return value.status();
  if (target.transformer.has_value()) {
    return Transform(*target.transformer, *value, context);
  }
  const absl::StatusOr<std::vector<PathStep>> steps =
      ParsePath(target.input_path);
  if (!steps.ok()) return steps.status();
  const Json::Value* part = FindAt(*steps, *value);
  return part == nullptr ? "null" : json::WriteValue(*part);
}

}  // namespace byoshin::local::events
