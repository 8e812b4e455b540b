// DynamoDB's numbers: decimal, 38 significant digits, exact.
//
//   absl::StatusOr<Number> price = Number::Parse("12.50");
//   if (!price.ok()) return price.status();
//   price->ToString();                                  // "12.5"
//   absl::StatusOr<Number> sum = Add(*price, *price);  // 25
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_NUMBER_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_NUMBER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

// A value type; as thread-safe as an int.
class Number {
 public:
  static constexpr int kMaxDigits = 38;
  // The exponent of the first significant digit: from 1E-130 up to
  // 9.99...E+125.
  static constexpr int kMinMagnitude = -130;
  static constexpr int kMaxMagnitude = 125;

  // Zero.
  constexpr Number() = default;
  explicit Number(int64_t value);

  // Accepts what AWS accepts: digits with an optional sign, fraction and
  // exponent. Errors are ValidationErrors.
  static absl::StatusOr<Number> Parse(absl::string_view text);

  // As AWS writes it: plain digits without exponent, plus sign or superfluous
  // zeros. Parse() returns the same number.
  std::string ToString() const;
  void AppendTo(std::string& out) const;

  // Appends bytes that sort like the numbers; no encoding is a prefix of
  // another.
  void AppendSortable(std::string& out) const;
  // Reads what AppendSortable() wrote, and removes it from `bytes`. Any other
  // bytes are a DataLoss error.
  static absl::StatusOr<Number> ConsumeSortable(absl::string_view& bytes);

  // Appends the bytes in which DynamoDB itself stores and hashes numbers.
  void AppendHashBytes(std::string& out) const;

  // The number's part of the size of an item.
  size_t SizeBytes() const;

  bool is_zero() const { return high_ == 0 && low_ == 0; }
  bool is_negative() const { return negative_; }

  friend bool operator==(const Number&, const Number&) = default;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);

  // Exact, or a ValidationError if the result is not a valid number.
  friend absl::StatusOr<Number> Add(const Number& a, const Number& b);
  friend absl::StatusOr<Number> Subtract(const Number& a, const Number& b);
  Number Negated() const;

 private:
  // The digits of the coefficient, first to last.
  struct Digits {
    char digit[kMaxDigits];  // 0 to 9, not '0' to '9'
    int count = 0;
  };

  absl::uint128 coefficient() const { return absl::MakeUint128(high_, low_); }
  Digits digits() const;
  // The exponent of the first digit.
  int magnitude(int digit_count) const { return exponent_ + digit_count - 1; }
  // From a coefficient that need not be normalized.
  static Number Make(absl::uint128 coefficient, int exponent, bool negative);

  // The value is coefficient * 10^exponent. The coefficient has at most
  // kMaxDigits and no trailing zero, so that equal numbers have equal members.
  // Two halves rather than a uint128, whose alignment would cost every
  // AttributeValue eight bytes.
  uint64_t high_ = 0;
  uint64_t low_ = 0;
  int16_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_NUMBER_H_
