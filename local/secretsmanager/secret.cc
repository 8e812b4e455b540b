#include "local/secretsmanager/secret.h"

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
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/secretsmanager/limits.h"

namespace byoshin::local::secretsmanager {
namespace {

Json::Value MillisOf(absl::Time time) {
  return Json::Int64(absl::ToUnixMillis(time));
}

std::optional<absl::Time> TimeIn(const Json::Value& record, const char* name) {
  if (!record[name].isInt64()) return std::nullopt;
  return absl::FromUnixMillis(record[name].asInt64());
}

Json::Value VersionRecord(const Version& version) {
  Json::Value record(Json::objectValue);
  record["id"] = version.id;
  record["created"] = MillisOf(version.created);
  if (version.accessed.has_value()) {
    record["accessed"] = MillisOf(*version.accessed);
  }
  // Always in base 64, since text may be any UTF-8 as well.
  record[version.value.kind == SecretValue::Kind::kText ? "text" : "binary"] =
      absl::Base64Escape(version.value.bytes);
  record["stages"] = Json::Value(Json::arrayValue);
  for (const std::string& stage : version.stages) {
    record["stages"].append(stage);
  }
  return record;
}

std::optional<Version> VersionFrom(const Json::Value& record) {
  if (!record.isObject()) return std::nullopt;
  Version version{.id = json::TextMember(record, "id")};
  const bool text = record.isMember("text");
  const std::optional<absl::Time> created = TimeIn(record, "created");
  if (version.id.empty() || !created.has_value() ||
      !record["stages"].isArray() ||
      !absl::Base64Unescape(json::TextMember(record, text ? "text" : "binary"),
                            &version.value.bytes)) {
    return std::nullopt;
  }
  version.value.kind =
      text ? SecretValue::Kind::kText : SecretValue::Kind::kBinary;
  version.created = *created;
  version.accessed = TimeIn(record, "accessed");
  for (const Json::Value& stage : record["stages"]) {
    if (!stage.isString()) return std::nullopt;
    version.stages.insert(stage.asString());
  }
  return version;
}

}  // namespace

const Version* Secret::FindStage(absl::string_view stage) const {
  for (const auto& [id, version] : versions) {
    if (version.stages.contains(std::string(stage))) return &version;
  }
  return nullptr;
}

const Version* Secret::FindVersion(const std::string& id) const {
  const auto found = versions.find(id);
  return found == versions.end() ? nullptr : &found->second;
}

void Secret::AddVersion(Version version, const std::set<std::string>& stages) {
  const std::string id = version.id;
  const bool first = versions.empty();
  version.stages.clear();
  versions.insert_or_assign(id, std::move(version));
  for (const std::string& stage : stages) MoveStage(stage, id);
  if (first) MoveStage(kCurrentStage, id);
  RemoveOldVersions();
}

void Secret::MoveStage(const std::string& stage,
                       const std::string& version_id) {
  const Version* holder = FindStage(stage);
  if (holder != nullptr && holder->id == version_id) return;
  const std::string previous = holder == nullptr ? "" : holder->id;
  RemoveStage(stage);
  versions.at(version_id).stages.insert(stage);
  if (stage != kCurrentStage || previous.empty()) return;
  RemoveStage(kPreviousStage);
  versions.at(previous).stages.insert(kPreviousStage);
}

void Secret::RemoveStage(const std::string& stage) {
  for (auto& [id, version] : versions) version.stages.erase(stage);
}

void Secret::RemoveOldVersions() {
  while (versions.size() > kMaxVersions) {
    auto oldest = versions.end();
    for (auto it = versions.begin(); it != versions.end(); ++it) {
      if (it->second.stages.empty() &&
          (oldest == versions.end() ||
           it->second.created < oldest->second.created)) {
        oldest = it;
      }
    }
    if (oldest == versions.end()) return;
    versions.erase(oldest);
  }
}

std::string PartialArn(const SecretPlace& place, absl::string_view name) {
  return absl::StrCat("arn:aws:secretsmanager:", place.region, ":",
                      place.account_id, ":secret:", name);
}

std::string NewArn(const SecretPlace& place, absl::string_view name) {
  constexpr absl::string_view kCharacters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string arn = absl::StrCat(PartialArn(place, name), "-");
  std::uint64_t bits = random::Bits();
  for (std::size_t i = 1; i < kArnSuffixLength; ++i) {
    arn += kCharacters[bits % kCharacters.size()];
    bits /= kCharacters.size();
  }
  return arn;
}

std::optional<ArnParts> ParseArn(absl::string_view arn) {
  // arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-SUFFIX
  const std::vector<absl::string_view> parts =
      absl::StrSplit(arn, absl::MaxSplits(':', 6));
  if (parts.size() != 7 || parts[0] != "arn" || parts[2] != "secretsmanager" ||
      parts[5] != "secret" || parts[6].size() <= kArnSuffixLength) {
    return std::nullopt;
  }
  return ArnParts{.region = std::string(parts[3]),
                  .name = std::string(
                      parts[6].substr(0, parts[6].size() - kArnSuffixLength))};
}

std::string SecretToRecord(const Secret& secret) {
  Json::Value record(Json::objectValue);
  record["name"] = secret.name;
  record["arn"] = secret.arn;
  record["region"] = secret.region;
  record["description"] = secret.description;
  record["kmsKeyId"] = secret.kms_key_id;
  record["owningService"] = secret.owning_service;
  record["policy"] = secret.policy;
  record["created"] = MillisOf(secret.created);
  record["changed"] = MillisOf(secret.changed);
  if (secret.accessed.has_value()) {
    record["accessed"] = MillisOf(*secret.accessed);
  }
  if (secret.deletion.has_value()) {
    record["deletion"] = MillisOf(*secret.deletion);
  }
  record["tags"] = Json::Value(Json::objectValue);
  for (const auto& [key, value] : secret.tags) record["tags"][key] = value;
  record["versions"] = Json::Value(Json::arrayValue);
  for (const auto& [id, version] : secret.versions) {
    record["versions"].append(VersionRecord(version));
  }
  return json::WriteValue(record);
}

absl::StatusOr<Secret> SecretFromRecord(absl::string_view text) {
  // The message must not contain a part of the record.
  const absl::Status damaged =
      absl::DataLossError("the record of a secret is damaged");
  const absl::StatusOr<Json::Value> record = json::ParseValue(text);
  if (!record.ok() || !record->isObject()) return damaged;
  Secret secret{
      .name = json::TextMember(*record, "name"),
      .arn = json::TextMember(*record, "arn"),
      .region = json::TextMember(*record, "region"),
      .description = json::TextMember(*record, "description"),
      .kms_key_id = json::TextMember(*record, "kmsKeyId"),
      .owning_service = json::TextMember(*record, "owningService"),
      .policy = json::TextMember(*record, "policy"),
      .created = TimeIn(*record, "created").value_or(absl::UnixEpoch()),
      .changed = TimeIn(*record, "changed").value_or(absl::UnixEpoch()),
      .accessed = TimeIn(*record, "accessed"),
      .deletion = TimeIn(*record, "deletion")};
  const Json::Value& tags = (*record)["tags"];
  const Json::Value& versions = (*record)["versions"];
  if (secret.name.empty() || secret.arn.empty() || secret.region.empty() ||
      !tags.isObject() || !versions.isArray()) {
    return damaged;
  }
  for (const std::string& key : tags.getMemberNames()) {
    secret.tags[key] = json::TextMember(tags, key.c_str());
  }
  for (const Json::Value& entry : versions) {
    std::optional<Version> version = VersionFrom(entry);
    if (!version.has_value()) return damaged;
    const std::string id = version->id;
    secret.versions.insert_or_assign(id, *std::move(version));
  }
  return secret;
}

}  // namespace byoshin::local::secretsmanager
