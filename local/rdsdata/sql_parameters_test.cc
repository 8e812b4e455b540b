#include "local/rdsdata/sql_parameters.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::rdsdata {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NumberedSql NumberAll(absl::string_view sql) {
  return NumberParameters(sql, [](absl::string_view) { return true; });
}

// A statement in which nothing is a parameter.
void ExpectUnchanged(absl::string_view sql) {
  const NumberedSql numbered = NumberAll(sql);
  EXPECT_EQ(numbered.sql, sql);
  EXPECT_THAT(numbered.names, IsEmpty()) << sql;
  EXPECT_EQ(numbered.own_number, "");
}

TEST(SqlParameters, NumbersNamesInTheirOrder) {
  const NumberedSql numbered =
      NumberAll("INSERT INTO t VALUES (:id, :name_2, :id, :1, :é)");
  EXPECT_EQ(numbered.sql, "INSERT INTO t VALUES ($1, $2, $1, $3, $4)");
  EXPECT_THAT(numbered.names, ElementsAre("id", "name_2", "1", "é"));
}

TEST(SqlParameters, LeavesLiteralsAlone) {
  ExpectUnchanged("SELECT ':a', 'it''s :a', ''':a'");
  ExpectUnchanged(R"(SELECT E'\':a', e'\\\':a', E'a'':a')");
  ExpectUnchanged(R"(SELECT '\')");
  ExpectUnchanged("SELECT U&'\\0441:a', B'1:a', x'1:a', N':a'");
  ExpectUnchanged("SELECT $$ :a $$, $tag$ :a $$ :b $tag$, $é$ :a $é$");
  EXPECT_EQ(NumberAll(R"(SELECT '\', :a, '\')").sql, R"(SELECT '\', $1, '\')");
}

TEST(SqlParameters, ContinuesALiteralOnTheNextLine) {
  ExpectUnchanged("SELECT E'a' -- it's\n '\\':a'");
  EXPECT_EQ(NumberAll("SELECT E'a' '\\', :a, '").sql,
            "SELECT E'a' '\\', $1, '");
}

TEST(SqlParameters, LeavesQuotedNamesAndCommentsAlone) {
  ExpectUnchanged(R"(SELECT "a:b", "a"":b", U&"d:a")");
  ExpectUnchanged("SELECT 1 -- :a ' \n");
  ExpectUnchanged("SELECT 1 /* :a /* :b */ ' :c */");
  EXPECT_EQ(NumberAll("SELECT 1 -- '\n, :a").sql, "SELECT 1 -- '\n, $1");
  EXPECT_EQ(NumberAll("SELECT 1 +/* ' */:a").sql, "SELECT 1 +/* ' */$1");
  EXPECT_EQ(NumberAll("SELECT 1 /* /* */ :a").sql, "SELECT 1 /* /* */ :a");
}

TEST(SqlParameters, LeavesCastsAndAssignmentsAlone) {
  ExpectUnchanged("SELECT a::int, 'x'::text, f(b := 1), f(b:=2)");
  EXPECT_EQ(NumberAll("SELECT :a::uuid, :b ::int").sql,
            "SELECT $1::uuid, $2 ::int");
  EXPECT_EQ(NumberAll("SELECT f(a => :a, b := :b)").sql,
            "SELECT f(a => $1, b := $2)");
}

TEST(SqlParameters, DoesNotTakeADollarInANameForALiteral) {
  EXPECT_EQ(NumberAll("SELECT a$b$, :c, d$b$").sql, "SELECT a$b$, $1, d$b$");
}

TEST(SqlParameters, LeavesSlicesAlone) {
  ExpectUnchanged("SELECT a[1:2], a[b:c], f(x)[1:n], a[1][2:3], \"a\"[1:2]");
  EXPECT_EQ(NumberAll("SELECT a[1: :n], a[:n], a[f(:n):2]").sql,
            "SELECT a[1: $1], a[$1], a[f($1):2]");
  const auto nothing_given = [](absl::string_view) { return false; };
  EXPECT_EQ(NumberParameters("SELECT a[:2]", nothing_given).sql,
            "SELECT a[:2]");
}

TEST(SqlParameters, FindsParametersInArrayConstructors) {
  EXPECT_EQ(NumberAll("SELECT ARRAY[:1, :2], array[[:1],[:2]]").sql,
            "SELECT ARRAY[$1, $2], array[[$1],[$2]]");
  const auto nothing_given = [](absl::string_view) { return false; };
  EXPECT_EQ(NumberParameters("SELECT ARRAY[:2]", nothing_given).sql,
            "SELECT ARRAY[$1]");
}

TEST(SqlParameters, KeepsANumberApartFromAName) {
  EXPECT_EQ(NumberAll("SELECT:a").sql, "SELECT $1");
  EXPECT_EQ(NumberAll("SELECT 1 WHERE 1=:a").sql, "SELECT 1 WHERE 1=$1");
}

TEST(SqlParameters, ReportsNumbersThatTheStatementHas) {
  EXPECT_EQ(NumberAll("SELECT $12, $3").own_number, "$12");
  EXPECT_EQ(NumberAll("SELECT '$1', $a$ $1 $a$, \"$1\"").own_number, "");
}

TEST(SqlParameters, TakesWhatHasNoEnd) {
  ExpectUnchanged("SELECT ':a");
  ExpectUnchanged("SELECT \":a");
  ExpectUnchanged("SELECT $a$ :a");
  ExpectUnchanged("SELECT /* :a");
  ExpectUnchanged("SELECT E':a\\");
  ExpectUnchanged("SELECT :");
  ExpectUnchanged("");
}

}  // namespace
}  // namespace byoshin::local::rdsdata
