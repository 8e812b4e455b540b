#include "local/rdsdata/array_text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"

namespace byoshin::local::rdsdata {
namespace {

absl::Status NotAnArray(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat(json::Excerpt(text), " is not an array"));
}

// Takes an element in quotation marks off the front; nullopt if it has no end.
std::optional<std::string> TakeQuoted(absl::string_view& text) {
  std::string value;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      value += text[++i];
    } else if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

std::optional<std::string> TakePlain(absl::string_view& text) {
  const std::size_t end = text.find_first_of(",}");
  if (end == absl::string_view::npos) return std::nullopt;
  std::string value(text.substr(0, end));
  text.remove_prefix(end);
  return value;
}

}  // namespace

absl::StatusOr<std::vector<std::optional<std::string>>> ReadArray(
    absl::string_view text) {
  absl::string_view rest = text;
  // The bounds, [0:2]={...}, if they don't start at 1.
  if (absl::StartsWith(rest, "[")) {
    const std::size_t equals = rest.find('=');
    if (equals == absl::string_view::npos) return NotAnArray(text);
    rest.remove_prefix(equals + 1);
  }
  std::vector<std::optional<std::string>> elements;
  if (!absl::ConsumePrefix(&rest, "{")) return NotAnArray(text);
  if (rest == "}") return elements;
  while (true) {
    if (absl::StartsWith(rest, "{")) {
      return absl::UnimplementedError("the array has several dimensions");
    }
    const bool quoted = absl::StartsWith(rest, "\"");
    std::optional<std::string> element =
        quoted ? TakeQuoted(rest) : TakePlain(rest);
    if (!element.has_value()) return NotAnArray(text);
    if (!quoted && *element == "NULL") element = std::nullopt;
    elements.push_back(std::move(element));
    if (rest == "}") return elements;
    if (!absl::ConsumePrefix(&rest, ",")) return NotAnArray(text);
  }
}

}  // namespace byoshin::local::rdsdata
