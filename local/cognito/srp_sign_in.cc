// Signing in with SRP, as amazon-cognito-identity-js and Amplify do by default.

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"
#include "local/cognito/auth.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/secrets.h"
#include "local/cognito/srp.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kPasswordVerifier[] = "PASSWORD_VERIFIER";
constexpr std::size_t kSecretBlockBytes = 64;

// What an unknown user's challenge is made of: the same each time, so that it
// looks like a known user's.
SrpVerifier InventedVerifier(const kept::Pool& pool,
                             const std::string& username) {
  const crypto::Sha256Digest digest =
      crypto::HmacSha256(pool.private_key_pem(), username);
  const std::string bytes(digest.begin(), digest.end());
  return {.salt = bytes.substr(0, 16), .verifier = bytes};
}

absl::StatusOr<std::optional<FoundUser>> FindForSrp(
    Records& records, const OperationContext& context, const AuthClient& client,
    const std::string& username) {
  absl::StatusOr<std::optional<FoundUser>> user =
      FindUserByName(records, client.pool, username);
  if (!user.ok()) return user;
  if (!user->has_value()) {
    if (!client.rules.hides_unknown_users) return NoUserError();
    return user;
  }
  absl::Status free = CheckNotLocked((*user)->user, context.now);
  if (!free.ok()) return free;
  return user;
}

}  // namespace

absl::StatusOr<AuthOutcome> BeginSrpSignIn(OperationContext& context,
                                           const AuthClient& client,
                                           const AuthParameters& parameters) {
  const absl::StatusOr<std::string> username =
      RequiredParameter(parameters, "USERNAME");
  if (!username.ok()) return username.status();
  const absl::StatusOr<std::string> client_public =
      RequiredParameter(parameters, "SRP_A");
  if (!client_public.ok()) return client_public.status();
  const absl::StatusOr<std::optional<FoundUser>> user =
      context.database.Do([&](Records& records) {
        return FindForSrp(records, context, client, *username);
      });
  if (!user.ok()) return user.status();
  SrpVerifier verifier = InventedVerifier(client.pool.pool, *username);
  if (user->has_value()) {
    const kept::Password& password = (*user)->user.password();
    if (password.srp_verifier().empty()) return WrongPasswordError();
    verifier = {.salt = password.srp_salt(),
                .verifier = password.srp_verifier()};
  }
  const SrpServer server = BeginSrp(verifier.verifier);
  if (!SrpKey(*client_public, server, verifier.verifier).ok()) {
    return InvalidParameterError("SRP_A is invalid.");
  }
  const std::string user_id =
      user->has_value() ? (*user)->user.username() : *username;
  const std::string secret_block =
      absl::Base64Escape(RandomBytes(kSecretBlockBytes));
  kept::Challenge challenge;
  challenge.set_name(kPasswordVerifier);
  challenge.set_client_id(client.client.id());
  challenge.set_user_key(user->has_value() ? (*user)->key : "");
  challenge.set_expires_us(
      absl::ToUnixMicros(context.now + client.rules.session_life));
  challenge.set_srp_a(*client_public);
  challenge.set_srp_b(server.public_value);
  challenge.set_srp_private(server.private_value);
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<AuthOutcome> {
        records.PutChallenge(client.pool.pool.id(), HashOfToken(secret_block),
                             challenge);
        AuthOutcome outcome;
        outcome.challenge["ChallengeName"] = kPasswordVerifier;
        Json::Value& answer = outcome.challenge["ChallengeParameters"];
        answer["SALT"] = absl::BytesToHexString(verifier.salt);
        answer["SRP_B"] = server.public_value;
        answer["SECRET_BLOCK"] = secret_block;
        answer["USERNAME"] = user_id;
        answer["USER_ID_FOR_SRP"] = user_id;
        return outcome;
      });
}

absl::StatusOr<AuthOutcome> FinishSrpSignIn(OperationContext& context,
                                            const AuthClient& client,
                                            const AuthParameters& responses) {
  const absl::StatusOr<std::string> signature =
      RequiredParameter(responses, "PASSWORD_CLAIM_SIGNATURE");
  if (!signature.ok()) return signature.status();
  const absl::StatusOr<std::string> secret_block =
      RequiredParameter(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  if (!secret_block.ok()) return secret_block.status();
  const absl::StatusOr<std::string> timestamp =
      RequiredParameter(responses, "TIMESTAMP");
  if (!timestamp.ok()) return timestamp.status();
  std::string block;
  if (!absl::Base64Unescape(*secret_block, &block)) return WrongPasswordError();
  const std::string& pool_id = client.pool.pool.id();
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<AuthOutcome> {
        const std::string hash = HashOfToken(*secret_block);
        const absl::StatusOr<std::optional<kept::Challenge>> challenge =
            records.FindChallenge(pool_id, hash);
        if (!challenge.ok()) return challenge.status();
        if (!challenge->has_value() ||
            (*challenge)->name() != kPasswordVerifier ||
            (*challenge)->client_id() != client.client.id() ||
            absl::FromUnixMicros((*challenge)->expires_us()) <= context.now) {
          return WrongPasswordError();
        }
        // It can be answered once.
        records.DeleteChallenge(pool_id, hash);
        AuthOutcome wrong;
        wrong.refusal = WrongPasswordError();
        if ((*challenge)->user_key().empty()) return wrong;
        absl::StatusOr<std::optional<kept::User>> user =
            records.FindUser(pool_id, (*challenge)->user_key());
        if (!user.ok()) return user.status();
        if (!user->has_value()) return wrong;
        const FoundUser found{.key = (*challenge)->user_key(),
                              .user = **std::move(user)};
        const absl::StatusOr<std::string> key =
            SrpKey((*challenge)->srp_a(),
                   {.private_value = (*challenge)->srp_private(),
                    .public_value = (*challenge)->srp_b()},
                   found.user.password().srp_verifier());
        if (!key.ok()) return wrong;
        const std::string expected =
            SrpSignature(*key, {.pool_id = pool_id,
                                .user_id = found.user.username(),
                                .secret_block = block,
                                .timestamp = *timestamp});
        return Admit(records, context, client, found,
                     AreEqualSecrets(expected, *signature)
                         ? PasswordProof::kRight
                         : PasswordProof::kWrong);
      });
}

}  // namespace byoshin::local::cognito
