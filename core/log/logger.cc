#include "core/log/logger.h"

#include <json/json.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"

namespace byoshin::log {
namespace {

constexpr char kRequestIdName[] = "requestId";

absl::string_view NameOf(Level level) {
  switch (level) {
    case Level::kDebug:
      return "DEBUG";
    case Level::kInfo:
      return "INFO";
    case Level::kWarning:
      return "WARN";
    case Level::kError:
      break;
  }
  return "ERROR";
}

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html
absl::string_view NameOf(Metric::Unit unit) {
  switch (unit) {
    case Metric::Unit::kMilliseconds:
      return "Milliseconds";
    case Metric::Unit::kSeconds:
      return "Seconds";
    case Metric::Unit::kCount:
      break;
  }
  return "Count";
}

std::string Cut(absl::string_view text) {
  if (text.size() <= kMaxTextBytes) return std::string(text);
  size_t length = kMaxTextBytes;
  // Not in the middle of a character, which is at most four bytes long.
  for (int i = 0; i < 3 && (text[length] & 0xC0) == 0x80; ++i) --length;
  return absl::StrCat(text.substr(0, length), "... (", text.size(), " bytes)");
}

Json::Value ToJson(absl::string_view text) { return Json::Value(Cut(text)); }

Json::Value ToJson(const Field& field) {
  struct Converter {
    Json::Value operator()(const std::string& text) { return ToJson(text); }
    Json::Value operator()(bool value) { return Json::Value(value); }
    Json::Value operator()(int64_t value) {
      return Json::Value(static_cast<Json::Int64>(value));
    }
    Json::Value operator()(double value) { return Json::Value(value); }
  };
  return std::visit(Converter{}, field.value);
}

// Json::Value would sort the keys; in logs, the time comes first.
class Line {
 public:
  void AddValue(absl::string_view name, const Json::Value& value) {
    std::string key = Cut(name);
    std::string quoted = json::WriteValue(Json::Value(key));
    // Compared as written: names that are not UTF-8 may become equal.
    while (!names_.insert(quoted).second) {
      key.push_back('_');
      quoted = json::WriteValue(Json::Value(key));
    }
    absl::StrAppend(&text_, text_.empty() ? "{" : ",", quoted, ":",
                    json::WriteValue(value));
  }
  void AddText(absl::string_view name, absl::string_view text) {
    AddValue(name, ToJson(text));
  }
  void AddFields(const std::vector<Field>& fields) {
    for (const Field& field : fields) AddValue(field.name, ToJson(field));
  }

  std::string End() && { return std::move(text_) + "}"; }

 private:
  std::string text_;
  std::unordered_set<std::string> names_;
};

Json::Value MetricDirective(absl::string_view metric_namespace,
                            const std::vector<Field>& dimensions,
                            const std::vector<Metric>& metrics) {
  Json::Value directive(Json::objectValue);
  directive["Namespace"] = ToJson(metric_namespace);
  Json::Value names(Json::arrayValue);
  for (const Field& dimension : dimensions) {
    names.append(ToJson(dimension.name));
  }
  directive["Dimensions"].append(names);
  Json::Value& definitions = directive["Metrics"];
  for (const Metric& metric : metrics) {
    Json::Value definition(Json::objectValue);
    definition["Name"] = ToJson(metric.name);
    definition["Unit"] = ToJson(NameOf(metric.unit));
    definitions.append(definition);
  }
  return directive;
}

}  // namespace

void Logger::Log(Level level, absl::string_view message,
                 const std::vector<Field>& fields) {
  if (level < threshold_) return;
  Line line;
  line.AddText("timestamp",
               absl::FormatTime("%E4Y-%m-%dT%H:%M:%E3SZ", clock_.Now(),
                                absl::UTCTimeZone()));
  line.AddText("level", NameOf(level));
  if (!request_id_.empty()) line.AddText(kRequestIdName, request_id_);
  line.AddText("message", message);
  line.AddFields(fields);
  sink_.WriteLine(std::move(line).End());
}

void Logger::EmitMetrics(absl::string_view metric_namespace,
                         const std::vector<Field>& dimensions,
                         const std::vector<Metric>& metrics,
                         const std::vector<Field>& properties) {
  std::vector<Metric> finite;
  for (const Metric& metric : metrics) {
    if (std::isfinite(metric.value)) finite.push_back(metric);
  }
  if (finite.empty()) return;

  Json::Value aws(Json::objectValue);
  aws["Timestamp"] = static_cast<Json::Int64>(absl::ToUnixMillis(clock_.Now()));
  aws["CloudWatchMetrics"].append(
      MetricDirective(metric_namespace, dimensions, finite));
  Line line;
  line.AddValue("_aws", aws);
  line.AddFields(dimensions);
  for (const Metric& metric : finite) {
    line.AddValue(metric.name, Json::Value(metric.value));
  }
  if (!request_id_.empty()) line.AddText(kRequestIdName, request_id_);
  line.AddFields(properties);
  sink_.WriteLine(std::move(line).End());
}

}  // namespace byoshin::log
