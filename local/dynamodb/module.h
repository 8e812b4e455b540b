// DynamoDB as a module of the cloud. Offers dynamodb::DynamoDb.
#ifndef BYOSHIN_LOCAL_DYNAMODB_MODULE_H_
#define BYOSHIN_LOCAL_DYNAMODB_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::dynamodb {

cloud::ModuleSpec DynamoDbModule();

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_MODULE_H_
