// Tries intrinsic functions: the first line is a call, the rest the input.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/intrinsic.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void TryOne(absl::string_view input) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(input, absl::MaxSplits('\n', 1));
  // A call is part of a definition, which is UTF-8.
  const absl::StatusOr<Intrinsic> call =
      Intrinsic::Parse(ValidUtf8(parts.first));
  const absl::StatusOr<Data> document = Data::Parse(parts.second);
  if (!call.ok() || !document.ok()) return;
  Random random(uint64_t{1});
  Scope scope;
  scope.input = *document;
  scope.context = *document;
  scope.random = &random;
  const Evaluated<Data> value = call->Evaluate(scope);
  if (!value.ok()) {
    Require(
        value.error().error == kErrorRuntime && !value.error().cause.empty(),
        "a failure is a runtime error with a cause");
    return;
  }
  Require(value->depth() <= kMaxDataDepth, "the depth is bounded");
  const absl::StatusOr<Data> again = Data::Parse(value->ToJson());
  Require(again.ok() && *again == *value, "the value is JSON");
  Random same(uint64_t{1});
  scope.random = &same;
  Require(*call->Evaluate(scope) == *value, "chance can be repeated");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::stepfunctions::TryOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
