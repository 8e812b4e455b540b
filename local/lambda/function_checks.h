// Checks a function's name, variables and events, with Lambda's own errors.
// https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html
#ifndef BYOSHIN_LOCAL_LAMBDA_FUNCTION_CHECKS_H_
#define BYOSHIN_LOCAL_LAMBDA_FUNCTION_CHECKS_H_

#include <cstddef>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::lambda {

inline constexpr std::size_t kMaxFunctionNameLength = 64;
// The maximum size of all names and values of a function's variables.
inline constexpr std::size_t kMaxVariablesBytes = std::size_t{4} << 10;

// ValidationException unless it consists of letters, digits, hyphens and
// underscores.
absl::Status CheckFunctionName(absl::string_view name);

// InvalidParameterValueException for reserved names and for exceeding the size;
// ValidationException for invalid names.
absl::Status CheckVariables(
    const std::map<std::string, std::string>& variables);

// RequestTooLargeException if an event has more than `max_bytes`.
absl::Status CheckEventSize(absl::string_view event, std::size_t max_bytes);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_FUNCTION_CHECKS_H_
