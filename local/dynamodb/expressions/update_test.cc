#include "local/dynamodb/expressions/update.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/testing.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/testing.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kInvalidUpdate = "Invalid UpdateExpression: ";
constexpr absl::string_view kWrongType =
    "An operand in the update expression has an incorrect data type";
constexpr absl::string_view kMissing =
    "The provided expression refers to an attribute that does not exist in the "
    "item";
constexpr absl::string_view kBadPath =
    "The document path provided in the update expression is invalid for update";

const Request& UpdateValues() {
  static const auto* const request = new Request{
      .names = R"({"#a": "a", "#b": "b"})",
      .values = R"({":1": {"N": "1"}, ":2": {"N": "2"}, ":s": {"S": "x"},
          ":t": {"S": "y"}, ":l": {"L": [{"N": "8"}]}, ":ss": {"SS": ["x"]},
          ":xy": {"SS": ["y", "x"]}, ":ns": {"NS": ["1.0", "3"]},
          ":bs": {"BS": ["eA=="]}, ":m": {"M": {}}, ":big": {"N": "9e125"},
          ":b": {"BOOL": true}})"};
  return *request;
}

// The new item, or AWS's message.
std::string Applied(absl::string_view text, absl::string_view item) {
  const absl::StatusOr<Item> changed =
      UpdateValues().Update(text).Apply(ParseItem(item));
  return changed.ok() ? ToJson(*changed) : ErrorMessageOf(changed.status());
}

// As text that is short to read: numbers 1, text 'x'.
std::string List(absl::string_view numbers) {
  std::string json = R"({"a":{"L":[)";
  for (char c : numbers) {
    if (json.back() == '}') json += ',';
    absl::StrAppend(&json, R"({"N":")", absl::string_view(&c, 1), R"("})");
  }
  return json + "]}}";
}

TEST(Update, SetsAttributes) {
  EXPECT_EQ(Applied("SET a = :1, #b = :s", R"({"a":{"S":"old"}})"),
            R"({"a":{"N":"1"},"b":{"S":"x"}})");
  EXPECT_EQ(Applied("set a.b.c = :1", R"({"a":{"M":{"b":{"M":{}}}}})"),
            R"({"a":{"M":{"b":{"M":{"c":{"N":"1"}}}}}})");
  EXPECT_EQ(Applied("SET a = b, b = a", R"({"a":{"N":"1"},"b":{"N":"2"}})"),
            R"({"a":{"N":"2"},"b":{"N":"1"}})");
  EXPECT_EQ(Applied("SET b = a REMOVE a", R"({"a":{"N":"1"}})"),
            R"({"b":{"N":"1"}})");
}

TEST(Update, CalculatesAndAppends) {
  EXPECT_EQ(Applied("SET a = a + :1", R"({"a":{"N":"0.5"}})"),
            R"({"a":{"N":"1.5"}})");
  EXPECT_EQ(Applied("SET a = :2-a", R"({"a":{"N":"0.5"}})"),
            R"({"a":{"N":"1.5"}})");
  EXPECT_EQ(Applied("SET a = if_not_exists(a, :1) + :2", "{}"),
            R"({"a":{"N":"3"}})");
  EXPECT_EQ(Applied("SET a = if_not_exists(a, if_not_exists(b, :1))",
                    R"({"b":{"N":"5"}})"),
            R"({"a":{"N":"5"},"b":{"N":"5"}})");
  EXPECT_EQ(Applied("SET a = list_append(a, :l)", List("12")), List("128"));
  EXPECT_EQ(Applied("SET a = list_append(:l, a)", List("12")), List("812"));
  EXPECT_EQ(Applied("SET a = list_append(if_not_exists(b, :l), a)", List("1")),
            List("81"));
  EXPECT_EQ(Applied("SET a = ((a) + (:1))", R"({"a":{"N":"1"}})"),
            R"({"a":{"N":"2"}})");
}

TEST(Update, RefusesWhatDoesNotFitTheItem) {
  const std::string item = R"({"a":{"N":"1"},"s":{"S":"x"}})";
  EXPECT_EQ(Applied("SET b = gap", item), kMissing);
  EXPECT_EQ(Applied("SET b = gap + :1", item), kMissing);
  EXPECT_EQ(Applied("SET b = list_append(gap, :l)", item), kMissing);
  EXPECT_EQ(Applied("SET b = s + :1", item), kWrongType);
  EXPECT_EQ(Applied("SET b = list_append(:l, a)", item), kWrongType);
  EXPECT_EQ(Applied("ADD s :1", item), kWrongType);
  EXPECT_EQ(Applied("ADD a :ss", item), kWrongType);
  EXPECT_EQ(Applied("DELETE a :ss", item), kWrongType);
  for (const char* text :
       {"SET gap.b = :1", "SET a.b = :1", "SET a[0] = :1", "REMOVE gap.b",
        "REMOVE a[0]", "ADD gap.b :1", "DELETE gap.b :ss"}) {
    EXPECT_EQ(Applied(text, item), kBadPath) << text;
  }
  EXPECT_EQ(Applied("SET a = :big + :big", item),
            "Number overflow. Attempting to store a number with magnitude "
            "larger than supported range");
}

TEST(Update, CountsIndexesBeforeTheUpdate) {
  EXPECT_EQ(Applied("SET a[1] = :1", List("456")), List("416"));
  EXPECT_EQ(Applied("REMOVE a[0], a[2]", List("456")), List("5"));
  EXPECT_EQ(Applied("REMOVE a[2], a[0], a[17]", List("456")), List("5"));
  EXPECT_EQ(Applied("REMOVE a[1] SET a[3] = :1", List("234567")),
            List("24167"));
  // Beyond the end they are appended in the order of their indexes.
  EXPECT_EQ(Applied("SET a[9] = :1, a[7] = :2", List("45")), List("4521"));
  EXPECT_EQ(Applied("REMOVE a[0] SET a[9] = :1", List("45")), List("51"));
  EXPECT_EQ(Applied("REMOVE a[0] ADD a[1] :1, a[5] :2", List("45")),
            List("62"));
  EXPECT_EQ(Applied("REMOVE a[0], a[1][0]",
                    R"({"a":{"L":[{"N":"1"},{"L":[{"N":"2"}]}]}})"),
            R"({"a":{"L":[{"L":[]}]}})");
  EXPECT_EQ(Applied("DELETE a[0] :ss REMOVE a[1]",
                    R"({"a":{"L":[{"SS":["x"]},{"N":"1"},{"N":"2"}]}})"),
            R"({"a":{"L":[{"N":"2"}]}})");
}

TEST(Update, AddsAndDeletes) {
  EXPECT_EQ(Applied("ADD a :1", R"({"a":{"N":"-1"}})"), R"({"a":{"N":"0"}})");
  EXPECT_EQ(Applied("ADD a :1, b :ss", "{}"),
            R"({"a":{"N":"1"},"b":{"SS":["x"]}})");
  EXPECT_EQ(Applied("ADD a :xy", R"({"a":{"SS":["x","z"]}})"),
            R"({"a":{"SS":["x","z","y"]}})");
  EXPECT_EQ(Applied("ADD a :ns", R"({"a":{"NS":["1"]}})"),
            R"({"a":{"NS":["1","3"]}})");
  EXPECT_EQ(Applied("DELETE a :ns", R"({"a":{"NS":["1","2"]}})"),
            R"({"a":{"NS":["2"]}})");
  EXPECT_EQ(Applied("DELETE a :bs", R"({"a":{"BS":["eA==","eQ=="]}})"),
            R"({"a":{"BS":["eQ=="]}})");
  EXPECT_EQ(Applied("DELETE a :xy", R"({"a":{"SS":["x"]},"b":{"N":"1"}})"),
            R"({"b":{"N":"1"}})");
  EXPECT_EQ(Applied("DELETE a :xy", R"({"b":{"N":"1"}})"),
            R"({"b":{"N":"1"}})");
}

TEST(Update, KeepsItemsWithinTheirLimits) {
  const Request request{.values = absl::StrCat(R"({":v":{"S":")",
                                               std::string(kMaxItemBytes, 'x'),
                                               R"("}})")};
  EXPECT_EQ(ErrorMessageOf(request.Update("SET a = :v").Apply(Item()).status()),
            "Item size to update has exceeded the maximum allowed size");

  std::string deep = R"({"M":{}})";
  std::string path = "a";
  Item item;
  for (int i = 0; i < kMaxNestingLevels - 1; ++i) {
    deep = absl::StrCat(R"({"M":{"b":)", deep, "}}");
    if (i > 0) path += ".b";
  }
  item.Set("a", ParseValue(deep));
  EXPECT_EQ(ErrorMessageOf(UpdateValues()
                               .Update(absl::StrCat("SET ", path, ".b = :l"))
                               .Apply(item)
                               .status()),
            "Nesting Levels have exceeded supported limits: Attributes in the "
            "item have nested levels beyond supported limit");
}

TEST(Update, TellsWhatItTouches) {
  const UpdateExpression update = UpdateValues().Update(
      "SET a.b = :s, l[1] = :1, l[7] = :2 REMOVE l[0], gone ADD n :1");
  const Item item = ParseItem(
      R"({"a":{"M":{"b":{"S":"old"},"c":{"N":"1"}}},"k":{"S":"k"},)"
      R"("l":{"L":[{"N":"4"},{"N":"5"},{"N":"6"}]},"gone":{"N":"3"}})");
  const absl::StatusOr<Item> changed = update.Apply(item);
  ASSERT_TRUE(changed.ok());
  // As AWS gives UPDATED_OLD and UPDATED_NEW: by the same indexes in both.
  EXPECT_EQ(ToJson(Project(update.paths(), item)),
            R"({"a":{"M":{"b":{"S":"old"}}},"gone":{"N":"3"},)"
            R"("l":{"L":[{"N":"4"},{"N":"5"}]}})");
  EXPECT_EQ(ToJson(Project(update.paths(), *changed)),
            R"({"a":{"M":{"b":{"S":"x"}}},"l":{"L":[{"N":"1"},{"N":"6"}]},)"
            R"("n":{"N":"1"}})");
}

TEST(Update, TellsTypesThatTheExpressionAloneDecides) {
  const UpdateExpression update = UpdateValues().Update(
      "SET a = :s, b = a, c = if_not_exists(c, :1), d = b - :1, e.f = :1, "
      "l = list_append(a, b) REMOVE r ADD n :ns");
  EXPECT_EQ(update.KnownTypeOf("a"), AttributeType::kString);
  EXPECT_EQ(update.KnownTypeOf("b"), std::nullopt);
  EXPECT_EQ(update.KnownTypeOf("c"), AttributeType::kNumber);
  EXPECT_EQ(update.KnownTypeOf("d"), AttributeType::kNumber);
  EXPECT_EQ(update.KnownTypeOf("e"), std::nullopt);
  EXPECT_EQ(update.KnownTypeOf("l"), AttributeType::kList);
  EXPECT_EQ(update.KnownTypeOf("n"), AttributeType::kNumberSet);
  EXPECT_EQ(update.KnownTypeOf("r"), std::nullopt);
  EXPECT_TRUE(update.CreatesItem());
  EXPECT_FALSE(UpdateValues().Update("REMOVE a DELETE b :ss").CreatesItem());
}

TEST(Update, ReportsErrorsAsAwsDoes) {
  const std::string type =
      "Incorrect operand type for operator or function; operator or function: ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "The expression can not be empty;"},
      {"INVALID SYNTAX HERE",
       R"(Syntax error; token: "INVALID", near: "INVALID SYNTAX")"},
      {"SET", R"(Syntax error; token: "<EOF>", near: "SET")"},
      {"SET a = :1,", R"(Syntax error; token: "<EOF>", near: ",")"},
      {"SET a = :1 b = :2", R"(Syntax error; token: "b", near: ":1 b =")"},
      {"SET a = :1 + :1 + :1", R"(Syntax error; token: "+", near: ":1 + :1")"},
      {"SET a = (:1 + :1) + :1", R"(Syntax error; token: "+", near: ") + :1")"},
      {"SET a = if_not_exists(a, :1+:1)",
       R"(Syntax error; token: "+", near: ":1+:1")"},
      {"SET :1 = :2", R"(Syntax error; token: ":1", near: "SET :1 =")"},
      {"ADD hits : incr", R"(Syntax error; token: ":", near: "hits : incr")"},
      {"ADD a b", R"(Syntax error; token: "b", near: "a b")"},
      {"SET a[:1] = :2", R"(Syntax error; token: ":1", near: "[:1]")"},
      {"SET a = :1 SET b = :1",
       R"(The "SET" section can only be used once in an update expression;)"},
      {"SET status = :1",
       "Attribute name is a reserved keyword; reserved keyword: status"},
      {"SET #c = :1",
       "An expression attribute name used in the document path is not "
       "defined; attribute name: #c"},
      {"SET a = :gap",
       "An expression attribute value used in expression is not defined; "
       "attribute value: :gap"},
      {"SET a = f(b, c)", "Invalid function name; function: f"},
      {"SET a = contains(b, :1)",
       "The function is not allowed in an update expression; function: "
       "contains"},
      {"SET a = list_append(:l)",
       "Incorrect number of operands for operator or function; operator or "
       "function: list_append, number of operands: 1"},
      {"SET a = list_append(list_append(:l, :l), :l)",
       "The function is not allowed to be used this way in an expression; "
       "function: list_append"},
      {"SET a = if_not_exists(:1, :1)",
       "Operator or function requires a document path; operator or function: "
       "if_not_exists"},
      {"SET a = :1 + :s", type + "+, operand type: S"},
      {"SET a = list_append(a, :s)", type + "list_append, operand type: S"},
      {"ADD a :s",
       "Incorrect operand type for operator or function; operator: ADD, "
       "operand type: STRING"},
      {"DELETE a :1",
       "Incorrect operand type for operator or function; operator: DELETE, "
       "operand type: NUMBER"},
      {"SET a = :1 REMOVE #a",
       "Two document paths overlap with each other; must remove or rewrite one "
       "of these paths; path one: [a], path two: [a]"},
      {"SET a.b = :1, a.b[0].c = :1",
       "Two document paths overlap with each other; must remove or rewrite one "
       "of these paths; path one: [a, b], path two: [a, b, [0], c]"},
      {"SET a.b = :1, a[1] = :1",
       "Two document paths conflict with each other; must remove or rewrite "
       "one of these paths; path one: [a, b], path two: [a, [1]]"},
      {"SET a = (((((:1 + :b", R"(Syntax error; token: "<EOF>", near: ":b")"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(UpdateValues().UpdateError(text),
              absl::StrCat(kInvalidUpdate, message))
        << text;
  }
}

RC_GTEST_PROP(UpdateProperties, SettingAndRemovingLeavesTheRest, ()) {
  const Item item = *AnyItem();
  const absl::StatusOr<Item> set =
      UpdateValues().Update("SET zz = :1").Apply(item);
  RC_ASSERT(set.ok());
  const absl::StatusOr<Item> removed =
      UpdateValues().Update("REMOVE zz").Apply(*set);
  RC_ASSERT(removed.ok());
  RC_ASSERT(*removed == item);
}

}  // namespace
}  // namespace byoshin::local::dynamodb
