#include "core/mesh/arguments.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {

Arguments::Arguments(const Json::Value& json, std::string place)
    : json_(json), place_(std::move(place)) {
  if (!json.isObject()) {
    status_ = absl::InvalidArgumentError(
        absl::StrCat(place_, " is ", json::Describe(json),
                     "; expected an object, as in an event of AppSync"));
  }
}

const Json::Value& Arguments::Member(const char* name) const {
  return json_.isObject() ? json_[name] : Json::Value::nullSingleton();
}

void Arguments::Refuse(const char* name, absl::string_view expected) {
  status_.Update(absl::InvalidArgumentError(
      absl::StrCat(place_, ".", name, " is ", json::Describe(Member(name)),
                   "; expected ", expected)));
}

std::string Arguments::Text(const char* name) {
  const Json::Value& value = Member(name);
  if (value.isString()) return value.asString();
  Refuse(name, "text");
  return "";
}

std::optional<std::string> Arguments::OptionalText(const char* name) {
  if (Member(name).isNull()) return std::nullopt;
  return Text(name);
}

std::optional<int64_t> Arguments::OptionalInteger(const char* name) {
  const Json::Value& value = Member(name);
  if (value.isNull()) return std::nullopt;
  if (value.isInt64()) return value.asInt64();
  Refuse(name, "an integer");
  return std::nullopt;
}

std::vector<Json::Value> Arguments::Objects(const char* name) {
  const Json::Value& value = Member(name);
  if (!value.isArray()) {
    Refuse(name, "a list");
    return {};
  }
  return {value.begin(), value.end()};
}

GroupKey Arguments::Group() {
  return {.group_id = Text(kGroupIdAttribute),
          .domain = Text(kDomainAttribute)};
}

}  // namespace byoshin::mesh
