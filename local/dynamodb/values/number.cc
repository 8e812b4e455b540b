#include "local/dynamodb/values/number.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {

// First bytes of the sortable form.
constexpr unsigned char kNegativeMark = 0x01;
constexpr unsigned char kZeroMark = 0x02;
constexpr unsigned char kPositiveMark = 0x03;
// Digits go in pairs, each as its value plus one; zero ends them.
constexpr unsigned char kEndMark = 0x00;
constexpr int kPairBase = 100;

// Exponents beyond this are all out of range. The bound keeps their arithmetic
// from overflowing.
constexpr int kHugeExponent = 1'000'000;

absl::Status NotNumeric(absl::string_view text) {
  return ValidationError(
      text.empty()
          ? std::string("The parameter cannot be converted to a numeric value")
          : absl::StrCat(
                "The parameter cannot be converted to a numeric value: ",
                text));
}

absl::Status Overflow() {
  return ValidationError(
      "Number overflow. Attempting to store a number with magnitude larger "
      "than supported range");
}

absl::Status Underflow() {
  return ValidationError(
      "Number underflow. Attempting to store a number with magnitude smaller "
      "than supported range");
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<absl::uint128, Number::kMaxDigits + 1> MakePowersOfTen() {
  std::array<absl::uint128, Number::kMaxDigits + 1> powers;
  absl::uint128 power = 1;
  for (absl::uint128& p : powers) {
    p = power;
    power *= 10;
  }
  return powers;
}

// 10^38 is the largest power of ten in 128 bits.
const std::array<absl::uint128, Number::kMaxDigits + 1> kPowersOfTen =
    MakePowersOfTen();

int CountDigits(absl::uint128 value) {
  return static_cast<int>(
      std::upper_bound(kPowersOfTen.begin(), kPowersOfTen.end(), value) -
      kPowersOfTen.begin());
}

// The exponent after an 'e', with its sign, followed only by digits.
absl::StatusOr<int> ParseExponent(absl::string_view text,
                                  absl::string_view whole) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return NotNumeric(whole);
  int exponent = 0;
  for (char c : text) {
    if (!IsDigit(c)) return NotNumeric(whole);
    exponent = std::min(exponent * 10 + (c - '0'), kHugeExponent);
  }
  return negative ? -exponent : exponent;
}

// The part before an 'e'.
struct Mantissa {
  std::string digits{};  // '0' to '9', without zeros at either end
  int64_t exponent = 0;  // of the last digit
};

absl::StatusOr<Mantissa> ParseMantissa(absl::string_view text,
                                       absl::string_view whole) {
  Mantissa mantissa;
  bool any = false;
  bool fraction = false;
  for (char c : text) {
    if (c == '.') {
      if (fraction) return NotNumeric(whole);
      fraction = true;
      continue;
    }
    if (!IsDigit(c)) return NotNumeric(whole);
    any = true;
    if (fraction) --mantissa.exponent;
    if (c != '0' || !mantissa.digits.empty()) mantissa.digits.push_back(c);
  }
  if (!any) return NotNumeric(whole);
  while (!mantissa.digits.empty() && mantissa.digits.back() == '0') {
    mantissa.digits.pop_back();
    ++mantissa.exponent;
  }
  return mantissa;
}

absl::Status CheckRange(int64_t magnitude, size_t digit_count) {
  if (magnitude > Number::kMaxMagnitude) return Overflow();
  if (magnitude < Number::kMinMagnitude) return Underflow();
  if (digit_count > Number::kMaxDigits) {
    return ValidationError(
        "Attempting to store more than 38 significant digits in a Number");
  }
  return absl::OkStatus();
}

}  // namespace

Number::Number(int64_t value) {
  const bool negative = value < 0;
  const uint64_t absolute =
      negative ? ~static_cast<uint64_t>(value) + 1 : uint64_t(value);
  *this = Make(absolute, 0, negative);
}

Number Number::Make(absl::uint128 coefficient, int exponent, bool negative) {
  Number number;
  if (coefficient == 0) return number;
  while (coefficient % 10 == 0) {
    coefficient /= 10;
    ++exponent;
  }
  number.high_ = absl::Uint128High64(coefficient);
  number.low_ = absl::Uint128Low64(coefficient);
  number.exponent_ = static_cast<int16_t>(exponent);
  number.negative_ = negative;
  return number;
}

absl::StatusOr<Number> Number::Parse(absl::string_view text) {
  absl::string_view rest = text;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  int64_t exponent = 0;
  if (const size_t e = rest.find_first_of("eE"); e != absl::string_view::npos) {
    absl::StatusOr<int> parsed = ParseExponent(rest.substr(e + 1), text);
    if (!parsed.ok()) return parsed.status();
    exponent = *parsed;
    rest = rest.substr(0, e);
  }
  absl::StatusOr<Mantissa> mantissa = ParseMantissa(rest, text);
  if (!mantissa.ok()) return mantissa.status();
  if (mantissa->digits.empty()) return Number();

  exponent += mantissa->exponent;
  const int64_t magnitude =
      exponent + static_cast<int64_t>(mantissa->digits.size()) - 1;
  if (absl::Status status = CheckRange(magnitude, mantissa->digits.size());
      !status.ok()) {
    return status;
  }
  absl::uint128 coefficient = 0;
  for (char c : mantissa->digits) coefficient = coefficient * 10 + (c - '0');
  return Make(coefficient, static_cast<int>(exponent), negative);
}

Number::Digits Number::digits() const {
  Digits digits;
  absl::uint128 rest = coefficient();
  digits.count = CountDigits(rest);
  for (int i = digits.count - 1; i >= 0; --i) {
    digits.digit[i] = static_cast<char>(absl::Uint128Low64(rest % 10));
    rest /= 10;
  }
  return digits;
}

std::string Number::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

void Number::AppendTo(std::string& out) const {
  if (is_zero()) {
    out.push_back('0');
    return;
  }
  if (negative_) out.push_back('-');
  const Digits all = digits();
  // The number of digits before the point.
  const int whole = all.count + exponent_;
  if (whole <= 0) {
    out.append("0.");
    out.append(static_cast<size_t>(-whole), '0');
  }
  for (int i = 0; i < all.count; ++i) {
    if (i == whole && whole > 0) out.push_back('.');
    out.push_back(static_cast<char>('0' + all.digit[i]));
  }
  if (exponent_ > 0) out.append(static_cast<size_t>(exponent_), '0');
}

void Number::AppendSortable(std::string& out) const {
  if (is_zero()) {
    out.push_back(static_cast<char>(kZeroMark));
    return;
  }
  const Digits all = digits();
  // The larger a negative number's magnitude, the earlier it sorts.
  const unsigned char flip = negative_ ? 0xFF : 0x00;
  out.push_back(static_cast<char>(negative_ ? kNegativeMark : kPositiveMark));
  out.push_back(static_cast<char>(
      static_cast<unsigned char>(magnitude(all.count) - kMinMagnitude) ^ flip));
  for (int i = 0; i < all.count; i += 2) {
    const int second = i + 1 < all.count ? all.digit[i + 1] : 0;
    const int pair = all.digit[i] * 10 + second + 1;
    out.push_back(static_cast<char>(static_cast<unsigned char>(pair) ^ flip));
  }
  out.push_back(static_cast<char>(kEndMark ^ flip));
}

absl::StatusOr<Number> Number::ConsumeSortable(absl::string_view& bytes) {
  const absl::Status damaged = absl::DataLossError("a number is damaged");
  if (bytes.empty()) return damaged;
  const auto mark = static_cast<unsigned char>(bytes[0]);
  if (mark == kZeroMark) {
    bytes.remove_prefix(1);
    return Number();
  }
  if (mark != kNegativeMark && mark != kPositiveMark) return damaged;
  const unsigned char flip = mark == kNegativeMark ? 0xFF : 0x00;
  if (bytes.size() < 2) return damaged;
  const int magnitude =
      (static_cast<unsigned char>(bytes[1]) ^ flip) + kMinMagnitude;
  absl::uint128 coefficient = 0;
  int count = 0;
  size_t at = 2;
  for (;; ++at, count += 2) {
    if (at == bytes.size()) return damaged;
    const int byte = static_cast<unsigned char>(bytes[at]) ^ flip;
    if (byte == kEndMark) break;
    if (byte > kPairBase || count == kMaxDigits) return damaged;
    coefficient = coefficient * kPairBase + (byte - 1);
  }
  // Only in the canonical form: without a leading zero or two trailing ones.
  if (count == 0 || CountDigits(coefficient) != count ||
      coefficient % kPairBase == 0) {
    return damaged;
  }
  bytes.remove_prefix(at + 1);
  return Make(coefficient, magnitude - count + 1, mark == kNegativeMark);
}

void Number::AppendHashBytes(std::string& out) const {
  if (is_zero()) {
    out.push_back(static_cast<char>(0x80));
    return;
  }
  constexpr int kExponentOffset = 64;
  constexpr size_t kMaxPairs = 20;
  constexpr char kNegativeEnd = 102;
  const Digits all = digits();
  // Base 100, so the exponent counts pairs; an odd one puts a zero in front.
  const int exponent = magnitude(all.count) + 1;
  const int pad = exponent % 2 != 0 ? 1 : 0;
  // Rounds as floor does for exponents of either sign: exponent + pad is even.
  const auto exponent_byte =
      static_cast<unsigned char>((exponent + pad) / 2 - kExponentOffset);
  out.push_back(static_cast<char>(negative_ ? ~exponent_byte : exponent_byte));
  const auto digit_at = [&](int i) {
    return i >= 0 && i < all.count ? all.digit[i] : 0;
  };
  size_t pairs = 0;
  for (int i = -pad; i < all.count; i += 2, ++pairs) {
    const int pair = digit_at(i) * 10 + digit_at(i + 1);
    out.push_back(static_cast<char>(negative_ ? 101 - pair : pair + 1));
  }
  if (negative_ && pairs < kMaxPairs) out.push_back(kNegativeEnd);
}

size_t Number::SizeBytes() const {
  if (is_zero()) return 1;
  const int count = CountDigits(coefficient());
  // As it is kept: an exponent, a byte a pair of digits, where pairs are
  // counted from the point, and for negative numbers an end mark.
  const int pad = magnitude(count) % 2 == 0 ? 1 : 0;
  return static_cast<size_t>(1 + (count + pad + 1) / 2 + (negative_ ? 1 : 0));
}

Number Number::Negated() const {
  Number negated = *this;
  if (!is_zero()) negated.negative_ = !negative_;
  return negated;
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  const int sign_a = a.is_zero() ? 0 : a.negative_ ? -1 : 1;
  const int sign_b = b.is_zero() ? 0 : b.negative_ ? -1 : 1;
  if (sign_a != sign_b || sign_a == 0) return sign_a <=> sign_b;
  const absl::uint128 coefficient_a = a.coefficient();
  const absl::uint128 coefficient_b = b.coefficient();
  const int count_a = CountDigits(coefficient_a);
  const int count_b = CountDigits(coefficient_b);
  const int magnitude_a = a.magnitude(count_a);
  const int magnitude_b = b.magnitude(count_b);
  std::strong_ordering order = std::strong_ordering::equal;
  if (magnitude_a != magnitude_b) {
    order = magnitude_a <=> magnitude_b;
  } else {
    // With the same number of digits, they compare as integers.
    const int count = std::max(count_a, count_b);
    const absl::uint128 x = coefficient_a * kPowersOfTen[count - count_a];
    const absl::uint128 y = coefficient_b * kPowersOfTen[count - count_b];
    order = x < y   ? std::strong_ordering::less
            : x > y ? std::strong_ordering::greater
                    : std::strong_ordering::equal;
  }
  return sign_a > 0 ? order : 0 <=> order;
}

absl::StatusOr<Number> Add(const Number& a, const Number& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Number& high = a.exponent_ >= b.exponent_ ? a : b;
  const Number& low = a.exponent_ >= b.exponent_ ? b : a;
  // Both as multiples of 10^low.exponent_. The last digit of neither is zero,
  // so that unless the exponents are equal the sum's last digit is that of
  // `low`, and the sum needs all digits from there up to its first.
  const int shift = high.exponent_ - low.exponent_;
  const int digits = CountDigits(high.coefficient()) + shift;
  // One more than kMaxDigits may become kMaxDigits by subtraction, and fits in
  // 128 bits only up to 3.4e38: so it is made in two steps below.
  if (digits > Number::kMaxDigits + 1) return Overflow();
  // AWS also reports an overflow for a sum that needs too many digits.
  absl::uint128 x = high.coefficient();
  absl::uint128 y = low.coefficient();
  const bool subtract = high.negative_ != low.negative_;
  if (digits > Number::kMaxDigits) {
    // x * 10^shift is at least 10^38; only less than y below it fits.
    if (!subtract) return Overflow();
    const absl::uint128 limit = kPowersOfTen[Number::kMaxDigits];
    const absl::uint128 scale = kPowersOfTen[shift - 1];
    // (x * scale - 10^37) * 10 - y + 10^38, of which no step overflows if the
    // result fits: it must be below 10^38.
    const absl::uint128 excess =
        x * scale - kPowersOfTen[Number::kMaxDigits - 1];
    if (excess >= kPowersOfTen[Number::kMaxDigits - 1]) return Overflow();
    if (excess * 10 >= y) return Overflow();
    return Number::Make(limit - (y - excess * 10), low.exponent_,
                        high.negative_);
  }
  x *= kPowersOfTen[shift];
  absl::uint128 sum = 0;
  bool negative = high.negative_;
  if (!subtract) {
    sum = x + y;
  } else if (x >= y) {
    sum = x - y;
  } else {
    sum = y - x;
    negative = low.negative_;
  }
  const Number result = Number::Make(sum, low.exponent_, negative);
  if (result.is_zero()) return result;
  const int count = CountDigits(result.coefficient());
  if (count > Number::kMaxDigits ||
      result.magnitude(count) > Number::kMaxMagnitude) {
    return Overflow();
  }
  if (result.magnitude(count) < Number::kMinMagnitude) return Underflow();
  return result;
}

absl::StatusOr<Number> Subtract(const Number& a, const Number& b) {
  return Add(a, b.Negated());
}

}  // namespace byoshin::local::dynamodb
