#include "local/cognito/directory.h"

#include <json/json.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/pool_settings.h"
#include "local/jwt/base64url.h"
#include "local/jwt/rsa_key.h"
#include "local/jwt/token.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kBearer[] = "Bearer ";

Verdict Refused(absl::string_view reason,
                Verdict::Outcome outcome = Verdict::Outcome::kInvalid) {
  return {.outcome = outcome, .reason = std::string(reason)};
}

absl::StatusOr<absl::Time> TimeIn(const Json::Value& claims, const char* name) {
  if (!claims[name].isInt64()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token has no valid \"", name, "\""));
  }
  return absl::FromUnixSeconds(claims[name].asInt64());
}

// Whether the token is for a client of the pool and of the right kind.
absl::Status CheckUse(const Json::Value& claims, const Directory::Pool& pool,
                      bool wants_access_token) {
  const std::string use = wants_access_token ? "access" : "id";
  if (json::TextMember(claims, "token_use") != use) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token is not an ", use, " token"));
  }
  const char* client = wants_access_token ? "client_id" : "aud";
  if (!pool.client_ids.contains(json::TextMember(claims, client))) {
    return absl::InvalidArgumentError(
        "the token is not for a client of the user pool");
  }
  return absl::OkStatus();
}

bool HasScope(const Json::Value& claims,
              const std::vector<std::string>& wanted) {
  const std::string text = json::TextMember(claims, "scope");
  const std::vector<std::string> scopes =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  return std::any_of(
      wanted.begin(), wanted.end(), [&](const std::string& scope) {
        return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
      });
}

Verdict Judge(Json::Value claims, const Directory::Pool& pool,
              const TokenToVerify& token, absl::Time now) {
  const std::vector<std::string>& scopes = token.scopes;
  const bool wants_access_token =
      token.of_any_use ? json::TextMember(claims, "token_use") == "access"
                       : !scopes.empty();
  if (absl::Status use = CheckUse(claims, pool, wants_access_token);
      !use.ok()) {
    return Refused(use.message());
  }
  const absl::StatusOr<absl::Time> issued = TimeIn(claims, "iat");
  const absl::StatusOr<absl::Time> expires = TimeIn(claims, "exp");
  if (!issued.ok()) return Refused(issued.status().message());
  if (!expires.ok()) return Refused(expires.status().message());
  if (*issued > now) return Refused("the token is not valid yet");
  if (claims.isMember("nbf")) {
    const absl::StatusOr<absl::Time> begins = TimeIn(claims, "nbf");
    if (!begins.ok()) return Refused(begins.status().message());
    if (*begins > now) return Refused("the token is not valid yet");
  }
  if (*expires <= now) {
    return Refused("the token has expired", Verdict::Outcome::kExpired);
  }
  if (!scopes.empty() && !HasScope(claims, scopes)) {
    return Refused("the token has none of the required scopes",
                   Verdict::Outcome::kLacksScope);
  }
  return {.outcome = Verdict::Outcome::kValid, .claims = std::move(claims)};
}

Json::Value OneText(const char* text) {
  Json::Value list(Json::arrayValue);
  list.append(text);
  return list;
}

}  // namespace

std::string KeyIdOf(const jwt::RsaKey& key) {
  Json::Value members(Json::objectValue);
  members["e"] = key.JwkExponent();
  members["kty"] = "RSA";
  members["n"] = key.JwkModulus();
  const crypto::Sha256Digest digest = crypto::Sha256(json::WriteValue(members));
  return jwt::Base64UrlEncode(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

absl::Status Directory::Load(Records& records) {
  const absl::StatusOr<std::vector<kept::Pool>> pools = records.AllPools();
  if (!pools.ok()) return pools.status();
  const absl::StatusOr<std::vector<kept::Client>> clients =
      records.AllClients();
  if (!clients.ok()) return clients.status();
  Pools loaded;
  for (const kept::Pool& pool : *pools) {
    const std::shared_ptr<const Pool> known = Find(pool.id());
    absl::StatusOr<jwt::RsaKey> key =
        known != nullptr && known->key.id == pool.key_id()
            ? known->key.key
            : jwt::RsaKey::FromPem(pool.private_key_pem());
    if (!key.ok()) {
      return absl::DataLossError(
          absl::StrCat("the key of the user pool ", pool.id(), " is damaged"));
    }
    Pool one{.arn = ArnOf(pool),
             .issuer = IssuerOf(pool),
             .key = {.id = pool.key_id(), .key = *std::move(key)}};
    for (const kept::Client& client : *clients) {
      if (client.pool_id() == pool.id()) one.client_ids.insert(client.id());
    }
    loaded.emplace(pool.id(), std::make_shared<const Pool>(std::move(one)));
  }
  const sync::MutexLock lock(mutex_);
  pools_ = std::move(loaded);
  return absl::OkStatus();
}

std::shared_ptr<const Directory::Pool> Directory::Find(
    absl::string_view pool_id) const {
  const sync::MutexLock lock(mutex_);
  const auto found = pools_.find(pool_id);
  return found == pools_.end() ? nullptr : found->second;
}

Verdict Directory::Verify(const TokenToVerify& token) const {
  const absl::string_view text = absl::StripPrefix(token.token, kBearer);
  if (text.empty()) return Refused("there is no token");
  const absl::StatusOr<Json::Value> claimed = jwt::UnverifiedClaims(text);
  if (!claimed.ok()) return Refused(claimed.status().message());
  const std::string issuer = json::TextMember(*claimed, "iss");
  for (const std::string& arn : token.pool_arns) {
    const std::shared_ptr<const Pool> pool =
        Find(absl::string_view(arn).substr(arn.rfind('/') + 1));
    if (pool == nullptr || pool->arn != arn || pool->issuer != issuer) continue;
    absl::StatusOr<Json::Value> claims = jwt::VerifyToken(text, {pool->key});
    if (!claims.ok()) return Refused(claims.status().message());
    return Judge(*std::move(claims), *pool, token, clock_.Now());
  }
  return Refused("the token is not of one of the user pools");
}

std::string JwksText(const Directory::Pool& pool) {
  Json::Value key(Json::objectValue);
  key["alg"] = "RS256";
  key["e"] = pool.key.key.JwkExponent();
  key["kid"] = pool.key.id;
  key["kty"] = "RSA";
  key["n"] = pool.key.key.JwkModulus();
  key["use"] = "sig";
  Json::Value keys(Json::objectValue);
  keys["keys"].append(std::move(key));
  return json::WriteValue(keys);
}

std::string OpenIdConfigurationText(const Directory::Pool& pool,
                                    absl::string_view jwks_url) {
  Json::Value document(Json::objectValue);
  document["issuer"] = pool.issuer;
  document["jwks_uri"] = std::string(jwks_url);
  document["id_token_signing_alg_values_supported"] = OneText("RS256");
  document["subject_types_supported"] = OneText("public");
  document["response_types_supported"] = OneText("code");
  document["response_types_supported"].append("token");
  for (const char* scope : {"openid", "email", "phone", "profile"}) {
    document["scopes_supported"].append(scope);
  }
  return json::WriteValue(document);
}

}  // namespace byoshin::local::cognito
