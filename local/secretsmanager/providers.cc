#include "local/secretsmanager/providers.h"

#include <json/json.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/error.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/secretsmanager/dynamic_reference.h"
#include "local/secretsmanager/limits.h"
#include "local/secretsmanager/provider_calls.h"
#include "local/secretsmanager/random_password.h"
#include "local/secretsmanager/target_attachment.h"

namespace byoshin::local::secretsmanager {
namespace {

using cloudformation::BoolProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

constexpr char kGenerate[] = "GenerateSecretString";
constexpr char kLiteral[] = "SecretString";

bool IsMissingSecret(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  return error.has_value() && error->code == "ResourceNotFoundException";
}

absl::StatusOr<PasswordRules> ReadRules(const Json::Value& properties) {
  const Json::Value& source = PropertyAt(properties, kGenerate);
  PasswordRules rules;
  const absl::StatusOr<std::int64_t> length = cloudformation::IntegerProperty(
      source, "PasswordLength", kDefaultPasswordLength);
  if (!length.ok()) return length.status();
  rules.length = *length;
  const absl::StatusOr<std::string> excluded =
      TextProperty(source, "ExcludeCharacters");
  if (!excluded.ok()) return excluded.status();
  rules.exclude_characters = *excluded;
  const std::pair<const char*, bool*> flags[] = {
      {"ExcludeLowercase", &rules.exclude_lowercase},
      {"ExcludeUppercase", &rules.exclude_uppercase},
      {"ExcludeNumbers", &rules.exclude_numbers},
      {"ExcludePunctuation", &rules.exclude_punctuation},
      {"IncludeSpace", &rules.include_space},
      {"RequireEachIncludedType", &rules.require_each_included_type}};
  for (const auto& [name, flag] : flags) {
    const absl::StatusOr<bool> value = BoolProperty(source, name, *flag);
    if (!value.ok()) return value.status();
    *flag = *value;
  }
  return rules;
}

// The template with the password added under the key; without a template, the
// password itself.
absl::StatusOr<std::string> Generate(const Json::Value& properties) {
  const absl::StatusOr<PasswordRules> rules = ReadRules(properties);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<std::string> password = NewPassword(*rules);
  if (!password.ok()) {
    return absl::InvalidArgumentError(ErrorAnswerOf(password.status()).message);
  }
  const Json::Value& source = PropertyAt(properties, kGenerate);
  const absl::StatusOr<std::string> text =
      TextProperty(source, "SecretStringTemplate");
  const absl::StatusOr<std::string> key =
      TextProperty(source, "GenerateStringKey");
  if (!text.ok()) return text.status();
  if (!key.ok()) return key.status();
  if (text->empty() != key->empty()) {
    return absl::InvalidArgumentError(
        "GenerateSecretString needs both or neither of SecretStringTemplate "
        "and GenerateStringKey");
  }
  if (text->empty()) return *password;
  absl::StatusOr<Json::Value> value = json::ParseValue(*text);
  if (!value.ok() || !value->isObject()) {
    return absl::InvalidArgumentError(
        "GenerateSecretString.SecretStringTemplate is not a JSON object");
  }
  (*value)[*key] = *password;
  return json::WriteValue(*value);
}

// The value of a new version; nullopt if the template declares none.
absl::StatusOr<std::optional<std::string>> NewValue(
    const Json::Value& properties) {
  const bool literal = properties.isMember(kLiteral);
  if (literal && properties.isMember(kGenerate)) {
    return absl::InvalidArgumentError(
        "SecretString and GenerateSecretString exclude each other");
  }
  if (literal) {
    absl::StatusOr<std::string> text = TextProperty(properties, kLiteral);
    if (!text.ok()) return text.status();
    return *std::move(text);
  }
  if (!properties.isMember(kGenerate)) return std::nullopt;
  absl::StatusOr<std::string> generated = Generate(properties);
  if (!generated.ok()) return generated.status();
  return *std::move(generated);
}

absl::Status AddValue(const Json::Value& properties, Json::Value& body) {
  const absl::StatusOr<std::optional<std::string>> value = NewValue(properties);
  if (!value.ok()) return value.status();
  if (!value->has_value()) return absl::OkStatus();
  body["SecretString"] = **value;
  body["ClientRequestToken"] = random::NewUuid();
  return absl::OkStatus();
}

absl::Status AddTexts(const Json::Value& properties, Json::Value& body) {
  for (const char* name : {"Description", "KmsKeyId"}) {
    const absl::StatusOr<std::string> text = TextProperty(properties, name);
    if (!text.ok()) return text.status();
    body[name] = *text;
  }
  return absl::OkStatus();
}

std::map<std::string, std::string> TagsIn(const Json::Value& properties) {
  std::map<std::string, std::string> tags;
  for (const Json::Value& tag : PropertyAt(properties, "Tags")) {
    tags[json::TextMember(tag, "Key")] =
        cloudformation::ScalarText(tag["Value"]);
  }
  return tags;
}

Json::Value TagListOf(const Json::Value& properties) {
  Json::Value list(Json::arrayValue);
  for (const auto& [key, value] : TagsIn(properties)) {
    Json::Value tag(Json::objectValue);
    tag["Key"] = key;
    tag["Value"] = value;
    list.append(std::move(tag));
  }
  return list;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html
class SecretProvider final : public ResourceProvider {
 public:
  explicit SecretProvider(Service& manager) : manager_(manager) {}

  absl::string_view type() const override {
    return "AWS::SecretsManager::Secret";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"Description", "GenerateSecretString.ExcludeCharacters",
                     "GenerateSecretString.ExcludeLowercase",
                     "GenerateSecretString.ExcludeNumbers",
                     "GenerateSecretString.ExcludePunctuation",
                     "GenerateSecretString.ExcludeUppercase",
                     "GenerateSecretString.GenerateStringKey",
                     "GenerateSecretString.IncludeSpace",
                     "GenerateSecretString.PasswordLength",
                     "GenerateSecretString.RequireEachIncludedType",
                     "GenerateSecretString.SecretStringTemplate", "KmsKeyId",
                     "Name", "SecretString", "Tags[].Key", "Tags[].Value"},
        .create_only = {"Name"},
        .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    absl::StatusOr<Json::Value> secret = Describe(request, NameOf(request));
    if (IsMissingSecret(secret.status())) return std::nullopt;
    if (!secret.ok()) return secret.status();
    // Create() then says that it is scheduled for deletion.
    if (secret->isMember("DeletedDate")) return std::nullopt;
    return StateOf(json::TextMember(*secret, "ARN"));
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    absl::Status found = Describe(request, request.physical_id).status();
    if (IsMissingSecret(found)) return true;
    if (!found.ok()) return found;
    return false;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    Json::Value body(Json::objectValue);
    absl::Status read = AddTexts(request.properties, body);
    if (read.ok()) read = AddValue(request.properties, body);
    if (!read.ok()) return read;
    body["Name"] = NameOf(request);
    body["Tags"] = TagListOf(request.properties);
    const absl::StatusOr<Json::Value> created =
        CallFor(manager_, request, "CreateSecret", body);
    if (!created.ok()) return created.status();
    return StateOf(json::TextMember(*created, "ARN"));
  }

  // The value changes only if the template's declaration of it does.
  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value& previous) override {
    Json::Value body = SecretIdBody(request.physical_id);
    absl::Status done = AddTexts(request.properties, body);
    const bool known = previous.isObject() && !previous.empty();
    if (done.ok() && known &&
        (previous[kLiteral] != request.properties[kLiteral] ||
         previous[kGenerate] != request.properties[kGenerate])) {
      done = AddValue(request.properties, body);
    }
    if (done.ok()) {
      done = CallFor(manager_, request, "UpdateSecret", body).status();
    }
    if (done.ok()) done = UpdateTags(request, previous);
    if (!done.ok()) return done;
    return StateOf(request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    Json::Value body = SecretIdBody(request.physical_id);
    body["ForceDeleteWithoutRecovery"] = true;
    return CallFor(manager_, request, "DeleteSecret", body).status();
  }

  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override {
    const absl::StatusOr<Json::Value> secret =
        Describe(request, request.physical_id);
    if (!secret.ok()) return "";
    // A single version is what the template has declared.
    const Json::ArrayIndex versions = (*secret)["VersionIdsToStages"].size();
    if (versions < 2) return "";
    return absl::StrCat(versions, " versions");
  }

 private:
  static std::string NameOf(const ResourceRequest& request) {
    const std::string name =
        TextProperty(request.properties, "Name").value_or("");
    return name.empty() ? cloudformation::GeneratedName(request, kMaxNameLength)
                        : name;
  }

  absl::StatusOr<Json::Value> Describe(const ResourceRequest& request,
                                       const std::string& id) {
    return CallFor(manager_, request, "DescribeSecret", SecretIdBody(id));
  }

  absl::Status UpdateTags(const ResourceRequest& request,
                          const Json::Value& previous) {
    const std::map<std::string, std::string> after = TagsIn(request.properties);
    Json::Value untag = SecretIdBody(request.physical_id);
    for (const auto& [key, value] : TagsIn(previous)) {
      if (!after.contains(key)) untag["TagKeys"].append(key);
    }
    if (untag.isMember("TagKeys")) {
      const absl::Status done =
          CallFor(manager_, request, "UntagResource", untag).status();
      if (!done.ok()) return done;
    }
    Json::Value tag = SecretIdBody(request.physical_id);
    tag["Tags"] = TagListOf(request.properties);
    return CallFor(manager_, request, "TagResource", tag).status();
  }

  Service& manager_;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-resourcepolicy.html
class ResourcePolicyProvider final : public ResourceProvider {
 public:
  explicit ResourcePolicyProvider(Service& manager) : manager_(manager) {}

  absl::string_view type() const override {
    return "AWS::SecretsManager::ResourcePolicy";
  }

  const ResourceSchema& schema() const override {
    static const auto& schema = *new ResourceSchema{
        .acted_on = {"ResourcePolicy.**", "SecretId"},
        .inert = {{"BlockPublicPolicy", "the local cloud has one account"}},
        .required = {"ResourcePolicy", "SecretId"},
        .create_only = {"SecretId"},
        .attributes = {"Id"}};
    return schema;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    const absl::StatusOr<std::string> id =
        TextProperty(request.properties, "SecretId");
    if (!id.ok()) return id.status();
    return Put(request, *id);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, request.physical_id);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    const absl::Status deleted =
        CallFor(manager_, request, "DeleteResourcePolicy",
                SecretIdBody(request.physical_id))
            .status();
    return IsMissingSecret(deleted) ? absl::OkStatus() : deleted;
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& id) {
    Json::Value body = SecretIdBody(id);
    const Json::Value& policy = request.properties["ResourcePolicy"];
    body["ResourcePolicy"] =
        policy.isString() ? policy.asString() : json::WriteValue(policy);
    const absl::StatusOr<Json::Value> put =
        CallFor(manager_, request, "PutResourcePolicy", body);
    if (!put.ok()) return put.status();
    return StateOf(json::TextMember(*put, "ARN"));
  }

  Service& manager_;
};

}  // namespace

absl::StatusOr<Json::Value> CallFor(Service& manager,
                                    const ResourceRequest& request,
                                    absl::string_view operation,
                                    const Json::Value& body) {
  return CallInProcess(manager,
                       {.operation = std::string(operation),
                        .region = request.stack.region,
                        .caller = {.account_id = request.stack.account_id}},
                       body);
}

Json::Value SecretIdBody(const std::string& id) {
  Json::Value body(Json::objectValue);
  body["SecretId"] = id;
  return body;
}

ResourceState StateOf(const std::string& arn) {
  return {.physical_id = arn, .attributes = {{"Id", arn}}};
}

void AddSecretsManagerProviders(SecretsManager& manager, ClusterLookup clusters,
                                cloudformation::ProviderRegistry& registry) {
  registry.Add(NewTargetAttachmentProvider(manager, std::move(clusters)));
  registry.Add(std::make_unique<SecretProvider>(manager));
  registry.Add(std::make_unique<ResourcePolicyProvider>(manager));
  registry.AddResolver(
      "secretsmanager", [&manager](const cloudformation::StackContext& stack,
                                   absl::string_view reference) {
        return ResolveReference(manager, stack.region, reference);
      });
}

}  // namespace byoshin::local::secretsmanager
