#include "infra/cloudformation/events.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::events {
namespace {

Value ToValue(const Target& target) {
  Value::Members retry;
  if (target.max_event_age.has_value()) {
    retry.emplace_back("MaximumEventAgeInSeconds",
                       Seconds(*target.max_event_age));
  }
  retry.emplace_back("MaximumRetryAttempts", target.max_retry_attempts);
  return Object({{"Id", target.id},
                 {"Arn", target.arn},
                 {"RetryPolicy", Value(retry)},
                 {"DeadLetterConfig",
                  target.dead_letter_queue.absent()
                      ? Value()
                      : Object({{"Arn", target.dead_letter_queue}})}});
}

}  // namespace

std::string Rate(absl::Duration interval) {
  return absl::StrCat("rate(", absl::ToInt64Minutes(interval), " minutes)");
}

ResourceType Rule::Type() {
  return {.name = "AWS::Events::Rule",
          .attributes = {"Arn"},
          .tags = ResourceType::Tags::kList};
}

Properties Rule::ToProperties() const {
  Properties properties;
  properties.Set("Description", description);
  if (pattern.absent()) {
    properties.Require("ScheduleExpression", schedule);
  } else {
    properties.Set("EventPattern", pattern);
  }
  properties.Set("State", "ENABLED");
  properties.Set("Targets", List({ToValue(target)}));
  return properties;
}

}  // namespace byoshin::infra::cloudformation::events
