#include "core/json/value.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::json {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Json::Value Parsed(absl::string_view text) {
  absl::StatusOr<Json::Value> value = ParseValue(text);
  EXPECT_TRUE(value.ok()) << text << ": " << value.status();
  return value.value_or(Json::Value("did not parse"));
}

// The message of the error, or "accepted".
std::string ErrorOf(absl::string_view text) {
  const absl::StatusOr<Json::Value> value = ParseValue(text);
  if (value.ok()) return "accepted";
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(value.status().message());
}

std::string Nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

TEST(ParseValue, TakesAnyKindOfValueAtTheTop) {
  EXPECT_TRUE(Parsed("null").isNull());
  EXPECT_EQ(Parsed("true"), Json::Value(true));
  EXPECT_EQ(Parsed("false"), Json::Value(false));
  EXPECT_EQ(Parsed("7"), Json::Value(Json::Int64{7}));
  EXPECT_EQ(Parsed("\"x\""), Json::Value("x"));
  EXPECT_EQ(Parsed("[]"), Json::Value(Json::arrayValue));
  EXPECT_EQ(Parsed("{}"), Json::Value(Json::objectValue));
}

TEST(ParseValue, NotesWhereEachValueStands) {
  const std::string text =
      "{\n  \"a\": [10, {\"b\": \"\\u00e9\"}],\n  \"c\": {}\n}";
  const auto text_of = [&text](const Json::Value& value) {
    return text.substr(
        static_cast<size_t>(value.getOffsetStart()),
        static_cast<size_t>(value.getOffsetLimit() - value.getOffsetStart()));
  };
  const Json::Value value = Parsed(text);
  EXPECT_EQ(text_of(value), text);
  EXPECT_EQ(text_of(value["a"]), R"([10, {"b": "\u00e9"}])");
  EXPECT_EQ(text_of(value["a"][0]), "10");
  EXPECT_EQ(text_of(value["a"][1]), R"({"b": "\u00e9"})");
  EXPECT_EQ(text_of(value["a"][1]["b"]), R"("\u00e9")");
  EXPECT_EQ(text_of(value["c"]), "{}");
  EXPECT_EQ(LineAt(text, value.getOffsetStart()), 1);
  EXPECT_EQ(LineAt(text, value["a"][1]["b"].getOffsetStart()), 2);
  EXPECT_EQ(LineAt(text, value["c"].getOffsetStart()), 3);
}

TEST(LineAt, TakesAnyOffset) {
  EXPECT_EQ(LineAt("", 0), 1);
  EXPECT_EQ(LineAt("a\nb\n", -5), 1);
  EXPECT_EQ(LineAt("a\nb\n", 1), 1);
  EXPECT_EQ(LineAt("a\nb\n", 2), 2);
  EXPECT_EQ(LineAt("a\nb\n", 500), 3);
}

TEST(ParseValue, ReadsNestedObjectsAndArrays) {
  const Json::Value value = Parsed(R"({"a":[1,{"b":null}],"c":{"d":true}})");
  EXPECT_EQ(value["a"].size(), 2u);
  EXPECT_TRUE(value["a"][1].isMember("b"));
  EXPECT_TRUE(value["a"][1]["b"].isNull());
  EXPECT_TRUE(value["c"]["d"].asBool());
}

TEST(ParseValue, SkipsTheWhitespaceOfTheStandardAndNoOther) {
  EXPECT_EQ(WriteValue(Parsed(" \t\r\n[ 1 , 2 ]\n")), "[1,2]");
  EXPECT_EQ(WriteValue(Parsed("{ \"a\"\t:\n1 , \"b\" : [ ] }")),
            R"({"a":1,"b":[]})");
  EXPECT_EQ(ErrorOf("\v1"),
            "line 1, column 1: expected a value, found byte 0x0b");
  EXPECT_EQ(ErrorOf("\f1"),
            "line 1, column 1: expected a value, found byte 0x0c");
  EXPECT_EQ(ErrorOf("\u00A01"),
            "line 1, column 1: expected a value, found byte 0xc2");
}

TEST(ParseValue, KeepsIntegersOf64BitsExactly) {
  EXPECT_EQ(Parsed("0").type(), Json::intValue);
  EXPECT_EQ(Parsed("-0"), Json::Value(Json::Int64{0}));
  EXPECT_EQ(Parsed("9223372036854775807").asInt64(),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Parsed("-9223372036854775808").asInt64(),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Parsed("9223372036854775808").type(), Json::uintValue);
  EXPECT_EQ(Parsed("18446744073709551615").asUInt64(),
            std::numeric_limits<uint64_t>::max());
}

TEST(ParseValue, ReadsEveryOtherNumberAsADouble) {
  EXPECT_EQ(Parsed("1.0").type(), Json::realValue);
  EXPECT_EQ(Parsed("1e2").type(), Json::realValue);
  EXPECT_EQ(Parsed("0.1").asDouble(), 0.1);
  EXPECT_EQ(Parsed("-2.5E-3").asDouble(), -0.0025);
  EXPECT_EQ(Parsed("1e+300").asDouble(), 1e300);
  EXPECT_EQ(Parsed("18446744073709551616").asDouble(), 18446744073709551616.0);
  EXPECT_EQ(Parsed("-9223372036854775809").type(), Json::realValue);
  EXPECT_EQ(Parsed("1e-999").asDouble(), 0.0) << "too small is zero";
}

TEST(ParseValue, RefusesNumbersTooLargeForADouble) {
  EXPECT_EQ(ErrorOf("1e999"),
            "line 1, column 1: a number too large for a double");
  EXPECT_EQ(ErrorOf("[0,-1e999]"),
            "line 1, column 4: a number too large for a double");
  EXPECT_THAT(ErrorOf(std::string(400, '9')), HasSubstr("too large"));
}

TEST(ParseValue, RefusesNumbersThatTheStandardDoesNotKnow) {
  EXPECT_EQ(ErrorOf("01"), "line 1, column 1: a number with a leading zero");
  EXPECT_EQ(ErrorOf("-01"), "line 1, column 1: a number with a leading zero");
  EXPECT_EQ(ErrorOf("00"), "line 1, column 1: a number with a leading zero");
  EXPECT_EQ(ErrorOf("-"),
            "line 1, column 2: expected a digit, found the end of the text");
  EXPECT_EQ(ErrorOf("-.5"), "line 1, column 2: expected a digit, found '.'");
  EXPECT_EQ(ErrorOf("--1"), "line 1, column 2: expected a digit, found '-'");
  EXPECT_EQ(ErrorOf("+1"), "line 1, column 1: expected a value, found '+'");
  EXPECT_EQ(ErrorOf(".5"), "line 1, column 1: expected a value, found '.'");
  EXPECT_EQ(ErrorOf("[1.]"),
            "line 1, column 4: expected a digit after the decimal point, "
            "found ']'");
  EXPECT_EQ(ErrorOf("1e"),
            "line 1, column 3: expected a digit in the exponent, found the end "
            "of the text");
  EXPECT_EQ(ErrorOf("1e+x"),
            "line 1, column 4: expected a digit in the exponent, found 'x'");
  EXPECT_EQ(ErrorOf("0x10"),
            "line 1, column 2: expected the end of the text, found 'x10'");
  EXPECT_EQ(ErrorOf("1.2.3"),
            "line 1, column 4: expected the end of the text, found '.'");
}

TEST(ParseValue, RefusesWordsOfOtherLanguages) {
  for (const absl::string_view word :
       {"NaN", "Infinity", "undefined", "True", "nul", "tru", "None"}) {
    EXPECT_EQ(
        ErrorOf(word),
        absl::StrCat("line 1, column 1: expected a value, found '", word, "'"));
  }
  EXPECT_EQ(ErrorOf("-Infinity"),
            "line 1, column 2: expected a digit, found 'Infinity'");
  EXPECT_EQ(ErrorOf("nullx"),
            "line 1, column 5: expected the end of the text, found 'x'");
}

TEST(ParseValue, RefusesCommentsAndOtherQuotes) {
  EXPECT_EQ(ErrorOf("// no\n1"),
            "line 1, column 1: expected a value, found '/'");
  EXPECT_EQ(ErrorOf("[1 /* no */]"),
            "line 1, column 4: expected ',' or ']', found '/'");
  EXPECT_EQ(ErrorOf("# no"), "line 1, column 1: expected a value, found '#'");
  EXPECT_EQ(ErrorOf("'a'"), "line 1, column 1: expected a value, found '''");
  EXPECT_EQ(ErrorOf("{a:1}"),
            "line 1, column 2: expected a key in double quotes, found 'a'");
  EXPECT_EQ(ErrorOf("{1:1}"),
            "line 1, column 2: expected a key in double quotes, found '1'");
}

TEST(ParseValue, RefusesMissingAndSuperfluousPunctuation) {
  EXPECT_EQ(ErrorOf("[1,]"), "line 1, column 4: expected a value, found ']'");
  EXPECT_EQ(ErrorOf("[,1]"), "line 1, column 2: expected a value, found ','");
  EXPECT_EQ(ErrorOf("[1 2]"),
            "line 1, column 4: expected ',' or ']', found '2'");
  EXPECT_EQ(ErrorOf("[1"),
            "line 1, column 3: expected ',' or ']', found the end of the text");
  EXPECT_EQ(ErrorOf("[1}"), "line 1, column 3: expected ',' or ']', found '}'");
  EXPECT_EQ(ErrorOf("{\"a\":1,}"),
            "line 1, column 8: expected a key in double quotes, found '}'");
  EXPECT_EQ(ErrorOf("{\"a\" 1}"), "line 1, column 6: expected ':', found '1'");
  EXPECT_EQ(ErrorOf("{\"a\":}"),
            "line 1, column 6: expected a value, found '}'");
  EXPECT_EQ(ErrorOf("{\"a\":1"),
            "line 1, column 7: expected ',' or '}', found the end of the text");
  EXPECT_EQ(ErrorOf("{"),
            "line 1, column 2: expected a key in double quotes, found the end "
            "of the text");
}

TEST(ParseValue, RefusesAnEmptyText) {
  EXPECT_EQ(ErrorOf(""),
            "line 1, column 1: expected a value, found the end of the text");
  EXPECT_EQ(ErrorOf("\n \n"),
            "line 3, column 1: expected a value, found the end of the text");
}

TEST(ParseValue, RefusesAnythingAfterTheValue) {
  EXPECT_EQ(ErrorOf("1 2"),
            "line 1, column 3: expected the end of the text, found '2'");
  EXPECT_EQ(ErrorOf("{}}"),
            "line 1, column 3: expected the end of the text, found '}'");
  EXPECT_EQ(ErrorOf(absl::string_view("1\0", 2)),
            "line 1, column 2: expected the end of the text, found byte 0x00");
}

TEST(ParseValue, RefusesAByteOrderMark) {
  EXPECT_EQ(ErrorOf("\uFEFF{}"),
            "line 1, column 1: expected a value, found byte 0xef");
}

TEST(ParseValue, RefusesDuplicateKeys) {
  EXPECT_EQ(ErrorOf(R"({"a":1, "a":2})"),
            "line 1, column 9: duplicate key \"a\"");
  EXPECT_EQ(ErrorOf(R"({"a":null,"\u0061":null})"),
            "line 1, column 11: duplicate key \"a\"")
      << "however the key is spelled";
  EXPECT_EQ(ErrorOf(R"({"a":{"a":1},"A":2})"), "accepted");
}

TEST(ParseValue, ReadsEveryEscape) {
  EXPECT_EQ(Parsed(R"("\"\\\/\b\f\n\r\t")").asString(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Parsed(R"("\u0041\u00e9\u79D2")").asString(), "Aé秒");
  EXPECT_EQ(Parsed(R"("\ud83d\ude00")").asString(), "😀");
  EXPECT_EQ(Parsed(R"("a\u0000b")").asString(), std::string("a\0b", 3));
}

TEST(ParseValue, KeepsNulBytesInKeysApart) {
  const Json::Value value = Parsed(R"({"a\u0000b":1,"a\u0000c":2,"a":3})");
  EXPECT_EQ(value.size(), 3u);
  EXPECT_EQ(WriteValue(value), R"({"a":3,"a\u0000b":1,"a\u0000c":2})");
}

TEST(ParseValue, RefusesUnknownAndBrokenEscapes) {
  EXPECT_EQ(ErrorOf(R"("\x")"),
            "line 1, column 3: expected one of \"\\/bfnrtu after a backslash, "
            "found 'x'");
  EXPECT_EQ(ErrorOf(R"("\u12")"),
            "line 1, column 6: expected four hexadecimal digits after \\u, "
            "found '\"'");
  EXPECT_EQ(ErrorOf(R"("\u12g4")"),
            "line 1, column 6: expected four hexadecimal digits after \\u, "
            "found 'g4'");
  EXPECT_EQ(ErrorOf("\"\\"),
            "line 1, column 3: expected an escape sequence, found the end of "
            "the text");
}

TEST(ParseValue, RefusesUnpairedSurrogates) {
  for (const absl::string_view text :
       {R"("\ud800")", R"("\udc00")", R"("\ud800x")", R"("\ud800\n")",
        R"("\ud800\u0041")", R"("\ud800\ud800")", R"("\udc00\ud800")"}) {
    EXPECT_EQ(ErrorOf(text), "line 1, column 2: unpaired surrogate") << text;
  }
}

TEST(ParseValue, RefusesInvalidUtf8) {
  EXPECT_EQ(ErrorOf("\"a\xFF\""), "line 1, column 3: invalid UTF-8: byte 0xff");
  EXPECT_EQ(ErrorOf("{\"\xC0\x80\":1}"),
            "line 1, column 3: invalid UTF-8: byte 0xc0");
  EXPECT_EQ(ErrorOf("\"\xED\xA0\x80\""),
            "line 1, column 2: invalid UTF-8: byte 0xed");
  EXPECT_EQ(ErrorOf("\"\xE7\xA7"),
            "line 1, column 2: invalid UTF-8: byte 0xe7");
}

TEST(ParseValue, RefusesRawControlCharactersInStrings) {
  EXPECT_EQ(ErrorOf("\"a\nb\""),
            "line 1, column 3: unescaped control character: byte 0x0a");
  EXPECT_EQ(ErrorOf(absl::string_view("\"\0\"", 3)),
            "line 1, column 2: unescaped control character: byte 0x00");
  EXPECT_EQ(Parsed("\"\x7F\"").asString(), "\x7F") << "DEL is allowed";
}

TEST(ParseValue, PointsAtTheStartOfAStringThatIsNeverClosed) {
  EXPECT_EQ(ErrorOf("{\n  \"key\": \"value\n}"),
            "line 2, column 16: unescaped control character: byte 0x0a");
  EXPECT_EQ(ErrorOf("{\n  \"key\": \"value }"),
            "line 2, column 10: a string that is never closed");
}

TEST(ParseValue, CountsColumnsInCharacters) {
  EXPECT_EQ(ErrorOf("[\n \"秒針\" x]"),
            "line 2, column 7: expected ',' or ']', found 'x'");
}

TEST(ParseValue, RefusesDeepNestingWithoutThrowing) {
  EXPECT_EQ(ErrorOf(Nested(kMaxDepth)), "accepted");
  EXPECT_EQ(ErrorOf(Nested(kMaxDepth + 1)),
            "line 1, column 129: nested deeper than 128 levels");
  EXPECT_THAT(ErrorOf(std::string(10'000'000, '[')), HasSubstr("deeper"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_THAT(ErrorOf(objects), HasSubstr("nested deeper than 128 levels"));
}

TEST(ParseValue, TakesLargeDocuments) {
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&text, i, ",");
  absl::StrAppend(&text, "\"", std::string(5'000'000, 'x'), "\"]");
  const Json::Value value = Parsed(text);
  EXPECT_EQ(value.size(), 100'001u);
  EXPECT_EQ(WriteValue(value), text);
}

TEST(ParseValue, RefusesATextThatTheTreeCouldNotHold) {
  // The length alone decides, so nothing behind the one byte is ever read.
  const char byte = '"';
  const absl::string_view huge(&byte, size_t{1} << 30);
  EXPECT_EQ(ErrorOf(huge),
            "a JSON text of 1073741824 bytes; at most 1073741823 are taken");
}

TEST(ParseValue, NeverPutsTheDocumentIntoTheError) {
  const std::string secret(10'000, 's');
  EXPECT_THAT(ErrorOf("[\"" + secret + "\" \"" + secret + "\"]"),
              SizeIs(testing::Lt(100u)));
  EXPECT_THAT(ErrorOf("[" + secret), SizeIs(testing::Lt(100u)));
  EXPECT_THAT(ErrorOf("{\"" + secret + "\":1,\"" + secret + "\":2}"),
              SizeIs(testing::Lt(150u)));
}

// Where both parsers accept a text, they must mean the same by it.
TEST(ParseValue, AgreesWithJsoncppOnWhatBothAccept) {
  const std::vector<std::string> texts = {
      R"({"a":[1,-2,3.5,1e10,true,false,null,"x\u0041\n"],"b":{"c":{}}})",
      "[0,-0,9223372036854775807,-9223372036854775808,18446744073709551615]",
      "[18446744073709551616,0.1,1e-5,123456789.987654321]",
      R"(["秒針","\ud83d\ude00","\u00e9",""])",
      "\"top\"",
      " [ ] ",
  };
  Json::CharReaderBuilder builder;
  Json::CharReaderBuilder::strictMode(&builder.settings_);
  builder["strictRoot"] = false;
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  for (const std::string& text : texts) {
    Json::Value expected;
    std::string errors;
    ASSERT_TRUE(reader->parse(text.data(), text.data() + text.size(), &expected,
                              &errors))
        << errors;
    EXPECT_EQ(Parsed(text), expected) << text;
  }
}

TEST(WriteValue, WritesOneLineWithSortedKeys) {
  Json::Value value;
  value["b"] = Json::Value(Json::arrayValue);
  value["b"].append(1);
  value["b"].append("two");
  value["a"] = Json::Value(Json::objectValue);
  value["c"] = Json::Value();
  EXPECT_EQ(WriteValue(value), R"({"a":{},"b":[1,"two"],"c":null})");
}

TEST(WriteValue, WritesNumbersExactly) {
  EXPECT_EQ(WriteValue(Json::Value(std::numeric_limits<Json::Int64>::min())),
            "-9223372036854775808");
  EXPECT_EQ(WriteValue(Json::Value(std::numeric_limits<Json::UInt64>::max())),
            "18446744073709551615");
  EXPECT_EQ(WriteValue(Json::Value(0.1)), "0.1");
  EXPECT_EQ(WriteValue(Json::Value(5.0)), "5.0");
}

TEST(WriteValue, IsValidJsonEvenForWhatJsonCannotSay) {
  Json::Value value(Json::arrayValue);
  value.append(std::numeric_limits<double>::quiet_NaN());
  value.append(std::string("\xFF\x01"));
  EXPECT_EQ(WriteValue(value), "[null,\"\uFFFD\\u0001\"]");
  Parsed(WriteValue(value));
}

TEST(WriteValue, GivesBackWhatWasParsed) {
  for (const absl::string_view text :
       {"null", "[1,2.5,-3,1e+22,\"a\\\"b\"]", R"({"":{"秒":[[]]}})"}) {
    EXPECT_EQ(WriteValue(Parsed(text)), text);
  }
}

TEST(Describe, NamesContainersAndShowsScalars) {
  EXPECT_EQ(Describe(Json::Value()), "null");
  EXPECT_EQ(Describe(Json::Value(true)), "true");
  EXPECT_EQ(Describe(Json::Value(5.5)), "5.5");
  EXPECT_EQ(Describe(Json::Value("a\n")), R"("a\n")");
  EXPECT_EQ(Describe(Json::Value(Json::arrayValue)), "an array");
  EXPECT_EQ(Describe(Json::Value(Json::objectValue)), "an object");
  EXPECT_THAT(Describe(Json::Value(std::string(1000, 'x'))),
              HasSubstr("... (1000 bytes)"));
}

}  // namespace
}  // namespace byoshin::json
