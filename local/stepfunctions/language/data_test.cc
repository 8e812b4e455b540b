#include "local/stepfunctions/language/data.h"

#include <gtest/gtest.h>
#include <json/json.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

std::string Reprinted(absl::string_view text) {
  const absl::StatusOr<Data> data = Data::Parse(text);
  return data.ok() ? data->ToJson() : std::string(data.status().message());
}

TEST(Data, KeepsTheOrderOfMembers) {
  EXPECT_EQ(Reprinted(R"( {"z": 1, "a": [true, false, null, {}], "m": ""} )"),
            R"({"z":1,"a":[true,false,null,{}],"m":""})");
}

TEST(Data, TakesTheLastOfMembersWithOneName) {
  EXPECT_EQ(Reprinted(R"({"a": 1, "b": 2, "a": 3})"), R"({"a":3,"b":2})");
}

TEST(Data, KeepsIntegersAndFractionsApart) {
  EXPECT_EQ(Reprinted("[1, 1.0, -0.5, 100, 0]"), "[1,1.0,-0.5,100,0]");
  EXPECT_EQ(Reprinted("12345678901234567890123"), "12345678901234567890123");
  EXPECT_EQ(Reprinted("9223372036854775807"), "9223372036854775807");
}

TEST(Data, PrintsFractionsAsJavaDoes) {
  EXPECT_EQ(Reprinted("1e3"), "1000.0");
  EXPECT_EQ(Reprinted("9999999.5"), "9999999.5");
  EXPECT_EQ(Reprinted("1e7"), "1.0E7");
  EXPECT_EQ(Reprinted("123456789.25"), "1.2345678925E8");
  EXPECT_EQ(Reprinted("0.001"), "0.001");
  EXPECT_EQ(Reprinted("0.00012"), "1.2E-4");
  EXPECT_EQ(Reprinted("0.0"), "0.0");
  EXPECT_EQ(Reprinted("1e-999"), "0.0");
}

TEST(Data, PrintsIntegralNumbersOfJavaScriptWithoutAFraction) {
  EXPECT_EQ(Data::JavaScriptNumber(3).ToJson(), "3");
  EXPECT_EQ(Data::JavaScriptNumber(2.5).ToJson(), "2.5");
  EXPECT_EQ(Data::JavaScriptNumber(1e20).ToJson(), "100000000000000000000");
  EXPECT_TRUE(Data::JavaScriptNumber(std::numeric_limits<double>::infinity())
                  .is_null());
}

TEST(Data, ReadsAndWritesEscapes) {
  EXPECT_EQ(Reprinted(R"("\"\\\/\b\f\n\r\t\u0001\u00e4\ud83d\ude00")"),
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u00e4\U0001f600\"");
  EXPECT_EQ(Reprinted(R"("\ud83dx")"), "\"\ufffdx\"");
}

TEST(Data, RefusesWhatIsNotJson) {
  EXPECT_EQ(Reprinted(""), "line 1, column 1: unexpected end of the text");
  EXPECT_EQ(Reprinted("{\n \"a\" 1}"), "line 2, column 6: expected ':'");
  EXPECT_EQ(Reprinted("[1,]"), "line 1, column 4: expected a value");
  EXPECT_EQ(Reprinted("01"), "line 1, column 2: a number can't begin with 0");
  EXPECT_EQ(Reprinted("1."), "line 1, column 3: expected a digit");
  EXPECT_EQ(Reprinted("\"\x01\""),
            "line 1, column 2: a control character must be escaped");
  EXPECT_EQ(Reprinted("\"\xff\""), "line 1, column 2: the text is not UTF-8");
  EXPECT_EQ(Reprinted("1e999"), "line 1, column 6: a number is too large");
  EXPECT_EQ(Reprinted("1 2"), "line 1, column 3: expected the end of the text");
}

TEST(Data, RefusesTextThatIsNestedTooDeep) {
  const std::string deepest =
      std::string(kMaxDataDepth, '[') + std::string(kMaxDataDepth, ']');
  EXPECT_EQ(Reprinted(deepest), deepest);
  EXPECT_EQ(Reprinted("[" + deepest + "]"),
            "line 1, column 1001: nested too deep");
}

TEST(Data, CanBeBuiltDeeperThanTheStackAllows) {
  constexpr size_t kDepth = 300'000;
  Data data;
  for (size_t i = 0; i < kDepth; ++i) data = Data::Array({std::move(data)});
  EXPECT_EQ(data.depth(), kDepth);
  EXPECT_EQ(data.ToJson().size(), 2 * kDepth + 4);
  EXPECT_TRUE(data == data);
  EXPECT_FALSE(ToJsonValue(data).ok());
}

TEST(Data, FindsMembersOfSmallAndLargeObjects) {
  for (const int size : {0, 1, 8, 9, 16, 17, 300}) {
    ObjectBuilder builder;
    for (int i = 0; i < size; ++i) {
      builder.Set(absl::StrCat("m", i), Data::Integer(i));
    }
    const Data object = std::move(builder).Build();
    for (int i = 0; i < size; ++i) {
      const Data* const found = object.Find(absl::StrCat("m", i));
      ASSERT_NE(found, nullptr) << i << " of " << size;
      EXPECT_EQ(found->integer(), i);
    }
    EXPECT_EQ(object.Find("m"), nullptr);
  }
}

TEST(ObjectBuilder, ReplacesAndRemovesMembers) {
  for (const int size : {3, 40}) {
    ObjectBuilder builder;
    for (int i = 0; i < size; ++i) {
      builder.Set(absl::StrCat("m", i), Data::Integer(i));
    }
    builder.Set("m1", Data::String("x"));
    builder.Remove("m0");
    builder.Remove("none");
    const Data object = std::move(builder).Build();
    EXPECT_EQ(object.size(), size - 1);
    EXPECT_EQ(object.members()[0].value.string(), "x");
    EXPECT_EQ(object.Find("m0"), nullptr);
    EXPECT_EQ(object.Find("m2")->integer(), 2);
  }
}

TEST(Data, IsEqualByValue) {
  EXPECT_EQ(D(R"({"a": 1, "b": [1.0, "x"]})"), D(R"({"b":[1,"x"],"a":1})"));
  EXPECT_NE(D("[1,2]"), D("[2,1]"));
  EXPECT_NE(D(R"({"a":1})"), D(R"({"b":1})"));
  EXPECT_NE(D("1"), D("\"1\""));
  EXPECT_NE(D("true"), D("false"));
  EXPECT_EQ(D("null"), Data());
}

TEST(Data, SaturatesTheSizeOfWhatIsSharedOften) {
  Data data = Data::String("x");
  for (int i = 0; i < 200; ++i) data = Data::Array({data, data});
  EXPECT_EQ(data.JsonSize(), std::numeric_limits<size_t>::max());
}

TEST(Data, ConvertsFromAndToJsonValues) {
  const std::string text = R"({"a":[1,2.5,"x",null,true],"b":{"c":{}}})";
  const absl::StatusOr<Json::Value> value = ToJsonValue(D(text));
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(FromJsonValue(*value).ToJson(), text);
}

TEST(Data, MergesObjects) {
  EXPECT_EQ(Merged(D(R"({"a":1,"b":2})"), D(R"({"b":3,"c":4})")).ToJson(),
            R"({"a":1,"b":3,"c":4})");
}

// **Feature: stepfunctions, Property 1: Printed data is parsed as the same
// data, and its size is known before**
RC_GTEST_PROP(DataProperty, IsTheSameAfterPrintingAndParsing, ()) {
  const Data data = *AnyData(3);
  const std::string text = data.ToJson();
  RC_ASSERT(text.size() == data.JsonSize());
  const absl::StatusOr<Data> again = Data::Parse(text);
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == data);
  RC_ASSERT(again->ToJson() == text);
  RC_ASSERT(again->JsonSize() == text.size());
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
