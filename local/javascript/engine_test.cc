#include "local/javascript/engine.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The JSON text of a script's value, or its exception.
std::string Evaluate(Engine& engine, absl::string_view script) {
  const Outcome outcome = engine.Run(script, "test.js");
  if (!outcome.ok()) {
    return absl::StrCat(outcome.exception().name, ": ",
                        outcome.exception().message);
  }
  const absl::StatusOr<std::string> text = engine.Stringify(outcome.value());
  return text.ok() ? *text : std::string(text.status().message());
}

Exception::Kind KindOf(Engine& engine, absl::string_view script) {
  const Outcome outcome = engine.Run(script, "test.js");
  EXPECT_FALSE(outcome.ok()) << script;
  return outcome.ok() ? Exception::Kind::kThrown : outcome.exception().kind;
}

TEST(Engine, GivesTheValueOfTheLastStatement) {
  Engine engine;
  EXPECT_EQ(Evaluate(engine, "const a = [1, 2]; ({b: a, c: 'x'})"),
            R"({"b":[1,2],"c":"x"})");
}

TEST(Engine, KeepsIntegersIntegersAndTheOrderOfMembers) {
  Engine engine;
  const Outcome outcome = engine.Run("({z: 3, a: 1.5, m: 2 ** 40})", "test.js");
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().Get("z").integer(), 3);
  EXPECT_EQ(outcome.value().Get("a").integer(), std::nullopt);
  EXPECT_EQ(outcome.value().Get("a").number(), 1.5);
  EXPECT_EQ(outcome.value().Get("m").integer(), int64_t{1} << 40);
  std::vector<std::string> names;
  outcome.value().ForEachMember([&](absl::string_view name, const Value&) {
    names.emplace_back(name);
    return true;
  });
  EXPECT_THAT(names, ElementsAre("z", "a", "m"));
}

TEST(Engine, TellsTypesApart) {
  Engine engine;
  const Outcome outcome = engine.Run(
      "[undefined, null, true, 1, 'a', [], {}, () => 1, Symbol()]", "test.js");
  ASSERT_TRUE(outcome.ok());
  std::vector<Value::Type> types;
  for (uint32_t i = 0; i < outcome.value().size(); ++i) {
    types.push_back(outcome.value().At(i).type());
  }
  using Type = Value::Type;
  EXPECT_THAT(types, ElementsAre(Type::kUndefined, Type::kNull, Type::kBoolean,
                                 Type::kNumber, Type::kString, Type::kArray,
                                 Type::kObject, Type::kFunction, Type::kOther));
}

TEST(Engine, TextKeepsEveryCharacter) {
  Engine engine;
  const std::string text("a\0\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 11);
  const Value value = engine.String(text);
  EXPECT_EQ(value.string(), text);
  EXPECT_EQ(engine.Run("'\\uD800' + 'a'", "test.js").value().string(),
            "\xEF\xBF\xBD"
            "a");
}

TEST(Engine, AnExceptionSaysWhatAndWhere) {
  Engine engine;
  const Outcome outcome =
      engine.Run("function f(x) {\n  return x.y.z;\n}\nf({});", "code.js");
  ASSERT_FALSE(outcome.ok());
  const Exception& exception = outcome.exception();
  EXPECT_EQ(exception.kind, Exception::Kind::kThrown);
  EXPECT_EQ(exception.name, "TypeError");
  EXPECT_THAT(exception.message, HasSubstr("undefined"));
  ASSERT_TRUE(exception.location.has_value());
  EXPECT_EQ(exception.location->file, "code.js");
  EXPECT_EQ(exception.location->line, 2);
  EXPECT_THAT(exception.stack, HasSubstr("code.js:4:"));
}

TEST(Engine, AScriptThatCannotBeParsedSaysWhere) {
  Engine engine;
  const Outcome outcome = engine.Run("1;\n  2 +;", "code.js");
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.exception().name, "SyntaxError");
  ASSERT_TRUE(outcome.exception().location.has_value());
  EXPECT_EQ(outcome.exception().location->line, 2);
}

TEST(Engine, AnythingCanBeThrown) {
  Engine engine;
  const Outcome outcome =
      engine.Run("throw {code: 'T1', message: 'no'}", "test.js");
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.exception().message, "no");
  EXPECT_EQ(outcome.exception().thrown.Get("code").string(), "T1");
  EXPECT_EQ(outcome.exception().name, "");
}

TEST(Engine, CallsFunctionsWithValues) {
  Engine engine;
  const Outcome function = engine.Run("(a, b) => a.x + b[1]", "test.js");
  ASSERT_TRUE(function.ok());
  const Outcome sum = engine.Call(
      function.value(), {engine.Object({{"x", engine.Integer(40)}}),
                         engine.Array({engine.Null(), engine.Number(2.5)})});
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum.value().number(), 42.5);
}

TEST(Engine, ScriptsCallFunctionsOfTheOwner) {
  Engine engine;
  engine.SetGlobal(
      "join", engine.NewFunction(
                  "join", [](Engine& inside, absl::Span<const Value> values) {
                    std::string all;
                    for (const Value& value : values)
                      absl::StrAppend(&all, value.string());
                    return inside.String(all);
                  }));
  EXPECT_EQ(Evaluate(engine, "join('a', 'b') + join.name"), R"("abjoin")");
}

TEST(Engine, FunctionsOfTheOwnerThrow) {
  Engine engine;
  engine.SetGlobal("fail",
                   engine.NewFunction("fail", [](Engine&, auto) -> Outcome {
                     Exception exception;
                     exception.message = "bad argument";
                     return exception;
                   }));
  EXPECT_EQ(Evaluate(engine,
                     "try { fail() } catch (e) { e instanceof Error && "
                     "e.message }"),
            R"("bad argument")");
}

TEST(Engine, FunctionsOfTheOwnerCallBack) {
  Engine engine;
  engine.SetGlobal(
      "twice", engine.NewFunction("twice", [](Engine& inside,
                                              absl::Span<const Value> values) {
        const Outcome once = inside.Call(values[0], {inside.Integer(1)});
        return once.ok() ? inside.Call(values[0], {once.value()}) : once;
      }));
  EXPECT_EQ(Evaluate(engine, "twice(x => x * 10)"), "100");
  EXPECT_EQ(
      Evaluate(engine, "try { twice(x => { throw 'no' }) } catch (e) { e }"),
      R"("no")");
}

TEST(Engine, ImportsModulesOfTheOwner) {
  Engine engine;
  engine.AddModule("@aws-appsync/utils",
                   {{"util", engine.Object({{"one", engine.Integer(1)}})}});
  const Outcome module = engine.RunModule(
      "import { util as u } from '@aws-appsync/utils';\n"
      "export function request(ctx) { return {n: u.one + ctx.n}; }",
      "code.js");
  ASSERT_TRUE(module.ok()) << module.exception().message;
  const Outcome answer = engine.Call(module.value().Get("request"),
                                     {*engine.Parse(R"({"n": 2})")});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(*engine.Stringify(answer.value()), R"({"n":3})");
}

TEST(Engine, FindsNoOtherModule) {
  Engine engine;
  for (const char* name : {"os", "std", "fs", "./other.js"}) {
    const Outcome module = engine.RunModule(
        absl::StrCat("import * as m from '", name, "'"), "code.js");
    ASSERT_FALSE(module.ok());
    EXPECT_THAT(module.exception().message, HasSubstr("Cannot find module"));
  }
}

TEST(Engine, GivesScriptsNoWayOut) {
  Engine engine;
  EXPECT_EQ(Evaluate(engine,
                     "['os', 'std', 'require', 'process', 'fetch', "
                     "'setTimeout', 'load', 'print', 'scriptArgs'].filter("
                     "name => name in globalThis)"),
            "[]");
}

TEST(Engine, WaitsForPromises) {
  Engine engine;
  EXPECT_EQ(Evaluate(engine, "(async () => (await 1) + (await 2))()"), "3");
  EXPECT_EQ(Evaluate(engine, "(async () => { throw new Error('late') })()"),
            "Error: late");
  EXPECT_EQ(Evaluate(engine, "new Promise(() => {})"),
            "Error: The promise was never settled");
}

TEST(Engine, TimeAndRandomnessComeFromTheOwner) {
  Engine engine({.limits = {},
                 .now = [] { return absl::FromUnixMillis(86400000); },
                 .random = [] { return 0.25; },
                 .console = nullptr});
  EXPECT_EQ(Evaluate(engine,
                     "[Date.now(), new Date().toISOString(), Math.random(), "
                     "new Date(5).getTime(), new Date() instanceof Date, "
                     "Date.UTC(1970, 0, 2), typeof Date(), "
                     "new Date().constructor.now()]"),
            R"([86400000,"1970-01-02T00:00:00.000Z",0.25,5,true,86400000,)"
            R"("string",86400000])");
}

TEST(Engine, CapturesWhatScriptsLog) {
  std::vector<std::string> lines;
  Engine engine({.limits = {},
                 .now = nullptr,
                 .random = nullptr,
                 .console = [&](ConsoleLevel level, const Location& place,
                                absl::Span<const Value> values) {
                   lines.push_back(absl::StrCat(
                       level == ConsoleLevel::kError ? "E " : "L ", place.file,
                       ":", place.line, ":", values[0].string()));
                 }});
  ASSERT_TRUE(
      engine.Run("console.log('a');\nconsole.error('b');", "code.js").ok());
  EXPECT_THAT(lines, ElementsAre("L code.js:1:a", "E code.js:2:b"));
}

TEST(Engine, ParsesAndPrintsJson) {
  Engine engine;
  const absl::StatusOr<Value> value =
      engine.Parse(R"({"b":[1,2.5,"\u00e9"],"a":null})");
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*engine.Stringify(*value),
            "{\"b\":[1,2.5,\"\xC3\xA9\"],\"a\":null}");
  EXPECT_EQ(engine.Parse("{").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(engine.Stringify(Value()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Engine, RunsWhatAnotherEngineHasCompiled) {
  Engine first;
  const absl::StatusOr<std::string> bytecode =
      first.Compile("globalThis.f = x => x + 1; 7", "code.js");
  ASSERT_TRUE(bytecode.ok());
  Engine second;
  const Outcome outcome = second.RunCompiled(*bytecode);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().integer(), 7);
  EXPECT_EQ(Evaluate(second, "f(1)"), "2");
}

class Squares : public HostObject {
 public:
  explicit Squares(int* reads) : reads_(reads) {}
  std::optional<Value> Get(Engine& engine,
                           absl::string_view name) const override {
    ++*reads_;
    if (name == "two") return engine.Integer(4);
    if (name == "three") return engine.Integer(9);
    return std::nullopt;
  }
  void ForEachName(
      absl::FunctionRef<void(absl::string_view)> visit) const override {
    visit("two");
    visit("three");
  }

 private:
  int* reads_;
};

TEST(Engine, MakesMembersOfHostObjectsWhenTheyAreRead) {
  Engine engine;
  int reads = 0;
  engine.SetGlobal("squares", engine.Host(std::make_shared<Squares>(&reads)));
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(Evaluate(engine, "squares.three"), "9");
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(Evaluate(engine, "[squares, Object.keys(squares), squares.four]"),
            R"([{"two":4,"three":9},["two","three"],null])");
  EXPECT_EQ(Evaluate(engine,
                     "'two' in squares && squares.hasOwnProperty('two')"
                     " && !squares.hasOwnProperty('five')"),
            "true");
  EXPECT_NE(engine.Global("squares").host(), nullptr);
  EXPECT_EQ(engine.Global("Math").host(), nullptr);
}

TEST(Engine, HostObjectsCannotBeChanged) {
  Engine engine;
  int reads = 0;
  engine.SetGlobal("squares", engine.Host(std::make_shared<Squares>(&reads)));
  for (const char* script :
       {"squares.two = 5", "squares.four = 5", "delete squares.two",
        "Object.defineProperty(squares, 'four', {value: 1})"}) {
    EXPECT_THAT(Evaluate(engine, script), HasSubstr("read-only")) << script;
  }
}

// Steps, so that these tests take the same time everywhere.
EngineOptions Small() {
  EngineOptions options;
  options.limits.memory_bytes = size_t{4} << 20;
  options.limits.steps = 100'000;
  options.limits.cpu_time = absl::InfiniteDuration();
  return options;
}

TEST(Limits, EndLoops) {
  for (const char* script : {
           "for (;;) {}",
           "while (true) { try { for (;;) {} } catch (e) {} }",
           "(function f() { try { f() } finally { f() } })()",
           "(async () => { for (;;) await 1 })()",
           "/^(a+)+$/.test('a'.repeat(40) + 'b')",
           "const a = []; a.length = 4e9; a.indexOf(1)",
           "Array.prototype.includes.call({length: 2 ** 53 - 1}, 1)",
           "[].concat(Object.assign([], {length: 4e9}))",
           "Array.prototype.lastIndexOf.call({length: 2 ** 53 - 1}, 1)",
           "Array.prototype.join.call({length: 2 ** 31})",
           "Array.prototype.fill.call(Object.freeze([]), 1, 0, 1);"
           "Array.prototype.reverse.call({length: 2 ** 53 - 1})",
           "Array.prototype.map.call({length: 4e9}, Math.abs)",
           "Array.prototype.find.call({length: 2 ** 53 - 1}, Math.abs)",
           "Array.prototype.slice.call({length: 2 ** 53 - 1}, 0, 4e9)",
           "Array.prototype.splice.call({length: 2 ** 53 - 1}, 0, 1)",
           "Array.prototype.shift.call({length: 2 ** 53 - 1})",
           "Array.prototype.unshift.call({length: 2 ** 53 - 2}, 1)",
           "Array.prototype.sort.call({length: 2 ** 53 - 1})",
           "Array.from({length: 4e9}, () => 1)",
           "String.raw({raw: {length: 2 ** 53 - 1}})",
       }) {
    Engine engine(Small());
    EXPECT_EQ(KindOf(engine, script), Exception::Kind::kTime) << script;
  }
}

// The same object in two places of the next one, forty times.
constexpr absl::string_view kShared =
    "let o = {}; for (let i = 0; i < 40; ++i) o = {o, p: o};"
    "let a = []; for (let i = 0; i < 40; ++i) a = [a, a];";

TEST(Limits, EndWalksOfWhatIsSharedOverAndOver) {
  for (const absl::string_view walk : {
           "JSON.stringify(o)",
           "JSON.stringify(a)",
           "JSON.stringify(o, null, 2)",
           "JSON.stringify(o, ['o', 'p'])",
           "JSON.stringify(o, (key, value) => value)",
           "a.flat(Infinity)",
           "a.join()",
           "`${a}`",
           "a.toLocaleString()",
           "[a, a].sort()",
       }) {
    const std::string script = absl::StrCat(kShared, walk);
    Engine engine(Small());
    EXPECT_EQ(KindOf(engine, script), Exception::Kind::kTime) << script;
  }
}

TEST(Limits, EndStringifyingWhatIsShared) {
  Engine engine(Small());
  const Outcome outcome = engine.Run(absl::StrCat(kShared, "o"), "test.js");
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(engine.Stringify(outcome.value()).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

// Where the text no longer fits into the memory, rather than at the end.
TEST(Limits, EndStringifyingWhereTheMemoryEnds) {
  EngineOptions options = Small();
  options.limits.steps = int64_t{1} << 40;
  Engine engine(std::move(options));
  EXPECT_EQ(KindOf(engine, absl::StrCat(kShared, "JSON.stringify(o)")),
            Exception::Kind::kMemory);
}

TEST(Limits, EndSearchesForTextsInTexts) {
  for (const absl::string_view search : {
           "text.indexOf(part)",
           "text.indexOf([part])",
           "text.lastIndexOf(part)",
           "text.includes(part)",
           "text.replace(part, '')",
           "text.replaceAll(part, '')",
           "text.split(part)",
           "/^(.*)\\1\\1c/.test(text)",
           // The part begins at every other character only.
           "odd.replace(ends, '')",
           "odd.replaceAll(ends, '')",
           "odd.split(ends)",
       }) {
    const std::string script = absl::StrCat(
        "const text = 'a'.repeat(1e6);"
        "const part = 'a'.repeat(5e5) + 'b';"
        "const odd = 'xa'.repeat(5e4);"
        "const ends = 'ax'.repeat(2.5e4) + 'b';",
        search);
    Engine engine(Small());
    EXPECT_EQ(KindOf(engine, script), Exception::Kind::kTime) << script;
  }
}

// A call of a built-in function ends by itself, but a loop of 10,000 such calls
// would take minutes.
TEST(Limits, CountWhatIsDoneWithLongTextsAndArrays) {
  for (const absl::string_view call : {
           "text === other",
           "text < other",
           "text.trim()",
           "wide.isWellFormed()",
           "text.startsWith(other)",
           "text.includes('a')",
           "text.split('x')",
           "[text].includes(other)",
           "map.get(text)",
           "object[text]",
           "array.includes(1)",
           "array.indexOf(1)",
           "array.reverse()",
           "array.shift()",
           "array.copyWithin(0, 1)",
           "host(text)",
       }) {
    const std::string script = absl::StrCat(
        "const text = ' '.repeat(5e5), other = ' '.repeat(4e5) + '  '.repeat("
        "5e4); const wide = '\u3042'.repeat(2.5e5), object = {};"
        "const map = new Map(); const array = Array(1e5).fill(0);"
        "for (let i = 0; i < 2000; ++i) { ",
        call, " }");
    Engine engine(Small());
    engine.SetGlobal(
        "host", engine.NewFunction(
                    "host", [](Engine&, auto) -> Outcome { return Value(); }));
    EXPECT_EQ(KindOf(engine, script), Exception::Kind::kTime) << script;
  }
}

TEST(Limits, CountTheValuesOfJson) {
  Engine engine(Small());
  std::string text = "[";
  for (int i = 0; i < 120'000; ++i) text += "1,";
  text += "1]";
  EXPECT_EQ(engine.Parse(text).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(Limits, InterruptsEndCalls) {
  std::atomic<bool> interrupted = false;
  Engine engine;
  engine.InterruptBy(interrupted);
  engine.SetGlobal("interrupt",
                   engine.NewFunction("interrupt", [&](Engine&, auto) {
                     interrupted = true;
                     return Outcome(Value());
                   }));
  EXPECT_EQ(
      KindOf(engine, "interrupt(); for (let i = 0; i < 1e6; ++i) {}; throw 1"),
      Exception::Kind::kTime);
  interrupted = false;
  EXPECT_EQ(Evaluate(engine, "1 + 1"), "2");
}

TEST(Limits, HoldForEachCallByItself) {
  Engine engine(Small());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Evaluate(engine,
                       "(() => { let n = 0; while (n < 20000) ++n; "
                       "return n })()"),
              "20000");
  }
}

TEST(Limits, EndGreedForMemory) {
  for (const char* script : {
           "const a = []; for (;;) a.push({})",
           "let s = 'a'; for (;;) { s = s + s; s.charCodeAt(0) }",
           "const again = () => Promise.resolve().then(again); again()",
           "'a'.repeat(1e9)",
           "Array(1e6).fill({}).map(x => [x, x])",
           "const a = []; for (;;) { try { a.push('b'.repeat(10000) + a.length)"
           " } catch (e) { a.push(1) } }",
       }) {
    Engine engine(Small());
    const Exception::Kind kind = KindOf(engine, script);
    EXPECT_TRUE(kind == Exception::Kind::kMemory ||
                kind == Exception::Kind::kTime)
        << script;
  }
}

TEST(Limits, EndDeepRecursion) {
  for (const char* script : {
           "(function f() { f() })()",
           "const a = []; a[0] = a; a.toString; "
           "(function f(n) { return [n].map(f) })(1)",
       }) {
    Engine engine;
    EXPECT_EQ(KindOf(engine, script), Exception::Kind::kStack) << script;
    EXPECT_EQ(Evaluate(engine, "1 + 1"), "2");
  }
}

TEST(Limits, DeepJsonIsRefused) {
  Engine engine;
  const std::string deep(200'000, '[');
  EXPECT_FALSE(engine.Parse(deep).ok());
  EXPECT_FALSE(engine.Run(absl::StrCat("JSON.parse('", deep, "')"), "t").ok());
  EXPECT_EQ(KindOf(engine,
                   "let a = []; for (let i = 0; i < 1e5; ++i) a = [a]; "
                   "JSON.stringify(a)"),
            Exception::Kind::kStack);
}

TEST(Limits, MemoryIsFreedAfterACall) {
  Engine engine(Small());
  ASSERT_TRUE(engine.Run("1", "test.js").ok());
  const size_t before = engine.memory_in_use();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(engine.Run("'a'.repeat(1e6).length", "test.js").ok());
  }
  EXPECT_LT(engine.memory_in_use(), before + 100'000);
}

TEST(Limits, MemoryOfATextThatCannotBeReadIsFreed) {
  Engine engine(Small());
  ASSERT_TRUE(engine.Run("1", "test.js").ok());
  const size_t before = engine.memory_in_use();
  EXPECT_FALSE(engine.limit_exceeded());
  {
    const Outcome outcome = engine.Run(
        "(() => { let s = '\\u3042'; for (let i = 0; i < 20; ++i) s = s + s; "
        "return s })()",
        "test.js");
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome.value().string(), "");
    EXPECT_TRUE(engine.limit_exceeded());
  }
  EXPECT_LT(engine.memory_in_use(), before + 100'000);
}

}  // namespace
}  // namespace byoshin::local::javascript
