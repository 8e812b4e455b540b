// What a target gets of an event: the event, a part of it, a constant, or text
// made of parts of it.
//
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-transform-target-input.html
#ifndef BYOSHIN_LOCAL_EVENTS_INPUT_H_
#define BYOSHIN_LOCAL_EVENTS_INPUT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/events/rule.h"

namespace byoshin::local::events {

// InvalidArgument, naming the member of the target, if its input can't be made
// of any event.
absl::Status CheckInput(const Target& target);

struct InputContext {
  const Rule& rule;
  // When EventBridge got the event.
  absl::Time ingestion_time{};
};

// The payload that the target gets. A path that does not exist gives null, and
// an empty text in a template. `event` is JSON.
absl::StatusOr<std::string> InputOf(const Target& target,
                                    absl::string_view event,
                                    const InputContext& context);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_INPUT_H_
