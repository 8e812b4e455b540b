// Functions as targets of rules: invoked asynchronously, if their policy
// permits it for the rule.
#ifndef BYOSHIN_LOCAL_EVENTS_LAMBDA_TARGETS_H_
#define BYOSHIN_LOCAL_EVENTS_LAMBDA_TARGETS_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "local/events/events.h"
#include "local/events/rule.h"
#include "local/lambda/lambda.h"

namespace byoshin::local::events {

// Thread-safe.
class LambdaTargets final : public Targets {
 public:
  // `lambda` must outlive this.
  explicit LambdaTargets(lambda::Lambda& lambda) : lambda_(lambda) {}

  void Deliver(const Target& target, const std::string& rule_arn,
               std::string payload,
               std::function<void(absl::Status)> done) override;

 private:
  lambda::Lambda& lambda_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_LAMBDA_TARGETS_H_
