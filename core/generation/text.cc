#include "core/generation/text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "core/time/iso8601.h"

namespace byoshin::generation {
namespace {

constexpr char kIdeographicSpace[] = "\xE3\x80\x80";
constexpr char kNoBreakSpace[] = "\xC2\xA0";
constexpr std::size_t kUuidLength = 36;

bool IsHyphenPlace(std::size_t i) {
  return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

std::size_t CountCharacters(absl::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(
        std::max<std::size_t>(json::Utf8SequenceLength(text), 1));
    ++count;
  }
  return count;
}

bool IsBlank(absl::string_view text) {
  const std::string plain = absl::StrReplaceAll(
      text, {{kIdeographicSpace, " "}, {kNoBreakSpace, " "}});
  return absl::StripAsciiWhitespace(plain).empty();
}

bool HasControlCharacters(absl::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\n' &&
           c != '\r' && c != '\t';
  });
}

std::optional<std::string> ParseUuid(absl::string_view text) {
  if (text.size() != kUuidLength) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool fits =
        IsHyphenPlace(i)
            ? text[i] == '-'
            : absl::ascii_isxdigit(static_cast<unsigned char>(text[i]));
    if (!fits) return std::nullopt;
  }
  return absl::AsciiStrToLower(text);
}

std::optional<Moment> ParseMoment(absl::string_view text) {
  constexpr std::size_t kDateLength = 10;
  if (text.size() == kDateLength) {
    const absl::StatusOr<absl::Time> day =
        time::ParseIso8601(absl::StrCat(text, "T00:00:00Z"));
    if (!day.ok()) return std::nullopt;
    return Moment{.begin = *day, .end = *day + absl::Hours(24)};
  }
  const absl::StatusOr<absl::Time> instant = time::ParseIso8601(text);
  if (!instant.ok()) return std::nullopt;
  return Moment{.begin = *instant, .end = *instant + absl::Milliseconds(1)};
}

}  // namespace byoshin::generation
