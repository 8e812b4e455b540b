// Operations on software tokens: the secrets of authenticator apps.

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/accounts.h"
#include "local/cognito/auth.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/operations.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/secrets.h"
#include "local/cognito/tokens.h"
#include "local/cognito/totp.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

absl::Status TokenNotFoundError(absl::string_view message) {
  return ApiError("SoftwareTokenMFANotFoundException", message);
}

absl::Status CheckOffered(const PoolRules& rules) {
  if (rules.mfa != Mfa::kOff) return absl::OkStatus();
  return TokenNotFoundError(
      "Software Token MFA has not been enabled by the userPool");
}

// Which of the two the request has: an access token, or the Session of
// MFA_SETUP.
enum class Caller { kSignedIn, kSigningIn };
absl::StatusOr<Caller> CallerOf(const JsonFields& fields) {
  const bool signed_in = fields.Has("AccessToken");
  if (signed_in == fields.Has("Session")) {
    return InvalidParameterError(
        "The request must have either AccessToken or Session.");
  }
  return signed_in ? Caller::kSignedIn : Caller::kSigningIn;
}

// Somebody who must set up a factor before signing in.
struct NewcomerSetup {
  AuthClient client{};
  kept::Challenge challenge{};
  FoundUser user{};
};
absl::StatusOr<NewcomerSetup> FindSetup(Records& records,
                                        const OperationContext& context,
                                        const std::string& session) {
  const absl::StatusOr<std::vector<kept::Pool>> pools = records.AllPools();
  if (!pools.ok()) return pools.status();
  NewcomerSetup setup;
  // The request does not say which pool it is for.
  for (const kept::Pool& pool : *pools) {
    absl::StatusOr<std::optional<kept::Challenge>> found =
        records.FindChallenge(pool.id(), HashOfToken(session));
    if (!found.ok()) return found.status();
    if (!found->has_value()) continue;
    setup.challenge = **std::move(found);
    break;
  }
  if (setup.challenge.name() != kMfaSetup) return InvalidSessionError();
  if (absl::FromUnixMicros(setup.challenge.expires_us()) <= context.now) {
    return ExpiredSessionError();
  }
  absl::StatusOr<kept::Client> client =
      records.GetClient(setup.challenge.client_id());
  if (!client.ok()) return client.status();
  absl::StatusOr<AuthClient> auth = AuthClientOf(records, *std::move(client));
  if (!auth.ok()) return auth.status();
  setup.client = *std::move(auth);
  absl::StatusOr<std::optional<kept::User>> user =
      records.FindUser(setup.client.pool.pool.id(), setup.challenge.user_key());
  if (!user.ok()) return user.status();
  // The user may have set up a factor in another session, which a session that
  // only knows the password must not replace.
  if (!user->has_value() ||
      FactorFor(setup.client.pool.rules, **user) != Factor::kSetup) {
    return InvalidSessionError();
  }
  setup.user = {.key = setup.challenge.user_key(), .user = **std::move(user)};
  return setup;
}

// Puts the challenge in the place of the one with this session, which can be
// used once. Returns the new session.
std::string ReplaceChallenge(Records& records, const OperationContext& context,
                             const std::string& session,
                             const NewcomerSetup& setup) {
  records.DeleteChallenge(setup.client.pool.pool.id(), HashOfToken(session));
  return PutNewChallenge(records, context, setup.client, setup.challenge);
}

absl::StatusOr<Json::Value> AssociateInSession(OperationContext& context,
                                               const std::string& session,
                                               const std::string& secret) {
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<Json::Value> {
        absl::StatusOr<NewcomerSetup> setup =
            FindSetup(records, context, session);
        if (!setup.ok()) return setup.status();
        setup->challenge.set_software_token_secret(secret);
        Json::Value answer(Json::objectValue);
        answer["Session"] = ReplaceChallenge(records, context, session, *setup);
        return answer;
      });
}

struct NewToken {
  std::string code{};
  std::string device_name{};
};

// Makes the secret the user's software token if `given` has a code of it.
absl::Status SetToken(const OperationContext& context, const NewToken& given,
                      const std::string& secret, kept::User& user) {
  if (secret.empty()) {
    return TokenNotFoundError(
        "No software token has been associated with the user");
  }
  const std::optional<std::int64_t> step =
      FindTotpStep(secret, given.code, context.now);
  if (!step.has_value()) {
    return ApiError("EnableSoftwareTokenMFAException",
                    "Code mismatch and fail enable Software Token MFA");
  }
  kept::SoftwareToken& token = *user.mutable_software_token();
  token.set_secret(secret);
  token.set_device_name(given.device_name);
  token.set_last_step(*step);
  user.clear_new_software_token_secret();
  user.set_modified_us(context.now_us());
  return absl::OkStatus();
}

absl::StatusOr<Json::Value> VerifyInSession(OperationContext& context,
                                            const std::string& session,
                                            const NewToken& given) {
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<Json::Value> {
        absl::StatusOr<NewcomerSetup> setup =
            FindSetup(records, context, session);
        if (!setup.ok()) return setup.status();
        kept::User& user = setup->user.user;
        absl::Status right = SetToken(
            context, given, setup->challenge.software_token_secret(), user);
        if (!right.ok()) return right;
        user.set_software_token_enabled(true);
        user.set_software_token_preferred(true);
        records.PutUser(setup->client.pool.pool.id(), setup->user.key, user);
        setup->challenge.clear_software_token_secret();
        setup->challenge.set_software_token_verified(true);
        Json::Value answer(Json::objectValue);
        answer["Session"] = ReplaceChallenge(records, context, session, *setup);
        return answer;
      });
}

// Returns the preference for software tokens; nothing if the request does not
// speak of them.
struct Preference {
  bool enabled = false;
  bool preferred = false;
};
absl::StatusOr<std::optional<Preference>> ReadPreference(JsonFields& fields) {
  for (const auto& [settings, factor] :
       {std::pair("SMSMfaSettings", "SMS_MFA"),
        std::pair("EmailMfaSettings", "EMAIL_OTP")}) {
    std::optional<JsonFields> given = fields.Object(settings);
    if (!given.has_value() || !given->Flag("Enabled")) continue;
    return InvalidParameterError(absl::StrCat(
        "User does not have delivery config set to turn on ", factor));
  }
  std::optional<JsonFields> given = fields.Object("SoftwareTokenMfaSettings");
  if (!given.has_value()) return std::optional<Preference>();
  Preference preference{.enabled = given->Flag("Enabled")};
  preference.preferred = preference.enabled && given->Flag("PreferredMfa");
  return std::optional(preference);
}

absl::Status SetPreference(const std::optional<Preference>& preference,
                           kept::User& user) {
  if (!preference.has_value()) return absl::OkStatus();
  if (preference->enabled && !user.has_software_token()) {
    return NotVerifiedTokenError();
  }
  user.set_software_token_enabled(preference->enabled);
  user.set_software_token_preferred(preference->preferred);
  return absl::OkStatus();
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AssociateSoftwareToken.html
absl::StatusOr<Json::Value> AssociateSoftwareToken(OperationContext& context,
                                                   JsonFields& fields) {
  const absl::StatusOr<Caller> who = CallerOf(fields);
  if (!who.ok()) return who.status();
  const std::string session = fields.Text("Session");
  const std::string secret = NewTotpSecret();
  absl::StatusOr<Json::Value> answer =
      *who == Caller::kSigningIn
          ? AssociateInSession(context, session, secret)
          : AsUser(context, fields,
                   [&](Records& records,
                       SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                     absl::Status offered = CheckOffered(caller.pool.rules);
                     if (!offered.ok()) return offered;
                     kept::User& user = caller.user.user;
                     user.set_new_software_token_secret(secret);
                     records.PutUser(caller.pool.pool.id(), caller.user.key,
                                     user);
                     return Json::Value(Json::objectValue);
                   });
  if (!answer.ok()) return answer;
  (*answer)["SecretCode"] = Base32Encode(secret);
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_VerifySoftwareToken.html
absl::StatusOr<Json::Value> VerifySoftwareToken(OperationContext& context,
                                                JsonFields& fields) {
  const NewToken given{.code = fields.Text("UserCode"),
                       .device_name = fields.Text("FriendlyDeviceName")};
  const absl::StatusOr<Caller> who = CallerOf(fields);
  if (!who.ok()) return who.status();
  const std::string session = fields.Text("Session");
  absl::StatusOr<Json::Value> answer =
      *who == Caller::kSigningIn
          ? VerifyInSession(context, session, given)
          : AsUser(context, fields,
                   [&](Records& records,
                       SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                     absl::Status right = CheckOffered(caller.pool.rules);
                     kept::User& user = caller.user.user;
                     if (right.ok()) {
                       right = SetToken(context, given,
                                        user.new_software_token_secret(), user);
                     }
                     if (!right.ok()) return right;
                     records.PutUser(caller.pool.pool.id(), caller.user.key,
                                     user);
                     return Json::Value(Json::objectValue);
                   });
  if (!answer.ok()) return answer;
  (*answer)["Status"] = "SUCCESS";
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SetUserMFAPreference.html
absl::StatusOr<Json::Value> SetUserMfaPreference(OperationContext& context,
                                                 JsonFields& fields) {
  const absl::StatusOr<std::optional<Preference>> preference =
      ReadPreference(fields);
  if (!preference.ok()) return preference.status();
  return AsUser(context, fields,
                [&](Records& records,
                    SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                  absl::Status set =
                      SetPreference(*preference, caller.user.user);
                  if (!set.ok()) return set;
                  records.PutUser(caller.pool.pool.id(), caller.user.key,
                                  caller.user.user);
                  return Json::Value(Json::objectValue);
                });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminSetUserMFAPreference.html
absl::StatusOr<Json::Value> AdminSetUserMfaPreference(OperationContext& context,
                                                      JsonFields& fields) {
  const absl::StatusOr<std::optional<Preference>> preference =
      ReadPreference(fields);
  if (!preference.ok()) return preference.status();
  return ChangeUser(
      context, fields,
      [&](Records&, const PoolAndRules&, FoundUser& user) -> absl::Status {
        return SetPreference(*preference, user.user);
      });
}

}  // namespace byoshin::local::cognito
