#include "core/json/text.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::json {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string Quoted(absl::string_view text) {
  std::string out;
  AppendQuoted(text, out);
  return out;
}

template <typename Float>
std::string Number(Float value) {
  std::string out;
  AppendNumber(value, out);
  return out;
}

std::string Utf8(uint32_t code_point) {
  std::string out;
  AppendUtf8(code_point, out);
  return out;
}

TEST(Utf8SequenceLength, KnowsSequencesOfEveryLength) {
  EXPECT_EQ(Utf8SequenceLength("a..."), 1u);
  EXPECT_EQ(Utf8SequenceLength("é..."), 2u);
  EXPECT_EQ(Utf8SequenceLength("秒..."), 3u);
  EXPECT_EQ(Utf8SequenceLength("😀..."), 4u);
}

TEST(Utf8SequenceLength, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(Utf8SequenceLength(""), 0u);
  EXPECT_EQ(Utf8SequenceLength("\x80"), 0u) << "continuation without a lead";
  EXPECT_EQ(Utf8SequenceLength("\xC0\x80"), 0u) << "overlong NUL";
  EXPECT_EQ(Utf8SequenceLength("\xE0\x9F\xBF"), 0u) << "overlong U+07FF";
  EXPECT_EQ(Utf8SequenceLength("\xF0\x8F\xBF\xBF"), 0u) << "overlong U+FFFF";
  EXPECT_EQ(Utf8SequenceLength("\xED\xA0\x80"), 0u) << "surrogate U+D800";
  EXPECT_EQ(Utf8SequenceLength("\xF4\x90\x80\x80"), 0u) << "U+110000";
  EXPECT_EQ(Utf8SequenceLength("\xF5\x80\x80\x80"), 0u) << "past Unicode";
  EXPECT_EQ(Utf8SequenceLength("\xE7\xA7"), 0u) << "cut short";
  EXPECT_EQ(Utf8SequenceLength("\xE7\xA7x"), 0u) << "broken off";
  EXPECT_EQ(Utf8SequenceLength("\xFF"), 0u);
}

TEST(Utf8SequenceLength, AcceptsEveryScalarValueThatAppendUtf8Writes) {
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point == 0xD800) code_point = 0xE000;
    const std::string text = Utf8(code_point);
    ASSERT_EQ(Utf8SequenceLength(text), text.size()) << code_point;
  }
}

TEST(AppendUtf8, WritesTheBytesOfTheStandard) {
  EXPECT_EQ(Utf8(0x24), "$");
  EXPECT_EQ(Utf8(0xE9), "\xC3\xA9");
  EXPECT_EQ(Utf8(0x79D2), "\xE7\xA7\x92");
  EXPECT_EQ(Utf8(0x1F600), "\xF0\x9F\x98\x80");
}

TEST(AppendQuoted, LeavesPlainTextAndUnicodeAsItIs) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("a/b <c> 秒針 😀"), R"("a/b <c> 秒針 😀")");
}

TEST(AppendQuoted, EscapesQuotesBackslashesAndControlCharacters) {
  EXPECT_EQ(Quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(Quoted(absl::string_view("\0\x01\x1F\x7F", 4)),
            R"("\u0000\u0001\u001f\u007f")");
}

TEST(AppendQuoted, ReplacesEachByteThatIsNotUtf8) {
  EXPECT_EQ(Quoted("a\xFF\xE7\xA7"), "\"a\uFFFD\uFFFD\uFFFD\"");
  EXPECT_EQ(Quoted("\xED\xA0\x80!"), "\"\uFFFD\uFFFD\uFFFD!\"");
}

TEST(AppendNumber, WritesTheShortestSpellingThatReadsBack) {
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(0.1f), "0.1");
  EXPECT_EQ(Number(-2.5), "-2.5");
  EXPECT_EQ(Number(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(Number(1e300), "1e+300");
  EXPECT_EQ(Number(std::numeric_limits<double>::max()),
            "1.7976931348623157e+308");
  EXPECT_EQ(Number(-std::numeric_limits<double>::denorm_min()), "-5e-324");
}

TEST(AppendNumber, MarksAWholeNumberAsFloatingPoint) {
  EXPECT_EQ(Number(5.0), "5.0");
  EXPECT_EQ(Number(-0.0), "-0.0");
}

TEST(AppendNumber, WritesNullForWhatJsonCannotSay) {
  EXPECT_EQ(Number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Number(-std::numeric_limits<float>::infinity()), "null");
}

TEST(CutAtCharacter, KeepsWholeCharacters) {
  EXPECT_EQ(CutAtCharacter("秒x", 4), "秒x");
  EXPECT_EQ(CutAtCharacter("秒x", 3), "秒");
  EXPECT_EQ(CutAtCharacter("秒x", 2), "");
  EXPECT_EQ(CutAtCharacter("x秒", 3), "x");
  EXPECT_EQ(CutAtCharacter("\x80\x80", 1), "");
}

TEST(Excerpt, QuotesShortTextWhole) {
  EXPECT_EQ(Excerpt("two\nlines"), R"("two\nlines")");
}

TEST(Excerpt, CutsLongTextAndTellsItsLength) {
  EXPECT_EQ(Excerpt(std::string(41, 'x')),
            '"' + std::string(40, 'x') + "\"... (41 bytes)");
  EXPECT_THAT(Excerpt(std::string(1'000'000, 'x')), SizeIs(61));
}

TEST(Excerpt, CutsBetweenCharacters) {
  // 38 bytes and then characters of three bytes: the cut falls inside one.
  const std::string text = std::string(38, 'x') + "秒秒秒";
  EXPECT_EQ(Excerpt(text), '"' + std::string(38, 'x') + "\"... (47 bytes)");
}

TEST(Excerpt, CopesWithNothingButContinuationBytes) {
  EXPECT_THAT(Excerpt(std::string(100, '\x80')), StartsWith("\"\uFFFD"));
  EXPECT_THAT(Excerpt(std::string(100, '\x80')), HasSubstr("(100 bytes)"));
}

}  // namespace
}  // namespace byoshin::json
