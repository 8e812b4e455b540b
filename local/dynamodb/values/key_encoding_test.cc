#include "local/dynamodb/values/key_encoding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/testing.h"

namespace byoshin::local::dynamodb {
namespace {

AttributeValue S(const std::string& text) {
  return AttributeValue::String(text);
}

AttributeValue N(int64_t value) { return AttributeValue(Number(value)); }

std::string Part(const AttributeValue& value) {
  std::string bytes;
  AppendKeyPart(value, bytes);
  return bytes;
}

bool Contains(const ByteRange& range, const std::string& key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

AttributeType AnyKeyType() {
  return *rc::gen::element(AttributeType::kString, AttributeType::kNumber,
                           AttributeType::kBinary);
}

TEST(KeyPart, SortsAsTextDoes) {
  const std::vector<std::string> texts = {"",
                                          std::string(1, '\0'),
                                          std::string("\0a", 2),
                                          "\x01",
                                          "a",
                                          std::string("a\0", 2),
                                          std::string("a\0\0", 3),
                                          "a\x01",
                                          "aa",
                                          "b",
                                          "\xC3\xA4",
                                          "\xFF",
                                          "\xFF\xFF"};
  for (size_t i = 1; i < texts.size(); ++i) {
    EXPECT_LT(Part(S(texts[i - 1])), Part(S(texts[i]))) << i;
  }
}

// It places items in the store's files, and in a Scan's order. The first three
// bytes are what dynalite, which found out AWS's, says.
TEST(HashOf, NeverChanges) {
  const auto first_bytes = [](const AttributeValue& value) {
    return HashOf(value) >> 8;
  };
  EXPECT_EQ(HashOf(S("a")), 0xF6558E51u);
  EXPECT_EQ(HashOf(AttributeValue::Binary("a")), 0xF6558E51u);
  EXPECT_EQ(first_bytes(N(0)), 0xCE212Du);
  EXPECT_EQ(first_bytes(N(-12)), 0xF5E199u);
  EXPECT_EQ(first_bytes(N(123)), 0x574207u);
  EXPECT_EQ(first_bytes(ParseValue(R"({"N":"1.5"})")), 0x8158BDu);
  EXPECT_EQ(first_bytes(ParseValue(R"({"N":"-0.05"})")), 0x773BBCu);
  EXPECT_EQ(first_bytes(ParseValue(R"({"N":"1e125"})")), 0x2F2857u);
  EXPECT_EQ(first_bytes(ParseValue(
                R"({"N":"-1.2345678901234567890123456789012345678"})")),
            0x963FD1u);
}

TEST(ScanSegment, CoversEachPartitionOnce) {
  for (int total : {1, 2, 3, 7, 100, 4096, 5000}) {
    std::string last_end = "t";
    for (int segment = 0; segment < total; ++segment) {
      const ByteRange range =
          RangeOfSegment("t", {.segment = segment, .total = total});
      ASSERT_EQ(range.begin, last_end) << segment << " of " << total;
      last_end = range.end;
    }
    EXPECT_EQ(last_end, "u") << total;
  }
}

TEST(ScanSegment, MayBeOneOfAMillion) {
  for (int segment : {0, 1, 499'999, kMaxTotalSegments - 2}) {
    const ByteRange range =
        RangeOfSegment("t", {.segment = segment, .total = kMaxTotalSegments});
    const ByteRange next = RangeOfSegment(
        "t", {.segment = segment + 1, .total = kMaxTotalSegments});
    EXPECT_EQ(range.end, next.begin);
    EXPECT_LT(range.begin, range.end);
  }
}

TEST(RangeOfPrefix, EndsNowhereIfNothingFollows) {
  EXPECT_EQ(RangeOfPrefix("a\xFF").end, "b");
  EXPECT_EQ(RangeOfPrefix("\xFF\xFF").end, "");
}

RC_GTEST_PROP(KeyProperties, PartsSortAsValuesDo, ()) {
  const AttributeType type = AnyKeyType();
  const AttributeValue a = *AnyKey(type);
  const AttributeValue b = *AnyKey(type);
  RC_ASSERT((Part(a).compare(Part(b)) <=> 0) == *Compare(a, b));
}

RC_GTEST_PROP(KeyProperties, CompositesSortByTheFirstPartThenTheSecond, ()) {
  const AttributeType first = AnyKeyType();
  const AttributeType second = AnyKeyType();
  const AttributeValue a1 = *AnyKey(first);
  const AttributeValue a2 = *AnyKey(second);
  const AttributeValue b1 = *AnyKey(first);
  const AttributeValue b2 = *AnyKey(second);
  std::strong_ordering expected = *Compare(a1, b1);
  if (expected == 0) expected = *Compare(a2, b2);
  RC_ASSERT(((Part(a1) + Part(a2)).compare(Part(b1) + Part(b2)) <=> 0) ==
            expected);
}

RC_GTEST_PROP(KeyProperties, PartsAreNoBeginningsOfOthers, ()) {
  const AttributeType type = AnyKeyType();
  const std::string a = Part(*AnyKey(type));
  const std::string b = Part(*AnyKey(type));
  RC_ASSERT(a == b || b.compare(0, a.size(), a) != 0);
}

RC_GTEST_PROP(KeyProperties, RangesHoldWhatConditionsMatch, ()) {
  const AttributeType type = AnyKeyType();
  RangeCondition condition;
  condition.op = *rc::gen::element(
      RangeOperator::kEqual, RangeOperator::kLess, RangeOperator::kLessOrEqual,
      RangeOperator::kGreater, RangeOperator::kGreaterOrEqual,
      RangeOperator::kBetween, RangeOperator::kBeginsWith);
  if (type == AttributeType::kNumber) {
    RC_PRE(condition.op != RangeOperator::kBeginsWith);
  }
  condition.value = *AnyKey(type);
  condition.upper = *AnyKey(type);
  std::string partition = "table";
  AppendHashKey(*AnyKey(AnyKeyType()), partition);
  const AttributeValue value = *AnyKey(type);
  // Something may follow, as the table's key does in an index.
  const std::string key = partition + Part(value) +
                          *rc::gen::element(std::string(), std::string("\0", 1),
                                            std::string("\xFF\xFF"));
  RC_TAG(Matches(condition, value));
  RC_ASSERT(Contains(SelectRange(partition, condition), key) ==
            Matches(condition, value));
  RC_ASSERT(Contains(SelectRange(partition, std::nullopt), key));
}

}  // namespace
}  // namespace byoshin::local::dynamodb
