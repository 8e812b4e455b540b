// CheckConstraints: the limits that AWS checks for every parameter before it
// interprets the request.
#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"
#include "local/gateway/constraints.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int64_t kMinNameLength = 3;
constexpr int64_t kMaxNameLength = 255;
constexpr absl::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

bool IsName(absl::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

// A table's ARN is accepted wherever its name is.
bool IsTableArn(absl::string_view text) {
  return absl::StartsWith(text, "arn:aws:dynamodb:");
}

// Collects errors in the order in which AWS lists them.
class Checker {
 public:
  void CheckFields(const Shape& shape, const Json::Value& value,
                   const std::string& parent) {
    for (const auto& [name, field] : shape.fields) {
      Check(field, value[name], parent, name);
    }
  }

  const ConstraintErrors& errors() const { return errors_; }

 private:
  void Check(const Shape& shape, const Json::Value& value,
             const std::string& parent, const std::string& name) {
    if (value.isNull() && !shape.required) return;
    const std::string path = MemberPath(parent, name);
    if (value.isNull()) {
      errors_.Add(path, value, kMustNotBeNull);
      return;
    }
    CheckScalar(shape, value, path);
    if (shape.kind == Shape::Kind::kMap) CheckMapLimits(shape, value, path);
    CheckChildren(shape, value, path);
  }

  void CheckScalar(const Shape& shape, const Json::Value& value,
                   const std::string& path) {
    if (shape.is_name && !IsName(value.asString()) &&
        !IsTableArn(value.asString())) {
      errors_.Add(path, value, MustMatch(kNamePattern));
    }
    if (!shape.one_of.empty()) errors_.CheckOneOf(path, value, shape.one_of);
    errors_.CheckValue(path, value, {.min = shape.min, .max = shape.max});
    const bool is_arn = shape.is_name && IsTableArn(value.asString());
    errors_.CheckLength(
        path, value,
        {.min = shape.min_length,
         .max = is_arn ? std::optional<int64_t>() : shape.max_length});
  }

  // For a list of texts, AWS names the list, not the text.
  void CheckTexts(const Shape& texts, const Json::Value& list,
                  const std::string& path) {
    for (const Json::Value& text : list) {
      const int64_t length = LengthOf(text);
      if (length >= texts.min_length.value_or(0) &&
          length <= texts.max_length.value_or(length)) {
        continue;
      }
      std::vector<std::string> limits;
      if (texts.max_length) limits.push_back(MaxLength(*texts.max_length));
      if (texts.min_length) limits.push_back(MinLength(*texts.min_length));
      errors_.Add(path, list,
                  absl::StrCat("Member must satisfy constraint: [",
                               absl::StrJoin(limits, ", "), "]"));
      return;
    }
  }

  void CheckMapLimits(const Shape& shape, const Json::Value& value,
                      const std::string& path) {
    if (shape.keys_are_names) {
      for (const std::string& key : value.getMemberNames()) {
        if (IsTableArn(key) ||
            (IsName(key) &&
             static_cast<int64_t>(key.size()) >= kMinNameLength &&
             static_cast<int64_t>(key.size()) <= kMaxNameLength)) {
          continue;
        }
        errors_.Add(path, value,
                    absl::StrCat("Map keys must satisfy constraint: [",
                                 MaxLength(kMaxNameLength), ", ",
                                 MinLength(kMinNameLength), ", ",
                                 MustMatch(kNamePattern), "]"));
      }
    }
    if (!shape.max_value_length) return;
    for (const Json::Value& element : value) {
      if (!element.empty() && element.size() <= *shape.max_value_length) {
        continue;
      }
      errors_.Add(path, value,
                  absl::StrCat("Map value must satisfy constraint: [",
                               MaxLength(*shape.max_value_length), ", ",
                               MinLength(1), "]"));
    }
  }

  void CheckChildren(const Shape& shape, const Json::Value& value,
                     const std::string& path) {
    if (shape.kind == Shape::Kind::kStruct) {
      CheckFields(shape, value, path);
    } else if (shape.kind == Shape::Kind::kList &&
               shape.element->kind == Shape::Kind::kString) {
      CheckTexts(*shape.element, value, path);
    } else if (shape.kind == Shape::Kind::kList) {
      for (Json::ArrayIndex i = 0; i < value.size(); ++i) {
        Check(*shape.element, value[i], absl::StrCat(path, ".", i + 1),
              "member");
      }
    } else if (shape.kind == Shape::Kind::kMap && NeedsLook(*shape.element)) {
      for (const std::string& key : value.getMemberNames()) {
        Check(*shape.element, value[key], absl::StrCat(path, ".", key),
              "member");
      }
    }
  }

  // The attributes of items have no limits of this kind, and there are many.
  static bool NeedsLook(const Shape& shape) {
    return shape.kind != Shape::Kind::kAttributeValue &&
           shape.kind != Shape::Kind::kString;
  }

  ConstraintErrors errors_;
};

absl::Status CheckTableParameters(const Shape& shape,
                                  const Json::Value& request) {
  for (const auto& [name, field] : shape.fields) {
    if (!field.is_table_parameter) continue;
    const Json::Value& value = request[name];
    if (value.isNull()) {
      return ValidationError(
          absl::StrCat("The parameter '", name,
                       "' is required but was not present in the request"));
    }
    const int64_t length = LengthOf(value);
    if ((length < kMinNameLength || length > kMaxNameLength) &&
        !IsTableArn(value.asString())) {
      return ValidationError(absl::StrCat(
          name, " must be at least ", kMinNameLength,
          " characters long and at most ", kMaxNameLength, " characters long"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckConstraints(const Shape& shape, const Json::Value& request) {
  if (absl::Status status = CheckTableParameters(shape, request);
      !status.ok()) {
    return status;
  }
  Checker checker;
  checker.CheckFields(shape, request, "");
  if (checker.errors().empty()) return absl::OkStatus();
  return ValidationError(checker.errors().Message());
}

}  // namespace byoshin::local::dynamodb
