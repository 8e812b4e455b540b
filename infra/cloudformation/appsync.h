// AWS AppSync: GraphQL APIs with resolvers in JavaScript.
//
//   Resource api = stack.Add("Api", appsync::GraphQlApi{.name = "mesh", …});
//   Resource schema = stack.Add(
//       "Schema", appsync::GraphQlSchema{.api_id = api.Attribute("ApiId"),
//                                        .definition = text});
//   stack.Add("GetGroupResolver",
//             appsync::Resolver{.api_id = api.Attribute("ApiId"),
//                               .type_name = "Query", .field_name = "getGroup",
//                               .data_source = source.Attribute("Name"),
//                               .code = code},
//             {.depends_on = {schema.id()}});
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_APPSYNC_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_APPSYNC_H_

#include <string>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::appsync {

// An API whose callers have an API key. Ref is its ARN.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-graphqlapi.html
struct GraphQlApi {
  Value name{};
  // The role in which AppSync writes logs, and of which fields: "NONE", "ERROR"
  // or "ALL".
  Value log_role{};
  Value field_log_level{};
  Value xray_enabled{};
  // "ENABLED" or "DISABLED".
  Value introspection{};
  Value query_depth_limit{};
  Value resolver_count_limit{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-graphqlschema.html
struct GraphQlSchema {
  Value api_id{};
  Value definition{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-apikey.html
struct ApiKey {
  Value api_id{};
  std::string description{};
  // In seconds since 1970; without it, in a week.
  Value expires{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// A table, a function, or neither, for resolvers that need none.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-datasource.html
struct DataSource {
  Value api_id{};
  std::string name{};
  std::string description{};
  // In which AppSync uses it.
  Value service_role{};
  Value table_name{};
  Value function_arn{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// A function of pipelines.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-functionconfiguration.html
struct FunctionConfiguration {
  Value api_id{};
  std::string name{};
  std::string description{};
  Value data_source{};
  Value code{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// Of a data source, or a pipeline if there are functions.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-resolver.html
struct Resolver {
  Value api_id{};
  std::string type_name{};
  std::string field_name{};
  Value data_source{};
  Value::Items functions{};
  Value code{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::appsync

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_APPSYNC_H_
