// Operations on the tags of APIs.
#include <json/json.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/record.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

// The API whose ARN is the path's part.
absl::StatusOr<GraphqlApi> TaggedApi(const OperationContext& context) {
  const std::string& arn = context.parts[0];
  const Catalog::StatePointer state =
      context.catalog.Find(arn.substr(arn.rfind('/') + 1));
  if (state == nullptr || ApiArn(context.place(), state->api->id) != arn) {
    return NotFound(absl::StrCat("Resource ", arn, " not found."));
  }
  return *state->api;
}

absl::StatusOr<Answer> TagResource(OperationContext& context) {
  absl::StatusOr<GraphqlApi> api = TaggedApi(context);
  if (!api.ok()) return api.status();
  absl::StatusOr<std::map<std::string, std::string>> tags =
      TextsIn(context, "tags");
  if (!tags.ok()) return tags.status();
  for (auto& [key, value] : *tags) api->tags[key] = std::move(value);
  if (absl::Status valid = CheckTags(api->tags); !valid.ok()) return valid;
  context.catalog.Save(*api);
  return EmptyAnswer();
}

absl::StatusOr<Answer> UntagResource(OperationContext& context) {
  absl::StatusOr<GraphqlApi> api = TaggedApi(context);
  if (!api.ok()) return api.status();
  for (const absl::string_view parameter :
       absl::StrSplit(context.call.query, '&')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(parameter, absl::MaxSplits('=', 1));
    if (parts.first == "tagKeys") {
      api->tags.erase(PercentDecoded(parts.second));
    }
  }
  context.catalog.Save(*api);
  return EmptyAnswer();
}

absl::StatusOr<Answer> ListTagsForResource(OperationContext& context) {
  const absl::StatusOr<GraphqlApi> api = TaggedApi(context);
  if (!api.ok()) return api.status();
  return MemberAnswer("tags", TextMapJson(api->tags));
}

constexpr Operation kTagOperations[] = {
    {"TagResource", "POST", "/v1/tags/{arn}", TagResource},
    {"UntagResource", "DELETE", "/v1/tags/{arn}", UntagResource},
    {"ListTagsForResource", "GET", "/v1/tags/{arn}", ListTagsForResource}};

}  // namespace

absl::Span<const Operation> TagOperations() { return kTagOperations; }

}  // namespace byoshin::local::appsync
