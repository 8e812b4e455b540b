// PostgreSQL itself tells whether the parameters of a statement were found: a
// list of expressions, with colons and quotation marks in all places, must give
// the values that it was made from.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/postgres_client/connection.h"
#include "local/rdsdata/sql_parameters.h"
#include "local/rdsdata/testing/test_clusters.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"

namespace byoshin::properties {
namespace {

using local::postgres_client::Connection;
using local::postgres_client::Parameter;
using local::postgres_client::Result;
using local::rdsdata::NumberedSql;
using local::rdsdata::NumberParameters;
using local::rdsdata::TestClusters;

// An expression, and what PostgreSQL prints of its value.
struct Item {
  std::string sql{};
  std::string value{};
};

// Text in which a scanner could go wrong.
std::string AnyText() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>(":x", ":1", "::", "'", "\"", "$", "$$",
                                    "$t$", "--", "/*", "*/", "\\", "[1:2]",
                                    "\n", " ", "a", "E", ":=", "é", ";"));
  return absl::StrJoin(pieces, "");
}

std::string Doubled(absl::string_view text, absl::string_view quote) {
  return absl::StrReplaceAll(text, {{quote, absl::StrCat(quote, quote)}});
}

// A comment without what would end it.
std::string AnyComment() {
  const std::string text = AnyText();
  if (*rc::gen::arbitrary<bool>()) {
    return absl::StrCat("--", absl::StrReplaceAll(text, {{"\n", " "}}), "\n");
  }
  const std::string inner =
      absl::StrReplaceAll(text, {{"*/", ""}, {"/*", ""}, {"\\", ""}});
  return absl::StrCat("/* ", inner, " /* ", inner, " */ ", inner, " */");
}

// What stands between the tokens of an expression.
std::string AnyGap() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return AnyComment();
    case 1:
      return "\n";
    default:
      return " ";
  }
}

// A literal. A tag must not end inside of it.
Item AnyLiteral() {
  const std::string text = AnyText();
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return {absl::StrCat("'", Doubled(text, "'"), "'"), text};
    case 1:
      return {
          absl::StrCat(
              "E'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}}),
              "'"),
          text};
    case 2:
      return {absl::StrCat("$other$", text, "$other$"), text};
    default: {
      const std::string plain = absl::StrReplaceAll(text, {{"$", ""}});
      return {absl::StrCat("$$", plain, "$$"), plain};
    }
  }
}

// A parameter of this number, in an expression.
Item AnyUse(int number, const std::string& value) {
  const std::string name = absl::StrCat(":p", number);
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return {absl::StrCat(name, "::text"), value};
    case 1:
      return {absl::StrCat("CAST(", AnyGap(), name, AnyGap(), "AS text)"),
              value};
    case 2:
      return {absl::StrCat("(ARRAY[", name, ",", name, "])[1:1]::text[]",
                           " = ARRAY[", name, "]"),
              "t"};
    case 3:
      return {absl::StrCat("(ARRAY['a', ", name, "])[1 :2][2]"), "{}"};
    case 4:
      return {absl::StrCat("concat(", name, ",':p", number, "')"),
              absl::StrCat(value, ":p", number)};
    default:
      return {absl::StrCat("'<'||", name, "||'>'"),
              absl::StrCat("<", value, ">")};
  }
}

std::unique_ptr<Connection> Connect(TestClusters& clusters) {
  return *Connection::Connect(
      {.keywords = *clusters.Connectable(local::rdsdata::kTestCluster,
                                         TestClusters::superuser("postgres"))});
}

// **Feature: rdsdata, Property 1: for any statement, exactly the colons that
// PostgreSQL would not take for something else are parameters**
TEST(ScannerProperty, FindsWhatPostgresqlDoesNotTakeForSomethingElse) {
  TestClusters clusters;
  const std::unique_ptr<Connection> db = Connect(clusters);
  CheckProperty([&db] {
    const auto values = *rc::gen::container<std::vector<std::string>>(
        3, rc::gen::exec(AnyText));
    std::vector<Item> items;
    const int count = *rc::gen::inRange(1, 8);
    for (int i = 0; i < count; ++i) {
      const int number = *rc::gen::inRange(0, 3);
      items.push_back(*rc::gen::arbitrary<bool>()
                          ? AnyLiteral()
                          : AnyUse(number, values[number]));
    }
    std::string sql = absl::StrCat("SELECT", AnyGap());
    for (std::size_t i = 0; i < items.size(); ++i) {
      absl::StrAppend(&sql, i == 0 ? "" : ",", AnyGap(), items[i].sql, AnyGap(),
                      "AS \":p", i, "\"");
    }
    const NumberedSql numbered =
        NumberParameters(sql, [](absl::string_view) { return true; });
    std::vector<Parameter> parameters;
    for (const std::string& name : numbered.names) {
      RC_ASSERT(name == "p0" || name == "p1" || name == "p2");
      parameters.push_back({.value = values[name[1] - '0'], .type = 25});
    }
    const absl::StatusOr<Result> result = db->Execute(numbered.sql, parameters);
    RC_LOG() << numbered.sql << "\n" << result.status() << "\n";
    RC_ASSERT(result.ok());
    for (std::size_t i = 0; i < items.size(); ++i) {
      RC_ASSERT(std::string(result->Text(0, static_cast<int>(i))) ==
                items[i].value);
      RC_ASSERT(result->column(static_cast<int>(i)).name ==
                absl::StrCat(":p", i));
    }
  });
}

}  // namespace
}  // namespace byoshin::properties
