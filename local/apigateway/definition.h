// Declarations of API Gateway's resource types; for providers.cc,
// key_providers.cc and part_providers.cc.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_DEFINITION_H_
#define BYOSHIN_LOCAL_APIGATEWAY_DEFINITION_H_

#include <json/forwards.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/throttle.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {

// A resource type, and how its resources are put into the registry.
struct Definition {
  std::string type{};
  cloudformation::ResourceSchema schema{};
  // Returns the id of a new resource. By default, its name's suffix in lower
  // case.
  std::function<std::string(const cloudformation::ResourceRequest&)> new_id =
      nullptr;
  // Creates or updates the resource with the id in `state`; may add attributes
  // to `state`.
  std::function<absl::Status(Registry&, const cloudformation::ResourceRequest&,
                             cloudformation::ResourceState&)>
      put = nullptr;
  std::function<void(Registry&, const cloudformation::ResourceRequest&)>
      remove = nullptr;
};

// `registry` must outlive the provider.
std::unique_ptr<cloudformation::ResourceProvider> NewProvider(
    Registry& registry, Definition definition);

// Keys, usage plans and the assignment of keys to plans.
std::vector<Definition> KeyDefinitions();

// What methods refer to: authorizers, request validators and models; and
// gateway responses.
std::vector<Definition> PartDefinitions();

// The tags in the properties; empty if there are none.
std::string Text(const cloudformation::ResourceRequest& request,
                 absl::string_view path);
Tags ReadTags(const cloudformation::ResourceRequest& request);
// nullopt if no rate is given.
absl::StatusOr<std::optional<ThrottleLimits>> ReadThrottle(
    const Json::Value& settings, absl::string_view rate_path,
    absl::string_view burst_path);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_DEFINITION_H_
