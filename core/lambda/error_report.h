// Formats a status as an error for Lambda's Runtime API.
//
//   lambda::ErrorType(absl::NotFoundError("no queue"));  // "Byoshin.NotFound"
//   lambda::ErrorBody(absl::NotFoundError("no queue"));
//   // {"errorMessage":"no queue","errorType":"Byoshin.NotFound",
//   //  "stackTrace":[]}
#ifndef BYOSHIN_CORE_LAMBDA_ERROR_REPORT_H_
#define BYOSHIN_CORE_LAMBDA_ERROR_REPORT_H_

#include <string>

#include "absl/status/status.h"

namespace byoshin::lambda {

// The name that WithErrorType() (error_type.h) gave the status. Otherwise
// "Byoshin." and the name of the status code in camel case: AWS recommends
// category.reason, and stable names can be used in filters and alarms.
std::string ErrorType(const absl::Status& status);

// Always valid JSON. aws-lambda-cpp has a function for this too, but it writes
// every byte beyond ASCII as U+FFFF.
std::string ErrorBody(const absl::Status& status);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_ERROR_REPORT_H_
