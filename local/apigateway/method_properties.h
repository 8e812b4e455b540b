// The properties of AWS::ApiGateway::Method.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_METHOD_PROPERTIES_H_
#define BYOSHIN_LOCAL_APIGATEWAY_METHOD_PROPERTIES_H_

#include <json/forwards.h>

#include "absl/status/statusor.h"
#include "local/apigateway/rest_api.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {

cloudformation::ResourceSchema MethodSchema();

// InvalidArgument or Unimplemented, with the name of the property, for what the
// local cloud would not do as AWS does.
absl::StatusOr<Method> ReadMethod(const Json::Value& properties);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_METHOD_PROPERTIES_H_
