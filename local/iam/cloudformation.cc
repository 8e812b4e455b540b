#include "local/iam/cloudformation.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "local/iam/managed_policies.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

using cloudformation::GeneratedName;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;
using cloudformation::TextsProperty;

constexpr std::size_t kMaxRoleNameLength = 64;
constexpr std::size_t kRoleIdLength = 17;  // after "AROA"
// Stored with the resource, though not a property of templates: milliseconds.
constexpr char kCreated[] = "CreateDate";

absl::Status In(absl::string_view where, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(where, ": ", status.message()));
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-iam-role.html
class RoleProvider final : public ResourceProvider {
 public:
  explicit RoleProvider(Iam& iam) : iam_(iam) {}

  absl::string_view type() const override { return "AWS::IAM::Role"; }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"AssumeRolePolicyDocument.**", "Description",
                     "ManagedPolicyArns[]", "Path",
                     "Policies[].PolicyDocument.**", "Policies[].PolicyName",
                     "RoleName"},
        .inert = {{"Tags", "the local cloud does not use tags"},
                  {"MaxSessionDuration",
                   "sessions belong to functions and are renewed in time"}},
        .required = {"AssumeRolePolicyDocument"},
        .create_only = {"Path", "RoleName"},
        .attributes = {"Arn", "RoleId"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    absl::StatusOr<std::string> name = NameOf(request);
    if (!name.ok()) return name.status();
    absl::StatusOr<Role> role = RoleOf(request, *name);
    if (!role.ok()) return role.status();
    if (iam_.FindRole(role->arn).has_value()) {
      return absl::AlreadyExistsError(
          absl::StrCat("Role with name ", *name, " already exists."));
    }
    return Put(request, *std::move(role));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    absl::StatusOr<Role> role = RoleOf(request, request.physical_id);
    if (!role.ok()) return role.status();
    return Put(request, *std::move(role));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    absl::StatusOr<std::string> path =
        TextProperty(request.properties, "Path", "/");
    if (!path.ok()) return path.status();
    iam_.DeleteRole(iam_.RoleArn(*path, request.physical_id));
    return absl::OkStatus();
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    absl::StatusOr<Role> role = RoleOf(request, request.physical_id);
    if (!role.ok()) return role.status();
    std::int64_t created = 0;
    if (const auto found = state.attributes.find(kCreated);
        found != state.attributes.end() &&
        absl::SimpleAtoi(found->second, &created)) {
      role->details.created = absl::FromUnixMillis(created);
    }
    iam_.PutRole(*std::move(role));
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<std::string> NameOf(const ResourceRequest& request) {
    return TextProperty(request.properties, "RoleName",
                        GeneratedName(request, kMaxRoleNameLength));
  }

  absl::StatusOr<ResourceState> Put(const ResourceRequest& request, Role role) {
    // Update() gets the same name as Create().
    ResourceState state{
        .physical_id = role.name,
        .attributes = {{"Arn", role.arn}, {"RoleId", RoleIdOf(request)}}};
    const std::string arn = role.arn;
    iam_.PutRole(std::move(role));
    if (const std::optional<Role> put = iam_.FindRole(arn)) {
      state.attributes[kCreated] =
          absl::StrCat(absl::ToUnixMillis(put->details.created));
    }
    return state;
  }

  static std::string RoleIdOf(const ResourceRequest& request) {
    std::string id = request.name_suffix;
    id.resize(kRoleIdLength, 'A');
    return absl::StrCat("AROA", id);
  }

  absl::StatusOr<Role> RoleOf(const ResourceRequest& request,
                              const std::string& name) const {
    const Json::Value& properties = request.properties;
    absl::StatusOr<std::string> path = TextProperty(properties, "Path", "/");
    if (!path.ok()) return path.status();
    Role role{.name = name, .arn = iam_.RoleArn(*path, name)};
    absl::StatusOr<PolicyDocument> trust =
        ParsePolicy(properties["AssumeRolePolicyDocument"], PolicyKind::kTrust);
    if (!trust.ok()) return In("AssumeRolePolicyDocument", trust.status());
    role.trust = *std::move(trust);
    role.details = {
        .path = *path,
        .id = RoleIdOf(request),
        .description = TextProperty(properties, "Description").value_or(""),
        .trust_text = json::WriteValue(properties["AssumeRolePolicyDocument"])};
    for (const Json::Value& policy : properties["Policies"]) {
      absl::StatusOr<std::string> policy_name =
          TextProperty(policy, "PolicyName");
      if (!policy_name.ok()) return policy_name.status();
      absl::StatusOr<PolicyDocument> document = ParsePolicy(
          PropertyAt(policy, "PolicyDocument"), PolicyKind::kIdentity);
      if (!document.ok()) {
        return In(absl::StrCat("policy ", *policy_name), document.status());
      }
      role.policies.push_back({*policy_name, *std::move(document)});
      role.details.inline_texts[*policy_name] =
          json::WriteValue(PropertyAt(policy, "PolicyDocument"));
    }
    absl::StatusOr<std::vector<std::string>> managed =
        TextsProperty(properties, "ManagedPolicyArns");
    if (!managed.ok()) return managed.status();
    for (const std::string& arn : *managed) {
      absl::StatusOr<NamedPolicy> policy = FindManagedPolicy(arn);
      if (!policy.ok()) return policy.status();
      role.policies.push_back(*std::move(policy));
      role.details.managed_arns.push_back(arn);
    }
    return role;
  }

  Iam& iam_;
};

}  // namespace

void AddIamProviders(Iam& iam, cloudformation::ProviderRegistry& registry) {
  registry.Add(std::make_unique<RoleProvider>(iam));
}

}  // namespace byoshin::local::iam
