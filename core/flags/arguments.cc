#include "core/flags/arguments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/time/iso8601.h"

namespace byoshin::flags {
namespace {

constexpr std::size_t kHelpColumn = 26;

const FlagSpec* FindFlag(const CommandSpec& spec, absl::string_view name) {
  for (const FlagSpec& flag : spec.flags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

const FlagSpec* FindLetter(const CommandSpec& spec, char letter) {
  for (const FlagSpec& flag : spec.flags) {
    if (flag.letter != 0 && flag.letter == letter) return &flag;
  }
  return nullptr;
}

absl::Status Wrong(const CommandSpec& spec, absl::string_view what) {
  if (spec.program.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(what, "; see --help"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(what, "; see `", spec.program, " ", spec.name, " --help`"));
}

absl::Status UnknownFlag(const CommandSpec& spec, absl::string_view flag) {
  std::vector<std::string> names;
  names.reserve(spec.flags.size());
  for (const FlagSpec& known : spec.flags) names.push_back("--" + known.name);
  const std::string nearest = Nearest(flag, names);
  return Wrong(spec, absl::StrCat("unknown flag ", flag,
                                  nearest.empty() ? "" : ", perhaps ", nearest,
                                  nearest.empty() ? "" : " was meant"));
}

// The edit distance of two words.
std::size_t Distance(absl::string_view a, absl::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

void AppendHelpLine(absl::string_view left, absl::string_view right,
                    std::string& out) {
  absl::StrAppend(&out, "  ", left);
  const std::size_t used = left.size() + 2;
  if (used + 2 > kHelpColumn) {
    absl::StrAppend(&out, "\n", std::string(kHelpColumn, ' '));
  } else {
    absl::StrAppend(&out, std::string(kHelpColumn - used, ' '));
  }
  absl::StrAppend(&out, right, "\n");
}

// Parses a positive duration.
std::optional<absl::Duration> ReadSpan(absl::string_view text) {
  // absl does not parse days.
  std::string rest(text);
  absl::Duration days = absl::ZeroDuration();
  if (const std::size_t d = rest.find('d'); d != std::string::npos) {
    std::int64_t count = 0;
    if (absl::SimpleAtoi(rest.substr(0, d), &count)) {
      days = absl::Hours(24) * count;
      rest = rest.substr(d + 1);
      if (rest.empty()) rest = "0s";
    }
  }
  absl::Duration span;
  if (!absl::ParseDuration(rest, &span)) return std::nullopt;
  span += days;
  if (span <= absl::ZeroDuration() || rest == "inf") return std::nullopt;
  return span;
}

}  // namespace

bool Arguments::Has(absl::string_view flag) const {
  return given_.contains(std::string(flag));
}

std::string Arguments::Get(absl::string_view flag) const {
  const auto given = given_.find(std::string(flag));
  if (given != given_.end()) return given->second.back();
  const auto otherwise = defaults_.find(std::string(flag));
  return otherwise == defaults_.end() ? "" : otherwise->second;
}

std::vector<std::string> Arguments::All(absl::string_view flag) const {
  const auto given = given_.find(std::string(flag));
  return given == given_.end() ? std::vector<std::string>() : given->second;
}

std::string Arguments::Word(std::size_t index) const {
  return index < words_.size() ? words_[index] : "";
}

absl::StatusOr<Arguments> ParseArguments(
    const CommandSpec& spec, const std::vector<std::string>& words) {
  Arguments arguments;
  for (const FlagSpec& flag : spec.flags) {
    arguments.defaults_[flag.name] = flag.default_value;
  }
  bool words_only = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (words_only || word.size() < 2 || word[0] != '-') {
      arguments.words_.push_back(word);
      continue;
    }
    if (word == "--") {
      words_only = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const FlagSpec* flag = absl::StartsWith(name, "--")
                               ? FindFlag(spec, name.substr(2))
                           : name.size() == 2 ? FindLetter(spec, name[1])
                                              : nullptr;
    if (flag == nullptr) return UnknownFlag(spec, name);
    std::string value;
    if (flag->value.empty()) {
      if (equals != std::string::npos) {
        return Wrong(spec, absl::StrCat(name, " takes no value"));
      }
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < words.size() && !absl::StartsWith(words[i + 1], "--")) {
      value = words[++i];
    } else {
      return Wrong(spec, absl::StrCat(name, " requires a value: ", name, "=",
                                      flag->value));
    }
    std::vector<std::string>& given = arguments.given_[flag->name];
    if (!given.empty() && !flag->repeated) {
      return Wrong(spec, absl::StrCat(name, " is given twice"));
    }
    given.push_back(std::move(value));
  }
  if (arguments.words_.size() > spec.words.size()) {
    return Wrong(spec, absl::StrCat("unexpected word \"",
                                    arguments.words_[spec.words.size()], "\""));
  }
  for (std::size_t i = arguments.words_.size(); i < spec.words.size(); ++i) {
    if (spec.words[i].required) {
      return Wrong(spec, absl::StrCat(spec.words[i].name, " is missing"));
    }
  }
  return arguments;
}

std::string CommandHelp(const CommandSpec& spec) {
  std::string help =
      absl::StrCat(spec.program, " ", spec.name, ": ", spec.summary,
                   "\n\nUsage: ", spec.program, " ", spec.name);
  if (!spec.flags.empty()) absl::StrAppend(&help, " [FLAGS]");
  for (const WordSpec& word : spec.words) {
    absl::StrAppend(&help, word.required ? " " : " [", word.name,
                    word.required ? "" : "]");
  }
  absl::StrAppend(&help, "\n");
  if (!spec.words.empty()) absl::StrAppend(&help, "\n");
  for (const WordSpec& word : spec.words) {
    AppendHelpLine(word.name, word.help, help);
  }
  if (!spec.flags.empty()) absl::StrAppend(&help, "\nFlags:\n");
  for (const FlagSpec& flag : spec.flags) {
    std::string left = absl::StrCat("--", flag.name,
                                    flag.value.empty() ? "" : "=", flag.value);
    if (flag.letter != 0) {
      left = absl::StrCat("-", std::string(1, flag.letter), ", ", left);
    }
    AppendHelpLine(
        left,
        absl::StrCat(flag.help, flag.default_value.empty() ? "" : " (default: ",
                     flag.default_value, flag.default_value.empty() ? "" : ")"),
        help);
  }
  if (!spec.details.empty()) absl::StrAppend(&help, "\n", spec.details, "\n");
  return help;
}

std::string Nearest(absl::string_view text,
                    const std::vector<std::string>& choices) {
  std::string nearest;
  // A larger distance would be a guess.
  std::size_t best = std::max<std::size_t>(2, text.size() / 3) + 1;
  for (const std::string& choice : choices) {
    const std::size_t distance = Distance(text, choice);
    if (distance < best) {
      best = distance;
      nearest = choice;
    }
  }
  return nearest;
}

absl::StatusOr<absl::Duration> ParseSpan(absl::string_view flag,
                                         absl::string_view text) {
  const std::optional<absl::Duration> span = ReadSpan(text);
  if (!span.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", flag, "=", text, " is not a span of time such as 5m, 24h or 7d"));
  }
  if (*span > kLongestSpan) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag, "=", text, " is too long; the longest is ",
                     kLongestSpan / absl::Hours(24), "d (ten years)"));
  }
  return *span;
}

absl::StatusOr<absl::Duration> ParseMinutes(absl::string_view flag,
                                            absl::string_view text) {
  absl::StatusOr<absl::Duration> span = ParseSpan(flag, text);
  if (!span.ok()) return span;
  if (*span % absl::Minutes(1) != absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag, "=", text,
                     " is not a whole number of minutes, such as 1m or 24h"));
  }
  return span;
}

absl::StatusOr<absl::Time> ParseWhen(absl::string_view flag,
                                     absl::string_view text, absl::Time now) {
  if (text == "now") return now;
  if (absl::StatusOr<absl::Time> time = time::ParseIso8601(text); time.ok()) {
    if (*time >= absl::UnixEpoch()) return time;
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag, "=", text,
                     " is before 1970-01-01T00:00:00Z; there are no records "
                     "from so early a time"));
  }
  if (!ReadSpan(text).has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", flag, "=", text,
        " is neither an instant such as 2026-01-31T09:00:00Z, nor a span "
        "before now such as 5m, 24h or 7d, nor \"now\""));
  }
  const absl::StatusOr<absl::Duration> span = ParseSpan(flag, text);
  if (!span.ok()) return span.status();
  return std::max(now - *span, absl::UnixEpoch());
}

absl::StatusOr<std::int64_t> ParseCount(absl::string_view flag,
                                        absl::string_view text,
                                        std::int64_t least, std::int64_t most) {
  std::int64_t count = 0;
  if (!absl::SimpleAtoi(text, &count) || count < least || count > most) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag, "=", text, " is not a whole number from ",
                     least, " to ", most));
  }
  return count;
}

absl::StatusOr<std::uint16_t> ParsePort(absl::string_view flag,
                                        absl::string_view text) {
  const absl::StatusOr<std::int64_t> port =
      ParseCount(flag, text, 0, std::numeric_limits<std::uint16_t>::max());
  if (!port.ok()) return port.status();
  return static_cast<std::uint16_t>(*port);
}

}  // namespace byoshin::flags
