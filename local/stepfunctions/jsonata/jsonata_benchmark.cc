// How long expressions take: ./bazelw run -c opt
// //local/stepfunctions/jsonata:jsonata_benchmark
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/stepfunctions/jsonata/engine.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {
namespace {

// Input with 100 items.
Data States() {
  std::string items;
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&items, i == 0 ? "" : ",", R"({"id":)", i,
                    R"(,"name":"item )", i, R"(","price":)", i, ".5}");
  }
  return Data::Parse(absl::StrCat(R"({"input":{"a":1,"items":[)", items, "]}}"))
      .value();
}

void BM_Evaluate(benchmark::State& state, const char* text) {
  JsonataCompiler compiler;
  const auto expression =
      std::get<std::shared_ptr<const Expression>>(compiler.Compile(text));
  Random random(1);
  const ExpressionBindings bindings = {.states = States(),
                                       .variables = Data::EmptyObject(),
                                       .random = &random,
                                       .now = absl::UnixEpoch()};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(expression->Evaluate(bindings));
  }
}
BENCHMARK_CAPTURE(BM_Evaluate, Literal, "1");
BENCHMARK_CAPTURE(BM_Evaluate, Input, "$states.input");
BENCHMARK_CAPTURE(BM_Evaluate, Sum, "$states.input.a + 1");
BENCHMARK_CAPTURE(BM_Evaluate, Condition,
                  "$states.input.a > 0 and $states.input.b != 'x'");
BENCHMARK_CAPTURE(BM_Evaluate, Object,
                  "{'n': $states.input.a, 'first': $states.input.items[0]}");
BENCHMARK_CAPTURE(BM_Evaluate, Filter, "$states.input.items[price > 50].name");

void BM_Compile(benchmark::State& state) {
  JsonataCompiler compiler;
  int i = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        compiler.Compile(absl::StrCat("$states.input.a + ", i++)));
  }
}
BENCHMARK(BM_Compile);

void BM_NewEngine(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(std::make_unique<JsonataEngine>(kJsonataLimits));
  }
}
BENCHMARK(BM_NewEngine);

}  // namespace
}  // namespace byoshin::local::stepfunctions

BENCHMARK_MAIN();
