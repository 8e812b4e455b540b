#include "local/secretsmanager/requests.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/constraints.h"
#include "local/gateway/json_fields.h"
#include "local/secretsmanager/errors.h"
#include "local/secretsmanager/limits.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kReservedTagPrefix[] = "aws:";

absl::Status CheckTagKey(const std::string& key) {
  if (absl::StartsWithIgnoreCase(key, kReservedTagPrefix)) {
    return InvalidParameter(absl::StrCat("Tag keys that start with ",
                                         kReservedTagPrefix,
                                         " are reserved for AWS use."));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Secret*> FindSecret(OperationContext& context,
                                   JsonFields& fields, Wanted wanted) {
  const std::string id = fields.Text("SecretId");
  if (!fields.status().ok()) return fields.status();
  Secret* secret = context.vault.Find(context.call.region, id);
  if (secret == nullptr) return SecretNotFound();
  if (wanted != Wanted::kAny && secret->deletion.has_value()) {
    return MarkedForDeletion();
  }
  if (wanted == Wanted::kChangeable && !secret->owning_service.empty()) {
    return ManagedByService(secret->owning_service);
  }
  return secret;
}

absl::StatusOr<std::optional<SecretValue>> ReadValue(JsonFields& fields) {
  const std::optional<std::string> text = fields.FindText("SecretString");
  const std::optional<std::string> binary = fields.Bytes("SecretBinary");
  if (!fields.status().ok()) return fields.status();
  if (text.has_value() && binary.has_value()) {
    return InvalidParameter(
        "You can't specify both a binary secret value and a string secret "
        "value in the same secret.");
  }
  if (!text.has_value() && !binary.has_value()) return std::nullopt;
  SecretValue value{.bytes = text.has_value() ? *text : *binary,
                    .kind = text.has_value() ? SecretValue::Kind::kText
                                             : SecretValue::Kind::kBinary};
  // In bytes, of text, too: the model's limit of text is in characters.
  if (value.bytes.size() > kMaxValueSize) {
    return Invalid(absl::StrCat(
        "1 validation error detected: Value at '",
        text.has_value() ? "secretString" : "secretBinary",
        "' failed to satisfy constraint: ", MaxLength(kMaxValueSize)));
  }
  return value;
}

absl::StatusOr<std::string> ReadToken(JsonFields& fields) {
  std::string token = fields.Text("ClientRequestToken");
  if (!fields.status().ok()) return fields.status();
  if (token.empty()) {
    return InvalidRequest(
        "You must provide a ClientRequestToken value. We recommend a UUID-type "
        "value.");
  }
  if (token.size() < kMinTokenLength || token.size() > kMaxTokenLength) {
    return InvalidParameter(absl::StrCat("ClientRequestToken must be ",
                                         kMinTokenLength, "-", kMaxTokenLength,
                                         " characters long."));
  }
  return token;
}

absl::StatusOr<Tags> ReadTags(JsonFields& fields) {
  Tags tags;
  for (JsonFields& tag : fields.Objects("Tags")) {
    const std::string key = tag.Text("Key");
    const std::string value = tag.Text("Value");
    if (absl::Status checked = CheckTagKey(key); !checked.ok()) {
      return checked;
    }
    tags[key] = value;
  }
  if (!fields.status().ok()) return fields.status();
  if (tags.size() > kMaxTags) {
    return InvalidParameter(
        absl::StrCat("A secret can have at most ", kMaxTags, " tags."));
  }
  return tags;
}

absl::StatusOr<bool> IsRepeated(const Secret& secret, const std::string& token,
                                const SecretValue& value) {
  const Version* version = secret.FindVersion(token);
  if (version == nullptr) return false;
  if (version->value == value) return true;
  return ResourceExists(absl::StrCat(
      "You can't use ClientRequestToken ", token,
      " because that value is already in use for a version of secret ",
      secret.arn, "."));
}

Json::Value TimeJson(absl::Time time) {
  return static_cast<double>(absl::ToUnixMillis(time)) / 1000;
}

Json::Value TagsJson(const Tags& tags) {
  Json::Value list(Json::arrayValue);
  for (const auto& [key, value] : tags) {
    Json::Value tag(Json::objectValue);
    tag["Key"] = key;
    tag["Value"] = value;
    list.append(std::move(tag));
  }
  return list;
}

Json::Value IdentityOf(const Secret& secret) {
  Json::Value result(Json::objectValue);
  result["ARN"] = secret.arn;
  result["Name"] = secret.name;
  return result;
}

Json::Value DescriptionOf(const Secret& secret) {
  Json::Value result = IdentityOf(secret);
  if (!secret.description.empty()) result["Description"] = secret.description;
  if (!secret.kms_key_id.empty()) result["KmsKeyId"] = secret.kms_key_id;
  if (!secret.owning_service.empty()) {
    result["OwningService"] = secret.owning_service;
  }
  result["CreatedDate"] = TimeJson(secret.created);
  result["LastChangedDate"] = TimeJson(secret.changed);
  if (secret.accessed.has_value()) {
    result["LastAccessedDate"] = TimeJson(*secret.accessed);
  }
  if (secret.deletion.has_value()) {
    result["DeletedDate"] = TimeJson(*secret.deletion);
  }
  if (!secret.tags.empty()) result["Tags"] = TagsJson(secret.tags);
  return result;
}

Json::Value VersionsToStages(const Secret& secret) {
  Json::Value result(Json::objectValue);
  for (const auto& [id, version] : secret.versions) {
    for (const std::string& stage : version.stages) result[id].append(stage);
  }
  return result;
}

}  // namespace byoshin::local::secretsmanager
