// Amazon Cognito: user pools and their clients.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_COGNITO_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_COGNITO_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::cognito {

// A pool whose users sign in with their name or a verified e-mail address.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
struct UserPool {
  Value name{};
  // Whether users are made by administrators only.
  Value only_administrators_create_users{};
  int minimum_password_length = 0;

  static ResourceType Type();
  // Always protected against deletion.
  Properties ToProperties() const;
};

// A public client, such as a page in a browser: it has no secret.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolclient.html
struct UserPoolClient {
  Value user_pool{};
  Value name{};
  std::vector<std::string> auth_flows{};
  // Whole minutes.
  std::optional<absl::Duration> token_validity{};

  static ResourceType Type();
  // Errors don't tell whether a user exists, and tokens can be revoked.
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::cognito

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_COGNITO_H_
