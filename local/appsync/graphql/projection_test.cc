// What subscribers get, and which of them share it.
#include "local/appsync/graphql/projection.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/testing.h"

namespace byoshin::local::appsync::graphql {
namespace {

// A schema whose messages are of type `message`, with an interface that twenty
// types implement.
std::shared_ptr<const Schema> SchemaWith(absl::string_view message) {
  std::string sdl = absl::StrCat(R"(
    type Query { a: Int }
    type Subscription { on(room: ID): Message  node: Node }
    type Message { )",
                                 message, R"( }
    interface Node { id: ID!  parent: Node  children: [Node!]! }
  )");
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&sdl, "type T", i,
                    " implements Node { id: ID!  parent: Node "
                    "children: [Node!]!  own",
                    i, ": String }\n");
  }
  ParsedSchema parsed = Schema::Parse(sdl);
  EXPECT_TRUE(parsed.errors.empty());
  return parsed.schema;
}

std::string KeyOf(const std::shared_ptr<const Schema>& schema,
                  absl::string_view query) {
  const ProjectionResult made = MakeProjection(schema, query);
  EXPECT_NE(made.projection, nullptr);
  return made.projection == nullptr ? "" : made.projection->key();
}

constexpr absl::string_view kMessage =
    "text: String  tags: [String]  reply: Message";

TEST(GraphQlProjection, HasAKeyThatNamesTypes) {
  constexpr absl::string_view kQuery =
      "subscription { on { text tags reply { text } } }";
  const std::string key = KeyOf(SchemaWith(kMessage), kQuery);
  EXPECT_EQ(KeyOf(SchemaWith(kMessage), kQuery), key);
  for (const char* changed : {
           "text: String!  tags: [String]  reply: Message",
           "text: String  tags: [String!]  reply: Message",
           "text: String  tags: String  reply: Message",
           "text: Int  tags: [String]  reply: Message",
           "text: String  tags: [String]  reply: Message!",
           "text: String  tags: [String]  reply: [Message]",
       }) {
    EXPECT_NE(KeyOf(SchemaWith(changed), kQuery), key) << changed;
  }
}

TEST(GraphQlProjection, HasAKeyOfWhatIsSelectedHoweverItIsWritten) {
  const std::shared_ptr<const Schema> schema = SchemaWith(kMessage);
  const std::string key =
      KeyOf(schema, "subscription { on { text reply { text tags } } }");
  for (const char* same : {
           "subscription S { on(room: 1) { text text reply { text tags } } }",
           "subscription { on { text reply { text } reply { tags } } }",
           "subscription { on { ...F } } "
           "fragment F on Message { text reply { ...G } } "
           "fragment G on Message { ... { text } tags }",
       }) {
    EXPECT_EQ(KeyOf(schema, same), key) << same;
  }
  for (const char* different : {
           "subscription { o: on { text reply { text tags } } }",
           "subscription { on { t: text reply { text tags } } }",
           "subscription { on { reply { text tags } text } }",
           "subscription { on { text reply { text } } }",
           "subscription { on { text tags reply { text } } }",
           "subscription { on { text reply { text reply { tags } } } }",
       }) {
    EXPECT_NE(KeyOf(schema, different), key) << different;
  }
}

TEST(GraphQlProjection, HasTheSameKeyForSharedAndRepeatedSelections) {
  const std::shared_ptr<const Schema> schema = SchemaWith(kMessage);
  EXPECT_EQ(KeyOf(schema,
                  "subscription { on { a: reply { ...F } b: reply { ...F } } } "
                  "fragment F on Message { reply { text } }"),
            KeyOf(schema,
                  "subscription { on { a: reply { reply { text } } "
                  "b: reply { reply { text } } } }"));
}

TEST(GraphQlProjection, CutsObjectsOfManyTypesOnManyLevels) {
  const std::shared_ptr<const Schema> schema = SchemaWith(kMessage);
  std::string own;
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&own, " ... on T", i, " { own", i, " }");
  }
  std::string selection = absl::StrCat("id __typename", own);
  for (int level = 0; level < 5; ++level) {
    selection = absl::StrCat("id children { ", selection, " } parent { id }");
  }
  const ProjectionResult made = MakeProjection(
      schema, absl::StrCat("subscription { node { ", selection, " } }"));
  ASSERT_NE(made.projection, nullptr);
  EXPECT_LT(made.projection->memory_bytes(), 1'000'000u);
  std::string published = R"({"__typename":"T7","id":"leaf","own7":"o"})";
  std::string expected = R"({"id":"leaf","__typename":"T7","own7":"o"})";
  for (int level = 0; level < 5; ++level) {
    published = absl::StrCat(R"({"__typename":"T)", level, R"(","id":")", level,
                             R"(","children":[)", published, "]}");
    expected = absl::StrCat(R"({"id":")", level, R"(","children":[)", expected,
                            R"(],"parent":null})");
  }
  EXPECT_EQ(made.projection->Render(Json(published), 10'000),
            absl::StrCat(R"({"data":{"node":)", expected, "}}"));
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql
