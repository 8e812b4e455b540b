#include "local/dynamodb/expressions/condition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/testing.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/testing.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kInvalid = "Invalid ConditionExpression: ";

const Request& Values() {
  static const auto* const request = new Request{
      .names = R"({"#a": "a", "#status": "status"})",
      .values = R"({":one": {"N": "1"}, ":two": {"N": "2"}, ":s": {"S": "abc"},
          ":three": {"N": "3"}, ":six": {"N": "6"},
          ":ab": {"S": "ab"}, ":B": {"B": "YWI="}, ":t": {"BOOL": true},
          ":null": {"NULL": true}, ":ss": {"SS": ["x", "y"]}, ":x": {"S": "x"},
          ":l": {"L": [{"N": "1"}]}, ":SS": {"S": "SS"}, ":m": {"M": {}}})"};
  return *request;
}

std::string Repeated(absl::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) absl::StrAppend(&all, text);
  return all;
}

TEST(Condition, Evaluates) {
  const Item item = ParseItem(R"({
      "a": {"N": "1.0"}, "b": {"N": "2"}, "s": {"S": "abcd"},
      "bin": {"B": "YWJj"}, "ss": {"SS": ["y", "x"]}, "ns": {"NS": ["1"]},
      "l": {"L": [{"N": "1"}, {"M": {"k": {"S": "abc"}}}]},
      "m": {"M": {"n": {"M": {"x": {"N": "2"}}}}}, "t": {"BOOL": true},
      "e": {"S": ""}, "status": {"S": "abc"}, "u": {"S": "é𝄞"},
      "ubin": {"B": "w6nwnYSe"}})");
  const std::vector<std::pair<bool, std::string>> cases = {
      {true, "a = :one"},
      {false, "a = :two"},
      {true, "a <> :two"},
      {true, "a <> :s"},
      {true, ":one = a"},
      {true, "a < b"},
      {false, "a < s"},
      {true, "b >= :two AND b <= :two"},
      {false, "b > :two"},
      {true, "s > :s"},
      {true, "bin > :B"},
      {true, "a BETWEEN :one AND :two"},
      {true, "a between :one and b"},
      {false, "s BETWEEN :one AND :two"},
      {true, "a IN (:two, :s, :one)"},
      {false, "a in (:two)"},
      {false, "gap IN (:one)"},
      {true, "attribute_exists(m.n.x)"},
      {false, "attribute_exists(m.n.y)"},
      {true, "attribute_exists(l[1].k)"},
      {false, "attribute_exists(l[2])"},
      {false, "attribute_exists(l.k)"},
      {true, "attribute_not_exists(gap) AND attribute_not_exists(m[0])"},
      {true, "attribute_type(ss, :SS)"},
      {false, "attribute_type(s, :SS)"},
      {true, "begins_with(s, :ab)"},
      {true, "begins_with(bin, :B)"},
      {false, "begins_with(bin, :ab)"},
      {false, "begins_with(a, :ab)"},
      {true, "contains(s, :ab)"},
      {true, "contains(ss, :x)"},
      {false, "contains(ss, :ab)"},
      {true, "contains(ns, :one)"},
      {true, "contains(l, :one)"},
      {false, "contains(l, :two)"},
      {false, "contains(a, :one)"},
      {true, "size(ss) = :two"},
      {true, "size(e) < :one"},
      // Characters beyond the first 65,536 count twice; bytes are bytes.
      {true, "size(u) = :three"},
      {true, "size(ubin) = :six"},
      {true, "size(l) >= size(ss)"},
      {false, "size(a) = :one"},
      {false, "size(gap) < :two"},
      {true, "ss = :ss"},
      // What is not there is unlike anything.
      {false, "gap = :one"},
      {true, "gap <> :one"},
      {true, "gap <> nothing"},
      {false, "gap < nothing"},
      {false, "gap BETWEEN a AND b"},
      // AND before OR, NOT before AND.
      {true, "a = :one OR a = :two AND b = :one"},
      {false, "(a = :one OR a = :two) AND b = :one"},
      {true, "NOT a = :two AND b = :two"},
      {false, "NOT (a = :one OR a = :two)"},
      {true, "not not a = :one"},
      {false, "NOT NOT NOT a = :one"},
      {true, "(a) = (:one)"},
      {true, "(m).n.x = :two"},
      {true, "(m.n).x=:two and(b)=:two"},
      {true, "#a = :one AND #status = :s"},
      {true, "attribute_exists (a)"},
      {true, "m . n . x = :two AND l [ 0 ] = :one"},
  };
  for (const auto& [expected, text] : cases) {
    EXPECT_EQ(Values().Condition(text).Evaluate(&item), expected) << text;
  }
}

TEST(Condition, TakesNoItemForAnEmptyOne) {
  EXPECT_TRUE(Values().Condition("attribute_not_exists(a)").Evaluate(nullptr));
  EXPECT_FALSE(Values().Condition("a = :one").Evaluate(nullptr));
}

TEST(Condition, TellsItsPaths) {
  const ConditionExpression condition =
      Values().Condition("#a = b.c[1] AND size((s).t) IN (:one, x)");
  std::string paths;
  for (const DocumentPath& path : condition.paths()) paths += PathText(path);
  EXPECT_EQ(paths, "[a][b, c, [1]][s][s, t][x]");
}

TEST(Condition, ReportsSyntaxErrorsAsAwsDoes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "The expression can not be empty;"},
      {"a", R"(Syntax error; token: "<EOF>", near: "a")"},
      {"a =", R"(Syntax error; token: "<EOF>", near: "=")"},
      {"a = = :one", R"(Syntax error; token: "=", near: "= = :one")"},
      {"a == :one", R"(Syntax error; token: "=", near: "== :one")"},
      {"attribute_exists()", R"x(Syntax error; token: ")", near: "()")x"},
      {"attribute_exists([1])", R"(Syntax error; token: "[", near: "([1")"},
      {"!!", R"(Syntax error; token: "!", near: "!!")"},
      {"_a = :one", R"(Syntax error; token: "_", near: "_a")"},
      {"a = : one", R"(Syntax error; token: ":", near: "= : one")"},
      {"a = :one AND", R"(Syntax error; token: "<EOF>", near: "AND")"},
      {"(a = :one", R"(Syntax error; token: "<EOF>", near: ":one")"},
      {"a = :one)", R"x(Syntax error; token: ")", near: ":one)")x"},
      {"a = :one b", R"(Syntax error; token: "b", near: ":one b")"},
      {"and = :one", R"(Syntax error; token: "and", near: "and =")"},
      {"a BETWEEN :one", R"(Syntax error; token: "<EOF>", near: ":one")"},
      {"a IN :one", R"(Syntax error; token: ":one", near: "IN :one")"},
      {"a[#a] = :one", R"(Syntax error; token: "#a", near: "[#a]")"},
      {"a.0.b = :one", R"(Syntax error; token: "0", near: ".0.")"},
      {"a = (a = :one)", R"x(Syntax error; token: "<EOF>", near: ")")x"},
      {"\xC3\xA4 = :one",
       "Syntax error; token: \"\xC3\xA4\", near: "
       "\"\xC3\xA4 =\""},
      {"a[99999999999] = :one",
       "List index is not within the allowable range; index: [99999999999]"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(Values().ConditionError(text), absl::StrCat(kInvalid, message))
        << text;
  }
}

TEST(Condition, ReportsWrongUseAsAwsDoes) {
  const std::string type =
      "Incorrect operand type for operator or function; operator or function: ";
  const std::string misuse =
      "The function is not allowed to be used this way in an expression; "
      "function: ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"((a = :one))", "The expression has redundant parentheses;"},
      {"((a)) = :one", "The expression has redundant parentheses;"},
      {"status = :one",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"a.Status = :one",
       "Attribute name is a reserved keyword; reserved keyword: Status"},
      {"#b = :one",
       "An expression attribute name used in the document path is not "
       "defined; attribute name: #b"},
      {"a = :gap",
       "An expression attribute value used in expression is not defined; "
       "attribute value: :gap"},
      {"f(a)", "Invalid function name; function: f"},
      {"SIZE(a) = :one", "Invalid function name; function: SIZE"},
      {"if_not_exists(a, :one) = :one",
       "The function is not allowed in a condition expression; function: "
       "if_not_exists"},
      {"size(a)", misuse + "size"},
      {"a = begins_with(a, :s)", misuse + "begins_with"},
      {"contains(a, contains(b, :s))", misuse + "contains"},
      {"attribute_exists(a, b)",
       "Incorrect number of operands for operator or function; operator or "
       "function: attribute_exists, number of operands: 2"},
      {"attribute_exists(:one)",
       "Operator or function requires a document path; operator or function: "
       "attribute_exists"},
      {"begins_with(a, :one)", type + "begins_with, operand type: N"},
      {"size(:one) = :one", type + "size, operand type: N"},
      {"size(size(a)) = :one", type + "size, operand type: N"},
      {"attribute_type(a, :one)", type + "attribute_type, operand type: N"},
      {"attribute_type(a, b)",
       type + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"attribute_type(a, :x)",
       "Invalid attribute type name found; type: x, valid types: "
       "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"a < :t", type + "<, operand type: BOOL"},
      {":l >= a", type + ">=, operand type: L"},
      {"a BETWEEN :null AND :one", type + "BETWEEN, operand type: NULL"},
      {"a BETWEEN :two AND :one",
       "The BETWEEN operator requires upper bound to be greater than or equal "
       "to lower bound; lower bound operand: AttributeValue: {N:2}, upper "
       "bound operand: AttributeValue: {N:1}"},
      {"a BETWEEN :one AND :s",
       "The BETWEEN operator requires same data type for lower and upper "
       "bounds; lower bound operand: AttributeValue: {N:1}, upper bound "
       "operand: AttributeValue: {S:abc}"},
      {"a.b[0] = #a.b[0]",
       "The first operand must be distinct from the remaining operands for "
       "this operator or function; operator: =, first operand: [a, b, [0]]"},
      {"contains(a, a)",
       "The first operand must be distinct from the remaining operands for "
       "this operator or function; operator: contains, first operand: [a]"},
      // Which one of several.
      {"((#b = :gap)) AND f(status)",
       "The expression has redundant parentheses;"},
      {"#b = :one AND f(status)", "Invalid function name; function: f"},
      {"#b = status",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"begins_with(a, :one) AND #b = :one",
       type + "begins_with, operand type: N"},
      {"attribute_type(#b, :one)",
       "An expression attribute name used in the document path is not "
       "defined; attribute name: #b"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(Values().ConditionError(text), absl::StrCat(kInvalid, message))
        << text;
  }
}

TEST(Condition, KeepsAwsLimits) {
  const auto error = [](absl::string_view text) {
    return Values().ConditionError(text);
  };
  EXPECT_EQ(error("a" + std::string(4096 - 8, ' ') + " = :one"), "");
  EXPECT_EQ(error("a" + std::string(4096 - 7, ' ') + " = :one"),
            "Invalid ConditionExpression: Expression size has exceeded the "
            "maximum allowed size; expression size: 4097");
  EXPECT_EQ(error("a<b" + Repeated(" or (a<b", 149) + Repeated(")", 149)), "");
  EXPECT_EQ(error("a<b" + Repeated(" or a<b", 150)),
            "Invalid ConditionExpression: The expression contains too many "
            "operators; operator count: 301");
  EXPECT_EQ(error("a IN (" + Repeated(":one,", 99) + ":one)"), "");
  EXPECT_EQ(error("a IN (" + Repeated(":one,", 100) + ":one)"),
            "Invalid ConditionExpression: The IN operator is provided with too "
            "many operands; number of operands: 101");
  EXPECT_EQ(error("a" + Repeated(".b", 32) + " = :one"),
            "Invalid ConditionExpression: The document path has too many "
            "nesting elements; nesting levels: 33");
}

TEST(Condition, SurvivesDeepNesting) {
  const auto error = [](absl::string_view text) {
    return Values().ConditionError(text);
  };
  EXPECT_EQ(error(Repeated("(", 4096)),
            "Invalid ConditionExpression: The expression has redundant "
            "parentheses;");
  EXPECT_EQ(error(Repeated("(", 2040) + "a<b" + Repeated(")", 2040)),
            "Invalid ConditionExpression: The expression has redundant "
            "parentheses;");
  EXPECT_EQ(error("a<" + Repeated("f(", 1300) + "b" + Repeated(")", 1300)),
            "Invalid ConditionExpression: Invalid function name; function: f");
  EXPECT_EQ(error(Repeated("not ", 1000) + "a<b"),
            "Invalid ConditionExpression: The expression contains too many "
            "operators; operator count: 301");
  EXPECT_EQ(error(Repeated("not(", 300) + "a<b" + Repeated(")", 300)),
            "Invalid ConditionExpression: The expression contains too many "
            "operators; operator count: 301");
  EXPECT_EQ(error(Repeated("not(", 299) + "a<b" + Repeated(")", 299)), "");
}

TEST(Condition, IsNamedAsItIsUsed) {
  ExpressionContext context;
  EXPECT_NE(ConditionExpression::Parse(ConditionUse::kFilter, "a", context)
                .status()
                .message()
                .find("Invalid FilterExpression: "),
            std::string::npos);
}

// A condition on the attributes a to d.
rc::Gen<std::string> AnyCondition() {
  const auto operand = rc::gen::element<std::string>(
      "a", "b", "c.a", "d[0]", ":one", ":ab", "size(a)", "size(b)");
  return rc::gen::exec([operand] {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        return absl::StrCat("attribute_exists(",
                            *rc::gen::element<std::string>("a", "b.c", "d[0]"),
                            ")");
      case 1:
        return absl::StrCat("contains(c, ", *operand, ")");
      case 2:
        return absl::StrCat("a IN (:one, ", *operand, ", :s)");
      default:
        return absl::StrCat(
            *operand,
            *rc::gen::element<std::string>("=", "<>", "<", "<=", ">", ">="),
            *operand);
    }
  });
}

bool Holds(const std::string& text, const Item& item) {
  // Of operands that are the same path twice nothing can be learned.
  RC_PRE(Values().ConditionError(text).empty());
  return Values().Condition(text).Evaluate(&item);
}

RC_GTEST_PROP(ConditionProperties, NotIsTheOpposite, ()) {
  const Item item = *AnyItem();
  const std::string x = *AnyCondition();
  const bool holds = Holds(x, item);
  RC_TAG(holds);
  RC_ASSERT(Holds("NOT " + x, item) == !holds);
  RC_ASSERT(Holds("NOT (NOT " + x + ")", item) == holds);
}

RC_GTEST_PROP(ConditionProperties, DeMorgan, ()) {
  const Item item = *AnyItem();
  const std::string x = *AnyCondition();
  const std::string y = *AnyCondition();
  RC_ASSERT(Holds("NOT (" + x + " AND " + y + ")", item) ==
            Holds("NOT " + x + " OR NOT " + y, item));
  RC_ASSERT(Holds("NOT (" + x + " OR " + y + ")", item) ==
            Holds("NOT " + x + " AND NOT " + y, item));
}

RC_GTEST_PROP(ConditionProperties, AndBindsCloserThanOr, ()) {
  const Item item = *AnyItem();
  const std::string x = *AnyCondition();
  const std::string y = *AnyCondition();
  const std::string z = *AnyCondition();
  RC_ASSERT(Holds(x + " OR " + y + " AND " + z, item) ==
            (Holds(x, item) || (Holds(y, item) && Holds(z, item))));
}

}  // namespace
}  // namespace byoshin::local::dynamodb
