// The REST APIs, keys and usage plans, and the lookup of the method for a
// request.
//
//   Registry registry;
//   registry.PutApi({.id = "abc", .name = "orders", ...});
//   ...
//   absl::StatusOr<Route> route = registry.Find(
//       {.api_id = "abc", .stage = "prod", .path = "/orders/7"}, "GET");
#ifndef BYOSHIN_LOCAL_APIGATEWAY_REGISTRY_H_
#define BYOSHIN_LOCAL_APIGATEWAY_REGISTRY_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {

// The API, stage and path of a request.
struct Address {
  std::string api_id{};
  std::string stage{};
  // Percent-decoded, without the stage; starts with "/".
  std::string path{};
  // Whether the API was reached under a path of the dashboard's host, and not
  // under its own host.
  bool on_shared_origin = false;
};

// The method that answers a request: copied, so that a later change of the API
// does not affect requests in progress.
struct Route {
  Stage stage{};
  Method method{};
  std::string resource_id{};
  std::string resource_path{};
  std::map<std::string, std::string> path_parameters{};
  std::vector<std::string> binary_media_types{};
  KeySource key_source = KeySource::kHeader;
  std::string deployment_id{};
  // What the method refers to. Never null.
  std::shared_ptr<const ApiParts> parts = std::make_shared<const ApiParts>();
  std::shared_ptr<const SchemaSet> schemas =
      std::make_shared<const SchemaSet>();
};

// Thread-safe. Putting something under an existing id replaces it. NotFound
// names what is missing; nothing is changed then.
class Registry {
 public:
  // Creates the API with its root resource.
  void PutApi(absl::string_view id, absl::string_view name,
              ApiDetails details = {});
  void DeleteApi(absl::string_view id);
  std::vector<RestApi> Apis() const;
  static std::string RootResourceId(absl::string_view api_id);

  absl::Status PutResource(absl::string_view api_id, Resource resource);
  void DeleteResource(absl::string_view api_id, absl::string_view resource_id);
  absl::Status PutMethod(absl::string_view api_id,
                         absl::string_view resource_id, Method method);
  void DeleteMethod(absl::string_view api_id, absl::string_view resource_id,
                    absl::string_view http_method);
  // Changes what methods refer to.
  absl::Status ChangeParts(absl::string_view api_id,
                           absl::FunctionRef<void(ApiParts&)> change);
  // Records the API as it is now.
  absl::Status Deploy(absl::string_view api_id,
                      absl::string_view deployment_id);
  void DeleteDeployment(absl::string_view api_id,
                        absl::string_view deployment_id);
  absl::Status PutStage(absl::string_view api_id, Stage stage);
  void DeleteStage(absl::string_view api_id, absl::string_view name);

  void PutKey(ApiKey key);
  // The value of the key with this id; empty if there is none.
  std::string KeyValue(absl::string_view id) const;
  void DeleteKey(absl::string_view id);
  std::vector<ApiKey> Keys() const;
  void PutPlan(UsagePlan plan);  // keeps the keys of a plan that it replaces
  void DeletePlan(absl::string_view id);
  std::vector<UsagePlan> Plans() const;
  absl::Status AddKeyToPlan(absl::string_view plan_id,
                            absl::string_view key_id);
  void RemoveKeyFromPlan(absl::string_view plan_id, absl::string_view key_id);

  // Without a method: only the stage and what is deployed there. nullopt if
  // there is no such API or stage.
  std::optional<Route> StageOf(const Address& address) const;

  // NotFound: no such API or stage. Unimplemented: the stage has no such path
  // or method. AWS distinguishes only these two.
  absl::StatusOr<Route> Find(const Address& address,
                             absl::string_view http_method) const;

  // The id of the enabled key with this value, of a plan that covers the stage.
  // PermissionDenied if there is none.
  absl::StatusOr<std::string> CheckKey(const Address& address,
                                       absl::string_view value) const;

  // Counts the request against the limits of the stage for the method and, if
  // `key_id` is not empty, of the key's plan. ResourceExhausted if a limit is
  // exceeded.
  absl::Status Throttle(const Address& address, const MethodKey& method,
                        absl::string_view key_id, absl::Time now);

 private:
  RestApi* FindApi(absl::string_view id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const Stage* FindStage(const Address& address) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const UsagePlan* FindPlan(const Address& address,
                            absl::string_view key_id) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable sync::Mutex mutex_;
  std::map<std::string, RestApi> apis_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, ApiKey> keys_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, UsagePlan> plans_ ABSL_GUARDED_BY(mutex_);
  // By API, stage and the key of the settings.
  using StageBucketKey = std::tuple<std::string, std::string, MethodKey>;
  void DropStageBuckets(absl::string_view api_id, absl::string_view stage)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::map<StageBucketKey, TokenBucket> stage_buckets_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<std::string, std::string>, TokenBucket> key_buckets_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_REGISTRY_H_
