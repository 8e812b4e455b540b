#include "core/aws/rdsdata/fields.h"

#include <json/json.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/rdsdata/client.h"
#include "core/json/value.h"

namespace byoshin::aws::rdsdata {
namespace {

absl::Status Unreadable(absl::string_view member, const Json::Value& json) {
  return absl::InvalidArgumentError(
      absl::StrCat(member, " is ", json::Describe(json)));
}

// The only member of an object; nullptr if there are none or several.
const Json::Value* OnlyMember(const Json::Value& json, std::string& name) {
  if (!json.isObject() || json.size() != 1) return nullptr;
  const Json::Value::const_iterator member = json.begin();
  name = member.name();
  return &*member;
}

// Numbers that JSON doesn't have are strings.
// https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#shape-serialization
std::optional<double> ReadDouble(const Json::Value& json) {
  if (json.isNumeric()) return json.asDouble();
  if (!json.isString()) return std::nullopt;
  const std::string text = json.asString();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

Json::Value WriteDouble(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

absl::StatusOr<Field> ReadArray(const Json::Value& json);

// The value of a member whose name ends in "Value".
absl::StatusOr<Field> ReadTyped(absl::string_view member,
                                const Json::Value& json) {
  if (member == "stringValue" && json.isString()) return json.asString();
  if (member == "longValue" && json.isInt64()) return Field(json.asInt64());
  if (member == "booleanValue" && json.isBool()) return Field(json.asBool());
  if (member == "doubleValue") {
    if (const std::optional<double> value = ReadDouble(json)) {
      return Field(*value);
    }
  }
  if (member == "blobValue" && json.isString()) {
    Blob blob;
    if (absl::Base64Unescape(json.asString(), &blob.bytes)) {
      return Field(std::move(blob));
    }
  }
  if (member == "arrayValue") return ReadArray(json);
  return Unreadable(member, json);
}

// {"longValues": [1, 2]}: the elements have the type that the name tells.
absl::StatusOr<Field> ReadArray(const Json::Value& json) {
  std::string name;
  const Json::Value* elements = OnlyMember(json, name);
  // An array without elements may have no member.
  if (elements == nullptr && json.isObject() && json.empty()) {
    return Field(Field::Array());
  }
  if (elements == nullptr || !elements->isArray() || name.empty() ||
      name.back() != 's') {
    return Unreadable("arrayValue", json);
  }
  name.pop_back();
  Field::Array array;
  array.reserve(elements->size());
  for (const Json::Value& element : *elements) {
    if (element.isNull()) {
      array.emplace_back();
      continue;
    }
    absl::StatusOr<Field> field = ReadTyped(name, element);
    if (!field.ok()) return field.status();
    array.push_back(*std::move(field));
  }
  return Field(std::move(array));
}

const char* NameOf(TypeHint hint) {
  switch (hint) {
    case TypeHint::kNone:
      return nullptr;
    case TypeHint::kDate:
      return "DATE";
    case TypeHint::kDecimal:
      return "DECIMAL";
    case TypeHint::kJson:
      return "JSON";
    case TypeHint::kTime:
      return "TIME";
    case TypeHint::kTimestamp:
      return "TIMESTAMP";
    case TypeHint::kUuid:
      return "UUID";
  }
  return nullptr;
}

Json::Value WriteField(const Field& field) {
  Json::Value json(Json::objectValue);
  if (const bool* boolean = field.boolean()) {
    json["booleanValue"] = *boolean;
  } else if (const int64_t* integer = field.integer()) {
    json["longValue"] = static_cast<Json::Int64>(*integer);
  } else if (const double* number = field.number()) {
    json["doubleValue"] = WriteDouble(*number);
  } else if (const std::string* text = field.text()) {
    json["stringValue"] = *text;
  } else if (const Blob* blob = field.blob()) {
    json["blobValue"] = absl::Base64Escape(blob->bytes);
  } else {
    json["isNull"] = true;
  }
  return json;
}

}  // namespace

absl::StatusOr<Field> ReadField(const Json::Value& json) {
  std::string name;
  const Json::Value* value = OnlyMember(json, name);
  if (value == nullptr) return Unreadable("a field", json);
  if (name == "isNull" && value->isBool() && value->asBool()) return Field();
  return ReadTyped(name, *value);
}

absl::StatusOr<Json::Value> WriteParameters(
    const std::vector<Parameter>& parameters) {
  Json::Value list(Json::arrayValue);
  for (const Parameter& parameter : parameters) {
    if (parameter.value.array() != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the parameter \"", parameter.name,
          "\" is an array, which the Data API does not accept: pass a text and "
          "cast it in the statement"));
    }
    Json::Value item(Json::objectValue);
    item["name"] = parameter.name;
    item["value"] = WriteField(parameter.value);
    if (const char* hint = NameOf(parameter.hint)) item["typeHint"] = hint;
    list.append(std::move(item));
  }
  return list;
}

}  // namespace byoshin::aws::rdsdata
