#include "local/stepfunctions/fields.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/errors.h"

namespace byoshin::local::stepfunctions {
namespace {

const Json::Value& NullValue() {
  static const auto& value = *new Json::Value;
  return value;
}

// AWS counts characters.
std::size_t CharactersIn(absl::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

Fields::Fields(const Call& call) {
  if (call.body.empty() && call.parsed_body == nullptr) return;
  const absl::StatusOr<Json::Value>& parsed = call.JsonBody();
  if (parsed.ok() && parsed->isObject()) {
    object_ = &*parsed;
    return;
  }
  malformed_ = ApiError("SerializationException",
                        parsed.ok() ? "the request is not a JSON object"
                                    : absl::StrCat("the request is not JSON: ",
                                                   parsed.status().message()));
}

bool Fields::Has(absl::string_view name) const {
  if (object_ == nullptr) return false;
  const Json::Value* value =
      object_->find(name.data(), name.data() + name.size());
  return value != nullptr && !value->isNull();
}

const Json::Value* Fields::Find(absl::string_view name,
                                bool (Json::Value::*fits)() const) {
  if (!Has(name)) return nullptr;
  const Json::Value* value =
      object_->find(name.data(), name.data() + name.size());
  if ((value->*fits)()) return value;
  if (malformed_.ok()) {
    malformed_ = ApiError("SerializationException",
                          absl::StrCat("'", name, "' has the wrong type"));
  }
  return nullptr;
}

void Fields::AddMistake(absl::string_view name, absl::string_view value,
                        absl::string_view constraint) {
  mistakes_.push_back(
      absl::StrCat("Value ", value, " at '", name,
                   "' failed to satisfy constraint: ", constraint));
}

void Fields::CheckLength(absl::string_view name, const std::string& text,
                         Length length) {
  const std::string quoted = absl::StrCat("'", text, "'");
  const std::size_t characters = CharactersIn(text);
  if (characters < length.min) {
    AddMistake(name, quoted,
               absl::StrCat("Member must have length greater than or equal to ",
                            length.min));
  }
  if (characters > length.max) {
    AddMistake(name, quoted,
               absl::StrCat("Member must have length less than or equal to ",
                            length.max));
  }
}

std::string Fields::Text(absl::string_view name, Length length) {
  const Json::Value* value = Find(name, &Json::Value::isString);
  if (value == nullptr) return "";
  std::string text = value->asString();
  CheckLength(name, text, length);
  return text;
}

std::string Fields::Required(absl::string_view name, Length length) {
  if (!Has(name)) AddMistake(name, "null", "Member must not be null");
  return Text(name, length);
}

std::string Fields::Choice(absl::string_view name,
                           std::initializer_list<absl::string_view> choices) {
  const Json::Value* value = Find(name, &Json::Value::isString);
  if (value == nullptr) return std::string(*choices.begin());
  std::string text = value->asString();
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    AddMistake(name, absl::StrCat("'", text, "'"),
               absl::StrCat("Member must satisfy enum value set: [",
                            absl::StrJoin(choices, ", "), "]"));
  }
  return text;
}

bool Fields::Flag(absl::string_view name, bool otherwise) {
  const Json::Value* value = Find(name, &Json::Value::isBool);
  return value == nullptr ? otherwise : value->asBool();
}

std::int64_t Fields::Integer(absl::string_view name, const Range& range) {
  const Json::Value* value = Find(name, &Json::Value::isInt64);
  if (value == nullptr) return range.otherwise;
  const std::int64_t number = value->asInt64();
  if (number < range.min) {
    AddMistake(name, absl::StrCat("'", number, "'"),
               absl::StrCat("Member must have value greater than or equal to ",
                            range.min));
  }
  if (number > range.max) {
    AddMistake(name, absl::StrCat("'", number, "'"),
               absl::StrCat("Member must have value less than or equal to ",
                            range.max));
  }
  return number;
}

double Fields::Percentage(absl::string_view name) {
  constexpr double kAll = 100;
  const Json::Value* value = Find(name, &Json::Value::isDouble);
  if (value == nullptr) return 0;
  const double number = value->asDouble();
  if (number < 0 || number > kAll) {
    AddMistake(name, absl::StrCat("'", number, "'"),
               "Member must have a value between 0 and 100");
  }
  return number;
}

const Json::Value& Fields::Object(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isObject);
  return value == nullptr ? NullValue() : *value;
}

const Json::Value& Fields::List(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isArray);
  return value == nullptr ? NullValue() : *value;
}

absl::Status Fields::status() const {
  if (!malformed_.ok() || mistakes_.empty()) return malformed_;
  return ValidationError(absl::StrCat(
      mistakes_.size(), " validation error", mistakes_.size() == 1 ? "" : "s",
      " detected: ", absl::StrJoin(mistakes_, "; ")));
}

}  // namespace byoshin::local::stepfunctions
