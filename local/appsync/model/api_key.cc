#include "local/appsync/model/api_key.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/floor.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/record.h"

namespace byoshin::local::appsync {

absl::StatusOr<absl::Time> KeyExpiry(std::optional<std::int64_t> wanted,
                                     absl::Time now) {
  const absl::Time hour = time::FloorTo(now, absl::Hours(1));
  if (!wanted.has_value()) return hour + kDefaultKeyLife;
  const absl::Time expires =
      time::FloorTo(absl::FromUnixSeconds(*wanted), absl::Hours(1));
  // Both are rounded, so that "a day from now" is accepted at any minute.
  if (expires < hour + kMinKeyLife || expires > hour + kMaxKeyLife) {
    return KeyLifeOutOfBounds();
  }
  return expires;
}

Json::Value ToJson(const ApiKey& key) {
  Json::Value value(Json::objectValue);
  value["id"] = key.id;
  if (!key.description.empty()) value["description"] = key.description;
  value["expires"] = Json::Int64{absl::ToUnixSeconds(key.expires)};
  value["deletes"] =
      Json::Int64{absl::ToUnixSeconds(key.expires + kKeptAfterExpiry)};
  return value;
}

std::string ToRecord(const ApiKey& key) {
  return json::WriteValue(ToJson(key));
}

absl::StatusOr<ApiKey> ApiKeyFromRecord(absl::string_view record) {
  const absl::StatusOr<Json::Value> value = ReadRecord(record);
  if (!value.ok()) return value.status();
  ApiKey key{.id = json::TextMember(*value, "id"),
             .description = json::TextMember(*value, "description")};
  if (key.id.empty() || !(*value)["expires"].isInt64()) return DamagedRecord();
  key.expires = absl::FromUnixSeconds((*value)["expires"].asInt64());
  return key;
}

}  // namespace byoshin::local::appsync
