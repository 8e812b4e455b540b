// Calls functions later, on the cloud's clock.
//
//   delays.After(absl::Seconds(30), [answer] { answer(…); });
//
// A caller that holds simulated time must let it pass meanwhile: see
// Call::let_time_pass.
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

namespace byoshin::local::bedrock {

// Thread-safe.
class Delays {
 public:
  // The clock must outlive it.
  explicit Delays(time::Clock& clock);
  Delays(const Delays&) = delete;
  Delays& operator=(const Delays&) = delete;
  // Calls what is left.
  ~Delays();

  // `call` is called once, on an internal thread or that of EndAll(), and not
  // at the same time as another; it must not block.
  void After(absl::Duration delay, std::function<void()> call);

  // Calls what is left now. Returns once all calls are done, whoever makes
  // them: what they use may be destroyed then.
  void EndAll();

 private:
  void Run();
  // Calls what is due by then.
  void CallUntil(absl::Time due);
  absl::Time NextDeadline() const;

  time::Clock& clock_;
  const std::unique_ptr<time::Wakeup> wakeup_;
  // Held during calls, and taken before mutex_.
  sync::Mutex call_mutex_;
  mutable sync::Mutex mutex_;
  std::multimap<absl::Time, std::function<void()>> pending_
      ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_DELAYS_H_
