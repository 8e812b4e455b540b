#include "local/lambda/function_invoker.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/lambda/function.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::lambda {

void LambdaInvoker::InvokeForApi(Request request, Done done) {
  const ServicePrincipal caller{.principal = principal_,
                                .source_arn = std::move(request.source_arn)};
  if (!request.role_arn.empty()) {
    if (absl::Status allowed =
            roles_.MayInvoke(request.role_arn, request.function_arn);
        !allowed.ok()) {
      return done(allowed);
    }
  }
  lambda_.Invoke(request.function_arn, {.payload = std::move(request.payload)},
                 request.role_arn.empty() ? &caller : nullptr,
                 [done = std::move(done)](absl::StatusOr<InvokeResult> result) {
                   if (!result.ok()) return done(result.status());
                   done(Result{.payload = std::move(result->payload),
                               .failed = !result->function_error.empty()});
                 });
}

}  // namespace byoshin::local::lambda
