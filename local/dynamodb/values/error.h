// DynamoDB's two errors for invalid requests.
//
//   return ValidationError("ExpressionAttributeNames must not be empty");
//
// Both are InvalidArgument and carry the answer of local/gateway/error.h.
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_ERROR_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

// The request is well-formed, but not allowed.
absl::Status ValidationError(absl::string_view message);

// The request's JSON does not match the operation's input.
absl::Status SerializationError(absl::string_view message);

// Whether it is a SerializationError.
bool IsSerializationError(const absl::Status& status);

// The message of such an error, to be used in a longer one.
std::string ErrorMessageOf(const absl::Status& status);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_ERROR_H_
