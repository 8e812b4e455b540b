// Schemas, validation, variables and execution together.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/testing.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

TEST(GraphQlValidation, HasTheMessagesOfAppSync) {
  EXPECT_EQ(FirstMessage("{ x }"),
            "Validation error of type FieldUndefined: Field 'x' in type "
            "'Query' is undefined @ 'x'");
  EXPECT_EQ(FirstMessage("{ list { next { x } } }"),
            "Validation error of type FieldUndefined: Field 'x' in type "
            "'Node' is undefined @ 'list/next/x'");
  EXPECT_EQ(FirstMessage("{ node { id } }"),
            "Validation error of type MissingFieldArgument: Missing field "
            "argument id @ 'node'");
  EXPECT_EQ(FirstMessage("{ node(id: 1, y: 2) { id } }"),
            "Validation error of type UnknownArgument: Unknown field argument "
            "y @ 'node'");
  EXPECT_EQ(FirstMessage("{ echo(text: {a: 10}) }"),
            "Validation error of type WrongType: argument 'text' with value "
            "'ObjectValue{objectFields=[ObjectField{name='a', "
            "value=IntValue{value=10}}]}' is not a valid 'AWSJSON' @ 'echo'");
  EXPECT_EQ(FirstMessage("query($i: X) { list { id } }"),
            "Validation error of type UnknownType: Unknown type X");
  EXPECT_EQ(FirstMessage("query($i: String!) { node(id: $i) { id } }"),
            "Validation error of type VariableTypeMismatch: Variable type "
            "'String!' doesn't match expected type 'ID!' @ 'node'");
}

TEST(GraphQlValidation, LimitsDepthAndHidesIntrospection) {
  const ValidationOptions depth = {.query_depth_limit = 2};
  EXPECT_EQ(FirstMessage("{ list { id } }", depth), "");
  EXPECT_NE(FirstMessage("{ list { next { id } } }", depth), "");
  EXPECT_EQ(FirstMessage("{ __schema { queryType { name } } }",
                         {.query_depth_limit = {},
                          .introspection = Introspection::kDisabled}),
            "Validation error of type FieldUndefined: Field '__schema' in type "
            "'Query' is undefined @ '__schema'");
}

TEST(GraphQlVariables, AreAbsentUnlessGiven) {
  TestResolvers resolvers;
  std::string seen;
  resolvers.functions["Query.echo"] = [&](const FieldRequest& request) {
    seen = absl::StrCat(request.arguments().ToJson(),
                        request.variables().ToJson());
    return FieldOutcome();
  };
  const char* const query =
      "query($t: AWSJSON, $i: In) { echo(text: $t, input: $i) }";
  RunQuery(resolvers, query, Json(R"({"t":"{\"a\":1}"})"));
  EXPECT_EQ(seen, R"({"text":{"a":1}}{"t":{"a":1}})");
  RunQuery(resolvers, query, Json(R"({"t":null,"i":{"name":"n"}})"));
  EXPECT_EQ(seen, R"({"text":null,"input":{"name":"n"}})"
                  R"({"t":null,"i":{"name":"n"}})");
}

TEST(GraphQlVariables, HaveTheMessagesOfAppSync) {
  TestResolvers resolvers;
  const auto message = [&](absl::string_view query, const char* variables) {
    return RunQuery(resolvers, query, Json(variables)).errors.at(0).message;
  };
  EXPECT_EQ(message("query($id: ID!) { node(id: $id) { id } }", "{}"),
            "Variable 'id' has coerced Null value for NonNull type 'ID!'");
  EXPECT_EQ(message("query($p: AWSPhone) { echo(phone: $p) }",
                    R"({"p":"1110004444"})"),
            "Variable 'p' has an invalid value. Unable to parse `1110004444` "
            "as a valid phone number.");
  EXPECT_EQ(message("query($i: In) { echo(input: $i) }",
                    R"({"i":{"name":"a","nested":{}}})"),
            "Variable 'i' has coerced Null value for NonNull type 'String!'");
  EXPECT_EQ(message("query($i: In) { echo(input: $i) }",
                    R"({"i":{"name":"a","x":1}})"),
            "The variables input contains a field that is not defined for "
            "input object type 'In' ");
}

TEST(GraphQlExecution, KeepsTheOrderOfTheSelection) {
  TestResolvers resolvers;
  resolvers.Give("Query.node", R"({"id":1,"name":"n","next":{"id":"2"}})");
  const ExecutionResult result =
      RunQuery(resolvers,
               "{ z: node(id: 1) { name ...F id } a: __typename } "
               "fragment F on Node { next { id __typename } }");
  EXPECT_EQ(result.ToJson(),
            R"({"data":{"z":{"name":"n","next":{"id":"2","__typename":"Node"},)"
            R"("id":"1"},"a":"Query"}})");
}

TEST(GraphQlExecution, ReportsErrorsAsAppSyncDoes) {
  TestResolvers resolvers;
  resolvers.functions["Query.node"] = [](const FieldRequest&) {
    FieldOutcome outcome;
    outcome.error = FieldError{.message = "gone",
                               .error_type = "NotFound",
                               .data = Json(R"({"id":"1","secret":2})"),
                               .error_info = Json(R"({"x":1})")};
    return outcome;
  };
  EXPECT_EQ(RunQuery(resolvers, "{ node(id: 1) { id } }").ToJson(),
            R"({"data":{"node":null},"errors":[{"path":["node"],)"
            R"("data":{"id":"1"},"errorType":"NotFound","errorInfo":{"x":1},)"
            R"("locations":[{"line":1,"column":3,"sourceName":null}],)"
            R"("message":"gone"}]})");
}

TEST(GraphQlExecution, PropagatesNullsAndNamesBadValues) {
  TestResolvers resolvers;
  resolvers.Give("Query.list", R"([{"id":"1","when":"2020-05-23T06:4:37Z"}])");
  ExecutionResult result = RunQuery(resolvers, "{ list { id when } }");
  EXPECT_EQ(result.data.ToJson(), R"({"list":[{"id":"1","when":null}]})");
  EXPECT_EQ(result.errors.at(0).message,
            "Can't serialize value (/list[0]/when) : Unable to serialize "
            "`2020-05-23T06:4:37Z` as a valid DateTime Object.");
  resolvers.Give("Query.list", R"([{"id":"1"},{"name":"x"}])");
  result = RunQuery(resolvers, "{ list { id } }");
  EXPECT_TRUE(result.data.is_null());
  EXPECT_EQ(result.errors.at(0).message,
            "Cannot return null for non-nullable type: 'ID' within parent "
            "'Node' (/list[1]/id)");
}

TEST(GraphQlExecution, RunsMutationsOneAfterAnother) {
  TestResolvers resolvers;
  resolvers.later = true;
  resolvers.Give("Mutation.report", R"({"id":"1"})");
  resolvers.Give("Mutation.other", R"({"id":"2"})");
  auto document = std::make_shared<PreparedDocument>(
      TestSchema(),
      R"(mutation { a: other { id } report(groupId: 1, domain: "d") { id } })",
      ValidationOptions());
  std::string text;
  Execute({.document = document,
           .operation = document->FindOperation(""),
           .variables = Data()},
          resolvers,
          [&](const ExecutionResult& result) { text = result.ToJson(); });
  EXPECT_EQ(resolvers.calls, std::vector<std::string>{"Mutation.other"});
  resolvers.waiting.at(0)();
  EXPECT_EQ(resolvers.calls.size(), 2u);
  EXPECT_EQ(text, "");
  resolvers.waiting.at(1)();
  EXPECT_EQ(text, R"({"data":{"a":{"id":"2"},"report":{"id":"1"}}})");
}

TEST(GraphQlExecution, GivesResolversWhatIsSelected) {
  TestResolvers resolvers;
  std::vector<std::string> list;
  std::string text;
  resolvers.functions["Query.node"] = [&](const FieldRequest& request) {
    list = request.SelectionSetList();
    text = request.SelectionSetGraphQL();
    return FieldOutcome();
  };
  RunQuery(resolvers,
           "{ node(id: 1) { id n: next { name } ...F } } "
           "fragment F on Node { groupId }");
  EXPECT_EQ(list, (std::vector<std::string>{"id", "n", "n/name", "groupId"}));
  EXPECT_EQ(text, "{\n  id\n  n: next {\n    name\n  }\n  ...F\n}");
}

TEST(GraphQlProjection, CutsWhatTheMutationSelected) {
  TestResolvers resolvers;
  resolvers.Give("Mutation.report",
                 R"({"id":"1","name":"n","groupId":"g","next":{"id":"2"}})");
  const ExecutionResult result =
      RunQuery(resolvers, R"(mutation { report(groupId: "g", domain: "d") {
                          id alias: name next { id } } })");
  const auto render = [&](absl::string_view query) {
    auto document = std::make_shared<PreparedDocument>(TestSchema(), query,
                                                       ValidationOptions());
    const ProjectionResult made = Projection::Make(
        document, *document->FindOperation(""), Json(R"({"g":"g"})"));
    return made.projection->Render(result.root_fields.at(0).published, 10'000)
        .value_or("");
  };
  EXPECT_EQ(render("subscription($g: ID!) { onReport(groupId: $g) "
                   "{ name groupId __typename next { id } } }"),
            R"({"data":{"onReport":{"name":"n","groupId":null,)"
            R"("__typename":"Node","next":{"id":"2"}}}})");
}

TEST(GraphQlScalars, AcceptTheFormatsOfAppSync) {
  for (const char* text : {"1970-01-01", "1970-01-01Z", "-2017-01-01+05:30",
                           "2024-02-29-07:00:30"}) {
    EXPECT_TRUE(IsDate(text)) << text;
  }
  for (const char* text : {"1970-1-01", "2023-02-29", "1970-01-01+19:00",
                           "1970-01-01T00:00Z", ""}) {
    EXPECT_FALSE(IsDate(text)) << text;
  }
  EXPECT_TRUE(IsTime("12:30"));
  EXPECT_TRUE(IsTime("12:30:24.123456789+05:30"));
  EXPECT_FALSE(IsTime("24:00"));
  EXPECT_TRUE(IsDateTime("1970-01-01T12:00Z"));
  EXPECT_FALSE(IsDateTime("1970-01-01T12:00"));
  EXPECT_TRUE(IsEmail("a.b+c@example.com"));
  EXPECT_FALSE(IsEmail("a..b@example.com"));
  EXPECT_TRUE(IsUrl("mailto:a@example.com"));
  EXPECT_FALSE(IsUrl("www.example.com"));
  EXPECT_FALSE(IsUrl("https://example.com//a"));
  EXPECT_TRUE(IsIpAddress("10.0.0.0/8"));
  EXPECT_TRUE(IsIpAddress("::1/128"));
  EXPECT_FALSE(IsIpAddress("10.0.0.0/33"));
  EXPECT_TRUE(IsPhone("+1 206 555 0100") || IsPhone("+12065550100"));
  EXPECT_TRUE(IsPhone("(541) 754-3010"));
  EXPECT_FALSE(IsPhone("12"));
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
