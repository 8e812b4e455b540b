#include "local/appsync/control/operation.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/gateway/paging.h"
#include "local/gateway/rest.h"

namespace byoshin::local::appsync {

absl::StatusOr<Catalog::StatePointer> OperationContext::Api() const {
  Catalog::StatePointer state = catalog.Find(parts[0]);
  if (state == nullptr || state->api->region != call.region) {
    return ApiNotFound(parts[0]);
  }
  return state;
}

Answer MemberAnswer(const char* name, Json::Value value) {
  Json::Value answer(Json::objectValue);
  answer[name] = std::move(value);
  return RestAnswer(answer);
}

Answer EmptyAnswer() { return RestAnswer(Json::Value(Json::objectValue)); }

absl::StatusOr<Answer> ListAnswer(
    const OperationContext& context, const char* member,
    const std::map<std::string, Json::Value>& items) {
  const std::string limit_text = FindParameter(context.call, "maxResults");
  std::int64_t limit = kMaxListed;
  if (!limit_text.empty() && (!absl::SimpleAtoi(limit_text, &limit) ||
                              limit < 1 || limit > kMaxListed)) {
    return BadRequest(
        absl::StrCat("maxResults must be from 1 to ", kMaxListed, "."));
  }
  std::vector<std::string> keys;
  for (const auto& [key, item] : items) keys.push_back(key);
  const std::optional<Page> page =
      PageOf(keys, {.limit = static_cast<std::size_t>(limit),
                    .token = FindParameter(context.call, "nextToken")});
  if (!page.has_value()) return BadRequest("Invalid pagination token given.");
  Json::Value answer(Json::objectValue);
  answer[member] = Json::Value(Json::arrayValue);
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer[member].append(items.at(keys[i]));
  }
  if (!page->next_token.empty()) answer["nextToken"] = page->next_token;
  return RestAnswer(answer);
}

std::string TextIn(const OperationContext& context, const char* member) {
  return json::TextMember(context.body, member);
}

absl::StatusOr<std::map<std::string, std::string>> TextsIn(
    const OperationContext& context, const char* member) {
  std::map<std::string, std::string> texts;
  const Json::Value& object = context.body[member];
  if (object.isNull()) return texts;
  if (!object.isObject()) {
    return BadRequest(absl::StrCat(member, " must be an object."));
  }
  for (const std::string& key : object.getMemberNames()) {
    if (!object[key].isString()) {
      return BadRequest(absl::StrCat(member, ".", key, " must be a string."));
    }
    texts[key] = object[key].asString();
  }
  return texts;
}

}  // namespace byoshin::local::appsync
