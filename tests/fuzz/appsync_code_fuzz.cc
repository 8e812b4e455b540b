// Loads any text as the code of a resolver, and evaluates it: it is refused
// with reasons, or it ends and a second evaluation gives the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/appsync/script/checker.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync::script {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

Runtime& TheRuntime() {
  static auto* const runtime =
      new Runtime({.now = [] { return absl::FromUnixSeconds(1'000'000'000); },
                   .random_bits = [] { return uint64_t{42}; },
                   .limits = {.memory_bytes = size_t{16} << 20,
                              .stack_bytes = size_t{512} << 10,
                              .steps = 1'000'000,
                              .cpu_time = absl::Seconds(2)},
                   .max_idle_engines = 1});
  return *runtime;
}

constexpr char kContext[] =
    R"({"arguments":{"id":"1","list":[1,2,{"a":null}],"text":"a-b"},)"
    R"("identity":{"sub":"s"},"result":{"items":[{"n":1.5}]},)"
    R"("prev":{"result":1},"info":{"fieldName":"f"}})";

std::string Described(const Evaluation& evaluation) {
  if (evaluation.result.has_value()) {
    Require(json::ParseValue(*evaluation.result).ok() ||
                absl::StrContains(*evaluation.result, "\\u"),
            "a result is JSON");
  }
  return absl::StrCat(
      evaluation.result.value_or("undefined"), " ", evaluation.stash, " ",
      evaluation.error.has_value() ? evaluation.error->message : "", " ",
      evaluation.logs.size(), " ", evaluation.appended_errors.size());
}

bool ExceededALimit(absl::string_view description) {
  return absl::StrContains(description, "The code exceeded its") ||
         absl::StrContains(description, "stack overflow");
}

void LoadAndEvaluate(absl::string_view code) {
  const LoadedScript loaded = TheRuntime().Load(code);
  Require((loaded.script == nullptr) == !loaded.errors.empty(),
          "code is loaded, or refused with a reason");
  for (const CodeError& error : loaded.errors) {
    Require(!error.value.empty() && !error.error_type.empty(),
            "a refusal has words");
  }
  if (loaded.script == nullptr) return;
  for (const char* handler : {kRequestHandler, kResponseHandler}) {
    const std::string first =
        Described(TheRuntime().Evaluate(*loaded.script, handler, kContext));
    const std::string second =
        Described(TheRuntime().Evaluate(*loaded.script, handler, kContext));
    Require(first == second || ExceededALimit(first) || ExceededALimit(second),
            "a second evaluation gives the same");
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::script

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::appsync::script::LoadAndEvaluate(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
