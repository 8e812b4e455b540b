#include "local/secretsmanager/target_attachment.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"
#include "local/secretsmanager/provider_calls.h"

namespace byoshin::local::secretsmanager {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr char kClusterType[] = "AWS::RDS::DBCluster";

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secrettargetattachment.html
class TargetAttachmentProvider final : public ResourceProvider {
 public:
  TargetAttachmentProvider(Service& manager, ClusterLookup clusters)
      : manager_(manager), clusters_(std::move(clusters)) {}

  absl::string_view type() const override {
    return "AWS::SecretsManager::SecretTargetAttachment";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema =
        *new ResourceSchema{.acted_on = {"SecretId", "TargetId", "TargetType"},
                            .required = {"SecretId", "TargetId", "TargetType"},
                            .create_only = {"SecretId"},
                            .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Attach(request);
  }
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Attach(request);
  }
  // What was added remains, as the credentials do.
  absl::Status Delete(const ResourceRequest&) override {
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ResourceState> Attach(const ResourceRequest& request) {
    const absl::StatusOr<std::string> id =
        TextProperty(request.properties, "SecretId");
    if (!id.ok()) return id.status();
    const absl::StatusOr<Json::Value> target = FindTarget(request);
    if (!target.ok()) return target.status();
    const absl::StatusOr<Json::Value> current =
        CallFor(manager_, request, "GetSecretValue", SecretIdBody(*id));
    if (!current.ok()) return current.status();
    const absl::StatusOr<Json::Value> value =
        json::ParseValue(json::TextMember(*current, "SecretString"));
    if (!value.ok() || !value->isObject()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the secret ", *id, " is not a JSON object"));
    }
    Json::Value attached = *value;
    for (const std::string& name : target->getMemberNames()) {
      attached[name] = (*target)[name];
    }
    if (attached != *value) {
      Json::Value body = SecretIdBody(*id);
      body["SecretString"] = json::WriteValue(attached);
      body["ClientRequestToken"] = random::NewUuid();
      const absl::Status put =
          CallFor(manager_, request, "PutSecretValue", body).status();
      if (!put.ok()) return put;
    }
    return StateOf(json::TextMember(*current, "ARN"));
  }

  absl::StatusOr<Json::Value> FindTarget(const ResourceRequest& request) {
    const absl::StatusOr<std::string> target_type =
        TextProperty(request.properties, "TargetType");
    if (!target_type.ok()) return target_type.status();
    if (*target_type != kClusterType) {
      return absl::InvalidArgumentError(absl::StrCat(
          "TargetType ", *target_type,
          " is not supported: the local cloud has ", kClusterType));
    }
    const absl::StatusOr<std::string> target_id =
        TextProperty(request.properties, "TargetId");
    if (!target_id.ok()) return target_id.status();
    return clusters_(request.stack, *target_id);
  }

  Service& manager_;
  const ClusterLookup clusters_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewTargetAttachmentProvider(
    Service& manager, ClusterLookup clusters) {
  return std::make_unique<TargetAttachmentProvider>(manager,
                                                    std::move(clusters));
}

}  // namespace byoshin::local::secretsmanager
