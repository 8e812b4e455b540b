#include "local/lambda/function_invoker.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/lambda/function.h"
#include "local/lambda/function_checks.h"
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
  const ServicePrincipal* const checked =
      request.role_arn.empty() ? &caller : nullptr;
  InvokeRequest invocation{.payload = std::move(request.payload)};
  if (request.mode == Mode::kEvent) {
    if (absl::Status size =
            CheckEventSize(invocation.payload, kMaxAsyncRequestBytes);
        !size.ok()) {
      return done(size);
    }
    return lambda_.InvokeAsync(
        request.function_arn, std::move(invocation), checked,
        [done = std::move(done)](const absl::StatusOr<std::string>& id) {
          if (!id.ok()) return done(id.status());
          done(Result{.payload = "null"});
        });
  }
  lambda_.Invoke(request.function_arn, std::move(invocation), checked,
                 [done = std::move(done)](absl::StatusOr<InvokeResult> result) {
                   if (!result.ok()) return done(result.status());
                   done(Result{.payload = std::move(result->payload),
                               .failed = !result->function_error.empty()});
                 });
}

}  // namespace byoshin::local::lambda
