#include "local/events/lambda_targets.h"

#include <utility>

#include "absl/status/statusor.h"

namespace byoshin::local::events {

void LambdaTargets::Deliver(const Target& target, const std::string& rule_arn,
                            std::string payload,
                            std::function<void(absl::Status)> done) {
  const lambda::ServicePrincipal caller{.principal = "events.amazonaws.com",
                                        .source_arn = rule_arn};
  lambda_.InvokeAsync(
      target.arn, {.payload = std::move(payload)}, &caller,
      [done = std::move(done)](const absl::StatusOr<std::string>& request_id) {
        done(request_id.status());
      });
}

}  // namespace byoshin::local::events
