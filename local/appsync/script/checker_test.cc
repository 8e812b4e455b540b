#include "local/appsync/script/checker.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Each error as "LINE:COLUMN+SPAN what".
std::vector<std::string> Errors(absl::string_view code) {
  Checker checker;
  std::vector<std::string> texts;
  for (const CodeError& error : checker.Check(code).errors) {
    texts.push_back(absl::StrCat(error.location.line, ":",
                                 error.location.column, "+",
                                 error.location.span, " ", error.value));
  }
  return texts;
}

// The errors of a handler with this body, which is on the code's line 2.
std::vector<std::string> BodyErrors(absl::string_view body) {
  return Errors(
      absl::StrCat("export function request(ctx) {\n", body, "\n}\n"));
}

TEST(Checker, AcceptsWhatTheRuntimeSupports) {
  const std::vector<std::string> bodies = {
      "const [a, , b = 2, ...rest] = ctx.args.list; return { a, b, rest };",
      "let x = 1; x += 2; x <<= 1; return x ** 2 | 1 & 3 ^ 2;",
      "var a; if (ctx.args.x) { a = 1; } else { a = 2; } return a;",
      "switch (ctx.args.x) { case 1: return 'a'; default: return 'b'; }",
      "for (const k in ctx.args) { if (k === 'a') break; } return 1;",
      "let n = 0; for (const k of [1, 2]) { n += k; } return n;",
      "return ctx.args?.a?.['b'] ?? `x${ctx.args.c}`;",
      "delete ctx.args.a; return void 0 === typeof ctx;",
      "return ctx.args.list.map((x) => x + 1).filter((x) => x).sort();",
      "return Object.keys(ctx.args).concat(Object.entries({}).flat());",
      "return Math.max(...[1, 2], Math.round(1.5)) + Number.isNaN(1);",
      "ctx.stash.a = 1; ctx.args.b = 2; return String.raw`a\\b`;",
      "const f = (x) => x * 2; const g = (y) => f(y); return g(1);",
      "const o = { search: (x) => x, repeat(x) { return x; } }; "
      "return o.search(1) + o.repeat(2);",
      "const ctx2 = { ...ctx }; ctx2.result = 1; return ctx2;",
  };
  for (const std::string& body : bodies) {
    EXPECT_THAT(BodyErrors(body), IsEmpty()) << body;
  }
}

TEST(Checker, RefusesStatementsWithTheirPlace) {
  EXPECT_THAT(BodyErrors("  while (true) {}"),
              ElementsAre("2:3+15 While statements are not supported."));
  EXPECT_THAT(BodyErrors("do {} while (1);"),
              ElementsAre("2:1+16 do...while statements are not supported."));
  EXPECT_THAT(BodyErrors("for (;;) {}"),
              ElementsAre("2:1+11 For statements are not supported."));
  EXPECT_THAT(BodyErrors("for (const a of []) { continue; }"),
              ElementsAre("2:23+9 Continue statements are not supported"));
  EXPECT_THAT(BodyErrors("try { ctx.a(); } finally {}"),
              ElementsAre("2:1+27 Try statements are not supported."));
  EXPECT_THAT(
      BodyErrors("throw 1;"),
      ElementsAre(
          "2:1+8 Throw statements are not supported. Use util.error()."));
  EXPECT_THAT(BodyErrors("a: for (const b of []) {}"),
              ElementsAre("2:1+25 Labeled statements are not supported."));
  EXPECT_THAT(BodyErrors("class A {}"),
              ElementsAre("2:1+10 Class declarations are not supported."));
}

TEST(Checker, RefusesExpressions) {
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"let a = 1; a++;", "2:12+3 The operator ++ is not supported"},
      {"let a = 1; --a;", "2:12+3 The operator -- is not supported"},
      {"return ~1;", "2:8+2 The operator ~ is not supported"},
      {"return 'a' in {};",
       "2:8+9 in operator is not supported. Use Object.hasOwn()."},
      {"return ctx instanceof Object;",
       "2:8+21 The operator instanceof is not supported"},
      {"return /a/;", "2:8+3 Regex literals are not supported."},
      {"return 1n;", "2:8+2 BigInt literals are not supported."},
      {"return new Thing();", "2:8+11 New expressions are not supported."},
      {"return new Promise(1);", "2:8+14 Promise is not supported"},
      {"return this.a;", "2:8+4 This expressions are not supported."},
      {"const a = async () => 1;",
       "2:11+13 Async functions are not supported."},
      {"function* a() {}", "2:1+16 Generator functions are not supported."},
      {"return { get a() { return 1; } };",
       "2:10+21 Getters and setters are not supported."},
      {"return Date;", "2:8+4 Date is not supported."},
      {"return parseInt('1');", "2:8+8 parseInt is not supported."},
      {"return eval('1');", "2:8+4 eval is not supported."},
      {"return globalThis;", "2:8+10 globalThis is not supported."},
  };
  for (const auto& [body, error] : bodies) {
    EXPECT_THAT(BodyErrors(body), ElementsAre(error)) << body;
  }
}

TEST(Checker, RefusesMethodsThatTheRuntimeLacks) {
  const std::vector<std::pair<std::string, std::string>> bodies = {
      {"return Object.freeze(ctx);", "Method Object.freeze is not implemented"},
      {"return Array.from([]);", "Method Array.from is not implemented"},
      {"return Math.sqrt(4);", "Method Math.sqrt is not implemented"},
      {"return 'a'.padStart(5);", "Method String.padStart is not implemented"},
      {"return ctx.args.a.repeat(5);",
       "Method String.repeat is not implemented"},
      {"const a = [1]; return a.keys();",
       "Method Array.keys is not implemented"},
      {"return 'a'['charCodeAt'](0);",
       "Method String.charCodeAt is not implemented"},
      {"return Math.max.apply(1, []);",
       "Method Function.apply is not implemented"},
  };
  for (const auto& [body, error] : bodies) {
    EXPECT_THAT(BodyErrors(body), ElementsAre(HasSubstr(error))) << body;
  }
}

TEST(Checker, RefusesFunctionsAsValues) {
  EXPECT_THAT(BodyErrors("return () => 1;"),
              ElementsAre(HasSubstr("returning a function is not allowed")));
  EXPECT_THAT(BodyErrors("const f = () => 1; return f;"),
              ElementsAre(HasSubstr("returning a function is not allowed")));
  EXPECT_THAT(BodyErrors("const f = () => 1; const g = f; return g(1);"),
              ElementsAre(HasSubstr("re-assigning function is not allowed")));
  EXPECT_THAT(
      BodyErrors("const f = (g) => g; return f(() => 1);"),
      ElementsAre(HasSubstr("Functions can not be passed as an argument")));
  EXPECT_THAT(
      BodyErrors("return [2, 1].sort((a, b) => a - b);"),
      ElementsAre(HasSubstr("Functions can not be passed as an argument")));
}

TEST(Checker, RefusesRecursion) {
  EXPECT_THAT(Errors("function f(n) { return f(n - 1); }\n"
                     "export const request = () => f(1);"),
              ElementsAre("1:24+8 Recursive function calls not supported.",
                          "2:30+4 Recursive function calls not supported."));
  EXPECT_THAT(Errors("const f = (n) => g(n);\nconst g = (n) => f(n);\n"
                     "export const request = () => f(1);"),
              SizeIs(3));
  EXPECT_THAT(Errors("const f = (n) => n;\n"
                     "export const request = () => { const g = () => f(1); "
                     "return g() + g() + f(2); };"),
              IsEmpty());
}

TEST(Checker, RefusesChangesOfTheContext) {
  EXPECT_THAT(
      BodyErrors("ctx = 1;"),
      ElementsAre("2:1+3 ctx is readonly and re-assignment is not supported."));
  EXPECT_THAT(
      BodyErrors("ctx.result = 1;"),
      ElementsAre(
          "2:1+10 ctx is readonly. Adding/Updating result is not supported."));
  EXPECT_THAT(BodyErrors("delete ctx.result;"), SizeIs(1));
  EXPECT_THAT(BodyErrors("for (ctx.a of []) {}"), SizeIs(1));
  EXPECT_THAT(BodyErrors("[1].forEach((ctx) => { ctx.a = 1; });"), IsEmpty());
}

TEST(Checker, RefusesModulesAndMembersThatAreNotThere) {
  EXPECT_THAT(Errors("import fs from 'fs';"),
              ElementsAre("1:1+20 Module fs is not supported."));
  EXPECT_THAT(
      Errors("import { utils } from '@aws-appsync/utils';"),
      ElementsAre("1:10+5 Module @aws-appsync/utils has no export utils."));
  EXPECT_THAT(Errors("export default function request() {}"),
              ElementsAre(HasSubstr("Default exports are not supported.")));
  EXPECT_THAT(Errors("export * from '@aws-appsync/utils';"), SizeIs(1));
}

TEST(Checker, NamesThePlaceOfASyntaxError) {
  Checker checker;
  const CheckedCode checked = checker.Check("const a = 'x\nconst b;");
  ASSERT_THAT(checked.errors, SizeIs(1));
  EXPECT_EQ(checked.errors[0].error_type, kParserError);
  EXPECT_EQ(checked.errors[0].value,
            "Parsing error: Unterminated string constant");
  EXPECT_EQ(checked.errors[0].location.line, 1);
  EXPECT_EQ(checked.errors[0].location.column, 11);
}

TEST(Checker, CallsRefusalsOfTheLanguageLintErrors) {
  Checker checker;
  EXPECT_EQ(checker.Check("while (1) {}").errors.at(0).error_type, kLintError);
}

TEST(Checker, LimitsTheCode) {
  const std::string comment = "//";
  EXPECT_THAT(Errors(comment + std::string(kMaxCodeCharacters - 2, 'a')),
              IsEmpty());
  EXPECT_THAT(Errors(comment + std::string(kMaxCodeCharacters - 1, 'a')),
              ElementsAre(HasSubstr("exceeds the limit of 32768 characters")));
  // Characters, not bytes.
  std::string wide = comment;
  for (size_t i = 2; i < kMaxCodeCharacters; ++i) wide += "\u3042";
  EXPECT_THAT(Errors(wide), IsEmpty());
}

TEST(Checker, RefusesCodeThatIsNestedTooDeeply) {
  Checker checker;
  const CheckedCode checked = checker.Check(absl::StrCat(
      "const a = ", std::string(15'000, '['), std::string(15'000, ']'), ";"));
  ASSERT_THAT(checked.errors, SizeIs(1));
  EXPECT_THAT(checked.errors[0].value, StartsWith("Parsing error: "));
  EXPECT_THAT(checker.Check("const a = 1;").errors, IsEmpty());
}

TEST(Checker, AcceptsLongExpressions) {
  std::string code = "const a = 'x'";
  for (int i = 0; i < 400; ++i) code += " + 'x'";
  EXPECT_THAT(Errors(code), IsEmpty());
}

}  // namespace
}  // namespace byoshin::local::appsync::script
