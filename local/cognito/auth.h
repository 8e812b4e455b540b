// How a user signs in: the steps that several operations share.
#ifndef BYOSHIN_LOCAL_COGNITO_AUTH_H_
#define BYOSHIN_LOCAL_COGNITO_AUTH_H_

#include <json/json.h>

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/client_settings.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/operations.h"
#include "local/cognito/records.h"
#include "local/cognito/tokens.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

inline constexpr char kMfaSetup[] = "MFA_SETUP";

enum class CalledBy { kUser, kAdmin };

// A client and its pool.
struct AuthClient {
  PoolAndRules pool{};
  kept::Client client{};
  ClientRules rules{};
};
// Reads ClientId and, of an administrator, UserPoolId.
absl::StatusOr<AuthClient> GetAuthClient(OperationContext& context,
                                         JsonFields& fields, CalledBy caller);

// The result of a step. Unlike an error, a refusal keeps the changes of its
// transaction, such as a count of failures.
struct AuthOutcome {
  absl::Status refusal{};
  std::optional<NewTokens> tokens{};
  // What is asked next, if there are no tokens: the answer of the operation.
  Json::Value challenge{};
};
// The answer of InitiateAuth and RespondToAuthChallenge.
absl::StatusOr<Json::Value> AuthAnswer(
    const OperationContext& context, const AuthClient& client,
    const absl::StatusOr<AuthOutcome>& outcome);

// NotAuthorizedException while the user is locked out.
absl::Status CheckNotLocked(const kept::User& user, absl::Time now);

// Returns the client with its pool, and the rules of both.
absl::StatusOr<AuthClient> AuthClientOf(Records& records, kept::Client client);

// Counts a failed attempt. Enough of them lock the user out.
void CountFailure(kept::User& user, absl::Time now);

// Stores a challenge of this client. Returns its Session.
std::string PutNewChallenge(Records& records, const OperationContext& context,
                            const AuthClient& client,
                            kept::Challenge challenge);

// Says which challenge an answer is for.
struct ChallengeReference {
  std::string name{};
  std::string session{};
  std::string username{};
};
struct PendingChallenge {
  kept::Challenge challenge{};
  FoundUser user{};
};
// Returns the challenge and its user. NotAuthorizedException if there is no
// such challenge, or it has expired.
absl::StatusOr<PendingChallenge> FindPendingChallenge(
    Records& records, const OperationContext& context, const AuthClient& client,
    const ChallengeReference& reference);

// The factor that a user needs besides the password.
enum class Factor {
  kNone,
  kSoftwareToken,
  // Must set one up first.
  kSetup,
};
Factor FactorFor(const PoolRules& rules, const kept::User& user);
// Asks for the factor, which is not kNone.
AuthOutcome AskForFactor(Records& records, const OperationContext& context,
                         const AuthClient& client, const FoundUser& user,
                         Factor factor);

enum class FactorProof { kMissing, kRight };
// Returns tokens, or the next challenge, for a user who gave the right
// password.
absl::StatusOr<AuthOutcome> Proceed(Records& records,
                                    const OperationContext& context,
                                    const AuthClient& client,
                                    const FoundUser& user, FactorProof proof);

enum class PasswordProof { kRight, kWrong };
// What follows from the user's password: failures are counted, and a user who
// may sign in does. `seen` is the user as the password was compared with.
absl::StatusOr<AuthOutcome> Admit(Records& records, OperationContext& context,
                                  const AuthClient& client,
                                  const FoundUser& seen, PasswordProof proof);

// Signs in with a password. Takes long.
absl::StatusOr<AuthOutcome> SignInWithPassword(OperationContext& context,
                                               const AuthClient& client,
                                               const std::string& username,
                                               const std::string& password);

using AuthParameters = std::map<std::string, std::string>;

// The SRP flow: its beginning, and the answer to PASSWORD_VERIFIER.
absl::StatusOr<AuthOutcome> BeginSrpSignIn(OperationContext& context,
                                           const AuthClient& client,
                                           const AuthParameters& parameters);
absl::StatusOr<AuthOutcome> FinishSrpSignIn(OperationContext& context,
                                            const AuthClient& client,
                                            const AuthParameters& responses);

// The answer to NEW_PASSWORD_REQUIRED. Takes long.
absl::StatusOr<AuthOutcome> SetNewPassword(OperationContext& context,
                                           const AuthClient& client,
                                           const std::string& session,
                                           const AuthParameters& responses);

// The answer to SOFTWARE_TOKEN_MFA.
absl::StatusOr<AuthOutcome> AnswerSoftwareToken(
    OperationContext& context, const AuthClient& client,
    const std::string& session, const AuthParameters& responses);
// The answer to MFA_SETUP, after VerifySoftwareToken.
absl::StatusOr<AuthOutcome> FinishMfaSetup(OperationContext& context,
                                           const AuthClient& client,
                                           const std::string& session,
                                           const AuthParameters& responses);

// The value of a parameter that must be there.
absl::StatusOr<std::string> RequiredParameter(const AuthParameters& parameters,
                                              const std::string& name);
std::string OptionalParameter(const AuthParameters& parameters,
                              const std::string& name);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_AUTH_H_
