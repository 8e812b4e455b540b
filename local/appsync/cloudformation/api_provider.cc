#include "local/appsync/cloudformation/api_provider.h"

#include <json/json.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "local/appsync/cloudformation/plane_calls.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::appsync {
namespace {

using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

Json::Value ApiTagsIn(const Json::Value& properties) {
  Json::Value tags(Json::objectValue);
  for (const Json::Value& tag : PropertyAt(properties, "Tags")) {
    tags[json::TextMember(tag, "Key")] =
        cloudformation::ScalarText(tag["Value"]);
  }
  return tags;
}

Json::Value VariablesIn(const Json::Value& properties) {
  Json::Value variables(Json::objectValue);
  const Json::Value& given = PropertyAt(properties, "EnvironmentVariables");
  if (!given.isObject()) return variables;
  for (const std::string& name : given.getMemberNames()) {
    variables[name] = cloudformation::ScalarText(given[name]);
  }
  return variables;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-graphqlapi.html
class ApiProvider final : public ResourceProvider {
 public:
  explicit ApiProvider(Plane plane) : plane_(std::move(plane)) {}

  absl::string_view type() const override { return "AWS::AppSync::GraphQLApi"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"AdditionalAuthenticationProviders[].AuthenticationType",
                     "AdditionalAuthenticationProviders[]."
                     "LambdaAuthorizerConfig.**",
                     "AdditionalAuthenticationProviders[]."
                     "OpenIDConnectConfig.**",
                     "AdditionalAuthenticationProviders[].UserPoolConfig.**",
                     "ApiType", "AuthenticationType", "EnvironmentVariables.*",
                     "IntrospectionConfig", "LambdaAuthorizerConfig.**",
                     "LogConfig.CloudWatchLogsRoleArn",
                     "LogConfig.ExcludeVerboseContent",
                     "LogConfig.FieldLogLevel", "Name",
                     // The control plane refuses it with the reason.
                     "OpenIDConnectConfig.**", "QueryDepthLimit",
                     "ResolverCountLimit", "Tags[].Key", "Tags[].Value",
                     "UserPoolConfig.**", "Visibility", "XrayEnabled"},
        .inert = {{"OwnerContact", "it is only reported"},
                  {"EnhancedMetricsConfig", "the local cloud has no metrics"}},
        .required = {"AuthenticationType", "Name"},
        .attributes = {"ApiId", "Arn", "GraphQLDns", "GraphQLEndpointArn",
                       "GraphQLUrl", "RealtimeDns", "RealtimeUrl"}};
    return schema;
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = Get(request).status();
    if (IsMissingPart(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    Json::Value body = RequestOf(request.properties);
    body["tags"] = ApiTagsIn(request.properties);
    const absl::StatusOr<Json::Value> created =
        CallPlane(plane_, request, "POST /v1/apis", body);
    if (!created.ok()) return created.status();
    const Json::Value& api = (*created)["graphqlApi"];
    const std::string path =
        absl::StrCat("/v1/apis/", json::TextMember(api, "apiId"));
    const absl::Status put = PutVariables(request, path);
    if (!put.ok()) {
      CallPlane(plane_, request, absl::StrCat("DELETE ", path))
          .status()
          .IgnoreError();
      return put;
    }
    return StateOfApi(api);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    const absl::StatusOr<Json::Value> updated =
        CallPlane(plane_, request, absl::StrCat("POST ", PathOf(request)),
                  RequestOf(request.properties));
    if (!updated.ok()) return updated.status();
    absl::Status done = PutVariables(request, PathOf(request));
    if (done.ok()) done = UpdateTags(request, previous);
    if (!done.ok()) return done;
    return StateOfApi((*updated)["graphqlApi"]);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    absl::Status deleted =
        CallPlane(plane_, request, absl::StrCat("DELETE ", PathOf(request)))
            .status();
    return IsMissingPart(deleted) ? absl::OkStatus() : deleted;
  }

 private:
  static std::string PathOf(const ResourceRequest& request) {
    return absl::StrCat("/v1/apis/", LastPart(request.physical_id));
  }

  static ResourceState StateOfApi(const Json::Value& api) {
    const std::string arn = json::TextMember(api, "arn");
    return {.physical_id = arn,
            .attributes = {
                {"ApiId", json::TextMember(api, "apiId")},
                {"Arn", arn},
                {"GraphQLDns", json::TextMember(api["dns"], "GRAPHQL")},
                {"GraphQLEndpointArn", arn},
                {"GraphQLUrl", json::TextMember(api["uris"], "GRAPHQL")},
                {"RealtimeDns", json::TextMember(api["dns"], "REALTIME")},
                {"RealtimeUrl", json::TextMember(api["uris"], "REALTIME")}}};
  }

  absl::StatusOr<Json::Value> Get(const ResourceRequest& request) {
    return CallPlane(plane_, request, absl::StrCat("GET ", PathOf(request)));
  }

  absl::Status PutVariables(const ResourceRequest& request,
                            const std::string& path) {
    Json::Value body(Json::objectValue);
    body["environmentVariables"] = VariablesIn(request.properties);
    return CallPlane(plane_, request,
                     absl::StrCat("PUT ", path, "/environmentVariables"), body)
        .status();
  }

  absl::Status UpdateTags(const ResourceRequest& request,
                          const Json::Value& previous) {
    const std::string path =
        absl::StrCat("/v1/tags/", http::PercentEncode(request.physical_id));
    const Json::Value after = ApiTagsIn(request.properties);
    const Json::Value before = ApiTagsIn(previous);
    for (const std::string& key : before.getMemberNames()) {
      if (after.isMember(key)) continue;
      const absl::Status untagged = RemoveTag(request, key);
      if (!untagged.ok()) return untagged;
    }
    Json::Value body(Json::objectValue);
    body["tags"] = after;
    return CallPlane(plane_, request, absl::StrCat("POST ", path), body)
        .status();
  }

  absl::Status RemoveTag(const ResourceRequest& request,
                         const std::string& key) {
    return CallPlane(plane_, request,
                     absl::StrCat("DELETE /v1/tags/",
                                  http::PercentEncode(request.physical_id),
                                  "?tagKeys=", http::PercentEncode(key)))
        .status();
  }

  const Plane plane_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-appsync-graphqlschema.html
class SchemaProvider final : public ResourceProvider {
 public:
  explicit SchemaProvider(Plane plane) : plane_(std::move(plane)) {}

  absl::string_view type() const override {
    return "AWS::AppSync::GraphQLSchema";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema =
        *new ResourceSchema{.acted_on = {"ApiId", "Definition"},
                            .required = {"ApiId", "Definition"},
                            .create_only = {"ApiId"},
                            .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request);
  }

  // A schema is deleted with its API, as on AWS.
  absl::Status Delete(const ResourceRequest&) override {
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request) {
    const absl::StatusOr<std::string> sdl =
        cloudformation::TextProperty(request.properties, "Definition");
    if (!sdl.ok()) return sdl.status();
    const std::string path =
        absl::StrCat("/v1/apis/", ApiIdOf(request), "/schemacreation");
    Json::Value body(Json::objectValue);
    body["definition"] = absl::Base64Escape(*sdl);
    const absl::Status started =
        CallPlane(plane_, request, absl::StrCat("POST ", path), body).status();
    if (!started.ok()) return started;
    const absl::StatusOr<Json::Value> status =
        CallPlane(plane_, request, absl::StrCat("GET ", path));
    if (!status.ok()) return status.status();
    if (json::TextMember(*status, "status") != "SUCCESS") {
      return absl::InvalidArgumentError(absl::StrCat(
          "the schema is invalid: ", json::TextMember(*status, "details")));
    }
    const std::string id = absl::StrCat(ApiIdOf(request), "GraphQLSchema");
    return ResourceState{.physical_id = id, .attributes = {{"Id", id}}};
  }

  const Plane plane_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewApiProvider(Plane plane) {
  return std::make_unique<ApiProvider>(std::move(plane));
}

std::unique_ptr<ResourceProvider> NewSchemaProvider(Plane plane) {
  return std::make_unique<SchemaProvider>(std::move(plane));
}

}  // namespace byoshin::local::appsync
