// What every schema of AppSync has without declaring it, besides scalars.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_BUILT_IN_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_BUILT_IN_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::graphql {

// The type that has __schema, __type and __typename. Not part of a schema.
inline constexpr absl::string_view kMetaFieldsType = "__MetaFields";

inline constexpr absl::string_view kBuiltInDefinitions = R"graphql(
directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
directive @deprecated(reason: String = "No longer supported")
  on FIELD_DEFINITION | ENUM_VALUE
directive @specifiedBy(url: String!) on SCALAR
"Tells the service which mutations are published to a subscription."
directive @aws_subscribe(mutations: [String]) on FIELD_DEFINITION
"Tells the service which subscriptions are published when a mutation is called."
directive @aws_publish(subscriptions: [String]) on FIELD_DEFINITION
"Requests with an API key have access."
directive @aws_api_key on OBJECT | FIELD_DEFINITION
"Requests that are signed have access."
directive @aws_iam on OBJECT | FIELD_DEFINITION
"Requests with a token of an OpenID Connect provider have access."
directive @aws_oidc on OBJECT | FIELD_DEFINITION
"Requests that a function authorizes have access."
directive @aws_lambda on OBJECT | FIELD_DEFINITION
"Requests with a token of a Cognito user pool have access."
directive @aws_cognito_user_pools(cognito_groups: [String])
  on OBJECT | FIELD_DEFINITION
"Users of these groups of the Cognito user pool have access."
directive @aws_auth(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION

type __Schema {
  description: String
  types: [__Type!]!
  queryType: __Type!
  mutationType: __Type
  subscriptionType: __Type
  directives: [__Directive!]!
}

type __Type {
  kind: __TypeKind!
  name: String
  description: String
  specifiedByURL: String
  fields(includeDeprecated: Boolean = false): [__Field!]
  interfaces: [__Type!]
  possibleTypes: [__Type!]
  enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
  inputFields: [__InputValue!]
  ofType: __Type
}

enum __TypeKind {
  SCALAR
  OBJECT
  INTERFACE
  UNION
  ENUM
  INPUT_OBJECT
  LIST
  NON_NULL
}

type __Field {
  name: String!
  description: String
  args: [__InputValue!]!
  type: __Type!
  isDeprecated: Boolean!
  deprecationReason: String
}

type __InputValue {
  name: String!
  description: String
  type: __Type!
  defaultValue: String
}

type __EnumValue {
  name: String!
  description: String
  isDeprecated: Boolean!
  deprecationReason: String
}

type __Directive {
  name: String!
  description: String
  locations: [__DirectiveLocation!]!
  args: [__InputValue!]!
  isRepeatable: Boolean!
}

enum __DirectiveLocation {
  QUERY
  MUTATION
  SUBSCRIPTION
  FIELD
  FRAGMENT_DEFINITION
  FRAGMENT_SPREAD
  INLINE_FRAGMENT
  VARIABLE_DEFINITION
  SCHEMA
  SCALAR
  OBJECT
  FIELD_DEFINITION
  ARGUMENT_DEFINITION
  INTERFACE
  UNION
  ENUM
  ENUM_VALUE
  INPUT_OBJECT
  INPUT_FIELD_DEFINITION
}

type __MetaFields {
  __schema: __Schema!
  __type(name: String!): __Type
  __typename: String!
}
)graphql";

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_BUILT_IN_H_
