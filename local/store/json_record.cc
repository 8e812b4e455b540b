#include "local/store/json_record.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"

namespace byoshin::local {

JsonRecord::JsonRecord(absl::string_view text) : value_(Json::objectValue) {
  absl::StatusOr<Json::Value> value = json::ParseValue(text);
  ok_ = value.ok() && value->isObject();
  if (ok_) value_ = *std::move(value);
}

std::string JsonRecord::Text(const char* name) {
  const Json::Value& member = std::as_const(value_)[name];
  if (member.isString()) return member.asString();
  ok_ = false;
  return "";
}

int JsonRecord::Int(const char* name) {
  const Json::Value& member = std::as_const(value_)[name];
  if (member.isInt()) return member.asInt();
  ok_ = false;
  return 0;
}

absl::Time JsonRecord::Time(const char* name) {
  const Json::Value& member = std::as_const(value_)[name];
  if (member.isInt64()) return absl::FromUnixMillis(member.asInt64());
  ok_ = false;
  return absl::UnixEpoch();
}

}  // namespace byoshin::local
