// Amazon EventBridge: rules that run on a schedule, or for events.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::events {

// The target of a rule, and what happens to an event that can't be delivered.
struct Target {
  std::string id{};
  Value arn{};
  // The ARN of a queue whose policy allows EventBridge to send to it.
  Value dead_letter_queue{};
  std::optional<absl::Duration> max_event_age{};
  int max_retry_attempts = 0;
};

// "rate(5 minutes)", the schedule of a rule. The interval is several minutes.
std::string Rate(absl::Duration interval);

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html
struct Rule {
  std::string description{};
  // One of the two: when the rule fires, or for which events of the default
  // bus.
  Value schedule{};  // "cron(* * * * ? *)"
  Value pattern{};   // {"source": ["aws.states"]}
  Target target{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::events

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_
