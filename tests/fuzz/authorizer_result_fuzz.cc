// Tries any bytes as what a Lambda authorizer returns.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/authorizer_result.h"
#include "local/iam/policy.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kMethodArn[] =
    "arn:aws:execute-api:us-east-1:000000000000:api1/prod/GET/orders/7";

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckResult(const AuthorizerResult& result) {
  Require(!result.policy.statements.empty(), "a policy has statements");
  bool allows = false;
  bool denies = false;
  for (const iam::Statement& statement : result.policy.statements) {
    allows |= statement.effect == iam::Effect::kAllow;
    denies |= statement.effect == iam::Effect::kDeny;
  }
  switch (Permits(result, kMethodArn)) {
    case Permission::kAllowed:
      Require(allows, "only a statement that allows lets a caller pass");
      break;
    case Permission::kExplicitlyDenied:
      Require(denies, "only a statement that denies is an explicit deny");
      break;
    case Permission::kNotAllowed:
      break;
  }
}

}  // namespace
}  // namespace byoshin::local::apigateway

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace byoshin::local::apigateway;  // NOLINT: the function is C's
  const absl::StatusOr<AuthorizerResult> result = ParseAuthorizerResult(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  if (result.ok()) {
    CheckResult(*result);
  } else {
    Require(absl::IsInvalidArgument(result.status()),
            "the error is InvalidArgument");
    Require(!result.status().message().empty(), "the error has a message");
  }
  return 0;
}
