// Amazon EventBridge: rules that run on a schedule.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::events {

// What a rule invokes, and what becomes of an event that it can't deliver.
struct Target {
  std::string id{};
  Value arn{};
  // The ARN of a queue, whose policy must let EventBridge send to it.
  Value dead_letter_queue{};
  std::optional<absl::Duration> max_event_age{};
  int max_retry_attempts = 0;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-events-rule.html
struct Rule {
  std::string description{};
  std::string schedule{};  // "cron(* * * * ? *)"
  Target target{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::events

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_EVENTS_H_
