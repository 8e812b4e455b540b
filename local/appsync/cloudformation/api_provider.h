// AWS::AppSync::GraphQLApi and AWS::AppSync::GraphQLSchema in templates.
#ifndef BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_API_PROVIDER_H_
#define BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_API_PROVIDER_H_

#include <memory>

#include "local/appsync/cloudformation/plane_calls.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::appsync {

std::unique_ptr<cloudformation::ResourceProvider> NewApiProvider(Plane plane);
std::unique_ptr<cloudformation::ResourceProvider> NewSchemaProvider(
    Plane plane);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_API_PROVIDER_H_
