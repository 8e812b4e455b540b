#include "local/dynamodb/values/number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than "
    "supported range";
constexpr absl::string_view kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller "
    "than supported range";

Number Parse(absl::string_view text) {
  absl::StatusOr<Number> number = Number::Parse(text);
  EXPECT_TRUE(number.ok()) << text << ": " << number.status();
  return number.value_or(Number());
}

std::string Normalized(absl::string_view text) {
  return Parse(text).ToString();
}

std::string ParseError(absl::string_view text) {
  return ErrorMessageOf(Number::Parse(text).status());
}

std::string Sortable(const Number& number) {
  std::string bytes;
  number.AppendSortable(bytes);
  return bytes;
}

// The independent model: text of digits around a point at a fixed place, wide
// enough for every number and every sum.
class Decimal {
 public:
  static constexpr int kWhole = 128;
  static constexpr int kFraction = 170;

  // Of "-12.5", plain digits.
  explicit Decimal(const std::string& text) : digits_(kWhole + kFraction, 0) {
    negative_ = text[0] == '-';
    const std::string plain = text.substr(negative_ ? 1 : 0);
    const size_t point = std::min(plain.find('.'), plain.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      if (i == point) continue;
      const size_t place = kWhole + i - point - (i > point ? 1 : 0);
      digits_[place] = plain[i] - '0';
    }
  }

  Decimal Plus(const Decimal& other) const {
    if (negative_ == other.negative_) {
      Decimal sum = *this;
      int carry = 0;
      for (size_t i = digits_.size(); i-- > 0;) {
        const int digit = digits_[i] + other.digits_[i] + carry;
        sum.digits_[i] = digit % 10;
        carry = digit / 10;
      }
      return sum;
    }
    if (digits_ < other.digits_) return other.Plus(*this);
    Decimal rest = *this;
    int borrow = 0;
    for (size_t i = digits_.size(); i-- > 0;) {
      const int digit = digits_[i] - other.digits_[i] - borrow;
      rest.digits_[i] = (digit + 10) % 10;
      borrow = digit < 0 ? 1 : 0;
    }
    return rest;
  }

  std::strong_ordering Compare(const Decimal& other) const {
    const std::vector<int> zero(digits_.size(), 0);
    const bool negative = negative_ && digits_ != zero;
    const bool other_negative = other.negative_ && other.digits_ != zero;
    if (negative != other_negative) return other_negative <=> negative;
    return negative ? other.digits_ <=> digits_ : digits_ <=> other.digits_;
  }

  // Nothing if DynamoDB has no such number.
  std::optional<std::string> Text() const {
    const auto is_digit = [](int digit) { return digit != 0; };
    const auto first = std::find_if(digits_.begin(), digits_.end(), is_digit);
    if (first == digits_.end()) return "0";
    const auto last =
        std::find_if(digits_.rbegin(), digits_.rend(), is_digit).base() - 1;
    if (last - first + 1 > Number::kMaxDigits) return std::nullopt;
    const int magnitude =
        kWhole - 1 - static_cast<int>(first - digits_.begin());
    if (magnitude > Number::kMaxMagnitude ||
        magnitude < Number::kMinMagnitude) {
      return std::nullopt;
    }
    const auto units = digits_.begin() + kWhole - 1;
    std::string text = negative_ ? "-" : "";
    for (auto d = std::min(first, units); d <= std::max(last, units); ++d) {
      if (d == units + 1) text += '.';
      text += static_cast<char>('0' + *d);
    }
    return text;
  }

 private:
  bool negative_;
  std::vector<int> digits_;
};

// Any number, those at the limits and those close to one another often.
rc::Gen<std::string> NumberText() {
  return rc::gen::exec([] {
    const int count =
        *rc::gen::oneOf(rc::gen::inRange(1, 5), rc::gen::inRange(1, 39),
                        rc::gen::just(Number::kMaxDigits));
    std::string digits;
    for (int i = 0; i < count; ++i) {
      digits += *rc::gen::elementOf(std::string("0123456789900"));
    }
    const int room = Number::kMaxMagnitude - count + 1;
    const int exponent =
        *rc::gen::oneOf(rc::gen::inRange(-3, 4), rc::gen::inRange(-40, 40),
                        rc::gen::inRange(Number::kMinMagnitude, room + 1),
                        rc::gen::elementOf(std::vector<int>{
                            Number::kMinMagnitude, room, -count, 0}));
    const std::string sign =
        *rc::gen::elementOf(std::vector<std::string>{"", "", "-", "+"});
    return absl::StrCat(sign, digits, *rc::gen::element("e", "E"), exponent);
  });
}

TEST(Number, IsWrittenWithoutExponentAndSuperfluousZeros) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1", "1"},
      {"-5", "-5"},
      {"1000", "1000"},
      {"007", "7"},
      {"001.23", "1.23"},
      {"+1.5", "1.5"},
      {"1.0", "1"},
      {"100.000", "100"},
      {"0.10", "0.1"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"-3e2", "-300"},
      {"1.5e2", "150"},
      {"123e-2", "1.23"},
      {"1e-3", "0.001"},
      {"-0", "0"},
      {"-0.0", "0"},
      {"0e5", "0"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"5.", "5"},
      {"0e999999999999", "0"},
      {"1e125", "1" + std::string(125, '0')},
      {"1e-130", "0." + std::string(129, '0') + "1"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Normalized(text), expected) << text;
  }
}

TEST(Number, KeepsThirtyEightDigits) {
  const std::string digits = "12345678901234567890123456789012345678";
  EXPECT_EQ(Normalized(digits), digits);
  EXPECT_EQ(Normalized("-0." + digits), "-0." + digits);
  EXPECT_EQ(ParseError(digits + "9"),
            "Attempting to store more than 38 significant digits in a Number");
  // Zeros at the ends don't count.
  EXPECT_EQ(Normalized("000" + digits + "000"), digits + "000");
}

TEST(Number, RefusesMagnitudesOutOfRange) {
  EXPECT_EQ(Normalized("9.9999999999999999999999999999999999999E+125"),
            std::string(38, '9') + std::string(88, '0'));
  EXPECT_EQ(ParseError("1E126"), kOverflow);
  EXPECT_EQ(ParseError("-1E126"), kOverflow);
  EXPECT_EQ(ParseError("10e125"), kOverflow);
  EXPECT_EQ(ParseError("1E-131"), kUnderflow);
  EXPECT_EQ(ParseError("0.1E-130"), kUnderflow);
  EXPECT_EQ(ParseError("1e99999999999999999999"), kOverflow);
  EXPECT_EQ(ParseError("1e-99999999999999999999"), kUnderflow);
}

TEST(Number, RefusesWhatIsNoNumber) {
  for (const char* text : {"NaN", "Infinity", "-Infinity", "dog", " 1", "1 ",
                           "1,5", "0x10", "1e", "1e+", "e5", ".", "-", "+",
                           "--1", "1.2.3", "1e5.0", "1e 5", "\xC2\xB2"}) {
    EXPECT_EQ(
        ParseError(text),
        absl::StrCat("The parameter cannot be converted to a numeric value: ",
                     text));
  }
  EXPECT_EQ(ParseError(""),
            "The parameter cannot be converted to a numeric value");
}

TEST(Number, IsMadeFromIntegers) {
  EXPECT_EQ(Number(0).ToString(), "0");
  EXPECT_EQ(Number(-1200).ToString(), "-1200");
  EXPECT_EQ(Number(INT64_MIN).ToString(), "-9223372036854775808");
  EXPECT_EQ(Number(INT64_MAX).ToString(), "9223372036854775807");
}

TEST(Number, HasTheSizeThatAwsMeasures) {
  const std::vector<std::pair<std::string, size_t>> cases = {
      {"0", 1},         {"1", 2},
      {"12", 2},        {"123", 3},
      {"1234", 3},      {"0042", 2},
      {"100", 2},       {"1010", 3},
      {"1E125", 2},     {"1E-100", 2},
      {"0.0000001", 2}, {"1.5", 3},
      {"15", 2},        {"1.200", 3},
      {"1.234", 4},     {"3.14159", 5},
      {"123456", 4},    {"100.5", 4},
      {"0.15", 2},      {"-42", 3},
      {"-0", 1},        {"12345678901234567890123456789012345678", 20},
  };
  for (const auto& [text, size] : cases) {
    EXPECT_EQ(Parse(text).SizeBytes(), size) << text;
  }
}

TEST(Number, AddsExactly) {
  const auto sum = [](absl::string_view a, absl::string_view b) {
    absl::StatusOr<Number> result = Add(Parse(a), Parse(b));
    return result.ok() ? result->ToString() : ErrorMessageOf(result.status());
  };
  EXPECT_EQ(sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(sum("5", "-5"), "0");
  EXPECT_EQ(sum("9e125", "9e124"), "99" + std::string(124, '0'));
  EXPECT_EQ(sum("9e125", "9e125"), kOverflow);
  EXPECT_EQ(sum("-9e125", "-9e125"), kOverflow);
  // AWS calls too many digits an overflow, too.
  EXPECT_EQ(sum("1e50", "1"), kOverflow);
  EXPECT_EQ(sum("1e50", "-1"), kOverflow);
  EXPECT_EQ(sum("1e38", "-1"), std::string(38, '9'));
  EXPECT_EQ(sum("1.5e38", "-1"), kOverflow);
  EXPECT_EQ(sum(std::string(38, '9'), "1"), "1" + std::string(38, '0'));
  EXPECT_EQ(sum("1.1e-130", "-1e-130"), kUnderflow);
}

RC_GTEST_PROP(NumberProperties, ParsesWhatItWrites, ()) {
  const Number number = Parse(*NumberText());
  RC_ASSERT(Parse(number.ToString()) == number);
}

RC_GTEST_PROP(NumberProperties, WritesWhatTheModelWrites, ()) {
  const std::string text = Parse(*NumberText()).ToString();
  RC_ASSERT(Decimal(text).Text() == text);
}

RC_GTEST_PROP(NumberProperties, BytesSortAsNumbersDo, ()) {
  const Number a = Parse(*NumberText());
  const Number b = Parse(*NumberText());
  const auto order = Decimal(a.ToString()).Compare(Decimal(b.ToString()));
  RC_ASSERT((a <=> b) == order);
  RC_ASSERT((a == b) == (order == 0));
  RC_ASSERT((Sortable(a).compare(Sortable(b)) <=> 0) == order);
}

RC_GTEST_PROP(NumberProperties, BytesAreReadBack, ()) {
  const Number number = Parse(*NumberText());
  const std::string bytes = Sortable(number) + "rest";
  absl::string_view rest = bytes;
  absl::StatusOr<Number> again = Number::ConsumeSortable(rest);
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == number);
  RC_ASSERT(rest == "rest");
}

RC_GTEST_PROP(NumberProperties, DamagedBytesAreRefusedOrCanonical,
              (const std::string& bytes)) {
  absl::string_view rest = bytes;
  const absl::StatusOr<Number> number = Number::ConsumeSortable(rest);
  if (number.ok()) {
    RC_ASSERT(Sortable(*number) == bytes.substr(0, bytes.size() - rest.size()));
  } else {
    RC_ASSERT(number.status().code() == absl::StatusCode::kDataLoss);
  }
}

RC_GTEST_PROP(NumberProperties, AddsAndSubtractsAsTheModelDoes, ()) {
  const Number a = Parse(*NumberText());
  const Number b = Parse(*NumberText());
  const std::optional<std::string> expected =
      Decimal(a.ToString()).Plus(Decimal(b.ToString())).Text();
  const absl::StatusOr<Number> sum = Add(a, b);
  const absl::StatusOr<Number> difference = Subtract(a, b.Negated());
  RC_TAG(expected.has_value());
  RC_ASSERT(sum.ok() == expected.has_value());
  RC_ASSERT(difference.ok() == expected.has_value());
  if (!expected.has_value()) return;
  RC_ASSERT(sum->ToString() == *expected);
  RC_ASSERT(*difference == *sum);
}

}  // namespace
}  // namespace byoshin::local::dynamodb
