// Calls back at times of a clock.
//
//   time::Alarms alarms(clock);
//   const time::Alarms::Id id = alarms.Set(
//       clock.Now() + absl::Seconds(29), [exchange] { exchange->TimeOut(); });
//   ...
//   alarms.Cancel(id);
#ifndef BYOSHIN_CORE_TIME_ALARMS_H_
#define BYOSHIN_CORE_TIME_ALARMS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::time {

// Thread-safe.
class Alarms {
 public:
  // Never 0.
  using Id = std::uint64_t;

  // `clock` must outlive this.
  explicit Alarms(Clock& clock);
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;
  // Waits for the call under way, and drops the others.
  ~Alarms();

  // Calls `ring` on an internal thread once the clock reads `time`. It must be
  // quick; simulated time stands still meanwhile.
  Id Set(absl::Time time, std::function<void()> ring);
  // Does not wait for a call under way. An id that has rung is ignored.
  void Cancel(Id id);

 private:
  using Key = std::pair<absl::Time, Id>;

  void Run();
  // Calls those that are due; returns the time of the next.
  absl::Time RingDue();

  Clock& clock_;
  const std::unique_ptr<Wakeup> wakeup_;
  sync::Mutex mutex_;
  std::map<Key, std::function<void()>> alarms_ ABSL_GUARDED_BY(mutex_);
  std::map<Id, absl::Time> times_ ABSL_GUARDED_BY(mutex_);
  Id last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  // When the thread looks again. It is not moved by Cancel(), so that an alarm
  // that is always cancelled in time rarely wakes the thread.
  absl::Time awaited_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  std::thread thread_;
};

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_ALARMS_H_
