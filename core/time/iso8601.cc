#include "core/time/iso8601.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace byoshin::time {
namespace {

constexpr char kExpectedForm[] =
    "YYYY-MM-DDTHH:MM:SS[.fraction] followed by Z, +HH:MM or -HH:MM";

// '0' stands for any digit, every other character for itself.
constexpr char kDateAndTimeShape[] = "0000-00-00T00:00:00";
constexpr char kOffsetShape[] = "00:00";

constexpr size_t kMaxFractionDigits = 9;

// Longer input is truncated in error messages, which end up in logs and in
// answers to clients.
constexpr size_t kMaxQuotedBytes = 64;

// A number in the text: its position and range.
struct Field {
  const char* name;
  size_t at;
  size_t digits;
  int min;
  int max;
};

constexpr Field kYear = {"year", 0, 4, 1, 9999};
constexpr Field kMonth = {"month", 5, 2, 1, 12};
constexpr Field kDay = {"day", 8, 2, 1, 31};
constexpr Field kHour = {"hour", 11, 2, 0, 23};
constexpr Field kMinute = {"minute", 14, 2, 0, 59};
constexpr Field kSecond = {"second", 17, 2, 0, 59};

// Positions of an offset's fields count from the character after its sign.
constexpr Field kOffsetHour = {"offset hour", 0, 2, 0, 23};
constexpr Field kOffsetMinute = {"offset minute", 3, 2, 0, 59};

// Escaped, because a timestamp comes from outside and may be any bytes.
std::string Quote(absl::string_view text) {
  if (text.size() <= kMaxQuotedBytes) {
    return absl::StrCat("\"", absl::CHexEscape(text), "\"");
  }
  return absl::StrCat("\"", absl::CHexEscape(text.substr(0, kMaxQuotedBytes)),
                      "\"... (", text.size(), " bytes)");
}

// Reads one text from left to right and stops at the first error.
class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  absl::StatusOr<absl::Time> Parse() {
    absl::StatusOr<absl::CivilSecond> civil = ParseDateAndTime();
    if (!civil.ok()) return civil.status();
    absl::StatusOr<absl::Duration> fraction = ParseFraction();
    if (!fraction.ok()) return fraction.status();
    const size_t zone_at = next_;
    absl::StatusOr<absl::Duration> offset = ParseZone();
    if (!offset.ok()) return offset.status();
    if (next_ != text_.size()) {
      return Error(next_, "unexpected text after the end");
    }

    const absl::Time time =
        absl::FromCivil(*civil, absl::UTCTimeZone()) - *offset + *fraction;
    if (!FitsIso8601(time)) {
      return Error(zone_at, "the offset leads out of the years 0001 to 9999");
    }
    return time;
  }

 private:
  absl::StatusOr<absl::CivilSecond> ParseDateAndTime() {
    absl::Status shape = Expect(kDateAndTimeShape);
    if (!shape.ok()) return shape;

    // In reading order, so that the first error is reported.
    for (const Field& field : {kYear, kMonth, kDay, kHour, kMinute, kSecond}) {
      absl::Status range = CheckRange(field, /*base=*/0);
      if (!range.ok()) return range;
    }

    // The constructor normalizes an invalid day to the next month.
    const absl::CivilSecond civil(Number(kYear), Number(kMonth), Number(kDay),
                                  Number(kHour), Number(kMinute),
                                  Number(kSecond));
    if (civil.day() != Number(kDay)) {
      return Error(kDay.at, absl::StrCat("there is no day ", Digits(kDay),
                                         " in ", text_.substr(0, 7)));
    }
    return civil;
  }

  absl::StatusOr<absl::Duration> ParseFraction() {
    if (Peek() != '.') return absl::ZeroDuration();
    ++next_;
    const size_t begin = next_;
    int64_t nanoseconds = 0;
    while (absl::ascii_isdigit(static_cast<unsigned char>(Peek()))) {
      if (next_ - begin == kMaxFractionDigits) {
        return Error(next_, "the fraction has more than 9 digits");
      }
      nanoseconds = nanoseconds * 10 + (Peek() - '0');
      ++next_;
    }
    if (next_ == begin) return Error(begin, "the fraction has no digits");
    for (size_t i = next_ - begin; i < kMaxFractionDigits; ++i) {
      nanoseconds *= 10;
    }
    return absl::Nanoseconds(nanoseconds);
  }

  // Returns the offset of local time from UTC.
  absl::StatusOr<absl::Duration> ParseZone() {
    const char sign = Peek();
    if (sign != 'Z' && sign != '+' && sign != '-') {
      return Error(next_, next_ == text_.size()
                              ? "the offset from UTC is missing"
                              : "expected Z, + or -");
    }
    ++next_;
    if (sign == 'Z') return absl::ZeroDuration();

    const size_t base = next_;
    absl::Status shape = Expect(kOffsetShape);
    if (!shape.ok()) return shape;
    for (const Field& field : {kOffsetHour, kOffsetMinute}) {
      absl::Status range = CheckRange(field, base);
      if (!range.ok()) return range;
    }
    const absl::Duration offset = absl::Hours(Number(kOffsetHour, base)) +
                                  absl::Minutes(Number(kOffsetMinute, base));
    return sign == '+' ? offset : -offset;
  }

  // Consumes text of the given pattern.
  absl::Status Expect(absl::string_view shape) {
    for (const char wanted : shape) {
      if (next_ == text_.size()) return Error(next_, "the text ends too early");
      const bool digit =
          absl::ascii_isdigit(static_cast<unsigned char>(text_[next_]));
      if (wanted == '0' && !digit) return Error(next_, "expected a digit");
      if (wanted != '0' && text_[next_] != wanted) {
        return Error(next_, absl::StrCat("expected '",
                                         absl::string_view(&wanted, 1), "'"));
      }
      ++next_;
    }
    return absl::OkStatus();
  }

  absl::Status CheckRange(const Field& field, size_t base) const {
    const int value = Number(field, base);
    if (value >= field.min && value <= field.max) return absl::OkStatus();
    return Error(base + field.at,
                 absl::StrCat(field.name, " ", Digits(field, base),
                              " is not within ", field.min, " to ", field.max));
  }

  absl::string_view Digits(const Field& field, size_t base = 0) const {
    return text_.substr(base + field.at, field.digits);
  }

  int Number(const Field& field, size_t base = 0) const {
    int value = 0;
    for (const char digit : Digits(field, base)) {
      value = value * 10 + (digit - '0');
    }
    return value;
  }

  // The next character, or NUL, which no valid text contains, at the end.
  char Peek() const { return next_ < text_.size() ? text_[next_] : '\0'; }

  absl::Status Error(size_t at, absl::string_view problem) const {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid ISO 8601 time ", Quote(text_), ": ", problem,
                     " at column ", at + 1, "; expected ", kExpectedForm));
  }

  const absl::string_view text_;
  size_t next_ = 0;
};

}  // namespace

absl::StatusOr<absl::Time> ParseIso8601(absl::string_view text) {
  return Parser(text).Parse();
}

bool FitsIso8601(absl::Time time) {
  static const absl::Time begin =
      absl::FromCivil(absl::CivilYear(1), absl::UTCTimeZone());
  static const absl::Time end =
      absl::FromCivil(absl::CivilYear(10000), absl::UTCTimeZone());
  return begin <= time && time < end;
}

std::string FormatIso8601(absl::Time time) {
  if (time == absl::InfiniteFuture()) return "infinite-future";
  if (time == absl::InfinitePast()) return "infinite-past";
  const absl::CivilSecond civil =
      absl::ToCivilSecond(time, absl::UTCTimeZone());
  const std::string year = FitsIso8601(time)
                               ? absl::StrFormat("%04d", civil.year())
                               : absl::StrFormat("%+07d", civil.year());
  return absl::StrFormat("%s-%02d-%02dT%02d:%02d:%02dZ", year, civil.month(),
                         civil.day(), civil.hour(), civil.minute(),
                         civil.second());
}

}  // namespace byoshin::time
