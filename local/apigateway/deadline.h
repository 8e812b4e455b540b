// Waits for a result, but not longer than until a time.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_DEADLINE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_DEADLINE_H_

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"

namespace byoshin::local::apigateway {

struct Deadline {
  time::Clock& clock;
  time::Alarms& alarms;  // of the same clock
  // Results are dropped once it is closed. It is closed before the alarms are
  // destroyed.
  std::shared_ptr<async::Gate> gate;
  absl::Time time;
};

// A function to call with the result, once. Calls `done` with it, or `late` at
// the deadline if that comes first; a later result is dropped.
template <typename Result>
std::function<void(Result)> Within(const Deadline& deadline,
                                   std::function<void(Result)> done,
                                   std::function<void()> late) {
  const auto over = std::make_shared<std::atomic<bool>>(false);
  const time::Alarms::Id alarm =
      deadline.alarms.Set(deadline.time, [over, late] {
        if (!over->exchange(true)) late();
      });
  return [over, alarm, deadline, done = std::move(done),
          late = std::move(late)](Result result) {
    const async::Gate::Pass pass(*deadline.gate);
    if (!pass.granted() || over->exchange(true)) return;
    deadline.alarms.Cancel(alarm);
    // The alarm may not have rung yet.
    if (deadline.clock.Now() >= deadline.time) return late();
    done(std::move(result));
  };
}

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_DEADLINE_H_
