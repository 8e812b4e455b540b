#include "local/stepfunctions/language/intrinsic.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

// The value as JSON, or the error and its cause.
std::string Call(absl::string_view text, absl::string_view input = "{}") {
  const absl::StatusOr<Intrinsic> intrinsic = Intrinsic::Parse(text);
  if (!intrinsic.ok()) {
    return absl::StrCat("invalid: ", intrinsic.status().message());
  }
  Random random(uint64_t{1});
  Scope scope;
  scope.input = D(input);
  scope.context = D(R"({"StateMachine": {"Name": "a-b-c"}})");
  scope.random = &random;
  const Evaluated<Data> value = intrinsic->Evaluate(scope);
  if (value.ok()) return value->ToJson();
  return absl::StrCat(value.error().error, ": ", value.error().cause);
}

bool Fails(absl::string_view text, absl::string_view input = "{}") {
  return absl::StartsWith(Call(text, input), "States.Runtime: ");
}

TEST(Intrinsic, MakesAndTakesApartArrays) {
  EXPECT_EQ(Call("States.Array()"), "[]");
  EXPECT_EQ(Call("States.Array(1, 'a', null, true, 1.5, $.x)", R"({"x":{}})"),
            R"([1,"a",null,true,1.5,{}])");
  EXPECT_EQ(Call("States.ArrayPartition($, 2)", "[1,2,3]"), "[[1,2],[3]]");
  EXPECT_EQ(Call("States.ArrayPartition($, 2.6)", "[1,2,3]"), "[[1,2],[3]]");
  EXPECT_TRUE(Fails("States.ArrayPartition($, 0.9)", "[1,2,3]"));
  EXPECT_TRUE(Fails("States.ArrayPartition($, 1)", "{}"));
  EXPECT_EQ(Call("States.ArrayContains($, 2)", "[1,2]"), "true");
  EXPECT_EQ(Call("States.ArrayContains($, '2')", "[1,2]"), "false");
  EXPECT_EQ(Call("States.ArrayContains($.a, $.b)",
                 R"({"a":[[1,2,3],2],"b":[1,2,3]})"),
            "true");
  EXPECT_EQ(Call("States.ArrayLength($)", "[1,2]"), "2");
  EXPECT_EQ(Call("States.ArrayGetItem($, 1)", "[1,2]"), "2");
  EXPECT_EQ(Call("States.ArrayGetItem($, 1)", "[]"), "null");
  EXPECT_TRUE(Fails("States.ArrayGetItem($, 2)", "[1,2]"));
  EXPECT_TRUE(Fails("States.ArrayGetItem($, -1)", "[1,2]"));
}

TEST(Intrinsic, LeavesOutRepeatedElements) {
  EXPECT_EQ(
      Call("States.ArrayUnique($)",
           R"([1,"1",1,{"a":1,"b":[]},{"b":[],"a":1},null,null,[1],[1]])"),
      R"([1,"1",{"a":1,"b":[]},null,[1]])");
  EXPECT_EQ(Call("States.ArrayUnique($)", "[true,false,true]"), "[true,false]");
}

TEST(Intrinsic, CountsUpAndDownWithTruncatedArguments) {
  EXPECT_EQ(Call("States.ArrayRange(1, 9, 2)"), "[1,3,5,7,9]");
  EXPECT_EQ(Call("States.ArrayRange(0, 9, 3)"), "[0,3,6,9]");
  EXPECT_EQ(Call("States.ArrayRange(5, 1, -2)"), "[5,3,1]");
  EXPECT_EQ(Call("States.ArrayRange(5, 1, 1)"), "[]");
  EXPECT_EQ(Call("States.ArrayRange(1.6, 1.4, 1)"), "[1]");
  EXPECT_EQ(Call("States.ArrayRange(5.4, -0.6, -2.4)"), "[5,3,1]");
  EXPECT_TRUE(Fails("States.ArrayRange(1, 10, 0)"));
  EXPECT_TRUE(Fails("States.ArrayRange(1, 10, 0.49)"));
  EXPECT_FALSE(Fails("States.ArrayRange(1, 1000, 1)"));
  EXPECT_TRUE(Fails("States.ArrayRange(1, 1001, 1)"));
  EXPECT_TRUE(Fails("States.ArrayRange('a', 5, 1)"));
}

TEST(Intrinsic, EncodesAndDecodesBase64) {
  EXPECT_EQ(Call("States.Base64Encode('Data to encode')"),
            "\"RGF0YSB0byBlbmNvZGU=\"");
  EXPECT_EQ(Call("States.Base64Decode('RGF0YSB0byBlbmNvZGU=')"),
            "\"Data to encode\"");
  EXPECT_EQ(Call("States.Base64Encode('')"), "\"\"");
  EXPECT_EQ(Call("States.Base64Decode('YWI')"), "\"ab\"");
  EXPECT_EQ(Call("States.Base64Decode('/w==')"), "\"\ufffd\"");
  EXPECT_TRUE(Fails("States.Base64Encode(1)"));
  const std::string long_text =
      absl::StrCat("\"", std::string(10'001, 'a'), "\"");
  EXPECT_TRUE(Fails("States.Base64Encode($)", long_text));
  EXPECT_TRUE(Fails("States.Base64Decode($)", long_text));
  EXPECT_TRUE(Fails("States.Hash($, 'MD5')", long_text));
}

TEST(Intrinsic, Hashes) {
  EXPECT_EQ(Call("States.Hash('input data', 'SHA-1')"),
            "\"aaff4a450a104cd177d28d18d74485e8cae074b7\"");
  EXPECT_EQ(Call("States.Hash('input data', 'SHA-256')"),
            "\"b4a697a057313163aee33cd8d40c66e9f0f177e00cac2de32475ffff6169c3e3"
            "\"");
  EXPECT_EQ(Call("States.Hash('input data', 'MD5')"),
            "\"812f45842bc6d66ee14572ce20db8e86\"");
  EXPECT_EQ(Call("States.Hash('input data', 'SHA-384')").size(), 98);
  EXPECT_EQ(Call("States.Hash('input data', 'SHA-512')").size(), 130);
  EXPECT_TRUE(Fails("States.Hash('a', 'SHA-3')"));
}

TEST(Intrinsic, ReadsWritesAndMergesJson) {
  EXPECT_EQ(Call("States.StringToJson('{\"a\": [1]}')"), R"({"a":[1]})");
  EXPECT_EQ(Call("States.StringToJson('')"), "null");
  EXPECT_EQ(Call("States.StringToJson('-0')"), "0");
  EXPECT_TRUE(Fails("States.StringToJson('{')"));
  EXPECT_EQ(Call("States.JsonToString($)", R"({"a": "x"})"),
            R"("{\"a\":\"x\"}")");
  EXPECT_EQ(Call("States.JsonMerge($.a, $.b, false)",
                 R"({"a":{"x":{"p":1},"y":1},"b":{"x":{"q":2}}})"),
            R"({"x":{"q":2},"y":1})");
  EXPECT_TRUE(Fails("States.JsonMerge($, $, true)"));
  EXPECT_TRUE(Fails("States.JsonMerge($, 1, false)"));
}

TEST(Intrinsic, AddsNumbersWithHalvesRoundedUp) {
  EXPECT_EQ(Call("States.MathAdd(-9, 3)"), "-6");
  EXPECT_EQ(Call("States.MathAdd(1.49, 1.5)"), "3");
  EXPECT_EQ(Call("States.MathAdd(1.5, 1.51)"), "4");
  EXPECT_EQ(Call("States.MathAdd(-1.49, -1.5)"), "-2");
  EXPECT_EQ(Call("States.MathAdd(-1.5, -1.51)"), "-3");
  EXPECT_EQ(Call("States.MathAdd(-0.5, 0.5)"), "1");
  EXPECT_TRUE(Fails("States.MathAdd(2147483647, 1)"));
  EXPECT_TRUE(Fails("States.MathAdd('1', 1)"));
}

TEST(Intrinsic, TakesRandomNumbersFromTheRange) {
  for (int i = 0; i < 50; ++i) {
    const std::string value = Call("States.MathRandom(1.6, 3.4)");
    EXPECT_TRUE(value == "1" || value == "2") << value;
  }
  EXPECT_EQ(Call("States.MathRandom(1, 1000, 42)"), "727");
  EXPECT_EQ(Call("States.MathRandom(1, 1000, 42)"), "727");
  EXPECT_TRUE(Fails("States.MathRandom(1.4, 1.6)"));
  EXPECT_TRUE(Fails("States.MathRandom(10, 5)"));
  EXPECT_TRUE(Fails("States.MathRandom(1, 10, null)"));
}

TEST(Intrinsic, SplitsAtEveryCharacterOfTheDelimiter) {
  EXPECT_EQ(Call("States.StringSplit('1,2,3', ',')"), R"(["1","2","3"])");
  EXPECT_EQ(Call("States.StringSplit(', , ,', ',')"), R"([" "," "])");
  EXPECT_EQ(Call("States.StringSplit(',,,,', ',')"), "[]");
  EXPECT_EQ(Call("States.StringSplit('a-b_c', '_-')"), R"(["a","b","c"])");
  EXPECT_EQ(Call("States.StringSplit('Hello\nWorld', '\n')"),
            R"(["Hello","World"])");
  EXPECT_EQ(Call("States.StringSplit('aéb', 'é')"), R"(["a","b"])");
  EXPECT_EQ(Call("States.StringSplit('ab', '')"), R"(["ab"])");
}

TEST(Intrinsic, Formats) {
  EXPECT_EQ(Call("States.Format('a {} b {}', $.x, 1.5)", R"({"x":"X"})"),
            "\"a X b 1.5\"");
  EXPECT_EQ(Call("States.Format('{}', null)"), "\"null\"");
  EXPECT_EQ(Call(R"(States.Format('it\'s \{\} and \\ {}', true))"),
            R"("it's {} and \\ true")");
  EXPECT_EQ(Call("States.Format('{} {}', $.x, $.y)",
                 R"({"x":{"Arg1":1,"Arg2":[]},"y":["a",null,{"b":"\"c\""}]})"),
            R"("{Arg1=1, Arg2=[]} [a, null, {b=\"c\"}]")");
  EXPECT_EQ(Call("States.Format('{}')"),
            "States.Runtime: The function 'States.Format('{}')' had the "
            "following error: Invalid arguments in States.Format: number of "
            "arguments do not match the occurrences of {}.");
  EXPECT_TRUE(Fails("States.Format('x', 1)"));
  EXPECT_TRUE(Fails("States.Format('{')"));
}

TEST(Intrinsic, MakesUuidsFromTheGivenChance) {
  const std::string uuid = Call("States.UUID()");
  EXPECT_EQ(uuid.size(), 38);
  EXPECT_EQ(uuid[15], '4');
  EXPECT_EQ(uuid, Call("States.UUID()"));
}

TEST(Intrinsic, Nests) {
  EXPECT_EQ(
      Call("States.ArrayGetItem(States.StringSplit($$.StateMachine.Name, '-'), "
           "States.MathAdd(States.ArrayLength(States.StringSplit("
           "$$.StateMachine.Name, '-')), -1))"),
      "\"c\"");
  std::string nested = "1";
  for (int i = 0; i < kMaxIntrinsicDepth; ++i) {
    nested = absl::StrCat("States.Array(", nested, ")");
  }
  EXPECT_EQ(Call(nested), "[[[[[[[[[[1]]]]]]]]]]");
  EXPECT_EQ(Call(absl::StrCat("States.Array(", nested, ")")),
            "invalid: intrinsic functions are nested more than 10 deep");
}

TEST(Intrinsic, SaysWhichPathFindsNothing) {
  EXPECT_EQ(Call("States.Array($.x)", R"({"y":1})"),
            "States.Runtime: The function 'States.Array($.x)' had the "
            "following error: The JsonPath argument for the field '$.x' could "
            "not be found in the input '{\"y\":1}'");
}

TEST(Intrinsic, TakesPathsWithBracketsAndFunctions) {
  EXPECT_EQ(Call("States.Array($['a,b)'], $.xs[?(@.n == 1)].n, "
                 "$.xs.length())",
                 R"json({"a,b)":1,"xs":[{"n":1},{"n":2}]})json"),
            "[1,[1],2]");
}

TEST(Intrinsic, RefusesWhatIsNotACall) {
  for (const absl::string_view text :
       {"States.Array", "States.Array(", "States.Array(1", "States.Array(1,)",
        "States.Array('a)", "States.Unknown()", "States.UUID(1)",
        "States.MathAdd(1)", "States.Array(a)", "States.Array(1) x",
        "States.Array([1])", "States.Array(\"a\")", "States.Array($.)"}) {
    EXPECT_FALSE(Intrinsic::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
