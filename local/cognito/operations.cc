#include "local/cognito/operations.h"

#include <json/json.h>

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {
namespace {

const std::map<std::string, OperationSpec, std::less<>>& AllOperations() {
  static const auto& operations =
      *new std::map<std::string, OperationSpec, std::less<>>{
          {"AddCustomAttributes", {AddCustomAttributesTo}},
          {"AdminAddUserToGroup", {AdminAddUserToGroup}},
          {"AdminConfirmSignUp", {AdminConfirmSignUp}},
          {"AdminCreateUser", {AdminCreateUser}},
          {"AdminDeleteUser", {AdminDeleteUser}},
          {"AdminDeleteUserAttributes", {AdminDeleteUserAttributes}},
          {"AdminDisableUser", {AdminDisableUser}},
          {"AdminEnableUser", {AdminEnableUser}},
          {"AdminGetUser", {AdminGetUser}},
          {"AdminInitiateAuth", {AdminInitiateAuth}},
          {"AdminListGroupsForUser", {AdminListGroupsForUser}},
          {"AdminRemoveUserFromGroup", {AdminRemoveUserFromGroup}},
          {"AdminResetUserPassword", {AdminResetUserPassword}},
          {"AdminRespondToAuthChallenge", {AdminRespondToAuthChallenge}},
          {"AdminSetUserMFAPreference", {AdminSetUserMfaPreference}},
          {"AdminSetUserPassword", {AdminSetUserPassword}},
          {"AdminUpdateUserAttributes", {AdminUpdateUserAttributes}},
          {"AdminUserGlobalSignOut", {AdminUserGlobalSignOut}},
          {"AssociateSoftwareToken", {AssociateSoftwareToken, true}},
          {kGiveTokens, {GiveTokens}},
          {"ChangePassword", {ChangePassword, true}},
          {"ConfirmForgotPassword", {ConfirmForgotPassword, true}},
          {"ConfirmSignUp", {ConfirmSignUp, true}},
          {"CreateGroup", {CreateGroup}},
          {"CreateUserPool", {CreateUserPool}},
          {"CreateUserPoolClient", {CreateUserPoolClient}},
          {"DeleteGroup", {DeleteGroup}},
          {"DeleteUser", {DeleteOwnUser, true}},
          {"DeleteUserAttributes", {DeleteOwnAttributes, true}},
          {"DeleteUserPool", {DeleteUserPool}},
          {"DeleteUserPoolClient", {DeleteUserPoolClient}},
          {"DescribeUserPool", {DescribeUserPool}},
          {"DescribeUserPoolClient", {DescribeUserPoolClient}},
          {"ForgotPassword", {ForgotPassword, true}},
          {"GetGroup", {GetGroup}},
          {"GetTokensFromRefreshToken", {GetTokensFromRefreshToken, true}},
          {"GetUser", {GetUser, true}},
          {"GetUserAttributeVerificationCode",
           {GetUserAttributeVerificationCode, true}},
          {"GetUserPoolMfaConfig", {GetUserPoolMfaConfig}},
          {"GlobalSignOut", {GlobalSignOut, true}},
          {"InitiateAuth", {InitiateAuth, true}},
          {"ListGroups", {ListGroups}},
          {"ListUserPoolClients", {ListUserPoolClients}},
          {"ListUserPools", {ListUserPools}},
          {"ListUsers", {ListUsers}},
          {"ListUsersInGroup", {ListUsersInGroup}},
          {"ResendConfirmationCode", {ResendConfirmationCode, true}},
          {"RespondToAuthChallenge", {RespondToAuthChallenge, true}},
          {"RevokeToken", {RevokeToken, true}},
          {"SetUserMFAPreference", {SetUserMfaPreference, true}},
          {"SetUserPoolMfaConfig", {SetUserPoolMfaConfig}},
          {"SignUp", {SignUp, true}},
          {"UpdateGroup", {UpdateGroup}},
          {"UpdateUserAttributes", {UpdateOwnAttributes, true}},
          {"UpdateUserPool", {UpdateUserPool}},
          {"UpdateUserPoolClient", {UpdateUserPoolClient}},
          {"VerifySoftwareToken", {VerifySoftwareToken, true}},
          {"VerifyUserAttribute", {VerifyUserAttribute, true}},
      };
  return operations;
}

}  // namespace

const Json::Value& OperationContext::body() const {
  static const auto& none = *new Json::Value(Json::objectValue);
  if (call.body.empty() || !call.JsonBody().ok()) return none;
  const Json::Value& body = *call.JsonBody();
  return body.isObject() ? body : none;
}

const OperationSpec* FindOperation(absl::string_view name) {
  const auto found = AllOperations().find(name);
  return found == AllOperations().end() ? nullptr : &found->second;
}

}  // namespace byoshin::local::cognito
