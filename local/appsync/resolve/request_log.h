// What AppSync writes to an API's log about a request: its beginning and its
// end, and by the API's level
//
//   kError  the errors of the response, evaluations that failed, and the lines
//           of console.error()
//   kInfo   also the lines of console.log(); kDebug is the same, since code has
//           no other lines
//   kAll    also the evaluations and the times of fields that succeeded
//
// https://docs.aws.amazon.com/appsync/latest/devguide/monitoring.html
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_LOG_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_LOG_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/model/graphql_api.h"

namespace byoshin::local::appsync {

// A field as the log names it.
struct LoggedField {
  json::Data path{};
  std::string parent_type{};
  std::string field_name{};
  std::string return_type{};
  std::string resolver_arn{};
};

// Thread-safe. Writes nothing if the API has no log.
class RequestLog {
 public:
  struct Options {
    LogConfig config{};
    std::string api_id{};
    std::string request_id{};
    // Writes a line; null if there is no log.
    std::function<void(std::string line)> write{};
  };

  explicit RequestLog(Options options) : options_(std::move(options)) {}

  // Comes first. What a caller proves itself with is hidden in all lines.
  void BeginRequest(const json::Data& headers, absl::string_view query,
                    absl::string_view operation_name,
                    const json::Data& variables);
  // A handler has run; `logs` are the lines of the code itself. `name` is
  // "RequestFunctionEvaluation" or "ResponseFunctionEvaluation".
  struct Evaluation {
    absl::string_view name;
    absl::string_view function_name;
    absl::string_view context;
    absl::string_view result;
    absl::string_view error;
    const std::vector<std::string>& logs;
  };
  void Evaluated(const LoggedField& field, const Evaluation& evaluation);
  void EndField(const LoggedField& field, absl::Duration start,
                absl::Duration duration);
  // The errors of the response, a JSON array.
  void Failed(const json::Data& errors);
  void EndRequest(int status, absl::Time began, absl::Duration latency);

  // The evaluations and times of all fields, or only those that fail.
  bool logs_all_fields() const {
    return active() && options_.config.level == FieldLogLevel::kAll;
  }
  bool logs_failed_fields() const {
    return active() && options_.config.level >= FieldLogLevel::kError;
  }
  // Whether evaluations are logged with their contexts.
  bool logs_contexts() const { return logs_failed_fields() && verbose(); }

 private:
  bool active() const { return options_.write != nullptr; }
  bool verbose() const { return !options_.config.exclude_verbose_content; }
  // Whether a line that code has written is logged.
  bool Wants(absl::string_view line) const;
  void Write(absl::string_view text);

  const Options options_;
  // What must not be logged, and what is written instead.
  std::vector<std::pair<std::string, std::string>> hidden_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_LOG_H_
