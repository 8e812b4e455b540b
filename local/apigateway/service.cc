#include "local/apigateway/service.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/service_json.h"
#include "local/gateway/error.h"
#include "local/gateway/paging.h"
#include "local/gateway/rest.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::apigateway {
namespace {

constexpr ServiceTraits kTraits = {.name = "apigateway",
                                   .target_prefix = "BackplaneControlService",
                                   .speaks_rest = true};

constexpr std::size_t kDefaultPageSize = 25;
constexpr std::size_t kMaxPageSize = 500;

struct Request {
  const Registry& registry;
  const Call& call;
  // The parts of the path where the pattern has braces.
  std::vector<std::string> parts{};
  std::string account_id{};

  std::string Parameter(absl::string_view name) const {
    return FindParameter(call, name);
  }
};

using Result = absl::StatusOr<Json::Value>;
using Items = std::map<std::string, Json::Value>;

absl::Status NotFound(absl::string_view message) {
  return ServiceError({.code = "NotFoundException",
                       .message = std::string(message),
                       .http_status = 404});
}

absl::Status BadRequest(absl::string_view message) {
  return ServiceError(
      {.code = "BadRequestException", .message = std::string(message)});
}

absl::StatusOr<std::size_t> PageSizeOf(const Request& request) {
  const std::string text = request.Parameter("limit");
  if (text.empty()) return kDefaultPageSize;
  std::size_t size = 0;
  if (!absl::SimpleAtoi(text, &size) || size == 0) {
    return BadRequest("limit must be a number from 1 to 500");
  }
  return std::min(size, kMaxPageSize);
}

// The requested page of items, which are sorted by id.
Result ListAnswer(const Request& request, const Items& items) {
  const absl::StatusOr<std::size_t> size = PageSizeOf(request);
  if (!size.ok()) return size.status();
  std::vector<std::string> keys;
  for (const auto& [id, item] : items) keys.push_back(id);
  const std::optional<Page> page =
      PageOf(keys, {.limit = *size, .token = request.Parameter("position")});
  if (!page.has_value()) return BadRequest("Invalid position parameter");
  Json::Value answer(Json::objectValue);
  answer["item"] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer["item"].append(items.at(keys[i]));
  }
  if (!page->next_token.empty()) answer["position"] = page->next_token;
  return answer;
}

// The first part of the path is the API's id.
absl::StatusOr<RestApi> FindApi(const Request& request) {
  for (RestApi& api : request.registry.Apis()) {
    if (api.id == request.parts[0]) return std::move(api);
  }
  return NotFound(absl::StrCat("Invalid API identifier specified ",
                               request.account_id, ":", request.parts[0]));
}

Methods MethodsOf(const Request& request) {
  return request.Parameter("embed") == "methods" ? Methods::kDescribed
                                                 : Methods::kNamed;
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApis.html
Result GetRestApis(const Request& request) {
  Items items;
  for (const RestApi& api : request.registry.Apis()) {
    items[api.id] = ToJson(api);
  }
  return ListAnswer(request, items);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApi.html
Result GetRestApi(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  return ToJson(*api);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetResources.html
Result GetResources(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  Items items;
  for (const auto& [id, resource] : api->resources) {
    items[id] = ToJson(*api, resource, MethodsOf(request));
  }
  return ListAnswer(request, items);
}

// The resource that the path names, of an existing API.
absl::StatusOr<Resource> FindResource(const Request& request,
                                      const RestApi& api) {
  const auto found = api.resources.find(request.parts[1]);
  if (found != api.resources.end()) return found->second;
  return NotFound("Invalid Resource identifier specified");
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetResource.html
Result GetResource(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  const absl::StatusOr<Resource> resource = FindResource(request, *api);
  if (!resource.ok()) return resource.status();
  return ToJson(*api, *resource, MethodsOf(request));
}

// The result of `write` for the method that the path names.
Result OfMethod(const Request& request,
                Json::Value (*write)(const Resource&, const Method&)) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  const absl::StatusOr<Resource> resource = FindResource(request, *api);
  if (!resource.ok()) return resource.status();
  const auto method = resource->methods.find(request.parts[2]);
  if (method == resource->methods.end()) {
    return NotFound("Invalid Method identifier specified");
  }
  return write(*resource, method->second);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetMethod.html
Result GetMethod(const Request& request) { return OfMethod(request, ToJson); }

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetIntegration.html
Result GetIntegration(const Request& request) {
  return OfMethod(request, IntegrationJson);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetDeployments.html
Result GetDeployments(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  Items items;
  for (const auto& [id, deployment] : api->deployments) {
    items[id] = ToJson(deployment);
  }
  return ListAnswer(request, items);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetDeployment.html
Result GetDeployment(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  const auto found = api->deployments.find(request.parts[1]);
  if (found != api->deployments.end()) return ToJson(found->second);
  return NotFound("Invalid Deployment identifier specified");
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetStages.html
Result GetStages(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  const std::string deployment = request.Parameter("deploymentId");
  Json::Value answer(Json::objectValue);
  answer["item"] = Json::arrayValue;
  for (const auto& [name, stage] : api->stages) {
    if (deployment.empty() || stage.deployment_id == deployment) {
      answer["item"].append(ToJson(stage));
    }
  }
  return answer;
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetStage.html
Result GetStage(const Request& request) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  const auto stage = api->stages.find(request.parts[1]);
  if (stage != api->stages.end()) return ToJson(stage->second);
  return NotFound("Invalid stage identifier specified");
}

// The items of an API, by their ids. `write` gives them.
Result ListOf(const Request& request, Items (*write)(const ApiParts& parts)) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  return ListAnswer(request, write(api->parts));
}

// The item whose id is the second part of the path.
Result OneOf(const Request& request, Items (*write)(const ApiParts& parts),
             absl::string_view missing) {
  const absl::StatusOr<RestApi> api = FindApi(request);
  if (!api.ok()) return api.status();
  Items items = write(api->parts);
  const auto found = items.find(request.parts[1]);
  if (found == items.end()) return NotFound(missing);
  return std::move(found->second);
}

template <typename Part>
Items ItemsOf(const std::map<std::string, Part>& parts) {
  Items items;
  for (const auto& [id, part] : parts) items[id] = ToJson(part);
  return items;
}

Items AuthorizerItems(const ApiParts& parts) {
  return ItemsOf(parts.authorizers);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetAuthorizers.html
Result GetAuthorizers(const Request& request) {
  return ListOf(request, AuthorizerItems);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetAuthorizer.html
Result GetAuthorizer(const Request& request) {
  return OneOf(request, AuthorizerItems,
               "Invalid Authorizer identifier specified");
}

Items ValidatorItems(const ApiParts& parts) {
  return ItemsOf(parts.validators);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetRequestValidators.html
Result GetRequestValidators(const Request& request) {
  return ListOf(request, ValidatorItems);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetRequestValidator.html
Result GetRequestValidator(const Request& request) {
  return OneOf(request, ValidatorItems,
               "Invalid Request Validator identifier specified");
}

Items ModelItems(const ApiParts& parts) { return ItemsOf(parts.models); }

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetModels.html
Result GetModels(const Request& request) { return ListOf(request, ModelItems); }

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetModel.html
Result GetModel(const Request& request) {
  return OneOf(request, ModelItems, "Invalid model name specified");
}

Items ResponseItems(const ApiParts& parts) {
  Items items;
  for (const ResponseType type : AllResponseTypes()) {
    items[std::string(NameOf(type))] = ToJson(type, parts.responses);
  }
  return items;
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetGatewayResponses.html
Result GetGatewayResponses(const Request& request) {
  return ListOf(request, ResponseItems);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetGatewayResponse.html
Result GetGatewayResponse(const Request& request) {
  return OneOf(request, ResponseItems,
               "Invalid Gateway Response type specified");
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetApiKeys.html
Result GetApiKeys(const Request& request) {
  const std::string name = request.Parameter("name");
  const KeyValues values = request.Parameter("includeValues") == "true"
                               ? KeyValues::kShown
                               : KeyValues::kHidden;
  Items items;
  for (const ApiKey& key : request.registry.Keys()) {
    if (absl::StartsWith(key.name, name)) items[key.id] = ToJson(key, values);
  }
  return ListAnswer(request, items);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetApiKey.html
Result GetApiKey(const Request& request) {
  const KeyValues values = request.Parameter("includeValue") == "true"
                               ? KeyValues::kShown
                               : KeyValues::kHidden;
  for (const ApiKey& key : request.registry.Keys()) {
    if (key.id == request.parts[0]) return ToJson(key, values);
  }
  return NotFound("Invalid API Key identifier specified");
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlans.html
Result GetUsagePlans(const Request& request) {
  const std::string key = request.Parameter("keyId");
  Items items;
  for (const UsagePlan& plan : request.registry.Plans()) {
    if (key.empty() || Holds(plan, key)) items[plan.id] = ToJson(plan);
  }
  return ListAnswer(request, items);
}

absl::StatusOr<UsagePlan> FindPlan(const Request& request) {
  for (UsagePlan& plan : request.registry.Plans()) {
    if (plan.id == request.parts[0]) return std::move(plan);
  }
  return NotFound("Invalid Usage Plan identifier specified");
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlan.html
Result GetUsagePlan(const Request& request) {
  const absl::StatusOr<UsagePlan> plan = FindPlan(request);
  if (!plan.ok()) return plan.status();
  return ToJson(*plan);
}

// https://docs.aws.amazon.com/apigateway/latest/api/API_GetUsagePlanKeys.html
Result GetUsagePlanKeys(const Request& request) {
  const absl::StatusOr<UsagePlan> plan = FindPlan(request);
  if (!plan.ok()) return plan.status();
  Items items;
  for (const ApiKey& key : request.registry.Keys()) {
    if (!Holds(*plan, key.id)) continue;
    Json::Value& item = items[key.id];
    item["id"] = key.id;
    item["type"] = "API_KEY";
    item["name"] = key.name;
  }
  return ListAnswer(request, items);
}

struct Form {
  const char* path;
  Result (*get)(const Request& request);
};

// All use GET.
constexpr Form kForms[] = {
    {"/apikeys", GetApiKeys},
    {"/apikeys/{key}", GetApiKey},
    {"/restapis", GetRestApis},
    {"/restapis/{api}", GetRestApi},
    {"/restapis/{api}/authorizers", GetAuthorizers},
    {"/restapis/{api}/authorizers/{authorizer}", GetAuthorizer},
    {"/restapis/{api}/deployments", GetDeployments},
    {"/restapis/{api}/deployments/{deployment}", GetDeployment},
    {"/restapis/{api}/gatewayresponses", GetGatewayResponses},
    {"/restapis/{api}/gatewayresponses/{type}", GetGatewayResponse},
    {"/restapis/{api}/models", GetModels},
    {"/restapis/{api}/models/{model}", GetModel},
    {"/restapis/{api}/requestvalidators", GetRequestValidators},
    {"/restapis/{api}/requestvalidators/{validator}", GetRequestValidator},
    {"/restapis/{api}/resources", GetResources},
    {"/restapis/{api}/resources/{resource}", GetResource},
    {"/restapis/{api}/resources/{resource}/methods/{method}", GetMethod},
    {"/restapis/{api}/resources/{resource}/methods/{method}/integration",
     GetIntegration},
    {"/restapis/{api}/stages", GetStages},
    {"/restapis/{api}/stages/{stage}", GetStage},
    {"/usageplans", GetUsagePlans},
    {"/usageplans/{plan}", GetUsagePlan},
    {"/usageplans/{plan}/keys", GetUsagePlanKeys},
};

Result Perform(Request request) {
  for (const Form& form : kForms) {
    if (request.call.method != "GET") break;
    if (auto parts = MatchPath(form.path, request.call.path)) {
      request.parts = *std::move(parts);
      return form.get(request);
    }
  }
  return ServiceError(
      {.code = "UnknownOperationException",
       .message = absl::StrCat("the local API Gateway does not support ",
                               request.call.method, " ", request.call.path,
                               "; APIs are changed by their template"),
       .http_status = 404});
}

}  // namespace

const ServiceTraits& ApiGatewayService::traits() const { return kTraits; }

std::vector<NeededPermission> ApiGatewayService::PermissionsFor(
    const Call& call) const {
  // Actions are HTTP methods, and resources are paths.
  return {{.action = absl::StrCat(name(), ":", call.method),
           .resource = absl::StrCat("arn:aws:apigateway:", call.region,
                                    "::", call.path)}};
}

void ApiGatewayService::Handle(Call call, AnswerFunction answer) {
  static const auto& elsewhere = *new Registry();
  const Result result = Perform(
      {.registry = call.region == options_.region ? registry_ : elsewhere,
       .call = call,
       .account_id = options_.account_id});
  answer(result.ok()
             ? RestAnswer(*result)
             : RestErrorAnswer(result.status(), MessageSpelling::kLowerCase));
}

}  // namespace byoshin::local::apigateway
