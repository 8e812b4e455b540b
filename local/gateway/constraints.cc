#include "local/gateway/constraints.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::local {
namespace {

constexpr std::size_t kMaxConstraintErrors = 10;

std::string Spell(const Json::Value& value) {
  if (value.isString()) return value.asString();
  if (!value.isArray()) return json::WriteValue(value);
  std::vector<std::string> parts;
  for (const Json::Value& element : value) parts.push_back(Spell(element));
  return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
}

}  // namespace

std::string MinValue(std::int64_t min) {
  return absl::StrCat("Member must have value greater than or equal to ", min);
}

std::string MaxValue(std::int64_t max) {
  return absl::StrCat("Member must have value less than or equal to ", max);
}

std::string MinLength(std::int64_t min) {
  return absl::StrCat("Member must have length greater than or equal to ", min);
}

std::string MaxLength(std::int64_t max) {
  return absl::StrCat("Member must have length less than or equal to ", max);
}

std::string MustMatch(absl::string_view pattern) {
  return absl::StrCat("Member must satisfy regular expression pattern: ",
                      pattern);
}

std::string MustBeOneOf(const std::vector<std::string>& values) {
  return absl::StrCat("Member must satisfy enum value set: [",
                      absl::StrJoin(values, ", "), "]");
}

std::string MemberPath(absl::string_view parent, absl::string_view name) {
  std::string lower(name);
  if (!lower.empty()) lower[0] = absl::ascii_tolower(lower[0]);
  return parent.empty() ? lower : absl::StrCat(parent, ".", lower);
}

std::int64_t LengthOf(const Json::Value& value) {
  if (!value.isString()) return value.size();
  const std::string text = value.asString();
  // Every byte of UTF-8 that does not continue a character starts one.
  return std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
}

std::string RangeFault(const Json::Value& number,
                       const ConstraintLimits& limits) {
  if (limits.min && number.asInt64() < *limits.min) {
    return MinValue(*limits.min);
  }
  if (limits.max && number.asInt64() > *limits.max) {
    return MaxValue(*limits.max);
  }
  return "";
}

void ConstraintErrors::Add(absl::string_view path, const Json::Value& value,
                           absl::string_view constraint) {
  const std::string spelled =
      value.isNull() ? "null" : absl::StrCat("'", Spell(value), "'");
  AddWorded(absl::StrCat("Value ", spelled, " at '", path,
                         "' failed to satisfy constraint: ", constraint));
}

void ConstraintErrors::AddWorded(std::string error) {
  if (errors_.size() >= kMaxConstraintErrors) return;
  errors_.push_back(std::move(error));
}

void ConstraintErrors::CheckValue(absl::string_view path,
                                  const Json::Value& number,
                                  const Limits& limits) {
  const std::string fault = RangeFault(number, limits);
  if (!fault.empty()) Add(path, number, fault);
}

void ConstraintErrors::CheckLength(absl::string_view path,
                                   const Json::Value& value,
                                   const Limits& limits) {
  if (!limits.min && !limits.max) return;
  const std::int64_t length = LengthOf(value);
  if (limits.min && length < *limits.min) {
    Add(path, value, MinLength(*limits.min));
  }
  if (limits.max && length > *limits.max) {
    Add(path, value, MaxLength(*limits.max));
  }
}

void ConstraintErrors::CheckOneOf(absl::string_view path,
                                  const Json::Value& text,
                                  const std::vector<std::string>& values) {
  if (std::find(values.begin(), values.end(), text.asString()) ==
      values.end()) {
    Add(path, text, MustBeOneOf(values));
  }
}

std::string ConstraintErrors::Message() const {
  return absl::StrCat(errors_.size(), " validation error",
                      errors_.size() > 1 ? "s" : "",
                      " detected: ", absl::StrJoin(errors_, "; "));
}

}  // namespace byoshin::local
