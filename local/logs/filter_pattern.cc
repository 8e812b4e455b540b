#include "local/logs/filter_pattern.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/gateway/error.h"
#include "local/logs/json_pattern.h"

namespace byoshin::local::logs {
namespace {

absl::Status Refused(absl::string_view why) {
  return ServiceError(
      {.code = "InvalidParameterException",
       .message = absl::StrCat("Invalid filter pattern: ", why)});
}

// Removes a term from the front of `text`: up to a space, or in quotes.
absl::StatusOr<std::string> TakeTerm(absl::string_view& text) {
  if (!absl::ConsumePrefix(&text, "\"")) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string term(text.substr(0, end));
    text.remove_prefix(end);
    return term;
  }
  std::string term;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"') return term;
    if (c == '\\' && !text.empty()) {
      term += text.front();
      text.remove_prefix(1);
    } else {
      term += c;
    }
  }
  return Refused("a quote is not closed");
}

}  // namespace

absl::StatusOr<FilterPattern> FilterPattern::Parse(absl::string_view text) {
  FilterPattern pattern;
  if (text.size() > kMaxFilterPatternLength) {
    return Refused(absl::StrCat("it is longer than ", kMaxFilterPatternLength,
                                " characters"));
  }
  text = absl::StripAsciiWhitespace(text);
  if (absl::StartsWith(text, "{")) {
    absl::StatusOr<JsonPattern> json = JsonPattern::Parse(text);
    if (!json.ok()) return json.status();
    pattern.json_ = *std::move(json);
    return pattern;
  }
  if (absl::StartsWith(text, "[")) {
    return Refused(
        "the local cloud does not support patterns of columns; ask for the "
        "events and filter them with awk");
  }
  while (!text.empty()) {
    std::vector<std::string>* terms = &pattern.all_;
    if (absl::ConsumePrefix(&text, "-")) terms = &pattern.none_;
    if (absl::ConsumePrefix(&text, "?")) terms = &pattern.any_;
    if (absl::StartsWith(text, "%")) {
      return Refused("the local cloud does not support regular expressions");
    }
    absl::StatusOr<std::string> term = TakeTerm(text);
    if (!term.ok()) return term.status();
    if (term->empty()) return Refused("a term is empty");
    terms->push_back(*term);
    text = absl::StripLeadingAsciiWhitespace(text);
  }
  if (!pattern.any_.empty() &&
      !(pattern.all_.empty() && pattern.none_.empty())) {
    return Refused("terms with ? can't stand beside others");
  }
  return pattern;
}

bool FilterPattern::Matches(absl::string_view line) const {
  if (json_.has_value()) return json_->Matches(line);
  const auto has = [line](const std::string& term) {
    return absl::StrContains(line, term);
  };
  return std::all_of(all_.begin(), all_.end(), has) &&
         std::none_of(none_.begin(), none_.end(), has) &&
         (any_.empty() || std::any_of(any_.begin(), any_.end(), has));
}

}  // namespace byoshin::local::logs
