// The operations of a DynamoDB data source on several items: BatchGetItem,
// BatchPutItem, BatchDeleteItem, TransactGetItems and TransactWriteItems.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_BATCHES_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_BATCHES_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {

bool IsBatchOperation(absl::string_view operation);

// The same as in dynamodb_request.h.
absl::StatusOr<DynamoDbCall> BatchCallFor(const json::Data& request);
json::Data BatchResult(const json::Data& request, const json::Data& answer);

// ctx.result of a transaction that DynamoDB has cancelled; `answer` is its
// error.
json::Data CancelledResult(const json::Data& answer);

// A list of items as plain values.
json::Data PlainItems(const json::Data& items);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_BATCHES_H_
