// CheckConstraints: the limits that AWS checks for every parameter before it
// interprets the request.
#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

// Or empty: that is an error of its length.
bool IsName(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
  });
}

// A table's ARN is accepted wherever its name is.
bool IsTableArn(absl::string_view text) {
  return absl::StartsWith(text, "arn:aws:dynamodb:");
}

bool HasAllRequired(const Shape& shape, const Json::Value& request) {
  return std::all_of(
      shape.fields.begin(), shape.fields.end(), [&](const auto& field) {
        return !field.second.required || !request[field.first].isNull();
      });
}

// Where a parameter is. The text is made for errors only.
struct Path {
  const Path* parent = nullptr;
  absl::string_view name{};
  bool is_key = false;  // of a map, or a list's index: its case is kept

  // "requestItems.orders.member.keys"
  std::string Full() const {
    if (parent == nullptr) return "";
    return is_key ? absl::StrCat(parent->Full(), ".", name)
                  : MemberPath(parent->Full(), name);
  }

  // "RequestItems.orders.member.Keys", as brief errors have it.
  std::string Brief() const {
    if (parent == nullptr) return "";
    const std::string before = parent->Brief();
    return absl::StrCat(before, before.empty() ? "" : ".", name);
  }
};

// Collects errors in the order in which AWS lists them.
class Checker {
 public:
  Checker(const Shape& shape, const Json::Value& request)
      : may_be_brief_(HasAllRequired(shape, request)) {
    CheckFields(shape, request, {});
  }

  const ConstraintErrors& errors() const {
    return alone_.empty() ? errors_ : alone_;
  }

 private:
  void CheckFields(const Shape& shape, const Json::Value& value,
                   const Path& parent) {
    for (const auto& [name, field] : shape.fields) {
      Check(field, value[name], {.parent = &parent, .name = name});
    }
  }

  void Check(const Shape& shape, const Json::Value& value, const Path& path) {
    if (value.isNull()) {
      if (shape.required) errors_.Add(path.Full(), value, kMustNotBeNull);
      return;
    }
    CheckScalar(shape, value, path);
    if (shape.kind == Shape::Kind::kMap) CheckMapLimits(shape, value, path);
    CheckChildren(shape, value, path);
  }

  void CheckScalar(const Shape& shape, const Json::Value& value,
                   const Path& path) {
    if (shape.is_name && !IsName(value.asString()) &&
        !IsTableArn(value.asString())) {
      errors_.Add(path.Full(), value, MustMatch(kNamePattern));
    }
    CheckOneOf(shape, value, path);
    CheckRange(shape, value, path);
    CheckLength(shape, value, path);
  }

  bool IsBrief(const Shape& shape) const {
    return may_be_brief_ && shape.wording != Shape::Wording::kFull;
  }

  static std::string BriefError(const Path& path,
                                absl::string_view constraint) {
    return absl::StrCat("Value at '", path.Brief(),
                        "' failed to satisfy constraint: ", constraint);
  }

  void AddBrief(const Shape& shape, std::string error) {
    const bool alone = shape.wording == Shape::Wording::kBriefAndAlone;
    // The first of those that are to be alone.
    if (alone && !alone_.empty()) return;
    (alone ? alone_ : errors_).AddWorded(std::move(error));
  }

  void CheckOneOf(const Shape& shape, const Json::Value& value,
                  const Path& path) {
    const std::vector<std::string>& values = shape.one_of;
    if (values.empty() || std::find(values.begin(), values.end(),
                                    value.asString()) != values.end()) {
      return;
    }
    if (IsBrief(shape)) {
      AddBrief(shape, absl::StrCat("Failed to satisfy constraint: ",
                                   MustBeOneOf(shape.brief_one_of)));
    } else {
      errors_.Add(path.Full(), value, MustBeOneOf(values));
    }
  }

  void CheckRange(const Shape& shape, const Json::Value& value,
                  const Path& path) {
    if (!shape.min && !shape.max) return;
    const ConstraintErrors::Limits limits = {.min = shape.min,
                                             .max = shape.max};
    if (!IsBrief(shape)) {
      return errors_.CheckValue(path.Full(), value, limits);
    }
    const std::string constraint = RangeFault(value, limits);
    if (!constraint.empty()) AddBrief(shape, BriefError(path, constraint));
  }

  void CheckLength(const Shape& shape, const Json::Value& value,
                   const Path& path) {
    if (!shape.min_length && !shape.max_length) return;
    const int64_t length = LengthOf(value);
    const bool is_arn = shape.is_name && IsTableArn(value.asString());
    const bool is_short = length < shape.min_length.value_or(0);
    const bool is_long =
        shape.max_length && length > *shape.max_length && !is_arn;
    if (!is_short && !is_long) return;
    const std::string constraint =
        is_short ? MinLength(*shape.min_length) : MaxLength(*shape.max_length);
    // A name that is too long is repeated in any case.
    if (IsBrief(shape) && !(is_long && shape.is_name)) {
      AddBrief(shape, BriefError(path, constraint));
    } else {
      errors_.Add(path.Full(), value, constraint);
    }
  }

  // For a list of texts, AWS names the list, not the text.
  void CheckTexts(const Shape& texts, const Json::Value& list,
                  const Path& path) {
    for (const Json::Value& text : list) {
      const int64_t length = LengthOf(text);
      if (length >= texts.min_length.value_or(0) &&
          length <= texts.max_length.value_or(length)) {
        continue;
      }
      std::vector<std::string> limits;
      if (texts.max_length) limits.push_back(MaxLength(*texts.max_length));
      if (texts.min_length) limits.push_back(MinLength(*texts.min_length));
      errors_.Add(path.Full(), list,
                  absl::StrCat("Member must satisfy constraint: [",
                               absl::StrJoin(limits, ", "), "]"));
      return;
    }
  }

  void CheckMapLimits(const Shape& shape, const Json::Value& value,
                      const Path& path) {
    // AWS does not look at the keys if something before them is wrong.
    if (shape.keys_are_names && errors_.empty()) {
      for (const std::string& key : value.getMemberNames()) {
        if (IsTableArn(key) ||
            (IsName(key) &&
             static_cast<int64_t>(key.size()) >= kMinNameLength &&
             static_cast<int64_t>(key.size()) <= kMaxNameLength)) {
          continue;
        }
        errors_.Add(path.Full(), value,
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
      errors_.Add(path.Full(), value,
                  absl::StrCat("Map value must satisfy constraint: [",
                               MaxLength(*shape.max_value_length), ", ",
                               MinLength(1), "]"));
    }
  }

  void CheckChildren(const Shape& shape, const Json::Value& value,
                     const Path& path) {
    if (shape.kind == Shape::Kind::kStruct) {
      CheckFields(shape, value, path);
    } else if (shape.kind == Shape::Kind::kList &&
               shape.element->kind == Shape::Kind::kString) {
      CheckTexts(*shape.element, value, path);
    } else if (shape.kind == Shape::Kind::kList) {
      for (Json::ArrayIndex i = 0; i < value.size(); ++i) {
        CheckElement(shape, value[i], path, absl::StrCat(i + 1));
      }
    } else if (shape.kind == Shape::Kind::kMap && NeedsLook(*shape.element)) {
      for (const std::string& key : value.getMemberNames()) {
        CheckElement(shape, value[key], path, key);
      }
    }
  }

  void CheckElement(const Shape& shape, const Json::Value& element,
                    const Path& path, absl::string_view key) {
    const Path of_key = {.parent = &path, .name = key, .is_key = true};
    Check(*shape.element, element, {.parent = &of_key, .name = "member"});
  }

  // The attributes of items have no limits of this kind, and there are many.
  static bool NeedsLook(const Shape& shape) {
    return shape.kind != Shape::Kind::kAttributeValue &&
           shape.kind != Shape::Kind::kString;
  }

  const bool may_be_brief_;
  ConstraintErrors errors_;
  ConstraintErrors alone_;
};

absl::Status CheckTableParameters(const Shape& shape,
                                  const Json::Value& request) {
  for (const auto& [name, field] : shape.fields) {
    if (!field.is_table_parameter) continue;
    if (request[name].isNull()) {
      return ValidationError(
          absl::StrCat("The parameter '", name,
                       "' is required but was not present in the request"));
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
  const Checker checker(shape, request);
  if (checker.errors().empty()) return absl::OkStatus();
  return ValidationError(checker.errors().Message());
}

}  // namespace byoshin::local::dynamodb
