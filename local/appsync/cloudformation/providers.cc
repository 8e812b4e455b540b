#include "local/appsync/cloudformation/providers.h"

#include <json/json.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/appsync/cloudformation/api_provider.h"
#include "local/appsync/cloudformation/part_provider.h"
#include "local/appsync/cloudformation/plane_calls.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

using cloudformation::ResourceRequest;
using cloudformation::ResourceState;

std::string PartsPath(const ResourceRequest& request, absl::string_view rest) {
  return absl::StrCat("/v1/apis/", ApiIdOf(request), "/", rest);
}

std::string PropertyOf(const ResourceRequest& request, const char* name) {
  return cloudformation::TextProperty(request.properties, name).value_or("");
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-apikey.html
PartType KeyType() {
  return {
      .type = "AWS::AppSync::ApiKey",
      .schema = {.acted_on = {"ApiId", "Description", "Expires"},
                 .required = {"ApiId"},
                 .create_only = {"ApiId"},
                 .attributes = {"ApiKey", "ApiKeyId", "Arn"}},
      .member = "apiKey",
      .path =
          [](const ResourceRequest& request) {
            return PartsPath(request, "apikeys");
          },
      .id = LastPart,
      .state =
          [](const ResourceRequest& request, const Json::Value& key) {
            const std::string id = json::TextMember(key, "id");
            const std::string arn = cloudformation::ArnOf(
                request.stack, "appsync",
                absl::StrCat("apis/", ApiIdOf(request), "/apikey/", id));
            return ResourceState{
                .physical_id = arn,
                .attributes = {{"ApiKey", id}, {"ApiKeyId", id}, {"Arn", arn}}};
          }};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-datasource.html
PartType SourceType() {
  return {
      .type = "AWS::AppSync::DataSource",
      .schema = {.acted_on = {"ApiId", "Description",
                              "DynamoDBConfig.AwsRegion",
                              "DynamoDBConfig.TableName",
                              "DynamoDBConfig.UseCallerCredentials",
                              "DynamoDBConfig.Versioned", "HttpConfig.**",
                              "LambdaConfig.LambdaFunctionArn", "Name",
                              "RelationalDatabaseConfig.**", "ServiceRoleArn",
                              "Type"},
                 .inert = {{"MetricsConfig", "the local cloud has no metrics"}},
                 .required = {"ApiId", "Name", "Type"},
                 .create_only = {"ApiId", "Name"},
                 .attributes = {"DataSourceArn", "Name"}},
      .member = "dataSource",
      .path =
          [](const ResourceRequest& request) {
            return PartsPath(request, "datasources");
          },
      .id = LastPart,
      .chosen_id =
          [](const ResourceRequest& request) {
            return PropertyOf(request, "Name");
          },
      .state =
          [](const ResourceRequest&, const Json::Value& source) {
            const std::string arn = json::TextMember(source, "dataSourceArn");
            return ResourceState{
                .physical_id = arn,
                .attributes = {{"DataSourceArn", arn},
                               {"Name", json::TextMember(source, "name")}}};
          }};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-functionconfiguration.html
PartType FunctionType() {
  return {
      .type = "AWS::AppSync::FunctionConfiguration",
      .schema = {.acted_on = {"ApiId", "Code", "DataSourceName", "Description",
                              "MaxBatchSize", "Name", "RequestMappingTemplate",
                              "ResponseMappingTemplate", "Runtime.Name",
                              "Runtime.RuntimeVersion"},
                 .inert = {{"FunctionVersion", "there is one version"}},
                 .required = {"ApiId", "DataSourceName", "Name"},
                 .create_only = {"ApiId"},
                 .attributes = {"DataSourceName", "FunctionArn", "FunctionId",
                                "Name"}},
      .member = "functionConfiguration",
      .path =
          [](const ResourceRequest& request) {
            return PartsPath(request, "functions");
          },
      .id = LastPart,
      .state =
          [](const ResourceRequest&, const Json::Value& function) {
            const std::string arn = json::TextMember(function, "functionArn");
            return ResourceState{
                .physical_id = arn,
                .attributes = {
                    {"DataSourceName",
                     json::TextMember(function, "dataSourceName")},
                    {"FunctionArn", arn},
                    {"FunctionId", json::TextMember(function, "functionId")},
                    {"Name", json::TextMember(function, "name")}}};
          }};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-resolver.html
PartType ResolverType() {
  return {
      .type = "AWS::AppSync::Resolver",
      .schema = {.acted_on = {"ApiId", "Code", "DataSourceName", "FieldName",
                              "Kind", "MaxBatchSize",
                              "PipelineConfig.Functions[]",
                              "RequestMappingTemplate",
                              "ResponseMappingTemplate", "Runtime.Name",
                              "Runtime.RuntimeVersion", "TypeName"},
                 .inert = {{"MetricsConfig", "the local cloud has no metrics"}},
                 .required = {"ApiId", "FieldName", "TypeName"},
                 .create_only = {"ApiId", "FieldName", "TypeName"},
                 .attributes = {"FieldName", "ResolverArn", "TypeName"}},
      .member = "resolver",
      .path =
          [](const ResourceRequest& request) {
            return PartsPath(
                request, absl::StrCat("types/", PropertyOf(request, "TypeName"),
                                      "/resolvers"));
          },
      .id = LastPart,
      .chosen_id =
          [](const ResourceRequest& request) {
            return PropertyOf(request, "FieldName");
          },
      .state =
          [](const ResourceRequest&, const Json::Value& resolver) {
            const std::string arn = json::TextMember(resolver, "resolverArn");
            return ResourceState{
                .physical_id = arn,
                .attributes = {
                    {"FieldName", json::TextMember(resolver, "fieldName")},
                    {"ResolverArn", arn},
                    {"TypeName", json::TextMember(resolver, "typeName")}}};
          }};
}

}  // namespace

void AddAppSyncProviders(Service& plane, std::function<std::string()> endpoint,
                         cloudformation::ProviderRegistry& registry) {
  const Plane calls{plane, std::move(endpoint)};
  registry.Add(NewApiProvider(calls));
  registry.Add(NewSchemaProvider(calls));
  for (PartType& type :
       std::vector{KeyType(), SourceType(), FunctionType(), ResolverType()}) {
    registry.Add(NewPartProvider(calls, std::move(type)));
  }
}

}  // namespace byoshin::local::appsync
