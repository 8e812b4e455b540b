#include "local/stepfunctions/language/field_reader.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"

namespace byoshin::local::stepfunctions::internal {

FieldReader::FieldReader(const Data& object, std::string location,
                         Diagnostics& diagnostics)
    : object_(object),
      location_(std::move(location)),
      diagnostics_(diagnostics) {}

bool FieldReader::IsObject() const {
  if (object_.is_object()) return true;
  Mistake("Expected value of type [OBJECT]");
  return false;
}

std::string FieldReader::location() const {
  return location_.empty() ? "/" : location_;
}

std::string FieldReader::At(absl::string_view name) const {
  return absl::StrCat(location_, "/", name);
}

void FieldReader::Mistake(absl::string_view message) const {
  diagnostics_.Error(kSchemaValidationFailed, message, location());
}

void FieldReader::MistakeAt(absl::string_view name,
                            absl::string_view message) const {
  diagnostics_.Error(kSchemaValidationFailed, message, At(name));
}

void FieldReader::AllowOnly(absl::Span<const absl::string_view> names) const {
  for (const Data::Member& member : object_.members()) {
    if (std::find(names.begin(), names.end(), member.name()) == names.end()) {
      Mistake(absl::StrCat("Field '", member.name(), "' is not supported"));
    }
  }
}

void FieldReader::Require(
    std::initializer_list<absl::string_view> names) const {
  std::vector<absl::string_view> missing;
  for (const absl::string_view name : names) {
    if (!Has(name)) missing.push_back(name);
  }
  if (missing.empty()) return;
  Mistake(absl::StrCat("These fields are required: [",
                       absl::StrJoin(missing, ", "), "]"));
}

void FieldReader::RequireOne(std::initializer_list<absl::string_view> names,
                             One one) const {
  const auto count =
      std::count_if(names.begin(), names.end(),
                    [this](absl::string_view name) { return Has(name); });
  const std::string list = absl::StrCat("[", absl::StrJoin(names, ", "), "]");
  if (count > 1) {
    Mistake(absl::StrCat("There should only be one of the following fields: ",
                         list));
  } else if (count == 0 && one == One::kExactly) {
    Mistake(absl::StrCat(
        "This object should have only one of the following fields: ", list));
  }
}

std::string FieldReader::Text(absl::string_view name) const {
  const Data* const value = Find(name);
  if (value == nullptr) return "";
  if (value->is_string()) return std::string(value->string());
  MistakeAt(name, "Expected value of type [STRING]");
  return "";
}

std::string FieldReader::TextOf(
    absl::string_view name,
    std::initializer_list<absl::string_view> values) const {
  const std::string text = Text(name);
  const Data* const value = Find(name);
  if (value != nullptr && value->is_string() &&
      std::find(values.begin(), values.end(), text) == values.end()) {
    MistakeAt(name, absl::StrCat("Value should be one of the following: [",
                                 absl::StrJoin(values, ", "), "]"));
  }
  return text;
}

std::vector<std::string> FieldReader::Texts(absl::string_view name) const {
  std::vector<std::string> texts;
  for (const Data& element : Array(name)) {
    if (element.is_string()) {
      texts.emplace_back(element.string());
    } else {
      MistakeAt(absl::StrCat(name, "[", texts.size(), "]"),
                "Expected value of type [STRING]");
      return texts;
    }
  }
  return texts;
}

bool FieldReader::Flag(absl::string_view name) const {
  const Data* const value = Find(name);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->boolean();
  MistakeAt(name, "Expected value of type [BOOLEAN]");
  return false;
}

std::optional<int64_t> FieldReader::Integer(absl::string_view name,
                                            IntegerRange range) const {
  const Data* const value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_integer()) {
    MistakeAt(name, "Expected value of type Integer");
  } else if (value->integer() < range.min) {
    MistakeAt(name, absl::StrCat("Minimum value is ", range.min));
  } else if (value->integer() > range.max) {
    MistakeAt(name, absl::StrCat("Maximum value is ", range.max));
  } else {
    return value->integer();
  }
  return std::nullopt;
}

absl::Span<const Data> FieldReader::Array(absl::string_view name) const {
  const Data* const value = Find(name);
  if (value == nullptr) return {};
  if (!value->is_array()) {
    MistakeAt(name, "Expected value of type [ARRAY]");
    return {};
  }
  return value->elements();
}

}  // namespace byoshin::local::stepfunctions::internal
