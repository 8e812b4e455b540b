// The context, projections and key conditions.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/reserved_words.h"
#include "local/dynamodb/expressions/testing.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/values/testing.h"

namespace byoshin::local::dynamodb {
namespace {

std::string ContextError(const std::string& names, const std::string& values) {
  const Request request{.names = names, .values = values};
  return ErrorMessageOf(request.Context().status());
}

TEST(ExpressionContext, RefusesWrongMembers) {
  EXPECT_EQ(ContextError("{}", ""),
            "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(ContextError("", "{}"),
            "ExpressionAttributeValues must not be empty");
  EXPECT_EQ(ContextError(R"({"a": "b"})", ""),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: "
            "\"a\"");
  EXPECT_EQ(ContextError(R"({"#a-b": "b"})", ""),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: "
            "\"#a-b\"");
  EXPECT_EQ(ContextError("", R"({":": {"N": "x"}})"),
            "ExpressionAttributeValues contains invalid key: Syntax error; "
            "key: \":\"");
  EXPECT_EQ(ContextError("", R"({":a": {"N": "x"}})"),
            "The parameter cannot be converted to a numeric value: x");
  EXPECT_EQ(ContextError("", R"({":a": {"N": "x"}, ":b": {"S": 1}})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(ContextError(R"({"#a": 1.5})", ""),
            "DECIMAL_VALUE cannot be converted to String");
}

TEST(ExpressionContext, ReportsWhatNoExpressionUses) {
  const Request request{
      .names = R"({"#a": "a", "#b": "b"})",
      .values = R"({":x": {"N": "1"}, ":y": {"N": "1"}, ":z": {"N": "1"}})"};
  ExpressionContext context = *request.Context();
  EXPECT_EQ(ErrorMessageOf(context.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: "
            "keys: {#a, #b}");
  ASSERT_TRUE(
      ConditionExpression::Parse(ConditionUse::kCondition, "#a = :y", context)
          .ok());
  ASSERT_TRUE(ProjectionExpression::Parse("#b", context).ok());
  EXPECT_EQ(ErrorMessageOf(context.CheckAllUsed()),
            "Value provided in ExpressionAttributeValues unused in "
            "expressions: keys: {:x, :z}");
  ASSERT_TRUE(ConditionExpression::Parse(ConditionUse::kFilter,
                                         ":z = c OR :x = c", context)
                  .ok());
  EXPECT_TRUE(context.CheckAllUsed().ok());
}

TEST(ReservedWords, AreThoseOfAws) {
  EXPECT_TRUE(IsReservedWord("ABORT"));
  EXPECT_TRUE(IsReservedWord("Status"));
  EXPECT_TRUE(IsReservedWord("zone"));
  EXPECT_TRUE(IsReservedWord("INNTER"));
  EXPECT_FALSE(IsReservedWord("id"));
  EXPECT_FALSE(IsReservedWord(""));
}

TEST(Projection, SelectsPartsOfAnItem) {
  const Request request{.names = R"({"#x": "a.b"})"};
  const Item item = ParseItem(
      R"({"a":{"M":{"b":{"N":"1"},"c":{"N":"2"}}},"a.b":{"S":"dot"},)"
      R"("l":{"L":[{"N":"0"},{"M":{"x":{"N":"1"},"y":{"N":"2"}}},{"N":"2"}]},)"
      R"("s":{"S":"s"}})");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"s", R"({"s":{"S":"s"}})"},
      {"gap, a.gap, l[9], s.x", "{}"},
      {"a[0], l.x", "{}"},
      {"a.c", R"({"a":{"M":{"c":{"N":"2"}}}})"},
      {"#x", R"({"a.b":{"S":"dot"}})"},
      {"l[2], l[0]", R"({"l":{"L":[{"N":"0"},{"N":"2"}]}})"},
      {"l[1].y, l[2],s",
       R"({"l":{"L":[{"M":{"y":{"N":"2"}}},{"N":"2"}]},"s":{"S":"s"}})"},
      {"a", R"({"a":{"M":{"b":{"N":"1"},"c":{"N":"2"}}}})"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(ToJson(Request{.names = text == "#x" ? request.names : ""}
                         .Projection(text)
                         .Project(item)),
              expected)
        << text;
  }
}

TEST(Projection, ReportsErrorsAsAwsDoes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "The expression can not be empty;"},
      {"a,", R"(Syntax error; token: "<EOF>", near: ",")"},
      {"l[a]", R"(Syntax error; token: "a", near: "[a]")"},
      {"!!", R"(Syntax error; token: "!", near: "!!")"},
      {"a b", R"(Syntax error; token: "b", near: "a b")"},
      {"a, status, b",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"#n",
       "An expression attribute name used in the document path is not "
       "defined; attribute name: #n"},
      {"a, b, a.c",
       "Two document paths overlap with each other; must remove or rewrite one "
       "of these paths; path one: [a], path two: [a, c]"},
      {"a.b, a[0]",
       "Two document paths conflict with each other; must remove or rewrite "
       "one of these paths; path one: [a, b], path two: [a, [0]]"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(Request().ProjectionError(text),
              absl::StrCat("Invalid ProjectionExpression: ", message))
        << text;
  }
}

const Request& ExpressionValues() {
  static const auto* const request = new Request{
      .names = R"({"#h": "h"})",
      .values = R"({":h": {"S": "x"}, ":n": {"N": "5"}, ":m": {"N": "7"},
          ":b": {"BOOL": true}, ":e": {"S": ""}})"};
  return *request;
}

// What the condition selects of a table with the keys h (S) and r.
std::string Bound(absl::string_view text, AttributeType range) {
  const absl::StatusOr<KeyCondition> condition =
      ExpressionValues().KeyCondition(text).Bind(
          {.hash = {{"h", AttributeType::kString}}, .range = {{"r", range}}});
  if (!condition.ok()) return ErrorMessageOf(condition.status());
  std::string bound = ToJson(condition->hash[0]);
  if (condition->range.has_value()) {
    absl::StrAppend(&bound, " ", static_cast<int>(condition->range->op), " ",
                    ToJson(condition->range->value));
    if (condition->range->op == RangeOperator::kBetween) {
      absl::StrAppend(&bound, " ", ToJson(condition->range->upper));
    }
  }
  return bound;
}

std::string Expected(RangeOperator op, absl::string_view values) {
  return absl::StrCat(R"({"S":"x"} )", static_cast<int>(op), " ", values);
}

TEST(KeyCondition, SelectsAPartitionAndARange) {
  constexpr auto kNumber = AttributeType::kNumber;
  const std::string five = R"({"N":"5"})";
  EXPECT_EQ(Bound("h = :h", kNumber), R"({"S":"x"})");
  EXPECT_EQ(Bound("(#h = :h)", kNumber), R"({"S":"x"})");
  EXPECT_EQ(Bound("h = :h AND r = :n", kNumber),
            Expected(RangeOperator::kEqual, five));
  EXPECT_EQ(Bound("r < :n AND :h = h", kNumber),
            Expected(RangeOperator::kLess, five));
  EXPECT_EQ(Bound("(h = :h AND (:n <= r))", kNumber),
            Expected(RangeOperator::kGreaterOrEqual, five));
  EXPECT_EQ(Bound("h = :h AND :n > r", kNumber),
            Expected(RangeOperator::kLess, five));
  EXPECT_EQ(Bound("h = :h AND r BETWEEN :n AND :m", kNumber),
            Expected(RangeOperator::kBetween, R"({"N":"5"} {"N":"7"})"));
  EXPECT_EQ(Bound("h = :h AND begins_with(r, :h)", AttributeType::kString),
            Expected(RangeOperator::kBeginsWith, R"({"S":"x"})"));
}

TEST(KeyCondition, RefusesWhatTheKeyCannotAnswer) {
  constexpr auto kNumber = AttributeType::kNumber;
  const std::string type =
      "One or more parameter values were invalid: Condition parameter type "
      "does not match schema type";
  EXPECT_EQ(Bound("r = :n", kNumber),
            "Query condition missed key schema element: h");
  EXPECT_EQ(Bound("h = :h AND extra = :n", kNumber),
            "Query condition missed key schema element: r");
  EXPECT_EQ(Bound("h = :h AND r = :n AND s = :n", kNumber),
            "The number of query conditions (3) exceeds the number of key "
            "attributes defined in the schema (2)");
  EXPECT_EQ(Bound("h > :h", kNumber), "Query key condition not supported");
  EXPECT_EQ(Bound("h = :n", kNumber), type);
  EXPECT_EQ(Bound("h = :h AND r = :h", kNumber), type);
  EXPECT_EQ(Bound("h = :e", kNumber),
            "One or more parameter values are not valid. The AttributeValue "
            "for a key attribute cannot contain an empty string value. Key: h");
  for (const char* range :
       {"r = :e", "r < :e", "r <= :e", "r > :e", "r >= :e",
        "begins_with(r, :e)", "r BETWEEN :e AND :h", "r BETWEEN :e AND :e"}) {
    EXPECT_EQ(
        Bound(absl::StrCat("h = :h AND ", range), AttributeType::kString),
        "One or more parameter values are not valid. The AttributeValue for a "
        "key attribute cannot contain an empty string value. Key: r")
        << range;
  }
  EXPECT_EQ(ErrorMessageOf(ExpressionValues()
                               .KeyCondition("h = :h AND r = :n")
                               .Bind({.hash = {{"h", AttributeType::kString}}})
                               .status()),
            "Query key condition not supported");
}

TEST(KeyCondition, ReportsErrorsAsAwsDoes) {
  const std::string prefix = "Invalid KeyConditionExpression: ";
  const std::string condition = "Invalid condition in KeyConditionExpression: ";
  const std::string op = "Invalid operator used in KeyConditionExpression: ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", prefix + "The expression can not be empty;"},
      {"h = ", prefix + R"(Syntax error; token: "<EOF>", near: "=")"},
      {"((h = :h))", prefix + "The expression has redundant parentheses;"},
      {"h = :h AND begins_with(r, :n)",
       prefix + "Incorrect operand type for operator or function; operator or "
                "function: begins_with, operand type: N"},
      {"h = :h OR r = :n", op + "OR"},
      {"NOT h = :h", op + "NOT"},
      {"h <> :h", op + "<>"},
      {"h IN (:h)", op + "IN"},
      {"attribute_exists(h)", op + "attribute_exists"},
      {"contains(h, :h)", op + "contains"},
      {"size(h) = :n",
       "KeyConditionExpressions cannot contain nested operations"},
      {"h.a = :h",
       "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"h = r", condition + "Multiple attribute names used in one condition"},
      {":h = :e", condition + "No key attribute specified"},
      {":n BETWEEN :n AND r",
       condition +
           "BETWEEN operator must have the key attribute as its first operand"},
      {"begins_with(:h, r)",
       condition +
           "begins_with operator must have the key attribute as its first "
           "operand"},
      {"h = :h AND h = :h", prefix + "KeyConditionExpressions must only "
                                     "contain one condition per key"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(ExpressionValues().KeyConditionError(text), message) << text;
  }
}

}  // namespace
}  // namespace byoshin::local::dynamodb
