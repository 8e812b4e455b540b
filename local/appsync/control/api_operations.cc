// Operations on APIs and their environment variables.
#include <json/json.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "local/appsync/control/answers.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/names.h"
#include "local/appsync/model/record.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

Json::Value ApiJson(const OperationContext& context, const GraphqlApi& api) {
  return ToJson(api, context.place(), context.call.endpoint);
}

absl::StatusOr<Answer> CreateGraphqlApi(OperationContext& context) {
  absl::StatusOr<GraphqlApi> api = ReadGraphqlApi(context.body);
  if (!api.ok()) return api.status();
  absl::StatusOr<std::map<std::string, std::string>> tags =
      TextsIn(context, "tags");
  if (!tags.ok()) return tags.status();
  if (absl::Status valid = CheckTags(*tags); !valid.ok()) return valid;
  api->id = NewId();
  api->region = context.call.region;
  api->tags = *std::move(tags);
  context.catalog.Save(*api);
  return MemberAnswer("graphqlApi", ApiJson(context, *api));
}

absl::StatusOr<Answer> GetGraphqlApi(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  return MemberAnswer("graphqlApi", ApiJson(context, *(*state)->api));
}

absl::StatusOr<Answer> ListGraphqlApis(OperationContext& context) {
  std::map<std::string, Json::Value> items;
  for (const Catalog::StatePointer& state : context.catalog.List()) {
    if (state->api->region != context.call.region) continue;
    items[state->api->id] = ApiJson(context, *state->api);
  }
  return ListAnswer(context, "graphqlApis", items);
}

absl::StatusOr<Answer> UpdateGraphqlApi(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  absl::StatusOr<GraphqlApi> api = ReadGraphqlApi(context.body);
  if (!api.ok()) return api.status();
  const GraphqlApi& before = *(*state)->api;
  api->id = before.id;
  api->region = before.region;
  api->tags = before.tags;
  api->environment = before.environment;
  context.catalog.Save(*api);
  return MemberAnswer("graphqlApi", ApiJson(context, *api));
}

absl::StatusOr<Answer> DeleteGraphqlApi(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  context.catalog.RemoveApi((*state)->api->id);
  return EmptyAnswer();
}

absl::StatusOr<Answer> PutVariables(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  absl::StatusOr<std::map<std::string, std::string>> variables =
      TextsIn(context, "environmentVariables");
  if (!variables.ok()) return variables.status();
  if (absl::Status valid = CheckVariables(*variables); !valid.ok()) {
    return valid;
  }
  GraphqlApi api = *(*state)->api;
  api.environment = *std::move(variables);
  context.catalog.Save(api);
  return MemberAnswer("environmentVariables", TextMapJson(api.environment));
}

absl::StatusOr<Answer> GetVariables(OperationContext& context) {
  const absl::StatusOr<Catalog::StatePointer> state = context.Api();
  if (!state.ok()) return state.status();
  return MemberAnswer("environmentVariables",
                      TextMapJson((*state)->api->environment));
}

constexpr Operation kApiOperations[] = {
    {"CreateGraphqlApi", "POST", "/v1/apis", CreateGraphqlApi},
    {"ListGraphqlApis", "GET", "/v1/apis", ListGraphqlApis},
    {"GetGraphqlApi", "GET", "/v1/apis/{apiId}", GetGraphqlApi},
    {"UpdateGraphqlApi", "POST", "/v1/apis/{apiId}", UpdateGraphqlApi},
    {"DeleteGraphqlApi", "DELETE", "/v1/apis/{apiId}", DeleteGraphqlApi},
    {"PutGraphqlApiEnvironmentVariables", "PUT",
     "/v1/apis/{apiId}/environmentVariables", PutVariables},
    {"GetGraphqlApiEnvironmentVariables", "GET",
     "/v1/apis/{apiId}/environmentVariables", GetVariables}};

}  // namespace

absl::Span<const Operation> ApiOperations() { return kApiOperations; }

}  // namespace byoshin::local::appsync
