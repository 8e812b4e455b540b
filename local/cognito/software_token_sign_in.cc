// Signing in with the codes of an authenticator app as second factor.

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/cognito/auth.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/secrets.h"
#include "local/cognito/totp.h"
#include "local/cognito/users.h"

namespace byoshin::local::cognito {
namespace {

// The failure counts, against the user and the challenge.
AuthOutcome RefuseCode(Records& records, const OperationContext& context,
                       const AuthClient& client, const std::string& session,
                       PendingChallenge& pending) {
  const std::string& pool_id = client.pool.pool.id();
  CountFailure(pending.user.user, context.now);
  records.PutUser(pool_id, pending.user.key, pending.user.user);
  kept::Challenge& challenge = pending.challenge;
  challenge.set_failures(challenge.failures() + 1);
  if (challenge.failures() < kMaxCodeFailures) {
    records.PutChallenge(pool_id, HashOfToken(session), challenge);
  } else {
    records.DeleteChallenge(pool_id, HashOfToken(session));
  }
  return {.refusal = ApiError("CodeMismatchException",
                              "Invalid code received for user")};
}

}  // namespace

Factor FactorFor(const PoolRules& rules, const kept::User& user) {
  switch (rules.mfa) {
    case Mfa::kOff:
      return Factor::kNone;
    case Mfa::kOptional:
      return user.software_token_enabled() ? Factor::kSoftwareToken
                                           : Factor::kNone;
    case Mfa::kOn:
      break;
  }
  return user.has_software_token() ? Factor::kSoftwareToken : Factor::kSetup;
}

AuthOutcome AskForFactor(Records& records, const OperationContext& context,
                         const AuthClient& client, const FoundUser& user,
                         Factor factor) {
  const bool setup = factor == Factor::kSetup;
  kept::Challenge challenge;
  challenge.set_name(setup ? kMfaSetup : kSoftwareTokenMfa);
  challenge.set_user_key(user.key);
  AuthOutcome outcome;
  Json::Value& answer = outcome.challenge;
  answer["ChallengeName"] = challenge.name();
  Json::Value& parameters = answer["ChallengeParameters"];
  parameters["USER_ID_FOR_SRP"] = user.user.username();
  if (setup) {
    parameters["MFAS_CAN_SETUP"] =
        absl::StrCat("[\"", kSoftwareTokenMfa, "\"]");
  } else if (const std::string& device =
                 user.user.software_token().device_name();
             !device.empty()) {
    parameters["FRIENDLY_DEVICE_NAME"] = device;
  }
  answer["Session"] =
      PutNewChallenge(records, context, client, std::move(challenge));
  return outcome;
}

absl::StatusOr<AuthOutcome> AnswerSoftwareToken(
    OperationContext& context, const AuthClient& client,
    const std::string& session, const AuthParameters& responses) {
  const absl::StatusOr<std::string> username =
      RequiredParameter(responses, "USERNAME");
  if (!username.ok()) return username.status();
  const absl::StatusOr<std::string> code =
      RequiredParameter(responses, "SOFTWARE_TOKEN_MFA_CODE");
  if (!code.ok()) return code.status();
  return context.database.Do([&](Records& records)
                                 -> absl::StatusOr<AuthOutcome> {
    absl::StatusOr<PendingChallenge> pending = FindPendingChallenge(
        records, context, client,
        {.name = kSoftwareTokenMfa, .session = session, .username = *username});
    if (!pending.ok()) return pending.status();
    kept::User& user = pending->user.user;
    if (absl::Status free = CheckNotLocked(user, context.now); !free.ok()) {
      return free;
    }
    kept::SoftwareToken& token = *user.mutable_software_token();
    const std::optional<std::int64_t> step =
        FindTotpStep(token.secret(), *code, context.now);
    if (!step.has_value()) {
      return RefuseCode(records, context, client, session, *pending);
    }
    if (*step <= token.last_step()) return UsedCodeError();
    token.set_last_step(*step);
    user.set_failed_sign_ins(0);
    const std::string& pool_id = client.pool.pool.id();
    records.PutUser(pool_id, pending->user.key, user);
    records.DeleteChallenge(pool_id, HashOfToken(session));
    return Proceed(records, context, client, pending->user,
                   FactorProof::kRight);
  });
}

absl::StatusOr<AuthOutcome> FinishMfaSetup(OperationContext& context,
                                           const AuthClient& client,
                                           const std::string& session,
                                           const AuthParameters& responses) {
  const absl::StatusOr<std::string> username =
      RequiredParameter(responses, "USERNAME");
  if (!username.ok()) return username.status();
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<AuthOutcome> {
        const absl::StatusOr<PendingChallenge> pending = FindPendingChallenge(
            records, context, client,
            {.name = kMfaSetup, .session = session, .username = *username});
        if (!pending.ok()) return pending.status();
        if (!pending->challenge.software_token_verified()) {
          return NotVerifiedTokenError();
        }
        records.DeleteChallenge(client.pool.pool.id(), HashOfToken(session));
        return Proceed(records, context, client, pending->user,
                       FactorProof::kRight);
      });
}

}  // namespace byoshin::local::cognito
