// CheckConstraints: the limits that AWS checks of every parameter before it
// looks at what the request means.
#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr size_t kMaxErrors = 10;
constexpr int64_t kMinNameLength = 3;
constexpr int64_t kMaxNameLength = 255;
constexpr absl::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

bool IsName(absl::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
         });
}

// Tables may be named by their ARN wherever they are named.
bool IsTableArn(absl::string_view text) {
  return absl::StartsWith(text, "arn:aws:dynamodb:");
}

std::string LowerFirst(absl::string_view name) {
  std::string lower(name);
  if (!lower.empty()) lower[0] = absl::ascii_tolower(lower[0]);
  return lower;
}

std::string Spell(const Json::Value& value) {
  if (value.isNull()) return "null";
  if (value.isString()) return value.asString();
  if (value.isArray()) {
    std::vector<std::string> parts;
    for (const Json::Value& element : value) parts.push_back(Spell(element));
    return absl::StrCat("[", absl::StrJoin(parts, ", "), "]");
  }
  return json::WriteValue(value);
}

int64_t LengthOf(const Json::Value& value) {
  if (!value.isString()) return value.size();
  const std::string text = value.asString();
  // Characters, not bytes: those that are not continuations.
  return std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  });
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

  const std::vector<std::string>& errors() const { return errors_; }

 private:
  void Check(const Shape& shape, const Json::Value& value,
             const std::string& parent, const std::string& name) {
    if (value.isNull() && !shape.required) return;
    const std::string path =
        absl::StrCat(parent, parent.empty() ? "" : ".", LowerFirst(name));
    if (value.isNull()) {
      Add(value, path, "Member must not be null");
      return;
    }
    CheckScalar(shape, value, path);
    CheckLength(shape, value, path);
    if (shape.kind == Shape::Kind::kMap) CheckMapLimits(shape, value, path);
    CheckChildren(shape, value, path);
  }

  void CheckScalar(const Shape& shape, const Json::Value& value,
                   const std::string& path) {
    if (shape.is_name && !IsName(value.asString()) &&
        !IsTableArn(value.asString())) {
      Add(value, path,
          absl::StrCat("Member must satisfy regular expression pattern: ",
                       kNamePattern));
    }
    if (!shape.one_of.empty() &&
        std::find(shape.one_of.begin(), shape.one_of.end(), value.asString()) ==
            shape.one_of.end()) {
      Add(value, path,
          absl::StrCat("Member must satisfy enum value set: [",
                       absl::StrJoin(shape.one_of, ", "), "]"));
    }
    if (shape.min && value.asInt64() < *shape.min) {
      Add(value, path,
          absl::StrCat("Member must have value greater than or equal to ",
                       *shape.min));
    }
    if (shape.max && value.asInt64() > *shape.max) {
      Add(value, path,
          absl::StrCat("Member must have value less than or equal to ",
                       *shape.max));
    }
  }

  void CheckLength(const Shape& shape, const Json::Value& value,
                   const std::string& path) {
    if (!shape.min_length && !shape.max_length) return;
    const int64_t length = LengthOf(value);
    if (shape.min_length && length < *shape.min_length) {
      Add(value, path,
          absl::StrCat("Member must have length greater than or equal to ",
                       *shape.min_length));
    }
    if (shape.max_length && length > *shape.max_length &&
        !(shape.is_name && IsTableArn(value.asString()))) {
      Add(value, path,
          absl::StrCat("Member must have length less than or equal to ",
                       *shape.max_length));
    }
  }

  // Of a list of texts AWS names the list, not the text.
  void CheckTexts(const Shape& texts, const Json::Value& list,
                  const std::string& path) {
    for (const Json::Value& text : list) {
      const int64_t length = LengthOf(text);
      if (length >= texts.min_length.value_or(0) &&
          length <= texts.max_length.value_or(length)) {
        continue;
      }
      std::vector<std::string> limits;
      if (texts.max_length) {
        limits.push_back(
            absl::StrCat("Member must have length less than or equal to ",
                         *texts.max_length));
      }
      if (texts.min_length) {
        limits.push_back(
            absl::StrCat("Member must have length greater than or equal to ",
                         *texts.min_length));
      }
      Add(list, path,
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
        Add(value, path,
            absl::StrCat(
                "Map keys must satisfy constraint: [Member must have length "
                "less than or equal to ",
                kMaxNameLength,
                ", Member must have length greater than or equal to ",
                kMinNameLength,
                ", Member must satisfy regular expression pattern: ",
                kNamePattern, "]"));
      }
    }
    if (!shape.max_value_length) return;
    for (const Json::Value& element : value) {
      if (!element.empty() && element.size() <= *shape.max_value_length) {
        continue;
      }
      Add(value, path,
          absl::StrCat("Map value must satisfy constraint: [Member must have "
                       "length less than or equal to ",
                       *shape.max_value_length,
                       ", Member must have length greater than or equal to "
                       "1]"));
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

  void Add(const Json::Value& value, absl::string_view path,
           absl::string_view constraint) {
    if (errors_.size() >= kMaxErrors) return;
    const std::string spelled =
        value.isNull() ? "null" : absl::StrCat("'", Spell(value), "'");
    errors_.push_back(
        absl::StrCat("Value ", spelled, " at '", path,
                     "' failed to satisfy constraint: ", constraint));
  }

  std::vector<std::string> errors_;
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
  const std::vector<std::string>& errors = checker.errors();
  if (errors.empty()) return absl::OkStatus();
  return ValidationError(absl::StrCat(
      errors.size(), " validation error", errors.size() > 1 ? "s" : "",
      " detected: ", absl::StrJoin(errors, "; ")));
}

}  // namespace byoshin::local::dynamodb
