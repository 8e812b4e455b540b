#include "local/lambda/function_checks.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/gateway/constraints.h"
#include "local/gateway/error.h"

namespace byoshin::local::lambda {
namespace {

// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
constexpr absl::string_view kReservedVariables[] = {
    "AWS_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_DEFAULT_REGION",
    "AWS_EXECUTION_ENV",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_NAME",
    "AWS_LAMBDA_FUNCTION_VERSION",
    "AWS_LAMBDA_INITIALIZATION_TYPE",
    "AWS_LAMBDA_LOG_GROUP_NAME",
    "AWS_LAMBDA_LOG_STREAM_NAME",
    "AWS_LAMBDA_RUNTIME_API",
    "AWS_REGION",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "LAMBDA_RUNTIME_DIR",
    "LAMBDA_TASK_ROOT",
    "_HANDLER",
    "_X_AMZN_TRACE_ID",
};

constexpr char kNamePattern[] =
    R"((arn:(aws[a-zA-Z-]*)?:lambda:)?)"
    R"(([a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d{1}:)?(\d{12}:)?)"
    R"((function:)?([a-zA-Z0-9-_]+)(:(\$LATEST|[a-zA-Z0-9-_]+))?)";
constexpr char kVariablePattern[] = "[a-zA-Z]([a-zA-Z0-9_])+";

bool IsWordCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool IsVariableName(absl::string_view name) {
  return name.size() >= 2 &&
         absl::ascii_isalpha(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), IsWordCharacter);
}

absl::Status InvalidMember(absl::string_view value, absl::string_view member,
                           absl::string_view constraint) {
  ConstraintErrors errors;
  errors.Add(member, std::string(value), constraint);
  return ServiceError(
      {.code = "ValidationException", .message = errors.Message()});
}

absl::Status InvalidVariables(absl::string_view why) {
  return ServiceError(
      {.code = "InvalidParameterValueException",
       .message = absl::StrCat(
           "Lambda was unable to configure your environment variables because "
           "the environment variables you have provided ",
           why),
       .json_members = R"("Type":"User")"});
}

}  // namespace

absl::Status CheckFunctionName(absl::string_view name) {
  if (name.size() > kMaxFunctionNameLength) {
    return InvalidMember(name, "functionName",
                         MaxLength(kMaxFunctionNameLength));
  }
  const bool valid =
      !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return IsWordCharacter(c) || c == '-';
      });
  if (valid) return absl::OkStatus();
  return InvalidMember(name, "functionName", MustMatch(kNamePattern));
}

absl::Status CheckVariables(
    const std::map<std::string, std::string>& variables) {
  std::vector<std::string> reserved;
  std::size_t bytes = 0;
  for (const auto& [name, value] : variables) {
    bytes += name.size() + value.size();
    if (std::count(std::begin(kReservedVariables), std::end(kReservedVariables),
                   name) > 0) {
      reserved.push_back(name);
    }
  }
  if (!reserved.empty()) {
    return InvalidVariables(absl::StrCat(
        "contains reserved keys that are currently not supported for "
        "modification. Reserved keys used in this request: ",
        absl::StrJoin(reserved, ", ")));
  }
  for (const auto& [name, value] : variables) {
    if (IsVariableName(name)) continue;
    return InvalidMember(name, "environment.variables",
                         absl::StrCat("Map keys must satisfy constraint: [",
                                      MustMatch(kVariablePattern), "]"));
  }
  if (bytes > kMaxVariablesBytes) {
    return InvalidVariables("exceeded the 4KB limit.");
  }
  return absl::OkStatus();
}

absl::Status CheckEventSize(absl::string_view event, std::size_t max_bytes) {
  if (event.size() <= max_bytes) return absl::OkStatus();
  return ServiceError(
      {.code = "RequestTooLargeException",
       .message = absl::StrCat("Request must be smaller than ", max_bytes,
                               " bytes for the InvokeFunction operation"),
       .http_status = 413,
       .json_members = R"("Type":"User")"});
}

}  // namespace byoshin::local::lambda
