#include <json/json.h>

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "core/json/parsed.h"
#include "core/json/test_messages.pb.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"

namespace byoshin::json {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The message of the error, or "accepted".
template <typename T>
std::string ErrorOf(absl::string_view json) {
  const absl::StatusOr<T> message = FromJson<T>(json);
  if (message.ok()) return "accepted";
  EXPECT_EQ(message.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(message.status().message());
}

// What is said of a Scalars whose member `name` has the JSON value `value`.
std::string ScalarError(absl::string_view name, absl::string_view value) {
  absl::StatusOr<Json::Value> object = ParseValue(kScalars);
  absl::StatusOr<Json::Value> member = ParseValue(value);
  EXPECT_TRUE(object.ok() && member.ok());
  (*object)[std::string(name)] = *member;
  return ErrorOf<test::Scalars>(WriteValue(*object));
}

TEST(FromJson, ReadsEveryKindOfScalar) {
  const auto message = Parsed<test::Scalars>(kScalars);
  EXPECT_EQ(message.int32_value(), -1);
  EXPECT_EQ(message.int64_value(), -2);
  EXPECT_EQ(message.uint32_value(), 3u);
  EXPECT_EQ(message.uint64_value(), 4u);
  EXPECT_EQ(message.float_value(), 0.5f);
  EXPECT_EQ(message.double_value(), 0.25);
  EXPECT_TRUE(message.bool_value());
  EXPECT_EQ(message.string_value(), "x");
}

TEST(FromJson, RequiresEveryPlainScalar) {
  for (const absl::string_view name :
       {"int32Value", "int64Value", "uint32Value", "uint64Value", "floatValue",
        "doubleValue", "boolValue", "stringValue"}) {
    absl::StatusOr<Json::Value> object = ParseValue(kScalars);
    ASSERT_TRUE(object.ok());
    object->removeMember(std::string(name));
    EXPECT_EQ(ErrorOf<test::Scalars>(WriteValue(*object)),
              absl::StrCat(name, ": required, but missing"));
    EXPECT_EQ(ScalarError(name, "null"),
              absl::StrCat(name, ": required, but null"));
  }
}

TEST(FromJson, TakesIntegersUpToTheLimitsOfTheirType) {
  EXPECT_EQ(ScalarError("int32Value", "-2147483648"), "accepted");
  EXPECT_EQ(ScalarError("int32Value", "2147483647"), "accepted");
  EXPECT_EQ(ScalarError("uint32Value", "4294967295"), "accepted");
  EXPECT_EQ(ScalarError("int64Value", "9223372036854775807"), "accepted");
  EXPECT_EQ(ScalarError("uint64Value", "18446744073709551615"), "accepted");
}

TEST(FromJson, RefusesIntegersOutOfRange) {
  EXPECT_EQ(ScalarError("int32Value", "2147483648"),
            "int32Value: expected a 32-bit integer, found 2147483648");
  EXPECT_EQ(ScalarError("int32Value", "-2147483649"),
            "int32Value: expected a 32-bit integer, found -2147483649");
  EXPECT_EQ(ScalarError("uint32Value", "-1"),
            "uint32Value: expected an unsigned 32-bit integer, found -1");
  EXPECT_EQ(ScalarError("uint32Value", "4294967296"),
            "uint32Value: expected an unsigned 32-bit integer, found "
            "4294967296");
  EXPECT_EQ(ScalarError("int64Value", "9223372036854775808"),
            "int64Value: expected a 64-bit integer, found 9223372036854775808");
  EXPECT_EQ(ScalarError("uint64Value", "-1"),
            "uint64Value: expected an unsigned 64-bit integer, found -1");
  EXPECT_EQ(ScalarError("uint64Value", "18446744073709551616"),
            "uint64Value: expected an unsigned 64-bit integer, found "
            "18446744073709551616.0");
}

TEST(FromJson, TakesForAnIntegerOnlyWhatIsWrittenAsOne) {
  EXPECT_EQ(ScalarError("int64Value", "\"5\""),
            "int64Value: expected a 64-bit integer, found \"5\"");
  EXPECT_EQ(ScalarError("int64Value", "5.5"),
            "int64Value: expected a 64-bit integer, found 5.5");
  EXPECT_EQ(ScalarError("int64Value", "5.0"),
            "int64Value: expected a 64-bit integer, found 5.0");
  EXPECT_EQ(ScalarError("int64Value", "1e2"),
            "int64Value: expected a 64-bit integer, found 100.0");
  EXPECT_EQ(ScalarError("int64Value", "true"),
            "int64Value: expected a 64-bit integer, found true");
  EXPECT_EQ(ScalarError("int64Value", "[5]"),
            "int64Value: expected a 64-bit integer, found an array");
  EXPECT_EQ(ScalarError("int64Value", "{}"),
            "int64Value: expected a 64-bit integer, found an object");
}

TEST(FromJson, TakesForABooleanOnlyTrueAndFalse) {
  EXPECT_EQ(ScalarError("boolValue", "false"), "accepted");
  EXPECT_EQ(ScalarError("boolValue", "1"),
            "boolValue: expected true or false, found 1");
  EXPECT_EQ(ScalarError("boolValue", "\"true\""),
            "boolValue: expected true or false, found \"true\"");
}

TEST(FromJson, TakesForAStringOnlyAString) {
  EXPECT_EQ(ScalarError("stringValue", "\"\""), "accepted");
  EXPECT_EQ(ScalarError("stringValue", "5"),
            "stringValue: expected a string, found 5");
  EXPECT_EQ(ScalarError("stringValue", "false"),
            "stringValue: expected a string, found false");
}

TEST(FromJson, TakesAnyNumberInRangeForFloatingPoint) {
  EXPECT_EQ(ScalarError("doubleValue", "5"), "accepted");
  EXPECT_EQ(ScalarError("doubleValue", "-1e300"), "accepted");
  EXPECT_EQ(ScalarError("floatValue", "3.4028234663852886e38"), "accepted");
  EXPECT_EQ(ScalarError("floatValue", "1e39"),
            "floatValue: expected a number within 32 bits, found 1e+39");
  EXPECT_EQ(ScalarError("doubleValue", "\"5\""),
            "doubleValue: expected a number, found \"5\"");
  EXPECT_EQ(ScalarError("doubleValue", "true"),
            "doubleValue: expected a number, found true");
}

TEST(FromJson, LeavesOptionalScalarsUnsetWhereMissingOrNull) {
  const auto missing = Parsed<test::OptionalScalars>("{}");
  EXPECT_FALSE(missing.has_int64_value());
  const auto null = Parsed<test::OptionalScalars>(
      R"({"int64Value":null,"stringValue":null,"boolValue":null})");
  EXPECT_FALSE(null.has_int64_value());
  EXPECT_FALSE(null.has_string_value());
  EXPECT_FALSE(null.has_bool_value());
}

TEST(FromJson, SetsOptionalScalarsEvenToTheirDefault) {
  const auto message = Parsed<test::OptionalScalars>(
      R"({"int64Value":0,"stringValue":"","boolValue":false})");
  EXPECT_TRUE(message.has_int64_value());
  EXPECT_TRUE(message.has_string_value());
  EXPECT_TRUE(message.has_bool_value());
}

TEST(FromJson, ChecksTheTypeOfOptionalScalarsToo) {
  EXPECT_EQ(ErrorOf<test::OptionalScalars>(R"({"int64Value":"0"})"),
            "int64Value: expected a 64-bit integer, found \"0\"");
}

TEST(FromJson, ReadsRepeatedFields) {
  const auto message = Parsed<test::RepeatedScalars>(
      R"({"int32Values":[1,2],"int64Values":[3],"uint32Values":[4],)"
      R"("uint64Values":[5],"floatValues":[0.5],"doubleValues":[6,0.5],)"
      R"("boolValues":[true,false],"stringValues":["","x"]})");
  EXPECT_THAT(message.int32_values(), ElementsAre(1, 2));
  EXPECT_THAT(message.int64_values(), ElementsAre(3));
  EXPECT_THAT(message.uint32_values(), ElementsAre(4));
  EXPECT_THAT(message.uint64_values(), ElementsAre(5));
  EXPECT_THAT(message.float_values(), ElementsAre(0.5f));
  EXPECT_THAT(message.double_values(), ElementsAre(6, 0.5));
  EXPECT_THAT(message.bool_values(), ElementsAre(true, false));
  EXPECT_THAT(message.string_values(), ElementsAre("", "x"));
}

TEST(FromJson, ReadsAMissingOrNullListAsEmpty) {
  EXPECT_THAT(Parsed<test::RepeatedScalars>("{}").int64_values(), IsEmpty());
  EXPECT_THAT(
      Parsed<test::RepeatedScalars>(R"({"int64Values":null})").int64_values(),
      IsEmpty());
}

TEST(FromJson, NamesTheElementOfAListThatIsWrong) {
  EXPECT_EQ(ErrorOf<test::RepeatedScalars>(R"({"int64Values":[0,1,"2"]})"),
            "int64Values[2]: expected a 64-bit integer, found \"2\"");
  EXPECT_EQ(ErrorOf<test::RepeatedScalars>(R"({"stringValues":["a",null]})"),
            "stringValues[1]: expected a string, found null");
  EXPECT_EQ(ErrorOf<test::RepeatedScalars>(R"({"int64Values":{}})"),
            "int64Values: expected an array, found an object");
  EXPECT_EQ(ErrorOf<test::RepeatedScalars>(R"({"int64Values":5})"),
            "int64Values: expected an array, found 5");
}

TEST(FromJson, ReadsMessagesListsOfThemAndMaps) {
  const auto tree = Parsed<test::Tree>(
      R"({"leaf":{"name":"a"},"leaves":[{"name":"b"},{"name":"c"}],)"
      R"("strings":{"k":"v","":"empty"},"numbers":{"n":9007199254740993},)"
      R"("namedLeaves":{"l":{"name":"d"}},"lists":{"x":["1","2"],"y":[]},)"
      R"("child":{"leaf":{"name":"e"}}})");
  EXPECT_EQ(tree.leaf().name(), "a");
  ASSERT_THAT(tree.leaves(), SizeIs(2));
  EXPECT_EQ(tree.leaves(1).name(), "c");
  EXPECT_THAT(tree.strings(), SizeIs(2));
  EXPECT_EQ(tree.strings().at("k"), "v");
  EXPECT_EQ(tree.strings().at(""), "empty");
  EXPECT_EQ(tree.numbers().at("n"), 9007199254740993);
  EXPECT_EQ(tree.named_leaves().at("l").name(), "d");
  EXPECT_THAT(tree.lists().at("x").values(), ElementsAre("1", "2"));
  EXPECT_THAT(tree.lists().at("y").values(), IsEmpty());
  EXPECT_EQ(tree.child().leaf().name(), "e");
}

TEST(FromJson, LeavesMessagesAndMapsUnsetWhereMissingOrNull) {
  for (const absl::string_view json :
       {"{}", R"({"leaf":null,"leaves":null,"strings":null,"lists":null})"}) {
    const auto tree = Parsed<test::Tree>(json);
    EXPECT_FALSE(tree.has_leaf());
    EXPECT_THAT(tree.leaves(), IsEmpty());
    EXPECT_THAT(tree.strings(), IsEmpty());
    EXPECT_THAT(tree.lists(), IsEmpty());
  }
}

TEST(FromJson, NamesTheWholePathOfWhatIsWrong) {
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"leaves":[{"name":"a"},{"name":"b"},{}]})"),
            "leaves[2].name: required, but missing");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"leaves":[null]})"),
            "leaves[0]: expected an object, found null");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"child":{"child":{"leaf":{"name":1}}}})"),
            "child.child.leaf.name: expected a string, found 1");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"strings":{"a":"b","c\n":null}})"),
            R"(strings["c\n"]: expected a string, found null)");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"namedLeaves":{"l":{"name":[]}}})"),
            R"(namedLeaves["l"].name: expected a string, found an array)");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"lists":{"x":["a",1]}})"),
            R"(lists["x"][1]: expected a string, found 1)");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"lists":{"x":{"values":[]}}})"),
            R"(lists["x"]: expected an array, found an object)");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"strings":[]})"),
            "strings: expected an object, found an array");
  EXPECT_EQ(ErrorOf<test::Tree>(R"({"leaf":"a"})"),
            "leaf: expected an object, found \"a\"");
}

TEST(FromJson, WantsAnObjectAtTheTop) {
  EXPECT_EQ(ErrorOf<test::Tree>("[]"),
            "top level: expected an object, found an array");
  EXPECT_EQ(ErrorOf<test::Tree>("null"),
            "top level: expected an object, found null");
  EXPECT_EQ(ErrorOf<test::List>("{}"),
            "top level: expected an array, found an object");
}

TEST(FromJson, PassesOnWhereTheTextIsNotJson) {
  EXPECT_EQ(ErrorOf<test::Leaf>("{\n\"name\": oops}"),
            "line 2, column 9: expected a value, found 'oops'");
}

TEST(FromJson, IgnoresUnknownFieldsWhateverTheyHold) {
  EXPECT_EQ(Parsed<test::Leaf>(
                R"({"new":{"a":[1,null]},"name":"x","Name":1,"na.me":{}})")
                .name(),
            "x");
}

TEST(FromJson, GoesByTheJsonNameAlone) {
  const auto message = Parsed<test::Names>(
      R"({"zebra":"z","with-dash":"d","snakeCaseName":"s","ALLCaps":"c"})");
  EXPECT_EQ(message.zebra(), "z");
  EXPECT_EQ(message.with_dash(), "d");
  EXPECT_EQ(message.snake_case_name(), "s");
  EXPECT_EQ(message.all_caps(), "c");
  EXPECT_EQ(ErrorOf<test::Names>(
                R"({"zebra":"z","with_dash":"d","snake_case_name":"s"})"),
            "with-dash: required, but missing");
}

TEST(FromJson, TakesOneMemberOfAOneofAndRefusesTwo) {
  EXPECT_EQ(Parsed<test::Choice>(R"({"number":5})").number(), 5);
  EXPECT_EQ(Parsed<test::Choice>(R"({"text":"a","number":null})").text(), "a");
  EXPECT_EQ(Parsed<test::Choice>("{}").choice_case(),
            test::Choice::CHOICE_NOT_SET);
  EXPECT_EQ(ErrorOf<test::Choice>(R"({"number":5,"text":"a"})"),
            "number: not allowed beside \"text\"");
}

TEST(FromJson, KeepsUnicodeAndNulBytesInStrings) {
  EXPECT_EQ(Parsed<test::Leaf>(R"({"name":"秒\u91dd\u0000."})").name(),
            absl::StrCat("秒針", std::string(1, '\0'), "."));
}

TEST(FromJson, CutsLongValuesAndKeysInErrors) {
  const std::string secret(10'000, 's');
  EXPECT_THAT(ScalarError("int64Value", "\"" + secret + "\""),
              SizeIs(testing::Lt(150u)));
  EXPECT_THAT(ErrorOf<test::Tree>(R"({"strings":{")" + secret + R"(":1}})"),
              SizeIs(testing::Lt(150u)));
}

TEST(ParseJson, ReplacesWhatTheMessageHeld) {
  test::OptionalScalars message;
  message.set_int64_value(1);
  message.set_string_value("old");
  ASSERT_TRUE(ParseJson(R"({"stringValue":"new"})", message).ok());
  EXPECT_FALSE(message.has_int64_value());
  EXPECT_EQ(message.string_value(), "new");
}

TEST(ParseJson, LeavesTheMessageEmptyAfterAnError) {
  for (const absl::string_view json :
       {"not JSON", R"({"int64Value":1,"stringValue":5})"}) {
    test::OptionalScalars message;
    message.set_bool_value(true);
    EXPECT_FALSE(ParseJson(json, message).ok());
    EXPECT_EQ(message.ByteSizeLong(), 0u) << json;
  }
}

TEST(FromValue, ReadsAPartOfADocument) {
  absl::StatusOr<Json::Value> document =
      ParseValue(R"({"parts":[{"name":"a"},{"name":1}]})");
  ASSERT_TRUE(document.ok());
  const absl::StatusOr<test::Leaf> good =
      FromValue<test::Leaf>((*document)["parts"][0]);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->name(), "a");
  EXPECT_EQ(FromValue<test::Leaf>((*document)["parts"][1]).status().message(),
            "name: expected a string, found 1");
}

TEST(FromValue, RefusesNumbersThatAreNotFinite) {
  absl::StatusOr<Json::Value> object = ParseValue(kScalars);
  ASSERT_TRUE(object.ok());
  (*object)["doubleValue"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FromValue<test::Scalars>(*object).status().message(),
            "doubleValue: expected a number within 64 bits, found null");
}

// The status of reading `{}` as a message whose schema has no JSON form.
template <typename T>
std::string UnmappedError() {
  const absl::Status status = FromJson<T>("{}").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  return absl::StrReplaceAll(status.message(), {{"byoshin.json.test.", ""}});
}

TEST(UnmappedFields, AreNamedWhenReadingEvenIfTheTextLacksThem) {
  EXPECT_EQ(UnmappedError<test::HasEnum>(),
            "HasEnum.colour: fields of type enum have no JSON mapping");
  EXPECT_EQ(UnmappedError<test::HasRepeatedEnum>(),
            "HasRepeatedEnum.colours: fields of type enum have no JSON "
            "mapping");
  EXPECT_EQ(UnmappedError<test::HasBytes>(),
            "HasBytes.data: fields of type bytes have no JSON mapping");
  EXPECT_EQ(UnmappedError<test::HasNumberKeys>(),
            "HasNumberKeys.strings: maps whose keys are not strings have no "
            "JSON mapping");
  EXPECT_EQ(UnmappedError<test::HasEnumMap>(),
            "HasEnumMap.ColoursEntry.value: fields of type enum have no JSON "
            "mapping");
  EXPECT_EQ(UnmappedError<test::HasListNameBesideAnother>(),
            "HasListNameBesideAnother.values: fields named \".\" that are not "
            "repeated and alone have no JSON mapping");
  EXPECT_EQ(UnmappedError<test::HasSingularListName>(),
            "HasSingularListName.value: fields named \".\" that are not "
            "repeated and alone have no JSON mapping");
}

TEST(UnmappedFields, IncludeTheWellKnownTypes) {
  EXPECT_THAT(UnmappedError<google::protobuf::FileDescriptorProto>(),
              HasSubstr("protobuf's well-known types have no JSON mapping"));
}

TEST(UnmappedFields, MatterOnlyWhereTheirMessageIsPresent) {
  EXPECT_EQ(ErrorOf<test::HoldsUnmapped>("{}"), "accepted");
  EXPECT_EQ(FromJson<test::HoldsUnmapped>(R"({"inner":{}})").status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace byoshin::json
