// The formats of AppSync's scalars.
#include <arpa/inet.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "local/appsync/graphql/scalars.h"

namespace byoshin::local::appsync::graphql {
namespace {

constexpr int kMaxOffsetHours = 18;
constexpr size_t kMaxFractionDigits = 9;
constexpr size_t kMaxEmailBytes = 320;
constexpr size_t kMaxLocalPartBytes = 64;

// Consumes `count` digits from the front of `text`.
std::optional<int> TakeDigits(absl::string_view& text, size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!absl::ascii_isdigit(text[i])) return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool TakeCharacterIf(absl::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool TakeInRange(absl::string_view& text, int max) {
  const std::optional<int> value = TakeDigits(text, 2);
  return value.has_value() && *value <= max;
}

// [-]YYYY-MM-DD
bool TakeDate(absl::string_view& text) {
  const bool negative = TakeCharacterIf(text, '-');
  const std::optional<int> year = TakeDigits(text, 4);
  if (!year.has_value() || !TakeCharacterIf(text, '-')) return false;
  const std::optional<int> month = TakeDigits(text, 2);
  if (!month.has_value() || !TakeCharacterIf(text, '-')) return false;
  const std::optional<int> day = TakeDigits(text, 2);
  if (!day.has_value()) return false;
  // A day that does not exist becomes another one.
  const absl::CivilDay civil(negative ? -*year : *year, *month, *day);
  return civil.month() == *month && civil.day() == *day;
}

// hh:mm[:ss[.fraction]]
bool TakeTime(absl::string_view& text) {
  if (!TakeInRange(text, 23) || !TakeCharacterIf(text, ':') ||
      !TakeInRange(text, 59)) {
    return false;
  }
  if (!TakeCharacterIf(text, ':')) return true;
  if (!TakeInRange(text, 59)) return false;
  if (!TakeCharacterIf(text, '.')) return true;
  size_t digits = 0;
  while (!text.empty() && absl::ascii_isdigit(text.front())) {
    text.remove_prefix(1);
    ++digits;
  }
  return digits >= 1 && digits <= kMaxFractionDigits;
}

// Z or ±hh:mm[:ss], and nothing behind it.
bool IsOffset(absl::string_view text) {
  if (text == "Z") return true;
  if (!TakeCharacterIf(text, '+') && !TakeCharacterIf(text, '-')) return false;
  const std::optional<int> hours = TakeDigits(text, 2);
  if (!hours.has_value() || *hours > kMaxOffsetHours ||
      !TakeCharacterIf(text, ':')) {
    return false;
  }
  const int max_minutes = *hours == kMaxOffsetHours ? 0 : 59;
  if (!TakeInRange(text, max_minutes)) return false;
  if (text.empty()) return true;
  return TakeCharacterIf(text, ':') && TakeInRange(text, max_minutes) &&
         text.empty();
}

bool IsLocalPart(absl::string_view text) {
  if (text.empty() || text.size() > kMaxLocalPartBytes) return false;
  if (text.front() == '.' || text.back() == '.' ||
      absl::StrContains(text, "..")) {
    return false;
  }
  for (const char c : text) {
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    if (!beyond_ascii && !absl::ascii_isalnum(c) &&
        !absl::StrContains("!#$%&'*+/=?^_`{|}~.-", c)) {
      return false;
    }
  }
  return true;
}

bool IsHostName(absl::string_view text) {
  if (text.empty() || text.front() == '.' || text.back() == '.' ||
      text.front() == '-' || text.back() == '-') {
    return false;
  }
  char previous = 'a';
  for (const char c : text) {
    const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
    if (!beyond_ascii && !absl::ascii_isalnum(c) && c != '-' && c != '.') {
      return false;
    }
    if ((c == '.' && (previous == '.' || previous == '-')) ||
        (c == '-' && previous == '.')) {
      return false;
    }
    previous = c;
  }
  return true;
}

}  // namespace

bool IsDate(absl::string_view text) {
  return TakeDate(text) && (text.empty() || IsOffset(text));
}

bool IsTime(absl::string_view text) {
  return TakeTime(text) && (text.empty() || IsOffset(text));
}

bool IsDateTime(absl::string_view text) {
  return TakeDate(text) && TakeCharacterIf(text, 'T') && TakeTime(text) &&
         IsOffset(text);
}

bool IsEmail(absl::string_view text) {
  const size_t at = text.rfind('@');
  return at != absl::string_view::npos && text.size() <= kMaxEmailBytes &&
         IsLocalPart(text.substr(0, at)) && IsHostName(text.substr(at + 1));
}

bool IsUrl(absl::string_view text) {
  const size_t colon = text.find(':');
  if (colon == absl::string_view::npos || colon == 0 ||
      !absl::ascii_isalpha(text.front())) {
    return false;
  }
  for (const char c : text.substr(0, colon)) {
    if (!absl::ascii_isalnum(c) && !absl::StrContains("+.-", c)) return false;
  }
  absl::string_view rest = text.substr(colon + 1);
  for (const char c : rest) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F ||
        absl::StrContains("<>\"\\^`{|}", c)) {
      return false;
    }
  }
  if (absl::StartsWith(rest, "//")) {
    rest.remove_prefix(2);
    const absl::string_view authority =
        rest.substr(0, rest.find_first_of("/?#"));
    if (authority.empty()) return false;
    rest.remove_prefix(authority.size());
  }
  const absl::string_view path = rest.substr(0, rest.find_first_of("?#"));
  const bool empty =
      rest.empty() && !absl::StartsWith(text.substr(colon), "://");
  return !empty && !absl::StrContains(path, "//");
}

bool IsIpAddress(absl::string_view text) {
  const size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  const bool v6 = absl::StrContains(address, ':');
  uint8_t bytes[16];
  if (address.find('\0') != std::string::npos ||
      inet_pton(v6 ? AF_INET6 : AF_INET, address.c_str(), bytes) != 1) {
    return false;
  }
  if (slash == absl::string_view::npos) return true;
  absl::string_view suffix = text.substr(slash + 1);
  if (suffix.empty() || suffix.size() > 3) return false;
  const std::optional<int> bits = TakeDigits(suffix, suffix.size());
  return bits.has_value() && *bits <= (v6 ? 128 : 32);
}

}  // namespace byoshin::local::appsync::graphql
