// AWS JSON 1.1: how EventBridge and CloudWatch Logs are asked and answer.
//
//   JsonFields fields(call, "InvalidParameterException");
//   const std::string group = fields.Required("logGroupName");
//   const std::int64_t limit = fields.Integer("limit", {.otherwise = 50,
//                                                       .max = 50});
//   if (!fields.status().ok()) return fields.status();
#ifndef BYOSHIN_LOCAL_GATEWAY_JSON_API_H_
#define BYOSHIN_LOCAL_GATEWAY_JSON_API_H_

#include <json/json.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local {

Answer Json11Answer(const absl::StatusOr<Json::Value>& result);

absl::Status UnknownJsonOperation(absl::string_view service,
                                  absl::string_view operation);

// The members of a request, read one after the other; keeps the first error.
// Not thread-safe.
class JsonFields {
 public:
  // SerializationException if the body is not a JSON object, or a member has
  // the wrong type; `invalid_code` if a value is missing or out of range.
  JsonFields(const Call& call, absl::string_view invalid_code);

  // Empty if it is not there.
  std::string Text(absl::string_view name);
  std::string Required(absl::string_view name);
  std::vector<std::string> Texts(absl::string_view name);
  bool Flag(absl::string_view name);

  struct Range {
    std::int64_t otherwise = 0;
    std::int64_t min = 1;
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
  };
  std::int64_t Integer(absl::string_view name, const Range& range);
  // Milliseconds since the epoch.
  std::optional<std::int64_t> Time(absl::string_view name);

  void Fail(absl::string_view message);
  const absl::Status& status() const { return status_; }

 private:
  // Null if it is not there, is null, or is not as `fits` wants it.
  const Json::Value* Find(absl::string_view name,
                          bool (Json::Value::*fits)() const);

  const std::string invalid_code_;
  Json::Value object_{Json::objectValue};
  absl::Status status_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_JSON_API_H_
