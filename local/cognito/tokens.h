// The tokens of signed-in users.
// https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-with-identity-providers.html
#ifndef BYOSHIN_LOCAL_COGNITO_TOKENS_H_
#define BYOSHIN_LOCAL_COGNITO_TOKENS_H_

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/directory.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/records.h"
#include "local/cognito/users.h"

namespace byoshin::local::cognito {

// Whom tokens are for.
struct TokenOwner {
  const PoolAndRules& pool;
  const kept::Client& client;
  const FoundUser& user;
};

// Tokens that are not signed yet.
struct NewTokens {
  Json::Value id_claims{};
  Json::Value access_claims{};
  // Empty if the client keeps the one that it has.
  std::string refresh_token{};
  absl::Duration access_token_life{};
};

// Begins a session.
absl::StatusOr<NewTokens> SignIn(Records& records, const TokenOwner& owner,
                                 absl::Time now);

struct RefreshRequest {
  const kept::Client& client;
  const std::string& token;
  // Null if the client has proved otherwise to know its secret.
  const std::string* secret_hash;
  // Whether a new refresh token takes the place of this one.
  enum class Rotation { kKeep, kRotate } rotation = Rotation::kKeep;
};
// Goes on with a session. NotAuthorizedException if the token is invalid.
absl::StatusOr<NewTokens> Refresh(Records& records, const PoolAndRules& pool,
                                  const RefreshRequest& request,
                                  absl::Time now);

// Ends the session of a refresh token, if there is one.
absl::Status Revoke(Records& records, const kept::Client& client,
                    absl::string_view token);

// AuthenticationResultType.
absl::StatusOr<Json::Value> SignTokens(const Directory& directory,
                                       absl::string_view pool_id,
                                       const NewTokens& tokens);

// Claims of an access token whose signature and times are right.
absl::StatusOr<Json::Value> CheckAccessToken(const Directory& directory,
                                             absl::string_view token,
                                             absl::Time now);

// Who calls with an access token.
struct SignedInUser {
  PoolAndRules pool{};
  kept::Client client{};
  FoundUser user{};
};
// NotAuthorizedException if the session of these claims has ended.
absl::StatusOr<SignedInUser> GetSignedInUser(Records& records,
                                             const Json::Value& claims);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_TOKENS_H_
