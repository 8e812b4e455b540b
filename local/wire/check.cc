#include "local/wire/check.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/value.h"
#include "local/gateway/constraints.h"
#include "local/wire/model.h"
#include "local/wire/model_data.h"
#include "local/wire/pattern.h"

namespace byoshin::local::wire {
namespace {

bool IsSimple(const Shape& shape) {
  return shape.type() != ShapeType::kStructure &&
         shape.type() != ShapeType::kList && shape.type() != ShapeType::kMap;
}

// Whether messages leave the value out. What is in structures is not spelled,
// since some of it may be sensitive.
bool HidesValue(const Shape& shape) {
  if (shape.is_sensitive()) return true;
  switch (shape.type()) {
    case ShapeType::kStructure:
      return true;
    case ShapeType::kMap:
    case ShapeType::kList:
      return !IsSimple(shape.element()) || shape.element().is_sensitive();
    default:
      return false;
  }
}

bool HasType(const Shape& shape, const Json::Value& value) {
  switch (shape.type()) {
    case ShapeType::kStructure:
      return shape.is_document() || value.isObject();
    case ShapeType::kMap:
      return value.isObject();
    case ShapeType::kList:
      return value.isArray();
    case ShapeType::kText:
    case ShapeType::kBlob:
      return value.isString();
    case ShapeType::kBoolean:
      return value.isBool();
    case ShapeType::kInteger:
      return value.isInt();
    case ShapeType::kLong:
      return value.isInt64();
    case ShapeType::kDouble:
    case ShapeType::kTimestamp:
      return value.isNumeric();
  }
  return false;
}

absl::string_view NameOf(ShapeType type) {
  switch (type) {
    case ShapeType::kStructure:
      return "an object";
    case ShapeType::kMap:
      return "a map";
    case ShapeType::kList:
      return "a list";
    case ShapeType::kText:
      return "a string";
    case ShapeType::kBlob:
      return "a string in Base64";
    case ShapeType::kBoolean:
      return "a boolean";
    case ShapeType::kInteger:
    case ShapeType::kLong:
      return "an integer";
    case ShapeType::kDouble:
    case ShapeType::kTimestamp:
      return "a number";
  }
  return "";
}

// The constraints of the shape itself that `value` breaks, in AWS's words.
std::vector<std::string> BrokenBy(const Shape& shape, const Json::Value& value,
                                  std::int64_t length) {
  std::vector<std::string> broken;
  const bool is_number =
      shape.type() == ShapeType::kInteger || shape.type() == ShapeType::kLong;
  if (is_number) {
    std::string fault =
        RangeFault(value, {.min = shape.min(), .max = shape.max()});
    if (!fault.empty()) broken.push_back(std::move(fault));
    return broken;
  }
  if (shape.type() == ShapeType::kDouble) {
    if (shape.min() && value.asDouble() < static_cast<double>(*shape.min())) {
      broken.push_back(MinValue(*shape.min()));
    }
    if (shape.max() && value.asDouble() > static_cast<double>(*shape.max())) {
      broken.push_back(MaxValue(*shape.max()));
    }
    return broken;
  }
  if (shape.min() && length < *shape.min()) {
    broken.push_back(MinLength(*shape.min()));
  }
  if (shape.max() && length > *shape.max()) {
    broken.push_back(MaxLength(*shape.max()));
  }
  if (shape.type() != ShapeType::kText) return broken;
  const std::string text = value.asString();
  if (!shape.pattern().empty() && !MatchesPattern(shape.pattern(), text)) {
    broken.push_back(MustMatch(shape.pattern()));
  }
  std::vector<std::string> values;
  for (const absl::string_view one : shape.values()) {
    if (one == text) return broken;
    values.emplace_back(one);
  }
  if (!values.empty()) broken.push_back(MustBeOneOf(values));
  return broken;
}

// All constraints of a shape, as AWS lists them for the elements of a list.
std::string AllOf(const Shape& shape) {
  std::vector<std::string> all;
  const bool is_number = shape.type() == ShapeType::kInteger ||
                         shape.type() == ShapeType::kLong ||
                         shape.type() == ShapeType::kDouble;
  if (shape.max()) {
    all.push_back(is_number ? MaxValue(*shape.max()) : MaxLength(*shape.max()));
  }
  if (shape.min()) {
    all.push_back(is_number ? MinValue(*shape.min()) : MinLength(*shape.min()));
  }
  if (!shape.pattern().empty()) all.push_back(MustMatch(shape.pattern()));
  std::vector<std::string> values;
  for (const absl::string_view one : shape.values()) values.emplace_back(one);
  if (!values.empty()) all.push_back(MustBeOneOf(values));
  return absl::StrCat("[", absl::StrJoin(all, ", "), "]");
}

// For a single use.
class Checker {
 public:
  explicit Checker(absl::Span<const absl::string_view> exempt)
      : exempt_(exempt) {}

  RequestFaults Check(const Shape& input, const Json::Value& request) {
    CheckMembers(input, request, "");
    return std::move(faults_);
  }

 private:
  bool IsExempt(absl::string_view name) const {
    return std::find(exempt_.begin(), exempt_.end(), name) != exempt_.end();
  }

  void FailMalformed(absl::string_view name, const Shape& shape,
                     const Json::Value& value) {
    if (!faults_.malformed.empty()) return;
    faults_.malformed =
        absl::StrCat(name, " must be ", NameOf(shape.type()),
                     in_sensitive_ || shape.is_sensitive()
                         ? ""
                         : absl::StrCat(", not ", json::Describe(value)),
                     ".");
  }

  // False, with an error, if the value is not of the shape's type.
  bool CheckType(absl::string_view name, const Shape& shape,
                 const Json::Value& value, std::int64_t& length) {
    if (!HasType(shape, value)) {
      FailMalformed(name, shape, value);
      return false;
    }
    length = LengthOf(value);
    if (shape.type() != ShapeType::kBlob) return true;
    std::string bytes;
    if (!absl::Base64Unescape(value.asString(), &bytes)) {
      FailMalformed(name, shape, value);
      return false;
    }
    length = static_cast<std::int64_t>(bytes.size());
    return true;
  }

  void CheckMembers(const Shape& structure, const Json::Value& object,
                    absl::string_view path) {
    for (const Shape::Member member : structure.members()) {
      const absl::string_view name = member.name();
      const Json::Value* value =
          object.find(name.data(), name.data() + name.size());
      const std::string member_path = MemberPath(path, name);
      if (value == nullptr || value->isNull()) {
        if (!member.is_required()) continue;
        faults_.constraints.Add(member_path, Json::Value(), kMustNotBeNull);
      } else if (path.empty() && IsExempt(name)) {
        std::int64_t length = 0;
        CheckType(name, member.shape(), *value, length);
      } else {
        CheckValue(name, member.shape(), *value, member_path);
      }
    }
  }

  void CheckValue(absl::string_view name, const Shape& shape,
                  const Json::Value& value, const std::string& path) {
    const bool was_in_sensitive = in_sensitive_;
    in_sensitive_ = in_sensitive_ || shape.is_sensitive();
    CheckWhole(name, shape, value, path);
    in_sensitive_ = was_in_sensitive;
  }

  void CheckWhole(absl::string_view name, const Shape& shape,
                  const Json::Value& value, const std::string& path) {
    std::int64_t length = 0;
    if (!CheckType(name, shape, value, length)) return;
    for (const std::string& broken : BrokenBy(shape, value, length)) {
      Add(shape, path, value, broken);
    }
    if (shape.type() == ShapeType::kStructure) {
      if (!shape.is_document()) CheckMembers(shape, value, path);
    } else if (shape.type() == ShapeType::kList) {
      CheckList(name, shape, value, path);
    } else if (shape.type() == ShapeType::kMap) {
      CheckMap(name, shape, value, path);
    }
  }

  void Add(const Shape& shape, const std::string& path,
           const Json::Value& value, absl::string_view constraint) {
    if (in_sensitive_ || HidesValue(shape)) {
      faults_.constraints.AddWorded(absl::StrCat(
          "Value at '", path, "' failed to satisfy constraint: ", constraint));
    } else {
      faults_.constraints.Add(path, value, constraint);
    }
  }

  // Whether a simple element is of its type and within its limits. An element
  // of another type is malformed.
  bool IsWithinLimits(absl::string_view name, const Shape& shape,
                      const Json::Value& element) {
    std::int64_t length = 0;
    return !CheckType(name, shape, element, length) ||
           BrokenBy(shape, element, length).empty();
  }

  void CheckList(absl::string_view name, const Shape& shape,
                 const Json::Value& list, const std::string& path) {
    const Shape element = shape.element();
    // For simple elements, AWS names the list.
    if (IsSimple(element)) {
      const bool fits =
          std::all_of(list.begin(), list.end(), [&](const Json::Value& one) {
            return IsWithinLimits(name, element, one);
          });
      if (!fits) {
        AddOfElements(shape, element, path, list,
                      "Member must satisfy constraint: ");
      }
      return;
    }
    std::size_t index = 0;
    for (const Json::Value& one : list) {
      CheckValue(name, element, one,
                 absl::StrCat(path, ".", ++index, ".member"));
    }
  }

  void CheckMap(absl::string_view name, const Shape& shape,
                const Json::Value& map, const std::string& path) {
    const Shape key = shape.key();
    const Shape element = shape.element();
    bool keys_fit = true;
    bool elements_fit = true;
    for (auto one = map.begin(); one != map.end(); ++one) {
      keys_fit = keys_fit && IsWithinLimits(name, key, one.name());
      if (IsSimple(element)) {
        elements_fit = elements_fit && IsWithinLimits(name, element, *one);
      } else {
        CheckValue(name, element, *one,
                   absl::StrCat(path, ".", one.name(), ".member"));
      }
    }
    if (!keys_fit) {
      AddOfElements(shape, key, path, map,
                    "Map keys must satisfy constraint: ");
    }
    if (!elements_fit) {
      AddOfElements(shape, element, path, map,
                    "Map value must satisfy constraint: ");
    }
  }

  // `element` is the shape of the keys or elements of `whole`.
  void AddOfElements(const Shape& shape, const Shape& element,
                     const std::string& path, const Json::Value& whole,
                     absl::string_view what) {
    Add(shape, path, whole, absl::StrCat(what, AllOf(element)));
  }

  const absl::Span<const absl::string_view> exempt_;
  // Whether what is checked is in a sensitive value.
  bool in_sensitive_ = false;
  RequestFaults faults_;
};

}  // namespace

RequestFaults CheckRequest(const Shape& input, const Json::Value& request,
                           absl::Span<const absl::string_view> exempt) {
  return Checker(exempt).Check(input, request);
}

}  // namespace byoshin::local::wire
