// What a Lambda authorizer says about a caller.
//
//   absl::StatusOr<AuthorizerResult> result = ParseAuthorizerResult(payload);
//   if (!result.ok()) return ConfigurationError(result.status());
//   switch (Permits(*result, method_arn)) ...
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_RESULT_H_
#define BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_RESULT_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/iam/policy.h"

namespace byoshin::local::apigateway {

struct AuthorizerResult {
  std::string principal_id{};
  iam::PolicyDocument policy{};
  // Numbers and booleans as text.
  std::map<std::string, std::string> context{};
  // The caller's API key, if the API takes it from the authorizer.
  std::string usage_key{};
};

// InvalidArgument, with the reason, unless `payload` is an object with a
// policyDocument and, optionally, principalId, context and usageIdentifierKey.
absl::StatusOr<AuthorizerResult> ParseAuthorizerResult(
    absl::string_view payload);

enum class Permission { kAllowed, kNotAllowed, kExplicitlyDenied };

// Whether the policy lets the caller invoke the method:
// "arn:aws:execute-api:us-east-1:000000000000:api/prod/GET/orders/7".
Permission Permits(const AuthorizerResult& result,
                   absl::string_view method_arn);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_AUTHORIZER_RESULT_H_
