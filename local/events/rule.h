// A rule and the event that it sends.
#ifndef BYOSHIN_LOCAL_EVENTS_RULE_H_
#define BYOSHIN_LOCAL_EVENTS_RULE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/events/schedule.h"

namespace byoshin::local::events {

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RetryPolicy.html
struct RetryPolicy {
  int max_attempts = 185;
  absl::Duration max_age = absl::Hours(24);
};

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_Target.html
struct Target {
  std::string id{};
  std::string arn{};
  // The role that starts a state machine; empty for functions.
  std::string role_arn{};
  // JSON that is sent in place of the event; empty to send the event.
  std::string input{};
  // The part of the event that is sent: "$.detail"; empty to send all of it.
  std::string input_path{};
  RetryPolicy retry{};
  // The ARN of the queue for undeliverable events; empty if there is none.
  std::string dead_letters{};
};

bool IsStateMachine(const Target& target);

struct Rule {
  enum class State { kEnabled, kDisabled };
  std::string name{};
  std::string region{};
  std::string account_id{};
  // "arn:aws:events:<region>:<account>:rule/<name>"
  std::string arn{};
  std::string description{};
  std::string schedule_expression{};
  State state = State::kEnabled;
  std::vector<Target> targets{};
};

// The event that EventBridge sends when a schedule fires.
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html
std::string ScheduledEvent(const Rule& rule, absl::string_view event_id,
                           absl::Time time);

// The payload that the target gets. A path that does not exist gives null.
absl::StatusOr<std::string> InputOf(const Target& target,
                                    absl::string_view event);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_RULE_H_
