// Trying again what may succeed the next time: exponential backoff with full
// jitter, within a deadline.
//
//   aws::Retrier retrier({}, clock, aws::SystemRandom());
//   absl::Status status = retrier.Run(deadline, [&] { return TryOnce(); });
//
// Full jitter (a pause anywhere between nothing and the limit, which doubles)
// spreads the callers of an overloaded service best:
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
#ifndef BYOSHIN_CORE_AWS_RETRY_H_
#define BYOSHIN_CORE_AWS_RETRY_H_

#include <functional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/time/clock.h"

namespace byoshin::aws {

struct RetryPolicy {
  // The first included.
  int max_attempts = 4;
  // Of the pause before the second attempt; doubled for each next one.
  absl::Duration first_pause_limit = absl::Milliseconds(100);
  // Where the doubling ends.
  absl::Duration max_pause_limit = absl::Seconds(5);
};

// A number from 0 up to but not including 1, another one each time.
using Random = std::function<double()>;

// Seeded by the system, so that no two processes pause alike. Not thread-safe.
Random SystemRandom();

// Whether what failed so may succeed the next time: throttling and failures of
// the service (see ToStatus), no connection or a broken one, a time-out of one
// exchange, an answer that was damaged on the way. Not what AWS says no to, and
// not a clock that is wrong: trying again does not set it right.
bool IsRetryable(const absl::Status& status);

// The pause after so many attempts, all of which have failed.
absl::Duration PauseAfter(int attempts, const RetryPolicy& policy,
                          double random);

// A failed attempt that will be followed by another.
struct FailedAttempt {
  int attempt;  // 1 for the first
  absl::Status status;
  absl::Duration pause;
};

// Not thread-safe.
class Retrier {
 public:
  // `clock` must outlive this.
  Retrier(RetryPolicy policy, time::Clock& clock, Random random);

  // Calls `attempt` until it succeeds, fails for good, has been called
  // max_attempts times, or the next pause would not end before `deadline`; the
  // status is the last one. DeadlineExceeded without any attempt if `deadline`
  // has passed. `on_failure`, if given, hears of each failure before the pause.
  absl::Status Run(
      absl::Time deadline, absl::FunctionRef<absl::Status()> attempt,
      const std::function<void(const FailedAttempt&)>& on_failure = nullptr);

 private:
  const RetryPolicy policy_;
  time::Clock& clock_;
  const Random random_;
};

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_RETRY_H_
