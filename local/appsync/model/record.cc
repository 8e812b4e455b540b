#include "local/appsync/model/record.h"

#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/value.h"

namespace byoshin::local::appsync {

absl::Status DamagedRecord() {
  return absl::DataLossError("a record of AppSync is damaged");
}

absl::StatusOr<Json::Value> ReadRecord(absl::string_view record) {
  absl::StatusOr<Json::Value> value = json::ParseValue(record);
  if (!value.ok() || !value->isObject()) return DamagedRecord();
  return value;
}

Json::Value TextMapJson(const std::map<std::string, std::string>& map) {
  Json::Value object(Json::objectValue);
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

std::map<std::string, std::string> TextMapFrom(const Json::Value& object) {
  std::map<std::string, std::string> map;
  if (!object.isObject()) return map;
  for (const std::string& name : object.getMemberNames()) {
    if (object[name].isString()) map[name] = object[name].asString();
  }
  return map;
}

Json::Value PickMembers(const Json::Value& object,
                        absl::Span<const char* const> names) {
  Json::Value picked(Json::objectValue);
  for (const char* name : names) {
    if (object.isObject() && object.isMember(name) && !object[name].isNull()) {
      picked[name] = object[name];
    }
  }
  return picked;
}

}  // namespace byoshin::local::appsync
