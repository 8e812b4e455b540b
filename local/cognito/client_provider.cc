#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cognito/cognito.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/provider_calls.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr char kNoPage[] = "the local cloud has no page to sign in";

ResourceState ClientState(const Json::Value& client) {
  const std::string id = json::TextMember(client, "ClientId");
  return {
      .physical_id = id,
      .attributes = {{"ClientId", id},
                     {"ClientSecret", json::TextMember(client, "ClientSecret")},
                     {"Name", json::TextMember(client, "ClientName")}}};
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolclient.html
class ClientProvider final : public ResourceProvider {
 public:
  explicit ClientProvider(Cognito& cognito) : cognito_(cognito) {}

  absl::string_view type() const override {
    return "AWS::Cognito::UserPoolClient";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"AccessTokenValidity", "AuthSessionValidity", "ClientName",
                     "EnableTokenRevocation", "ExplicitAuthFlows[]",
                     "GenerateSecret", "IdTokenValidity",
                     "PreventUserExistenceErrors", "ReadAttributes[]",
                     "RefreshTokenRotation.Feature",
                     "RefreshTokenRotation.RetryGracePeriodSeconds",
                     "RefreshTokenValidity", "TokenValidityUnits.AccessToken",
                     "TokenValidityUnits.IdToken",
                     "TokenValidityUnits.RefreshToken", "UserPoolId",
                     "WriteAttributes[]"},
        .inert = {{"AllowedOAuthFlows", kNoPage},
                  {"AllowedOAuthFlowsUserPoolClient", kNoPage},
                  {"AllowedOAuthScopes", kNoPage},
                  {"AnalyticsConfiguration", "nothing is analysed"},
                  {"CallbackURLs", kNoPage},
                  {"DefaultRedirectURI", kNoPage},
                  {"EnablePropagateAdditionalUserContextData",
                   "there is no threat protection"},
                  {"LogoutURLs", kNoPage},
                  {"SupportedIdentityProviders", kNoPage}},
        .required = {"UserPoolId"},
        .create_only = {"GenerateSecret", "UserPoolId"},
        .attributes = {"ClientId", "ClientSecret", "Name"}};
    return schema;
  }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::vector<kept::Client>> owned =
        cognito_.ClientsOwnedBy(OwnerOf(request));
    if (!owned.ok()) return owned.status();
    for (const kept::Client& client : *owned) {
      if (client.pool_id() == PoolId(request)) {
        return Describe(request, client.id());
      }
    }
    return std::nullopt;
  }

  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::vector<kept::Client>> owned =
        cognito_.ClientsOwnedBy(OwnerPrefix(request));
    if (!owned.ok()) return owned.status();
    return NewestSuffix(request, *owned);
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = Describe(request, request.physical_id).status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<Json::Value> created =
        CallFor(cognito_, request, "CreateUserPoolClient", ClientBody(request));
    if (!created.ok()) return created.status();
    return ClientState((*created)["UserPoolClient"]);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    Json::Value body = ClientBody(request);
    body["ClientId"] = request.physical_id;
    const absl::StatusOr<Json::Value> updated =
        CallFor(cognito_, request, "UpdateUserPoolClient", body);
    if (!updated.ok()) return updated.status();
    return ClientState((*updated)["UserPoolClient"]);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    Json::Value body(Json::objectValue);
    body["UserPoolId"] = PoolId(request);
    body["ClientId"] = request.physical_id;
    const absl::Status deleted =
        CallFor(cognito_, request, "DeleteUserPoolClient", body).status();
    return IsMissingResource(deleted) ? absl::OkStatus() : deleted;
  }

 private:
  static std::string PoolId(const ResourceRequest& request) {
    return TextProperty(request.properties, "UserPoolId").value_or("");
  }

  static Json::Value ClientBody(const ResourceRequest& request) {
    Json::Value body = request.properties;
    // The model does not have it yet, so that CallFor() can't convert it.
    constexpr char kGrace[] = "RetryGracePeriodSeconds";
    std::int64_t seconds = 0;
    if (Json::Value& rotation = body["RefreshTokenRotation"];
        rotation.isObject() && rotation[kGrace].isString() &&
        absl::SimpleAtoi(rotation[kGrace].asString(), &seconds)) {
      rotation[kGrace] = Json::Int64(seconds);
    }
    if (!body.isMember("ClientName")) {
      body["ClientName"] =
          cloudformation::GeneratedName(request, kMaxNameLength);
    }
    return body;
  }

  absl::StatusOr<ResourceState> Describe(const ResourceRequest& request,
                                         const std::string& id) {
    Json::Value body(Json::objectValue);
    body["UserPoolId"] = PoolId(request);
    body["ClientId"] = id;
    const absl::StatusOr<Json::Value> client =
        CallFor(cognito_, request, "DescribeUserPoolClient", body);
    if (!client.ok()) return client.status();
    return ClientState((*client)["UserPoolClient"]);
  }

  Cognito& cognito_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewClientProvider(Cognito& cognito) {
  return std::make_unique<ClientProvider>(cognito);
}

}  // namespace byoshin::local::cognito
