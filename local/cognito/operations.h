// The operations of Cognito's API. They run on threads that may block; each
// does what takes long outside of the database's transactions.
#ifndef BYOSHIN_LOCAL_COGNITO_OPERATIONS_H_
#define BYOSHIN_LOCAL_COGNITO_OPERATIONS_H_

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/database.h"
#include "local/cognito/directory.h"
#include "local/cognito/password.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/jwt/rsa_key.h"

namespace byoshin::local::cognito {

struct CognitoOptions {
  // Tests use a lower one.
  PasswordCost password_cost = kPasswordCost;
  // Makes the key of a new pool. Never null.
  std::function<absl::StatusOr<jwt::RsaKey>()> new_key = jwt::RsaKey::Generate;
  // Called with what would be sent to a user: a text with a code. May be null.
  std::function<void(const std::string&)> on_note{};
};

struct OperationContext {
  Database& database;
  const Directory& directory;
  const CognitoOptions& options;
  const Call& call;
  absl::Time now;

  // The request's JSON object; empty if it is not one.
  const Json::Value& body() const;
  std::int64_t now_us() const { return absl::ToUnixMicros(now); }
};

using Operation = absl::StatusOr<Json::Value> (*)(OperationContext& context,
                                                  JsonFields& fields);

// Null if the local cloud has no such operation.
Operation FindOperation(absl::string_view name);

// Set on calls from within the process: the resource of a template that a new
// pool or client is for. Calls from outside have no headers.
inline constexpr char kOwnerHeader[] = "X-Byoshin-Owner";

// By the files that define them.

absl::StatusOr<Json::Value> AddCustomAttributesTo(OperationContext&,
                                                  JsonFields&);
absl::StatusOr<Json::Value> CreateUserPool(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteUserPool(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DescribeUserPool(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetUserPoolMfaConfig(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> ListUserPools(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> SetUserPoolMfaConfig(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> UpdateUserPool(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> CreateUserPoolClient(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> DeleteUserPoolClient(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> DescribeUserPoolClient(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> ListUserPoolClients(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateUserPoolClient(OperationContext&,
                                                 JsonFields&);

absl::StatusOr<Json::Value> AdminConfirmSignUp(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminCreateUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminDeleteUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminDeleteUserAttributes(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> AdminDisableUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminEnableUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminGetUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminResetUserPassword(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> AdminSetUserPassword(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> AdminUpdateUserAttributes(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> AdminUserGlobalSignOut(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> ListUsers(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> AdminAddUserToGroup(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminListGroupsForUser(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> AdminRemoveUserFromGroup(OperationContext&,
                                                     JsonFields&);
absl::StatusOr<Json::Value> CreateGroup(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteGroup(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetGroup(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListGroups(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListUsersInGroup(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateGroup(OperationContext&, JsonFields&);

// Not of AWS: tokens of a user without a password, for trying. The request has
// Username, and UserPool and Client, each an ID or a name, unless there is only
// one. A user who is not there is created, with a random password.
inline constexpr char kGiveTokens[] = "ByoshinGiveTokens";
absl::StatusOr<Json::Value> GiveTokens(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> AdminInitiateAuth(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> AdminRespondToAuthChallenge(OperationContext&,
                                                        JsonFields&);
absl::StatusOr<Json::Value> GetTokensFromRefreshToken(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> InitiateAuth(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> RespondToAuthChallenge(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> RevokeToken(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> ConfirmForgotPassword(OperationContext&,
                                                  JsonFields&);
absl::StatusOr<Json::Value> ConfirmSignUp(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ForgotPassword(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ResendConfirmationCode(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> SignUp(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> AdminSetUserMfaPreference(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> AssociateSoftwareToken(OperationContext&,
                                                   JsonFields&);
absl::StatusOr<Json::Value> SetUserMfaPreference(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> VerifySoftwareToken(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> ChangePassword(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteOwnAttributes(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteOwnUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetUser(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetUserAttributeVerificationCode(OperationContext&,
                                                             JsonFields&);
absl::StatusOr<Json::Value> GlobalSignOut(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateOwnAttributes(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> VerifyUserAttribute(OperationContext&, JsonFields&);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_OPERATIONS_H_
