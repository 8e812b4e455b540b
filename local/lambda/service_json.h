// Functions and mappings in the JSON of Lambda's API.
#ifndef BYOSHIN_LOCAL_LAMBDA_SERVICE_JSON_H_
#define BYOSHIN_LOCAL_LAMBDA_SERVICE_JSON_H_

#include <json/json.h>

#include "local/lambda/event_source_mapping.h"
#include "local/lambda/function.h"

namespace byoshin::local::lambda {

// https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
Json::Value ToJson(const FunctionConfig& function);
// https://docs.aws.amazon.com/lambda/latest/api/API_EventSourceMappingConfiguration.html
Json::Value ToJson(const MappingConfig& mapping);

// The answers of GetFunction, GetFunctionConcurrency,
// GetFunctionEventInvokeConfig (of a function that has one) and GetPolicy.
Json::Value FunctionJson(const FunctionConfig& function);
Json::Value ConcurrencyJson(const FunctionConfig& function);
Json::Value InvokeConfigJson(const FunctionDetails& function);
Json::Value PolicyJson(const FunctionDetails& function);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_SERVICE_JSON_H_
