// Runs any text as a script: it ends, within its limits, and a second run gives
// the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

constexpr size_t kMemoryBytes = size_t{4} << 20;
// What the script may allocate before it is interrupted: small blocks.
constexpr size_t kSlackBytes = size_t{48} << 20;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

// What can be told apart from outside. Empty if a limit ended the script, which
// need not happen at the same step.
std::string RunOnce(absl::string_view script, bool as_module) {
  Engine engine({.limits = {.memory_bytes = kMemoryBytes,
                            .stack_bytes = size_t{256} << 10,
                            .steps = 200'000,
                            .cpu_time = absl::Seconds(2)},
                 .now = [] { return absl::FromUnixSeconds(1'000'000'000); },
                 .random = [] { return 0.5; },
                 .console = nullptr});
  const size_t before = engine.memory_in_use();
  const Outcome outcome = as_module ? engine.RunModule(script, "fuzz.js")
                                    : engine.Run(script, "fuzz.js");
  Require(engine.memory_in_use() < before + kMemoryBytes + kSlackBytes,
          "memory is bounded");
  if (!outcome.ok()) {
    const Exception& exception = outcome.exception();
    if (exception.kind != Exception::Kind::kThrown) return "";
    return absl::StrCat(exception.name, ": ", exception.message,
                        exception.stack);
  }
  const absl::StatusOr<std::string> text = engine.Stringify(outcome.value());
  return text.ok() ? *text : "no JSON";
}

}  // namespace
}  // namespace byoshin::local::javascript

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using byoshin::local::javascript::Require;
  using byoshin::local::javascript::RunOnce;
  const absl::string_view script(reinterpret_cast<const char*>(data), size);
  const bool as_module = size % 2 == 1;
  const std::string first = RunOnce(script, as_module);
  const std::string second = RunOnce(script, as_module);
  Require(first.empty() || second.empty() || first == second,
          "a second run gives the same");
  return 0;
}
