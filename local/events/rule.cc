#include "local/events/rule.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/events/bus_event.h"

namespace byoshin::local::events {

bool IsStateMachine(const Target& target) {
  return absl::StartsWith(target.arn, "arn:aws:states:");
}

bool IsQueue(const Target& target) {
  return absl::StartsWith(target.arn, "arn:aws:sqs:");
}

std::string ScheduledEvent(const Rule& rule, absl::string_view event_id,
                           absl::Time time) {
  return WriteEvent({.id = std::string(event_id),
                     .source = "aws.events",
                     .detail_type = "Scheduled Event",
                     .account_id = rule.account_id,
                     .region = rule.region,
                     .time = time,
                     .resources = {rule.arn}});
}

}  // namespace byoshin::local::events
