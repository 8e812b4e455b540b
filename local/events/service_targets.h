// The targets of rules: functions, queues, and state machines, which are
// started in the name of the target's role.
#ifndef BYOSHIN_LOCAL_EVENTS_SERVICE_TARGETS_H_
#define BYOSHIN_LOCAL_EVENTS_SERVICE_TARGETS_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "local/events/events.h"
#include "local/events/lambda_targets.h"
#include "local/events/rule.h"
#include "local/gateway/service.h"
#include "local/lambda/lambda.h"
#include "local/queues/queues.h"

namespace byoshin::local::events {

// Thread-safe.
class ServiceTargets final : public Targets {
 public:
  struct Options {
    // Step Functions; null if the cloud has none. Asked at each delivery, since
    // it may be opened later. Never null itself.
    std::function<Service*()> states;
    // Whether the role may start the state machine. Never null.
    std::function<absl::Status(const std::string& role_arn,
                               const std::string& machine_arn)>
        authorize;
    queues::QueueSink& sink;
    // Whether the queue's policy lets the rule send to it. Never null.
    std::function<absl::Status(const std::string& rule_arn,
                               const std::string& queue_arn)>
        authorize_queue;
  };
  // `lambda` outlives this.
  ServiceTargets(lambda::Lambda& lambda, Options options);

  void Deliver(const Target& target, const std::string& rule_arn,
               std::string payload,
               std::function<void(absl::Status)> done) override;

 private:
  void StartMachine(const Target& target, const std::string& payload,
                    std::function<void(absl::Status)> done);
  void SendToQueue(const Target& target, const std::string& rule_arn,
                   std::string payload, std::function<void(absl::Status)> done);

  LambdaTargets functions_;
  const Options options_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_SERVICE_TARGETS_H_
