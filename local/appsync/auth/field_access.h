// Which fields a caller may see, by the directives of the schema.
//
// A field's directives count; without any, those of its type; without either,
// only callers of the API's default provider may see it.
// https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html
#ifndef BYOSHIN_LOCAL_APPSYNC_AUTH_FIELD_ACCESS_H_
#define BYOSHIN_LOCAL_APPSYNC_AUTH_FIELD_ACCESS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync {

// Whether the directives allow the field. IAM's policies are not asked.
bool MaySee(const ApiCaller& caller, const graphql::NamedType& type,
            const graphql::FieldDefinition& field);

// Whether an authorizer's function has denied the field of the API with this
// ARN.
bool IsDenied(const ApiCaller& caller, absl::string_view api_arn,
              absl::string_view type, absl::string_view field);

// Both: the directives allow it, and it is not denied.
bool MayAccess(const ApiCaller& caller, absl::string_view api_arn,
               const graphql::NamedType& type,
               const graphql::FieldDefinition& field);

// The resource of the action appsync:GraphQL.
std::string FieldArn(absl::string_view api_arn, absl::string_view type,
                     absl::string_view field);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_AUTH_FIELD_ACCESS_H_
