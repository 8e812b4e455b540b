#include "local/gateway/service.h"

#include <json/json.h>

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/json/value.h"

namespace byoshin::local {

const absl::StatusOr<Json::Value>& Call::JsonBody() const {
  if (parsed_body == nullptr) {
    parsed_body =
        std::make_shared<absl::StatusOr<Json::Value>>(json::ParseValue(body));
  }
  return *parsed_body;
}

absl::StatusOr<Json::Value> Call::TakeJsonBody() {
  if (parsed_body == nullptr) return json::ParseValue(body);
  const std::shared_ptr<absl::StatusOr<Json::Value>> parsed =
      std::exchange(parsed_body, nullptr);
  // A copy of the call may still look at it.
  return parsed.use_count() == 1 ? std::move(*parsed) : *parsed;
}

}  // namespace byoshin::local
