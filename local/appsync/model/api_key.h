// A key that gives access to an API until it expires.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_API_KEY_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_API_KEY_H_

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::appsync {

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_ApiKey.html
struct ApiKey {
  std::string id{};  // "da2-…", which is the key itself
  std::string description{};
  absl::Time expires = absl::InfinitePast();
};

// When a key expires that is to expire at `wanted`, in seconds since the epoch,
// or after the default time: rounded down to the hour.
// ApiKeyValidityOutOfBoundsException if that is less than a day or more than a
// year from now.
absl::StatusOr<absl::Time> KeyExpiry(std::optional<std::int64_t> wanted,
                                     absl::Time now);

// As the control plane reports it.
Json::Value ToJson(const ApiKey& key);

std::string ToRecord(const ApiKey& key);
absl::StatusOr<ApiKey> ApiKeyFromRecord(absl::string_view record);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_API_KEY_H_
