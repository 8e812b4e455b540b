// What the records of all kinds of resources share: JSON in the store.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_RECORD_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_RECORD_H_

#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace byoshin::local::appsync {

absl::Status DamagedRecord();
// DataLoss unless it is a JSON object.
absl::StatusOr<Json::Value> ReadRecord(absl::string_view record);

Json::Value TextMapJson(const std::map<std::string, std::string>& map);
// Members that are not texts are left out.
std::map<std::string, std::string> TextMapFrom(const Json::Value& object);

// An object of those members of `object` that are present and not null.
Json::Value PickMembers(const Json::Value& object,
                        absl::Span<const char* const> names);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_RECORD_H_
