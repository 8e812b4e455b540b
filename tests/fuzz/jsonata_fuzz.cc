// Compiles any text as an expression of a state machine, and evaluates it: it
// ends, and a second evaluation gives the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/javascript/engine.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

JsonataCompiler& Compiler() {
  static auto* const compiler =
      new JsonataCompiler({.memory_bytes = size_t{16} << 20,
                           .stack_bytes = size_t{1} << 20,
                           .steps = 200'000,
                           .cpu_time = absl::Seconds(2)});
  return *compiler;
}

const Data& States() {
  static const auto* const states = new Data(
      Data::Parse(R"({"input":{"a":1,"b":"text","c":{"d":[1,2,{"e":null}]},
                      "items":[{"n":1},{"n":2},{"n":2.5}]},
                      "context":{"State":{"Name":"S"}}})")
          .value());
  return *states;
}

ExpressionResult Evaluate(const Expression& expression) {
  Random random(7);
  return expression.Evaluate({.states = States(),
                              .variables = States().members()[0].value,
                              .random = &random,
                              .now = absl::FromUnixSeconds(1'000'000'000)});
}

std::string Described(const ExpressionResult& result) {
  if (const auto* failure = std::get_if<ExpressionFailure>(&result)) {
    return failure->tail;
  }
  const auto& data = *std::get_if<std::optional<Data>>(&result);
  if (!data.has_value()) return "undefined";
  std::string text = data->ToJson();
  const absl::StatusOr<Data> parsed = Data::Parse(text);
  Require(parsed.ok(), "a result is JSON");
  Require(parsed->ToJson() == text, "a result survives printing");
  return text;
}

bool ExceededALimit(absl::string_view description) {
  return description.find("Expression evaluation") != absl::string_view::npos ||
         description.find("Stack overflow") != absl::string_view::npos;
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace stepfunctions = byoshin::local::stepfunctions;
  const auto compiled = stepfunctions::Compiler().Compile(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  if (const auto* mistakes =
          std::get_if<std::vector<stepfunctions::ExpressionMistake>>(
              &compiled)) {
    stepfunctions::Require(!mistakes->empty(), "a refusal has a reason");
    return 0;
  }
  const auto& expression =
      **std::get_if<std::shared_ptr<const stepfunctions::Expression>>(
          &compiled);
  const std::string first =
      stepfunctions::Described(stepfunctions::Evaluate(expression));
  const std::string second =
      stepfunctions::Described(stepfunctions::Evaluate(expression));
  stepfunctions::Require(first == second ||
                             stepfunctions::ExceededALimit(first) ||
                             stepfunctions::ExceededALimit(second),
                         "a second evaluation gives the same");
  return 0;
}
