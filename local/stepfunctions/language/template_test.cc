#include "local/stepfunctions/language/template.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

Scope AnyScope() {
  Scope scope;
  scope.input = D(R"({"a":{"b":1},"xs":[1,2]})");
  scope.context = D(R"({"Execution":{"Name":"e"}})");
  scope.variables = D(R"({"v":"V"})");
  return scope;
}

std::string Outcome(const Template& made, const Diagnostics& diagnostics,
                    const Scope& scope) {
  if (diagnostics.has_error()) {
    const Diagnostic& first = diagnostics.list()[0];
    return absl::StrCat(first.code, ": ", first.message, " at ",
                        first.location);
  }
  const Evaluated<Data> value = made.Evaluate(scope);
  if (value.ok()) return value->ToJson();
  return absl::StrCat(value.error().error, ": ", value.error().cause, " (",
                      value.error().location, ")");
}

std::string JsonPath(absl::string_view source) {
  Diagnostics diagnostics;
  const Template made = Template::JsonPath(D(source), "Parameters",
                                           "/States/S/Parameters", diagnostics);
  return Outcome(made, diagnostics, AnyScope());
}

std::string Jsonata(absl::string_view source, bool has_result = true) {
  EchoCompiler compiler;
  Diagnostics diagnostics;
  Scope scope = AnyScope();
  scope.result = D("[7]");
  const Template made =
      Template::Jsonata(D(source), "Output", "/States/S/Output",
                        {&compiler, has_result, false}, diagnostics);
  return Outcome(made, diagnostics, scope);
}

TEST(JsonPathTemplate, ReplacesComputedMembers) {
  EXPECT_EQ(JsonPath(R"({"x.$":"$.a.b","y":"$.a.b","n.$":"$$.Execution.Name",
                         "v.$":"$v","all.$":"$"})"),
            R"({"x":1,"y":"$.a.b","n":"e","v":"V",)"
            R"("all":{"a":{"b":1},"xs":[1,2]}})");
  EXPECT_EQ(JsonPath(R"({"in":[{"x.$":"$.xs[1]"},3],"deep":{"y.$":"$.a"}})"),
            R"({"in":[{"x":2},3],"deep":{"y":{"b":1}}})");
  EXPECT_EQ(JsonPath(R"json({"s.$":"States.Format('{}!', $.a.b)"})json"),
            R"({"s":"1!"})");
}

TEST(JsonPathTemplate, SharesWhatIsConstant) {
  EXPECT_EQ(JsonPath(R"({"a":[1,{"b":null}]})"), R"({"a":[1,{"b":null}]})");
  Diagnostics diagnostics;
  EXPECT_TRUE(
      Template::JsonPath(D(R"({"a":[1]})"), "Parameters", "", diagnostics)
          .constant());
  EXPECT_FALSE(
      Template::JsonPath(D(R"({"a.$":"$"})"), "Parameters", "", diagnostics)
          .constant());
}

TEST(JsonPathTemplate, NamesTheMemberWhosePathFindsNothing) {
  EXPECT_EQ(JsonPath(R"({"o":{"value.$":"$.none"}})"),
            "States.Runtime: The JSONPath '$.none' specified for the field "
            "'value.$' could not be found in the input "
            "'{\"a\":{\"b\":1},\"xs\":[1,2]}' (value.$)");
}

TEST(JsonPathTemplate, RefusesWhatIsNeitherAPathNorACall) {
  const std::string expected =
      "SCHEMA_VALIDATION_FAILED: The value for the field 'x.$' must be a "
      "valid JSONPath or a valid intrinsic function call at "
      "/States/S/Parameters";
  EXPECT_EQ(JsonPath(R"({"x.$":"a"})"), expected);
  EXPECT_EQ(JsonPath(R"({"x.$":1})"), expected);
  EXPECT_EQ(JsonPath(R"({"x.$":"$["})"), expected);
  EXPECT_EQ(JsonPath(R"json({"x.$":"States.Nothing()"})json"), expected);
}

TEST(JsonataTemplate, ReplacesExpressionsAnywhere) {
  EXPECT_EQ(Jsonata(R"("{% $states.input.a %}")"), R"({"b":1})");
  EXPECT_EQ(Jsonata(R"({"x":["{%$states.result%}","{ no }"],"y":"{% $v %}"})"),
            R"({"x":[[7],"{ no }"],"y":"V"})");
  EXPECT_EQ(Jsonata(R"({"a":"plain","b":1})"), R"({"a":"plain","b":1})");
}

TEST(JsonataTemplate, NamesTheExpressionAndTheField) {
  EXPECT_EQ(Jsonata(R"({"x":[1,{"y":"{% $none %}"}]})"),
            "States.QueryEvaluationError: The JSONata expression '$none' "
            "specified for the field 'Output/x[1]/y' returned nothing "
            "(undefined). (Output/x[1]/y)");
  EXPECT_EQ(Jsonata(R"("{% error %}")"),
            "States.QueryEvaluationError: The JSONata expression 'error' "
            "specified for the field 'Output' threw an error during "
            "evaluation. T2001: No (Output)");
  EXPECT_EQ(Jsonata(R"("{% function %}")"),
            "States.QueryEvaluationError: The JSONata expression 'function' "
            "specified for the field 'Output' returned an unsupported result "
            "type. (Output)");
}

TEST(JsonataTemplate, ReportsWhatTheCompilerRefuses) {
  EXPECT_EQ(Jsonata(R"({"x":["{% invalid %}"]})"),
            "INVALID_JSONATA_EXPRESSION: Unexpected end of expression at "
            "/States/S/Output/x[0]");
}

TEST(JsonataTemplate, RefusesTheResultWhereThereIsNone) {
  EXPECT_EQ(Jsonata(R"("{% $states.result %}")", false),
            "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.result' does not "
            "exist. at /States/S/Output");
  EXPECT_EQ(Jsonata(R"("{% $states.errorOutput %}")"),
            "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.errorOutput' does "
            "not exist. at /States/S/Output");
}

TEST(Template, RefusesResultsThatAreNestedTooDeep) {
  Data deep;
  for (size_t i = 0; i < kMaxDataDepth; ++i) deep = Data::Array({deep});
  Scope scope;
  scope.input = deep;
  Diagnostics diagnostics;
  const Template made =
      Template::JsonPath(D(R"({"x.$":"$"})"), "Parameters", "", diagnostics);
  const Evaluated<Data> value = made.Evaluate(scope);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().cause,
            "The value of the field 'Parameters' is nested more than 1000 "
            "deep.");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
