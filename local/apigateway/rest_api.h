// The declaration of REST APIs: a tree of paths with methods, published in
// stages, with keys and usage plans. front.h serves the requests.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_
#define BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {

using Tags = std::map<std::string, std::string>;

// A method of a path, answered by a function in proxy integration or by an
// action of a service.
struct Method {
  std::string http_method{};  // "GET", or "ANY" for all that are not declared
  bool api_key_required = false;
  // Empty if `service` answers.
  std::string function_arn{};
  std::optional<ServiceIntegration> service{};
  // As declared; only reported.
  std::string integration_uri{};
  std::string integration_http_method{};
};

struct Resource {
  std::string id{};
  // The id of the parent; empty for the root.
  std::string parent_id{};
  // "orders", "{id}" or, for all that follows, "{path+}"; empty for the root
  // resource.
  std::string path_part{};
  std::map<std::string, Method> methods{};  // by http_method
};

// The methods at the time of a deployment.
struct Deployment {
  std::string id{};
  std::map<std::string, Resource> resources{};  // by id
  std::vector<std::string> binary_media_types{};
};

struct Stage {
  std::string name{};
  std::string deployment_id{};
  // The log group and format of the access log; empty if there is none.
  std::string access_log_group_arn{};
  std::string access_log_format{};
  std::optional<ThrottleLimits> throttle{};
  // Only reported.
  std::string description{};
  bool tracing = false;
  Tags tags{};
};

// The properties of an API in addition to its name.
struct ApiDetails {
  std::string description{};
  std::vector<std::string> endpoint_types{};
  // The binary types: "image/png", "image/*" or "*/*".
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
  // Only reported.
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
  // Only reported.
  std::string name{};
  std::string description{};
  Tags tags{};
};

// Whether the key belongs to the plan.
bool Holds(const UsagePlan& plan, absl::string_view key_id);

// The resource for a path.
struct Match {
  const Resource* resource = nullptr;
  // As declared: "/orders/{id}".
  std::string resource_path{};
  // The values of the parts in braces.
  std::map<std::string, std::string> parameters{};
};

// The resource for `path`, percent-decoded and without the stage: a literal
// part takes precedence over {one}, which takes precedence over {all+}.
std::optional<Match> FindResource(
    const std::map<std::string, Resource>& resources,
    absl::string_view root_resource_id, absl::string_view path);

// The method of `resource` for an HTTP method: declared, or ANY. Null if none.
const Method* FindMethod(const Resource& resource,
                         absl::string_view http_method);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_
