// REST APIs and their parts in the JSON of API Gateway's API.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_SERVICE_JSON_H_
#define BYOSHIN_LOCAL_APIGATEWAY_SERVICE_JSON_H_

#include <json/json.h>

#include "local/apigateway/authorizer.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/request_validation.h"
#include "local/apigateway/rest_api.h"

namespace byoshin::local::apigateway {

// https://docs.aws.amazon.com/apigateway/latest/api/API_RestApi.html
Json::Value ToJson(const RestApi& api);

// Whether a resource's methods are described or only named.
enum class Methods { kNamed, kDescribed };
// https://docs.aws.amazon.com/apigateway/latest/api/API_Resource.html
Json::Value ToJson(const RestApi& api, const Resource& resource,
                   Methods methods);
// https://docs.aws.amazon.com/apigateway/latest/api/API_Method.html
Json::Value ToJson(const Resource& resource, const Method& method);
// https://docs.aws.amazon.com/apigateway/latest/api/API_Integration.html
Json::Value IntegrationJson(const Resource& resource, const Method& method);
// https://docs.aws.amazon.com/apigateway/latest/api/API_Stage.html
Json::Value ToJson(const Stage& stage);
// https://docs.aws.amazon.com/apigateway/latest/api/API_Deployment.html
Json::Value ToJson(const Deployment& deployment);

// https://docs.aws.amazon.com/apigateway/latest/api/API_Authorizer.html
Json::Value ToJson(const Authorizer& authorizer);
// https://docs.aws.amazon.com/apigateway/latest/api/API_RequestValidator.html
Json::Value ToJson(const RequestValidator& validator);
// https://docs.aws.amazon.com/apigateway/latest/api/API_Model.html
Json::Value ToJson(const Model& model);
// The API's own response of this type, or the default one.
// https://docs.aws.amazon.com/apigateway/latest/api/API_GatewayResponse.html
Json::Value ToJson(ResponseType type, const GatewayResponses& responses);

// Whether a key's value is included.
enum class KeyValues { kHidden, kShown };
// https://docs.aws.amazon.com/apigateway/latest/api/API_ApiKey.html
Json::Value ToJson(const ApiKey& key, KeyValues values);
// https://docs.aws.amazon.com/apigateway/latest/api/API_UsagePlan.html
Json::Value ToJson(const UsagePlan& plan);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_SERVICE_JSON_H_
