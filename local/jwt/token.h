// JSON Web Tokens (RFC 7519) in the compact form, signed with RS256.
//
//   const SigningKey key{.id = "k1", .key = *RsaKey::Generate()};
//   absl::StatusOr<std::string> token = SignToken(key, claims);
//   absl::StatusOr<Json::Value> verified = VerifyToken(*token, {key});
//   (*verified)["sub"].asString();
//
// A token never chooses how it is verified: any algorithm but RS256 is refused,
// keys and URLs in the header are ignored, and the key ID must be that of one
// of the given keys.
#ifndef BYOSHIN_LOCAL_JWT_TOKEN_H_
#define BYOSHIN_LOCAL_JWT_TOKEN_H_

#include <json/json.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/jwt/rsa_key.h"

namespace byoshin::local::jwt {

// Longer tokens are refused. API Gateway accepts headers of 10 KiB in total.
inline constexpr std::size_t kMaxTokenBytes = std::size_t{16} << 10;

struct SigningKey {
  std::string id{};
  RsaKey key;
};

// `claims` must be an object.
absl::StatusOr<std::string> SignToken(const SigningKey& key,
                                      const Json::Value& claims);

// The claims, if the token is signed with one of the keys. Checks no claim: not
// even whether the token has expired. Errors are InvalidArgument, say why, and
// don't contain the token.
absl::StatusOr<Json::Value> VerifyToken(absl::string_view token,
                                        const std::vector<SigningKey>& keys);

// The claims of a token whose signature is not checked. Use them only to find
// the keys to verify the token with.
absl::StatusOr<Json::Value> UnverifiedClaims(absl::string_view token);

}  // namespace byoshin::local::jwt

#endif  // BYOSHIN_LOCAL_JWT_TOKEN_H_
