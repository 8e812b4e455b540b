// Tries definitions of state machines, and what their fields give for an input.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/testing.h"

namespace byoshin::local::stepfunctions {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

template <typename T>
void CheckOutcome(const Evaluated<T>& outcome) {
  Require(outcome.ok() || !outcome.error().error.empty(),
          "an error has a name");
  Require(outcome.ok() || !outcome.error().cause.empty(),
          "an error has a cause");
}

void TryMachine(const StateMachine& machine, const Scope& scope);

void TryMap(const State& state, const Scope& scope) {
  CheckOutcome(EvaluateItems(state, scope));
  CheckOutcome(EvaluateItem(state, scope.input, scope));
  CheckOutcome(EvaluateMaxConcurrency(state, scope));
  CheckOutcome(EvaluateToleratedFailure(state, scope));
  TryMachine(state.map->processor, scope);
}

void TryState(const State& state, const Scope& scope) {
  CheckOutcome(SelectPath(state.input_path, scope));
  CheckOutcome(EvaluateArguments(state, scope));
  CheckOutcome(SelectResult(state, scope));
  CheckOutcome(PutResult(state.result_path, scope.input, scope.input));
  CheckOutcome(EvaluateAssign(state.assign, scope));
  CheckOutcome(EvaluateOutput(state.output, scope.input, scope));
  CheckOutcome(FindChoice(state, scope));
  CheckOutcome(WaitUntil(state, scope, absl::UnixEpoch()));
  CheckOutcome(EvaluateText(state.error, scope));
  CheckOutcome(EvaluateText(state.cause, scope));
  CheckOutcome(EvaluateSeconds(state.timeout_seconds, scope));
  CheckOutcome(EvaluateSeconds(state.heartbeat_seconds, scope));
  CheckOutcome(EvaluateRole(state, scope));
  for (const StateMachine& branch : state.branches) TryMachine(branch, scope);
  if (state.map != nullptr) TryMap(state, scope);
}

void TryMachine(const StateMachine& machine, const Scope& scope) {
  Require(machine.Find(machine.start_at) != nullptr, "the first state exists");
  for (const auto& state : machine.states) {
    Require(state->next.empty() || state->next_state != nullptr,
            "the next state exists");
    TryState(*state, scope);
  }
}

void TryOne(absl::string_view input) {
  EchoCompiler compiler;
  const ParsedDefinition parsed = ParseDefinition(input, {&compiler, false});
  Require((parsed.machine == nullptr) == !parsed.errors().empty(),
          "what is refused has an error");
  if (parsed.machine == nullptr) {
    Require(!InvalidDefinitionMessage(parsed.errors()).empty(),
            "an error has a message");
    return;
  }
  Random random(uint64_t{1});
  Scope scope;
  scope.input = D(R"({"a":{"b":[1,"2",null]},"n":1,"t":"2024-01-01T00:00:00Z",
                      "xs":[{"k":1},{"k":2}]})");
  scope.context = D(R"({"Execution":{"Input":{},"Name":"e"}})");
  scope.variables = D(R"({"v":1})");
  scope.random = &random;
  TryMachine(*parsed.machine, scope);
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::stepfunctions::TryOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
