// Secrets as a whole: created, changed, described, deleted, restored.

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/limits.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/requests.h"
#include "local/secretsmanager/secret.h"
#include "local/secretsmanager/vault.h"

namespace byoshin::local::secretsmanager {
namespace {

absl::Status CheckName(const std::string& name) {
  constexpr absl::string_view kPunctuation = "-/_+=.@!";
  if (std::all_of(name.begin(), name.end(), [&](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
               kPunctuation.find(c) != absl::string_view::npos;
      })) {
    return absl::OkStatus();
  }
  return Invalid(
      absl::StrCat("Invalid name. Must be a valid name containing alphanumeric "
                   "characters, or any of the following: ",
                   kPunctuation));
}

// Description and KmsKeyId, if the request has them.
absl::Status ReadSettings(JsonFields& fields, Secret& secret) {
  const std::optional<std::string> description = fields.FindText("Description");
  const std::optional<std::string> key = fields.FindText("KmsKeyId");
  if (!fields.status().ok()) return fields.status();
  if (description.has_value()) secret.description = *description;
  if (key.has_value()) secret.kms_key_id = *key;
  return absl::OkStatus();
}

// For a name that is in use.
absl::StatusOr<Json::Value> AnswerExisting(
    const Secret& secret, const std::string& token,
    const std::optional<SecretValue>& value) {
  if (secret.deletion.has_value()) {
    return InvalidRequest(
        "You can't create this secret because a secret with this name is "
        "already scheduled for deletion.");
  }
  if (value.has_value() && secret.FindVersion(token) != nullptr) {
    const absl::StatusOr<bool> repeated = IsRepeated(secret, token, *value);
    if (!repeated.ok()) return repeated.status();
    Json::Value result = IdentityOf(secret);
    result["VersionId"] = token;
    return result;
  }
  return ResourceExists(absl::StrCat("The operation failed because the secret ",
                                     secret.name, " already exists."));
}

// Deleting a secret without recovery succeeds even if there is none.
Json::Value AnswerForcedWithout(const OperationContext& context,
                                const std::string& id) {
  Json::Value result(Json::objectValue);
  const bool is_arn = absl::StartsWith(id, "arn:");
  result["ARN"] =
      is_arn ? id
             : PartialArn({.region = context.call.region,
                           .account_id = context.call.caller.account_id},
                          id);
  result["Name"] = is_arn ? id.substr(id.rfind(':') + 1) : id;
  result["DeletionDate"] = TimeJson(context.now);
  return result;
}

}  // namespace

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CreateSecret.html
absl::StatusOr<Json::Value> CreateSecret(OperationContext& context,
                                         JsonFields& fields) {
  Secret secret{.name = fields.Text("Name"),
                .region = context.call.region,
                .created = context.now,
                .changed = context.now};
  absl::Status checked = ReadSettings(fields, secret);
  if (checked.ok()) checked = CheckName(secret.name);
  if (!checked.ok()) return checked;
  if (fields.Has("AddReplicaRegions") &&
      !fields.Objects("AddReplicaRegions").empty()) {
    return InvalidParameter(
        "The local Secrets Manager does not replicate secrets to other "
        "regions.");
  }
  absl::StatusOr<Tags> tags = ReadTags(fields);
  if (!tags.ok()) return tags.status();
  secret.tags = *std::move(tags);
  const absl::StatusOr<std::optional<SecretValue>> value = ReadValue(fields);
  if (!value.ok()) return value.status();
  std::string token;
  if (value->has_value()) {
    absl::StatusOr<std::string> read = ReadToken(fields);
    if (!read.ok()) return read.status();
    token = *std::move(read);
  }
  if (const Secret* known =
          context.vault.Find(context.call.region, secret.name)) {
    return AnswerExisting(*known, token, *value);
  }
  secret.arn = NewArn({.region = context.call.region,
                       .account_id = context.call.caller.account_id},
                      secret.name);
  if (value->has_value()) {
    secret.AddVersion({.id = token, .value = **value, .created = context.now},
                      {kCurrentStage});
  }
  context.vault.Save(secret);
  Json::Value result = IdentityOf(secret);
  if (!token.empty()) result["VersionId"] = token;
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecret.html
absl::StatusOr<Json::Value> UpdateSecret(OperationContext& context,
                                         JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kChangeable);
  if (!secret.ok()) return secret.status();
  Secret changed = **secret;
  if (absl::Status read = ReadSettings(fields, changed); !read.ok()) {
    return read;
  }
  const absl::StatusOr<std::optional<SecretValue>> value = ReadValue(fields);
  if (!value.ok()) return value.status();
  Json::Value result = IdentityOf(changed);
  if (value->has_value()) {
    const absl::StatusOr<std::string> token = ReadToken(fields);
    if (!token.ok()) return token.status();
    const absl::StatusOr<bool> repeated = IsRepeated(changed, *token, **value);
    if (!repeated.ok()) return repeated.status();
    result["VersionId"] = *token;
    if (!*repeated) {
      changed.AddVersion(
          {.id = *token, .value = **value, .created = context.now},
          {kCurrentStage});
    }
  }
  changed.changed = context.now;
  context.vault.Save(changed);
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html
absl::StatusOr<Json::Value> DescribeSecret(OperationContext& context,
                                           JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kAny);
  if (!secret.ok()) return secret.status();
  Json::Value result = DescriptionOf(**secret);
  Json::Value stages = VersionsToStages(**secret);
  if (!stages.empty()) result["VersionIdsToStages"] = std::move(stages);
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DeleteSecret.html
absl::StatusOr<Json::Value> DeleteSecret(OperationContext& context,
                                         JsonFields& fields) {
  const bool force = fields.Flag("ForceDeleteWithoutRecovery");
  const std::optional<std::int64_t> days =
      fields.FindInteger("RecoveryWindowInDays");
  if (!fields.status().ok()) return fields.status();
  if (force && days.has_value()) {
    return InvalidParameter(
        "You can't use ForceDeleteWithoutRecovery in conjunction with "
        "RecoveryWindowInDays.");
  }
  if (days.has_value() &&
      (*days < kMinRecoveryDays || *days > kMaxRecoveryDays)) {
    return InvalidParameter(absl::StrCat(
        "The RecoveryWindowInDays value must be between ", kMinRecoveryDays,
        " and ", kMaxRecoveryDays, " days (inclusive)."));
  }
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, force ? Wanted::kAny : Wanted::kChangeable);
  if (force && secret.status() == SecretNotFound()) {
    return AnswerForcedWithout(context, fields.Text("SecretId"));
  }
  if (!secret.ok()) return secret.status();
  if (!(*secret)->owning_service.empty()) {
    return ManagedByService((*secret)->owning_service);
  }
  Json::Value result = IdentityOf(**secret);
  if (force) {
    result["DeletionDate"] = TimeJson(context.now);
    if (!(*secret)->policy.empty()) {
      context.policy_change = {.arn = (*secret)->arn};
    }
    context.vault.Remove(**secret);
    return result;
  }
  (*secret)->deletion =
      context.now + absl::Hours(24) * days.value_or(kDefaultRecoveryDays);
  result["DeletionDate"] = TimeJson(*(*secret)->deletion);
  context.vault.Save(**secret);
  context.schedule_deletion(**secret);
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RestoreSecret.html
absl::StatusOr<Json::Value> RestoreSecret(OperationContext& context,
                                          JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kAny);
  if (!secret.ok()) return secret.status();
  if ((*secret)->deletion.has_value()) {
    (*secret)->deletion.reset();
    context.vault.Save(**secret);
  }
  return IdentityOf(**secret);
}

}  // namespace byoshin::local::secretsmanager
