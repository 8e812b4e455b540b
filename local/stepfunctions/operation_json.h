// What several operations read and answer in the same way.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATION_JSON_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATION_JSON_H_

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {

// Times are answered as seconds since 1970, with milliseconds.
Json::Value TimeJson(absl::Time time);
Json::Value TimeJson(std::int64_t microseconds);

Place PlaceOf(const Call& call);

// An error if an input or output is too long. The limit is in bytes; the
// model's is in characters.
absl::Status CheckDataSize(absl::string_view name, absl::string_view data);

// maxResults and nextToken.
struct PageFields {
  std::size_t limit = 0;
  std::string token{};
};
PageFields ReadPage(JsonFields& fields);

// The page of `keys`, which are sorted, that the request asks for, under
// `name`; `entry` makes the JSON of the key at an index. InvalidToken if the
// token is invalid.
enum class KeyOrder { kAscending, kDescending };
absl::StatusOr<Json::Value> PageAnswer(
    absl::string_view name, const std::vector<std::string>& keys,
    KeyOrder order, const PageFields& page,
    const std::function<Json::Value(std::size_t index)>& entry);

// The member `tags`; TooManyTags, ValidationException.
absl::StatusOr<std::map<std::string, std::string>> ReadTags(JsonFields& fields);

// The member `loggingConfiguration`; InvalidLoggingConfiguration.
absl::StatusOr<kept::Logging> ReadLogging(JsonFields& fields);
Json::Value LoggingJson(const kept::Logging& logging);
// The member `encryptionConfiguration` as JSON text; empty for the default.
absl::StatusOr<std::string> ReadEncryption(JsonFields& fields);
// Adds the member, if the configuration is not the default.
void AddEncryption(const std::string& encryption, Json::Value& answer);

absl::string_view TypeName(kept::Type type);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATION_JSON_H_
