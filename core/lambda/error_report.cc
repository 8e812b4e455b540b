#include "core/lambda/error_report.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"

namespace byoshin::lambda {

std::string ErrorType(const absl::Status& status) {
  if (std::optional<std::string> name = ErrorTypeOf(status); name.has_value()) {
    return *std::move(name);
  }
  std::string type = "Byoshin.";
  bool starts_word = true;
  // From INVALID_ARGUMENT to InvalidArgument.
  for (const char c : absl::StatusCodeToString(status.code())) {
    if (c == '_') {
      starts_word = true;
      continue;
    }
    type.push_back(
        starts_word ? c : absl::ascii_tolower(static_cast<unsigned char>(c)));
    starts_word = false;
  }
  return type;
}

std::string ErrorBody(const absl::Status& status) {
  Json::Value body(Json::objectValue);
  body["errorMessage"] = std::string(status.message());
  body["errorType"] = ErrorType(status);
  body["stackTrace"] = Json::Value(Json::arrayValue);
  return json::WriteValue(body);
}

}  // namespace byoshin::lambda
