#include "local/cloudformation/properties.h"

#include <json/json.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::local::cloudformation {
namespace {

absl::Status WrongKind(absl::string_view path, absl::string_view wanted,
                       const Json::Value& found) {
  return absl::InvalidArgumentError(absl::StrCat(
      "property ", path, " must be ", wanted, ", not ", json::Describe(found)));
}

}  // namespace

bool IsScalar(const Json::Value& value) {
  return value.isString() || value.isBool() || value.isNumeric();
}

std::string ScalarText(const Json::Value& value) {
  return value.isString() ? value.asString() : json::WriteValue(value);
}

const Json::Value& PropertyAt(const Json::Value& properties,
                              absl::string_view path) {
  const Json::Value* value = &properties;
  for (absl::string_view member : absl::StrSplit(path, '.')) {
    if (!value->isObject()) return Json::Value::nullSingleton();
    value = value->find(member.data(), member.data() + member.size());
    if (value == nullptr) return Json::Value::nullSingleton();
  }
  return *value;
}

absl::StatusOr<std::string> TextProperty(const Json::Value& properties,
                                         absl::string_view path,
                                         absl::string_view otherwise) {
  const Json::Value& value = PropertyAt(properties, path);
  if (value.isNull()) return std::string(otherwise);
  if (!IsScalar(value)) return WrongKind(path, "a text", value);
  return ScalarText(value);
}

absl::StatusOr<int64_t> IntegerProperty(const Json::Value& properties,
                                        absl::string_view path,
                                        int64_t otherwise) {
  const Json::Value& value = PropertyAt(properties, path);
  if (value.isNull()) return otherwise;
  int64_t integer = 0;
  if (value.isInt64()) return value.asInt64();
  if (value.isString() && absl::SimpleAtoi(value.asString(), &integer)) {
    return integer;
  }
  return WrongKind(path, "an integer", value);
}

absl::StatusOr<double> NumberProperty(const Json::Value& properties,
                                      absl::string_view path,
                                      double otherwise) {
  const Json::Value& value = PropertyAt(properties, path);
  if (value.isNull()) return otherwise;
  double number = 0;
  if (value.isNumeric() && !value.isBool()) return value.asDouble();
  if (value.isString() && absl::SimpleAtod(value.asString(), &number) &&
      std::isfinite(number)) {
    return number;
  }
  return WrongKind(path, "a number", value);
}

absl::StatusOr<bool> BoolProperty(const Json::Value& properties,
                                  absl::string_view path, bool otherwise) {
  const Json::Value& value = PropertyAt(properties, path);
  if (value.isNull()) return otherwise;
  if (value.isBool()) return value.asBool();
  if (value.isString() && value.asString() == "true") return true;
  if (value.isString() && value.asString() == "false") return false;
  return WrongKind(path, "true or false", value);
}

absl::StatusOr<std::vector<std::string>> TextsProperty(
    const Json::Value& properties, absl::string_view path) {
  const Json::Value& value = PropertyAt(properties, path);
  std::vector<std::string> texts;
  if (value.isNull()) return texts;
  if (IsScalar(value)) {
    texts.push_back(ScalarText(value));
    return texts;
  }
  if (!value.isArray()) return WrongKind(path, "a list of texts", value);
  for (const Json::Value& element : value) {
    if (!IsScalar(element)) return WrongKind(path, "a list of texts", element);
    texts.push_back(ScalarText(element));
  }
  return texts;
}

}  // namespace byoshin::local::cloudformation
