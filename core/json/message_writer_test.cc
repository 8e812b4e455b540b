#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "core/json/parsed.h"
#include "core/json/test_messages.pb.h"
#include "gtest/gtest.h"

namespace byoshin::json {
namespace {

TEST(ToJson, WritesEveryKindOfScalarAndTheirDefaults) {
  EXPECT_EQ(ToJson(Parsed<test::Scalars>(kScalars)), kScalars);
  EXPECT_EQ(ToJson(test::Scalars()),
            R"({"int32Value":0,"int64Value":0,"uint32Value":0,"uint64Value":0,)"
            R"("floatValue":0.0,"doubleValue":0.0,"boolValue":false,)"
            R"("stringValue":""})");
}

TEST(ToJson, WritesIntegersOf64BitsAsNumbers) {
  test::OptionalScalars message;
  message.set_int64_value(std::numeric_limits<int64_t>::min());
  message.set_uint64_value(std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(ToJson(message), R"({"int64Value":-9223372036854775808,)"
                             R"("uint64Value":18446744073709551615})");
}

TEST(ToJson, WritesOptionalScalarsOnlyWhenSet) {
  EXPECT_EQ(ToJson(test::OptionalScalars()), "{}");
  test::OptionalScalars message;
  message.set_int64_value(0);
  message.set_string_value("");
  message.set_bool_value(false);
  EXPECT_EQ(ToJson(message),
            R"({"int64Value":0,"boolValue":false,"stringValue":""})");
}

TEST(ToJson, WritesRepeatedFieldsEvenWhenEmpty) {
  test::RepeatedScalars message;
  message.add_int32_values(-1);
  message.add_uint64_values(2);
  message.add_float_values(0.1f);
  message.add_double_values(0.1);
  message.add_bool_values(true);
  message.add_string_values("a");
  message.add_string_values("b");
  EXPECT_EQ(ToJson(message),
            R"({"int32Values":[-1],"int64Values":[],"uint32Values":[],)"
            R"("uint64Values":[2],"floatValues":[0.1],"doubleValues":[0.1],)"
            R"("boolValues":[true],"stringValues":["a","b"]})");
}

TEST(ToJson, LeavesOutEmptyMapsAndUnsetMessages) {
  EXPECT_EQ(ToJson(test::Tree()), R"({"leaves":[]})");
}

TEST(ToJson, WritesNestedMessagesAndMaps) {
  constexpr absl::string_view kTree =
      R"({"leaf":{"name":"a"},"leaves":[{"name":"b"},{"name":"c"}],)"
      R"("strings":{"":"empty","k":"v"},"numbers":{"n":0},)"
      R"("namedLeaves":{"l":{"name":""}},"lists":{"x":["1","2"],"y":[]},)"
      R"("child":{"leaves":[]}})";
  EXPECT_EQ(ToJson(Parsed<test::Tree>(kTree)), kTree);
}

TEST(ToJson, SortsMapKeysByTheirBytes) {
  test::Tree tree;
  for (const char* key : {"b", "秒", "a", "B", "aa", "10", "9"}) {
    (*tree.mutable_strings())[key] = "";
  }
  EXPECT_EQ(ToJson(tree),
            R"({"leaves":[],"strings":{"10":"","9":"","B":"","a":"","aa":"",)"
            R"("b":"","秒":""}})");
}

TEST(ToJson, WritesFieldsInTheOrderOfTheSchema) {
  test::Names message;
  EXPECT_EQ(ToJson(message),
            R"({"zebra":"","with-dash":"","snakeCaseName":"","ALLCaps":""})");
}

TEST(ToJson, WritesTheMemberOfAOneofThatIsSet) {
  test::Choice choice;
  EXPECT_EQ(ToJson(choice), "{}");
  choice.set_number(0);
  EXPECT_EQ(ToJson(choice), R"({"number":0})");
}

TEST(ToJson, WritesAListMessageAsTheList) {
  test::List list;
  EXPECT_EQ(ToJson(list), "[]");
  list.add_values("a");
  EXPECT_EQ(ToJson(list), R"(["a"])");
}

TEST(ToJson, EscapesControlCharactersAndKeepsUnicode) {
  test::Leaf leaf;
  leaf.set_name("line\n\"秒\"\x01");
  EXPECT_EQ(ToJson(leaf), R"({"name":"line\n\"秒\"\u0001"})");
}

TEST(ToJson, IsValidJsonEvenForWhatJsonCannotSay) {
  test::OptionalScalars message;
  message.set_double_value(std::numeric_limits<double>::infinity());
  message.set_float_value(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(ToJson(message), R"({"floatValue":null,"doubleValue":null})");
}

TEST(UnmappedFieldsDeathTest, EndTheProcessWhenWriting) {
  EXPECT_DEATH(ToJson(test::HasEnum()),
               "HasEnum.colour: fields of type enum have no JSON mapping");
  EXPECT_DEATH(ToJson(test::HasBytes()),
               "HasBytes.data: fields of type bytes have no JSON mapping");
}

}  // namespace
}  // namespace byoshin::json
