// The values of secrets, their versions and the stages of these.

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/paging.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/filters.h"
#include "local/secretsmanager/limits.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/requests.h"
#include "local/secretsmanager/secret.h"
#include "local/secretsmanager/vault.h"

namespace byoshin::local::secretsmanager {
namespace {

Json::Value StagesJson(const Version& version) {
  Json::Value stages(Json::arrayValue);
  for (const std::string& stage : version.stages) stages.append(stage);
  return stages;
}

// The version that VersionId and VersionStage select; never null.
absl::StatusOr<const Version*> SelectVersion(const Secret& secret,
                                             const std::string& id,
                                             const std::string& stage) {
  if (id.empty()) {
    const std::string wanted = stage.empty() ? kCurrentStage : stage;
    const Version* version = secret.FindStage(wanted);
    if (version == nullptr) return StageNotFound(wanted);
    return version;
  }
  const Version* version = secret.FindVersion(id);
  if (version == nullptr) return VersionNotFound(id);
  if (!stage.empty() && !version->stages.contains(stage)) {
    return InvalidRequest(
        "You provided a VersionStage that is not associated to the provided "
        "VersionId.");
  }
  return version;
}

Json::Value ValueJson(const Secret& secret, const Version& version) {
  Json::Value result = IdentityOf(secret);
  result["VersionId"] = version.id;
  if (version.value.kind == SecretValue::Kind::kText) {
    result["SecretString"] = version.value.bytes;
  } else {
    result["SecretBinary"] = absl::Base64Escape(version.value.bytes);
  }
  if (!version.stages.empty()) result["VersionStages"] = StagesJson(version);
  result["CreatedDate"] = TimeJson(version.created);
  return result;
}

// Notes the day of the access. It is written once a day only, so that reads
// need no commit.
void NoteAccess(OperationContext& context, const Secret& secret,
                const std::string& version_id) {
  const absl::Time day =
      absl::FromUnixSeconds(absl::ToUnixSeconds(context.now) / 86400 * 86400);
  if (secret.accessed == day &&
      secret.FindVersion(version_id)->accessed == day) {
    return;
  }
  Secret accessed = secret;
  accessed.accessed = day;
  accessed.versions.at(version_id).accessed = day;
  context.vault.Save(accessed);
}

absl::StatusOr<Json::Value> ReadCurrent(OperationContext& context,
                                        const Secret* secret) {
  if (secret == nullptr) return SecretNotFound();
  if (secret->deletion.has_value()) return MarkedForDeletion();
  const absl::StatusOr<const Version*> version = SelectVersion(*secret, "", "");
  if (!version.ok()) return version.status();
  Json::Value result = ValueJson(*secret, **version);
  NoteAccess(context, *secret, std::string((*version)->id));
  return result;
}

// Adds what BatchGetSecretValue says of one secret.
void AddToBatch(const std::string& id, const absl::StatusOr<Json::Value>& value,
                Json::Value& result) {
  if (value.ok()) {
    result["SecretValues"].append(*value);
    return;
  }
  const ErrorAnswer error = ErrorAnswerOf(value.status());
  Json::Value entry(Json::objectValue);
  entry["SecretId"] = id;
  entry["ErrorCode"] = error.code;
  entry["Message"] = error.message;
  result["Errors"].append(std::move(entry));
}

absl::Status CheckBatch(JsonFields& fields) {
  const bool filters = fields.Has("Filters");
  if (fields.Has("SecretIdList") == filters) {
    return InvalidRequest(
        "Either 'SecretIdList' or 'Filters' must be provided, but not both.");
  }
  if (!filters && fields.Has("MaxResults")) {
    return InvalidParameter(
        "'Filters' not specified. 'Filters' must also be specified when "
        "'MaxResults' is provided.");
  }
  return absl::OkStatus();
}

std::set<std::string> ReadStages(JsonFields& fields) {
  const std::vector<std::string> list = fields.Texts("VersionStages");
  std::set<std::string> stages(list.begin(), list.end());
  if (stages.empty()) stages.insert(kCurrentStage);
  return stages;
}

}  // namespace

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
absl::StatusOr<Json::Value> GetSecretValue(OperationContext& context,
                                           JsonFields& fields) {
  const std::string id = fields.Text("VersionId");
  const std::string stage = fields.Text("VersionStage");
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kNotDeleted);
  if (!secret.ok()) return secret.status();
  const absl::StatusOr<const Version*> version =
      SelectVersion(**secret, id, stage);
  if (!version.ok()) return version.status();
  Json::Value result = ValueJson(**secret, **version);
  NoteAccess(context, **secret, std::string((*version)->id));
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html
absl::StatusOr<Json::Value> BatchGetSecretValue(OperationContext& context,
                                                JsonFields& fields) {
  std::vector<std::string> ids = fields.Texts("SecretIdList");
  const std::int64_t limit =
      fields.Integer("MaxResults", {.otherwise = kMaxBatch});
  const std::string token = fields.Text("NextToken");
  if (!fields.status().ok()) return fields.status();
  if (absl::Status checked = CheckBatch(fields); !checked.ok()) {
    return checked;
  }
  Json::Value result(Json::objectValue);
  result["SecretValues"] = Json::Value(Json::arrayValue);
  result["Errors"] = Json::Value(Json::arrayValue);
  if (fields.Has("Filters")) {
    const absl::StatusOr<std::vector<Filter>> filters = ReadFilters(fields);
    if (!filters.ok()) return filters.status();
    std::vector<std::string> names;
    for (const Secret* secret : context.vault.List(context.call.region)) {
      if (!secret->deletion.has_value() && Matches(*secret, *filters)) {
        names.push_back(secret->name);
      }
    }
    const std::optional<Page> page = PageOf(
        names, {.limit = static_cast<std::size_t>(limit), .token = token});
    if (!page.has_value()) return InvalidNextToken();
    ids.assign(names.begin() + static_cast<std::ptrdiff_t>(page->begin),
               names.begin() + static_cast<std::ptrdiff_t>(page->end));
    if (!page->next_token.empty()) result["NextToken"] = page->next_token;
  }
  for (const std::string& id : ids) {
    const Secret* secret = context.vault.Find(context.call.region, id);
    AddToBatch(id, ReadCurrent(context, secret), result);
  }
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
absl::StatusOr<Json::Value> PutSecretValue(OperationContext& context,
                                           JsonFields& fields) {
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kChangeable);
  if (!secret.ok()) return secret.status();
  const absl::StatusOr<std::optional<SecretValue>> value = ReadValue(fields);
  if (!value.ok()) return value.status();
  if (!value->has_value()) {
    return InvalidRequest(
        "You must provide either SecretString or SecretBinary.");
  }
  const absl::StatusOr<std::string> token = ReadToken(fields);
  if (!token.ok()) return token.status();
  const absl::StatusOr<bool> repeated = IsRepeated(**secret, *token, **value);
  if (!repeated.ok()) return repeated.status();
  if (!*repeated) {
    (*secret)->AddVersion(
        {.id = *token, .value = **value, .created = context.now},
        ReadStages(fields));
    (*secret)->changed = context.now;
    context.vault.Save(**secret);
  }
  Json::Value result = IdentityOf(**secret);
  result["VersionId"] = *token;
  result["VersionStages"] = StagesJson(*(*secret)->FindVersion(*token));
  return result;
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
absl::StatusOr<Json::Value> UpdateSecretVersionStage(OperationContext& context,
                                                     JsonFields& fields) {
  const std::string stage = fields.Text("VersionStage");
  const std::string from = fields.Text("RemoveFromVersionId");
  const std::string to = fields.Text("MoveToVersionId");
  const absl::StatusOr<Secret*> found =
      FindSecret(context, fields, Wanted::kChangeable);
  if (!found.ok()) return found.status();
  Secret& secret = **found;
  for (const std::string& id : {from, to}) {
    if (!id.empty() && secret.FindVersion(id) == nullptr) {
      return VersionNotFound(id);
    }
  }
  const Version* holder = secret.FindStage(stage);
  if (from.empty() && holder != nullptr && holder->id != to) {
    return InvalidParameter(absl::StrCat(
        "The parameter RemoveFromVersionId can't be empty. Staging label ",
        stage, " is currently attached to version ", holder->id,
        ", so you must explicitly reference that version in "
        "RemoveFromVersionId."));
  }
  if (!from.empty() && (holder == nullptr || holder->id != from)) {
    return InvalidParameter(absl::StrCat(
        "When you move staging label ", stage,
        ", if you specify RemoveFromVersionId, it must be set to the version "
        "that currently has the staging label ",
        stage, "."));
  }
  if (to.empty() && stage == kCurrentStage) {
    return InvalidParameter(
        "You can only move staging label AWSCURRENT to a different secret "
        "version. It can’t be completely removed.");
  }
  if (!to.empty() && secret.FindVersion(to)->stages.size() >= kMaxStages &&
      !secret.FindVersion(to)->stages.contains(stage)) {
    return LimitExceeded(absl::StrCat("A version can have at most ", kMaxStages,
                                      " staging labels."));
  }
  if (to.empty()) {
    secret.RemoveStage(stage);
  } else {
    secret.MoveStage(stage, to);
  }
  secret.changed = context.now;
  context.vault.Save(secret);
  return IdentityOf(secret);
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecretVersionIds.html
absl::StatusOr<Json::Value> ListSecretVersionIds(OperationContext& context,
                                                 JsonFields& fields) {
  const bool deprecated = fields.Flag("IncludeDeprecated");
  const std::int64_t limit =
      fields.Integer("MaxResults", {.otherwise = kMaxListed});
  const std::string token = fields.Text("NextToken");
  const absl::StatusOr<Secret*> secret =
      FindSecret(context, fields, Wanted::kAny);
  if (!secret.ok()) return secret.status();
  std::vector<std::string> ids;
  for (const auto& [id, version] : (*secret)->versions) {
    if (deprecated || !version.stages.empty()) ids.push_back(id);
  }
  const std::optional<Page> page =
      PageOf(ids, {.limit = static_cast<std::size_t>(limit), .token = token});
  if (!page.has_value()) return InvalidNextToken();
  Json::Value result = IdentityOf(**secret);
  result["Versions"] = Json::Value(Json::arrayValue);
  for (std::size_t i = page->begin; i < page->end; ++i) {
    const Version& version = *(*secret)->FindVersion(ids[i]);
    Json::Value entry(Json::objectValue);
    entry["VersionId"] = version.id;
    entry["CreatedDate"] = TimeJson(version.created);
    if (version.accessed.has_value()) {
      entry["LastAccessedDate"] = TimeJson(*version.accessed);
    }
    if (!version.stages.empty()) entry["VersionStages"] = StagesJson(version);
    result["Versions"].append(std::move(entry));
  }
  if (!page->next_token.empty()) result["NextToken"] = page->next_token;
  return result;
}

}  // namespace byoshin::local::secretsmanager
