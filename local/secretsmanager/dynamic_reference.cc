#include "local/secretsmanager/dynamic_reference.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::secretsmanager {
namespace {

// The parts of an ARN, which are separated by colons as those of the reference.
constexpr std::size_t kArnParts = 7;

}  // namespace

absl::StatusOr<std::string> ResolveReference(const SecretsManager& manager,
                                             const std::string& region,
                                             absl::string_view reference) {
  std::vector<std::string> parts = absl::StrSplit(reference, ':');
  std::size_t id_parts = 1;
  if (absl::StartsWith(reference, "arn:")) {
    if (parts.size() < kArnParts) {
      return absl::InvalidArgumentError("the secret's ARN is incomplete");
    }
    id_parts = kArnParts;
  }
  const auto end_of_id = parts.begin() + static_cast<std::ptrdiff_t>(id_parts);
  const std::string id = absl::StrJoin(parts.begin(), end_of_id, ":");
  parts.erase(parts.begin(), end_of_id);
  if (parts.size() > 4) {
    return absl::InvalidArgumentError("the reference has too many parts");
  }
  parts.resize(4);
  const std::string& kind = parts[0];
  const std::string& key = parts[1];
  const std::string& stage = parts[2];
  const std::string& version = parts[3];
  if (!kind.empty() && kind != "SecretString") {
    return absl::InvalidArgumentError(
        absl::StrCat(kind, " is not supported; use SecretString"));
  }
  if (!stage.empty() && !version.empty()) {
    return absl::InvalidArgumentError(
        "a version stage and a version id exclude each other");
  }
  absl::StatusOr<std::string> value = manager.ValueOf(
      region, {.secret_id = id, .stage = stage, .version_id = version});
  if (!value.ok() || key.empty()) return value;
  const absl::StatusOr<Json::Value> object = json::ParseValue(*value);
  if (!object.ok() || !object->isObject()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the secret ", id, " is not a JSON object"));
  }
  if (!object->isMember(key) || !cloudformation::IsScalar((*object)[key])) {
    return absl::InvalidArgumentError(
        absl::StrCat("the secret ", id, " has no value under the key ", key));
  }
  return cloudformation::ScalarText((*object)[key]);
}

}  // namespace byoshin::local::secretsmanager
