// API Gateway as a module of the cloud: its API, and the REST APIs of stacks.
// Needs Lambda's module before it.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_MODULE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::apigateway {

cloud::ModuleSpec ApiGatewayModule();

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_MODULE_H_
