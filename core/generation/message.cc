#include "core/generation/message.h"

#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::generation {
namespace {

// The weight of "en-GB;q=0.8"; 1 if there is none, nullopt if it is malformed.
std::optional<double> WeightOf(absl::string_view parameters) {
  parameters = absl::StripAsciiWhitespace(parameters);
  if (parameters.empty()) return 1;
  double weight = 0;
  if (!absl::ConsumePrefix(&parameters, "q=") ||
      !absl::SimpleAtod(parameters, &weight) || !(weight >= 0 && weight <= 1)) {
    return std::nullopt;
  }
  return weight;
}

}  // namespace

absl::string_view NameOf(Language language) {
  return language == Language::kEnglish ? "en" : "ja";
}

// https://www.rfc-editor.org/rfc/rfc9110#section-12.5.4
Language PreferredLanguage(absl::string_view accept_language) {
  Language preferred = Language::kJapanese;
  double best = 0;
  for (const absl::string_view range : absl::StrSplit(accept_language, ',')) {
    const std::vector<absl::string_view> parts =
        absl::StrSplit(range, absl::MaxSplits(';', 1));
    const absl::string_view tag = absl::StripAsciiWhitespace(parts[0]);
    const absl::string_view primary = tag.substr(0, tag.find('-'));
    const bool english = absl::EqualsIgnoreCase(primary, "en");
    if (!english && !absl::EqualsIgnoreCase(primary, "ja")) continue;
    const std::optional<double> weight =
        WeightOf(parts.size() > 1 ? parts[1] : absl::string_view());
    // The first of equal ones wins.
    if (!weight.has_value() || *weight <= best) continue;
    best = *weight;
    preferred = english ? Language::kEnglish : Language::kJapanese;
  }
  return preferred;
}

}  // namespace byoshin::generation
