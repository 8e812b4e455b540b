#include "local/gateway/json_api.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/gateway/error.h"

namespace byoshin::local {
namespace {

absl::Status SerializationError(absl::string_view message) {
  return ServiceError(
      {.code = "SerializationException", .message = std::string(message)});
}

}  // namespace

Answer Json11Answer(const absl::StatusOr<Json::Value>& result) {
  if (result.ok()) {
    return {.content_type = kJson11ContentType,
            .body = json::WriteValue(*result)};
  }
  Answer answer = JsonErrorAnswer(result.status(), "");
  answer.content_type = kJson11ContentType;
  return answer;
}

absl::Status UnknownJsonOperation(absl::string_view service,
                                  absl::string_view operation) {
  return ServiceError(
      {.code = "UnknownOperationException",
       .message = absl::StrCat("the local ", service, " does not offer ",
                               json::Excerpt(operation))});
}

JsonFields::JsonFields(const Call& call, absl::string_view invalid_code)
    : invalid_code_(invalid_code) {
  if (call.body.empty()) return;
  const absl::StatusOr<Json::Value>& parsed = call.JsonBody();
  if (!parsed.ok() || !parsed->isObject()) {
    status_ = SerializationError(parsed.ok()
                                     ? "the request is not a JSON object"
                                     : absl::StrCat("the request is not JSON: ",
                                                    parsed.status().message()));
    return;
  }
  object_ = *parsed;
}

const Json::Value* JsonFields::Find(absl::string_view name,
                                    bool (Json::Value::*fits)() const) {
  const Json::Value* value =
      object_.find(name.data(), name.data() + name.size());
  if (value == nullptr || value->isNull()) return nullptr;
  if ((value->*fits)()) return value;
  if (status_.ok()) {
    status_ = SerializationError(
        absl::StrCat(name, " is of the wrong type: ", json::Describe(*value)));
  }
  return nullptr;
}

std::string JsonFields::Text(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isString);
  return value == nullptr ? "" : value->asString();
}

std::string JsonFields::Required(absl::string_view name) {
  std::string text = Text(name);
  if (text.empty()) {
    Fail(absl::StrCat("1 validation error detected: Value null at '", name,
                      "' failed to satisfy constraint: Member must not be "
                      "null"));
  }
  return text;
}

std::vector<std::string> JsonFields::Texts(absl::string_view name) {
  std::vector<std::string> texts;
  const Json::Value* list = Find(name, &Json::Value::isArray);
  if (list == nullptr) return texts;
  for (const Json::Value& item : *list) {
    if (item.isString()) {
      texts.push_back(item.asString());
    } else if (status_.ok()) {
      status_ = SerializationError(
          absl::StrCat(name, " has something that is no text"));
    }
  }
  return texts;
}

bool JsonFields::Flag(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isBool);
  return value != nullptr && value->asBool();
}

std::int64_t JsonFields::Integer(absl::string_view name, const Range& range) {
  const Json::Value* value = Find(name, &Json::Value::isInt64);
  if (value == nullptr) return range.otherwise;
  const std::int64_t number = value->asInt64();
  if (number >= range.min && number <= range.max) return number;
  const bool small = number < range.min;
  Fail(absl::StrCat("1 validation error detected: Value '", number, "' at '",
                    name,
                    "' failed to satisfy constraint: Member must have value ",
                    small ? "greater" : "less", " than or equal to ",
                    small ? range.min : range.max));
  return range.otherwise;
}

std::optional<std::int64_t> JsonFields::Time(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isInt64);
  if (value == nullptr) return std::nullopt;
  return value->asInt64();
}

void JsonFields::Fail(absl::string_view message) {
  if (!status_.ok()) return;
  status_ =
      ServiceError({.code = invalid_code_, .message = std::string(message)});
}

}  // namespace byoshin::local
