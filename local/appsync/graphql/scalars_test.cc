// Every scalar as a literal, as a variable and as a result.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/testing.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

struct ScalarCase {
  absl::string_view scalar;
  absl::string_view given;
  // What the resolver or the client gets as JSON; of what is wrong, what the
  // message says of it.
  absl::string_view outcome;
};

// Does not fit in 64 bits.
constexpr absl::string_view kBig = "123456789012345678901234567890";
// Does not fit in a double.
constexpr absl::string_view kHuge =
    "1"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000";

// The value that the resolver of a field gets as its argument or the client as
// its result, or else the first message.
std::string OutcomeOf(absl::string_view scalar, absl::string_view query,
                      const Data& variables, const Data& result) {
  const ParsedSchema parsed = Schema::Parse(absl::StrCat(
      "type Query { result: ", scalar, "  f(x: ", scalar, "): Int }"));
  const PreparedDocument document(parsed.schema, query, ValidationOptions());
  if (!document.ok()) return document.errors().front().message;
  TestResolvers resolvers;
  std::string seen;
  resolvers.functions["Query.f"] = [&](const FieldRequest& request) {
    seen = request.arguments().Find("x")->ToJson();
    return FieldOutcome();
  };
  resolvers.functions["Query.result"] = [&](const FieldRequest&) {
    return FieldOutcome{.data = result, .error = {}, .appended_errors = {}};
  };
  const ExecutionResult executed =
      RunQueryOn(parsed.schema, resolvers, query, variables);
  if (!executed.errors.empty()) return executed.errors.front().message;
  const Data* shown = executed.data.Find("result");
  return shown == nullptr ? seen : shown->ToJson();
}

std::string OfLiteral(const ScalarCase& given) {
  return OutcomeOf(given.scalar, absl::StrCat("{ f(x: ", given.given, ") }"),
                   Data(), Data());
}

std::string OfVariable(const ScalarCase& given) {
  return OutcomeOf(given.scalar,
                   absl::StrCat("query($x: ", given.scalar, ") { f(x: $x) }"),
                   Json(absl::StrCat(R"({"x":)", given.given, "}")), Data());
}

std::string OfResult(const ScalarCase& given) {
  return OutcomeOf(given.scalar, "{ result }", Data(), Json(given.given));
}

constexpr ScalarCase kGoodLiterals[] = {
    {"ID", R"("a")", R"("a")"},
    {"ID", "5", R"("5")"},
    {"ID", "-5", R"("-5")"},
    {"ID", kBig, R"("123456789012345678901234567890")"},
    {"Int", "5", "5"},
    {"Int", "-2147483648", "-2147483648"},
    {"Float", "5", "5.0"},
    {"Float", "2.5", "2.5"},
    {"Float", "-1e3", "-1000.0"},
    {"String", R"("a")", R"("a")"},
    {"String", R"("""b""")", R"("b")"},
    {"Boolean", "true", "true"},
    {"Boolean", "false", "false"},
    {"AWSDate", R"("2024-02-29Z")", R"("2024-02-29Z")"},
    {"AWSTime", R"("12:30:00.5+05:30")", R"("12:30:00.5+05:30")"},
    {"AWSDateTime", R"("2024-02-29T12:00:00.000Z")",
     R"("2024-02-29T12:00:00.000Z")"},
    {"AWSEmail", R"("a@example.com")", R"("a@example.com")"},
    {"AWSURL", R"("https://example.com/a?b=c")",
     R"("https://example.com/a?b=c")"},
    {"AWSPhone", R"("+12065550100")", R"("+12065550100")"},
    {"AWSIPAddress", R"("10.0.0.0/8")", R"("10.0.0.0/8")"},
    {"AWSTimestamp", "1700000000", "1700000000"},
    {"AWSTimestamp", "-5", "-5"},
    {"AWSJSON", R"("{\"a\":[1]}")", R"({"a":[1]})"},
    {"AWSJSON", R"("1")", "1"},
};

TEST(GraphQlScalars, AreReadFromLiterals) {
  for (const ScalarCase& given : kGoodLiterals) {
    EXPECT_EQ(OfLiteral(given), given.outcome)
        << given.scalar << " " << given.given;
  }
}

constexpr ScalarCase kBadLiterals[] = {
    {"ID", "1.5", "FloatValue{value=1.5}"},
    {"ID", "true", "BooleanValue{value=true}"},
    {"ID", "{a: 1}",
     "ObjectValue{objectFields=[ObjectField{name='a', "
     "value=IntValue{value=1}}]}"},
    {"ID", "E", "EnumValue{name='E'}"},
    {"Int", "2147483648", "IntValue{value=2147483648}"},
    {"Int", kBig, "IntValue{value=123456789012345678901234567890}"},
    {"Int", "1.0", "FloatValue{value=1.0}"},
    {"Int", R"("5")", "StringValue{value='5'}"},
    {"Int", "true", "BooleanValue{value=true}"},
    {"Float", "1e400", "FloatValue{value=1e400}"},
    {"Float", R"("2.5")", "StringValue{value='2.5'}"},
    {"Float", "true", "BooleanValue{value=true}"},
    {"String", "5", "IntValue{value=5}"},
    {"String", "true", "BooleanValue{value=true}"},
    {"String", "E", "EnumValue{name='E'}"},
    {"Boolean", "1", "IntValue{value=1}"},
    {"Boolean", R"("true")", "StringValue{value='true'}"},
    {"AWSDate", R"("2023-02-29")", "StringValue{value='2023-02-29'}"},
    {"AWSDate", "5", "IntValue{value=5}"},
    {"AWSTime", R"("25:00")", "StringValue{value='25:00'}"},
    {"AWSTime", "5", "IntValue{value=5}"},
    {"AWSDateTime", R"("2024-02-29T12:00:00")",
     "StringValue{value='2024-02-29T12:00:00'}"},
    {"AWSDateTime", "5", "IntValue{value=5}"},
    {"AWSEmail", R"("a@")", "StringValue{value='a@'}"},
    {"AWSEmail", "5", "IntValue{value=5}"},
    {"AWSURL", R"("example.com")", "StringValue{value='example.com'}"},
    {"AWSURL", "5", "IntValue{value=5}"},
    {"AWSPhone", R"("12")", "StringValue{value='12'}"},
    {"AWSPhone", "5", "IntValue{value=5}"},
    {"AWSIPAddress", R"("10.0.0.256")", "StringValue{value='10.0.0.256'}"},
    {"AWSIPAddress", "5", "IntValue{value=5}"},
    {"AWSTimestamp", kBig, "IntValue{value=123456789012345678901234567890}"},
    {"AWSTimestamp", "1.5", "FloatValue{value=1.5}"},
    {"AWSTimestamp", R"("5")", "StringValue{value='5'}"},
    {"AWSJSON", R"("{")", "StringValue{value='{'}"},
    {"AWSJSON", "5", "IntValue{value=5}"},
    {"AWSJSON", "{a: 1}",
     "ObjectValue{objectFields=[ObjectField{name='a', "
     "value=IntValue{value=1}}]}"},
    {"AWSJSON", "true", "BooleanValue{value=true}"},
};

TEST(GraphQlScalars, AreRefusedAsLiterals) {
  for (const ScalarCase& given : kBadLiterals) {
    EXPECT_EQ(OfLiteral(given),
              absl::StrCat("Validation error of type WrongType: argument 'x' "
                           "with value '",
                           given.outcome, "' is not a valid '", given.scalar,
                           "' @ 'f'"))
        << given.scalar << " " << given.given;
  }
}

constexpr ScalarCase kGoodVariables[] = {
    {"ID", R"("a")", R"("a")"},
    {"ID", "5", R"("5")"},
    {"ID", kBig, R"("123456789012345678901234567890")"},
    {"ID", "-123456789012345678901234567890",
     R"("-123456789012345678901234567890")"},
    {"ID", "5.0", R"("5")"},
    {"Int", "5", "5"},
    {"Int", R"("5")", "5"},
    {"Int", "5.0", "5"},
    {"Int", R"("5.0")", "5"},
    {"Float", "5", "5.0"},
    {"Float", "2.5", "2.5"},
    {"Float", R"("2.5")", "2.5"},
    {"String", R"("a")", R"("a")"},
    {"String", "5", R"("5")"},
    {"String", "2.5", R"("2.5")"},
    {"String", "true", R"("true")"},
    {"Boolean", "true", "true"},
    {"Boolean", R"("TRUE")", "true"},
    {"Boolean", R"("false")", "false"},
    {"Boolean", "1", "true"},
    {"Boolean", "0", "false"},
    {"AWSDate", R"("2024-02-29Z")", R"("2024-02-29Z")"},
    {"AWSTime", R"("12:30:00.5+05:30")", R"("12:30:00.5+05:30")"},
    {"AWSDateTime", R"("2024-02-29T12:00:00.000Z")",
     R"("2024-02-29T12:00:00.000Z")"},
    {"AWSEmail", R"("a@example.com")", R"("a@example.com")"},
    {"AWSURL", R"("https://example.com/a?b=c")",
     R"("https://example.com/a?b=c")"},
    {"AWSPhone", R"("+12065550100")", R"("+12065550100")"},
    {"AWSIPAddress", R"("10.0.0.0/8")", R"("10.0.0.0/8")"},
    {"AWSTimestamp", "1700000000", "1700000000"},
    {"AWSTimestamp", "-5", "-5"},
    {"AWSTimestamp", "9007199254740993", "9007199254740993"},
    {"AWSTimestamp", R"("5")", "5"},
    {"AWSTimestamp", R"("9007199254740993")", "9007199254740993"},
    {"AWSJSON", R"("{\"a\":[1]}")", R"({"a":[1]})"},
    {"AWSJSON", R"("null")", "null"},
};

TEST(GraphQlScalars, AreReadFromVariables) {
  for (const ScalarCase& given : kGoodVariables) {
    EXPECT_EQ(OfVariable(given), given.outcome)
        << given.scalar << " " << given.given;
  }
}

constexpr ScalarCase kBadVariables[] = {
    {"ID", "1.5", "Expected type 'ID' but was 'Double'."},
    {"ID", "true", "Expected type 'ID' but was 'Boolean'."},
    {"ID", R"({"a":1})", "Expected type 'ID' but was 'LinkedHashMap'."},
    {"ID", "[true]", "Expected type 'ID' but was 'ArrayList'."},
    {"Int", "5.5", "Expected type 'Int' but was 'Double'."},
    {"Int", "2147483648", "Expected type 'Int' but was 'Long'."},
    {"Int", kBig, "Expected type 'Int' but was 'BigInteger'."},
    {"Int", R"("x")", "Expected type 'Int' but was 'String'."},
    {"Int", R"(" 5")", "Expected type 'Int' but was 'String'."},
    {"Int", R"("5 ")", "Expected type 'Int' but was 'String'."},
    {"Int", "true", "Expected type 'Int' but was 'Boolean'."},
    {"Int", R"({"a":1})", "Expected type 'Int' but was 'LinkedHashMap'."},
    {"Int", R"("0x10")", "Expected type 'Int' but was 'String'."},
    {"Float", R"("x")", "Expected type 'Float' but was 'String'."},
    {"Float", R"(" 2.5")", "Expected type 'Float' but was 'String'."},
    {"Float", R"("NaN")", "Expected type 'Float' but was 'String'."},
    {"Float", R"("Infinity")", "Expected type 'Float' but was 'String'."},
    {"Float", "true", "Expected type 'Float' but was 'Boolean'."},
    {"Float", kHuge, "Expected type 'Float' but was 'BigInteger'."},
    {"Float", R"("1e400")", "Expected type 'Float' but was 'String'."},
    {"Float", "[]", "Expected type 'Float' but was 'ArrayList'."},
    {"String", R"({"a":1})", "Expected type 'String' but was 'LinkedHashMap'."},
    {"String", "[]", "Expected type 'String' but was 'ArrayList'."},
    {"Boolean", R"("yes")", "Expected type 'Boolean' but was 'String'."},
    {"Boolean", "{}", "Expected type 'Boolean' but was 'LinkedHashMap'."},
    {"AWSDate", R"("2023-02-29")",
     "Unable to parse `2023-02-29` as a valid date."},
    {"AWSDate", "5", "Unable to parse `5` as a valid date."},
    {"AWSDate", R"({"a":1})", "Unable to parse `{a=1}` as a valid date."},
    {"AWSTime", R"("25:00")", "Unable to parse `25:00` as a valid time."},
    {"AWSTime", "5", "Unable to parse `5` as a valid time."},
    {"AWSTime", R"({"a":1})", "Unable to parse `{a=1}` as a valid time."},
    {"AWSDateTime", R"("2024-02-29T12:00:00")",
     "Unable to parse `2024-02-29T12:00:00` as a valid DateTime."},
    {"AWSDateTime", "5", "Unable to parse `5` as a valid DateTime."},
    {"AWSDateTime", R"({"a":1})",
     "Unable to parse `{a=1}` as a valid DateTime."},
    {"AWSEmail", R"("a@")", "Unable to parse `a@` as a valid email address."},
    {"AWSEmail", "5", "Unable to parse `5` as a valid email address."},
    {"AWSEmail", R"({"a":1})",
     "Unable to parse `{a=1}` as a valid email address."},
    {"AWSURL", R"("example.com")",
     "Unable to parse `example.com` as a valid URL."},
    {"AWSURL", "5", "Unable to parse `5` as a valid URL."},
    {"AWSURL", R"({"a":1})", "Unable to parse `{a=1}` as a valid URL."},
    {"AWSPhone", R"("12")", "Unable to parse `12` as a valid phone number."},
    {"AWSPhone", "5", "Unable to parse `5` as a valid phone number."},
    {"AWSPhone", R"({"a":1})",
     "Unable to parse `{a=1}` as a valid phone number."},
    {"AWSIPAddress", R"("10.0.0.256")",
     "Unable to parse `10.0.0.256` as a valid IP address."},
    {"AWSIPAddress", "5", "Unable to parse `5` as a valid IP address."},
    {"AWSIPAddress", R"({"a":1})",
     "Unable to parse `{a=1}` as a valid IP address."},
    {"AWSTimestamp", "1.5", "Unable to parse `1.5` as a valid timestamp."},
    {"AWSTimestamp", R"("x")", "Unable to parse `x` as a valid timestamp."},
    {"AWSTimestamp", kBig,
     "Unable to parse `123456789012345678901234567890` as a "
     "valid timestamp."},
    {"AWSTimestamp", "true", "Unable to parse `true` as a valid timestamp."},
    {"AWSJSON", R"("{")", "Unable to parse `{` as valid JSON."},
    {"AWSJSON", "5", "Unable to parse `5` as valid JSON."},
    {"AWSJSON", R"({"a":1})", "Unable to parse `{a=1}` as valid JSON."},
    {"AWSJSON", "[1]", "Unable to parse `[1]` as valid JSON."},
};

TEST(GraphQlScalars, AreRefusedAsVariables) {
  for (const ScalarCase& given : kBadVariables) {
    EXPECT_EQ(
        OfVariable(given),
        absl::StrCat("Variable 'x' has an invalid value. ", given.outcome))
        << given.scalar << " " << given.given;
  }
}

constexpr ScalarCase kGoodResults[] = {
    {"ID", R"("a")", R"("a")"},
    {"ID", "5", R"("5")"},
    {"ID", kBig, R"("123456789012345678901234567890")"},
    {"Int", "5", "5"},
    {"Int", R"("5")", "5"},
    {"Int", "5.0", "5"},
    {"Float", "5", "5.0"},
    {"Float", "2.5", "2.5"},
    {"Float", R"("2.5")", "2.5"},
    {"String", R"("a")", R"("a")"},
    {"String", "5", R"("5")"},
    {"String", "true", R"("true")"},
    {"String", R"({"a":[1,"b"]})", R"("{a=[1, b]}")"},
    {"Boolean", "false", "false"},
    {"Boolean", R"("true")", "true"},
    {"Boolean", "0", "false"},
    {"AWSDate", R"("2024-02-29Z")", R"("2024-02-29Z")"},
    {"AWSTime", R"("12:30:00.5+05:30")", R"("12:30:00.5+05:30")"},
    {"AWSDateTime", R"("2024-02-29T12:00:00.000Z")",
     R"("2024-02-29T12:00:00.000Z")"},
    {"AWSEmail", R"("a@example.com")", R"("a@example.com")"},
    {"AWSURL", R"("https://example.com/a?b=c")",
     R"("https://example.com/a?b=c")"},
    {"AWSPhone", R"("+12065550100")", R"("+12065550100")"},
    {"AWSIPAddress", R"("10.0.0.0/8")", R"("10.0.0.0/8")"},
    {"AWSTimestamp", "1700000000", "1700000000"},
    {"AWSTimestamp", R"("5")", "5"},
    {"AWSJSON", R"({"a":[1]})", R"("{\"a\":[1]}")"},
    {"AWSJSON", R"("text")", R"("\"text\"")"},
    {"AWSJSON", "5", R"("5")"},
    {"AWSJSON", "[]", R"("[]")"},
};

TEST(GraphQlScalars, AreWrittenInResults) {
  for (const ScalarCase& given : kGoodResults) {
    EXPECT_EQ(OfResult(given), given.outcome)
        << given.scalar << " " << given.given;
  }
}

constexpr ScalarCase kBadResults[] = {
    {"ID", "1.5", "Expected type 'ID' but was 'Double'."},
    {"ID", "true", "Expected type 'ID' but was 'Boolean'."},
    {"ID", R"({"a":1})", "Expected type 'ID' but was 'LinkedHashMap'."},
    {"Int", "5.5", "Expected type 'Int' but was 'Double'."},
    {"Int", "-2147483649", "Expected type 'Int' but was 'Long'."},
    {"Int", R"("x")", "Expected type 'Int' but was 'String'."},
    {"Int", "true", "Expected type 'Int' but was 'Boolean'."},
    {"Int", "[]", "Expected type 'Int' but was 'ArrayList'."},
    {"Float", R"("x")", "Expected type 'Float' but was 'String'."},
    {"Float", "false", "Expected type 'Float' but was 'Boolean'."},
    {"Float", kHuge, "Expected type 'Float' but was 'BigInteger'."},
    {"Boolean", R"("yes")", "Expected type 'Boolean' but was 'String'."},
    {"Boolean", "[]", "Expected type 'Boolean' but was 'ArrayList'."},
    {"AWSDate", R"("2023-02-29")",
     "Unable to serialize `2023-02-29` as a valid Date Object."},
    {"AWSDate", "5", "Unable to serialize `5` as a valid Date Object."},
    {"AWSDate", "[]", "Unable to serialize `[]` as a valid Date Object."},
    {"AWSTime", R"("25:00")",
     "Unable to serialize `25:00` as a valid Time Object."},
    {"AWSTime", "5", "Unable to serialize `5` as a valid Time Object."},
    {"AWSTime", "[]", "Unable to serialize `[]` as a valid Time Object."},
    {"AWSDateTime", R"("2024-02-29T12:00:00")",
     "Unable to serialize `2024-02-29T12:00:00` as a valid "
     "DateTime Object."},
    {"AWSDateTime", "5", "Unable to serialize `5` as a valid DateTime Object."},
    {"AWSDateTime", "[]",
     "Unable to serialize `[]` as a valid DateTime Object."},
    {"AWSEmail", R"("a@")",
     "Unable to serialize `a@` as a valid email address."},
    {"AWSEmail", "5", "Unable to serialize `5` as a valid email address."},
    {"AWSEmail", "[]", "Unable to serialize `[]` as a valid email address."},
    {"AWSURL", R"("example.com")",
     "Unable to serialize `example.com` as a valid URL."},
    {"AWSURL", "5", "Unable to serialize `5` as a valid URL."},
    {"AWSURL", "[]", "Unable to serialize `[]` as a valid URL."},
    {"AWSPhone", R"("12")",
     "Unable to serialize `12` as a valid phone number."},
    {"AWSPhone", "5", "Unable to serialize `5` as a valid phone number."},
    {"AWSPhone", "[]", "Unable to serialize `[]` as a valid phone number."},
    {"AWSIPAddress", R"("10.0.0.256")",
     "Unable to serialize `10.0.0.256` as a valid IP address."},
    {"AWSIPAddress", "5", "Unable to serialize `5` as a valid IP address."},
    {"AWSIPAddress", "[]", "Unable to serialize `[]` as a valid IP address."},
    {"AWSTimestamp", "1.5", "Unable to serialize `1.5` as a valid timestamp."},
    {"AWSTimestamp", R"("x")", "Unable to serialize `x` as a valid timestamp."},
    {"AWSTimestamp", kBig,
     "Unable to serialize `123456789012345678901234567890` as a "
     "valid timestamp."},
    {"AWSTimestamp", "true",
     "Unable to serialize `true` as a valid timestamp."},
};

TEST(GraphQlScalars, AreRefusedAsResults) {
  for (const ScalarCase& given : kBadResults) {
    EXPECT_EQ(OfResult(given),
              absl::StrCat("Can't serialize value (/result) : ", given.outcome))
        << given.scalar << " " << given.given;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
