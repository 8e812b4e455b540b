// A name for the error of a function, where callers such as Step Functions
// decide by it.
//
//   return lambda::WithErrorType(status, "DatabaseConnectionError");
//
// Without it, the name follows from the status code; see error_report.h.
#ifndef BYOSHIN_CORE_LAMBDA_ERROR_TYPE_H_
#define BYOSHIN_CORE_LAMBDA_ERROR_TYPE_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::lambda {

// `status`, which must not be OK, with this name instead of any other.
absl::Status WithErrorType(absl::Status status, absl::string_view type);

// The name given by WithErrorType().
std::optional<std::string> ErrorTypeOf(const absl::Status& status);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_ERROR_TYPE_H_
