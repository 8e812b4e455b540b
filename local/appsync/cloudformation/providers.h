// AppSync's resource types in templates.
#ifndef BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PROVIDERS_H_
#define BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PROVIDERS_H_

#include <functional>
#include <string>

#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {

// Adds AWS::AppSync::GraphQLApi, GraphQLSchema, ApiKey, DataSource,
// FunctionConfiguration and Resolver. `plane` must outlive the registry.
// `endpoint` returns where clients reach the cloud.
void AddAppSyncProviders(Service& plane, std::function<std::string()> endpoint,
                         cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PROVIDERS_H_
