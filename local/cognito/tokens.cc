#include "local/cognito/tokens.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/cognito/client_settings.h"
#include "local/cognito/errors.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/secrets.h"
#include "local/jwt/token.h"

namespace byoshin::local::cognito {
namespace {

// The scope of tokens that come from the API, not from a page.
constexpr char kUserScope[] = "aws.cognito.signin.user.admin";

Json::Value Seconds(std::int64_t microseconds) {
  return Json::Int64(microseconds / 1000000);
}

// The user's groups, those with the lowest precedence first.
absl::StatusOr<std::vector<kept::Group>> GroupsOfUser(
    Records& records, absl::string_view pool_id, absl::string_view user_key) {
  const absl::StatusOr<std::vector<std::string>> names =
      records.GroupNamesOfUser(pool_id, user_key);
  if (!names.ok()) return names.status();
  std::vector<kept::Group> groups;
  for (const std::string& name : *names) {
    absl::StatusOr<std::optional<kept::Group>> group =
        records.FindGroup(pool_id, name);
    if (!group.ok()) return group.status();
    if (group->has_value()) groups.push_back(**std::move(group));
  }
  const auto rank = [](const kept::Group& group) {
    return group.has_precedence() ? group.precedence()
                                  : std::numeric_limits<std::int32_t>::max();
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const kept::Group& a, const kept::Group& b) {
                     return rank(a) < rank(b);
                   });
  return groups;
}

// What both tokens have.
Json::Value CommonClaims(const TokenOwner& owner, const kept::Session& session,
                         const ClientRules& rules, absl::Time now) {
  Json::Value claims(Json::objectValue);
  claims["sub"] = owner.user.user.sub();
  claims["iss"] = IssuerOf(owner.pool.pool);
  claims["event_id"] = session.id();
  claims["auth_time"] = Seconds(session.signed_in_us());
  claims["iat"] = Seconds(absl::ToUnixMicros(now));
  if (rules.can_revoke_tokens) claims["origin_jti"] = session.origin_jti();
  return claims;
}

void AddGroups(const std::vector<kept::Group>& groups, Json::Value& claims) {
  for (const kept::Group& group : groups) {
    claims["cognito:groups"].append(group.name());
  }
}

void AddRoles(const std::vector<kept::Group>& groups, Json::Value& claims) {
  for (const kept::Group& group : groups) {
    if (group.role_arn().empty()) continue;
    if (!claims.isMember("cognito:roles")) {
      claims["cognito:preferred_role"] = group.role_arn();
    }
    claims["cognito:roles"].append(group.role_arn());
  }
}

void AddAttributes(const kept::User& user, const ClientRules& rules,
                   Json::Value& claims) {
  for (const kept::Attribute& attribute : user.attributes()) {
    if (!rules.MayRead(attribute.name())) continue;
    if (absl::EndsWith(attribute.name(), "_verified")) {
      claims[attribute.name()] =
          absl::EqualsIgnoreCase(attribute.value(), "true");
    } else {
      claims[attribute.name()] = attribute.value();
    }
  }
}

absl::StatusOr<NewTokens> TokensFor(Records& records, const TokenOwner& owner,
                                    const kept::Session& session,
                                    absl::Time now) {
  const absl::StatusOr<std::vector<kept::Group>> groups =
      GroupsOfUser(records, owner.pool.pool.id(), owner.user.key);
  if (!groups.ok()) return groups.status();
  const ClientRules rules = RulesOf(owner.client);
  const kept::User& user = owner.user.user;
  NewTokens tokens{.access_token_life = rules.access_token_life};

  Json::Value& id = tokens.id_claims;
  id = CommonClaims(owner, session, rules, now);
  AddAttributes(user, rules, id);
  AddGroups(*groups, id);
  AddRoles(*groups, id);
  id["aud"] = owner.client.id();
  id["cognito:username"] = user.username();
  id["token_use"] = "id";
  id["jti"] = random::NewUuid();
  id["exp"] = Seconds(absl::ToUnixMicros(now + rules.id_token_life));

  Json::Value& access = tokens.access_claims;
  access = CommonClaims(owner, session, rules, now);
  AddGroups(*groups, access);
  access["client_id"] = owner.client.id();
  access["username"] = user.username();
  access["scope"] = kUserScope;
  access["token_use"] = "access";
  access["jti"] = random::NewUuid();
  access["exp"] = Seconds(absl::ToUnixMicros(now + rules.access_token_life));
  return tokens;
}

std::string PutNewRefreshToken(Records& records, const TokenOwner& owner,
                               const kept::Session& session) {
  std::string token = NewSecretToken();
  kept::RefreshToken kept;
  kept.set_user_key(owner.user.key);
  kept.set_session_id(session.id());
  kept.set_expires_us(session.expires_us());
  records.PutRefreshToken(owner.pool.pool.id(), HashOfToken(token), kept);
  return token;
}

// Deletes the user's sessions that have expired and, if there was one, all
// tokens of the pool that have.
absl::Status DeleteOldSessions(Records& records, const TokenOwner& owner,
                               std::int64_t now_us) {
  const std::string& pool_id = owner.pool.pool.id();
  const absl::StatusOr<std::vector<kept::Session>> sessions =
      records.SessionsOf(pool_id, owner.user.key);
  if (!sessions.ok()) return sessions.status();
  bool expired = false;
  for (const kept::Session& session : *sessions) {
    if (session.expires_us() > now_us) continue;
    records.DeleteSession(pool_id, owner.user.key, session.id());
    expired = true;
  }
  return expired ? records.DeleteExpired(pool_id, now_us) : absl::OkStatus();
}

absl::Status InvalidRefreshToken() {
  return NotAuthorizedError("Invalid Refresh Token");
}

// The session of the token, and its user.
struct KnownToken {
  kept::RefreshToken token{};
  kept::Session session{};
  FoundUser user{};
};

absl::StatusOr<KnownToken> FindToken(Records& records,
                                     absl::string_view pool_id,
                                     const kept::Client& client,
                                     absl::string_view token, absl::Time now) {
  const absl::StatusOr<std::optional<kept::RefreshToken>> kept =
      records.FindRefreshToken(pool_id, HashOfToken(token));
  if (!kept.ok()) return kept.status();
  if (!kept->has_value()) return InvalidRefreshToken();
  const kept::RefreshToken& known = **kept;
  if (absl::FromUnixMicros(known.expires_us()) <= now) {
    return NotAuthorizedError("Refresh Token has expired");
  }
  if (known.rotated_until_us() != 0 &&
      absl::FromUnixMicros(known.rotated_until_us()) <= now) {
    return ApiError("RefreshTokenReuseException",
                    "Refresh Token has been used before, and rotated");
  }
  const absl::StatusOr<std::optional<kept::User>> user =
      records.FindUser(pool_id, known.user_key());
  if (!user.ok()) return user.status();
  if (!user->has_value()) return InvalidRefreshToken();
  const absl::StatusOr<std::optional<kept::Session>> session =
      records.FindSession(pool_id, known.user_key(), known.session_id());
  if (!session.ok()) return session.status();
  if (!session->has_value()) {
    return NotAuthorizedError("Refresh Token has been revoked");
  }
  if ((*session)->client_id() != client.id()) return InvalidRefreshToken();
  return KnownToken{.token = known,
                    .session = **session,
                    .user = {.key = known.user_key(), .user = **user}};
}

absl::Status CheckSecretOf(const RefreshRequest& request,
                           const kept::User& user) {
  if (request.secret_hash == nullptr) return absl::OkStatus();
  absl::Status good =
      CheckSecretHash(request.client, user.username(), *request.secret_hash);
  if (good.ok()) return good;
  return CheckSecretHash(request.client, user.sub(), *request.secret_hash);
}

}  // namespace

absl::StatusOr<NewTokens> SignIn(Records& records, const TokenOwner& owner,
                                 absl::Time now) {
  const std::string& pool_id = owner.pool.pool.id();
  const std::int64_t now_us = absl::ToUnixMicros(now);
  if (absl::Status swept = DeleteOldSessions(records, owner, now_us);
      !swept.ok()) {
    return swept;
  }
  kept::Session session;
  session.set_id(random::NewUuid());
  session.set_client_id(owner.client.id());
  session.set_origin_jti(random::NewUuid());
  session.set_signed_in_us(now_us);
  session.set_expires_us(
      absl::ToUnixMicros(now + RulesOf(owner.client).refresh_token_life));
  records.PutSession(pool_id, owner.user.key, session);
  absl::StatusOr<NewTokens> tokens = TokensFor(records, owner, session, now);
  if (!tokens.ok()) return tokens.status();
  tokens->refresh_token = PutNewRefreshToken(records, owner, session);
  return tokens;
}

absl::StatusOr<NewTokens> Refresh(Records& records, const PoolAndRules& pool,
                                  const RefreshRequest& request,
                                  absl::Time now) {
  absl::StatusOr<KnownToken> known =
      FindToken(records, pool.pool.id(), request.client, request.token, now);
  if (!known.ok()) return known.status();
  const kept::User& user = known->user.user;
  if (absl::Status secret = CheckSecretOf(request, user); !secret.ok()) {
    return secret;
  }
  if (!user.enabled()) return NotAuthorizedError("User is disabled.");
  const TokenOwner owner{
      .pool = pool, .client = request.client, .user = known->user};
  absl::StatusOr<NewTokens> tokens =
      TokensFor(records, owner, known->session, now);
  if (!tokens.ok()) return tokens.status();
  if (request.rotation == RefreshRequest::Rotation::kRotate) {
    tokens->refresh_token = PutNewRefreshToken(records, owner, known->session);
    if (known->token.rotated_until_us() == 0) {
      known->token.set_rotated_until_us(
          absl::ToUnixMicros(now + RulesOf(request.client).refresh_grace));
      records.PutRefreshToken(pool.pool.id(), HashOfToken(request.token),
                              known->token);
    }
  }
  return tokens;
}

absl::Status Revoke(Records& records, const kept::Client& client,
                    absl::string_view token) {
  const absl::StatusOr<KnownToken> known =
      FindToken(records, client.pool_id(), client, token, absl::InfinitePast());
  // An unknown token is as good as revoked (RFC 7009, section 2.2).
  if (!known.ok()) return absl::OkStatus();
  records.DeleteSession(client.pool_id(), known->user.key, known->session.id());
  return absl::OkStatus();
}

absl::StatusOr<Json::Value> SignTokens(const Directory& directory,
                                       absl::string_view pool_id,
                                       const NewTokens& tokens) {
  const std::shared_ptr<const Directory::Pool> pool = directory.Find(pool_id);
  if (pool == nullptr) return NoPoolError(pool_id);
  const absl::StatusOr<std::string> id =
      jwt::SignToken(pool->key, tokens.id_claims);
  if (!id.ok()) return id.status();
  const absl::StatusOr<std::string> access =
      jwt::SignToken(pool->key, tokens.access_claims);
  if (!access.ok()) return access.status();
  Json::Value result(Json::objectValue);
  result["IdToken"] = *id;
  result["AccessToken"] = *access;
  if (!tokens.refresh_token.empty()) {
    result["RefreshToken"] = tokens.refresh_token;
  }
  result["ExpiresIn"] =
      Json::Int64(absl::ToInt64Seconds(tokens.access_token_life));
  result["TokenType"] = "Bearer";
  return result;
}

absl::StatusOr<Json::Value> CheckAccessToken(const Directory& directory,
                                             absl::string_view token,
                                             absl::Time now) {
  absl::Status invalid = NotAuthorizedError("Invalid Access Token");
  const absl::StatusOr<Json::Value> claimed = jwt::UnverifiedClaims(token);
  if (!claimed.ok()) return invalid;
  const std::string issuer = json::TextMember(*claimed, "iss");
  const std::shared_ptr<const Directory::Pool> pool =
      directory.Find(absl::string_view(issuer).substr(issuer.rfind('/') + 1));
  if (pool == nullptr || pool->issuer != issuer) return invalid;
  absl::StatusOr<Json::Value> claims = jwt::VerifyToken(token, {pool->key});
  if (!claims.ok() || json::TextMember(*claims, "token_use") != "access" ||
      !(*claims)["exp"].isInt64()) {
    return invalid;
  }
  if (absl::FromUnixSeconds((*claims)["exp"].asInt64()) <= now) {
    return NotAuthorizedError("Access Token has expired");
  }
  return claims;
}

absl::StatusOr<SignedInUser> GetSignedInUser(Records& records,
                                             const Json::Value& claims) {
  absl::StatusOr<kept::Client> client =
      records.GetClient(json::TextMember(claims, "client_id"));
  if (!client.ok()) return client.status();
  absl::StatusOr<PoolAndRules> pool =
      GetPoolAndRules(records, client->pool_id());
  if (!pool.ok()) return pool.status();
  absl::StatusOr<FoundUser> user =
      GetUserByName(records, *pool, json::TextMember(claims, "username"));
  if (!user.ok()) return user.status();
  if (user->user.sub() != json::TextMember(claims, "sub")) {
    return NoUserError();
  }
  const absl::StatusOr<std::optional<kept::Session>> session =
      records.FindSession(pool->pool.id(), user->key,
                          json::TextMember(claims, "event_id"));
  if (!session.ok()) return session.status();
  if (!session->has_value()) {
    return NotAuthorizedError("Access Token has been revoked");
  }
  if (!user->user.enabled()) return NotAuthorizedError("User is disabled.");
  return SignedInUser{.pool = *std::move(pool),
                      .client = *std::move(client),
                      .user = *std::move(user)};
}

}  // namespace byoshin::local::cognito
