// Documents of hostile clients: work, memory and responses are bounded,
// whatever they ask for.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/testing.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

TEST(GraphQlHostile, NestingIsBounded) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{a";
  EXPECT_EQ(FirstMessage(deep), "syntax");
  EXPECT_EQ(FirstMessage(absl::StrCat(
                "{ echo(text: ", std::string(100'000, '['), ") }")),
            "syntax");
}

TEST(GraphQlHostile, FragmentsThatMultiplyAreRefused) {
  std::string query = "{ node(id: 1) { ...F0 } }";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&query, "fragment F", i, " on Node { a: next { ...F", i + 1,
                    " } b: next { ...F", i + 1, " } }");
  }
  query += "fragment F40 on Node { id }";
  EXPECT_EQ(FirstMessage(query),
            "Validation error of type QueryTooComplex: The operation selects "
            "more than 50000 fields");
  EXPECT_EQ(FirstMessage("{ node(id: 1) { ...A } } "
                         "fragment A on Node { ...B } "
                         "fragment B on Node { ...A }"),
            "Validation error of type FragmentCycle: Fragment cycles not "
            "allowed");
}

TEST(GraphQlHostile, ManyFieldsOfOneNameAreMergedInOnePass) {
  std::string query = "{ ";
  for (int i = 0; i < 7000; ++i) query += "__typename ";
  EXPECT_EQ(FirstMessage(query + "}"), "");
  for (int i = 0; i < 10'000; ++i) query += "__typename ";
  EXPECT_EQ(FirstMessage(query + "}"), "syntax");
}

TEST(GraphQlHostile, AliasesDontExceedTheLimitOfResolvers) {
  TestResolvers resolvers;
  resolvers.Give("Query.list", "[]");
  std::string query = "{ ";
  for (int i = 0; i < 2000; ++i)
    absl::StrAppend(&query, "a", i, ": list {id} ");
  auto document = std::make_shared<PreparedDocument>(TestSchema(), query + "}",
                                                     ValidationOptions());
  ASSERT_TRUE(document->ok());
  ExecutionResult answer;
  Execute({.document = document,
           .operation = document->FindOperation(""),
           .variables = Data(),
           .max_resolvers = 100},
          resolvers, [&](ExecutionResult result) { answer = result; });
  EXPECT_EQ(resolvers.calls.size(), 100u);
  EXPECT_TRUE(answer.data.is_null());
  EXPECT_EQ(answer.errors.size(), 1u);
}

TEST(GraphQlHostile, LongPathsAreRefused) {
  const std::string alias(100'000, 'a');
  std::string query = absl::StrCat("{ ", alias, ": node(id: 1) { ");
  EXPECT_EQ(FirstMessage(absl::StrCat(query, "id } }")), "");
  for (int i = 0; i < 30; ++i) absl::StrAppend(&query, "b", i, ": id ");
  EXPECT_EQ(FirstMessage(absl::StrCat(query, "} }")),
            "Validation error of type QueryTooComplex: The paths of the "
            "selected fields are longer than 1048576 bytes");
}

TEST(GraphQlHostile, PathsInMessagesAreCut) {
  std::string query =
      absl::StrCat("{ ", std::string(100'000, 'a'), ": node(id: $x) { ");
  for (int i = 0; i < 200; ++i) absl::StrAppend(&query, "b", i, ": c ");
  const PreparedDocument document(TestSchema(), query + "} }", {});
  EXPECT_EQ(document.errors().size(), kMaxValidationErrors);
  for (const Error& error : document.errors()) {
    EXPECT_LT(error.message.size(), 2 * kMaxPathText);
  }
}

TEST(GraphQlHostile, ComparisonsOfLargeArgumentsAreBounded) {
  // Compared in each of 1024 places.
  std::string query = "{ node(id: 1) { ...F0 } }";
  for (int i = 0; i < 10; ++i) {
    absl::StrAppend(&query, "fragment F", i, " on Node { a: next { ...F", i + 1,
                    " } b: next { ...F", i + 1, " } }");
  }
  std::string texts;
  for (int i = 0; i < 2500; ++i) absl::StrAppend(&texts, " \"\"");
  absl::StrAppend(&query, "fragment F10 on Node { f(texts: [", texts,
                  "]) f(texts: [", texts, "]) }");
  EXPECT_EQ(FirstMessage(query),
            "Validation error of type QueryTooComplex: The document has too "
            "many fields with the same name");
}

// Of responses, so that little exceeds it.
constexpr size_t kFewBytes = 320'000;

// A name of ten kilobytes.
FieldOutcome LargeNode(const FieldRequest&) {
  json::ObjectBuilder node;
  node.Set("id", Data::String("1"));
  node.Set("name", Data::String(std::string(10'000, 'n')));
  return {.data = std::move(node).Build(), .error = {}, .appended_errors = {}};
}

TEST(GraphQlHostile, RepeatedValuesDontMakeAResponseTooLarge) {
  TestResolvers resolvers;
  resolvers.functions["Query.node"] = LargeNode;
  std::string query = "{ node(id: 1) { ";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&query, "a", i, ": name ");
  const ExecutionResult result =
      RunQuery(resolvers, query + "} }", Data(), kFewBytes);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].message,
            "The response is larger than 320000 bytes.");
  EXPECT_LE(result.ToJson().size(), kFewBytes + 10'000);
}

TEST(GraphQlHostile, WhatResolversReturnIsBounded) {
  TestResolvers resolvers;
  resolvers.functions["Query.node"] = LargeNode;
  std::string query = "{ ";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&query, "a", i, ": node(id: 1) { id } ");
  }
  const ExecutionResult result =
      RunQuery(resolvers, query + "}", Data(), kFewBytes);
  EXPECT_EQ(result.data.Find("a0")->ToJson(), R"({"id":"1"})");
  EXPECT_TRUE(result.data.Find("a39")->is_null());
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].message,
            "The resolvers return more than 320000 bytes.");
}

TEST(GraphQlHostile, ErrorsAreBounded) {
  TestResolvers resolvers;
  std::string nodes = "[{}";
  for (int i = 0; i < 1000; ++i) nodes += ",{}";
  resolvers.Give("Query.nodes", nodes + "]");
  const ExecutionResult result = RunQuery(
      resolvers, absl::StrCat("{ ", std::string(100, 'a'), ": nodes { id } }"),
      Data(), kFewBytes);
  EXPECT_EQ(result.errors.front().message.substr(0, 60),
            "Cannot return null for non-nullable type: 'ID' within parent");
  EXPECT_EQ(result.errors.back().message,
            "The response is larger than 320000 bytes.");
  EXPECT_LE(result.ToJson().size(), kFewBytes);
}

// Objects of many fields for which there is no value.
class ItemResolvers : public TestResolvers {
 public:
  ItemResolvers() {
    std::string items = "[{}";
    for (int i = 1; i < 500; ++i) items += ",{}";
    Give("Query.items", items + "]");
  }
  std::optional<FieldError> Refuse(const NamedType& type,
                                   const FieldDefinition& field) override {
    if (field.name != "refused") return std::nullopt;
    return NotAuthorized(type, field);
  }
};

// A list of objects, of each of which `field` is selected under many keys.
ExecutionResult RunItems(TestResolvers& resolvers, absl::string_view field) {
  std::string query = "query($n: Int) { n: first(n: $n) items { ";
  for (int i = 0; i < 200; ++i) absl::StrAppend(&query, "a", i, ": ", field);
  return RunQueryOn(Schema::Parse(R"(
      type Query { items: [Item]  first(n: Int): Int }
      type Item { refused: Int  problem(n: Int! = 1): Int  resolved: Int }
    )")
                        .schema,
                    resolvers, query + "} }", Json(R"({"n":null})"), kFewBytes);
}

TEST(GraphQlHostile, FieldsWithoutAValueCountAsWell) {
  for (const char* field :
       {"__typename ", "refused ", "problem(n: $n) ", "resolved "}) {
    ItemResolvers resolvers;
    resolvers.Give("Item.resolved", "1");
    const ExecutionResult result = RunItems(resolvers, field);
    EXPECT_TRUE(result.data.Find("items")->is_null()) << field;
    ASSERT_FALSE(result.errors.empty()) << field;
    EXPECT_EQ(result.errors.back().message,
              "The response is larger than 320000 bytes.")
        << field;
    EXPECT_LE(result.ToJson().size(), kFewBytes) << field;
  }
}

TEST(GraphQlHostile, NullsTakeRoomInAResponse) {
  ItemResolvers resolvers;
  const ExecutionResult result = RunItems(resolvers, "resolved ");
  EXPECT_TRUE(result.data.Find("items")->is_null());
  EXPECT_EQ(result.errors.size(), 1u);
}

TEST(GraphQlHostile, TheDataOfErrorsIsBounded) {
  TestResolvers resolvers;
  resolvers.functions["Query.node"] = [](const FieldRequest& request) {
    FieldOutcome outcome = LargeNode(request);
    outcome.appended_errors = {FieldError{.message = "appended",
                                          .error_type = "E",
                                          .data = outcome.data,
                                          .error_info = Data()}};
    return outcome;
  };
  std::string query = "{ a: node(id: 1) { name } b: node(id: 1) { ";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&query, "a", i, ": name ");
  const ExecutionResult result =
      RunQuery(resolvers, query + "} }", Data(), kFewBytes);
  ASSERT_GE(result.errors.size(), 3u);
  EXPECT_EQ(result.errors[0].details->data.size(), 1u);
  EXPECT_EQ(result.errors[1].message, "appended");
  EXPECT_TRUE(result.errors[1].details->data.is_null());
  EXPECT_EQ(result.errors[2].message,
            "The response is larger than 320000 bytes.");
  EXPECT_LE(result.ToJson().size(), kFewBytes);
}

// What a subscriber gets who asks for the name a hundred times.
std::optional<std::string> RenderNames(const Data& published) {
  std::string query = "subscription { onReport(groupId: 1) { ";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&query, "a", i, ": name ");
  const auto document = std::make_shared<PreparedDocument>(
      TestSchema(), query + "} }", ValidationOptions());
  const ProjectionResult made = Projection::Make(
      document, document->document().operations.front(), Data());
  return made.projection->Render(published, 10'000);
}

TEST(GraphQlHostile, MessagesThatAreTooLongAreNotMade) {
  EXPECT_TRUE(RenderNames(Json(R"({"name":"a name"})")).has_value());
  json::ObjectBuilder node;
  node.Set("name", Data::String(std::string(size_t{1} << 20, 'n')));
  EXPECT_FALSE(RenderNames(std::move(node).Build()).has_value());
  // Beyond the limit, but not so far that it can't be cut.
  EXPECT_FALSE(RenderNames(Json(absl::StrCat(R"({"name":")",
                                             std::string(120, 'n'), R"("})")))
                   .has_value());
}

constexpr int kHostileDepth = 30;

std::shared_ptr<const Schema> AbstractSchema() {
  return Schema::Parse(R"(
      type Query { a: Int }
      type Subscription { s: I  u: U }
      interface I { id: ID  link: I  u: U  f(texts: [String]): ID }
      type A implements I { id: ID  link: I  u: U  f(texts: [String]): ID }
      type B implements I { id: ID  link: I  u: U  f(texts: [String]): ID }
      union U = A | B
    )")
      .schema;
}

// `before` so many times, then `within`, then the braces that are missing.
std::string Nested(int times, absl::string_view before,
                   absl::string_view within, absl::string_view after) {
  std::string query;
  for (int i = 0; i < times; ++i) absl::StrAppend(&query, before);
  absl::StrAppend(&query, within);
  for (int i = 0; i < times; ++i) absl::StrAppend(&query, after);
  return query;
}

TEST(GraphQlHostile, InterfacesWithinInterfacesDontMultiply) {
  const ProjectionResult made = MakeProjection(
      AbstractSchema(),
      absl::StrCat("subscription { s {",
                   Nested(kHostileDepth, "link {", "id", "}"), "} }"));
  ASSERT_NE(made.projection, nullptr);
  EXPECT_LT(made.projection->key().size(), 5000u);
  EXPECT_LT(made.projection->memory_bytes(), 100'000u);
  // `link` of both types on each level, and `id` of both.
  EXPECT_EQ(made.projection->SelectedFields().size(), 2u * (kHostileDepth + 1));
  EXPECT_EQ(made.projection->Render(
                Json(R"({"__typename":"A","link":{"__typename":"B"}})"), 1000),
            R"({"data":{"s":{"link":{"link":null}}}})");
}

TEST(GraphQlHostile, UnionsWithinUnionsDontMultiply) {
  const ProjectionResult made = MakeProjection(
      AbstractSchema(),
      absl::StrCat("subscription { u {",
                   Nested(kHostileDepth, "... on I { u {", "__typename", "} }"),
                   "} }"));
  ASSERT_NE(made.projection, nullptr);
  EXPECT_LT(made.projection->key().size(), 5000u);
  EXPECT_EQ(made.projection->SelectedFields().size(), 2u * kHostileDepth);
}

// Selects `leaf` below so many links, and below each combination of types of
// the objects in between something else.
std::string DependentOnAllTypes(int levels, absl::string_view leaf) {
  std::string query =
      absl::StrCat("subscription { s {", Nested(levels, "link {", leaf, "}"));
  for (int chain = 0; chain < levels; ++chain) {
    absl::StrAppend(&query, Nested(chain, "link {", "", ""),
                    "... on A { link {",
                    Nested(levels - chain - 1, "link {",
                           absl::StrCat("k", chain, ": id"), "}"),
                    "} }", Nested(chain, "", "", "}"));
  }
  return query + "} }";
}

TEST(GraphQlHostile, SelectionsThatDependOnManyTypesAreRefused) {
  EXPECT_NE(
      MakeProjection(AbstractSchema(), DependentOnAllTypes(4, "id")).projection,
      nullptr);
  const ProjectionResult made =
      MakeProjection(AbstractSchema(), DependentOnAllTypes(16, "id"));
  EXPECT_EQ(made.projection, nullptr);
  ASSERT_EQ(made.errors.size(), 1u);
  EXPECT_EQ(made.errors[0].message,
            "The subscription is too complex: what it selects depends on too "
            "many combinations of types.");
}

TEST(GraphQlHostile, LongNamesInManySelectionsAreRefused) {
  const ProjectionResult made = MakeProjection(
      AbstractSchema(),
      DependentOnAllTypes(10, absl::StrCat(std::string(10'000, 'a'), ": id")));
  EXPECT_EQ(made.projection, nullptr);
  ASSERT_EQ(made.errors.size(), 1u);
  EXPECT_EQ(made.errors[0].message,
            "The subscription is too complex: the names that it selects take "
            "more than 4194304 bytes.");
}

TEST(GraphQlHostile, RepeatedDescriptionsAreBounded) {
  const ParsedSchema parsed = Schema::Parse(
      absl::StrCat("\"", std::string(5000, 'd'), "\" type Query { a: Int }"));
  std::string query = "{ __type(name: \"Query\") { ";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&query, "a", i, ": description ");
  }
  const auto document = std::make_shared<PreparedDocument>(
      parsed.schema, query + "} }", ValidationOptions());
  TestResolvers resolvers;
  ExecutionResult answer;
  Execute({.document = document,
           .operation = document->FindOperation(""),
           .variables = Data(),
           .max_response_bytes = kFewBytes},
          resolvers, [&](ExecutionResult result) { answer = result; });
  ASSERT_EQ(answer.errors.size(), 1u);
  EXPECT_EQ(answer.errors[0].message,
            "The response is larger than 320000 bytes.");
}

TEST(GraphQlCache, KeepsValidDocumentsWithinItsLimits) {
  DocumentCache cache({.documents = 2, .bytes = 100'000});
  const std::shared_ptr<const Schema> schema = TestSchema();
  const auto first = cache.Prepare(schema, "{ list { id } }", {});
  EXPECT_EQ(cache.Prepare(schema, "{ list { id } }", {}), first);
  EXPECT_NE(cache.Prepare(schema, "{ list { id } }", {.query_depth_limit = 9}),
            first);
  cache.Prepare(schema, "{ x }", {});
  EXPECT_EQ(cache.size(), 2u);
  cache.Prepare(schema, "{ any { __typename } }", {});
  EXPECT_EQ(cache.size(), 2u);
}

TEST(GraphQlCache, CountsTheNodesOfDocuments) {
  DocumentCache cache({.documents = 1000, .bytes = size_t{1} << 20});
  const std::shared_ptr<const Schema> schema = TestSchema();
  for (int i = 0; i < 10; ++i) {
    std::string query = absl::StrCat("{ a", i, ": __typename ");
    for (int field = 0; field < 2000; ++field) query += "__typename ";
    EXPECT_TRUE(cache.Prepare(schema, query + "}", {})->ok());
  }
  // Only the last one, of half a megabyte.
  EXPECT_EQ(cache.size(), 1u);
}

TEST(GraphQlCache, ForgetsTheDocumentsOfASchema) {
  DocumentCache cache;
  std::shared_ptr<const Schema> schema = TestSchema();
  const std::shared_ptr<const Schema> other = TestSchema();
  cache.Prepare(schema, "{ list { id } }", {});
  cache.Prepare(other, "{ list { id } }", {});
  cache.Forget(*schema);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(schema.use_count(), 1);
  EXPECT_GT(other.use_count(), 1);
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
