// How long a small mutation takes: ./bazelw run -c opt
// //local/appsync/graphql:graphql_benchmark
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/projection.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"

namespace byoshin::local::appsync::graphql {
namespace {

constexpr absl::string_view kSdl = R"(
  type Query { status: Status }
  type Mutation {
    report(groupId: ID!, domain: String!, data: [PairInput!]!): Status
  }
  type Subscription {
    onReport(groupId: ID!, domain: String!): Status
      @aws_subscribe(mutations: ["report"])
  }
  type Status {
    nodeId: ID!  groupId: ID!  domain: String!  data: [Pair!]!
    timestamp: AWSDateTime!
  }
  type Pair { key: String!  value: String! }
  input PairInput { key: String!  value: String! }
)";
constexpr absl::string_view kMutation = R"(
  mutation Report($groupId: ID!, $domain: String!, $data: [PairInput!]!) {
    report(groupId: $groupId, domain: $domain, data: $data) {
      nodeId groupId domain data { key value __typename } timestamp __typename
    }
  })";
constexpr absl::string_view kSubscription = R"(
  subscription On($groupId: ID!, $domain: String!) {
    onReport(groupId: $groupId, domain: $domain) {
      nodeId groupId domain data { key value __typename } timestamp __typename
    }
  })";
constexpr absl::string_view kVariables =
    R"({"groupId":"g","domain":"d","data":[{"key":"a","value":"1"},)"
    R"({"key":"b","value":"2"}]})";

class ReportResolvers : public FieldResolver {
 public:
  bool HasResolver(const NamedType& type, const FieldDefinition&) override {
    return type.name == "Mutation";
  }
  void Resolve(const FieldRequest& request,
               std::function<void(FieldOutcome)> done) override {
    json::ObjectBuilder value(request.arguments());
    value.Set("nodeId", Data::String("n"));
    value.Set("timestamp", Data::String("2026-01-01T00:00:00.000Z"));
    FieldOutcome outcome;
    outcome.data = std::move(value).Build();
    done(std::move(outcome));
  }
};

std::shared_ptr<const Schema> BenchmarkSchema() {
  return Schema::Parse(kSdl).schema;
}

ExecutionResult Report(const std::shared_ptr<const PreparedDocument>& document,
                       const Data& variables) {
  ReportResolvers resolvers;
  ExecutionResult answer;
  Execute({.document = document,
           .operation = document->FindOperation(""),
           .variables = variables},
          resolvers,
          [&](ExecutionResult result) { answer = std::move(result); });
  return answer;
}

// From the text of query and variables to the text of the response.
void BM_Mutation(benchmark::State& state) {
  const std::shared_ptr<const Schema> schema = BenchmarkSchema();
  DocumentCache cache;
  for ([[maybe_unused]] auto _ : state) {
    const auto document = cache.Prepare(schema, kMutation, {});
    benchmark::DoNotOptimize(
        Report(document, Data::Parse(kVariables).value()).ToJson());
  }
}
BENCHMARK(BM_Mutation);

void BM_ParseAndValidate(benchmark::State& state) {
  const std::shared_ptr<const Schema> schema = BenchmarkSchema();
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(std::make_shared<PreparedDocument>(
        schema, kMutation, ValidationOptions()));
  }
}
BENCHMARK(BM_ParseAndValidate);

void BM_Render(benchmark::State& state) {
  const std::shared_ptr<const Schema> schema = BenchmarkSchema();
  DocumentCache cache;
  const Data variables = Data::Parse(kVariables).value();
  const ExecutionResult result =
      Report(cache.Prepare(schema, kMutation, {}), variables);
  const auto document = cache.Prepare(schema, kSubscription, {});
  const auto projection =
      Projection::Make(document, *document->FindOperation(""), variables)
          .projection;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        projection->Render(result.root_fields.front().published, 100'000));
  }
}
BENCHMARK(BM_Render);

void BM_Schema(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(BenchmarkSchema());
  }
}
BENCHMARK(BM_Schema);

}  // namespace
}  // namespace byoshin::local::appsync::graphql

BENCHMARK_MAIN();
