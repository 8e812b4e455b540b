#include "infra/cloudformation/cognito.h"

#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::cognito {

ResourceType UserPool::Type() {
  return {.name = "AWS::Cognito::UserPool",
          .attributes = {"Arn", "ProviderName", "ProviderURL", "UserPoolId"},
          .tags = ResourceType::Tags::kUserPool};
}

Properties UserPool::ToProperties() const {
  Properties properties;
  properties.Set("UserPoolName", name);
  properties.Set("AliasAttributes", List({"email"}));
  properties.Set("AutoVerifiedAttributes", List({"email"}));
  properties.Set("UsernameConfiguration", Object({{"CaseSensitive", false}}));
  properties.Set(
      "AccountRecoverySetting",
      Object({{"RecoveryMechanisms", List({Object({{"Name", "verified_email"},
                                                   {"Priority", 1}})})}}));
  if (!only_administrators_create_users.absent()) {
    properties.Set("AdminCreateUserConfig",
                   Object({{"AllowAdminCreateUserOnly",
                            only_administrators_create_users}}));
  }
  properties.Set("Policies",
                 Object({{"PasswordPolicy",
                          Object({{"MinimumLength", minimum_password_length},
                                  {"RequireLowercase", true},
                                  {"RequireNumbers", true},
                                  {"RequireSymbols", true},
                                  {"RequireUppercase", true}})}}));
  properties.Set("DeletionProtection", "ACTIVE");
  return properties;
}

ResourceType UserPoolClient::Type() {
  return {.name = "AWS::Cognito::UserPoolClient", .attributes = {"ClientId"}};
}

Properties UserPoolClient::ToProperties() const {
  Value::Items flows(auth_flows.begin(), auth_flows.end());
  Properties properties;
  properties.Require("UserPoolId", user_pool);
  properties.Set("ClientName", name);
  properties.SetList("ExplicitAuthFlows", flows);
  properties.Set("GenerateSecret", false);
  properties.Set("PreventUserExistenceErrors", "ENABLED");
  properties.Set("EnableTokenRevocation", true);
  if (token_validity.has_value()) {
    const Value minutes = absl::ToInt64Minutes(*token_validity);
    properties.Set("IdTokenValidity", minutes);
    properties.Set("AccessTokenValidity", minutes);
    properties.Set("TokenValidityUnits", Object({{"IdToken", "minutes"},
                                                 {"AccessToken", "minutes"}}));
  }
  return properties;
}

}  // namespace byoshin::infra::cloudformation::cognito
