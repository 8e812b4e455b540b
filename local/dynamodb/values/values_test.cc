// Attribute values in their forms: in memory, as JSON, as bytes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/testing.h"

namespace byoshin::local::dynamodb {
namespace {

absl::Status StatusOf(absl::string_view json) {
  return AttributeValueFromJson(*json::ParseValue(json)).status();
}

std::string ValidationOf(absl::string_view json) {
  const absl::Status status = StatusOf(json);
  EXPECT_FALSE(status.ok()) << json;
  EXPECT_FALSE(IsSerializationError(status)) << json;
  return ErrorMessageOf(status);
}

std::string SerializationOf(absl::string_view json) {
  const absl::Status status = StatusOf(json);
  EXPECT_TRUE(IsSerializationError(status)) << json;
  return ErrorMessageOf(status);
}

std::string Nested(int levels) {
  std::string json = R"({"S":"leaf"})";
  for (int i = 1; i < levels; ++i) {
    json = i % 2 == 0 ? absl::StrCat(R"({"M":{"n":)", json, "}}")
                      : absl::StrCat(R"({"L":[)", json, "]}");
  }
  return json;
}

TEST(Item, KeepsAttributesInTheOrderOfNames) {
  Item item;
  for (const char* name : {"c", "a", "b", "a"}) {
    item.Set(name, AttributeValue::String(name));
  }
  EXPECT_EQ(ToJson(item), R"({"a":{"S":"a"},"b":{"S":"b"},"c":{"S":"c"}})");
  EXPECT_TRUE(item.Erase("b"));
  EXPECT_FALSE(item.Erase("b"));
  EXPECT_EQ(item.Find("b"), nullptr);
  EXPECT_EQ(item.Find("c")->text(), "c");
  EXPECT_EQ(item.size(), 2u);
}

TEST(AttributeValueJson, IsWrittenAsAwsDoes) {
  const std::string json =
      R"({"B":{"B":"AAH/"},"BS":{"BS":["YQ==",""]},"F":{"BOOL":false},)"
      R"("L":{"L":[{"NULL":true},{"L":[]}]},"M":{"M":{"x":{"M":{}}}},)"
      R"("N":{"N":"100"},"NS":{"NS":["1","-0.5"]},"S":{"S":"a\"\nä"},)"
      R"("SS":{"SS":["b","a"]},"T":{"BOOL":true}})";
  EXPECT_EQ(ToJson(ParseItem(json)), json);
  EXPECT_EQ(ToJson(ParseValue(R"({"N":"1e2"})")), R"({"N":"100"})");
}

TEST(AttributeValueJson, TakesBooleansInWords) {
  EXPECT_EQ(ToJson(ParseValue(R"({"BOOL":"Yes"})")), R"({"BOOL":true})");
  EXPECT_EQ(ToJson(ParseValue(R"({"BOOL":"0"})")), R"({"BOOL":false})");
  EXPECT_EQ(ToJson(ParseValue(R"({"S":"a","N":null,"X":1})")), R"({"S":"a"})");
}

TEST(AttributeValueJson, RefusesWhatIsNoValue) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{}",
       "Supplied AttributeValue is empty, must contain exactly one of the "
       "supported datatypes"},
      {R"({"S":null})",
       "Supplied AttributeValue is empty, must contain exactly one of the "
       "supported datatypes"},
      {R"({"S":"a","N":"1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain "
       "exactly one of the supported datatypes"},
      {R"({"S":"a","N":"b"})",
       "The parameter cannot be converted to a numeric value: b"},
      {R"({"NULL":false})",
       "One or more parameter values were invalid: Null attribute value types "
       "must have the value of true"},
      {R"({"SS":[]})",
       "One or more parameter values were invalid: An string set  may not be "
       "empty"},
      {R"({"NS":[]})",
       "One or more parameter values were invalid: An number set  may not be "
       "empty"},
      {R"({"BS":[]})",
       "One or more parameter values were invalid: Binary sets should not be "
       "empty"},
      {R"({"SS":["a","b","a"]})",
       "One or more parameter values were invalid: Input collection [\"a\", "
       "\"b\", \"a\"] contains duplicates."},
      {R"({"NS":["1","1.0"]})",
       "One or more parameter values were invalid: Input collection contains "
       "duplicates."},
      {R"({"BS":["Yg==","Yg=="]})",
       "One or more parameter values were invalid: Input collection "
       "[\"Yg==\",\"Yg==\"]of type BS contains duplicates."},
      {R"({"L":[{"N":""}]})",
       "The parameter cannot be converted to a numeric value: "},
      {R"({"M":{"a":{"M":{"b":{}}}}})",
       "Supplied AttributeValue is empty, must contain exactly one of the "
       "supported datatypes"},
  };
  for (const auto& [json, message] : cases) {
    EXPECT_EQ(ValidationOf(json), message) << json;
  }
}

TEST(AttributeValueJson, RefusesTheWrongShape) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1", "Unexpected value type in payload"},
      {"[]",
       "Unrecognized collection type class "
       "com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"S":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"S":1.5})", "DECIMAL_VALUE cannot be converted to String"},
      {R"({"N":1})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
      {R"({"S":[]})", "Unrecognized collection type class java.lang.String"},
      {R"({"S":{}})", "Start of structure or map found where not expected"},
      {R"({"BOOL":2})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"BOOL":"maybe"})", "Unexpected token received from parser"},
      {R"({"B":true})",
       "only base-64-encoded strings are convertible to bytes"},
      {R"({"B":"abc"})",
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {R"({"B":"YR=="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"B":"Y Q="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"SS":"a"})", "Unexpected field type"},
      {R"({"L":{}})", "Start of structure or map found where not expected"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      // The shape comes first, wherever it is wrong.
      {R"({"L":[{},{"S":1}]})", "NUMBER_VALUE cannot be converted to String"},
  };
  for (const auto& [json, message] : cases) {
    EXPECT_EQ(SerializationOf(json), message) << json;
  }
}

TEST(AttributeValueJson, LimitsNesting) {
  EXPECT_EQ(NestingLevels(ParseValue(Nested(kMaxNestingLevels))), 32);
  EXPECT_EQ(ValidationOf(Nested(kMaxNestingLevels + 1)),
            "Nesting Levels have exceeded supported limits: Attributes in the "
            "item have nested levels beyond supported limit");
}

TEST(AttributeValue, IsEqualAsDynamoDbSeesIt) {
  EXPECT_EQ(ParseValue(R"({"SS":["a","b"]})"),
            ParseValue(R"({"SS":["b","a"]})"));
  EXPECT_EQ(ParseValue(R"({"NS":["1.0","2"]})"),
            ParseValue(R"({"NS":["2e0","1"]})"));
  EXPECT_EQ(ParseValue(R"({"M":{"a":{"L":[{"N":"1"}]}}})"),
            ParseValue(R"({"M":{"a":{"L":[{"N":"1.0"}]}}})"));
  EXPECT_FALSE(ParseValue(R"({"S":"YQ=="})") == ParseValue(R"({"B":"YQ=="})"));
  EXPECT_FALSE(ParseValue(R"({"SS":["a"]})") ==
               ParseValue(R"({"SS":["a","b"]})"));
  EXPECT_FALSE(ParseValue(R"({"L":[{"N":"1"},{"N":"2"}]})") ==
               ParseValue(R"({"L":[{"N":"2"},{"N":"1"}]})"));
}

TEST(AttributeValue, HasTheSizeThatAwsCounts) {
  const std::vector<std::pair<std::string, size_t>> cases = {
      {R"({"abc":{"S":"ä"}})", 3 + 2},
      {R"({"b":{"B":"AAH/"}})", 1 + 3},
      {R"({"n":{"N":"-1.5"}})", 1 + 4},
      {R"({"t":{"BOOL":true},"u":{"NULL":true}})", 1 + 1 + 1 + 1},
      {R"({"s":{"SS":["ab","c"]}})", 1 + 3},
      {R"({"l":{"L":[]}})", 1 + 3},
      {R"({"l":{"L":[{"S":"ab"},{"L":[]}]}})", 1 + 3 + (1 + 2) + (1 + 3)},
      {R"({"m":{"M":{"key":{"S":"v"}}}})", 1 + 3 + (1 + 3 + 1)},
  };
  for (const auto& [json, size] : cases) {
    EXPECT_EQ(SizeBytes(ParseItem(json)), size) << json;
  }
}

RC_GTEST_PROP(AttributeValueProperties, JsonIsReadBack, ()) {
  const AttributeValue value = *AnyValue();
  RC_ASSERT(ParseValue(ToJson(value)) == value);
  RC_ASSERT(ToJson(ParseValue(ToJson(value))) == ToJson(value));
}

RC_GTEST_PROP(AttributeValueProperties, BytesAreReadBack, ()) {
  const Item item = *AnyItem();
  const absl::StatusOr<Item> again = DeserializeItem(Serialize(item));
  RC_ASSERT(again.ok());
  RC_ASSERT(ToJson(*again) == ToJson(item));
}

RC_GTEST_PROP(AttributeValueProperties, DamagedBytesAreRefusedOrCanonical, ()) {
  std::string bytes = Serialize(*AnyItem());
  const size_t at = *rc::gen::inRange<size_t>(0, bytes.size());
  if (*rc::gen::arbitrary<bool>()) {
    bytes[at] = static_cast<char>(*rc::gen::inRange(0, 256));
  } else {
    bytes.resize(at);
  }
  const absl::StatusOr<Item> item = DeserializeItem(bytes);
  if (item.ok()) {
    RC_ASSERT(Serialize(*item) == bytes);
  } else {
    RC_ASSERT(item.status().code() == absl::StatusCode::kDataLoss);
  }
}

TEST(AttributeValueBytes, AreRefusedIfTheyNestForEver) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += std::string("\x08\x01", 2);
  EXPECT_EQ(DeserializeValue(bytes).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(DeserializeValue(std::string("\x08\xFF\xFF\xFF\xFF\x7F", 6))
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace byoshin::local::dynamodb
