// What `util` has, as scripts see it. Modules: modules_test.cc.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/script/testing.h"

namespace byoshin::local::appsync::script {
namespace {

using ::testing::HasSubstr;

// An expression, and its value as JSON.
using Cases = std::vector<std::pair<std::string, std::string>>;

void ExpectValues(const Cases& cases) {
  for (const auto& [expression, value] : cases) {
    EXPECT_EQ(ResultOf(absl::StrCat("return ", expression, ";")), value)
        << expression;
  }
}

TEST(Util, EncodesAndDecodes) {
  ExpectValues({
      {"util.base64Encode('héllo')", R"("aMOpbGxv")"},
      {"util.base64Decode('aMOpbGxv')", R"("héllo")"},
      {"util.urlEncode('a b~*!/é')", R"("a+b%7E*%21%2F%C3%A9")"},
      {"util.urlDecode('a+b%2F%C3%A9')", R"("a b/é")"},
      {"util.escapeJavaScript(`it's \"x\"/\\n\u00e9`)",
       R"("it\\'s \\\"x\\\"\\/\\n\\u00E9")"},
      {"util.base64Encode(null)", "null"},
      {"util.str.normalize('e\\u0301', 'nfc')", R"("é")"},
  });
  EXPECT_THAT(ResultOf("return util.base64Decode('***');"),
              HasSubstr("not base64"));
  EXPECT_THAT(ResultOf("return util.urlDecode('%zz');"),
              testing::StartsWith("code.js:3:8: "));
  EXPECT_THAT(ResultOf("return util.str.normalize('a', 'nfx');"),
              HasSubstr("Unknown normalization"));
}

TEST(Util, MakesIdentifiersOfTheClockAndTheBits) {
  ExpectValues({
      {"util.autoId()", R"("0fedcba9-8765-4432-90fe-dcba98765432")"},
      {"util.autoUlid()", R"("01C5P7XACEVVR14D2PF2DBSQQG")"},
      {"util.autoKsuid().length", "27"},
      {"util.math.randomDouble() < 1", "true"},
      {"Math.random() === util.math.randomDouble()", "true"},
      {"util.math.randomWithinRange(5, 6)", "5"},
  });
}

TEST(Util, Calculates) {
  ExpectValues({
      {"util.math.roundNum(2.5)", "3"},
      {"util.math.roundNum(-2.5)", "-2"},
      {"util.math.minVal(1, -2)", "-2"},
      {"util.math.maxVal(1, -2)", "1"},
  });
}

TEST(Util, KnowsTheTime) {
  ExpectValues({
      {"util.time.nowISO8601()", R"("2018-02-06T19:01:35.758Z")"},
      {"util.time.nowEpochSeconds()", "1517943695"},
      {"util.time.nowEpochMilliSeconds()", "1517943695758"},
      {"util.time.nowFormatted('yyyy-MM-dd HH:mm:ssZ')",
       R"("2018-02-06 19:01:35+0000")"},
      {"util.time.nowFormatted('yyyy-MM-dd HH:mm:ssZ', 'Australia/Perth')",
       R"("2018-02-07 03:01:35+0800")"},
      {"util.time.parseFormattedToEpochMilliSeconds('2018-02-01 "
       "17:21:05.180+0800', 'yyyy-MM-dd HH:mm:ss.SSSZ')",
       "1517476865180"},
      {"util.time.parseFormattedToEpochMilliSeconds('2018-02-01 17:21:05.180', "
       "'yyyy-MM-dd HH:mm:ss.SSS', 'Asia/Singapore')",
       "1517476865180"},
      {"util.time.parseISO8601ToEpochMilliSeconds('2018-02-01T17:21:05.180"
       "+08:00')",
       "1517476865180"},
      {"util.time.parseISO8601ToEpochMilliSeconds('2018-02-01T17:21Z')",
       "1517505660000"},
      {"util.time.epochMilliSecondsToSeconds(1517943695758)", "1517943695"},
      {"util.time.epochMilliSecondsToISO8601(1517943695758)",
       R"("2018-02-06T19:01:35.758Z")"},
      {"util.time.epochMilliSecondsToISO8601(0)",
       R"("1970-01-01T00:00:00.000Z")"},
      {"util.time.epochMilliSecondsToFormatted(1517943695758, 'yyyy')",
       R"("2018")"},
      {"util.time.epochMilliSecondsToFormatted(1517943695758, 'HH', "
       "'+09:00')",
       R"("04")"},
  });
  for (const absl::string_view number : {"'x'", "1e300", "-1e300", "1 / 0"}) {
    EXPECT_THAT(
        ResultOf(absl::StrCat("return util.time.epochMilliSecondsToISO8601(",
                              number, ");")),
        HasSubstr("Expected a number of milliseconds"))
        << number;
  }
  EXPECT_THAT(ResultOf("return util.time.parseISO8601ToEpochMilliSeconds"
                       "('yesterday');"),
              HasSubstr("yesterday"));
}

TEST(Util, ReadsOffsetsOnlyInIso8601) {
  for (const std::string& text :
       {std::string("2020-01-01T00:00Asia/Tokyo"),
        std::string("2020-01-01T00:00+0900"), std::string("2020-01-01T00:00"),
        std::string("2020-02-30T00:00Z"), std::string("2020-01-01T24:00Z"),
        std::string("2020-01-01T00:00.5Z"),
        absl::StrCat("2020-01-01T00:00", std::string(300'000, 'a'))}) {
    EXPECT_THAT(
        ResultOf(
            "return util.time.parseISO8601ToEpochMilliSeconds(ctx.args.t);",
            absl::StrCat(R"({"arguments":{"t":")", text, R"("}})")),
        HasSubstr("2020-0"))
        << text.substr(0, 40);
  }
}

TEST(Util, RefusesToNormalizeEndlessCombinations) {
  // Their order is restored by swapping neighbours, which takes the square of
  // their number.
  const auto normalize = [](int count) {
    std::string text = "a";
    for (int i = 0; i < count; ++i) absl::StrAppend(&text, "\u0301\u0323");
    return ResultOf("return util.str.normalize(ctx.args.t, 'nfd').length;",
                    absl::StrCat(R"({"arguments":{"t":")", text, R"("}})"));
  };
  EXPECT_EQ(normalize(50), "101");
  EXPECT_THAT(normalize(51), HasSubstr("more than 100 combining characters"));
  // Which become combining characters.
  EXPECT_THAT(
      ResultOf("return util.str.normalize(ctx.args.t, 'nfkd').length;",
               absl::StrCat(R"({"arguments":{"t":")",
                            absl::StrReplaceAll(std::string(51, '*'),
                                                {{"*", "\u0301\uff9e"}}),
                            R"("}})")),
      HasSubstr("more than 100 combining characters"));
}

TEST(Util, MatchesPatternsOfJava) {
  ExpectValues({
      {"util.matches('a*b', 'aaaaab')", "true"},
      {"util.matches('a', 'ba')", "false"},
      {"util.matches('a|b', 'b')", "true"},
      {"util.matches('(?m)^?', '')", "true"},
      {"util.matches('^?a\\\\A*\\\\z?\\\\2*$?', 'a')", "true"},
      {"util.matches('(?i)abc', 'ABC')", "true"},
      {"util.matches('\\\\p{Alpha}+\\\\d{2,}', 'abc12')", "true"},
      {"util.matches('\\\\p{L}+', 'é')", "true"},
      {"util.matches('\\\\p{Punct}', '-')", "true"},
      {"util.matches('[a-c[x-z]]+', 'ay')", "true"},
      {"util.matches('\\\\Qa.b\\\\E.', 'a.bc')", "true"},
      {"util.matches('\\\\Aa\\\\h\\\\x41\\\\0101\\\\z', 'a AA')", "true"},
      {"util.matches('(?<y>\\\\d)-\\\\k<y>', '1-1')", "true"},
      {"util.matches('[^\\\\s]+', 'a b')", "false"},
      {"util.matches('a}]', 'a}]')", "true"},
      {"util.matches('.', '\\u{1F600}')", "true"},
      {"util.matches('a', null)", "false"},
  });
  for (const absl::string_view pattern :
       {"a++",       "a{2}+",   "(?>a)",   "a{x}",           "[a",
        "\\\\y",     "(a",      "a(?i)b",  "\\\\p{Nothing}", "[a-\\\\d]",
        "[z-a]",     "[\\\\b]", "[\\\\1]", "a\\\\Eb",        "\\\\u{61}",
        "(?<a_b>a)", "\\\\x4",  "\\\\08",  "[&&]",           "(?x)a"}) {
    EXPECT_THAT(
        ResultOf(absl::StrCat("return util.matches('", pattern, "', 'a');")),
        testing::StartsWith("code.js:3:8: "))
        << pattern;
  }
}

// Checked with java.util.regex of OpenJDK 17.
TEST(Util, HasTheCharacterClassesOfJava) {
  ExpectValues({
      {R"re(util.matches('^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$', 'a.b-c@d-e.com'))re",
       "true"},
      {R"re(util.matches('^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$', 'a.b-c@d'))re",
       "false"},
      {R"re(util.matches('[\\d-_]', '-'))re", "true"},
      {R"re(util.matches('[\\d-_]', '_'))re", "true"},
      {R"re(util.matches('[\\d-_]', ':'))re", "false"},
      {R"re(util.matches('[\\w-a-z]', '-'))re", "true"},
      {R"re(util.matches('[\\w--/]', '.'))re", "true"},
      {R"re(util.matches('[\\s\\S]*', 'a\nb'))re", "true"},
      {R"re(util.matches('[^\\S]+', ' \t'))re", "true"},
      {R"re(util.matches('[^\\S]', 'a'))re", "false"},
      {R"re(util.matches('[^\\W\\d]+', 'ab'))re", "true"},
      {R"re(util.matches('[^\\W\\d]', '1'))re", "false"},
      {R"re(util.matches('[\\P{Alpha}]', '1'))re", "true"},
      {R"re(util.matches('[\\P{Alpha}]', 'a'))re", "false"},
      {R"re(util.matches('[\\P{L}a]', 'a'))re", "true"},
      {R"re(util.matches('[\\P{L}a]', 'b'))re", "false"},
      {R"re(util.matches('^[\\w\\s-.]+$', 'a!b'))re", "false"},
      {R"re(util.matches('^[\\w\\s-.]+$', 'a -.b'))re", "true"},
      {R"re(util.matches('[\\s-z]', '!'))re", "false"},
      {R"re(util.matches('[\\s-z]+', ' -z'))re", "true"},
      {R"re(util.matches('[\\h-\\v]', '-'))re", "true"},
      {R"re(util.matches('[\\v-]', '\n'))re", "false"},
      {R"re(util.matches('[\\v]', '\n'))re", "true"},
      {R"re(util.matches('[a-]', '-'))re", "true"},
      {R"re(util.matches('[-a]', '-'))re", "true"},
      {R"re(util.matches('[]a]+', ']a'))re", "true"},
      {R"re(util.matches('[^]a]', ']'))re", "false"},
      {R"re(util.matches('[a^]', '^'))re", "true"},
      {R"re(util.matches('[^a[b]]', 'b'))re", "false"},
      {R"re(util.matches('[a[^b]]', 'a'))re", "true"},
      {R"re(util.matches('[a[^b]]', 'c'))re", "true"},
      {R"re(util.matches('[a[^b]]', 'b'))re", "false"},
      {R"re(util.matches('[a-z&&[^aeiou]]+', 'bcd'))re", "true"},
      {R"re(util.matches('[a-z&&[^aeiou]]', 'e'))re", "false"},
      {R"re(util.matches('[a-z&&def]', 'e'))re", "true"},
      {R"re(util.matches('[a-z&&def]', 'a'))re", "false"},
      {R"re(util.matches('[a&b]', '&'))re", "true"},
      {R"re(util.matches('[\\Qa-z\\E]', 'b'))re", "false"},
      {R"re(util.matches('[\\Qa-z\\E]', '-'))re", "true"},
      {R"re(util.matches('(a)\\1\\Q1\\E', 'aa1'))re", "true"},
      {R"re(util.matches('(a)\\11', 'aa1'))re", "true"},
      {R"re(util.matches('\\1(a)', 'a'))re", "false"},
      {R"re(util.matches('(a)\\2', 'a'))re", "false"},
      {R"re(util.matches('.', '\u0085'))re", "false"},
      {R"re(util.matches('(?s).', '\n'))re", "true"},
      {R"re(util.matches('(?i)(?s)A.', 'a\n'))re", "true"},
      {R"re(util.matches('a$\\n', 'a\n'))re", "true"},
      {R"re(util.matches('a$', 'a\n'))re", "false"},
      {R"re(util.matches('a\\Z\\r\\n', 'a\r\n'))re", "true"},
      {R"re(util.matches('(?m)a$\\n^b', 'a\nb'))re", "true"},
      {R"re(util.matches('(?m)a$\\r$\\nb', 'a\r\nb'))re", "false"},
      {R"re(util.matches('\\bé\\b', 'é'))re", "true"},
      {R"re(util.matches('a\\bé', 'aé'))re", "false"},
      {R"re(util.matches('a}+', 'a}}'))re", "true"},
      {R"re(util.matches('\\cA', '\u0001'))re", "true"},
      {R"re(util.matches('\\0477', '\u00277'))re", "true"},
      {R"re(util.matches('\\v', '\f'))re", "true"},
      {R"re(util.matches('\\V', '\f'))re", "false"},
      {R"re(util.matches('\\x{1F600}', '\u{1F600}'))re", "true"},
      {R"re(util.matches('[\\ud83d\\ude00]', '\u{1F600}'))re", "true"},
      {R"re(util.matches('\\p{IsL}\\p{sc=Latin}\\p{gc=Lu}\\p{IsHiragana}', 'aaA\u3042'))re",
       "true"},
      {R"re(util.matches('\\p{javaWhitespace}', '\u00a0'))re", "false"},
  });
}

TEST(Util, ReplacesPatternsOfJava) {
  ExpectValues({
      {"'a.b.c'.replace('\\\\.', '-')", R"("a-b.c")"},
      {"'a.b.c'.replaceAll('\\\\.', '-')", R"("a-b-c")"},
      {"'a1b22'.replaceAll('([0-9]+)', '<$1$0>')", R"("a<11>b<2222>")"},
      {"'ab'.replace('(?<x>a)', '${x}\\\\$1')", R"("a$1b")"},
      {"'aaa'.replaceAll('a', '')", R"("")"},
      {"'aa'.replaceAll('(a)', '$10$01')", R"("a0aa0a")"},
      {"'aa'.replaceAll('a', '\\\\\\\\')", R"("\\\\")"},
      {"'aa'.replace('a', '\\\\n')", R"("na")"},
      {"'ac'.replaceAll('(a)(b)?', '[$1$2]')", R"("[a]c")"},
      {"'abc'.replaceAll('b*', '-')", R"("-a--c-")"},
      {"'a-b_c d'.replaceAll('[\\\\W_]+', '-')", R"("a-b-c-d")"},
      {"'a\\nb\\n'.replaceAll('$', '!')", R"("a\nb!\n!")"},
      {"'a\\nb'.replaceAll('(?m)^', '> ')", R"("> a\n> b")"},
      // A wrong replacement that is not needed.
      {"'b'.replace('a', '$5')", R"("b")"},
  });
  const Cases errors = {{"$", "Illegal group reference"},
                        {"$&", "Illegal group reference"},
                        {"$1", "No group 1"},
                        {"${x}", "No group with name {x}"},
                        {"${x", "missing trailing '}'"},
                        {"\\\\", "character to be escaped is missing"}};
  for (const auto& [replacement, message] : errors) {
    EXPECT_THAT(
        ResultOf(absl::StrCat("return 'a'.replace('a', '", replacement, "');")),
        HasSubstr(message));
  }
}

TEST(Util, ParsesJsonWithoutExceptions) {
  ExpectValues({{"JSON.parse('{\"a\":[1]}')", R"({"a":[1]})"},
                {"JSON.parse('{a')", R"("")"},
                {"JSON.stringify({ a: undefined, b: 1 })", R"("{\"b\":1}")"}});
}

TEST(Util, NamesTheAuthorization) {
  const Cases cases = {
      {"{}", "API Key Authorization"},
      {R"({"identity":null})", "API Key Authorization"},
      {R"({"identity":{}})", "Lambda Authorization"},
      {R"({"identity":{"resolverContext":{"a":1}}})", "Lambda Authorization"},
      {R"({"identity":{"accountId":"1","sourceIp":["1.2.3.4"],)"
       R"("username":"u","userArn":"a"}})",
       "IAM Authorization"},
      {R"({"identity":{"accountId":"1","sourceIp":null,)"
       R"("username":"u","userArn":"a"}})",
       "API Key Authorization"},
      {R"({"identity":{"sourceIp":["1.2.3.4"],"username":"u","sub":"s",)"
       R"("issuer":"i","claims":{},"defaultAuthStrategy":"ALLOW"}})",
       "User Pool Authorization"},
      {R"({"identity":{"sub":"s","issuer":"i","claims":{}}})",
       "Open ID Connect Authorization"},
      {R"({"identity":{"sub":"s","issuer":"i","claims":{},"username":"u"}})",
       "API Key Authorization"},
  };
  for (const auto& [context, name] : cases) {
    EXPECT_EQ(ResultOf("return util.authType();", context),
              absl::StrCat("\"", name, "\""))
        << context;
  }
}

TEST(Util, Validates) {
  EXPECT_EQ(ResultOf("util.validate(1 === 1, 'no'); return 1;"), "1");
  EXPECT_EQ(ResultOf("util.validate(1 === 2, 'no'); return 1;"), "no");
}

TEST(Util, CopiesHeadersThatCanBeForwarded) {
  ExpectValues(
      {{"util.http.copyHeaders({ Host: 'a', 'X-Own': 'b', "
        "connection: 'c', authorization: 'd' })",
        R"({"X-Own":"b","authorization":"d"})"}});
}

TEST(Util, ReadsXml) {
  ExpectValues({
      {"util.xml.toMap('<?xml version=\"1.0\"?><posts><post><id>1</id><title>"
       "Getting started</title></post></posts>')",
       R"({"posts":{"post":{"id":1,"title":"Getting started"}}})"},
      {"util.xml.toMap('<a><b/><b>x</b><b c=\"1\">y</b></a>')",
       R"({"a":{"b":["","x",{"c":1,"content":"y"}]}})"},
      {"util.xml.toMap('<a>&lt;&#65;&#x42;&unknown;</a>')",
       R"({"a":"<AB&unknown;"})"},
      {"util.xml.toMap('<a><!-- no --><![CDATA[<b>]]></a>')", R"({"a":"<b>"})"},
      {"util.xml.toMap('<a><b>true</b><c>null</c><d>007</d><e>-1.5</e></a>')",
       R"({"a":{"b":true,"c":null,"d":"007","e":-1.5}})"},
      {"util.xml.toJsonString('<a>1</a>')", R"("{\"a\":1}")"},
      {"util.xml.toJsonString('<a>1</a>', true)", R"("\"{\\\"a\\\":1}\"")"},
      {"util.xml.toMap('<__proto__><a/></__proto__>')",
       R"({"__proto__":{"a":""}})"},
  });
  for (const absl::string_view xml :
       {"<a>", "<a></b>", "text", "<a b=c/>", "<a", "<!-- x", "<>"}) {
    EXPECT_THAT(ResultOf(absl::StrCat("return util.xml.toMap('", xml, "');")),
                HasSubstr("The XML is invalid at character"))
        << xml;
  }
}

TEST(Language, NamesTheClassOfAFault) {
  EXPECT_THAT(ResultOf("return nothing;"),
              testing::StartsWith("code.js:3:8: ReferenceError: "));
  EXPECT_THAT(ResultOf("return ctx.args.a.b;"),
              testing::StartsWith("code.js:3:8: TypeError: "));
  EXPECT_THAT(ResultOf("return [].reduce((a, b) => a);"),
              testing::StartsWith("code.js:3:8: TypeError: "));
  // Functions of util have none.
  for (const absl::string_view call :
       {"util.urlDecode('%zz')", "util.matches('(', 'a')",
        "util.time.nowFormatted('b')",
        "util.transform.toSubscriptionFilter({ "
        "or: 1 })"}) {
    EXPECT_THAT(ResultOf(absl::StrCat("return ", call, ";")),
                testing::AllOf(testing::StartsWith("code.js:3:8: "),
                               testing::Not(HasSubstr("Error: "))))
        << call;
  }
}

TEST(Language, CountsTheElementsOfNestedArrays) {
  RuntimeOptions options = FixedOptions();
  options.limits.steps = 1'000'000;
  Runtime runtime(options);
  for (const absl::string_view body :
       {// 2^24 empty arrays, on as many levels as fit on any stack.
        "let a = []; const levels = 'x,x,x,x,x,x,x,x,x,x,x,x'.split(',');"
        "for (const i of [1, 2]) {"
        "  for (const level of levels) { a = [a, a]; }"
        "} return a.flat(100);",
        "const a = []; a.length = 4000000000; return [a].flat();",
        "const a = []; a.length = 4000000000; return [1].flatMap(() => a);"}) {
    const Evaluation evaluation = EvaluateRequest(runtime, ModuleOf(body));
    ASSERT_TRUE(evaluation.error.has_value()) << body;
    EXPECT_EQ(evaluation.error->message, "The code exceeded its time limit.");
  }
}

TEST(Language, FlattensArrays) {
  ExpectValues({
      {"[1, [2, [3, [4]]], , []].flat()", "[1,2,[3,[4]]]"},
      {"[1, [2, [3, [4]]]].flat(2)", "[1,2,3,[4]]"},
      {"[1, [2, [3, [4]]]].flat(Infinity)", "[1,2,3,4]"},
      {"[1, [2, [3]]].flat(0)", "[1,[2,[3]]]"},
      {"[1, [2]].flat(undefined)", "[1,2]"},
      {"[3, 4].flatMap((x, i, all) => [x, [i, all.length]])",
       "[3,[0,2],4,[1,2]]"},
      {"[1, 2].flatMap((x) => x * 2)", "[2,4]"},
  });
  EXPECT_THAT(ResultOf("return [].flatMap(ctx.args.f);"),
              HasSubstr("not a function"));
}

TEST(Language, HasOnlyWhatAppSyncHas) {
  ExpectValues({
      {"typeof 'a'[ctx.args.x ?? 'padStart']", R"("undefined")"},
      {"typeof [][ctx.args.x ?? 'keys']", R"("undefined")"},
      {"typeof Object[ctx.args.x ?? 'defineProperty']", R"("undefined")"},
      {"typeof Math[ctx.args.x ?? 'sqrt']", R"("undefined")"},
      {"[typeof ''.trim, typeof [].flatMap, typeof Object.hasOwn, Math.PI > "
       "3]",
       R"(["function","function","function",true])"},
      {"[...'ab', ...[1]].concat(Object.entries({ a: 1 }))",
       R"(["a","b",1,["a",1]])"},
  });
}

}  // namespace
}  // namespace byoshin::local::appsync::script
