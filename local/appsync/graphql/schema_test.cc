// Which schemas are accepted, and what is read from them.
#include "local/appsync/graphql/schema.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/testing.h"

namespace byoshin::local::appsync::graphql {
namespace {

TEST(GraphQlSchema, ReadsTheDirectivesOfAppSync) {
  const std::shared_ptr<const Schema> schema = TestSchema();
  EXPECT_TRUE(schema->Find("Mutation")->authorization.iam);
  EXPECT_TRUE(schema->FindField("Mutation", "report")->authorization.api_key);
  EXPECT_EQ(
      *schema->FindField("Mutation", "other")->authorization.cognito_groups,
      std::vector<std::string>{"admins"});
  EXPECT_EQ(schema->FindField("Subscription", "onReport")->subscribes_to,
            std::vector<std::string>{"report"});
}

TEST(GraphQlSchema, RefusesWhatAppSyncDoes) {
  EXPECT_EQ(Schema::Parse("scalar Money type Query { a: Int }").schema,
            nullptr);
  EXPECT_EQ(Schema::Parse("type Query { a: Missing }").schema, nullptr);
  EXPECT_EQ(Schema::Parse("type Mutation { a: Int }").schema, nullptr);
  EXPECT_EQ(Schema::Parse("type Query implements I { a: Int } "
                          "interface I { b: Int }")
                .schema,
            nullptr);
  EXPECT_EQ(Schema::Parse("type Query { a: Int } type Subscription { s: Int "
                          "@aws_subscribe(mutations: [\"none\"]) }")
                .schema,
            nullptr);
}

std::string FirstProblem(absl::string_view sdl) {
  const ParsedSchema parsed = Schema::Parse(sdl);
  return parsed.errors.empty() ? "" : parsed.errors.front().message;
}

TEST(GraphQlSchema, RefusesTypesWithTheNamesOfAws) {
  for (const char* definition :
       {"type AWSThing { a: Int }", "input AWSThing { a: Int }",
        "interface AWSThing { a: Int }", "enum AWSThing { A }",
        "union AWSThing = Query"}) {
    EXPECT_EQ(FirstProblem(absl::StrCat("type Query { a: Int } ", definition)),
              "Type name 'AWSThing' must not begin with 'AWS', which is "
              "reserved for the types of AppSync.")
        << definition;
  }
  EXPECT_EQ(FirstProblem("scalar AWSDate type Query { a: AWSDate }"), "");
  EXPECT_EQ(FirstProblem("type Query { a: Awsome } type Awsome { a: Int }"),
            "");
}

// What a field without arguments in the query gets.
std::string DefaultArguments(absl::string_view sdl) {
  const ParsedSchema parsed = Schema::Parse(sdl);
  EXPECT_TRUE(parsed.errors.empty()) << ToData(parsed.errors).ToJson();
  if (parsed.schema == nullptr) return "";
  TestResolvers resolvers;
  std::string seen;
  resolvers.functions["Query.list"] = [&](const FieldRequest& request) {
    seen = request.arguments().ToJson();
    return FieldOutcome();
  };
  RunQueryOn(parsed.schema, resolvers, "{ list }");
  return seen;
}

TEST(GraphQlSchema, FillsDefaultsOfTypesThatAreDeclaredLater) {
  EXPECT_EQ(DefaultArguments("type Query { list(page: Page = {}): Int } "
                             "input Page { limit: Int! = 20 }"),
            R"({"page":{"limit":20}})");
  EXPECT_EQ(DefaultArguments("input A { b: [B!] = {c: {}} } "
                             "type Query { list(a: A = {}): Int } "
                             "input B { c: C = {n: 1}  d: C = {} } "
                             "input C { n: Int! = 2  e: E = X  a: A = null } "
                             "enum E { X }"),
            R"({"a":{"b":[{"c":{"n":2,"e":"X","a":null},)"
            R"("d":{"n":2,"e":"X","a":null}}]}})");
}

TEST(GraphQlSchema, RefusesDefaultsThatContainThemselves) {
  EXPECT_EQ(FirstProblem("type Query { a(x: A): Int } input A { a: A = {} }"),
            "The default value of 'A.a' contains itself.");
  EXPECT_EQ(FirstProblem("type Query { a(x: A): Int } "
                         "input A { b: [B] = [{}] } "
                         "input B { n: Int  a: A = {} }"),
            "The default value of 'A.b' contains itself.");
  EXPECT_EQ(FirstProblem("type Query { a(x: A): Int } "
                         "input A { a: A = {a: null, b: null} "
                         "b: A = {a: null, b: {a: null}} }"),
            "The default value of 'A.b' contains itself.");
}

TEST(GraphQlSchema, RefusesDefaultsThatMultiply) {
  std::string sdl = "type Query { a(x: A0): Int } input A30 { n: Int = 1 }";
  for (int i = 0; i < 30; ++i) {
    absl::StrAppend(&sdl, "input A", i, " { a: A", i + 1, " = {}  b: A", i + 1,
                    " = {} }");
  }
  EXPECT_EQ(FirstProblem(sdl).substr(0, 21), "The default value of ");
  EXPECT_NE(FirstProblem(sdl).find("is larger than 1048576 bytes"),
            std::string::npos)
      << FirstProblem(sdl);
}

TEST(GraphQlSchema, RefusesDefaultsThatAreNestedTooDeep) {
  std::string sdl = "type Query { a(x: A0): Int } input A5000 { n: Int = 1 }";
  for (int i = 0; i < 5000; ++i) {
    absl::StrAppend(&sdl, "input A", i, " { a: A", i + 1, " = {} }");
  }
  EXPECT_EQ(FirstProblem(sdl).substr(0, 21), "The default value of ");
  EXPECT_NE(FirstProblem(sdl).find("is nested too deep"), std::string::npos)
      << FirstProblem(sdl);
}

TEST(GraphQlSchema, RefusesDefaultsThatAreNestedInEachOtherTooDeep) {
  std::string literal = "{}";
  for (int i = 0; i < 40; ++i) literal = absl::StrCat("{x: ", literal, "}");
  std::string sdl = "type Query { a(x: A0): Int } input A100 { n: Int = 1 }";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&sdl, "input A", i, " { x: A", i, " a: A", i + 1, " = ",
                    literal, " }");
  }
  EXPECT_NE(FirstProblem(sdl).find("is nested too deep"), std::string::npos)
      << FirstProblem(sdl);
}

TEST(GraphQlSchema, RefusesDefaultsThatAreTooLargeTogether) {
  std::string sdl = "type Query { a(";
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&sdl, "a", i, ": I = {} ");
  absl::StrAppend(&sdl, "): Int } input I {");
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&sdl, "b", i, ": Int = 1 ");
  absl::StrAppend(&sdl, "}");
  EXPECT_NE(FirstProblem(sdl).find("larger than 4194304 bytes together"),
            std::string::npos)
      << FirstProblem(sdl);
}

TEST(GraphQlSchema, SaysWhichDefaultIsWrong) {
  EXPECT_EQ(FirstProblem("type Query { a(x: A): Int } "
                         "input A { n: Int = \"one\" }"),
            "The default value of 'A.n' is wrong: 'n' with value '\"one\"' is "
            "not a valid 'Int'.");
  EXPECT_EQ(FirstProblem("type Query { a(x: Int = true): Int }"),
            "The default value of 'Query.a' argument 'x' is wrong: 'x' with "
            "value 'true' is not a valid 'Int'.");
  EXPECT_EQ(FirstProblem("directive @d(x: Int = true) on FIELD "
                         "type Query { a: Int }"),
            "The default value of directive '@d' argument 'x' is wrong: 'x' "
            "with value 'true' is not a valid 'Int'.");
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
