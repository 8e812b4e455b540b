#include "local/appsync/script/time_offset.h"

#include <cstdlib>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/appsync/script/time_pattern.h"

namespace byoshin::local::appsync::script {
namespace {

constexpr absl::string_view kGreenwich = "GMT";

// How an offset is written. Hours have two digits.
struct OffsetShape {
  // Instead of an offset of which nothing but zeros would be written.
  absl::string_view zero;
  absl::string_view separator;
  // Left out if they are zero.
  bool optional_minutes = false;
  // Written if they are not zero; otherwise never.
  bool optional_seconds = false;
};

constexpr OffsetShape kIdShape = {.zero = "Z",
                                  .separator = ":",
                                  .optional_minutes = false,
                                  .optional_seconds = true};

// Of the letters X, x and Z, other than ZZZZ.
OffsetShape ShapeOf(const TimePatternItem& item) {
  if (item.letter == 'Z') {
    return item.count == 5 ? kIdShape
                           : OffsetShape{.zero = "+0000", .separator = ""};
  }
  const bool has_colon = item.count == 3 || item.count == 5;
  return {.zero = item.letter == 'X' ? "Z"
                  : item.count == 1  ? "+00"
                  : has_colon        ? "+00:00"
                                     : "+0000",
          .separator = has_colon ? ":" : "",
          .optional_minutes = item.count == 1,
          .optional_seconds = item.count > 3};
}

bool IsLocalized(const TimePatternItem& item) {
  return item.letter == 'O' || (item.letter == 'Z' && item.count == 4);
}

struct OffsetParts {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
};

OffsetParts PartsOf(int seconds) {
  const int absolute = std::abs(seconds);
  return {.hours = absolute / kSecondsPerHour,
          .minutes = absolute / 60 % 60,
          .seconds = absolute % 60};
}

std::optional<int> SecondsOf(char sign, const OffsetParts& parts) {
  const int seconds =
      parts.hours * kSecondsPerHour + parts.minutes * 60 + parts.seconds;
  if (parts.minutes > 59 || parts.seconds > 59 || seconds > kMaxOffsetSeconds) {
    return std::nullopt;
  }
  return sign == '-' ? -seconds : seconds;
}

std::string FormatShape(const OffsetShape& shape, int seconds) {
  const OffsetParts parts = PartsOf(seconds);
  const bool with_seconds = shape.optional_seconds && parts.seconds != 0;
  if (parts.hours == 0 && parts.minutes == 0 && !with_seconds) {
    return std::string(shape.zero);
  }
  std::string text =
      absl::StrFormat("%c%02d", seconds < 0 ? '-' : '+', parts.hours);
  if (parts.minutes != 0 || !shape.optional_minutes) {
    absl::StrAppendFormat(&text, "%s%02d", shape.separator, parts.minutes);
  }
  if (with_seconds) {
    absl::StrAppendFormat(&text, "%s%02d", shape.separator, parts.seconds);
  }
  return text;
}

// "GMT+9" and "GMT+9:30", or "GMT+09:00".
enum class LocalizedStyle { kShort, kFull };

LocalizedStyle StyleOf(const TimePatternItem& item) {
  return item.count == 4 ? LocalizedStyle::kFull : LocalizedStyle::kShort;
}

std::string FormatLocalized(LocalizedStyle style, int seconds) {
  if (seconds == 0) return std::string(kGreenwich);
  const bool full = style == LocalizedStyle::kFull;
  const OffsetParts parts = PartsOf(seconds);
  std::string text =
      absl::StrFormat("%s%c%0*d", kGreenwich, seconds < 0 ? '-' : '+',
                      full ? 2 : 1, parts.hours);
  if (full || parts.minutes != 0 || parts.seconds != 0) {
    absl::StrAppendFormat(&text, ":%02d", parts.minutes);
  }
  if (parts.seconds != 0) absl::StrAppendFormat(&text, ":%02d", parts.seconds);
  return text;
}

std::optional<int> TakeDigit(absl::string_view& text) {
  if (text.empty() ||
      !absl::ascii_isdigit(static_cast<unsigned char>(text.front()))) {
    return std::nullopt;
  }
  const int digit = text.front() - '0';
  text.remove_prefix(1);
  return digit;
}

// `separator` and two digits; `text` stays as it is if they are not there.
std::optional<int> TakePart(absl::string_view separator,
                            absl::string_view& text) {
  absl::string_view rest = text;
  if (!absl::ConsumePrefix(&rest, separator)) return std::nullopt;
  const std::optional<int> tens = TakeDigit(rest);
  const std::optional<int> ones = TakeDigit(rest);
  if (!tens.has_value() || !ones.has_value()) return std::nullopt;
  text = rest;
  return *tens * 10 + *ones;
}

std::optional<char> TakeSign(absl::string_view& text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) {
    return std::nullopt;
  }
  const char sign = text.front();
  text.remove_prefix(1);
  return sign;
}

std::optional<int> TakeShape(const OffsetShape& shape,
                             absl::string_view& text) {
  if (absl::ConsumePrefix(&text, shape.zero)) return 0;
  const std::optional<char> sign = TakeSign(text);
  if (!sign.has_value()) return std::nullopt;
  const std::optional<int> hours = TakePart("", text);
  if (!hours.has_value()) return std::nullopt;
  OffsetParts parts = {.hours = *hours, .minutes = 0, .seconds = 0};
  const std::optional<int> minutes = TakePart(shape.separator, text);
  if (!minutes.has_value() && !shape.optional_minutes) return std::nullopt;
  parts.minutes = minutes.value_or(0);
  if (shape.optional_seconds) {
    parts.seconds = TakePart(shape.separator, text).value_or(0);
  }
  return SecondsOf(*sign, parts);
}

std::optional<int> TakeLocalized(LocalizedStyle style,
                                 absl::string_view& text) {
  const bool full = style == LocalizedStyle::kFull;
  if (!absl::ConsumePrefix(&text, kGreenwich)) return std::nullopt;
  const std::optional<char> sign = TakeSign(text);
  if (!sign.has_value()) return 0;
  std::optional<int> hours = full ? TakePart("", text) : TakeDigit(text);
  if (!hours.has_value()) return std::nullopt;
  if (!full) {
    if (const std::optional<int> second_digit = TakeDigit(text)) {
      hours = *hours * 10 + *second_digit;
    }
  }
  OffsetParts parts = {.hours = *hours, .minutes = 0, .seconds = 0};
  if (const std::optional<int> minutes = TakePart(":", text)) {
    parts.minutes = *minutes;
    parts.seconds = TakePart(":", text).value_or(0);
  } else if (full) {
    return std::nullopt;
  }
  return SecondsOf(*sign, parts);
}

}  // namespace

std::string FormatOffset(const TimePatternItem& item, int seconds) {
  return IsLocalized(item) ? FormatLocalized(StyleOf(item), seconds)
                           : FormatShape(ShapeOf(item), seconds);
}

std::optional<int> TakeOffset(const TimePatternItem& item,
                              absl::string_view& text) {
  return IsLocalized(item) ? TakeLocalized(StyleOf(item), text)
                           : TakeShape(ShapeOf(item), text);
}

std::string FormatGreenwichOffset(int seconds) {
  return FormatLocalized(LocalizedStyle::kFull, seconds);
}

std::string FormatOffsetId(int seconds) {
  return FormatShape(kIdShape, seconds);
}

std::optional<int> TakeOffsetId(absl::string_view& text) {
  return TakeShape(kIdShape, text);
}

}  // namespace byoshin::local::appsync::script
