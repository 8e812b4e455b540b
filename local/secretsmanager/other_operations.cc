// Lists, tags, resource policies, random passwords; and rotation, which is
// refused.

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/paging.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/filters.h"
#include "local/secretsmanager/limits.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/random_password.h"
#include "local/secretsmanager/requests.h"
#include "local/secretsmanager/secret.h"
#include "local/secretsmanager/vault.h"

namespace byoshin::local::secretsmanager {
namespace {

absl::Status RotationRefused() {
  return InvalidRequest(
      "The local Secrets Manager does not rotate secrets. Put a new version "
      "with PutSecretValue instead.");
}

// A text that sorts as SortBy wants.
std::string SortKey(const Secret& secret, const std::string& by) {
  absl::Time time = secret.created;
  if (by == "name") return secret.name;
  if (by == "last-changed-date") time = secret.changed;
  if (by == "last-accessed-date") {
    time = secret.accessed.value_or(absl::UnixEpoch());
  }
  return absl::StrFormat("%015d %s", absl::ToUnixMillis(time), secret.name);
}

}  // namespace

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
absl::StatusOr<Json::Value> ListSecrets(OperationContext& context,
                                        JsonFields& fields) {
  const bool deleted = fields.Flag("IncludePlannedDeletion");
  const bool descending = fields.Text("SortOrder") == "desc";
  const std::string by = fields.Text("SortBy");
  const std::int64_t limit =
      fields.Integer("MaxResults", {.otherwise = kMaxListed});
  const std::string token = fields.Text("NextToken");
  const absl::StatusOr<std::vector<Filter>> filters = ReadFilters(fields);
  if (!filters.ok()) return filters.status();
  std::map<std::string, const Secret*> sorted;
  for (const Secret* secret : context.vault.List(context.call.region)) {
    if ((deleted || !secret->deletion.has_value()) &&
        Matches(*secret, *filters)) {
      sorted[SortKey(*secret, by)] = secret;
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, secret] : sorted) keys.push_back(key);
  if (descending) std::reverse(keys.begin(), keys.end());
  const std::optional<Page> page =
      PageOf(keys, {.limit = static_cast<std::size_t>(limit),
                    .token = token,
                    .order = descending ? PageRequest::Order::kDescending
                                        : PageRequest::Order::kAscending});
  if (!page.has_value()) return InvalidNextToken();
  Json::Value result(Json::objectValue);
  result["SecretList"] = Json::Value(Json::arrayValue);
  for (std::size_t i = page->begin; i < page->end; ++i) {
    const Secret& secret = *sorted.at(keys[i]);
    Json::Value entry = DescriptionOf(secret);
    Json::Value stages = VersionsToStages(secret);
    if (!stages.empty()) entry["SecretVersionsToStages"] = std::move(stages);
    result["SecretList"].append(std::move(entry));
  }
  if (!page->next_token.empty()) result["NextToken"] = page->next_token;
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html
absl::StatusOr<Json::Value> TagResource(OperationContext& context,
                                        JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  const absl::StatusOr<Tags> tags = ReadTags(fields);
  if (!tags.ok()) return tags.status();
  Tags merged = *tags;
  merged.insert((*secret)->tags.begin(), (*secret)->tags.end());
  if (merged.size() > kMaxTags) {
    return InvalidParameter(
        absl::StrCat("A secret can have at most ", kMaxTags, " tags."));
  }
  (*secret)->tags = std::move(merged);
  (*secret)->changed = context.now;
  context.vault.Save(**secret);
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UntagResource.html
absl::StatusOr<Json::Value> UntagResource(OperationContext& context,
                                          JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  const std::vector<std::string> keys = fields.Texts("TagKeys");
  if (!fields.status().ok()) return fields.status();
  for (const std::string& key : keys) {
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return InvalidParameter(
          "Tag keys that start with aws: are reserved for AWS use.");
    }
  }
  for (const std::string& key : keys) (*secret)->tags.erase(key);
  (*secret)->changed = context.now;
  context.vault.Save(**secret);
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutResourcePolicy.html
absl::StatusOr<Json::Value> PutResourcePolicy(OperationContext& context,
                                              JsonFields& fields) {
  const std::string policy = fields.Text("ResourcePolicy");
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  const absl::StatusOr<Json::Value> parsed = json::ParseValue(policy);
  if (!parsed.ok() || !parsed->isObject()) {
    return MalformedPolicy("This resource policy contains invalid Json.");
  }
  if (context.check_policy) {
    if (absl::Status valid = context.check_policy(*parsed); !valid.ok()) {
      return MalformedPolicy(valid.message());
    }
  }
  (*secret)->policy = policy;
  context.policy_change = {.arn = (*secret)->arn, .policy = policy};
  context.vault.Save(**secret);
  return IdentityOf(**secret);
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetResourcePolicy.html
absl::StatusOr<Json::Value> GetResourcePolicy(OperationContext& context,
                                              JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  Json::Value result = IdentityOf(**secret);
  if (!(*secret)->policy.empty()) {
    result["ResourcePolicy"] = (*secret)->policy;
  }
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DeleteResourcePolicy.html
absl::StatusOr<Json::Value> DeleteResourcePolicy(OperationContext& context,
                                                 JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  (*secret)->policy.clear();
  context.policy_change = {.arn = (*secret)->arn};
  context.vault.Save(**secret);
  return IdentityOf(**secret);
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetRandomPassword.html
absl::StatusOr<Json::Value> GetRandomPassword(OperationContext&,
                                              JsonFields& fields) {
  const PasswordRules rules{
      .length =
          fields.FindInteger("PasswordLength").value_or(kDefaultPasswordLength),
      .exclude_characters = fields.Text("ExcludeCharacters"),
      .exclude_lowercase = fields.Flag("ExcludeLowercase"),
      .exclude_uppercase = fields.Flag("ExcludeUppercase"),
      .exclude_numbers = fields.Flag("ExcludeNumbers"),
      .exclude_punctuation = fields.Flag("ExcludePunctuation"),
      .include_space = fields.Flag("IncludeSpace"),
      .require_each_included_type = !fields.Has("RequireEachIncludedType") ||
                                    fields.Flag("RequireEachIncludedType")};
  if (!fields.status().ok()) return fields.status();
  const absl::StatusOr<std::string> password = NewPassword(rules);
  if (!password.ok()) return password.status();
  Json::Value result(Json::objectValue);
  result["RandomPassword"] = *password;
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
absl::StatusOr<Json::Value> RotateSecret(OperationContext& context,
                                         JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  return RotationRefused();
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_CancelRotateSecret.html
absl::StatusOr<Json::Value> CancelRotateSecret(OperationContext& context,
                                               JsonFields& fields) {
  return RotateSecret(context, fields);
}

Operation FindOperation(absl::string_view name) {
  static const auto& operations = *new std::map<std::string, Operation>{
      {"BatchGetSecretValue", &BatchGetSecretValue},
      {"CancelRotateSecret", &CancelRotateSecret},
      {"CreateSecret", &CreateSecret},
      {"DeleteResourcePolicy", &DeleteResourcePolicy},
      {"DeleteSecret", &DeleteSecret},
      {"DescribeSecret", &DescribeSecret},
      {"GetRandomPassword", &GetRandomPassword},
      {"GetResourcePolicy", &GetResourcePolicy},
      {"GetSecretValue", &GetSecretValue},
      {"ListSecretVersionIds", &ListSecretVersionIds},
      {"ListSecrets", &ListSecrets},
      {"PutResourcePolicy", &PutResourcePolicy},
      {"PutSecretValue", &PutSecretValue},
      {"RestoreSecret", &RestoreSecret},
      {"RotateSecret", &RotateSecret},
      {"TagResource", &TagResource},
      {"UntagResource", &UntagResource},
      {"UpdateSecret", &UpdateSecret},
      {"UpdateSecretVersionStage", &UpdateSecretVersionStage},
  };
  const auto found = operations.find(std::string(name));
  return found == operations.end() ? nullptr : found->second;
}

}  // namespace byoshin::local::secretsmanager
