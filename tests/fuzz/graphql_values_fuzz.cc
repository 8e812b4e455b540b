// Any JSON as the value of variables of every type, and as every scalar: what
// is accepted is accepted again.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

const PreparedDocument& FuzzDocument() {
  static const auto* const document = new PreparedDocument(
      Schema::Parse("type Query { f(a: In, b: [[Int!]], c: [E!]!): Int } "
                    "enum E { X Y } input In { p: Int!  q: [In]  r: AWSURL "
                    "s: AWSEmail = \"a@b.c\"  t: AWSIPAddress  u: AWSTime }")
          .schema,
      "query($a: In, $b: [[Int!]], $c: [E!]!) { f(a: $a, b: $b, c: $c) }",
      ValidationOptions());
  return *document;
}

void Try(absl::string_view text) {
  const absl::StatusOr<Data> value = Data::Parse(text);
  if (!value.ok()) return;
  const ast::Operation& operation = *FuzzDocument().FindOperation("");
  const CoercedVariables coerced =
      CoerceVariables(FuzzDocument().schema(), operation, *value);
  if (coerced.errors.empty()) {
    const CoercedVariables again =
        CoerceVariables(FuzzDocument().schema(), operation, coerced.values);
    Require(again.errors.empty() && again.values == coerced.values,
            "coerced variables stay the same");
  }
  for (int i = 0; i <= static_cast<int>(ScalarKind::kAWSIPAddress); ++i) {
    const auto kind = static_cast<ScalarKind>(i);
    if (kind == ScalarKind::kAWSJSON || value->is_null()) continue;
    const Coerced parsed = ParseScalar(kind, *value);
    if (!parsed.ok()) continue;
    Require(SerializeScalar(kind, parsed.value).ok(),
            "what comes in can go out");
  }
}

}  // namespace
}  // namespace byoshin::local::appsync::graphql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::appsync::graphql::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
