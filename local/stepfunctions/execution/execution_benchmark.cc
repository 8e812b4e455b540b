// The interpreter alone: bazel run -c opt
// //local/stepfunctions/execution:execution_benchmark
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/testing/simulated_run.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kInput[] =
    R"({"order": {"id": "o-1", "lines": [{"sku": "a", "n": 2}]}})";

std::string PassStates(int count) {
  std::string states;
  for (int i = 1; i <= count; ++i) {
    absl::StrAppend(&states, i == 1 ? "" : ", ", "\"S", i,
                    "\": {\"Type\": \"Pass\", ",
                    i == count ? "\"End\": true"
                               : absl::StrCat("\"Next\": \"S", i + 1, "\""),
                    "}");
  }
  return absl::StrCat(R"({"StartAt": "S1", "States": {)", states, "}}");
}

void RunMachine(benchmark::State& state, const std::string& definition) {
  const std::shared_ptr<const StateMachine> machine = ParsedMachine(definition);
  const ExecutionInfo info = SimulatedInfo();
  while (state.KeepRunning()) {
    Execution::Started started =
        Execution::Start(machine, info, ParsedData(kInput), SimulatedStart());
    benchmark::DoNotOptimize(started.execution->end()->output->ToJson());
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_FivePassStates(benchmark::State& state) {
  RunMachine(state, PassStates(5));
}
BENCHMARK(BM_FivePassStates);

void BM_FiveTemplates(benchmark::State& state) {
  std::string definition = PassStates(5);
  const std::string pass = R"("Type": "Pass",)";
  for (size_t at = definition.find(pass); at != std::string::npos;
       at = definition.find(pass, at + pass.size())) {
    definition.insert(at + pass.size(),
                      R"( "Parameters": {"id.$": "$.order.id",
                          "name.$": "$$.Execution.Name"},
                          "ResultPath": "$.p",)");
  }
  RunMachine(state, definition);
}
BENCHMARK(BM_FiveTemplates);

void BM_FivePassStatesWithHistoryAsJson(benchmark::State& state) {
  const std::shared_ptr<const StateMachine> machine =
      ParsedMachine(PassStates(5));
  while (state.KeepRunning()) {
    Execution::Started started = Execution::Start(
        machine, SimulatedInfo(), ParsedData(kInput), SimulatedStart());
    std::string json;
    for (const HistoryEvent& event : started.execution->events()) {
      HistoryEventJson(event, ExecutionData::kIncluded).AppendJson(json);
    }
    benchmark::DoNotOptimize(json);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_FivePassStatesWithHistoryAsJson);

}  // namespace
}  // namespace byoshin::local::stepfunctions

BENCHMARK_MAIN();
