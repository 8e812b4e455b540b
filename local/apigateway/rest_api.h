// The declaration of REST APIs: a tree of paths with methods, published in
// stages, with keys and usage plans. front.h serves the requests.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_
#define BYOSHIN_LOCAL_APIGATEWAY_REST_API_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/apigateway/authorizer.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/models/schemas.h"
#include "local/apigateway/request_validation.h"
#include "local/apigateway/service_integration.h"
#include "local/apigateway/throttle.h"

namespace byoshin::local::apigateway {

using Tags = std::map<std::string, std::string>;

// How long a function or a service may take to answer a client.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
inline constexpr absl::Duration kIntegrationTimeout = absl::Seconds(29);
inline constexpr absl::Duration kMinIntegrationTimeout = absl::Milliseconds(50);

// Who may call a method.
struct MethodAuthorization {
  enum class Type { kNone, kIam, kCustom, kCognito };
  Type type = Type::kNone;
  std::string authorizer_id{};
  std::vector<std::string> scopes{};
};

// A method of a path, answered by a function in proxy integration, by an action
// of a service, or by itself.
struct Method {
  std::string http_method{};  // "GET", or "ANY" for all that are not declared
  bool api_key_required = false;
  MethodAuthorization authorization{};
  // The id of the request validator; empty if there is none.
  std::string validator_id{};
  RequestRules rules{};
  // Exactly one of these answers.
  std::string function_arn{};
  std::optional<ServiceIntegration> service{};
  std::optional<Mapping> mock{};
  // The role that calls the function; empty if the function's own policy
  // decides.
  std::string function_role_arn{};
  absl::Duration timeout = kIntegrationTimeout;
  // As declared; only reported.
  std::string integration_uri{};
  std::string integration_http_method{};
  std::string operation_name{};
  std::map<std::string, bool> request_parameters{};
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

// Where a client's API key comes from.
enum class KeySource { kHeader, kAuthorizer };

// What methods refer to by id or name.
struct ApiParts {
  std::map<std::string, Authorizer> authorizers{};       // by id
  std::map<std::string, RequestValidator> validators{};  // by id
  std::map<std::string, Model> models{};                 // by name
  GatewayResponses responses{};
};

// The API at the time of a deployment.
struct Deployment {
  std::string id{};
  std::map<std::string, Resource> resources{};  // by id
  std::vector<std::string> binary_media_types{};
  KeySource key_source = KeySource::kHeader;
  // Shared with the requests in progress. Never null.
  std::shared_ptr<const ApiParts> parts = std::make_shared<const ApiParts>();
  std::shared_ptr<const SchemaSet> schemas =
      std::make_shared<const SchemaSet>();
};

// Settings of a stage for a method, for all methods of a path or for all paths.
struct MethodSettings {
  std::optional<ThrottleLimits> throttle{};
  // Only reported.
  std::string logging_level{};
  bool metrics = false;
  bool data_trace = false;
};

// A path as declared, "/orders/{id}", or "*", and an HTTP method or "*".
using MethodKey = std::pair<std::string, std::string>;
inline constexpr char kAll[] = "*";

struct Stage {
  std::string name{};
  std::string deployment_id{};
  // The log group and format of the access log; empty if there is none.
  std::string access_log_group_arn{};
  std::string access_log_format{};
  std::map<MethodKey, MethodSettings> settings{};
  std::map<std::string, std::string> variables{};
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
  KeySource key_source = KeySource::kHeader;
  Tags tags{};
};

struct RestApi {
  std::string id{};
  std::string name{};
  ApiDetails details{};
  std::string root_resource_id{};
  std::map<std::string, Resource> resources{};  // by id
  ApiParts parts{};
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

// The settings that limit a method: of the method, of its path or of all,
// whichever is the first with a limit. Null if none has.
const std::pair<const MethodKey, MethodSettings>* FindThrottle(
    const Stage& stage, const MethodKey& method);

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
