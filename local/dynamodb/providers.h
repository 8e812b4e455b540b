// AWS::DynamoDB::Table in CloudFormation templates.
#ifndef BYOSHIN_LOCAL_DYNAMODB_PROVIDERS_H_
#define BYOSHIN_LOCAL_DYNAMODB_PROVIDERS_H_

#include <memory>

#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {

// `dynamodb` must outlive it.
std::unique_ptr<cloudformation::ResourceProvider> NewTableProvider(
    Service& dynamodb);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_PROVIDERS_H_
