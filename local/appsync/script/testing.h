// What tests of this folder share.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_TESTING_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_TESTING_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync::script {

// A module whose request handler has this body, from its line 3 on.
inline std::string ModuleOf(absl::string_view body) {
  return absl::StrCat(
      "import { util, extensions, runtime } from '@aws-appsync/utils';\n"
      "export function request(ctx) {\n",
      body, "\n}\nexport function response(ctx) { return ctx.result; }\n");
}

// At a time and with bits that never change.
inline RuntimeOptions FixedOptions() {
  return {.now = [] { return absl::FromUnixMillis(1'517'943'695'758); },
          .random_bits = [] { return uint64_t{0x123456789abcdef0}; },
          .limits = kEvaluationLimits,
          .max_idle_engines = 1};
}

// The request handler of `code`.
inline Evaluation EvaluateRequest(Runtime& runtime, absl::string_view code,
                                  absl::string_view context = "{}") {
  const LoadedScript loaded = runtime.Load(code);
  for (const CodeError& error : loaded.errors) {
    ADD_FAILURE() << error.value << " at " << error.location.line << ":"
                  << error.location.column << " of\n"
                  << code;
  }
  if (loaded.script == nullptr) return {};
  return runtime.Evaluate(*loaded.script, kRequestHandler, context);
}

// What the body returns, as JSON; the message of an error.
inline std::string ResultOf(absl::string_view body,
                            absl::string_view context = "{}") {
  // One for all, since a new engine takes longer than an evaluation.
  static auto* const runtime = new Runtime(FixedOptions());
  const Evaluation evaluation =
      EvaluateRequest(*runtime, ModuleOf(body), context);
  if (evaluation.error.has_value()) return evaluation.error->message;
  return evaluation.result.value_or("undefined");
}

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_TESTING_H_
