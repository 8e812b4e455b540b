// Groups, users and memberships, and the domain of a page that is not there.

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cognito/cognito.h"
#include "local/cognito/limits.h"
#include "local/cognito/provider_calls.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

// A resource inside a pool that its pool and its own name identify.
class NamedInPool : public ResourceProvider {
 public:
  struct Calls {
    const char* name_member;  // "GroupName"
    const char* create;
    const char* get;
    const char* update;  // null if it can't be updated
    const char* remove;
  };
  NamedInPool(Cognito& cognito, const Calls& calls)
      : cognito_(cognito), calls_(calls) {}

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    absl::Status found =
        CallFor(cognito_, request, calls_.get, Named(request, NameOf(request)))
            .status();
    if (IsMissingResource(found)) return std::nullopt;
    if (!found.ok()) return found;
    return ResourceState{.physical_id = NameOf(request)};
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = CallFor(cognito_, request, calls_.get,
                                 Named(request, request.physical_id))
                             .status();
    if (IsMissingResource(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    Json::Value body = request.properties;
    body[calls_.name_member] = NameOf(request);
    absl::Status created =
        CallFor(cognito_, request, calls_.create, body).status();
    if (!created.ok()) return created;
    return ResourceState{.physical_id = NameOf(request)};
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    if (calls_.update != nullptr) {
      Json::Value body = request.properties;
      body[calls_.name_member] = request.physical_id;
      absl::Status updated =
          CallFor(cognito_, request, calls_.update, body).status();
      if (!updated.ok()) return updated;
    }
    return ResourceState{.physical_id = request.physical_id};
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::Status deleted = CallFor(cognito_, request, calls_.remove,
                                         Named(request, request.physical_id))
                                     .status();
    return IsMissingResource(deleted) ? absl::OkStatus() : deleted;
  }

 private:
  std::string NameOf(const ResourceRequest& request) const {
    const std::string name =
        cloudformation::TextProperty(request.properties, calls_.name_member)
            .value_or("");
    return name.empty() ? cloudformation::GeneratedName(request, kMaxNameLength)
                        : name;
  }

  Json::Value Named(const ResourceRequest& request,
                    const std::string& name) const {
    Json::Value body(Json::objectValue);
    body["UserPoolId"] =
        cloudformation::TextProperty(request.properties, "UserPoolId")
            .value_or("");
    body[calls_.name_member] = name;
    return body;
  }

  Cognito& cognito_;
  const Calls calls_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolgroup.html
class GroupProvider final : public NamedInPool {
 public:
  explicit GroupProvider(Cognito& cognito)
      : NamedInPool(cognito, {.name_member = "GroupName",
                              .create = "CreateGroup",
                              .get = "GetGroup",
                              .update = "UpdateGroup",
                              .remove = "DeleteGroup"}) {}

  absl::string_view type() const override {
    return "AWS::Cognito::UserPoolGroup";
  }
  const ResourceSchema& schema() const override {
    static const auto& schema =
        *new ResourceSchema{.acted_on = {"Description", "GroupName",
                                         "Precedence", "RoleArn", "UserPoolId"},
                            .required = {"UserPoolId"},
                            .create_only = {"GroupName", "UserPoolId"}};
    return schema;
  }
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooluser.html
class UserProvider final : public NamedInPool {
 public:
  explicit UserProvider(Cognito& cognito)
      : NamedInPool(cognito, {.name_member = "Username",
                              .create = "AdminCreateUser",
                              .get = "AdminGetUser",
                              .update = nullptr,
                              .remove = "AdminDeleteUser"}) {}

  absl::string_view type() const override {
    return "AWS::Cognito::UserPoolUser";
  }
  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"ForceAliasCreation", "MessageAction",
                     "UserAttributes[].Name", "UserAttributes[].Value",
                     "UserPoolId", "Username"},
        .inert = {{"ClientMetadata", "there are no Lambda triggers"},
                  {"DesiredDeliveryMediums",
                   "the local cloud sends no mail and no messages"},
                  {"ValidationData", "there are no Lambda triggers"}},
        .required = {"UserPoolId"},
        .create_only = {"ForceAliasCreation", "MessageAction", "UserAttributes",
                        "UserPoolId", "Username"}};
    return schema;
  }
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolusertogroupattachment.html
class MembershipProvider final : public ResourceProvider {
 public:
  explicit MembershipProvider(Cognito& cognito) : cognito_(cognito) {}

  absl::string_view type() const override {
    return "AWS::Cognito::UserPoolUserToGroupAttachment";
  }
  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"GroupName", "UserPoolId", "Username"},
        .required = {"GroupName", "UserPoolId", "Username"},
        .create_only = {"GroupName", "UserPoolId", "Username"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::Status added =
        CallFor(cognito_, request, "AdminAddUserToGroup", request.properties)
            .status();
    if (!added.ok()) return added;
    return ResourceState{
        .physical_id = cloudformation::GeneratedName(request, kMaxNameLength)};
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Create(request);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::Status removed =
        CallFor(cognito_, request, "AdminRemoveUserFromGroup",
                request.properties)
            .status();
    return IsMissingResource(removed) ? absl::OkStatus() : removed;
  }

 private:
  Cognito& cognito_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooldomain.html
class DomainProvider final : public ResourceProvider {
 public:
  absl::string_view type() const override {
    return "AWS::Cognito::UserPoolDomain";
  }
  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Domain", "UserPoolId"},
        .inert = {{"CustomDomainConfig",
                   "the local cloud has no page to sign in"},
                  {"ManagedLoginVersion",
                   "the local cloud has no page to sign in"}},
        .required = {"Domain", "UserPoolId"},
        .create_only = {"Domain", "UserPoolId"},
        .attributes = {"CloudFrontDistribution"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::StatusOr<std::string> domain =
        cloudformation::TextProperty(request.properties, "Domain");
    if (!domain.ok()) return domain.status();
    return ResourceState{.physical_id = *std::move(domain),
                         .attributes = {{"CloudFrontDistribution", ""}}};
  }
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Create(request);
  }
  absl::Status Delete(const ResourceRequest&) override {
    return absl::OkStatus();
  }
};

}  // namespace

std::unique_ptr<ResourceProvider> NewGroupProvider(Cognito& cognito) {
  return std::make_unique<GroupProvider>(cognito);
}

std::unique_ptr<ResourceProvider> NewUserProvider(Cognito& cognito) {
  return std::make_unique<UserProvider>(cognito);
}

std::unique_ptr<ResourceProvider> NewMembershipProvider(Cognito& cognito) {
  return std::make_unique<MembershipProvider>(cognito);
}

std::unique_ptr<ResourceProvider> NewDomainProvider() {
  return std::make_unique<DomainProvider>();
}

}  // namespace byoshin::local::cognito
