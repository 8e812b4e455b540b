#include "local/stepfunctions/jsonata/jsonata.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

JsonataCompiler& Compiler() {
  static auto* compiler = new JsonataCompiler();
  return *compiler;
}

std::vector<std::string> Mistakes(absl::string_view text) {
  const auto compiled = Compiler().Compile(text);
  std::vector<std::string> messages;
  if (const auto* mistakes =
          std::get_if<std::vector<ExpressionMistake>>(&compiled)) {
    for (const ExpressionMistake& mistake : *mistakes) {
      messages.push_back(absl::StrCat(mistake.code, ": ", mistake.message));
    }
  }
  return messages;
}

std::shared_ptr<const Expression> Compile(absl::string_view text) {
  auto compiled = Compiler().Compile(text);
  const auto* expression =
      std::get_if<std::shared_ptr<const Expression>>(&compiled);
  EXPECT_NE(expression, nullptr)
      << text << ": " << absl::StrJoin(Mistakes(text), ", ");
  return expression == nullptr ? nullptr : *expression;
}

std::string TextOf(const ExpressionResult& result) {
  if (const auto* failure = std::get_if<ExpressionFailure>(&result)) {
    return failure->kind == ExpressionFailure::Kind::kUnsupportedResult
               ? "unsupported"
               : absl::StrCat("error", failure->tail);
  }
  const auto& data = *std::get_if<std::optional<Data>>(&result);
  return data.has_value() ? data->ToJson() : "undefined";
}

// The result as text, with this `$states.input` and these variables.
std::string Evaluate(absl::string_view text, absl::string_view input = "{}",
                     absl::string_view variables = "{}") {
  const std::shared_ptr<const Expression> expression = Compile(text);
  if (expression == nullptr) return "";
  Random random(1);
  ObjectBuilder states;
  states.Set("input", D(input));
  return TextOf(expression->Evaluate({.states = std::move(states).Build(),
                                      .variables = D(variables),
                                      .random = &random,
                                      .now = absl::FromUnixSeconds(86400)}));
}

TEST(Jsonata, ReadsTheInputAndVariables) {
  EXPECT_EQ(Evaluate("$states.input.a + $b", R"({"a":1})", R"({"b":2})"), "3");
  EXPECT_EQ(Evaluate("$states.input.items[price > 1].name",
                     R"({"items":[{"name":"x","price":1},)"
                     R"({"name":"y","price":2},{"name":"z","price":3}]})"),
            R"(["y","z"])");
  EXPECT_EQ(Evaluate("$missing"), "undefined");
  EXPECT_EQ(Evaluate("$states.input.absent.deeper"), "undefined");
}

TEST(Jsonata, WhatJavaScriptAddsToObjectsIsNoMember) {
  for (const char* name : {"constructor", "toString", "__proto__"}) {
    EXPECT_EQ(Evaluate(absl::StrCat("$states.input.", name)), "undefined");
    EXPECT_EQ(Evaluate(absl::StrCat("[$states.input.", name, "]")), "[]");
    EXPECT_EQ(Evaluate(absl::StrCat("[$states.input.", name, "]"),
                       absl::StrCat("{\"", name, "\":1}")),
              "[1]");
  }
}

// The second form of each expression needs the engine.
TEST(Jsonata, PathsWithoutTheEngineGiveTheSame) {
  const char* inputs[] = {
      "{}",
      R"({"a":1})",
      R"({"a":null})",
      R"({"a":"x"})",
      R"({"a":2.0})",
      R"({"a":1e300})",
      R"({"a":{"b":{"c":[1,[2]]}}})",
      R"({"a":{"b":[]}})",
      R"({"a":{"b":[[1]]}})",
      R"({"a":[{"b":1},{"b":[2,3]},{"c":4}]})",
      R"({"a":[{"b":{"c":1}}]})",
      R"([{"a":{"b":1}},{"a":2}])",
      R"("text")",
      "[]",
  };
  for (const char* input : inputs) {
    for (const char* path :
         {"$states.input", "$states.input.a", "$states.input.a.b",
          "$states.input.a.b.c", "$v", "$v.a", "$v.a.b", "$w.a"}) {
      const std::string variables = absl::StrCat("{\"v\":", input, "}");
      EXPECT_EQ(Evaluate(path, input, variables),
                Evaluate(absl::StrCat("true ? ", path), input, variables))
          << path << " of " << input;
    }
  }
}

TEST(Jsonata, GivesWholeObjectsBackAsTheyWere) {
  const std::string object =
      R"({"b":1.0,"2":[true,null,{"z":9007199254740993,"a":"é"}],"1":-0.0})";
  EXPECT_EQ(Evaluate("$states.input", object), D(object).ToJson());
  EXPECT_EQ(Evaluate("{'copy': $states.input}", object),
            absl::StrCat("{\"copy\":", D(object).ToJson(), "}"));
}

TEST(Jsonata, KeepsIntegersIntegers) {
  EXPECT_EQ(Evaluate("[1, 1.5, 2.0, 1e3, 0.1 + 0.2, -0]"),
            "[1,1.5,2,1000,0.30000000000000004,0]");
  EXPECT_EQ(Evaluate("$states.input.n * 2", R"({"n":4503599627370496})"),
            "9007199254740992");
}

TEST(Jsonata, WorksOnLazyObjectsAsOnOthers) {
  const std::string input = R"({"b":{"y":1,"x":2},"a":[{"k":1},{"k":2}]})";
  EXPECT_EQ(Evaluate("$keys($states.input)", input), R"(["b","a"])");
  EXPECT_EQ(Evaluate("$states.input.*.k", input), "[1,2]");
  EXPECT_EQ(Evaluate("$states.input.**.x", input), "2");
  EXPECT_EQ(Evaluate("$states.input.b = {'y': 1, 'x': 2}", input), "true");
  EXPECT_EQ(Evaluate("$string($states.input.b)", input),
            R"("{\"y\":1,\"x\":2}")");
  EXPECT_EQ(Evaluate("$merge([$states.input.b, {'z': 3}])", input),
            R"({"y":1,"x":2,"z":3})");
  EXPECT_EQ(Evaluate("$spread($states.input.b)", input),
            R"([{"y":1},{"x":2}])");
  EXPECT_EQ(Evaluate("$sift($states.input.b, function($v) {$v > 1})", input),
            R"({"x":2})");
  EXPECT_EQ(
      Evaluate("$each($states.input.b, function($v, $k) {$k & $v})", input),
      R"(["y1","x2"])");
  EXPECT_EQ(Evaluate("$lookup($states.input, 'b').x", input), "2");
  EXPECT_EQ(Evaluate("$exists($states.input.b.z)", input), "false");
  EXPECT_EQ(Evaluate("$type($states.input.b)", input), R"("object")");
}

TEST(Jsonata, TransformingAnObjectLeavesTheInputAlone) {
  EXPECT_EQ(Evaluate("($t := $states.input ~> |$|{'b': 2}, ['a']|; "
                     "[$t, $states.input])",
                     R"({"a":1})"),
            R"([{"b":2},{"a":1}])");
  EXPECT_THAT(Evaluate("($clone := function($x) {$x}; "
                       "$states.input ~> |$|{'b': 2}|)",
                       R"({"a":1})"),
              HasSubstr("read-only"));
}

TEST(Jsonata, CountsCharactersAndNotBytes) {
  EXPECT_EQ(Evaluate("$length('a\xC3\xA9\xF0\x9F\x98\x80')"), "3");
}

TEST(Jsonata, SortsManyElements) {
  EXPECT_EQ(Evaluate("$sort([3, 1, 2])"), "[1,2,3]");
  EXPECT_EQ(Evaluate("$count($sort($map([1..2000], function($i) {"
                     "($i * 7919) % 2003})))"),
            "2000");
  EXPECT_EQ(Evaluate("$states.input.x^(>n, s).s",
                     R"({"x":[{"n":1,"s":"b"},{"n":2,"s":"c"},)"
                     R"({"n":1,"s":"a"}]})"),
            R"(["c","a","b"])");
  EXPECT_EQ(Evaluate("$max([1..100000]) + $min([1..100000])"), "100001");
}

TEST(Jsonata, MatchesRegularExpressions) {
  EXPECT_EQ(Evaluate(R"($contains('hello$world', /^hello\$/))"), "true");
  EXPECT_EQ(Evaluate("$replace('a-b-c', /-/, '+')"), R"("a+b+c")");
  EXPECT_EQ(Evaluate("$match('abab', /b/).index"), "[1,3]");
  EXPECT_EQ(Evaluate("$split('a, b,c', /, ?/)"), R"(["a","b","c"])");
}

TEST(Jsonata, AFunctionIsNoResult) {
  EXPECT_EQ(Evaluate("function($x) {$x}"), "unsupported");
  EXPECT_EQ(Evaluate("$fn := function($x) {$x}"), "unsupported");
  EXPECT_EQ(Evaluate("$sum"), "unsupported");
  EXPECT_EQ(Evaluate("/a/"), "unsupported");
  EXPECT_EQ(Evaluate("[1, $sum]"), "unsupported");
}

TEST(Jsonata, NullIsAResult) {
  EXPECT_EQ(Evaluate("null"), "null");
  EXPECT_EQ(Evaluate("[$states.input.a, 1]", R"({"a":null})"), "[null,1]");
  EXPECT_EQ(Evaluate("$count($states.input.a)", R"({"a":null})"), "1");
}

TEST(Jsonata, NumbersThatAreNotFiniteAreTexts) {
  EXPECT_EQ(Evaluate("[1/0, -1/0, 0/0]"), R"(["Infinity","-Infinity","NaN"])");
}

TEST(Jsonata, AnErrorHasItsCode) {
  EXPECT_EQ(Evaluate("'a' + 1"),
            "error. T2001: The left side of the \"+\" operator must evaluate "
            "to a number");
  EXPECT_EQ(Evaluate("$sum(['a'])"),
            "error. T0412: Argument 1 of function \"sum\" must be an array of "
            "\"numbers\"");
  EXPECT_EQ(Evaluate("$eval('1+1')"),
            "error. T1006: Attempted to invoke a non-function");
  EXPECT_EQ(Evaluate("$error('too bad')"), "error. D3137: too bad");
}

TEST(Jsonata, ParsesJson) {
  EXPECT_EQ(Evaluate(R"($parse('{"a":[1,null]}').a)"), "[1,null]");
  EXPECT_EQ(Evaluate("$exists($parse('null'))"), "true");
  EXPECT_EQ(Evaluate("$parse()"), "undefined");
  EXPECT_EQ(Evaluate("$parse('nope')"), "error. D3137: Invalid JSON");
  EXPECT_EQ(Evaluate("$parse('')"), "error. D3137: Invalid JSON");
  EXPECT_EQ(Evaluate("$parse(1)"),
            "error. T0410: Argument 1 of function \"parse\" does not match "
            "function signature");
  EXPECT_EQ(Evaluate("$map(['1', '2'], function($t) {$parse($t)})"), "[1,2]");
}

TEST(Jsonata, PartitionsArrays) {
  EXPECT_EQ(Evaluate("$partition([1..5], 2)"), "[[1,2],[3,4],[5]]");
  EXPECT_EQ(Evaluate("$partition([1..5], 2.9)"), "[[1,2],[3,4],[5]]");
  EXPECT_EQ(Evaluate("$partition([1, 2])"), "[[1,2]]");
  EXPECT_EQ(Evaluate("$partition([], 2)"), "undefined");
  EXPECT_EQ(Evaluate("$partition([1], 0)"), "undefined");
  EXPECT_EQ(Evaluate("$partition([1], -1)"),
            "error. D3137: Second argument must be zero or greater");
  EXPECT_EQ(Evaluate("$partition(null, 2)"),
            "error. T0412: Argument 1 of function \"partition\" must be an "
            "array of undefined");
}

TEST(Jsonata, MakesRanges) {
  EXPECT_EQ(Evaluate("$range(0, 10, 2)"), "[0,2,4,6,8,10]");
  EXPECT_EQ(Evaluate("$range(10, 1, -4)"), "[10,6,2]");
  EXPECT_EQ(Evaluate("$range(-1.7, 2, 1)"), "[-1,0,1,2]");
  EXPECT_EQ(Evaluate("$range(3, 3, 1)"), "3");
  EXPECT_EQ(Evaluate("$range(5, 1, 1)"), "undefined");
  EXPECT_EQ(Evaluate("$range(1, 5, 0)"), "undefined");
  EXPECT_EQ(Evaluate("$range(1, 5)"), "undefined");
  EXPECT_THAT(Evaluate("$range(1)"), StartsWith("error. T0410: Argument 2"));
}

TEST(Jsonata, Hashes) {
  EXPECT_EQ(Evaluate("$hash('input', 'SHA-1')"),
            R"("140f86aae51ab9e1cda9b4254fe98a74eb54c1a1")");
  EXPECT_EQ(Evaluate("$map(['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'], "
                     "function($a) {$length($hash('é', $a))})"),
            "[32,40,64,96,128]");
  EXPECT_EQ(Evaluate("$hash('a')"), "undefined");
  EXPECT_EQ(Evaluate("$hash('a', 'sha-1')"),
            "error. D3137: Hash algorithm 'sha-1' must be one of SHA-1, "
            "SHA-384, SHA-256, SHA-512, MD5");
  EXPECT_THAT(Evaluate("$hash(1, 'MD5')"), StartsWith("error. T0410"));
}

TEST(Jsonata, ChanceComesFromTheExecution) {
  EXPECT_EQ(Evaluate("$random(42)"), "0.7275636800328681");
  EXPECT_EQ(Evaluate("[$random(), $uuid(), $shuffle([1..9])]"),
            Evaluate("[$random(), $uuid(), $shuffle([1..9])]"));
  EXPECT_EQ(Evaluate("$random() != $random()"), "true");
  EXPECT_EQ(Evaluate("$contains($uuid(), "
                     "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                     "[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)"),
            "true");
  EXPECT_THAT(Evaluate("$uuid(1)"), StartsWith("error. T0410: Argument 1"));
}

TEST(Jsonata, TimeComesFromTheExecution) {
  EXPECT_EQ(Evaluate("$now()"), R"("1970-01-02T00:00:00.000Z")");
  EXPECT_EQ(Evaluate("$millis()"), "86400000");
  EXPECT_EQ(Evaluate("$fromMillis(0, '[Y0001]-[M01]-[D01]')"),
            R"("1970-01-01")");
  EXPECT_EQ(Evaluate("$toMillis('1970-01-01T00:00:01Z')"), "1000");
}

TEST(Jsonata, EncodesBase64) {
  EXPECT_EQ(Evaluate("$base64encode('a\xC3\xBF')"), R"("Yf8=")");
  EXPECT_EQ(Evaluate("$base64decode('Yf8=')"), "\"a\xC3\xBF\"");
  EXPECT_THAT(Evaluate("$base64decode('!!!')"), StartsWith("error: "));
  EXPECT_THAT(Evaluate("$base64encode('\xE2\x82\xAC')"), StartsWith("error: "));
}

std::string Repeated(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, text);
  return all;
}

constexpr char kTooDeep[] =
    "error: Stack overflow error: Check for non-terminating recursive "
    "function. Consider rewriting as tail-recursive";
constexpr char kTooMuch[] =
    "error: Expression evaluation memory limit exceeded: Check for excessive "
    "memory usage";
constexpr char kTooLong[] =
    "error: Expression evaluation timeout: Check for infinite loop";

// The boundaries are those that others have measured on AWS.
TEST(JsonataLimits, ExpressionsAreNestedAHundredDeep) {
  EXPECT_EQ(Evaluate(absl::StrCat(Repeated("1+", 99), "1")), "100");
  EXPECT_EQ(Evaluate(absl::StrCat(Repeated("1+", 100), "1")), kTooDeep);
  EXPECT_EQ(Evaluate(absl::StrCat(Repeated("(", 99), "1", Repeated(")", 99))),
            "1");
  EXPECT_EQ(Evaluate(absl::StrCat(Repeated("(", 100), "1", Repeated(")", 100))),
            kTooDeep);
  const std::string recursive =
      "($f := function($n) {$n = 0 ? 0 : 1 + $f($n - 1)}; $f(";
  EXPECT_EQ(Evaluate(absl::StrCat(recursive, "31))")), "31");
  EXPECT_EQ(Evaluate(absl::StrCat(recursive, "32))")), kTooDeep);
}

TEST(JsonataLimits, ArraysWithManyElementsAreNotDeep) {
  EXPECT_EQ(Evaluate(absl::StrCat("$count([", Repeated("1,", 300), "1])")),
            "301");
  EXPECT_EQ(Evaluate("$count($map([1..300], function($i) {[$i, $i]}))"), "300");
}

TEST(JsonataLimits, SequencesAndTextsAreBounded) {
  EXPECT_EQ(Evaluate("[1..873782] ~> $count()"), "873782");
  EXPECT_EQ(Evaluate("[1..873783] ~> $count()"), kTooMuch);
  EXPECT_EQ(Evaluate("[1..9999999] ~> $count()"), kTooMuch);
  EXPECT_EQ(Evaluate("$count($range(1, 360145, 1))"), "360145");
  EXPECT_EQ(Evaluate("$range(1, 360146, 1)"), kTooMuch);
  EXPECT_EQ(Evaluate("$range(1, 1e300, 1)"), kTooMuch);
  // 22 and 23 times twice as long.
  auto grown = [](int times) {
    return absl::StrCat("$length($reduce([1..", times,
                        "], function($text, $i) {$text & $text}, 'a'))");
  };
  EXPECT_EQ(Evaluate(grown(22)), "4194304");
  EXPECT_EQ(Evaluate(grown(23)), kTooMuch);
}

std::string EvaluateWith(JsonataCompiler& compiler, const std::string& text) {
  Random random(1);
  return TextOf(
      std::get<std::shared_ptr<const Expression>>(compiler.Compile(text))
          ->Evaluate({.states = Data::EmptyObject(),
                      .variables = Data::EmptyObject(),
                      .random = &random,
                      .now = absl::UnixEpoch()}));
}

TEST(JsonataLimits, EndlessExpressionsEnd) {
  JsonataCompiler compiler({.memory_bytes = size_t{16} << 20, .steps = 50'000});
  auto evaluate = [&](const std::string& text) {
    return EvaluateWith(compiler, text);
  };
  EXPECT_EQ(evaluate("($f := function($x) {$f($x + 1)}; $f(1))"), kTooLong);
  EXPECT_EQ(evaluate("$contains('" + Repeated("a", 40) + "b', /^(a+)+$/)"),
            kTooLong);
  EXPECT_THAT(evaluate("$pad('x', 1000000000)"), AnyOf(kTooMuch, kTooLong));
  // The next evaluation has a limit of its own.
  EXPECT_EQ(evaluate("1 + 1"), "2");
}

// A text of many parts takes memory when it is read.
TEST(JsonataLimits, TextsForWhichNoMemoryIsLeftEnd) {
  JsonataCompiler compiler({.memory_bytes = size_t{16} << 20});
  EXPECT_EQ(
      EvaluateWith(compiler,
                   "$reduce([1..22], function($t, $i) {$t & $t}, '\u3042')"),
      kTooMuch);
}

// The same object in two places of the next one.
TEST(JsonataLimits, ResultsThatAreSharedOverAndOverEnd) {
  const auto shared = [](int times) {
    return absl::StrCat("$reduce([1..", times,
                        "], function($o, $i) {{'o': $o, 'p': $o}}, {})");
  };
  EXPECT_THAT(Evaluate(shared(4)), StartsWith(R"({"o":{"o":{"o":)"));
  EXPECT_EQ(Evaluate(shared(40)), kTooMuch);
  JsonataCompiler compiler(
      {.memory_bytes = size_t{16} << 20, .steps = 200'000});
  for (const std::string& walk :
       {absl::StrCat("$string(", shared(40), ")"),
        absl::StrCat(shared(40), " = ", shared(40)),
        absl::StrCat("$distinct([", shared(40), ", ", shared(40), "])")}) {
    EXPECT_EQ(EvaluateWith(compiler, walk), kTooLong) << walk;
  }
  EXPECT_EQ(Evaluate("($s := $reduce([1..20], function($t, $i) {$t & $t}, 'x');"
                     "[1..20].$s)"),
            kTooMuch);
}

TEST(JsonataLimits, ResultsAreNestedAThousandDeepAtMost) {
  const std::string nest =
      "$reduce([1..$states.input.n], function($a, $i) {{'a': $a}}, 0)";
  EXPECT_THAT(Evaluate(nest, R"({"n":900})"), StartsWith(R"({"a":{"a":)"));
  EXPECT_EQ(Evaluate(nest, R"({"n":2000})"), "unsupported");
}

TEST(JsonataCompiler, RefusesWhatCannotBeParsed) {
  EXPECT_THAT(Mistakes("1 +"),
              ElementsAre("INVALID_JSONATA_EXPRESSION: Unexpected end of "
                          "expression"));
  EXPECT_THAT(Mistakes("$a[1,2)"),
              ElementsAre("INVALID_JSONATA_EXPRESSION: Expected \"]\", got "
                          "\",\""));
  EXPECT_THAT(Mistakes("\"unterminated"),
              ElementsAre("INVALID_JSONATA_EXPRESSION: String literal must be "
                          "terminated by a matching quote"));
  EXPECT_THAT(Mistakes("{\"a\":}"),
              ElementsAre("INVALID_JSONATA_EXPRESSION: The symbol \"}\" cannot "
                          "be used as a unary operator"));
  EXPECT_THAT(Mistakes("$match('a', /abc"),
              ElementsAre("INVALID_JSONATA_EXPRESSION: No terminating / in "
                          "regular expression"));
  EXPECT_THAT(Mistakes(""), ElementsAre("INVALID_JSONATA_EXPRESSION: "
                                        "Unexpected end of expression"));
  EXPECT_THAT(Mistakes("$match('a', /[/)"),
              ElementsAre(StartsWith("INVALID_JSONATA_EXPRESSION: ")));
  EXPECT_THAT(Mistakes(Repeated("(", 100000)),
              ElementsAre(StartsWith("INVALID_JSONATA_EXPRESSION: ")));
}

TEST(JsonataCompiler, RefusesToReadFromTheMissingContext) {
  // One for each kind of node that passes its context on.
  for (const char* text :
       {"order", "order.lines[qty > 2].sku", "order^(qty)", "1 - order",
        "$not(order)", "$v ~> $append(order)", "order ~> $keys()",
        "$v = 1 ? 'none' : order", "['x', [order]]", "{'total': order.sum}",
        "{order: 'value'}", "[order..9]", "($t := 3; $t * order)",
        "$filter($v, function($each) {order = $each})", "order.lines.%.id"}) {
    EXPECT_THAT(Mistakes(text),
                ElementsAre("UNSUPPORTED_JSONATA_EXPRESSION: Reference to "
                            "'order' at the top level is not supported."))
        << text;
  }
  for (const char* text : {"$", "$.order", "$keys($)", "[$, 1]"}) {
    EXPECT_THAT(Mistakes(text),
                ElementsAre("UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$' "
                            "at the top level is not supported."))
        << text;
  }
  EXPECT_THAT(Mistakes("$count($$.lines)"),
              ElementsAre("UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$$' "
                          "is not supported."));
  EXPECT_THAT(Mistakes("{'z': zip, 'c': city & zip}"),
              ElementsAre(HasSubstr("'zip'"), HasSubstr("'city'")));
}

TEST(JsonataCompiler, AcceptsNamesThatHaveAContext) {
  for (const char* text :
       {"$states.input.order.lines", "$v.lines[qty > $min].sku",
        "$v.lines^(<price, >qty)", "$v.lines{sku: $sum(qty)}",
        "$v.lines.(qty * price)", "$v.{'id': id, 'all': $}",
        "$v ~> |lines|{'sent': true}|", "$v[$.qty = 1]",
        "$filter($v, function($each) {$each.qty})", "'order' & \"order\"",
        "{'a': {'b': 2}}.a.b"}) {
    EXPECT_THAT(Mistakes(text), IsEmpty()) << text;
  }
}

TEST(JsonataCompiler, TellsWhatOfTheStateIsRead) {
  EXPECT_TRUE(Compile("$states.result.a")->references_result());
  EXPECT_TRUE(Compile("$a.($states.result)")->references_result());
  EXPECT_TRUE(
      Compile("[$states.errorOutput.Cause]")->references_error_output());
  EXPECT_FALSE(Compile("$states.input.result")->references_result());
  EXPECT_FALSE(Compile("$states")->references_error_output());
}

TEST(JsonataCompiler, GivesTheSameExpressionForTheSameText) {
  const std::shared_ptr<const Expression> first = Compile("1 + 2");
  EXPECT_EQ(Compile("1 + 2"), first);
  EXPECT_NE(Compile("1 + 3"), first);
}

TEST(JsonataCompiler, ThreadsEvaluateAtTheSameTime) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&right, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string text = absl::StrCat("$states.input.n + ", i % 7);
        const std::string input = absl::StrCat("{\"n\":", t, "}");
        right += Evaluate(text, input) == absl::StrCat(t + i % 7) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
}

TEST(JsonataCompiler, ExpressionsOutliveIt) {
  std::shared_ptr<const Expression> expression;
  {
    JsonataCompiler compiler;
    expression =
        std::get<std::shared_ptr<const Expression>>(compiler.Compile("40 + 2"));
  }
  Random random(1);
  EXPECT_EQ(TextOf(expression->Evaluate({.states = Data::EmptyObject(),
                                         .variables = Data::EmptyObject(),
                                         .random = &random,
                                         .now = absl::UnixEpoch()})),
            "42");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
