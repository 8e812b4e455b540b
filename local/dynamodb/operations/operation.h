// An operation of DynamoDB: the shape of its request, and a function that turns
// a request into work. Each operation has its own file in this folder.
//
//   const Operation* operation = FindOperation("PutItem");
//   if (operation == nullptr) ...  // UnknownOperationException
//   absl::StatusOr<Work> work =
//       Prepare(*operation, json::ParseValue(body), {.region = region});
//   ...
//   absl::StatusOr<std::string> answer = (*work)(database);  // on its thread
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_OPERATION_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_OPERATION_H_

#include <json/forwards.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {

// In addition to the request's parameters.
struct RequestContext {
  std::string region{};
  // The address that the client used: "127.0.0.1:4566".
  std::string host{};
};

// Executes the request on the database's thread, and returns the answer's JSON.
// An error means that nothing has been changed.
using Work = std::function<absl::StatusOr<std::string>(Database& database)>;

// How errors are worded that need no table: see Enveloped().
enum class ErrorForm { kPlain, kEnveloped };

struct Operation {
  const char* name;
  const Shape& (*shape)();
  // Everything that needs no table is done here, on the caller's thread:
  // reading the parameters, parsing expressions. `request` has been checked
  // against the shape.
  absl::StatusOr<Work> (*prepare)(const Json::Value& request,
                                  const RequestContext& context);
  ErrorForm error_form = ErrorForm::kPlain;
};

// Null if there is none of that name.
const Operation* FindOperation(absl::string_view name);

// AWS's error for an operation of DynamoDB that is not supported; OK for any
// other name.
absl::Status CheckSupported(absl::string_view name);

// Parses and checks the request, and prepares the work.
absl::StatusOr<Work> Prepare(const Operation& operation,
                             absl::StatusOr<Json::Value> request,
                             const RequestContext& context);

// Ends an object whose members each end with a comma.
void CloseObject(std::string& out);

// Tables.
extern const Operation kCreateTable;
extern const Operation kDeleteTable;
extern const Operation kDescribeContinuousBackups;
extern const Operation kDescribeEndpoints;
extern const Operation kDescribeLimits;
extern const Operation kDescribeTable;
extern const Operation kDescribeTimeToLive;
extern const Operation kListTables;
extern const Operation kListTagsOfResource;
extern const Operation kTagResource;
extern const Operation kUntagResource;
extern const Operation kUpdateContinuousBackups;
extern const Operation kUpdateTable;
extern const Operation kUpdateTimeToLive;
// Items.
extern const Operation kBatchGetItem;
extern const Operation kBatchWriteItem;
extern const Operation kDeleteItem;
extern const Operation kGetItem;
extern const Operation kPutItem;
extern const Operation kQuery;
extern const Operation kScan;
extern const Operation kTransactGetItems;
extern const Operation kTransactWriteItems;
extern const Operation kUpdateItem;

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_OPERATION_H_
