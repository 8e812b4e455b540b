// A status as Lambda's Runtime API wants to hear of an error.
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

// "Byoshin." and the name of the status code in camel case: AWS recommends
// category.reason, and what is stable can be filtered and alarmed on.
std::string ErrorType(const absl::Status& status);

// Always valid JSON. aws-lambda-cpp has a function for this too, but it writes
// every byte beyond ASCII as U+FFFF.
std::string ErrorBody(const absl::Status& status);

}  // namespace byoshin::lambda

#endif  // BYOSHIN_CORE_LAMBDA_ERROR_REPORT_H_
