// Calls functions later, on the cloud's clock.
//
//   delays.After(absl::Seconds(30), [answer] { answer(…); });
//
// An execution of a function holds simulated time, so that a call of it that
// waits for the clock would wait for ever. With a real timer, it waits in real
// time then.
#ifndef BYOSHIN_LOCAL_BEDROCK_DELAYS_H_
#define BYOSHIN_LOCAL_BEDROCK_DELAYS_H_

#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/real_timer.h"

namespace byoshin::local::bedrock {

// Thread-safe.
class Delays {
 public:
  // Both must outlive it. `timer` may be null.
  Delays(time::Clock& clock, time::RealTimer* timer);
  Delays(const Delays&) = delete;
  Delays& operator=(const Delays&) = delete;
  // Calls what is left.
  ~Delays();

  // `call` is called once, on an internal thread or that of EndAll(); it must
  // not block.
  void After(absl::Duration delay, std::function<void()> call);

  // Calls what is left now.
  void EndAll();

 private:
  // Called at most once, whoever is first.
  class Once;
  using Pending = std::multimap<absl::Time, std::shared_ptr<Once>>;

  void Run();
  absl::Time NextDeadline() const;

  time::Clock& clock_;
  time::RealTimer* const timer_;
  const std::unique_ptr<time::Wakeup> wakeup_;
  mutable sync::Mutex mutex_;
  Pending pending_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_DELAYS_H_
