#include "local/appsync/auth/field_access.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/graphql_api.h"

namespace byoshin::local::appsync {
namespace {

bool IsInOneOf(const ApiCaller& caller,
               const std::optional<std::vector<std::string>>& groups) {
  if (!groups.has_value()) return true;
  return std::any_of(
      groups->begin(), groups->end(), [&](const std::string& group) {
        return std::find(caller.groups.begin(), caller.groups.end(), group) !=
               caller.groups.end();
      });
}

bool Allows(const graphql::Authorization& directives, const ApiCaller& caller) {
  switch (caller.type) {
    case AuthenticationType::kApiKey:
      return directives.api_key;
    case AuthenticationType::kIam:
      return directives.iam;
    case AuthenticationType::kLambda:
      return directives.lambda;
    case AuthenticationType::kUserPools:
      return (directives.cognito_user_pools &&
              IsInOneOf(caller, directives.cognito_groups)) ||
             (directives.aws_auth &&
              IsInOneOf(caller, directives.aws_auth_groups));
  }
  return false;
}

}  // namespace

bool MaySee(const ApiCaller& caller, const graphql::NamedType& type,
            const graphql::FieldDefinition& field) {
  if (type.built_in) return true;
  if (field.authorization.any()) return Allows(field.authorization, caller);
  if (type.authorization.any()) return Allows(type.authorization, caller);
  return caller.by_default_provider && caller.allowed_by_default;
}

bool IsDenied(const ApiCaller& caller, absl::string_view api_arn,
              absl::string_view type, absl::string_view field) {
  if (caller.denied_fields.empty()) return false;
  const std::string name = absl::StrCat(type, ".", field);
  const std::string arn = FieldArn(api_arn, type, field);
  return std::any_of(caller.denied_fields.begin(), caller.denied_fields.end(),
                     [&](const std::string& denied) {
                       return denied == name || denied == arn;
                     });
}

bool MayAccess(const ApiCaller& caller, absl::string_view api_arn,
               const graphql::NamedType& type,
               const graphql::FieldDefinition& field) {
  return MaySee(caller, type, field) &&
         !IsDenied(caller, api_arn, type.name, field.name);
}

std::string FieldArn(absl::string_view api_arn, absl::string_view type,
                     absl::string_view field) {
  return absl::StrCat(api_arn, "/types/", type, "/fields/", field);
}

}  // namespace byoshin::local::appsync
