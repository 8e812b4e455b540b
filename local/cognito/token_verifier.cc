#include "local/cognito/token_verifier.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "core/json/value.h"

namespace byoshin::local::cognito {

std::string ClaimText(const std::string& name, const Json::Value& value) {
  if (value.isInt64() && (name == "exp" || name == "iat")) {
    return absl::FormatTime("%a %b %d %H:%M:%S UTC %Y",
                            absl::FromUnixSeconds(value.asInt64()),
                            absl::UTCTimeZone());
  }
  if (value.isArray()) {
    std::vector<std::string> texts;
    for (const Json::Value& element : value) {
      texts.push_back(ClaimText("", element));
    }
    return absl::StrJoin(texts, ",");
  }
  return value.isString() ? value.asString() : json::WriteValue(value);
}

}  // namespace byoshin::local::cognito
