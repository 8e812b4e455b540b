#include "core/lambda/invoke.h"

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/lambda/error_report.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"

namespace byoshin::lambda {
namespace {

// Converts exceptions of third-party code to statuses.
template <typename T>
absl::StatusOr<T> WithoutExceptions(
    absl::FunctionRef<absl::StatusOr<T>()> call) {
  try {
    return call();
  } catch (const std::exception& exception) {
    return absl::InternalError(
        absl::StrCat("unexpected exception: ", exception.what()));
  } catch (...) {
    return absl::InternalError("unexpected exception of an unknown type");
  }
}

}  // namespace

InvocationResult Invoke(Handler& handler, const Invocation& invocation,
                        log::Logger& logger) {
  logger.SetRequestId(invocation.request_id);
  absl::StatusOr<std::string> response = WithoutExceptions<std::string>(
      [&] { return handler.Handle(invocation); });
  if (response.ok()) {
    return {InvocationResult::Kind::kResponse, *std::move(response)};
  }
  logger.Error("invocation failed",
               {{"errorType", ErrorType(response.status())},
                {"error", absl::string_view(response.status().message())}});
  return {InvocationResult::Kind::kError, ErrorBody(response.status())};
}

absl::StatusOr<std::unique_ptr<Handler>> MakeHandler(
    HandlerFactory make_handler) {
  return WithoutExceptions<std::unique_ptr<Handler>>(make_handler);
}

}  // namespace byoshin::lambda
