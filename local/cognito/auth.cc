#include "local/cognito/auth.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cognito/accounts.h"
#include "local/cognito/errors.h"
#include "local/cognito/password.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kNewPasswordRequired[] = "NEW_PASSWORD_REQUIRED";
constexpr char kAttributePrefix[] = "userAttributes.";

// The failures that still count.
int FailuresOf(const kept::User& user, absl::Time now) {
  const absl::Time last = absl::FromUnixMicros(user.last_failed_sign_in_us());
  return now - last > kFailuresRemembered ? 0 : user.failed_sign_ins();
}

AuthOutcome RefusedWith(absl::Status refusal) {
  return {.refusal = std::move(refusal)};
}

// Asks for a new password in the place of a temporary one.
AuthOutcome AskForPassword(Records& records, const OperationContext& context,
                           const AuthClient& client, const FoundUser& user) {
  kept::Challenge challenge;
  challenge.set_name(kNewPasswordRequired);
  challenge.set_user_key(user.key);
  const std::string session =
      PutNewChallenge(records, context, client, std::move(challenge));
  Json::Value attributes(Json::objectValue);
  for (const kept::Attribute& attribute : user.user.attributes()) {
    attributes[attribute.name()] = attribute.value();
  }
  AuthOutcome outcome;
  Json::Value& answer = outcome.challenge;
  answer["ChallengeName"] = kNewPasswordRequired;
  answer["Session"] = session;
  Json::Value& parameters = answer["ChallengeParameters"];
  parameters["USER_ID_FOR_SRP"] = user.user.username();
  parameters["requiredAttributes"] = "[]";
  parameters["userAttributes"] = json::WriteValue(attributes);
  return outcome;
}

absl::Status CheckMaySignIn(const kept::User& user, const PoolRules& rules,
                            absl::Time now) {
  if (!user.enabled()) return NotAuthorizedError("User is disabled.");
  switch (user.status()) {
    case kept::UNCONFIRMED:
      return ApiError("UserNotConfirmedException", "User is not confirmed.");
    case kept::RESET_REQUIRED:
      return ApiError("PasswordResetRequiredException",
                      "Password reset required for the user");
    case kept::FORCE_CHANGE_PASSWORD:
      if (absl::FromUnixMicros(user.temporary_since_us()) +
              rules.temporary_password_life <=
          now) {
        return NotAuthorizedError(
            "Temporary password has expired and must be reset by an "
            "administrator.");
      }
      return absl::OkStatus();
    default:
      return absl::OkStatus();
  }
}

Attributes AttributesIn(const AuthParameters& responses) {
  Attributes attributes;
  for (const auto& [name, value] : responses) {
    if (!absl::StartsWith(name, kAttributePrefix)) continue;
    attributes.emplace(absl::StripPrefix(name, kAttributePrefix), value);
  }
  return attributes;
}

}  // namespace

absl::StatusOr<AuthClient> GetAuthClient(OperationContext& context,
                                         JsonFields& fields, CalledBy caller) {
  const std::string id = fields.Text("ClientId");
  const std::string pool_id =
      caller == CalledBy::kAdmin ? fields.Text("UserPoolId") : "";
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<AuthClient> {
        if (caller == CalledBy::kAdmin) {
          const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
          if (!pool.ok()) return pool.status();
        }
        absl::StatusOr<kept::Client> client = records.GetClient(id);
        if (!client.ok()) return client.status();
        if (caller == CalledBy::kAdmin && client->pool_id() != pool_id) {
          return NoClientError(id);
        }
        return AuthClientOf(records, *std::move(client));
      });
}

absl::StatusOr<AuthClient> AuthClientOf(Records& records, kept::Client client) {
  absl::StatusOr<PoolAndRules> pool =
      GetPoolAndRules(records, client.pool_id());
  if (!pool.ok()) return pool.status();
  ClientRules rules = RulesOf(client);
  return AuthClient{.pool = *std::move(pool),
                    .client = std::move(client),
                    .rules = std::move(rules)};
}

absl::StatusOr<Json::Value> AuthAnswer(
    const OperationContext& context, const AuthClient& client,
    const absl::StatusOr<AuthOutcome>& outcome) {
  if (!outcome.ok()) return outcome.status();
  if (!outcome->refusal.ok()) return outcome->refusal;
  if (!outcome->tokens.has_value()) return outcome->challenge;
  absl::StatusOr<Json::Value> result =
      SignTokens(context.directory, client.pool.pool.id(), *outcome->tokens);
  if (!result.ok()) return result.status();
  Json::Value answer(Json::objectValue);
  answer["AuthenticationResult"] = *std::move(result);
  answer["ChallengeParameters"] = Json::objectValue;
  return answer;
}

absl::Status CheckNotLocked(const kept::User& user, absl::Time now) {
  const absl::Time last = absl::FromUnixMicros(user.last_failed_sign_in_us());
  if (LockedUntil(FailuresOf(user, now), last) > now) {
    return NotAuthorizedError("Password attempts exceeded");
  }
  return absl::OkStatus();
}

void CountFailure(kept::User& user, absl::Time now) {
  user.set_failed_sign_ins(FailuresOf(user, now) + 1);
  user.set_last_failed_sign_in_us(absl::ToUnixMicros(now));
}

std::string PutNewChallenge(Records& records, const OperationContext& context,
                            const AuthClient& client,
                            kept::Challenge challenge) {
  std::string session = NewSecretToken();
  challenge.set_client_id(client.client.id());
  challenge.set_expires_us(
      absl::ToUnixMicros(context.now + client.rules.session_life));
  records.PutChallenge(client.pool.pool.id(), HashOfToken(session), challenge);
  return session;
}

absl::StatusOr<PendingChallenge> FindPendingChallenge(
    Records& records, const OperationContext& context, const AuthClient& client,
    const ChallengeReference& reference) {
  const absl::StatusOr<std::optional<kept::Challenge>> challenge =
      records.FindChallenge(client.pool.pool.id(),
                            HashOfToken(reference.session));
  if (!challenge.ok()) return challenge.status();
  if (!challenge->has_value() || (*challenge)->name() != reference.name ||
      (*challenge)->client_id() != client.client.id()) {
    return InvalidSessionError();
  }
  if (absl::FromUnixMicros((*challenge)->expires_us()) <= context.now) {
    return ExpiredSessionError();
  }
  absl::StatusOr<std::optional<FoundUser>> user =
      FindUserByName(records, client.pool, reference.username);
  if (!user.ok()) return user.status();
  if (!user->has_value() || (*user)->key != (*challenge)->user_key()) {
    return InvalidSessionError();
  }
  return PendingChallenge{.challenge = **challenge, .user = **std::move(user)};
}

absl::StatusOr<AuthOutcome> Proceed(Records& records,
                                    const OperationContext& context,
                                    const AuthClient& client,
                                    const FoundUser& user, FactorProof proof) {
  if (absl::Status may =
          CheckMaySignIn(user.user, client.pool.rules, context.now);
      !may.ok()) {
    return RefusedWith(std::move(may));
  }
  if (user.user.status() == kept::FORCE_CHANGE_PASSWORD) {
    return AskForPassword(records, context, client, user);
  }
  if (proof == FactorProof::kMissing) {
    const Factor factor = FactorFor(client.pool.rules, user.user);
    if (factor != Factor::kNone) {
      return AskForFactor(records, context, client, user, factor);
    }
  }
  absl::StatusOr<NewTokens> tokens = SignIn(
      records, {.pool = client.pool, .client = client.client, .user = user},
      context.now);
  if (!tokens.ok()) return tokens.status();
  return AuthOutcome{.tokens = *std::move(tokens)};
}

absl::StatusOr<AuthOutcome> Admit(Records& records, OperationContext& context,
                                  const AuthClient& client,
                                  const FoundUser& seen, PasswordProof proof) {
  const std::string& pool_id = client.pool.pool.id();
  absl::StatusOr<std::optional<kept::User>> now =
      records.FindUser(pool_id, seen.key);
  if (!now.ok()) return now.status();
  if (!now->has_value()) return WrongPasswordError();
  FoundUser found{.key = seen.key, .user = **std::move(now)};
  kept::User& user = found.user;
  if (absl::Status free = CheckNotLocked(user, context.now); !free.ok()) {
    return free;
  }
  // The password may have been changed since.
  if (proof == PasswordProof::kWrong ||
      user.password().hash() != seen.user.password().hash()) {
    CountFailure(user, context.now);
    records.PutUser(pool_id, found.key, user);
    return RefusedWith(WrongPasswordError());
  }
  // Wrong codes count until a right one is given: otherwise, somebody who knows
  // the password could guess codes without end.
  if (user.failed_sign_ins() != 0 &&
      FactorFor(client.pool.rules, user) != Factor::kSoftwareToken) {
    user.set_failed_sign_ins(0);
    records.PutUser(pool_id, found.key, user);
  }
  return Proceed(records, context, client, found, FactorProof::kMissing);
}

absl::StatusOr<AuthOutcome> SignInWithPassword(OperationContext& context,
                                               const AuthClient& client,
                                               const std::string& username,
                                               const std::string& password) {
  const absl::StatusOr<std::optional<FoundUser>> user = context.database.Do(
      [&](Records& records) -> absl::StatusOr<std::optional<FoundUser>> {
        absl::StatusOr<std::optional<FoundUser>> found =
            FindUserByName(records, client.pool, username);
        if (!found.ok() || !found->has_value()) return found;
        absl::Status free = CheckNotLocked((*found)->user, context.now);
        if (!free.ok()) return free;
        return found;
      });
  if (!user.ok()) return user.status();
  if (!user->has_value()) {
    if (!client.rules.hides_unknown_users) return NoUserError();
    // Takes as long as for a known user.
    HashPassword(password, context.options.password_cost);
    return WrongPasswordError();
  }
  const PasswordProof proof = IsPassword(password, (*user)->user.password())
                                  ? PasswordProof::kRight
                                  : PasswordProof::kWrong;
  return context.database.Do([&](Records& records) {
    return Admit(records, context, client, **user, proof);
  });
}

absl::StatusOr<AuthOutcome> SetNewPassword(OperationContext& context,
                                           const AuthClient& client,
                                           const std::string& session,
                                           const AuthParameters& responses) {
  const absl::StatusOr<std::string> username =
      RequiredParameter(responses, "USERNAME");
  if (!username.ok()) return username.status();
  const absl::StatusOr<std::string> password =
      RequiredParameter(responses, "NEW_PASSWORD");
  if (!password.ok()) return password.status();
  const auto find = [&](Records& records) {
    return FindPendingChallenge(records, context, client,
                                {.name = kNewPasswordRequired,
                                 .session = session,
                                 .username = *username});
  };
  const absl::StatusOr<PendingChallenge> pending = context.database.Do(find);
  if (!pending.ok()) return pending.status();
  const PoolRules& rules = client.pool.rules;
  if (absl::Status good = CheckPassword(*password, rules.password);
      !good.ok()) {
    return good;
  }
  const Attributes attributes = AttributesIn(responses);
  if (absl::Status fits = CheckAttributes(rules, attributes, Change::kUpdate);
      !fits.ok()) {
    return fits;
  }
  const std::string& pool_id = client.pool.pool.id();
  const kept::Password kept = NewKeptPassword(
      context, pool_id, pending->user.user.username(), *password);
  return context.database.Do([&](Records& records)
                                 -> absl::StatusOr<AuthOutcome> {
    absl::StatusOr<PendingChallenge> still = find(records);
    if (!still.ok()) return still.status();
    records.DeleteChallenge(pool_id, HashOfToken(session));
    const kept::User before = still->user.user;
    kept::User& user = still->user.user;
    *user.mutable_password() = kept;
    user.set_status(kept::CONFIRMED);
    user.set_temporary_since_us(0);
    user.set_modified_us(context.now_us());
    SetAttributes(user, attributes);
    if (absl::Status put = PutUser(records, client.pool, &before, still->user);
        !put.ok()) {
      return put;
    }
    return Admit(records, context, client, still->user, PasswordProof::kRight);
  });
}

absl::StatusOr<std::string> RequiredParameter(const AuthParameters& parameters,
                                              const std::string& name) {
  std::string value = OptionalParameter(parameters, name);
  if (value.empty()) {
    return InvalidParameterError(
        absl::StrCat("Missing required parameter ", name));
  }
  return value;
}

std::string OptionalParameter(const AuthParameters& parameters,
                              const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? "" : found->second;
}

}  // namespace byoshin::local::cognito
