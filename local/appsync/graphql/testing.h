// What tests of this folder share: a schema, and resolvers for it.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_TESTING_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_TESTING_H_

#include <cstddef>
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
#include "local/appsync/graphql/projection.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {

inline constexpr absl::string_view kSdl = R"(
  type Query {
    node(id: ID!): Node
    any: Thing
    list: [Node!]!
    nodes: [Node]
    echo(text: AWSJSON, phone: AWSPhone, input: In): String
    date: AWSDateTime
  }
  type Mutation @aws_iam {
    report(groupId: ID!, domain: String!): Node @aws_api_key
    other: Node @aws_cognito_user_pools(cognito_groups: ["admins"])
  }
  type Subscription {
    onReport(groupId: ID!): Node @aws_subscribe(mutations: ["report"])
  }
  type Node {
    id: ID!  name: String  groupId: ID  next: Node  when: AWSDateTime
    f(texts: [String]): String
  }
  type Leaf { id: ID! }
  union Thing = Node | Leaf
  input In { name: String!  nested: In }
)";

inline std::shared_ptr<const Schema> TestSchema() {
  ParsedSchema parsed = Schema::Parse(kSdl);
  EXPECT_TRUE(parsed.errors.empty());
  return parsed.schema;
}

inline Data Json(absl::string_view text) { return Data::Parse(text).value(); }

// Resolvers by "Type.field".
class TestResolvers : public FieldResolver {
 public:
  using Function = std::function<FieldOutcome(const FieldRequest&)>;

  std::map<std::string, Function> functions;
  std::vector<std::string> calls;
  bool later = false;
  std::vector<std::function<void()>> waiting;

  void Give(const std::string& name, absl::string_view json) {
    functions[name] = [data = Json(json)](const FieldRequest&) {
      return FieldOutcome{.data = data, .error = {}, .appended_errors = {}};
    };
  }
  bool HasResolver(const NamedType& type,
                   const FieldDefinition& field) override {
    return functions.contains(absl::StrCat(type.name, ".", field.name));
  }
  void Resolve(const FieldRequest& request,
               std::function<void(FieldOutcome)> done) override {
    const std::string name =
        absl::StrCat(request.parent_type_name(), ".", request.field_name());
    calls.push_back(name);
    FieldOutcome outcome = functions[name](request);
    if (!later) return done(std::move(outcome));
    waiting.push_back([done = std::move(done), outcome] { done(outcome); });
  }
};

inline ExecutionResult RunQueryOn(
    std::shared_ptr<const Schema> schema, FieldResolver& resolvers,
    absl::string_view query, const Data& variables = Data(),
    size_t max_response_bytes = kMaxResponseBytes) {
  auto document = std::make_shared<PreparedDocument>(std::move(schema), query,
                                                     ValidationOptions());
  EXPECT_TRUE(document->ok()) << ToData(document->errors()).ToJson();
  ExecutionResult answer;
  Execute({.document = document,
           .operation = &document->document().operations.front(),
           .variables = variables,
           .max_response_bytes = max_response_bytes},
          resolvers,
          [&](ExecutionResult result) { answer = std::move(result); });
  return answer;
}

inline ExecutionResult RunQuery(TestResolvers& resolvers,
                                absl::string_view query,
                                const Data& variables = Data(),
                                size_t max_response_bytes = kMaxResponseBytes) {
  return RunQueryOn(TestSchema(), resolvers, query, variables,
                    max_response_bytes);
}

// Of a document that is a subscription.
inline ProjectionResult MakeProjection(
    const std::shared_ptr<const Schema>& schema, absl::string_view query) {
  const auto document =
      std::make_shared<PreparedDocument>(schema, query, ValidationOptions());
  EXPECT_TRUE(document->ok()) << ToData(document->errors()).ToJson();
  return Projection::Make(document, document->document().operations.front(),
                          Data());
}

inline std::string FirstMessage(absl::string_view query,
                                const ValidationOptions& options = {}) {
  const PreparedDocument document(TestSchema(), query, options);
  if (document.syntax_error().has_value()) return "syntax";
  return document.errors().empty() ? "" : document.errors().front().message;
}

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_TESTING_H_
