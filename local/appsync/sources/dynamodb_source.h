// DynamoDB tables as data sources, including what AppSync does if a condition
// is false: it reads the item, and treats the request as successful if the item
// is already as the request wanted it.
// https://docs.aws.amazon.com/appsync/latest/devguide/js-resolver-reference-dynamodb.html#js-aws-appsync-resolver-reference-dynamodb-condition-expressions
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_SOURCE_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_SOURCE_H_

#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/source_result.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {

// Both outlive the call.
struct DynamoDbWorld {
  iam::RoleCaller& roles;
  lambda::FunctionInvoker& functions;
};

// Does not block.
void CallDynamoDb(const DynamoDbWorld& world, const SourceCall& call,
                  SourceDone done);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_SOURCE_H_
