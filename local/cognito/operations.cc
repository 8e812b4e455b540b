#include "local/cognito/operations.h"

#include <json/json.h>

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cognito {
namespace {

const std::map<std::string, Operation, std::less<>>& AllOperations() {
  static const auto& operations =
      *new std::map<std::string, Operation, std::less<>>{
          {"AddCustomAttributes", AddCustomAttributesTo},
          {"AdminAddUserToGroup", AdminAddUserToGroup},
          {"AdminConfirmSignUp", AdminConfirmSignUp},
          {"AdminCreateUser", AdminCreateUser},
          {"AdminDeleteUser", AdminDeleteUser},
          {"AdminDeleteUserAttributes", AdminDeleteUserAttributes},
          {"AdminDisableUser", AdminDisableUser},
          {"AdminEnableUser", AdminEnableUser},
          {"AdminGetUser", AdminGetUser},
          {"AdminInitiateAuth", AdminInitiateAuth},
          {"AdminListGroupsForUser", AdminListGroupsForUser},
          {"AdminRemoveUserFromGroup", AdminRemoveUserFromGroup},
          {"AdminResetUserPassword", AdminResetUserPassword},
          {"AdminRespondToAuthChallenge", AdminRespondToAuthChallenge},
          {"AdminSetUserMFAPreference", AdminSetUserMfaPreference},
          {"AdminSetUserPassword", AdminSetUserPassword},
          {"AdminUpdateUserAttributes", AdminUpdateUserAttributes},
          {"AdminUserGlobalSignOut", AdminUserGlobalSignOut},
          {"AssociateSoftwareToken", AssociateSoftwareToken},
          {kGiveTokens, GiveTokens},
          {"ChangePassword", ChangePassword},
          {"ConfirmForgotPassword", ConfirmForgotPassword},
          {"ConfirmSignUp", ConfirmSignUp},
          {"CreateGroup", CreateGroup},
          {"CreateUserPool", CreateUserPool},
          {"CreateUserPoolClient", CreateUserPoolClient},
          {"DeleteGroup", DeleteGroup},
          {"DeleteUser", DeleteOwnUser},
          {"DeleteUserAttributes", DeleteOwnAttributes},
          {"DeleteUserPool", DeleteUserPool},
          {"DeleteUserPoolClient", DeleteUserPoolClient},
          {"DescribeUserPool", DescribeUserPool},
          {"DescribeUserPoolClient", DescribeUserPoolClient},
          {"ForgotPassword", ForgotPassword},
          {"GetGroup", GetGroup},
          {"GetTokensFromRefreshToken", GetTokensFromRefreshToken},
          {"GetUser", GetUser},
          {"GetUserAttributeVerificationCode",
           GetUserAttributeVerificationCode},
          {"GetUserPoolMfaConfig", GetUserPoolMfaConfig},
          {"GlobalSignOut", GlobalSignOut},
          {"InitiateAuth", InitiateAuth},
          {"ListGroups", ListGroups},
          {"ListUserPoolClients", ListUserPoolClients},
          {"ListUserPools", ListUserPools},
          {"ListUsers", ListUsers},
          {"ListUsersInGroup", ListUsersInGroup},
          {"ResendConfirmationCode", ResendConfirmationCode},
          {"RespondToAuthChallenge", RespondToAuthChallenge},
          {"RevokeToken", RevokeToken},
          {"SetUserMFAPreference", SetUserMfaPreference},
          {"SetUserPoolMfaConfig", SetUserPoolMfaConfig},
          {"SignUp", SignUp},
          {"UpdateGroup", UpdateGroup},
          {"UpdateUserAttributes", UpdateOwnAttributes},
          {"UpdateUserPool", UpdateUserPool},
          {"UpdateUserPoolClient", UpdateUserPoolClient},
          {"VerifySoftwareToken", VerifySoftwareToken},
          {"VerifyUserAttribute", VerifyUserAttribute},
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

Operation FindOperation(absl::string_view name) {
  const auto found = AllOperations().find(name);
  return found == AllOperations().end() ? nullptr : found->second;
}

}  // namespace byoshin::local::cognito
