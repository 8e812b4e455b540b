// Requests of resolvers to a DynamoDB data source, as requests of DynamoDB's
// API, and its answers as results for resolvers. Pure functions.
//
//   absl::StatusOr<DynamoDbCall> call = DynamoDbCallFor(source, request);
//   …
//   Data result = DynamoDbResult(request, answer);
//
// https://docs.aws.amazon.com/appsync/latest/devguide/js-resolver-reference-dynamodb.html
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_REQUEST_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_REQUEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"

namespace byoshin::local::appsync {

struct DynamoDbCall {
  std::string operation{};  // "PutItem"
  json::Data body{};
};

// InvalidArgument if it is not a request of this kind of data source; the
// message says why.
absl::StatusOr<DynamoDbCall> DynamoDbCallFor(absl::string_view table_name,
                                             const json::Data& request);

// ctx.result after a successful call.
json::Data DynamoDbResult(const json::Data& request, const json::Data& answer);

// The text of the request's member; empty if there is none.
std::string TextOf(const json::Data& object, absl::string_view name);
// The member; null if there is none.
const json::Data& MemberOf(const json::Data& object, absl::string_view name);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_DYNAMODB_REQUEST_H_
