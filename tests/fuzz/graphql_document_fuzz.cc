// Parses any text as a document, validates and executes what can be, and cuts
// what is published for subscriptions: it ends, the response is JSON, and
// errors have a place.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/parser.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/projection.h"
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
        type Subscription { i(e: E): I  us: [U] }
        interface I { id: ID!  i: I }
        type A implements I { id: ID!  a: A  i: I  d: AWSDate  j: AWSJSON }
        type B implements I { id: ID!  a: A  i: I  u: U }
        union U = A | B
        enum E { X Y }
        input In { p: Int!  q: In  t: AWSDateTime }
      )")
                                            .schema);
  return *schema;
}

const Data& Value() {
  static const auto* const value =
      new Data(Data::Parse(R"({"__typename":"A","id":1,"d":"2020-01-01",
                               "j":[1],"a":{"id":"2","a":{"id":null},"d":"no"},
                               "i":{"__typename":"B","id":3}})")
                   .value());
  return *value;
}

class SelfResolvers : public FieldResolver {
 public:
  bool HasResolver(const NamedType& type, const FieldDefinition&) override {
    return type.name == "Query" || type.name == "Mutation";
  }
  void Resolve(const FieldRequest& request,
               std::function<void(FieldOutcome)> done) override {
    request.SelectionSetList();
    request.SelectionSetGraphQL();
    FieldOutcome outcome;
    outcome.data =
        request.field_name() == "u" ? Data::Array({Value(), Value()}) : Value();
    done(std::move(outcome));
  }
};

void TryProjection(const std::shared_ptr<const PreparedDocument>& document,
                   const ast::Operation& operation, const Data& variables) {
  const ProjectionResult made =
      Projection::Make(document, operation, variables);
  if (made.projection == nullptr) {
    Require(!made.errors.empty(), "a projection that is refused has a reason");
    return;
  }
  Require(
      made.projection->key() ==
          Projection::Make(document, operation, variables).projection->key(),
      "a selection has one key");
  made.projection->SelectedFields();
  for (const Data& published :
       {Value(), Data(), Data::Array({Value(), Data()})}) {
    const std::optional<std::string> message =
        made.projection->Render(published, 10'000);
    Require(!message.has_value() || Data::Parse(*message).ok(),
            "a message is JSON");
  }
}

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
    const Data variables = Data::Parse(R"({"v":1,"w":{"p":1}})").value();
    if (operation.type == ast::OperationType::kSubscription) {
      TryProjection(document, operation, variables);
    }
    SelfResolvers resolvers;
    std::string response;
    Execute(
        {.document = document, .operation = &operation, .variables = variables},
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
