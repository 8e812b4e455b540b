#include "local/dynamodb/expressions/context.h"

#include <json/json.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/json.h"

namespace byoshin::local::dynamodb {
namespace {

// #name or :name, where `mark` is the first character.
bool IsPlaceholder(absl::string_view text, char mark) {
  return text.size() > 1 && text[0] == mark &&
         std::all_of(text.begin() + 1, text.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '_';
         });
}

absl::Status InvalidKey(absl::string_view member, absl::string_view key) {
  return ValidationError(absl::StrCat(
      member, " contains invalid key: Syntax error; key: \"", key, "\""));
}

absl::Status CheckIsMapOf(const Json::Value& json, absl::string_view type) {
  if (json.isObject()) return absl::OkStatus();
  if (json.isArray()) {
    return SerializationError(absl::StrCat(
        "Unrecognized collection type java.util.Map<java.lang.String, ", type,
        ">"));
  }
  return SerializationError("Unexpected field type");
}

// The name that one member of ExpressionAttributeNames has.
absl::StatusOr<std::string> ReadName(const Json::Value& json) {
  if (json.isString()) return json.asString();
  if (json.isArray()) {
    return SerializationError(
        "Unrecognized collection type class java.lang.String");
  }
  if (json.isObject()) {
    return SerializationError(
        "Start of structure or map found where not expected");
  }
  const absl::string_view token =
      json.isBool()       ? json.asBool() ? "TRUE_VALUE" : "FALSE_VALUE"
      : json.isIntegral() ? "NUMBER_VALUE"
                          : "DECIMAL_VALUE";
  return SerializationError(
      absl::StrCat(token, " cannot be converted to String"));
}

template <typename Map>
absl::Status CheckUsed(const Map& map, absl::string_view member) {
  std::vector<absl::string_view> unused;
  for (const auto& [key, entry] : map) {
    if (!entry.used) unused.push_back(key);
  }
  if (unused.empty()) return absl::OkStatus();
  return ValidationError(absl::StrCat("Value provided in ", member,
                                      " unused in expressions: keys: {",
                                      absl::StrJoin(unused, ", "), "}"));
}

}  // namespace

absl::StatusOr<ExpressionContext> ExpressionContext::Create(
    const ExpressionMembers& members) {
  ExpressionContext context;
  if (members.names != nullptr && !members.names->isNull()) {
    if (absl::Status status = context.ReadNames(*members.names); !status.ok()) {
      return status;
    }
  }
  if (members.values != nullptr && !members.values->isNull()) {
    if (absl::Status status =
            context.ReadValues(*members.values, members.wording);
        !status.ok()) {
      return status;
    }
  }
  return context;
}

absl::Status ExpressionContext::ReadNames(const Json::Value& json) {
  if (absl::Status status = CheckIsMapOf(json, "java.lang.String");
      !status.ok()) {
    return status;
  }
  if (json.empty()) {
    return ValidationError("ExpressionAttributeNames must not be empty");
  }
  for (auto member = json.begin(); member != json.end(); ++member) {
    absl::StatusOr<std::string> name = ReadName(*member);
    if (!name.ok()) return name.status();
    names_[member.name()] = {.name = *std::move(name)};
  }
  for (const auto& [key, name] : names_) {
    if (!IsPlaceholder(key, '#')) {
      return InvalidKey("ExpressionAttributeNames", key);
    }
    if (name.name.empty()) {
      return ValidationError(absl::StrCat(
          "ExpressionAttributeNames contains invalid value: Empty attribute "
          "name for key ",
          key));
    }
    if (absl::Status status = CheckAttributeName(name.name); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status ExpressionContext::ReadValues(const Json::Value& json,
                                           ValueWording wording) {
  if (absl::Status status =
          CheckIsMapOf(json, "com.amazonaws.dynamodb.v20120810.AttributeValue");
      !status.ok()) {
    return status;
  }
  if (json.empty()) {
    return ValidationError("ExpressionAttributeValues must not be empty");
  }
  for (auto member = json.begin(); member != json.end(); ++member) {
    if (!IsPlaceholder(member.name(), ':')) {
      return InvalidKey("ExpressionAttributeValues", member.name());
    }
  }
  absl::Status invalid;
  for (auto member = json.begin(); member != json.end(); ++member) {
    absl::StatusOr<AttributeValue> value =
        AttributeValueFromJson(*member, wording);
    if (value.ok()) {
      values_[member.name()] = {
          .value = std::make_shared<const AttributeValue>(*std::move(value))};
    } else if (IsSerializationError(value.status())) {
      return value.status();
    } else if (invalid.ok()) {
      invalid = wording == ValueWording::kNewer
                    ? value.status()
                    : ValidationError(absl::StrCat(
                          "ExpressionAttributeValues contains invalid value: ",
                          ErrorMessageOf(value.status()), " for key ",
                          member.name()));
    }
  }
  return invalid;
}

const std::string* ExpressionContext::FindName(absl::string_view placeholder) {
  const auto found = names_.find(placeholder);
  if (found == names_.end()) return nullptr;
  found->second.used = true;
  return &found->second.name;
}

std::shared_ptr<const AttributeValue> ExpressionContext::FindValue(
    absl::string_view placeholder) {
  const auto found = values_.find(placeholder);
  if (found == values_.end()) return nullptr;
  found->second.used = true;
  return found->second.value;
}

absl::Status ExpressionContext::CheckAllUsed() const {
  if (absl::Status status = CheckUsed(names_, "ExpressionAttributeNames");
      !status.ok()) {
    return status;
  }
  return CheckUsed(values_, "ExpressionAttributeValues");
}

}  // namespace byoshin::local::dynamodb
