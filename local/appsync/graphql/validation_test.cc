// Every rule of validation, by the name that its messages have.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/testing.h"

namespace byoshin::local::appsync::graphql {
namespace {

struct BrokenRule {
  absl::string_view rule;
  absl::string_view document;
  // After the name of the rule.
  absl::string_view message;
};

constexpr BrokenRule kBrokenRules[] = {
    // Fields.
    {"FieldUndefined", "{ x }", "Field 'x' in type 'Query' is undefined @ 'x'"},
    {"FieldUndefined", "{ any { id } }",
     "Field 'id' in type 'Thing' is undefined @ 'any/id'"},
    {"FieldUndefined", "{ list { ... on Node { x } } }",
     "Field 'x' in type 'Node' is undefined @ 'list/Node/x'"},
    {"FieldUndefined", "mutation { __schema { queryType { name } } }",
     "Field '__schema' in type 'Mutation' is undefined @ '__schema'"},
    {"SubSelectionRequired", "{ list }",
     "Sub selection required for type Node of field list @ 'list'"},
    {"SubSelectionNotAllowed", "{ date { x } }",
     "Sub selection not allowed on leaf type AWSDateTime of field date @ "
     "'date'"},
    {"FieldsConflict", "{ a: date a: echo }",
     "a: they return differing types AWSDateTime and String"},
    {"FieldsConflict", "{ a: node(id: 1) { id } a: node(id: 2) { id } }",
     "a: they have differing arguments"},
    {"FieldsConflict",
     "{ any { ... on Node { a: name } ... on Leaf { a: id } } }",
     "a: they return differing types String and ID!"},
    {"FieldsConflict", "{ list { a: name a: f } }",
     "a: name and f are different fields"},
    // Arguments.
    {"MissingFieldArgument", "{ node { id } }",
     "Missing field argument id @ 'node'"},
    {"UnknownArgument", "{ node(id: 1, y: 2) { id } }",
     "Unknown field argument y @ 'node'"},
    {"UnknownArgument", "{ date @skip(if: true, x: 1) }",
     "Unknown directive argument x @ 'date'"},
    {"WrongType", "{ node(id: true) { id } }",
     "argument 'id' with value 'BooleanValue{value=true}' is not a valid 'ID' "
     "@ 'node'"},
    {"WrongType", "{ echo(input: {}) }",
     "argument 'input' with value 'ObjectValue{objectFields=[]}' is missing "
     "required fields '[name]' @ 'echo'"},
    {"WrongType", "{ echo(input: {name: \"n\", x: 1}) }",
     "argument 'input' with value "
     "'ObjectValue{objectFields=[ObjectField{name='name', "
     "value=StringValue{value='n'}}, ObjectField{name='x', "
     "value=IntValue{value=1}}]}' contains a field not in 'In': 'x' @ 'echo'"},
    {"WrongType", "{ echo(input: {name: \"n\", nested: {name: 1}}) }",
     "argument 'input.nested.name' with value 'IntValue{value=1}' is not a "
     "valid 'String' @ 'echo'"},
    {"WrongType", "{ echo(input: {name: null}) }",
     "argument 'input.name' with value 'NullValue{}' must not be null @ "
     "'echo'"},
    {"WrongType", "{ list { f(texts: [\"a\", 1]) } }",
     "argument 'texts[1]' with value 'IntValue{value=1}' is not a valid "
     "'String' @ 'list/f'"},
    {"WrongType", "{ date @skip(if: 1) }",
     "argument 'if' with value 'IntValue{value=1}' is not a valid 'Boolean' @ "
     "'date'"},
    {"NullValueForNonNullArgument", "{ node(id: null) { id } }",
     "Null value for non-null field argument id @ 'node'"},
    {"NullValueForNonNullArgument", "{ date @skip(if: null) }",
     "Null value for non-null field argument if @ 'date'"},
    {"DuplicateArgumentNames", "{ node(id: 1, id: 1) { id } }",
     "There can be only one argument named 'id' @ 'node'"},
    {"DuplicateArgumentNames", "{ date @skip(if: true, if: true) }",
     "There can be only one argument named 'if' @ 'date'"},
    {"UniqueObjectFieldName", "{ echo(input: {name: \"a\", name: \"b\"}) }",
     "There can be only one field named 'name' @ 'echo'"},
    {"UniqueObjectFieldName",
     "query($i: In = {name: \"a\", name: \"b\"}) { echo(input: $i) }",
     "There can be only one field named 'name'"},
    // Variables.
    {"UnknownType", "query($i: X) { echo(input: $i) }", "Unknown type X"},
    {"NonInputTypeOnVariable", "query($i: Node) { echo(input: $i) }",
     "Input variable i type Node is not an input type"},
    {"BadValueForDefaultArg", "query($i: ID = true) { node(id: $i) { id } }",
     "Bad default value BooleanValue{value=true} for type ID"},
    {"BadValueForDefaultArg", "query($i: ID! = null) { node(id: $i) { id } }",
     "Bad default value NullValue{} for type ID!"},
    {"DuplicateVariableName", "query($i: ID!, $i: ID!) { node(id: $i) { id } }",
     "There can be only one variable named 'i'"},
    {"UndefinedVariable", "{ node(id: $i) { id } }",
     "Undefined variable i @ 'node'"},
    {"UndefinedVariable",
     "{ list { ...F } } fragment F on Node { f(texts: [$t]) }",
     "Undefined variable t @ 'F/f'"},
    {"UnusedVariable", "query($i: ID) { date }", "Unused variable i"},
    {"VariableTypeMismatch", "query($i: ID) { node(id: $i) { id } }",
     "Variable type 'ID' doesn't match expected type 'ID!' @ 'node'"},
    {"VariableTypeMismatch", "query($t: String) { list { f(texts: $t) } }",
     "Variable type 'String' doesn't match expected type '[String]' @ "
     "'list/f'"},
    {"VariableTypeMismatch", "query($n: Int!) { echo(input: {name: $n}) }",
     "Variable type 'Int!' doesn't match expected type 'String!' @ 'echo'"},
    // Fragments.
    {"UnknownType", "{ ...F } fragment F on X { date }", "Unknown type X"},
    {"UnknownType", "{ ... on X { date } }", "Unknown type X"},
    {"UndefinedFragment", "{ ...F }", "Undefined fragment F"},
    {"UnusedFragment", "{ date } fragment F on Query { date }",
     "Unused fragment F"},
    {"FragmentCycle", "{ list { ...F } } fragment F on Node { next { ...F } }",
     "Fragment cycles not allowed"},
    {"DuplicateFragmentName",
     "{ ...F } fragment F on Query { date } fragment F on Query { date }",
     "There can be only one fragment named 'F'"},
    {"InvalidFragmentType", "{ list { ...F } } fragment F on Leaf { id }",
     "Fragment F cannot be spread here as objects of type Node can never be of "
     "type Leaf @ 'list'"},
    {"InvalidFragmentType", "{ list { ... on Leaf { id } } }",
     "Fragment cannot be spread here as objects of type Node can never be of "
     "type Leaf @ 'list'"},
    {"FragmentTypeConditionInvalid", "{ date ...F } fragment F on String { x }",
     "Fragment type condition is invalid, must be on Object/Interface/Union @ "
     "'F'"},
    {"InlineFragmentTypeConditionInvalid", "{ date ... on In { name } }",
     "Inline fragment type condition is invalid, must be on "
     "Object/Interface/Union"},
    // Directives.
    {"UnknownDirective", "{ date @x }", "Unknown directive x @ 'date'"},
    {"MisplacedDirective", "query @skip(if: true) { date }",
     "Directive skip not allowed here"},
    {"MisplacedDirective", "query($i: ID @deprecated) { node(id: $i) { id } }",
     "Directive deprecated not allowed here"},
    {"MissingDirectiveArgument", "{ date @include }",
     "Missing directive argument if @ 'date'"},
    {"DuplicateDirectiveName", "{ date @skip(if: true) @skip(if: false) }",
     "There can be only one directive named 'skip' here @ 'date'"},
    // Operations.
    {"LoneAnonymousOperationViolation", "{ date } query Q { date }",
     "Anonymous operation with other operations."},
    {"DuplicateOperationName", "query Q { date } query Q { date }",
     "There can be only one operation named 'Q'"},
    {"NonExecutableDefinition", "{ date } type X { a: Int }",
     "Type 'X' definition is not executable"},
    {"NonExecutableDefinition", "{ date } extend type Node { a: Int }",
     "Type 'Node' definition is not executable"},
    {"NonExecutableDefinition", "{ date } schema { query: Query }",
     "Schema definition is not executable"},
    {"NonExecutableDefinition", "{ date } directive @x on FIELD",
     "Directive 'x' definition is not executable"},
    {"SubscriptionMultipleRootFields",
     "subscription S { onReport(groupId: 1) { id } "
     "b: onReport(groupId: 2) { id } }",
     "Subscription operation 'S' must have exactly one root field"},
    {"SubscriptionMultipleRootFields",
     "subscription { ...F } fragment F on Subscription "
     "{ a: onReport(groupId: 1) { id } b: onReport(groupId: 1) { id } }",
     "Subscription operation '' must have exactly one root field"},
    {"SubscriptionIntrospectionRootField", "subscription S { __typename }",
     "Subscription operation 'S' root field '__typename' cannot be an "
     "introspection field"},
};

TEST(GraphQlValidation, HasAMessageForEveryRule) {
  for (const BrokenRule& broken : kBrokenRules) {
    EXPECT_EQ(FirstMessage(broken.document),
              absl::StrCat("Validation error of type ", broken.rule, ": ",
                           broken.message))
        << broken.document;
  }
}

TEST(GraphQlValidation, HasAMessageForEveryLimit) {
  EXPECT_EQ(FirstMessage("{ list { next { id } } }", {.query_depth_limit = 2}),
            "Validation error of type QueryDepthLimitExceeded: The operation "
            "is 3 levels deep, and the limit is 2");
  std::string fields;
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&fields, "a", i, ": id ");
  std::string query = "{ ";
  for (int i = 0; i < 51; ++i) {
    absl::StrAppend(&query, "a", i, ": list { ...F } ");
  }
  EXPECT_EQ(
      FirstMessage(absl::StrCat(query, "} fragment F on Node { ", fields, "}")),
      "Validation error of type QueryTooComplex: The operation selects more "
      "than 50000 fields");
}

TEST(GraphQlValidation, HasAMessageForOperationsThatTheSchemaLacks) {
  const ParsedSchema parsed = Schema::Parse("type Query { a: Int }");
  const PreparedDocument document(parsed.schema, "mutation { a }", {});
  ASSERT_EQ(document.errors().size(), 1u);
  EXPECT_EQ(document.errors()[0].message,
            "Validation error of type UnknownType: Schema is not configured "
            "for mutation operations");
}

TEST(GraphQlValidation, AcceptsWhatOnlyLooksWrong) {
  for (const char* document : {
           "query A { date } query B { date } mutation C { other { id } }",
           "subscription { onReport(groupId: 1) { id } "
           "... { onReport(groupId: 1) { name } } }",
           "{ any { ... on Node { a: id } ... on Leaf { a: id } } }",
           "{ a: date a: date list { id ...F ...F } } "
           "fragment F on Node { id next { id } }",
           "query($i: ID! = 1) { node(id: $i) { id } }",
           "query($i: ID = 1) { node(id: $i) { id } }",
           "query($t: String!) { list { f(texts: [$t, null]) } }",
           "{ list { f(texts: \"one\") } }",
           "{ echo(input: {name: \"n\", nested: null}) }",
       }) {
    EXPECT_EQ(FirstMessage(document), "") << document;
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
