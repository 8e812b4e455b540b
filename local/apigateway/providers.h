// API Gateway's resources in CloudFormation templates.
//
//   for (auto& provider : NewProviders(registry)) deployer.Add(...);
#ifndef BYOSHIN_LOCAL_APIGATEWAY_PROVIDERS_H_
#define BYOSHIN_LOCAL_APIGATEWAY_PROVIDERS_H_

#include <memory>
#include <vector>

#include "local/apigateway/registry.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {

// RestApi, Resource, Method, Deployment, Stage, ApiKey, UsagePlan,
// UsagePlanKey, Authorizer, RequestValidator, Model and GatewayResponse.
// `registry` must outlive them.
std::vector<std::unique_ptr<cloudformation::ResourceProvider>> NewProviders(
    Registry& registry);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_PROVIDERS_H_
