// How providers call the control plane.
#ifndef BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PLANE_CALLS_H_
#define BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PLANE_CALLS_H_

#include <json/json.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {

struct Plane {
  Service& service;
  std::function<std::string()> endpoint;
};

// Calls the operation of this method and path. Errors are aws::Error.
absl::StatusOr<Json::Value> CallPlane(
    const Plane& plane, const cloudformation::ResourceRequest& request,
    absl::string_view method_and_path,
    const Json::Value& body = Json::Value(Json::objectValue));

// Whether it is a NotFoundException.
bool IsMissingPart(const absl::Status& status);

// The properties in the form of the control plane's requests: names begin with
// a lower-case letter, and numbers and booleans written as texts become such.
// "Tags" and "EnvironmentVariables" are left out.
Json::Value RequestOf(const Json::Value& properties);

// The id of the API that the property ApiId names.
std::string ApiIdOf(const cloudformation::ResourceRequest& request);

// What follows the last slash of an ARN.
std::string LastPart(absl::string_view arn);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PLANE_CALLS_H_
