// How long evaluations take: ./bazelw run -c opt
// //local/appsync/script:script_benchmark
#include <benchmark/benchmark.h>

#include <memory>

#include "local/appsync/script/checker.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync::script {
namespace {

// A resolver as people write it.
constexpr char kResolver[] = R"(
import { util } from '@aws-appsync/utils';
import * as ddb from '@aws-appsync/utils/dynamodb';

export function request(ctx) {
  const { id, ...values } = ctx.args.input;
  values.updatedBy = ctx.identity.sub;
  return ddb.update({
    key: { id }, update: values, condition: { id: { attributeExists: true } } });
}

export function response(ctx) {
  const { error, result } = ctx;
  if (error) {
    return util.error(error.message, error.type);
  }
  return { ...result, seen: true };
}
)";

// One that does hardly anything.
constexpr char kPassThrough[] = R"(
export const request = (ctx) => ({ payload: ctx.args });
export const response = (ctx) => ctx.result;
)";

constexpr char kRequestContext[] = R"({
  "arguments":{"input":{"id":"node-17","name":"Node 17","value":21.5,
    "tags":["a","b"]}},
  "identity":{"sub":"0e0d0c0b","username":"taro","groups":["class-1"],
    "issuer":"https://example.com","claims":{"sub":"0e0d0c0b","aud":"x"},
    "sourceIp":["127.0.0.1"],"defaultAuthStrategy":"ALLOW"},
  "request":{"headers":{"host":"127.0.0.1","content-type":"application/json",
    "user-agent":"benchmark"},"domainName":null},
  "info":{"fieldName":"report","parentTypeName":"Mutation","variables":{},
    "selectionSetList":["id","value"],"selectionSetGraphQL":"{ id value }"},
  "stash":{},"prev":null})";
constexpr char kResponseContext[] = R"({
  "arguments":{"input":{"id":"node-17","name":"Node 17","value":21.5}},
  "identity":{"sub":"0e0d0c0b","username":"taro"},
  "result":{"id":"node-17","name":"Node 17","value":21.5,"tags":["a","b"]},
  "info":{"fieldName":"report","parentTypeName":"Mutation"},
  "stash":{},"prev":null})";

// A request and its response on a warm engine.
void BM_RequestAndResponse(benchmark::State& state, const char* code) {
  Runtime runtime;
  const std::shared_ptr<const Script> script = runtime.Load(code).script;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        runtime.Evaluate(*script, kRequestHandler, kRequestContext));
    benchmark::DoNotOptimize(
        runtime.Evaluate(*script, kResponseHandler, kResponseContext));
  }
}
BENCHMARK_CAPTURE(BM_RequestAndResponse, PassThrough, kPassThrough);
BENCHMARK_CAPTURE(BM_RequestAndResponse, DynamoDbUpdate, kResolver);

void BM_Check(benchmark::State& state) {
  Checker checker;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(checker.Check(kResolver));
  }
}
BENCHMARK(BM_Check);

// The first evaluation of a thread.
void BM_NewEngine(benchmark::State& state) {
  const auto limits = RuntimeOptions{.now = nullptr,
                                     .random_bits = nullptr,
                                     .limits = kEvaluationLimits,
                                     .max_idle_engines = 0};
  Runtime runtime(limits);
  const std::shared_ptr<const Script> script =
      runtime.Load(kPassThrough).script;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        runtime.Evaluate(*script, kRequestHandler, kRequestContext));
  }
}
BENCHMARK(BM_NewEngine);

}  // namespace
}  // namespace byoshin::local::appsync::script

BENCHMARK_MAIN();
