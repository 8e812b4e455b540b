#include "local/cloudformation/dynamic_reference.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {
namespace {

std::optional<std::string> ReferenceIn(absl::string_view text) {
  constexpr absl::string_view kEnd = "}}";
  const std::size_t begin = text.find("{{resolve:");
  if (begin == absl::string_view::npos) return std::nullopt;
  const std::size_t end = text.find(kEnd, begin);
  // Without an end it is ordinary text.
  if (end == absl::string_view::npos) return std::nullopt;
  return std::string(text.substr(begin, end + kEnd.size() - begin));
}

std::optional<DynamicReference> FindIn(const Json::Value& value,
                                       const std::string& path) {
  if (value.isString()) {
    std::optional<std::string> text = ReferenceIn(value.asString());
    if (!text.has_value()) return std::nullopt;
    return DynamicReference{.path = path, .text = *text, .at = &value};
  }
  if (!value.isObject() && !value.isArray()) return std::nullopt;
  for (auto member = value.begin(); member != value.end(); ++member) {
    std::string inner = path;
    // A function's arguments belong to the property whose value it gives.
    if (value.isObject() && !absl::StartsWith(member.name(), "Fn::")) {
      absl::StrAppend(&inner, path.empty() ? "" : ".", member.name());
    }
    if (std::optional<DynamicReference> found = FindIn(*member, inner)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string DynamicReference::Describe() const {
  return absl::StrCat(
      "property ", path, " has the dynamic reference ", text,
      ", which cannot be resolved: the local cloud has neither Systems Manager "
      "nor Secrets Manager; use a parameter instead");
}

std::optional<DynamicReference> FindDynamicReference(const Json::Value& value) {
  return FindIn(value, "");
}

}  // namespace byoshin::local::cloudformation
