// Parses any text as a document, validates and executes what can be: it ends,
// the response is JSON, and errors have a place.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

const std::shared_ptr<const Schema>& FuzzSchema() {
  static const auto* const schema =
      new std::shared_ptr<const Schema>(Schema::Parse(R"(
        type Query { a(x: In, y: [Int!] = [1]): A  u: [U]  s: String! }
        type Mutation { m(e: E!): A }
        interface I { id: ID! }
        type A implements I { id: ID!  a: A  i: I  d: AWSDate  j: AWSJSON }
        type B implements I { id: ID!  a: A }
        union U = A | B
        enum E { X Y }
        input In { p: Int!  q: In  t: AWSDateTime }
      )")
                                            .schema);
  return *schema;
}

class SelfResolvers : public FieldResolver {
 public:
  bool HasResolver(const NamedType& type, const FieldDefinition&) override {
    return type.name == "Query" || type.name == "Mutation";
  }
  void Resolve(const FieldRequest& request,
               std::function<void(FieldOutcome)> done) override {
    static const auto* const value = new Data(
        Data::Parse(R"({"__typename":"A","id":1,"d":"2020-01-01","j":[1],
                        "a":{"id":"2","a":{"id":null},"d":"no"},
                        "i":{"__typename":"B","id":3}})")
            .value());
    request.SelectionSetList();
    request.SelectionSetGraphQL();
    FieldOutcome outcome;
    outcome.data =
        request.field_name() == "u" ? Data::Array({*value, *value}) : *value;
    done(std::move(outcome));
  }
};

void Try(absl::string_view text) {
  auto document = std::make_shared<PreparedDocument>(FuzzSchema(), text,
                                                     ValidationOptions());
  if (document->syntax_error().has_value()) {
    Require(document->syntax_error()->locations.has_value(),
            "a syntax error has a place");
    return;
  }
  for (const ast::Operation& operation : document->document().operations) {
    const std::string printed = PrintSelections(operation.selections);
    Require(ParseDocument(printed).document != nullptr,
            "a selection set that is printed can be parsed");
    if (!document->ok()) continue;
    SelfResolvers resolvers;
    std::string response;
    Execute({.document = document,
             .operation = &operation,
             .variables = Data::Parse(R"({"v":1,"w":{"p":1}})").value()},
            resolvers,
            [&](const ExecutionResult& result) { response = result.ToJson(); });
    Require(Data::Parse(response).ok(), "a response is JSON");
  }
  Require(Data::Parse(ErrorResponse(document->errors())).ok(),
          "errors are JSON");
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::appsync::graphql::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
