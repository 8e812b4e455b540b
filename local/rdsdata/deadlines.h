// Calls back at times of the cloud's clock.
//
//   Deadlines::Id id = deadlines.At(clock.Now() + absl::Seconds(45), TimeOut);
//   ...
//   deadlines.Cancel(id);
#ifndef BYOSHIN_LOCAL_RDSDATA_DEADLINES_H_
#define BYOSHIN_LOCAL_RDSDATA_DEADLINES_H_

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

namespace byoshin::local::rdsdata {

// Thread-safe. Most deadlines are cancelled long before they are reached, so
// both calls are quick: the thread is woken only for a deadline that is earlier
// than the one it waits for.
class Deadlines {
 public:
  // Never 0.
  using Id = std::uint64_t;

  explicit Deadlines(time::Clock& clock);
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;
  // Calls Stop().
  ~Deadlines() { Stop(); }

  // `reached` is called once on an internal thread, unless cancelled before; it
  // must not block.
  Id At(absl::Time time, std::function<void()> reached);
  // Has no effect on a deadline that is reached, or about to be.
  void Cancel(Id id);

  // Waits for the call under way; there is none afterwards.
  void Stop();

 private:
  using Key = std::pair<absl::Time, Id>;

  void Run();

  time::Clock& clock_;
  sync::Mutex mutex_;
  std::map<Key, std::function<void()>> waiting_ ABSL_GUARDED_BY(mutex_);
  std::map<Id, absl::Time> times_ ABSL_GUARDED_BY(mutex_);
  Id last_ ABSL_GUARDED_BY(mutex_) = 0;
  // What the thread waits for.
  absl::Time next_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  const std::unique_ptr<time::Wakeup> wakeup_;
  std::thread thread_;
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_DEADLINES_H_
