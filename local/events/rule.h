// A rule and the event that it sends.
#ifndef BYOSHIN_LOCAL_EVENTS_RULE_H_
#define BYOSHIN_LOCAL_EVENTS_RULE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::events {

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RetryPolicy.html
struct RetryPolicy {
  int max_attempts = 185;
  absl::Duration max_age = absl::Hours(24);
};

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_InputTransformer.html
struct InputTransformer {
  // Paths in the event by the names of variables: "$.detail.status".
  std::map<std::string, std::string> paths{};
  // What is sent, with <variables> in it.
  std::string text{};
};

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_Target.html
struct Target {
  std::string id{};
  std::string arn{};
  // The role that starts a state machine; empty for others.
  std::string role_arn{};
  // JSON that is sent in place of the event; empty to send the event.
  std::string input{};
  // The part of the event that is sent: "$.detail"; empty to send all of it.
  std::string input_path{};
  // If set, makes what is sent.
  std::optional<InputTransformer> transformer{};
  // The group of what is sent to a FIFO queue; a standard queue may have one,
  // too.
  std::string message_group_id{};
  RetryPolicy retry{};
  // The ARN of the queue for undeliverable events; empty if there is none.
  std::string dead_letters{};
};

bool IsStateMachine(const Target& target);
bool IsQueue(const Target& target);

struct Rule {
  enum class State { kEnabled, kDisabled };
  // Where the rule comes from: a template, which is deployed again after a
  // restart, or PutRule.
  enum class Origin { kTemplate, kApi };
  std::string name{};
  std::string region{};
  std::string account_id{};
  // "arn:aws:events:<region>:<account>:rule/<name>"
  std::string arn{};
  std::string description{};
  // When it fires; may be empty if it has a pattern.
  std::string schedule_expression{};
  // The events that it is for, as JSON; see pattern.h. May be empty.
  std::string event_pattern{};
  State state = State::kEnabled;
  std::vector<Target> targets{};
  Origin origin = Origin::kTemplate;
};

// The event that EventBridge sends when a schedule fires.
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html
std::string ScheduledEvent(const Rule& rule, absl::string_view event_id,
                           absl::Time time);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_RULE_H_
