// Retries with exponential backoff and full jitter, within a deadline.
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
  // Including the first.
  int max_attempts = 4;
  // The maximum pause before the second attempt; doubled for each further one.
  absl::Duration first_pause_limit = absl::Milliseconds(100);
  // The upper bound of the doubling.
  absl::Duration max_pause_limit = absl::Seconds(5);
};

// Returns random numbers from 0, inclusive, to 1, exclusive.
using Random = std::function<double()>;

// Seeded by the system, so that processes pause differently. Not thread-safe.
Random SystemRandom();

// Whether a retry may succeed: after throttling and failures of the service
// (see ToStatus), connection errors, a timeout of one exchange, or a damaged
// answer. Not if AWS rejects the request, and not for a wrong clock, which a
// retry does not correct.
bool IsRetryable(const absl::Status& status);

// The pause after this many failed attempts.
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
  // has passed. `on_failure`, if set, is called with each failure before the
  // pause.
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
