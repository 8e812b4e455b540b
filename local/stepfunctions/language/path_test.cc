#include "local/stepfunctions/language/path.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr absl::string_view kStore = R"({
  "store": {
    "book": [
      {"title": "A", "price": 8, "tags": ["x", "y"]},
      {"title": "B", "price": 12.5, "isbn": "1"},
      {"title": "C", "price": 9, "isbn": "2"}
    ],
    "owner.name": "O"
  },
  "limit": 10, "empty": [], "nothing": null, "numbers": [1, 2, 3, 4]
})";

// What the path selects, as JSON, or why it selects nothing.
std::string Select(absl::string_view text, absl::string_view input = kStore) {
  const absl::StatusOr<Path> path = Path::Parse(text);
  if (!path.ok()) return absl::StrCat("invalid: ", path.status().message());
  Scope scope;
  scope.input = D(input);
  scope.context = D(R"({"Execution": {"Id": "e"}})");
  scope.variables = D(R"({"v": {"w": [1, 2]}})");
  const PathResult result = path->Select(scope);
  if (const auto* data = std::get_if<Data>(&result)) return data->ToJson();
  return std::get<PathNotFound>(result).message;
}

TEST(Path, SelectsMembersAndElements) {
  EXPECT_EQ(Select("$.limit"), "10");
  EXPECT_EQ(Select("$['limit']"), "10");
  EXPECT_EQ(Select("$[\"limit\"]"), "10");
  EXPECT_EQ(Select("$.store['owner.name']"), "\"O\"");
  EXPECT_EQ(Select("$.store.book[0].title"), "\"A\"");
  EXPECT_EQ(Select("$.store.book[-1].title"), "\"C\"");
  EXPECT_EQ(Select("$.nothing"), "null");
  EXPECT_EQ(Select("$", "[1]"), "[1]");
  EXPECT_EQ(Select("$[0]", "[1]"), "1");
}

TEST(Path, ReadsTheContextAndVariables) {
  EXPECT_EQ(Select("$$.Execution.Id"), "\"e\"");
  EXPECT_EQ(Select("$v.w[1]"), "2");
  EXPECT_EQ(Select("$v"), R"({"w":[1,2]})");
  EXPECT_EQ(Select("$missing.w"), "The variable 'missing' does not exist");
}

TEST(Path, SaysWhereADefinitePathEnds) {
  EXPECT_EQ(Select("$.none"), "No results for path: $['none']");
  EXPECT_EQ(Select("$.none.of.it"), "Missing property in path $['none']");
  EXPECT_EQ(Select("$.store.none"), "No results for path: $['store']['none']");
  EXPECT_EQ(Select("$.numbers[9]"), "No results for path: $['numbers'][9]");
  EXPECT_EQ(Select("$.limit.x"),
            "Expected to find an object with property ['x'] in path "
            "$['limit'] but found 'number'. This is not a json object.");
}

TEST(Path, SelectsAnEmptyArrayIfAnIndefinitePathFindsNothing) {
  EXPECT_EQ(Select("$.xs[*]", "{}"), "[]");
  EXPECT_EQ(Select("$[*]", "{}"), "[]");
  EXPECT_EQ(Select("$.item.items[1:5]", "{}"), "[]");
  EXPECT_EQ(Select("$.items[:1].itemValue", "{}"), "[]");
  EXPECT_EQ(Select("$..none"), "[]");
  EXPECT_EQ(Select("$.store.book[?(@.price > 100)]"), "[]");
}

TEST(Path, SelectsByWildcardSliceAndSeveralNames) {
  EXPECT_EQ(Select("$.store.book[*].title"), R"(["A","B","C"])");
  EXPECT_EQ(Select("$.numbers[1:3]"), "[2,3]");
  EXPECT_EQ(Select("$.numbers[:2]"), "[1,2]");
  EXPECT_EQ(Select("$.numbers[-2:]"), "[3,4]");
  EXPECT_EQ(Select("$.numbers[0,2]"), "[1,3]");
  EXPECT_EQ(Select("$.store.book[0]['title','price']"), R"(["A",8])");
  EXPECT_EQ(Select("$.a.*", R"({"a": {"x": 1, "y": 2}})"), "[1,2]");
}

TEST(Path, ScansAllBelow) {
  EXPECT_EQ(Select("$..title"), R"(["A","B","C"])");
  EXPECT_EQ(Select("$..[0]", R"({"a": [[1], 2]})"), "[[1],1]");
  EXPECT_EQ(Select("$..*", R"({"a": [1]})"), "[[1],1]");
}

TEST(Path, Filters) {
  EXPECT_EQ(Select("$.store.book[?(@.price < 10)].title"), R"(["A","C"])");
  EXPECT_EQ(Select("$.store.book[?(@.price < $.limit)].title"), R"(["A","C"])");
  EXPECT_EQ(Select("$.store.book[?(@.isbn)].title"), R"(["B","C"])");
  EXPECT_EQ(Select("$.store.book[?(!@.isbn)].title"), R"(["A"])");
  EXPECT_EQ(Select("$.store.book[?(@.title == 'B')].price"), "[12.5]");
  EXPECT_EQ(Select("$.store.book[?(@['title'] != \"B\")].price"), "[8,9]");
  EXPECT_EQ(Select("$.store.book[?(@.isbn && @.price <= 9)].title"),
            R"(["C"])");
  EXPECT_EQ(Select("$.store.book[?(@.title=='A' || @.title=='C')].title"),
            R"(["A","C"])");
  EXPECT_EQ(Select("$.store.book[?((@.price>8) && !(@.isbn=='1'))].title"),
            R"(["C"])");
  EXPECT_EQ(Select("$.store.book[?(@.title =~ /[ab]/i)].title"),
            R"(["A","B"])");
  EXPECT_EQ(Select("$.store.book[?(@.title in ['A','C'])].title"),
            R"(["A","C"])");
  EXPECT_EQ(Select("$.store.book[?(@.title nin ['A'])].title"), R"(["B","C"])");
  EXPECT_EQ(Select("$.store.book[?(@.tags contains 'x')].title"), R"(["A"])");
  EXPECT_EQ(Select("$.store.book[?(@.tags size 2)].title"), R"(["A"])");
  EXPECT_EQ(Select("$.store.book[?(@.tags empty false)].title"), R"(["A"])");
  EXPECT_EQ(Select("$.numbers[?(@ >= 3)]"), "[3,4]");
}

TEST(Path, CallsFunctions) {
  EXPECT_EQ(Select("$.numbers.length()"), "4");
  EXPECT_EQ(Select("$.store.book[*].price.length()"), "3");
  EXPECT_EQ(Select("$.numbers.sum()"), "10.0");
  EXPECT_EQ(Select("$.numbers.avg()"), "2.5");
  EXPECT_EQ(Select("$.numbers.min()"), "1.0");
  EXPECT_EQ(Select("$.numbers.max()"), "4.0");
  EXPECT_EQ(Select("$.numbers.first()"), "1");
  EXPECT_EQ(Select("$.numbers.last()"), "4");
  EXPECT_EQ(Select("$.store.keys()"), R"(["book","owner.name"])");
  EXPECT_EQ(
      Select("$.empty.sum()"),
      "Aggregation function attempted to calculate value using empty array");
}

TEST(Path, UnescapesQuotedNames) {
  EXPECT_EQ(Select(R"($['Test\""Name"'])", R"({"Test\\\"\"Name\"": 1})"), "1");
  EXPECT_EQ(Select(R"($['it\'s'])", R"({"it's": 1})"), "1");
}

TEST(Path, RefusesWhatIsNotAPath) {
  for (const absl::string_view text : {"",
                                       "a",
                                       "$.",
                                       "$..",
                                       "$[",
                                       "$[]",
                                       "$['a'",
                                       "$['a",
                                       "$[1",
                                       "$[a]",
                                       "$.a b",
                                       "$[?]",
                                       "$[?(]",
                                       "$[?(@.a ==)]",
                                       "$[?(@.a)",
                                       "$.f(1)",
                                       "$.unknown()",
                                       "$.a.length().b",
                                       "$[?(@.a =~ /[/)]",
                                       "$[1:2:3]"}) {
    EXPECT_FALSE(Path::Parse(text).ok()) << text;
  }
  EXPECT_FALSE(Path::Parse(absl::StrCat("$[?(", std::string(100, '('), "@.a",
                                        std::string(100, ')'), ")]"))
                   .ok());
  EXPECT_FALSE(Path::Parse("$" + std::string(kMaxPathLength, 'a')).ok());
}

TEST(Path, BoundsTheWorkOfRepeatedScans) {
  std::string text = "1";
  for (int i = 0; i < 60; ++i) text = absl::StrCat("[", text, ",[1]]");
  EXPECT_EQ(Select("$..*..*..*..*..*..*", text),
            "The path visits too many values");
}

std::string Put(absl::string_view path, absl::string_view document) {
  const absl::StatusOr<ReferencePath> reference = ReferencePath::Parse(path);
  if (!reference.ok()) return "invalid";
  const Evaluated<Data> changed = reference->Put(D(document), D("\"new\""));
  if (changed.ok()) return changed->ToJson();
  return absl::StrCat(changed.error().error, ": ", changed.error().cause);
}

TEST(ReferencePath, ReplacesAndCreates) {
  EXPECT_EQ(Put("$", R"({"a":1})"), "\"new\"");
  EXPECT_EQ(Put("$.a", R"({"a":1,"b":2})"), R"({"a":"new","b":2})");
  EXPECT_EQ(Put("$.c.d", R"({"a":1})"), R"({"a":1,"c":{"d":"new"}})");
  EXPECT_EQ(Put("$['a b']", "{}"), R"({"a b":"new"})");
  EXPECT_EQ(Put("$.xs[1]", R"({"xs":[1,2,3]})"), R"({"xs":[1,"new",3]})");
}

TEST(ReferencePath, RefusesPlacesThatCannotExist) {
  EXPECT_EQ(Put("$.a", "[1]"),
            "States.ReferencePathConflict: Unable to apply step \"a\" to input "
            "[1]");
  EXPECT_EQ(Put("$.a.b", R"({"a":"x"})"),
            "States.ReferencePathConflict: Unable to apply step \"b\" to input "
            "{\"a\":\"x\"}");
  EXPECT_EQ(Put("$.xs[1]", R"({"xs":[1]})"),
            "States.ReferencePathConflict: Unable to apply step \"1\" to input "
            "{\"xs\":[1]}");
}

TEST(ReferencePath, NamesOnePlace) {
  for (const absl::string_view text :
       {"a", "$$.a", "$v.a", "$.a[*]", "$..a", "$.a[0:1]", "$.a[?(@.b)]",
        "$['a','b']", "$.a.length()", "$.a[-1]"}) {
    EXPECT_FALSE(ReferencePath::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
