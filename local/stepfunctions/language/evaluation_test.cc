#include "local/stepfunctions/language/evaluation.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr absl::string_view kProcessor =
    R"("ItemProcessor":{"StartAt":"P","States":{"P":{"Type":"Succeed"}}},)";
constexpr absl::string_view kIsJsonata = R"("QueryLanguage":"JSONata",)";

// A state with these fields, which ends.
std::shared_ptr<const StateMachine> StateOf(absl::string_view fields) {
  static EchoCompiler& compiler = *new EchoCompiler;
  const ParsedDefinition parsed =
      ParseSingleState(absl::StrCat("{", fields, "}"), "S", {&compiler, false});
  EXPECT_NE(parsed.machine, nullptr)
      << InvalidDefinitionMessage(parsed.errors());
  return parsed.machine;
}

Scope ScopeOf(absl::string_view input) {
  Scope scope;
  scope.input = D(input);
  return scope;
}

std::string Failure(const EvaluationError& error) {
  return absl::StrCat(error.error, ": ", error.cause);
}

template <typename T>
std::string Text(const Evaluated<T>& value) {
  if (!value.ok()) return Failure(value.error());
  if constexpr (std::is_same_v<T, Data>) {
    return value->ToJson();
  } else {
    return absl::StrCat(*value);
  }
}

// When a Wait state with these fields that is entered at 0 ends, in seconds.
std::string Wait(absl::string_view fields, absl::string_view input) {
  const auto machine =
      StateOf(absl::StrCat(R"("Type":"Wait","End":true,)", fields));
  const Evaluated<absl::Time> until =
      WaitUntil(*machine->Find("S"), ScopeOf(input), absl::UnixEpoch());
  if (!until.ok()) return Failure(until.error());
  return absl::StrCat(absl::ToUnixSeconds(*until));
}

TEST(WaitUntil, CountsSeconds) {
  EXPECT_EQ(Wait(R"("Seconds":5)", "{}"), "5");
  EXPECT_EQ(Wait(R"("SecondsPath":"$.n")", R"({"n":7})"), "7");
  EXPECT_EQ(Wait(R"("SecondsPath":"$.n")", R"({"n":0})"), "0");
  EXPECT_EQ(Wait(R"("SecondsPath":"$.n")", R"({"n":-7})"),
            "States.Runtime: The SecondsPath parameter references a negative "
            "value: $.n == -7");
  EXPECT_EQ(Wait(absl::StrCat(kIsJsonata, R"("Seconds":"{% $states.input %}")"),
                 "-7"),
            "States.QueryEvaluationError: The Seconds parameter references a "
            "negative value: $states.input == -7");
  EXPECT_EQ(Wait(R"("SecondsPath":"$.n")", R"({"n":1.5})"),
            "States.Runtime: The SecondsPath parameter cannot be parsed as a "
            "long value: $.n == 1.5");
  EXPECT_EQ(Wait(R"("SecondsPath":"$.n")", "{}"),
            "States.Runtime: The SecondsPath parameter does not reference an "
            "input value: $.n");
  EXPECT_EQ(
      Wait(absl::StrCat(kIsJsonata, R"("Seconds":"{% $states.input %}")"), "9"),
      "9");
  EXPECT_EQ(Wait(absl::StrCat(kIsJsonata, R"("Seconds":"{% $states.input %}")"),
                 "\"x\""),
            "States.QueryEvaluationError: The JSONata expression "
            "'$states.input' specified for the field 'Seconds' returned an "
            "unexpected result type. Expected 'number', but was 'string' for "
            "value: \"x\"");
}

TEST(WaitUntil, ReadsTimestamps) {
  EXPECT_EQ(Wait(R"("Timestamp":"1970-01-01T01:00:00+00:30")", "{}"), "1800");
  EXPECT_EQ(
      Wait(R"("TimestampPath":"$")", "\"1970-01-01T00:01:00.123456789Z\""),
      "60");
  EXPECT_EQ(Wait(R"("TimestampPath":"$")", "\"1969-01-01T00:00:00Z\""), "0");
  EXPECT_EQ(Wait(R"("TimestampPath":"$")", "\"2016-12-05 21:29:29Z\""),
            "States.Runtime: The TimestampPath parameter does not reference a "
            "valid ISO-8601 extended offset date-time format string: $ == "
            "2016-12-05 21:29:29Z");
  EXPECT_EQ(
      Wait(absl::StrCat(kIsJsonata, R"("Timestamp":"{% $states.input %}")"),
           "\"2016-12-05T21:29:29\""),
      "States.QueryEvaluationError: The Timestamp field cannot be parsed as an "
      "ISO-8601 extended offset date-time format string: 2016-12-05T21:29:29");
}

TEST(WaitUntil, CountsNoMoreSecondsThanAnIntegerHolds) {
  EXPECT_EQ(Wait(R"("TimestampPath":"$")", "\"2038-01-19T03:14:07Z\""),
            "2147483647");
  EXPECT_EQ(Wait(R"("TimestampPath":"$")", "\"2038-01-19T03:14:08Z\""),
            "States.Runtime: Wait state delay is too long.");
  EXPECT_EQ(Wait(R"("Timestamp":"9999-01-01T00:00:00Z")", "{}"),
            "States.Runtime: Wait state delay is too long.");
}

// The items of a Map with these fields.
std::string Items(absl::string_view fields, absl::string_view input) {
  const auto machine =
      StateOf(absl::StrCat(R"("Type":"Map","End":true,)", kProcessor, fields));
  return Text(EvaluateItems(*machine->Find("S"), ScopeOf(input)));
}

TEST(EvaluateItems, TakesAnArray) {
  EXPECT_EQ(Items(R"("ItemsPath":"$.xs")", R"({"xs":[1,2]})"), "[1,2]");
  EXPECT_EQ(Items(R"("Comment":"")", "[1]"), "[1]");
  EXPECT_EQ(
      Items(absl::StrCat(kIsJsonata, R"("Items":[1,"{% $states.input %}"])"),
            "2"),
      "[1,2]");
}

TEST(EvaluateItems, RefusesWhatIsNoArray) {
  EXPECT_EQ(Items(R"("ItemsPath":"$.xs")", R"({"xs":1})"),
            "States.Runtime: Reference path \"$.xs\" must point to array.");
  EXPECT_EQ(Items(R"("ItemsPath":"$$")", "[1]"),
            "States.Runtime: Reference path \"$\" must point to array.");
  EXPECT_EQ(Items(R"("ItemsPath":"$.a.xs")", R"({"a":{}})"),
            "States.ReferencePathConflict: Unable to apply step \"xs\" to "
            "input {\"a\":{}}");
  EXPECT_EQ(Items(R"("Comment":"")", "{}"),
            "States.Runtime: Reference path \"$\" must point to array.");
  EXPECT_EQ(Items(absl::StrCat(kIsJsonata, R"("Comment":"")"), "true"),
            "States.QueryEvaluationError: Map state input must be an array "
            "but was: true");
  EXPECT_EQ(
      Items(absl::StrCat(kIsJsonata, R"("Items":"{% $states.input %}")"), "1"),
      "States.QueryEvaluationError: The JSONata expression '$states.input' "
      "specified for the field 'Items' returned an unexpected result type. "
      "Expected 'array', but was 'number' for value: 1");
}

// MaxConcurrency, or the tolerated failures as "count percentage".
std::string Concurrency(absl::string_view fields, absl::string_view input) {
  const auto machine =
      StateOf(absl::StrCat(R"("Type":"Map","End":true,)", kProcessor, fields));
  return Text(EvaluateMaxConcurrency(*machine->Find("S"), ScopeOf(input)));
}

std::string Tolerated(absl::string_view fields, absl::string_view input) {
  const auto machine =
      StateOf(absl::StrCat(R"("Type":"Map","End":true,)", kProcessor, fields));
  const Evaluated<ToleratedFailure> tolerated =
      EvaluateToleratedFailure(*machine->Find("S"), ScopeOf(input));
  if (!tolerated.ok()) return Failure(tolerated.error());
  return absl::StrCat(tolerated->count.value_or(-1), " ",
                      tolerated->percentage.value_or(-1));
}

TEST(MapFields, TakeNumbersFromTheInput) {
  EXPECT_EQ(Concurrency(R"("MaxConcurrency":3)", "{}"), "3");
  EXPECT_EQ(Concurrency(R"("Comment":"")", "{}"), "0");
  EXPECT_EQ(Concurrency(R"("MaxConcurrencyPath":"$.n")", R"({"n":2})"), "2");
  EXPECT_EQ(Tolerated(R"("ToleratedFailureCountPath":"$.n")", R"({"n":2})"),
            "2 -1");
  EXPECT_EQ(
      Tolerated(R"("ToleratedFailurePercentagePath":"$.n")", R"({"n":1.5})"),
      "-1 1.5");
}

TEST(MapFields, RefuseWhatIsNoNumber) {
  EXPECT_EQ(Concurrency(R"("MaxConcurrencyPath":"$.n")", R"({"n":{}})"),
            "States.Runtime: The MaxConcurrencyPath field refers to value "
            "\"{}\" which is not a valid integer: $.n");
  EXPECT_EQ(Tolerated(R"("ToleratedFailureCountPath":"$.n")", R"({"n":-1})"),
            "States.Runtime: ToleratedFailureCount cannot be negative.");
  EXPECT_EQ(
      Tolerated(R"("ToleratedFailurePercentagePath":"$.n")", R"({"n":{}})"),
      "States.Runtime: The ToleratedFailurePercentagePath field refers to "
      "value \"{}\" which is not a valid float: $.n");
  EXPECT_EQ(
      Tolerated(R"("ToleratedFailurePercentagePath":"$.n")", R"({"n":100.1})"),
      "States.Runtime: ToleratedFailurePercentage must be between 0 and 100.");
}

TEST(SelectPath, SaysWhatIsMissing) {
  const auto machine = StateOf(R"("Type":"Pass","End":true,
                                  "InputPath":"$.a.b","OutputPath":null)");
  const State& state = *machine->Find("S");
  EXPECT_EQ(Text(SelectPath(state.input_path, ScopeOf(R"({"a":{"b":1}})"))),
            "1");
  EXPECT_EQ(Text(SelectPath(state.input_path, ScopeOf("{}"))),
            "States.Runtime: Invalid path '$.a.b' : Missing property in path "
            "$['a']");
  EXPECT_EQ(Text(SelectPath(state.output_path, ScopeOf("1"))), "{}");
}

TEST(PutResult, ReplacesKeepsOrInserts) {
  using Field = PathField<ReferencePath>;
  const Data input = D(R"({"a":1})");
  const Data result = D("2");
  Field field;
  EXPECT_EQ(Text(PutResult(field, input, result)), "2");
  field.kind = Field::Kind::kNull;
  EXPECT_EQ(Text(PutResult(field, input, result)), R"({"a":1})");
  field.kind = Field::Kind::kPath;
  field.path = *ReferencePath::Parse("$.r");
  EXPECT_EQ(Text(PutResult(field, input, result)), R"({"a":1,"r":2})");
}

TEST(EvaluateText, NamesThePathOfAFail) {
  const auto machine =
      StateOf(R"("Type":"Fail","Error":"E","CausePath":"$.c")");
  const State& state = *machine->Find("S");
  EXPECT_EQ(**EvaluateText(state.error, ScopeOf("{}")), "E");
  EXPECT_EQ(**EvaluateText(state.cause, ScopeOf(R"({"c":"why"})")), "why");
  const auto missing = EvaluateText(state.cause, ScopeOf("{}"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(Failure(missing.error()),
            "States.Runtime: The JSONPath '$.c' specified for the field "
            "'CausePath' could not be found in the input '{}'");
}

TEST(EvaluateSeconds, NeedsAPositiveNumber) {
  const auto machine =
      StateOf(R"("Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
                 "End":true,"TimeoutSecondsPath":"$.t")");
  const State& state = *machine->Find("S");
  EXPECT_EQ(**EvaluateSeconds(state.timeout_seconds, ScopeOf(R"({"t":4})")),
            absl::Seconds(4));
  EXPECT_FALSE(
      EvaluateSeconds(state.timeout_seconds, ScopeOf(R"({"t":0})")).ok());
  EXPECT_EQ(*EvaluateSeconds(state.heartbeat_seconds, ScopeOf("{}")),
            std::nullopt);
}

TEST(EvaluateTaskTimes, NeedsAHeartbeatThatIsShorterThanTheTimeOut) {
  const auto machine =
      StateOf(R"("Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
                 "End":true,"TimeoutSeconds":5,"HeartbeatSecondsPath":"$.h")");
  const State& state = *machine->Find("S");
  const Evaluated<TaskTimes> times =
      EvaluateTaskTimes(state, ScopeOf(R"({"h":4})"));
  ASSERT_TRUE(times.ok());
  EXPECT_EQ(times->timeout, absl::Seconds(5));
  EXPECT_EQ(times->heartbeat, absl::Seconds(4));
  const Evaluated<TaskTimes> equal =
      EvaluateTaskTimes(state, ScopeOf(R"({"h":5})"));
  ASSERT_FALSE(equal.ok());
  EXPECT_EQ(
      Failure(equal.error()),
      "States.Runtime: HeartbeatSeconds must be less than TimeoutSeconds.");
}

TEST(EvaluateRole, ReadsTheRoleOfTheCredentials) {
  const auto machine =
      StateOf(R"("Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage",
                 "End":true,"Credentials":{"RoleArn.$":"$.role"})");
  EXPECT_EQ(**EvaluateRole(*machine->Find("S"), ScopeOf(R"({"role":"r"})")),
            "r");
}

TEST(FindChoice, TakesTheFirstRuleThatHolds) {
  const auto machine = StateOf(R"("Type":"Choice","Choices":[
      {"Variable":"$.n","NumericEquals":1,"Next":"A"},
      {"Variable":"$.n","NumericLessThan":5,"Next":"B"}])");
  const State& state = *machine->Find("S");
  EXPECT_EQ(*FindChoice(state, ScopeOf(R"({"n":1})")), 0);
  EXPECT_EQ(*FindChoice(state, ScopeOf(R"({"n":2})")), 1);
  EXPECT_EQ(*FindChoice(state, ScopeOf(R"({"n":9})")), std::nullopt);
  EXPECT_FALSE(FindChoice(state, ScopeOf("{}")).ok());
}

TEST(FindChoice, NeedsABooleanOfJsonata) {
  const auto machine =
      StateOf(absl::StrCat(kIsJsonata, R"("Type":"Choice","Choices":[
                     {"Condition":"{% $states.input %}","Next":"A"}])"));
  const State& state = *machine->Find("S");
  EXPECT_EQ(*FindChoice(state, ScopeOf("true")), 0);
  EXPECT_EQ(*FindChoice(state, ScopeOf("false")), std::nullopt);
  const auto failed = FindChoice(state, ScopeOf("1"));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().cause,
            "The JSONata expression '$states.input' specified for the field "
            "'Choices[0]/Condition' returned an unexpected result type. "
            "Expected 'boolean', but was 'number' for value: 1");
}

TEST(EvaluateAssign, GivesTheVariables) {
  const auto machine = StateOf(R"("Type":"Pass","End":true,
                                  "Assign":{"a.$":"$.x","b":2})");
  EXPECT_EQ(
      Text(EvaluateAssign(machine->Find("S")->assign, ScopeOf(R"({"x":1})"))),
      R"({"a":1,"b":2})");
  EXPECT_EQ(Text(EvaluateAssign(std::nullopt, ScopeOf("{}"))), "{}");
}

TEST(Random, GivesTheSameSequenceForTheSameSeed) {
  Random a("execution");
  Random b("execution");
  Random c("another");
  for (int i = 0; i < 10; ++i) {
    const uint64_t bits = a.Bits();
    EXPECT_EQ(bits, b.Bits());
    EXPECT_NE(bits, c.Bits());
    EXPECT_LT(a.Below(7), 7);
    b.Below(7);
    const double fraction = a.Fraction();
    EXPECT_GE(fraction, 0);
    EXPECT_LT(fraction, 1);
    b.Fraction();
  }
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
