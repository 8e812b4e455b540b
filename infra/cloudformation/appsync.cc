#include "infra/cloudformation/appsync.h"

#include <string>

#include "core/appsync/runtime.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::appsync {
namespace {

// The only version of the JavaScript runtime.
Value JavaScriptRuntime() {
  return Object({{"Name", ::byoshin::appsync::kRuntimeName},
                 {"RuntimeVersion", ::byoshin::appsync::kRuntimeVersion}});
}

Value DescriptionOf(const std::string& description) {
  return description.empty() ? Value() : Value(description);
}

}  // namespace

ResourceType GraphQlApi::Type() {
  return {.name = "AWS::AppSync::GraphQLApi",
          .attributes = {"ApiId", "Arn", "GraphQLDns", "GraphQLEndpointArn",
                         "GraphQLUrl", "RealtimeDns", "RealtimeUrl"},
          .tags = ResourceType::Tags::kList};
}

Properties GraphQlApi::ToProperties() const {
  Properties properties;
  properties.Require("Name", name);
  properties.Set("AuthenticationType", "API_KEY");
  if (!log_role.absent()) {
    properties.Set("LogConfig", Object({{"CloudWatchLogsRoleArn", log_role},
                                        {"FieldLogLevel", field_log_level},
                                        {"ExcludeVerboseContent", false}}));
  }
  properties.Set("XrayEnabled", xray_enabled);
  properties.Set("IntrospectionConfig", introspection);
  properties.Set("QueryDepthLimit", query_depth_limit);
  properties.Set("ResolverCountLimit", resolver_count_limit);
  return properties;
}

ResourceType GraphQlSchema::Type() {
  return {.name = "AWS::AppSync::GraphQLSchema", .attributes = {"Id"}};
}

Properties GraphQlSchema::ToProperties() const {
  Properties properties;
  properties.Require("ApiId", api_id);
  properties.Require("Definition", definition);
  return properties;
}

ResourceType ApiKey::Type() {
  return {.name = "AWS::AppSync::ApiKey",
          .attributes = {"ApiKey", "ApiKeyId", "Arn"}};
}

Properties ApiKey::ToProperties() const {
  Properties properties;
  properties.Require("ApiId", api_id);
  properties.Set("Description", DescriptionOf(description));
  properties.Set("Expires", expires);
  return properties;
}

ResourceType DataSource::Type() {
  return {.name = "AWS::AppSync::DataSource",
          .attributes = {"DataSourceArn", "Name"}};
}

Properties DataSource::ToProperties() const {
  const bool has_table = !table_name.absent();
  const bool has_function = !function_arn.absent();
  Properties properties;
  properties.Require("ApiId", api_id);
  properties.Require("Name", name.empty() ? Value() : Value(name));
  properties.Set("Description", DescriptionOf(description));
  properties.Set("Type", has_table      ? "AMAZON_DYNAMODB"
                         : has_function ? "AWS_LAMBDA"
                                        : "NONE");
  if (has_table || has_function) {
    properties.Require("ServiceRoleArn", service_role);
  }
  if (has_table) {
    properties.Set(
        "DynamoDBConfig",
        Object({{"TableName", table_name}, {"AwsRegion", Ref("AWS::Region")}}));
  }
  if (has_function) {
    properties.Set("LambdaConfig",
                   Object({{"LambdaFunctionArn", function_arn}}));
  }
  return properties;
}

ResourceType FunctionConfiguration::Type() {
  return {
      .name = "AWS::AppSync::FunctionConfiguration",
      .attributes = {"DataSourceName", "FunctionArn", "FunctionId", "Name"}};
}

Properties FunctionConfiguration::ToProperties() const {
  Properties properties;
  properties.Require("ApiId", api_id);
  properties.Require("Name", name.empty() ? Value() : Value(name));
  properties.Set("Description", DescriptionOf(description));
  properties.Require("DataSourceName", data_source);
  properties.Set("Runtime", JavaScriptRuntime());
  properties.Require("Code", code);
  return properties;
}

ResourceType Resolver::Type() {
  return {.name = "AWS::AppSync::Resolver",
          .attributes = {"FieldName", "ResolverArn", "TypeName"}};
}

Properties Resolver::ToProperties() const {
  Properties properties;
  properties.Require("ApiId", api_id);
  properties.Set("TypeName", type_name);
  properties.Set("FieldName", field_name);
  if (functions.empty()) {
    properties.Set("Kind", "UNIT");
    properties.Require("DataSourceName", data_source);
  } else {
    properties.Set("Kind", "PIPELINE");
    properties.Set("PipelineConfig", Object({{"Functions", List(functions)}}));
  }
  properties.Set("Runtime", JavaScriptRuntime());
  properties.Require("Code", code);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::appsync
