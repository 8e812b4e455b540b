#include "local/apigateway/registry.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::local::apigateway {
namespace {

absl::Status Missing(absl::string_view what, absl::string_view id) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", id));
}

bool Covers(const UsagePlan& plan, const Address& address) {
  return std::any_of(plan.stages.begin(), plan.stages.end(),
                     [&](const UsagePlan::ApiStage& stage) {
                       return stage.api_id == address.api_id &&
                              stage.stage == address.stage;
                     });
}

// OK if the parts have what the method refers to.
absl::Status CheckReferences(const ApiParts& parts, const Method& method) {
  using Type = MethodAuthorization::Type;
  const MethodAuthorization& wanted = method.authorization;
  if (wanted.type == Type::kCustom || wanted.type == Type::kCognito) {
    const auto found = parts.authorizers.find(wanted.authorizer_id);
    if (found == parts.authorizers.end()) {
      return Missing("authorizer", wanted.authorizer_id);
    }
    const bool is_pool = found->second.type == Authorizer::Type::kCognito;
    if (is_pool != (wanted.type == Type::kCognito)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the authorizer ", wanted.authorizer_id, " is of type ",
          NameOf(found->second.type), ": AuthorizationType must be ",
          is_pool ? "COGNITO_USER_POOLS" : "CUSTOM"));
    }
  }
  if (!method.validator_id.empty() &&
      !parts.validators.contains(method.validator_id)) {
    return Missing("request validator", method.validator_id);
  }
  for (const auto& [type, model] : method.rules.models) {
    if (model != kEmptyModel && model != kErrorModel &&
        !parts.models.contains(model)) {
      return Missing("model", model);
    }
  }
  return absl::OkStatus();
}

// Templates refer to models by this address.
SchemaSet SchemasOf(const RestApi& api) {
  std::map<std::string, std::string> texts = {{kEmptyModel, "{}"},
                                              {kErrorModel, "{}"}};
  for (const auto& [name, model] : api.parts.models) {
    texts[name] = model.schema.empty() ? "{}" : model.schema;
  }
  return SchemaSet(absl::StrCat("https://apigateway.amazonaws.com/restapis/",
                                api.id, "/models/"),
                   std::move(texts));
}

// The route to a stage, without a method.
Route RouteTo(const Stage& stage, const Deployment& deployment) {
  return {.stage = stage,
          .binary_media_types = deployment.binary_media_types,
          .key_source = deployment.key_source,
          .deployment_id = deployment.id,
          .parts = deployment.parts,
          .schemas = deployment.schemas};
}

}  // namespace

std::string Registry::RootResourceId(absl::string_view api_id) {
  return absl::StrCat(api_id, "root");
}

RestApi* Registry::FindApi(absl::string_view id) {
  const auto found = apis_.find(std::string(id));
  return found == apis_.end() ? nullptr : &found->second;
}

void Registry::PutApi(absl::string_view id, absl::string_view name,
                      ApiDetails details) {
  const sync::MutexLock lock(mutex_);
  RestApi& api = apis_[std::string(id)];
  api.id = std::string(id);
  api.name = std::string(name);
  api.details = std::move(details);
  api.root_resource_id = RootResourceId(id);
  api.resources[api.root_resource_id].id = api.root_resource_id;
}

void Registry::DeleteApi(absl::string_view id) {
  const sync::MutexLock lock(mutex_);
  apis_.erase(std::string(id));
  std::erase_if(stage_buckets_, [&](const auto& entry) {
    return std::get<0>(entry.first) == id;
  });
}

std::vector<RestApi> Registry::Apis() const {
  const sync::MutexLock lock(mutex_);
  std::vector<RestApi> apis;
  apis.reserve(apis_.size());
  for (const auto& [id, api] : apis_) apis.push_back(api);
  return apis;
}

absl::Status Registry::PutResource(absl::string_view api_id,
                                   Resource resource) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return Missing("REST API", api_id);
  if (!api->resources.contains(resource.parent_id)) {
    return Missing("parent resource", resource.parent_id);
  }
  Resource& stored = api->resources[resource.id];
  resource.methods = std::move(stored.methods);
  stored = std::move(resource);
  return absl::OkStatus();
}

void Registry::DeleteResource(absl::string_view api_id,
                              absl::string_view resource_id) {
  const sync::MutexLock lock(mutex_);
  if (RestApi* api = FindApi(api_id)) {
    api->resources.erase(std::string(resource_id));
  }
}

absl::Status Registry::PutMethod(absl::string_view api_id,
                                 absl::string_view resource_id, Method method) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return Missing("REST API", api_id);
  const auto resource = api->resources.find(std::string(resource_id));
  if (resource == api->resources.end()) {
    return Missing("resource", resource_id);
  }
  if (absl::Status found = CheckReferences(api->parts, method); !found.ok()) {
    return found;
  }
  std::string name = method.http_method;
  resource->second.methods[std::move(name)] = std::move(method);
  return absl::OkStatus();
}

void Registry::DeleteMethod(absl::string_view api_id,
                            absl::string_view resource_id,
                            absl::string_view http_method) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return;
  const auto resource = api->resources.find(std::string(resource_id));
  if (resource == api->resources.end()) return;
  resource->second.methods.erase(std::string(http_method));
}

absl::Status Registry::ChangeParts(absl::string_view api_id,
                                   absl::FunctionRef<void(ApiParts&)> change) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return Missing("REST API", api_id);
  change(api->parts);
  return absl::OkStatus();
}

absl::Status Registry::Deploy(absl::string_view api_id,
                              absl::string_view deployment_id) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return Missing("REST API", api_id);
  api->deployments[std::string(deployment_id)] = {
      .id = std::string(deployment_id),
      .resources = api->resources,
      .binary_media_types = api->details.binary_media_types,
      .key_source = api->details.key_source,
      .parts = std::make_shared<const ApiParts>(api->parts),
      .schemas = std::make_shared<const SchemaSet>(SchemasOf(*api))};
  return absl::OkStatus();
}

void Registry::DeleteDeployment(absl::string_view api_id,
                                absl::string_view deployment_id) {
  const sync::MutexLock lock(mutex_);
  if (RestApi* api = FindApi(api_id)) {
    api->deployments.erase(std::string(deployment_id));
  }
}

absl::Status Registry::PutStage(absl::string_view api_id, Stage stage) {
  const sync::MutexLock lock(mutex_);
  RestApi* api = FindApi(api_id);
  if (api == nullptr) return Missing("REST API", api_id);
  if (!api->deployments.contains(stage.deployment_id)) {
    return Missing("deployment", stage.deployment_id);
  }
  // New limits start with a full bucket.
  DropStageBuckets(api_id, stage.name);
  std::string name = stage.name;
  api->stages[std::move(name)] = std::move(stage);
  return absl::OkStatus();
}

void Registry::DeleteStage(absl::string_view api_id, absl::string_view name) {
  const sync::MutexLock lock(mutex_);
  if (RestApi* api = FindApi(api_id)) api->stages.erase(std::string(name));
  DropStageBuckets(api_id, name);
}

void Registry::DropStageBuckets(absl::string_view api_id,
                                absl::string_view stage) {
  std::erase_if(stage_buckets_, [&](const auto& entry) {
    return std::get<0>(entry.first) == api_id &&
           std::get<1>(entry.first) == stage;
  });
}

void Registry::PutKey(ApiKey key) {
  const sync::MutexLock lock(mutex_);
  std::string id = key.id;
  keys_[std::move(id)] = std::move(key);
}

std::string Registry::KeyValue(absl::string_view id) const {
  const sync::MutexLock lock(mutex_);
  const auto key = keys_.find(std::string(id));
  return key == keys_.end() ? "" : key->second.value;
}

void Registry::DeleteKey(absl::string_view id) {
  const sync::MutexLock lock(mutex_);
  keys_.erase(std::string(id));
  std::erase_if(key_buckets_,
                [&](const auto& entry) { return entry.first.second == id; });
}

std::vector<ApiKey> Registry::Keys() const {
  const sync::MutexLock lock(mutex_);
  std::vector<ApiKey> keys;
  keys.reserve(keys_.size());
  for (const auto& [id, key] : keys_) keys.push_back(key);
  return keys;
}

std::vector<UsagePlan> Registry::Plans() const {
  const sync::MutexLock lock(mutex_);
  std::vector<UsagePlan> plans;
  plans.reserve(plans_.size());
  for (const auto& [id, plan] : plans_) plans.push_back(plan);
  return plans;
}

void Registry::PutPlan(UsagePlan plan) {
  const sync::MutexLock lock(mutex_);
  UsagePlan& stored = plans_[plan.id];
  plan.key_ids = std::move(stored.key_ids);
  std::erase_if(key_buckets_, [&](const auto& entry) {
    return entry.first.first == plan.id;
  });
  stored = std::move(plan);
}

void Registry::DeletePlan(absl::string_view id) {
  const sync::MutexLock lock(mutex_);
  plans_.erase(std::string(id));
  std::erase_if(key_buckets_,
                [&](const auto& entry) { return entry.first.first == id; });
}

absl::Status Registry::AddKeyToPlan(absl::string_view plan_id,
                                    absl::string_view key_id) {
  const sync::MutexLock lock(mutex_);
  const auto plan = plans_.find(std::string(plan_id));
  if (plan == plans_.end()) return Missing("usage plan", plan_id);
  if (!keys_.contains(std::string(key_id))) return Missing("API key", key_id);
  if (!Holds(plan->second, key_id)) {
    plan->second.key_ids.emplace_back(key_id);
  }
  return absl::OkStatus();
}

void Registry::RemoveKeyFromPlan(absl::string_view plan_id,
                                 absl::string_view key_id) {
  const sync::MutexLock lock(mutex_);
  const auto plan = plans_.find(std::string(plan_id));
  if (plan != plans_.end()) std::erase(plan->second.key_ids, key_id);
}

const Stage* Registry::FindStage(const Address& address) const {
  const auto api = apis_.find(address.api_id);
  if (api == apis_.end()) return nullptr;
  const auto stage = api->second.stages.find(address.stage);
  return stage == api->second.stages.end() ? nullptr : &stage->second;
}

std::optional<Route> Registry::StageOf(const Address& address) const {
  const sync::MutexLock lock(mutex_);
  const Stage* stage = FindStage(address);
  if (stage == nullptr) return std::nullopt;
  const auto& deployments = apis_.at(address.api_id).deployments;
  const auto deployment = deployments.find(stage->deployment_id);
  if (deployment == deployments.end()) return std::nullopt;
  return RouteTo(*stage, deployment->second);
}

absl::StatusOr<Route> Registry::Find(const Address& address,
                                     absl::string_view http_method) const {
  const sync::MutexLock lock(mutex_);
  const Stage* stage = FindStage(address);
  if (stage == nullptr) return Missing("stage", address.stage);
  const RestApi& api = apis_.at(address.api_id);
  const auto deployment = api.deployments.find(stage->deployment_id);
  if (deployment == api.deployments.end()) {
    return Missing("deployment", stage->deployment_id);
  }
  std::optional<Match> match = FindResource(deployment->second.resources,
                                            api.root_resource_id, address.path);
  const Method* method =
      match.has_value() ? FindMethod(*match->resource, http_method) : nullptr;
  if (method == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("no method ", http_method, " on ", address.path));
  }
  Route route = RouteTo(*stage, deployment->second);
  route.method = *method;
  route.resource_id = match->resource->id;
  route.resource_path = std::move(match->resource_path);
  route.path_parameters = std::move(match->parameters);
  return route;
}

absl::StatusOr<std::string> Registry::CheckKey(const Address& address,
                                               absl::string_view value) const {
  const sync::MutexLock lock(mutex_);
  for (const auto& [id, key] : keys_) {
    if (!key.enabled || value.empty() || key.value != value) continue;
    if (FindPlan(address, id) != nullptr) return id;
  }
  return absl::PermissionDeniedError("no key for this stage");
}

const UsagePlan* Registry::FindPlan(const Address& address,
                                    absl::string_view key_id) const {
  for (const auto& [id, plan] : plans_) {
    if (Covers(plan, address) && Holds(plan, key_id)) return &plan;
  }
  return nullptr;
}

absl::Status Registry::Throttle(const Address& address, const MethodKey& method,
                                absl::string_view key_id, absl::Time now) {
  const sync::MutexLock lock(mutex_);
  if (!key_id.empty()) {
    const UsagePlan* plan = FindPlan(address, key_id);
    if (plan != nullptr && plan->throttle.has_value()) {
      const auto bucket = key_buckets_.try_emplace(
          {plan->id, std::string(key_id)}, *plan->throttle);
      if (!bucket.first->second.Take(now)) {
        return absl::ResourceExhaustedError("more than the key's plan allows");
      }
    }
  }
  const Stage* const stage = FindStage(address);
  if (stage == nullptr) return absl::OkStatus();
  const auto* const settings = FindThrottle(*stage, method);
  if (settings == nullptr) return absl::OkStatus();
  const auto bucket = stage_buckets_.try_emplace(
      {address.api_id, address.stage, settings->first},
      *settings->second.throttle);
  if (!bucket.first->second.Take(now)) {
    return absl::ResourceExhaustedError("more than the stage allows");
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::apigateway
