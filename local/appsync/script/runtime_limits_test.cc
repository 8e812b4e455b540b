// The limits of evaluations, whatever the code does.

#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/script/testing.h"
#include "local/javascript/engine.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::HasSubstr;

RuntimeOptions LimitedOptions(const javascript::Limits& limits) {
  RuntimeOptions options = FixedOptions();
  options.limits = limits;
  return options;
}

// Loops within loops: 10 to the power of `depth` iterations.
std::string Loops(int depth) {
  std::string text = "const list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; let n = 0;";
  for (int i = 0; i < depth; ++i) {
    absl::StrAppend(&text, "for (const i", i, " of list) ");
  }
  return text + "{ n += 1; } return n;";
}

TEST(RuntimeLimits, EndsCodeThatTakesTooManySteps) {
  Runtime runtime(LimitedOptions({.steps = 2'000'000}));
  EXPECT_EQ(EvaluateRequest(runtime, ModuleOf(Loops(4))).result, "10000");
  const Evaluation evaluation = EvaluateRequest(runtime, ModuleOf(Loops(9)));
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->kind, ScriptError::Kind::kFault);
  EXPECT_EQ(evaluation.error->message, "The code exceeded its time limit.");
  // The next one has a new engine.
  EXPECT_EQ(EvaluateRequest(runtime, ModuleOf(Loops(2))).result, "100");
}

// Every way out of a handler, and every function that visits what it is given.
TEST(RuntimeLimits, EndsWalksOfWhatIsSharedOverAndOver) {
  RuntimeOptions options = FixedOptions();
  options.quick_limits.steps = 50'000;
  options.quick_limits.cpu_time = absl::InfiniteDuration();
  Runtime runtime(options);
  for (const absl::string_view use :
       {"return o;",
        "JSON.stringify(o);",
        "console.log(o);",
        "console.error('x', a);",
        "ctx.stash.o = o;",
        "util.error('m', 't', o);",
        "util.error('m', 't', null, o);",
        "util.appendError('m', 't', o);",
        "runtime.earlyReturn(o);",
        "util.validate(false, 'm', 't', o);",
        "util.dynamodb.toDynamoDB(o);",
        "util.dynamodb.toMapValues(o);",
        "util.dynamodb.toMap(o);",
        "util.dynamodb.toList(a);",
        "util.urlEncode(a);",
        "util.base64Encode(a);",
        "util.escapeJavaScript(a);",
        "util.matches('x', a);",
        "`${a}`;",
        "a.flat(Infinity);",
        "a.join();",
        "[a, a].sort();",
        "a === `${a}`;",
        "util.transform.toDynamoDBFilterExpression({ v: { eq: o } });",
        "util.transform.toElasticsearchQueryDSL({ v: { eq: o } });",
        "util.time.parseISO8601ToEpochMilliSeconds(a);",
        "util.http.addResponseHeader('x', o);",
        "util.str.normalize(a, 'NFC');",
        "extensions.setSubscriptionFilter(o);",
        "extensions.setSubscriptionInvalidationFilter(o);",
        "extensions.invalidateSubscriptions({ subscriptionField: 's', payload: "
        "o });",
        "extensions.evictFromApiCache('T', 'f', o);"}) {
    const LoadedScript loaded = runtime.Load(
        ModuleOf(absl::StrCat("let o = {}; let a = [];"
                              "for (const i of '0123456789'.split('')) {"
                              "for (const j of '0123'.split('')) {"
                              "o = { o, p: o }; a = [a, a]; } }",
                              use)));
    ASSERT_NE(loaded.script, nullptr) << use;
    EXPECT_FALSE(runtime.EvaluateQuickly(*loaded.script, kRequestHandler, "{}"))
        << use;
  }
}

// The same text any number of times takes no memory until it is copied.
TEST(RuntimeLimits, EndsTextsThatAreGivenOverAndOver) {
  Runtime runtime(LimitedOptions({.memory_bytes = size_t{8} << 20}));
  for (const absl::string_view use :
       {"util.appendError(s);", "util.appendError('m', s);",
        "extensions.evictFromApiCache(s, 'f');",
        "extensions.evictFromApiCache('T', s);"}) {
    const std::string code = ModuleOf(absl::StrCat(
        "let s = 'x'; for (const i of '01234567890123456789'.split('')) {"
        "s = s + s; } for (const i of '0123456789'.split('')) {",
        use, "} return 1;"));
    const Evaluation evaluation = EvaluateRequest(runtime, code);
    ASSERT_TRUE(evaluation.error.has_value()) << use;
    EXPECT_EQ(evaluation.error->message, "The code exceeded its memory limit.")
        << use;
    EXPECT_TRUE(evaluation.appended_errors.empty());
  }
}

TEST(RuntimeLimits, InterruptsEvaluations) {
  javascript::Limits limits = kEvaluationLimits;
  limits.steps = std::numeric_limits<int64_t>::max();
  limits.cpu_time = absl::InfiniteDuration();
  RuntimeOptions options = LimitedOptions(limits);
  std::promise<void> begun;
  bool has_begun = false;
  options.now = [&] {
    if (!std::exchange(has_begun, true)) begun.set_value();
    return absl::UnixEpoch();
  };
  Runtime runtime(options);
  const std::string code =
      ModuleOf("util.time.nowEpochSeconds(); " + Loops(18));
  Evaluation evaluation;
  std::thread thread([&] { evaluation = EvaluateRequest(runtime, code); });
  begun.get_future().wait();
  runtime.Interrupt();
  thread.join();
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->message, "The code exceeded its time limit.");
  // Those that begin later, too.
  EXPECT_EQ(EvaluateRequest(runtime, code).error->message,
            "The code exceeded its time limit.");
}

TEST(RuntimeLimits, EndsAPatternThatTakesTooLong) {
  Runtime runtime(LimitedOptions({.steps = 2'000'000}));
  EXPECT_EQ(EvaluateRequest(runtime, ModuleOf("return util.matches('(a+)+b', "
                                              "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                                              "aaaaaaaaaaaaaaaaaaaac');"))
                .error->message,
            "The code exceeded its time limit.");
}

TEST(RuntimeLimits, EndsCodeThatTakesTooMuchMemory) {
  Runtime runtime(LimitedOptions({.memory_bytes = size_t{8} << 20}));
  const Evaluation evaluation = EvaluateRequest(
      runtime,
      ModuleOf("const found = [];"
               "[1, 2, 3, 4, 5, 6, 7, 8].forEach((a) => [1, 2, 3, 4, 5, 6, "
               "7, 8].forEach((b) => { const many = []; many[100000] = 1; "
               "found.push(many.fill('x')); })); return found.length;"));
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->message, "The code exceeded its memory limit.");
  EXPECT_EQ(EvaluateRequest(runtime, ModuleOf("return 1;")).result, "1");
}

// ctx.args has a list of so many numbers.
std::string LargeContext(int numbers) {
  std::string context = R"({"arguments":{"list":[1)";
  for (int i = 1; i < numbers; ++i) context += ",1";
  return absl::StrCat(context, "]}}");
}

TEST(RuntimeLimits, EndsContextsThatTakeTooMuchMemory) {
  Runtime runtime(LimitedOptions({.memory_bytes = size_t{8} << 20}));
  const std::string code = ModuleOf("return ctx.args.list.length;");
  const Evaluation evaluation =
      EvaluateRequest(runtime, code, LargeContext(1'000'000));
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->message, "The code exceeded its memory limit.");
  EXPECT_EQ(EvaluateRequest(runtime, ModuleOf("return 1;")).result, "1");
}

TEST(RuntimeLimits, LeavesLargeContextsToThreadsThatHaveTheTime) {
  RuntimeOptions options = LimitedOptions(kEvaluationLimits);
  options.quick_limits.steps = 1000;
  Runtime runtime(options);
  const std::shared_ptr<const Script> script =
      runtime.Load(ModuleOf("return ctx.args.list.length;")).script;
  ASSERT_NE(script, nullptr);
  const std::string context = LargeContext(100'000);
  EXPECT_FALSE(
      runtime.EvaluateQuickly(*script, kRequestHandler, context).has_value());
  EXPECT_EQ(runtime.Evaluate(*script, kRequestHandler, context).result,
            "100000");
}

TEST(RuntimeLimits, EndsRecursionThatTheCheckerCannotSee) {
  EXPECT_THAT(ResultOf("const o = { f: (n) => 1 + o.f(n + 1) }; return "
                       "o.f(1);"),
              HasSubstr("stack overflow"));
}

// A text of many parts takes memory when it is read.
TEST(RuntimeLimits, EndsTextsForWhichNoMemoryIsLeft) {
  Runtime runtime(LimitedOptions({.memory_bytes = size_t{8} << 20}));
  const Evaluation evaluation = EvaluateRequest(
      runtime,
      ModuleOf("let s = ctx.args.s; for (const i of '012345678901234567890') {"
               "s = s + s; } util.appendError(s);"),
      R"({"arguments":{"s":"\u3042"}})");
  ASSERT_TRUE(evaluation.error.has_value());
  EXPECT_EQ(evaluation.error->message, "The code exceeded its memory limit.");
}

// Compiled patterns are kept for later evaluations, but not all of them.
TEST(RuntimeLimits, KeepsFewLargePatterns) {
  Runtime runtime(FixedOptions());
  const LoadedScript loaded = runtime.Load(
      ModuleOf("let p = ctx.args.p; for (const i of '01234567'.split('')) { "
               "p = p + p; } return util.matches(p, 'x');"));
  ASSERT_NE(loaded.script, nullptr);
  const auto evaluate = [&](int i) {
    EXPECT_EQ(
        runtime
            .Evaluate(*loaded.script, kRequestHandler,
                      absl::StrCat(R"({"arguments":{"p":")", i, R"(\\p{L}"}})"))
            .result,
        "false");
  };
  evaluate(0);
  // Each takes over 1 MB.
  const size_t before = mallinfo2().uordblks;
  for (int i = 1; i <= 60; ++i) evaluate(i);
  EXPECT_LT(mallinfo2().uordblks, before + (size_t{50} << 20));
}

TEST(RuntimeLimits, RefusesResultsThatAreNotJson) {
  EXPECT_THAT(ResultOf("const a = {}; a.a = a; return a;"),
              HasSubstr("circular"));
}

}  // namespace
}  // namespace byoshin::local::appsync::script
