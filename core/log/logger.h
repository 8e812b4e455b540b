// Structured logs: one JSON object a line, as CloudWatch Logs Insights reads
// them.
//
//   log::Logger logger(clock, sink);
//   logger.SetRequestId(invocation.request_id);
//   logger.Info("message sent", {{"from", "2025-12-02T10:23:00Z"},
//   {"delaySeconds", 5}});
//
//   {"timestamp":"2025-12-02T10:23:00.012Z","level":"INFO","requestId":"…",
//    "message":"message sent","from":"2025-12-02T10:23:00Z","delaySeconds":5}
//
// Every line is valid JSON: bytes that are not UTF-8 become U+FFFD, a text
// longer than kMaxTextBytes is truncated and marked, and a duplicate name gets
// an underscore appended.
//
// Never pass credentials, tokens, or a URL with its user info (see
// http::UrlForLog).
#ifndef BYOSHIN_CORE_LOG_LOGGER_H_
#define BYOSHIN_CORE_LOG_LOGGER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/time/clock.h"

namespace byoshin::log {

// The maximum length of a message or a value: CloudWatch truncates long lines,
// which are then no longer valid JSON.
inline constexpr std::size_t kMaxTextBytes = 4096;

enum class Level { kDebug, kInfo, kWarning, kError };

// A parameter of a log line. The constructors prevent a string literal from
// becoming a bool and integers from being ambiguous.
struct Field {
  Field(absl::string_view name, absl::string_view value)
      : name(name), value(std::string(value)) {}
  Field(absl::string_view name, const char* value)
      : Field(name, absl::string_view(value)) {}
  Field(absl::string_view name, const std::string& value)
      : Field(name, absl::string_view(value)) {}
  Field(absl::string_view name, bool value) : name(name), value(value) {}
  Field(absl::string_view name, int value)
      : name(name), value(static_cast<int64_t>(value)) {}
  Field(absl::string_view name, int64_t value) : name(name), value(value) {}
  Field(absl::string_view name, double value) : name(name), value(value) {}

  std::string name;
  std::variant<std::string, bool, int64_t, double> value;
};

// Where lines go. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  // `line` has no line break; the sink adds it.
  virtual void WriteLine(absl::string_view line) = 0;
};

// A metric for CloudWatch, measured during one invocation.
struct Metric {
  enum class Unit { kMilliseconds, kSeconds, kCount };
  std::string name;
  Unit unit;
  double value;
};

// Writes log lines and metrics. Thread-safe, except for SetRequestId.
class Logger {
 public:
  Logger(const time::Clock& clock, Sink& sink, Level threshold = Level::kDebug)
      : clock_(clock), sink_(sink), threshold_(threshold) {}

  // Sets the invocation of the following lines.
  void SetRequestId(absl::string_view request_id) {
    request_id_ = std::string(request_id);
  }

  void Debug(absl::string_view message,
             std::initializer_list<Field> fields = {}) {
    Log(Level::kDebug, message, fields);
  }
  void Info(absl::string_view message,
            std::initializer_list<Field> fields = {}) {
    Log(Level::kInfo, message, fields);
  }
  void Warning(absl::string_view message,
               std::initializer_list<Field> fields = {}) {
    Log(Level::kWarning, message, fields);
  }
  void Error(absl::string_view message,
             std::initializer_list<Field> fields = {}) {
    Log(Level::kError, message, fields);
  }
  void Log(Level level, absl::string_view message,
           const std::vector<Field>& fields);

  // Writes a line in CloudWatch's embedded metric format, from which CloudWatch
  // extracts metrics. `dimensions` group the metrics and must be few;
  // `properties` are only searchable. A metric that is not a finite number is
  // omitted: CloudWatch would reject the whole line.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
  void EmitMetrics(absl::string_view metric_namespace,
                   const std::vector<Field>& dimensions,
                   const std::vector<Metric>& metrics,
                   const std::vector<Field>& properties = {});

 private:
  const time::Clock& clock_;
  Sink& sink_;
  const Level threshold_;
  std::string request_id_;
};

}  // namespace byoshin::log

#endif  // BYOSHIN_CORE_LOG_LOGGER_H_
