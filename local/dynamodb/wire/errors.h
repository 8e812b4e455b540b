// DynamoDB's errors.
//
//   if (table == nullptr) return ResourceNotFound();
//   if (key.empty()) return InvalidParameter("Missing the key ...");
//
// ValidationError() and SerializationError() come from
// local/dynamodb/values/error.h.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_WIRE_ERRORS_H_
#define BYOSHIN_LOCAL_DYNAMODB_WIRE_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/error.h"  // IWYU pragma: export
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {

// A ValidationError of "One or more parameter values were invalid: ...", as
// most of AWS's messages start.
absl::Status InvalidParameter(absl::string_view message);

// A ValidationError as AWS has worded those of some operations since 2026: with
// "1 validation error detected: " in front, unless it already counts its
// errors. Any other status is unchanged.
absl::Status Enveloped(const absl::Status& status);

// For features of DynamoDB that the local one does not support.
absl::Status Unsupported(absl::string_view what);

// For requests about items.
absl::Status ResourceNotFound();
// For requests about tables.
absl::Status TableNotFound(absl::string_view table_name);
absl::Status ResourceInUse(absl::string_view message);
absl::Status LimitExceeded(absl::string_view message);

// `item_json` is the item that failed the condition, or empty if the caller did
// not ask for it.
absl::Status ConditionalCheckFailed(absl::string_view item_json);

// The member of an answer that has the error's message: AWS writes it with a
// capital letter in some.
absl::string_view MessageMember(const ErrorAnswer& error);

// The prefix of an error's code in an answer's __type.
absl::string_view TypePrefix(absl::string_view code);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_WIRE_ERRORS_H_
