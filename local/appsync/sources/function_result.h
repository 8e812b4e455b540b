// What a function answers, as the result of a data source.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_FUNCTION_RESULT_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_FUNCTION_RESULT_H_

#include "absl/status/statusor.h"
#include "local/appsync/sources/source_result.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {

// The type of an error that the function itself has raised, whatever the type
// that it has given the error.
inline constexpr char kFunctionFailed[] = "Lambda:Unhandled";

SourceResult FunctionResult(
    const absl::StatusOr<lambda::FunctionInvoker::Result>& result);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_FUNCTION_RESULT_H_
