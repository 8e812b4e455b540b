#include "local/dynamodb/wire/shape.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gtest/gtest.h"

namespace byoshin::local::dynamodb {
namespace {

Json::Value Parse(absl::string_view text) {
  absl::StatusOr<Json::Value> value = json::ParseValue(text);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *value : Json::Value();
}

const Shape& ExampleShape() {
  static const auto* shape = new Shape(
      Struct("Example",
             {{"TableName", TableName()},
              {"Limit", Integer().Range(1, 100)},
              {"Consistent", Boolean()},
              {"Mode", String().OneOf({"A", "B"})},
              {"Item", AttributeMap()},
              {"Names", AttributeNames()},
              {"Tags", List(Struct("Tag", {{"Key", String().Required()}}))},
              {"Nested", Struct("Nested", {{"Units", Long().Range(1, {})}})},
              {"Requests", Map("java.util.List<X>", List(String()))
                               .KeysAreNames()
                               .ValueLength(2)}}));
  return *shape;
}

std::string TypeError(absl::string_view text) {
  Json::Value request = Parse(text);
  return std::string(CheckTypes(ExampleShape(), request).message());
}

std::string ConstraintError(absl::string_view text) {
  return std::string(CheckConstraints(ExampleShape(), Parse(text)).message());
}

TEST(CheckTypes, TakesWhatHasTheRightTypesAndNull) {
  EXPECT_EQ(TypeError(R"({"TableName":"abc","Limit":5,"Mode":null,
                          "Item":{"a":{"S":""},"b":{"L":[{"NULL":true}]}},
                          "Unknown":[1]})"),
            "");
}

TEST(CheckTypes, SaysWhatCannotBecomeAString) {
  EXPECT_EQ(TypeError(R"({"TableName":1})"),
            "SerializationException: NUMBER_VALUE cannot be converted to "
            "String");
  EXPECT_EQ(TypeError(R"({"TableName":1.5})"),
            "SerializationException: DECIMAL_VALUE cannot be converted to "
            "String");
  EXPECT_EQ(TypeError(R"({"TableName":true})"),
            "SerializationException: TRUE_VALUE cannot be converted to String");
  EXPECT_EQ(TypeError(R"({"TableName":[]})"),
            "SerializationException: Unrecognized collection type class "
            "java.lang.String");
  EXPECT_EQ(TypeError(R"({"TableName":{}})"),
            "SerializationException: Start of structure or map found where not "
            "expected");
}

TEST(CheckTypes, SaysWhatCannotBecomeANumberOrBoolean) {
  EXPECT_EQ(TypeError(R"({"Limit":"5"})"),
            "SerializationException: STRING_VALUE cannot be converted to "
            "Integer");
  EXPECT_EQ(TypeError(R"({"Limit":18446744073709551615})"),
            "SerializationException: NUMBER_VALUE cannot be converted to "
            "Integer");
  EXPECT_NE(TypeError(R"({"Limit":1e300})"), "");
  EXPECT_NE(TypeError(R"({"Nested":{"Units":1e300}})"), "");
  EXPECT_EQ(TypeError(R"({"Nested":{"Units":1e12}})"), "");
  EXPECT_EQ(TypeError(R"({"Consistent":1})"),
            "SerializationException: NUMBER_VALUE cannot be converted to "
            "Boolean");
  EXPECT_EQ(TypeError(R"({"Consistent":"maybe"})"),
            "SerializationException: Unexpected token received from parser");
}

TEST(CheckTypes, ConvertsAsAwsDoes) {
  Json::Value request = Parse(R"({"Consistent":"yes","Limit":2.9})");
  ASSERT_TRUE(CheckTypes(ExampleShape(), request).ok());
  EXPECT_EQ(request["Consistent"], Json::Value(true));
  EXPECT_EQ(request["Limit"].asInt(), 2);
}

TEST(CheckTypes, SaysWhatIsNoListMapOrStructure) {
  EXPECT_EQ(TypeError(R"({"Tags":"x"})"),
            "SerializationException: Unexpected field type");
  EXPECT_EQ(TypeError(R"({"Tags":["x"]})"),
            "SerializationException: Unexpected value type in payload");
  EXPECT_EQ(TypeError(R"({"Nested":"x"})"),
            "SerializationException: Unexpected field type");
  EXPECT_EQ(TypeError(R"({"Item":[]})"),
            "SerializationException: Unrecognized collection type "
            "java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_EQ(TypeError(R"({"Names":[]})"),
            "SerializationException: Unrecognized collection type "
            "java.util.Map<java.lang.String, java.lang.String>");
}

TEST(CheckTypes, LooksIntoAttributeValues) {
  EXPECT_EQ(TypeError(R"({"Item":{"a":{"N":5}}})"),
            "SerializationException: NUMBER_VALUE cannot be converted to "
            "String");
  EXPECT_EQ(TypeError(R"({"Item":{"a":{"B":"abc"}}})"),
            "SerializationException: Base64 encoded length is expected a "
            "multiple of 4 bytes but found: 3");
  EXPECT_EQ(TypeError(R"({"Item":{"a":{"L":[{"M":{"b":1}}]}}})"),
            "SerializationException: Unexpected value type in payload");
}

TEST(CheckTypes, WantsAnObject) { EXPECT_NE(TypeError("[]"), ""); }

TEST(CheckConstraints, NamesEveryParameterThatBreaksItsLimits) {
  EXPECT_EQ(
      ConstraintError(R"({"TableName":"a;","Limit":0,"Mode":"C"})"),
      "ValidationException: 3 validation errors detected: "
      "Value 'a;' at 'tableName' failed to satisfy constraint: Member must "
      "satisfy regular expression pattern: [a-zA-Z0-9_.-]+; "
      "Value '0' at 'limit' failed to satisfy constraint: Member must have "
      "value greater than or equal to 1; "
      "Value 'C' at 'mode' failed to satisfy constraint: Member must satisfy "
      "enum value set: [A, B]");
}

TEST(CheckConstraints, MissesWhatIsRequired) {
  EXPECT_EQ(ConstraintError("{}"),
            "ValidationException: 1 validation error detected: Value null at "
            "'tableName' failed to satisfy constraint: Member must not be "
            "null");
}

TEST(CheckConstraints, SaysWhereInAListTheErrorIs) {
  EXPECT_EQ(ConstraintError(R"({"TableName":"abc","Tags":[{"Key":"k"},{}]})"),
            "ValidationException: 1 validation error detected: Value null at "
            "'tags.2.member.key' failed to satisfy constraint: Member must not "
            "be null");
  EXPECT_EQ(ConstraintError(R"({"TableName":"abc","Nested":{"Units":0}})"),
            "ValidationException: 1 validation error detected: Value '0' at "
            "'nested.units' failed to satisfy constraint: Member must have "
            "value greater than or equal to 1");
}

TEST(CheckConstraints, ChecksKeysAndLengthsOfMaps) {
  EXPECT_EQ(ConstraintError(R"({"TableName":"abc","Requests":{"a;":["x"]}})"),
            "ValidationException: 1 validation error detected: Value "
            "'{\"a;\":[\"x\"]}' at 'requests' failed to satisfy constraint: "
            "Map keys must satisfy constraint: [Member must have length less "
            "than or equal to 255, Member must have length greater than or "
            "equal to 3, Member must satisfy regular expression pattern: "
            "[a-zA-Z0-9_.-]+]");
  EXPECT_NE(ConstraintError(
                R"({"TableName":"abc","Requests":{"abc":["1","2","3"]}})"),
            "");
}

TEST(CheckConstraints, TakesATablesArnForItsName) {
  EXPECT_EQ(ConstraintError(R"({"TableName":
      "arn:aws:dynamodb:eu-central-1:000000000000:table/abc"})"),
            "");
}

TEST(CheckConstraints, ListsTenErrorsAtMost) {
  std::string tags = "{}";
  for (int i = 0; i < 20; ++i) tags += ",{}";
  const std::string error =
      ConstraintError("{\"TableName\":\"abc\",\"Tags\":[" + tags + "]}");
  EXPECT_EQ(error.find("ValidationException: 10 validation errors detected"),
            0u);
}

}  // namespace
}  // namespace byoshin::local::dynamodb
