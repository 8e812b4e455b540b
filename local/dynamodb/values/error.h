// The two errors that DynamoDB answers to a request it does not understand.
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

// The request can be read, but asks for what is not allowed.
absl::Status ValidationError(absl::string_view message);

// The request's JSON does not have the shape of the operation's input.
absl::Status SerializationError(absl::string_view message);

// Whether it is one of the latter.
bool IsSerializationError(const absl::Status& status);

// The message that such an error answers, for those that put it into a longer
// one.
std::string ErrorMessageOf(const absl::Status& status);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_ERROR_H_
