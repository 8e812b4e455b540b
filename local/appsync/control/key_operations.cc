// Operations on API keys.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/api_key.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/names.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

absl::StatusOr<absl::Time> ExpiryIn(const OperationContext& context) {
  const Json::Value& expires = context.body["expires"];
  if (expires.isNull()) return KeyExpiry(std::nullopt, context.now);
  if (!expires.isInt64()) return BadRequest("expires must be an integer.");
  return KeyExpiry(expires.asInt64(), context.now);
}

// Its time has come; it goes when the next key is created.
bool IsDeleted(const ApiKey& key, absl::Time now) {
  return now >= key.expires + kKeptAfterExpiry;
}

absl::StatusOr<Answer> CreateApiKey(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const absl::StatusOr<absl::Time> expires = ExpiryIn(context);
  if (!expires.ok()) return expires.status();
  std::size_t kept = 0;
  for (const auto& [id, key] : (*state)->keys) {
    if (IsDeleted(*key, context.now)) {
      context.catalog.RemoveKey((*state)->api->id, id);
    } else {
      ++kept;
    }
  }
  if (kept >= kMaxKeys) return TooManyKeys();
  const ApiKey key{.id = NewKeyId(),
                   .description = TextIn(context, "description"),
                   .expires = *expires};
  context.catalog.Save((*state)->api->id, key);
  return MemberAnswer("apiKey", ToJson(key));
}

absl::StatusOr<Answer> ListApiKeys(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  std::map<std::string, Json::Value> items;
  for (const auto& [id, key] : (*state)->keys) {
    if (!IsDeleted(*key, context.now)) items[id] = ToJson(*key);
  }
  return ListAnswer(context, "apiKeys", items);
}

// The key that the path names, of an existing API.
absl::StatusOr<ApiKey> FindKey(const OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  const auto found = (*state)->keys.find(context.parts[1]);
  if (found == (*state)->keys.end() || IsDeleted(*found->second, context.now)) {
    return NotFound(absl::StrCat("API key ", context.parts[1], " not found."));
  }
  return *found->second;
}

absl::StatusOr<Answer> UpdateApiKey(OperationContext& context) {
  absl::StatusOr<ApiKey> key = FindKey(context);
  if (!key.ok()) return key.status();
  if (context.body.isMember("expires")) {
    const absl::StatusOr<absl::Time> expires = ExpiryIn(context);
    if (!expires.ok()) return expires.status();
    key->expires = *expires;
  }
  if (context.body.isMember("description")) {
    key->description = TextIn(context, "description");
  }
  context.catalog.Save(context.parts[0], *key);
  return MemberAnswer("apiKey", ToJson(*key));
}

absl::StatusOr<Answer> DeleteApiKey(OperationContext& context) {
  const absl::StatusOr<ApiKey> key = FindKey(context);
  if (!key.ok()) return key.status();
  context.catalog.RemoveKey(context.parts[0], key->id);
  return EmptyAnswer();
}

constexpr Operation kKeyOperations[] = {
    {"CreateApiKey", "POST", "/v1/apis/{apiId}/apikeys", CreateApiKey},
    {"ListApiKeys", "GET", "/v1/apis/{apiId}/apikeys", ListApiKeys},
    {"UpdateApiKey", "POST", "/v1/apis/{apiId}/apikeys/{id}", UpdateApiKey},
    {"DeleteApiKey", "DELETE", "/v1/apis/{apiId}/apikeys/{id}", DeleteApiKey}};

}  // namespace

absl::Span<const Operation> KeyOperations() { return kKeyOperations; }

}  // namespace byoshin::local::appsync
