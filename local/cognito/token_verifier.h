// Verifies the tokens of user pools, for API Gateway's authorizers of type
// COGNITO_USER_POOLS and for AppSync.
//
//   const TokenVerifier& verifier = host.Get<cognito::TokenVerifier>();
//   const Verdict verdict = verifier.Verify(
//       {.pool_arns = {"arn:aws:cognito-idp:…:userpool/us-east-1_a1B2c3D4e"},
//        .token = token});
//   if (verdict.outcome == Verdict::Outcome::kValid) {
//     verdict.claims["sub"].asString();
//   }
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-integrate-with-cognito.html
#ifndef BYOSHIN_LOCAL_COGNITO_TOKEN_VERIFIER_H_
#define BYOSHIN_LOCAL_COGNITO_TOKEN_VERIFIER_H_

#include <json/json.h>

#include <string>
#include <vector>

namespace byoshin::local::cognito {

struct TokenToVerify {
  // The ProviderARNs of the authorizer. The token is valid if it is of any of
  // these pools.
  std::vector<std::string> pool_arns{};
  // A compact JWS, as the client sent it. A leading "Bearer " is ignored, as on
  // AWS.
  std::string token{};
  // The AuthorizationScopes of the method. If empty, the token must be an ID
  // token; otherwise an access token that has at least one of them.
  std::vector<std::string> scopes{};
  // Whether an ID token and an access token will both do, as for AppSync.
  // `scopes` is empty then.
  bool of_any_use = false;
};

struct Verdict {
  enum class Outcome {
    kValid,
    // Missing, malformed, forged, of another pool or client, not yet valid, or
    // with the wrong token_use: answered with 401 and "Unauthorized".
    kInvalid,
    // Genuine but too old: answered with 401 and "The incoming token has
    // expired".
    kExpired,
    // A valid access token with none of the required scopes: answered with 401
    // and "Unauthorized".
    kLacksScope,
  };

  Outcome outcome = Outcome::kInvalid;
  // The claims as in the token: a JSON object. Null unless the token is valid.
  Json::Value claims{};
  // For logs; empty if the token is valid. Never contains the token.
  std::string reason{};
};

// Thread-safe. Does not block.
class TokenVerifier {
 public:
  virtual ~TokenVerifier() = default;

  virtual Verdict Verify(const TokenToVerify& token) const = 0;
};

// The text of a claim in $context.authorizer.claims and in events for
// functions. As on AWS, elements of arrays such as cognito:groups are joined
// with commas, and exp and iat are written as "Tue Nov 17 23:06:54 UTC 2026";
// other numbers are written as they are.
std::string ClaimText(const std::string& name, const Json::Value& value);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_TOKEN_VERIFIER_H_
