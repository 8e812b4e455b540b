// REST APIs as they are declared: a tree of paths with methods, published in
// stages, and the keys and usage plans that open them. No requests are served
// here; see front.h.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_
#define BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {

using Tags = std::map<std::string, std::string>;

// How one method of a path is answered: by a function, in proxy integration.
struct Method {
  std::string http_method{};  // "GET", or "ANY" for all that are not declared
  bool api_key_required = false;
  std::string function_arn{};
  // As declared, for whoever looks at it.
  std::string integration_uri{};
  std::string integration_http_method{};
};

struct Resource {
  std::string id{};
  // Of the parent; empty for the root.
  std::string parent_id{};
  // "orders", "{id}" or, for all that follows, "{path+}"; empty for the root.
  std::string path_part{};
  std::map<std::string, Method> methods{};  // by http_method
};

// The methods as they were when a deployment was made.
struct Deployment {
  std::string id{};
  std::map<std::string, Resource> resources{};  // by id
  std::vector<std::string> binary_media_types{};
};

struct Stage {
  std::string name{};
  std::string deployment_id{};
  // Where and how each request is logged; empty if it is not.
  std::string access_log_group_arn{};
  std::string access_log_format{};
  std::optional<ThrottleLimits> throttle{};
  // For whoever looks at it.
  std::string description{};
  bool tracing = false;
  Tags tags{};
};

// What an API is told besides its name.
struct ApiDetails {
  std::string description{};
  std::vector<std::string> endpoint_types{};
  // What is not text: "image/png", "image/*" or "*/*".
  std::vector<std::string> binary_media_types{};
  Tags tags{};
};

struct RestApi {
  std::string id{};
  std::string name{};
  ApiDetails details{};
  std::string root_resource_id{};
  std::map<std::string, Resource> resources{};      // by id
  std::map<std::string, Deployment> deployments{};  // by id
  std::map<std::string, Stage> stages{};            // by name
};

struct ApiKey {
  std::string id{};
  std::string value{};
  bool enabled = true;
  // For whoever looks at it.
  std::string name{};
  std::string description{};
  Tags tags{};
};

struct UsagePlan {
  struct ApiStage {
    std::string api_id{};
    std::string stage{};
  };
  std::string id{};
  std::vector<ApiStage> stages{};
  std::optional<ThrottleLimits> throttle{};
  std::vector<std::string> key_ids{};
  // For whoever looks at it.
  std::string name{};
  std::string description{};
  Tags tags{};
};

// Whether the key is one of the plan's.
bool Holds(const UsagePlan& plan, absl::string_view key_id);

// Which resource answers a path.
struct Match {
  const Resource* resource = nullptr;
  // As declared: "/orders/{id}".
  std::string resource_path{};
  // What stood for the parts in braces.
  std::map<std::string, std::string> parameters{};
};

// The resource for `path`, percent-decoded and without the stage: a literal
// part goes before {one}, and that before {all+}.
std::optional<Match> FindResource(
    const std::map<std::string, Resource>& resources,
    absl::string_view root_resource_id, absl::string_view path);

// The method of `resource` for an HTTP method: declared, or ANY. Null if none.
const Method* FindMethod(const Resource& resource,
                         absl::string_view http_method);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_
