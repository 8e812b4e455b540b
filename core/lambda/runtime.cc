#include "core/lambda/runtime.h"

#include <aws/lambda-runtime/runtime.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/lambda/error_report.h"
#include "core/lambda/handler.h"
#include "core/lambda/invoke.h"

namespace byoshin::lambda {
namespace {

using ::aws::lambda_runtime::invocation_request;
using ::aws::lambda_runtime::invocation_response;

constexpr char kContentType[] = "application/json";
constexpr int kExitFailure = 1;

void ExplainUse(absl::string_view function) {
  std::cerr << "This is Byoshin's " << function
            << ", an AWS Lambda function on a custom runtime, and "
            << kRuntimeApiVariable
            << " is not set, so it cannot be invoked.\n"
               "Upload it as `bootstrap` in the zip of a function with runtime "
               "provided.al2023, or set the\nvariable to the host and port of "
               "a Lambda Runtime API on this machine.\n";
}

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-initerror
void ReportInitError(const RunOptions& options, const std::string& api,
                     const absl::Status& error) {
  options.logger.Error("initialisation failed",
                       {{"errorType", ErrorType(error)},
                        {"error", absl::string_view(error.message())}});
  http::Request request;
  request.method = "POST";
  request.url = absl::StrCat("http://", api, "/2018-06-01/runtime/init/error");
  request.headers = {{"Content-Type", kContentType},
                     {"Lambda-Runtime-Function-Error-Type", ErrorType(error)}};
  request.body = ErrorBody(error);
  const absl::StatusOr<http::Response> response =
      options.http_client.Send(request);
  if (!response.ok()) {
    options.logger.Error(
        "cannot report to the Runtime API",
        {{"error", absl::string_view(response.status().message())}});
  }
}

// When the trace began: "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=…" has
// it in seconds, in hexadecimal.
// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-traces
absl::Time BeginOfTrace(absl::string_view trace) {
  for (absl::string_view field : absl::StrSplit(trace, ';')) {
    if (!absl::ConsumePrefix(&field, "Root=1-")) continue;
    std::uint64_t seconds = 0;
    if (absl::SimpleHexAtoi(field.substr(0, field.find('-')), &seconds)) {
      return absl::FromUnixSeconds(static_cast<std::int64_t>(seconds));
    }
  }
  return absl::InfinitePast();
}

Invocation ToInvocation(const invocation_request& request) {
  Invocation invocation;
  invocation.payload = request.payload;
  invocation.request_id = request.request_id;
  invocation.requested = BeginOfTrace(request.xray_trace_id);
  // aws-lambda-cpp leaves it at 1970 if Lambda sent none.
  if (request.deadline > std::chrono::system_clock::time_point()) {
    invocation.deadline = absl::FromChrono(request.deadline);
  }
  return invocation;
}

}  // namespace

int Run(const RunOptions& options, HandlerFactory make_handler) {
  const std::optional<std::string> api =
      env::NonEmpty(options.environment, kRuntimeApiVariable);
  if (!api.has_value()) {
    ExplainUse(options.function);
    return kExitFailure;
  }
  const absl::StatusOr<std::unique_ptr<Handler>> handler =
      MakeHandler(make_handler);
  if (!handler.ok()) {
    ReportInitError(options, *api, handler.status());
    return kExitFailure;
  }
  ::aws::lambda_runtime::run_handler([&](const invocation_request& request) {
    const InvocationResult result =
        Invoke(**handler, ToInvocation(request), options.logger);
    return invocation_response(result.payload, kContentType,
                               result.kind == InvocationResult::Kind::kResponse,
                               /*xray_response=*/"");
  });
  options.logger.Error("the Runtime API no longer answers");
  return kExitFailure;
}

}  // namespace byoshin::lambda
