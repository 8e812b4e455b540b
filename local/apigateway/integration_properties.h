// The properties of integrations, and what other resource types share with
// them.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_INTEGRATION_PROPERTIES_H_
#define BYOSHIN_LOCAL_APIGATEWAY_INTEGRATION_PROPERTIES_H_

#include <json/forwards.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/rest_api.h"

namespace byoshin::local::apigateway {

// Sets what answers the method. `properties` are those of the method. The error
// names the property.
absl::Status ReadIntegration(const Json::Value& properties, Method& method);

// From "arn:aws:apigateway:…:lambda:path/2015-03-31/functions/ARN/invocations".
absl::StatusOr<std::string> FunctionArnOf(absl::string_view uri);

// By content type. `path` is that of `templates`, for errors.
absl::StatusOr<std::map<std::string, MappingTemplate>> ReadTemplates(
    const Json::Value& templates, absl::string_view path);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_INTEGRATION_PROPERTIES_H_
