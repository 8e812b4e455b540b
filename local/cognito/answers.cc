#include "local/cognito/answers.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/http/client.h"
#include "local/cognito/errors.h"
#include "local/cognito/operations.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/paging.h"
#include "local/gateway/service.h"

namespace byoshin::local::cognito {

absl::StatusOr<Json::Value> PageJson(
    const PageNames& names, const std::map<std::string, Json::Value>& entries,
    JsonFields& fields) {
  // Some operations allow a limit of 0.
  std::int64_t limit = fields.FindInteger(names.limit).value_or(0);
  if (limit == 0) limit = names.max;
  const std::string token = fields.Text(names.token);
  std::vector<std::string> keys;
  keys.reserve(entries.size());
  for (const auto& [key, entry] : entries) keys.push_back(key);
  const std::optional<Page> page =
      PageOf(keys, {.limit = static_cast<std::size_t>(limit), .token = token});
  if (!page.has_value()) {
    return InvalidParameterError("The pagination token is invalid.");
  }
  Json::Value answer(Json::objectValue);
  answer[names.list] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer[names.list].append(entries.at(keys[i]));
  }
  if (!page->next_token.empty()) answer[names.token] = page->next_token;
  return answer;
}

std::string OwnerOf(const Call& call) {
  for (const http::Header& header : call.headers) {
    if (header.name == kOwnerHeader) return header.value;
  }
  return "";
}

}  // namespace byoshin::local::cognito
