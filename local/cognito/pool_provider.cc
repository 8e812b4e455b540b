#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/cognito/cognito.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/provider_calls.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

constexpr char kNoMail[] = "the local cloud sends no mail and no messages";
constexpr char kNoDevices[] = "the local cloud does not remember devices";

ResourceState StateOf(const ResourceRequest& request, const std::string& id) {
  const std::string name =
      absl::StrCat("cognito-idp.", request.stack.region, ".amazonaws.com/", id);
  return {.physical_id = id,
          .attributes = {
              {"Arn", cloudformation::ArnOf(request.stack, "cognito-idp",
                                            absl::StrCat("userpool/", id))},
              {"ProviderName", name},
              {"ProviderURL", absl::StrCat("https://", name)},
              {"UserPoolId", id}}};
}

Json::Value PoolBody(const ResourceRequest& request) {
  Json::Value body = request.properties;
  const std::string name =
      cloudformation::TextProperty(request.properties, "UserPoolName")
          .value_or("");
  body["PoolName"] =
      name.empty() ? cloudformation::GeneratedName(request, kMaxNameLength)
                   : name;
  body.removeMember("UserPoolName");
  // An update takes the factors away that the template does not have any more.
  if (!body.isMember("EnabledMfas")) body["EnabledMfas"] = Json::arrayValue;
  return body;
}

Json::Value WithPoolId(const std::string& id) {
  Json::Value body(Json::objectValue);
  body["UserPoolId"] = id;
  return body;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
class PoolProvider final : public ResourceProvider {
 public:
  explicit PoolProvider(Cognito& cognito) : cognito_(cognito) {}

  absl::string_view type() const override { return "AWS::Cognito::UserPool"; }
  const ResourceSchema& schema() const override;

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::vector<kept::Pool>> owned =
        cognito_.PoolsOwnedBy(OwnerOf(request));
    if (!owned.ok()) return owned.status();
    if (owned->empty()) return std::nullopt;
    return StateOf(request, owned->front().id());
  }

  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::vector<kept::Pool>> owned =
        cognito_.PoolsOwnedBy(OwnerPrefix(request));
    if (!owned.ok()) return owned.status();
    return NewestSuffix(request, *owned);
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    return cognito_.directory().Find(request.physical_id) == nullptr;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<Json::Value> created =
        CallFor(cognito_, request, "CreateUserPool", PoolBody(request));
    if (!created.ok()) return created.status();
    return StateOf(request, json::TextMember((*created)["UserPool"], "Id"));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override;

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::Status deleted = CallFor(cognito_, request, "DeleteUserPool",
                                         WithPoolId(request.physical_id))
                                     .status();
    return IsMissingResource(deleted) ? absl::OkStatus() : deleted;
  }

  absl::Status DeleteNew(const ResourceRequest& request) override {
    Json::Value body = PoolBody(request);
    body["UserPoolId"] = request.physical_id;
    body["DeletionProtection"] = "INACTIVE";
    absl::Status unprotected =
        CallFor(cognito_, request, "UpdateUserPool", body).status();
    if (IsMissingResource(unprotected)) return absl::OkStatus();
    if (!unprotected.ok()) return unprotected;
    return Delete(request);
  }

  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override {
    const absl::StatusOr<Json::Value> pool = CallFor(
        cognito_, request, "DescribeUserPool", WithPoolId(request.physical_id));
    if (IsMissingResource(pool.status())) return "";
    if (!pool.ok()) return pool.status();
    const std::int64_t users =
        (*pool)["UserPool"]["EstimatedNumberOfUsers"].asInt64();
    if (users == 0) return "";
    return absl::StrCat(users, users == 1 ? " user" : " users");
  }

 private:
  // Adds the attributes of the schema that the pool does not have yet.
  absl::Status AddAttributes(const ResourceRequest& request);

  Cognito& cognito_;
};

const ResourceSchema& PoolProvider::schema() const {
  static const auto& schema = *new ResourceSchema{
      .acted_on = {"AdminCreateUserConfig.AllowAdminCreateUserOnly",
                   "AdminCreateUserConfig.UnusedAccountValidityDays",
                   "AliasAttributes[]",
                   "AutoVerifiedAttributes[]",
                   "DeletionProtection",
                   "EnabledMfas[]",
                   "MfaConfiguration",
                   "Policies.PasswordPolicy.MinimumLength",
                   "Policies.PasswordPolicy.RequireLowercase",
                   "Policies.PasswordPolicy.RequireNumbers",
                   "Policies.PasswordPolicy.RequireSymbols",
                   "Policies.PasswordPolicy.RequireUppercase",
                   "Policies.PasswordPolicy.TemporaryPasswordValidityDays",
                   "Schema[].AttributeDataType",
                   "Schema[].DeveloperOnlyAttribute",
                   "Schema[].Mutable",
                   "Schema[].Name",
                   "Schema[].NumberAttributeConstraints.MaxValue",
                   "Schema[].NumberAttributeConstraints.MinValue",
                   "Schema[].Required",
                   "Schema[].StringAttributeConstraints.MaxLength",
                   "Schema[].StringAttributeConstraints.MinLength",
                   "UserPoolName",
                   "UserPoolTags.*",
                   "UsernameAttributes[]",
                   "UsernameConfiguration.CaseSensitive"},
      .inert = {{"AccountRecoverySetting", kNoMail},
                {"AdminCreateUserConfig.InviteMessageTemplate", kNoMail},
                {"DeviceConfiguration", kNoDevices},
                {"EmailConfiguration", kNoMail},
                {"EmailVerificationMessage", kNoMail},
                {"EmailVerificationSubject", kNoMail},
                {"Policies.PasswordPolicy.PasswordHistorySize",
                 "former passwords are not kept"},
                {"Policies.SignInPolicy", "users sign in with a password only"},
                {"SmsAuthenticationMessage", kNoMail},
                {"SmsConfiguration", kNoMail},
                {"SmsVerificationMessage", kNoMail},
                {"UserAttributeUpdateSettings", kNoMail},
                {"UserPoolAddOns", "there is no threat protection"},
                {"UserPoolTier", "the local cloud has one tier"},
                {"VerificationMessageTemplate", kNoMail}},
      .attributes = {"Arn", "ProviderName", "ProviderURL", "UserPoolId"}};
  return schema;
}

absl::Status PoolProvider::AddAttributes(const ResourceRequest& request) {
  const absl::StatusOr<Json::Value> pool = CallFor(
      cognito_, request, "DescribeUserPool", WithPoolId(request.physical_id));
  if (!pool.ok()) return pool.status();
  std::set<std::string> known;
  for (const Json::Value& attribute : (*pool)["UserPool"]["SchemaAttributes"]) {
    known.insert(attribute["Name"].asString());
  }
  Json::Value body = WithPoolId(request.physical_id);
  for (const Json::Value& attribute :
       PropertyAt(request.properties, "Schema")) {
    const std::string name = json::TextMember(attribute, "Name");
    if (known.contains(name) || known.contains(absl::StrCat("custom:", name)) ||
        known.contains(absl::StrCat("dev:custom:", name))) {
      continue;
    }
    body["CustomAttributes"].append(attribute);
  }
  if (!body.isMember("CustomAttributes")) return absl::OkStatus();
  return CallFor(cognito_, request, "AddCustomAttributes", body).status();
}

absl::StatusOr<ResourceState> PoolProvider::Update(
    const ResourceRequest& request, const Json::Value& previous) {
  // A template that drops these would not get what it asks for.
  for (const char* fixed :
       {"AliasAttributes", "UsernameAttributes", "UsernameConfiguration"}) {
    if (!previous.empty() &&
        previous[fixed] != PropertyAt(request.properties, fixed)) {
      return absl::InvalidArgumentError(
          absl::StrCat("Updates are not allowed for property - ", fixed, "."));
    }
  }
  std::set<std::string> wanted;
  for (const Json::Value& attribute :
       PropertyAt(request.properties, "Schema")) {
    wanted.insert(json::WriteValue(attribute));
  }
  for (const Json::Value& attribute : PropertyAt(previous, "Schema")) {
    if (wanted.contains(json::WriteValue(attribute))) continue;
    return absl::InvalidArgumentError(
        "Existing schema attributes cannot be modified or deleted.");
  }
  Json::Value body = PoolBody(request);
  body["UserPoolId"] = request.physical_id;
  absl::Status updated =
      CallFor(cognito_, request, "UpdateUserPool", body).status();
  if (updated.ok()) updated = AddAttributes(request);
  if (!updated.ok()) return updated;
  return StateOf(request, request.physical_id);
}

}  // namespace

std::unique_ptr<ResourceProvider> NewPoolProvider(Cognito& cognito) {
  return std::make_unique<PoolProvider>(cognito);
}

}  // namespace byoshin::local::cognito
