// The stored state of a rule and its format; for events.cc and deliveries.cc
// only.
#ifndef BYOSHIN_LOCAL_EVENTS_EVENTS_STATE_H_
#define BYOSHIN_LOCAL_EVENTS_EVENTS_STATE_H_

#include <json/json.h>

#include <optional>

#include "absl/time/time.h"
#include "core/time/real_timer.h"
#include "local/events/events.h"
#include "local/events/pattern.h"
#include "local/events/rule.h"
#include "local/events/schedule.h"
#include "local/store/work_loop.h"

namespace byoshin::local::events {

// The prefix of the keys of deliveries in the store.
inline constexpr char kDeliveryPrefix[] = "delivery/";

inline Json::Value ToJson(absl::Time time) {
  return Json::Int64(absl::ToUnixMillis(time));
}

// A rule and what its texts mean.
struct Events::ParsedRule {
  Rule rule{};
  // Nothing if the rule has none.
  std::optional<events::Schedule> schedule{};
  std::optional<EventPattern> pattern{};
};

struct Events::RuleState {
  Rule rule{};
  std::optional<events::Schedule> schedule{};
  std::optional<EventPattern> pattern{};
  bool known = false;                       // the rule was put, not only loaded
  std::optional<Rule::State> kept_state{};  // of a rule that was loaded
  absl::Time anchor = absl::UnixEpoch();
  std::optional<absl::Time> first{};
  std::optional<absl::Time> last{};
  std::optional<absl::Time> next{};
  WorkLoop::TimerId timer = 0;
  time::RealTimer::Id clock_check = 0;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_EVENTS_STATE_H_
