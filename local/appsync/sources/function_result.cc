#include "local/appsync/sources/function_result.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/data.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/source_result.h"
#include "local/gateway/error.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;

SourceResult FunctionFailure(const std::string& payload) {
  const absl::StatusOr<Data> error = Data::Parse(payload);
  std::string message = error.ok() ? TextOf(*error, "errorMessage") : "";
  if (message.empty()) message = payload;
  return SourceFailure(kFunctionFailed, std::move(message));
}

SourceResult NotInvoked(const absl::Status& status) {
  if (absl::IsPermissionDenied(status)) {
    return SourceFailure("Lambda:AccessDeniedException",
                         std::string(status.message()));
  }
  const ErrorAnswer error = ErrorAnswerOf(status);
  return SourceFailure(absl::StrCat("Lambda:", error.code), error.message);
}

}  // namespace

SourceResult FunctionResult(
    const absl::StatusOr<lambda::FunctionInvoker::Result>& result) {
  if (!result.ok()) return NotInvoked(result.status());
  if (result->failed) return FunctionFailure(result->payload);
  absl::StatusOr<Data> value = Data::Parse(result->payload);
  if (!value.ok()) {
    return SourceFailure(kFunctionFailed,
                         absl::StrCat("The function's result is not JSON: ",
                                      value.status().message()));
  }
  return {.result = *std::move(value)};
}

}  // namespace byoshin::local::appsync
