#include "local/appsync/script/runtime.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/script/testing.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

Evaluation Evaluated(absl::string_view body, absl::string_view context = "{}") {
  Runtime runtime(FixedOptions());
  return EvaluateRequest(runtime, ModuleOf(body), context);
}

TEST(Runtime, RunsBothHandlers) {
  Runtime runtime;
  const LoadedScript loaded = runtime.Load(
      "export const request = (ctx) => ({ payload: ctx.args });\n"
      "export function response(ctx) { return ctx.result.a; }\n");
  ASSERT_THAT(loaded.errors, IsEmpty());
  EXPECT_TRUE(loaded.script->Has(kRequestHandler));
  EXPECT_TRUE(loaded.script->Has(kResponseHandler));
  EXPECT_FALSE(loaded.script->Has("other"));
  EXPECT_EQ(runtime
                .Evaluate(*loaded.script, kRequestHandler,
                          R"({"arguments":{"id":1}})")
                .result,
            R"({"payload":{"id":1}})");
  EXPECT_EQ(runtime
                .Evaluate(*loaded.script, kResponseHandler,
                          R"({"result":{"a":[1.5,"x"]}})")
                .result,
            R"([1.5,"x"])");
}

TEST(Runtime, HasLazyMembersAsIfTheyWereInTheContext) {
  Runtime runtime;
  const LoadedScript loaded = runtime.Load(R"(
      export function request(ctx) {
        return {
          name: ctx.info.fieldName,
          again: ctx.info === ctx.info,
          copied: { ...ctx }.request.headers,
          text: JSON.stringify(ctx),
        };
      })");
  ASSERT_NE(loaded.script, nullptr);
  EXPECT_EQ(
      runtime
          .Evaluate(*loaded.script, kRequestHandler, R"({"arguments":{}})",
                    {.info = R"({"fieldName":"f"})",
                     .request = R"({"headers":{"a":"b"}})"})
          .result,
      R"({"name":"f","again":true,"copied":{"a":"b"},"text":")"
      R"({\"arguments\":{},\"args\":{},\"stash\":{},\"env\":{},)"
      R"(\"outErrors\":[],\"info\":{\"fieldName\":\"f\"},)"
      R"(\"request\":{\"headers\":{\"a\":\"b\"}}}"})");
}

TEST(Runtime, ParsesLazyMembersOnlyIfTheyAreRead) {
  Runtime runtime;
  const LoadedScript loaded = runtime.Load(R"(
      export function request(ctx) { return 1; }
      export function response(ctx) { return ctx.info; })");
  ASSERT_NE(loaded.script, nullptr);
  const LazyMembers not_json = {.info = "{", .request = "{"};
  EXPECT_EQ(
      runtime.Evaluate(*loaded.script, kRequestHandler, "{}", not_json).result,
      "1");
  EXPECT_TRUE(runtime.Evaluate(*loaded.script, kResponseHandler, "{}", not_json)
                  .error.has_value());
}

TEST(Runtime, GivesTheContextAllItsMembers) {
  EXPECT_EQ(ResultOf("return [ctx.args, ctx.arguments, ctx.stash, ctx.env, "
                     "ctx.outErrors, typeof ctx.identity];"),
            R"([{},{},{},{},[],"undefined"])");
  EXPECT_EQ(
      ResultOf("return ctx;",
               R"({"arguments":{"a":1},"source":{"b":2},"identity":null,)"
               R"("request":{"headers":{}},"result":3,"prev":{"result":4},)"
               R"("stash":{"s":5},"env":{"E":"6"},"info":{"fieldName":"f"},)"
               R"("error":{"message":"m","type":"t"},"outErrors":[]})"),
      R"({"arguments":{"a":1},"source":{"b":2},"identity":null,)"
      R"("request":{"headers":{}},"result":3,"prev":{"result":4},)"
      R"("stash":{"s":5},"env":{"E":"6"},"info":{"fieldName":"f"},)"
      R"("error":{"message":"m","type":"t"},"outErrors":[],)"
      R"("args":{"a":1}})");
}

TEST(Runtime, ReturnsTheStashAfterwards) {
  const Evaluation evaluation = Evaluated(
      "ctx.stash.b = { c: 1 }; util.error('x');", R"({"stash":{"a":true}})");
  EXPECT_EQ(evaluation.stash, R"({"a":true,"b":{"c":1}})");
}

TEST(Runtime, TellsUndefinedFromNull) {
  EXPECT_EQ(Evaluated("return;").result, std::nullopt);
  EXPECT_EQ(Evaluated("return null;").result, "null");
}

TEST(Runtime, EndsWithTheErrorThatTheCodeRaises) {
  const Evaluation evaluation = Evaluated(
      "util.error('No such post', 'NotFound', { id: 1 }, ['info']);\n"
      "return 1;");
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.result, std::nullopt);
  EXPECT_EQ(evaluation.error->kind, ScriptError::Kind::kRaised);
  EXPECT_EQ(evaluation.error->message, "No such post");
  EXPECT_EQ(evaluation.error->error_type, "NotFound");
  EXPECT_EQ(evaluation.error->data, R"({"id":1})");
  EXPECT_EQ(evaluation.error->error_info, R"(["info"])");
}

TEST(Runtime, DistinguishesUnauthorized) {
  const Evaluation evaluation = Evaluated("util.unauthorized();");
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->kind, ScriptError::Kind::kUnauthorized);
  EXPECT_EQ(evaluation.error->error_type, kUnauthorizedType);
}

TEST(Runtime, NamesThePlaceOfAFault) {
  const Evaluation evaluation =
      Evaluated("  const missing = null;\n  return missing.name;");
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->kind, ScriptError::Kind::kFault);
  EXPECT_THAT(evaluation.error->message, StartsWith("code.js:4:10: "));
  EXPECT_EQ(evaluation.error->error_type, kCodeErrorType);
}

TEST(Runtime, NamesThePlaceOfTheCodeIfTheLibraryFails) {
  const Evaluation evaluation =
      Evaluated("  return util.time.nowFormatted('yyyy', 'Nowhere/Else');");
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->message,
            "code.js:3:10: Unknown time zone: Nowhere/Else");
}

TEST(Runtime, AppendsErrorsAndGoesOn) {
  const Evaluation evaluation = Evaluated(
      "util.appendError('one', 'T', { a: 1 }, 2); util.appendError('two');\n"
      "return ctx.outErrors.length;",
      R"({"outErrors":[{"message":"zero"}]})");
  EXPECT_EQ(evaluation.result, "3");
  ASSERT_EQ(evaluation.appended_errors.size(), 2);
  EXPECT_EQ(evaluation.appended_errors[0].message, "one");
  EXPECT_EQ(evaluation.appended_errors[0].error_type, "T");
  EXPECT_EQ(evaluation.appended_errors[0].data, R"({"a":1})");
  EXPECT_EQ(evaluation.appended_errors[0].error_info, "2");
  EXPECT_EQ(evaluation.appended_errors[1].error_type, "");
  EXPECT_EQ(evaluation.appended_errors[1].data, "null");
}

TEST(Runtime, LogsWithThePlace) {
  const Evaluation evaluation = Evaluated(
      "    console.log('text');\n"
      "    console.error({ a: [1] }, 2);\n"
      "    return null;");
  EXPECT_THAT(evaluation.logs,
              ElementsAre(R"(INFO - code.js:3:5: "text")",
                          R"(ERROR - code.js:4:5: {"a":[1]} 2)"));
}

TEST(Runtime, ReturnsEarly) {
  const Evaluation plain = Evaluated("runtime.earlyReturn({ a: 1 });");
  EXPECT_EQ(plain.early_return, SkipTo::kDefault);
  EXPECT_EQ(plain.result, R"({"a":1})");
  EXPECT_EQ(plain.error, std::nullopt);
  EXPECT_EQ(
      Evaluated("runtime.earlyReturn(1, { skipTo: 'END' });").early_return,
      SkipTo::kEnd);
  EXPECT_EQ(
      Evaluated("runtime.earlyReturn(1, { skipTo: 'NEXT' });").early_return,
      SkipTo::kNext);
  EXPECT_EQ(Evaluated("return 1;").early_return, std::nullopt);
  EXPECT_EQ(Evaluated("runtime.earlyReturn();").result, std::nullopt);
  EXPECT_THAT(ResultOf("runtime.earlyReturn(1, { skipTo: 'MARS' });"),
              HasSubstr("END or NEXT"));
}

TEST(Runtime, CollectsWhatExtensionsAskFor) {
  const Evaluation evaluation = Evaluated(R"(
    extensions.setSubscriptionFilter(
      util.transform.toSubscriptionFilter({ a: { eq: 1 } }));
    extensions.setSubscriptionInvalidationFilter({ filterGroup: [] });
    extensions.invalidateSubscriptions(
      { subscriptionField: 'onA', payload: { id: 1 } });
    extensions.evictFromApiCache('Query', 'a', { 'ctx.args.id': 1 });
    util.http.addResponseHeader('itemsCount', 7);
    util.http.addResponseHeaders({ a: 'b', c: { d: 1 } });
    return null;)");
  EXPECT_EQ(evaluation.subscription_filter,
            R"({"filterGroup":[{"filters":[{"fieldName":"a","operator":"eq",)"
            R"("value":1}]}]})");
  EXPECT_EQ(evaluation.invalidation_filter, R"({"filterGroup":[]})");
  ASSERT_EQ(evaluation.invalidations.size(), 1);
  EXPECT_EQ(evaluation.invalidations[0].subscription_field, "onA");
  EXPECT_EQ(evaluation.invalidations[0].payload, R"({"id":1})");
  ASSERT_EQ(evaluation.evictions.size(), 1);
  EXPECT_EQ(evaluation.evictions[0].type_name, "Query");
  EXPECT_EQ(evaluation.evictions[0].field_name, "a");
  EXPECT_EQ(evaluation.evictions[0].key_values, R"({"ctx.args.id":1})");
  EXPECT_THAT(evaluation.response_headers,
              ElementsAre(Pair("itemsCount", "7"), Pair("a", "b"),
                          Pair("c", R"({"d":1})")));
}

TEST(Runtime, LimitsInvalidations) {
  std::string six;
  for (size_t i = 0; i <= kMaxInvalidations; ++i) {
    absl::StrAppend(&six,
                    "extensions.invalidateSubscriptions({ subscriptionField: "
                    "'a', payload: { i: ",
                    i, " } });");
  }
  EXPECT_THAT(ResultOf(six), HasSubstr("At most 5 invalidations"));
}

TEST(Runtime, CountsTheSameInvalidationOnce) {
  std::string calls;
  for (size_t i = 0; i <= kMaxInvalidations; ++i) {
    calls += "extensions.invalidateSubscriptions({ subscriptionField: 'a' });";
  }
  const Evaluation evaluation = Evaluated(calls);
  EXPECT_FALSE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.invalidations.size(), 1);
}

// What becomes of a header that the code adds before it goes on.
std::string RefusedHeader(absl::string_view arguments,
                          absl::string_view context = "{}") {
  const Evaluation evaluation =
      Evaluated(absl::StrCat("util.http.addResponseHeader(", arguments,
                             "); return 'gone on';"),
                context);
  EXPECT_EQ(evaluation.result, "\"gone on\"");
  if (!evaluation.response_headers.empty()) return "added";
  EXPECT_EQ(evaluation.appended_errors.size(), 1);
  const ScriptError& error = evaluation.appended_errors.at(0);
  EXPECT_EQ(error.error_type, "ResponseHeaderError");
  return error.message;
}

TEST(Runtime, IgnoresResponseHeadersThatAreNotAllowed) {
  for (const char* name : {"x-amzn-a",
                           "X-Amz-A",
                           "Transfer-Encoding",
                           "connection",
                           "host",
                           "expect",
                           "keep-alive",
                           "upgrade",
                           "proxy-authenticate",
                           "proxy-authorization",
                           "te",
                           "content-length",
                           "Access-Control-Allow-Credentials",
                           "Access-Control-Allow-Origin",
                           "Access-Control-Expose-Headers",
                           "Access-Control-Max-Age",
                           "Access-Control-Allow-Methods",
                           "access-control-allow-headers",
                           "Vary",
                           "Content-Type",
                           "X-Content-Type-Options",
                           "",
                           "a b",
                           "a:"}) {
    EXPECT_THAT(RefusedHeader(absl::StrCat("'", name, "', 1")),
                HasSubstr("not allowed"))
        << name;
  }
  EXPECT_THAT(RefusedHeader("null, 1"), HasSubstr("not allowed"));
  EXPECT_THAT(RefusedHeader("'a', null"), HasSubstr("value"));
  EXPECT_THAT(RefusedHeader("'a'"), HasSubstr("value"));
  EXPECT_THAT(RefusedHeader("'a', 'b\\r\\nc: d'"), HasSubstr("value"));
  EXPECT_THAT(RefusedHeader("'a', ctx.args.text",
                            absl::StrCat(R"({"arguments":{"text":")",
                                         std::string(4096, 'x'), "\"}}")),
              HasSubstr("exceed 4 KB"));
  EXPECT_EQ(RefusedHeader("'access-control-other', false"), "added");
}

TEST(Runtime, AddsHeadersAfterOneThatIsTooLong) {
  Runtime runtime(FixedOptions());
  const Evaluation evaluation = EvaluateRequest(
      runtime,
      ModuleOf("util.http.addResponseHeader('a', ctx.args.text);"
               "util.http.addResponseHeader('b', 1);"),
      absl::StrCat(R"({"arguments":{"text":")", std::string(4096, 'x'),
                   "\"}}"));
  EXPECT_THAT(evaluation.response_headers, ElementsAre(Pair("b", "1")));
}

TEST(Runtime, RefusesAContextThatIsNotAnObject) {
  Runtime runtime(FixedOptions());
  const std::string code = ModuleOf("return 1;");
  EXPECT_THAT(EvaluateRequest(runtime, code, "{").error->message,
              StartsWith("The context is not JSON"));
  EXPECT_EQ(EvaluateRequest(runtime, code, "[]").error->message,
            "The context is not a JSON object.");
  EXPECT_EQ(EvaluateRequest(runtime, code).result, "1");
}

TEST(Runtime, RefusesAHandlerThatIsNotThere) {
  Runtime runtime;
  const LoadedScript loaded =
      runtime.Load("export function request(ctx) { return 1; }");
  ASSERT_NE(loaded.script, nullptr);
  EXPECT_EQ(
      runtime.Evaluate(*loaded.script, kResponseHandler, "{}").error->message,
      "The code does not export a function response.");
}

TEST(Runtime, FindsExportsAndImportsInAllForms) {
  Runtime runtime(FixedOptions());
  const std::string code =
      "import { util as util2 } from '@aws-appsync/utils';\n"
      "import * as ddb from '@aws-appsync/utils/dynamodb';\n"
      "import { get as find, operations } from '@aws-appsync/utils/dynamodb';\n"
      "import { select } from \"@aws-appsync/utils/rds\";\n"
      "function request2(ctx) {\n"
      "  return [typeof util2.error, typeof ddb.get, typeof find,\n"
      "    typeof operations.add, typeof select];\n"
      "}\n"
      "export { request2 as request };\n";
  EXPECT_EQ(EvaluateRequest(runtime, code).result,
            R"(["function","function","function","function","function"])");
}

TEST(Runtime, KeepsCodeThatUsesItsOwnNames) {
  Runtime runtime(FixedOptions());
  EXPECT_EQ(EvaluateRequest(runtime,
                            "const modules = 1, modules_ = 2;\n"
                            "export const request = () => modules + modules_;")
                .result,
            "3");
}

// **Feature: appsync-javascript, Property 1: nothing of one evaluation can be
// seen by the next**
//
// Each of these tries to leave something behind and reports what it finds. On
// one engine, the second run must not differ from the first.
TEST(RuntimeIsolation, NoEvaluationSeesAnother) {
  const std::vector<std::string> attempts = {
      // State of the module.
      "let count = 0; export const request = () => { count += 1; return count; "
      "};",
      "const seen = []; export const request = (ctx) => { seen.push(ctx.args); "
      "return seen; };",
      "const cache = { inner: {} }; export const request = (ctx) => { const "
      "before = cache.inner.x ?? null; cache.inner.x = ctx.args; return "
      "before; };",
      // Globals and what they hold.
      ModuleOf("const before = util.leak ?? null; util.leak = 1; return "
               "before;"),
      ModuleOf("const before = util.time.leak ?? null; util.time.leak = 1; "
               "return before;"),
      ModuleOf("const before = JSON.leak ?? null; JSON.leak = 1; return "
               "before;"),
      ModuleOf("util.error = () => 1; return util.error('x');"),
      ModuleOf("const before = [].leak ?? null; "
               "[].constructor.prototype.leak = 1; return before;"),
      ModuleOf("const before = ({}).leak ?? null; "
               "({}).constructor.prototype.leak = 1; return before;"),
      ModuleOf("const before = ''.leak ?? null; ''.constructor.prototype.leak "
               "= 1; return before;"),
      ModuleOf("const before = (() => 1).leak ?? null; "
               "const f = util.autoId; f.leak = 1; return before;"),
      ModuleOf("Math.random = () => 7; return Math.random();"),
      ModuleOf("const a = []; a.push.leak = 1; return a.push.leak;"),
      // Written without a declaration.
      ModuleOf("leak = 1; return leak;"),
      // Objects of the syntax, such as a template's texts.
      "const tag = (texts) => { const before = texts.leak ?? null; texts.leak "
      "= 1; return before; };\nexport const request = () => tag`a`;",
      "const tag = (texts) => { const before = texts[0]; texts[0] = 'b'; "
      "return before; };\nexport const request = () => tag`a`;",
      "const tag = (texts) => { const before = texts.raw.length; "
      "texts.raw.push('b'); return before; };\nexport const request = () => "
      "tag`a`;",
      "const f = (a) => a; export const request = () => { const before = "
      "f.leak ?? null; f.leak = 1; return before; };",
      // What modules export.
      "import * as ddb from '@aws-appsync/utils/dynamodb'; export const "
      "request = () => { const before = ddb.operations.leak ?? null; "
      "ddb.operations.leak = 1; return before; };",
      "import * as rds from '@aws-appsync/utils/rds'; export const request = "
      "() => { rds.typeHint.UUID = 1; return rds.typeHint.UUID; };",
      // What an evaluation leaves besides its result.
      ModuleOf("const before = ctx.outErrors.length; util.appendError('x'); "
               "ctx.stash.leak = 1; console.log('x'); return before;"),
      ModuleOf("util.http.addResponseHeader('a', ctx.stash.leak ?? 'none'); "
               "util.error('x');"),
      // Patterns remember where they matched in JavaScript.
      ModuleOf("return ['aba'.replaceAll('a', 'b'), util.matches('a', 'a'), "
               "'aab'.replace('a', 'c')];"),
  };
  for (const std::string& code : attempts) {
    SCOPED_TRACE(code);
    Runtime runtime(FixedOptions());
    constexpr char kContext[] = R"({"arguments":{"secret":42}})";
    const Evaluation first = EvaluateRequest(runtime, code, kContext);
    const Evaluation second = EvaluateRequest(runtime, code, kContext);
    EXPECT_EQ(first.result, second.result);
    EXPECT_EQ(first.error.has_value(), second.error.has_value());
    if (first.error.has_value() && second.error.has_value()) {
      EXPECT_EQ(first.error->message, second.error->message);
    }
    EXPECT_EQ(first.logs, second.logs);
    EXPECT_EQ(first.stash, second.stash);
    EXPECT_EQ(first.appended_errors.size(), second.appended_errors.size());
    EXPECT_EQ(first.response_headers, second.response_headers);
    // Another script on the same engine finds the globals as they were.
    EXPECT_EQ(
        EvaluateRequest(
            runtime, ModuleOf("return [util.leak, util.time.leak, JSON.leak, "
                              "[].leak, ({}).leak, ''.leak, (() => 1).leak, "
                              "typeof leak, Math.random() < 1, [].push.leak, "
                              "typeof util.error].filter((x) => x);"))
            .result,
        R"(["undefined",true,"function"])");
  }
}

TEST(RuntimeIsolation, LetsCodeUseNamesOfPrototypesInItsOwnObjects) {
  EXPECT_EQ(ResultOf("const item = {}; item.constructor = 1; item.toString = "
                     "'t'; item.__proto__ = { x: 1 }; return item;"),
            R"({"constructor":1,"toString":"t","__proto__":{"x":1}})");
}

TEST(RuntimeIsolation, HasNoWayToMakeFunctionsOfText) {
  EXPECT_THAT(ResultOf("return (() => 1).constructor;"),
              testing::Not(HasSubstr("function")));
  EXPECT_THAT(ResultOf("const f = 'constructor'; return "
                       "util.autoId[f]('return 1')();"),
              HasSubstr("not a function"));
}

TEST(Runtime, EvaluatesOnManyThreadsAtOnce) {
  Runtime runtime;
  const std::shared_ptr<const Script> script =
      runtime.Load("export const request = (ctx) => ctx.args.n;").script;
  ASSERT_NE(script, nullptr);
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string n = absl::StrCat(t, i);
        const Evaluation evaluation = runtime.Evaluate(
            *script, kRequestHandler,
            absl::StrCat(R"({"arguments":{"n":"t)", n, "\"}}"));
        if (evaluation.result != absl::StrCat("\"t", n, "\"")) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST(Runtime, LoadsTheSameCodeOnce) {
  Runtime runtime;
  const std::string code = ModuleOf("return 1;");
  EXPECT_EQ(runtime.Load(code).script, runtime.Load(code).script);
}

TEST(Runtime, ForgetsCodeThatIsNoLongerUsed) {
  Runtime runtime;
  const std::string code = ModuleOf("return 1;");
  std::shared_ptr<const Script> script = runtime.Load(code).script;
  const std::weak_ptr<const Script> weak = script;
  EXPECT_EQ(EvaluateRequest(runtime, code).result, "1");
  runtime.Forget(code);
  // Who holds it can still run it.
  EXPECT_EQ(runtime.Evaluate(*script, kRequestHandler, "{}").result, "1");
  script.reset();
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(EvaluateRequest(runtime, code).result, "1");
}

}  // namespace
}  // namespace byoshin::local::appsync::script
