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
// answer. Not if AWS rejects the request or has given up on it because it took
// too long, and not for a wrong clock, which a retry does not correct.
bool IsRetryable(const absl::Status& status);

// Whether the request certainly had no effect, so that even what must not be
// done twice may be sent again: throttling, a database that was paused and has
// not run the statement, or a connection that could not be made.
bool IsRetryableWithoutEffect(const absl::Status& status);

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

  struct Options {
    // Which failures are followed by another attempt.
    bool (*is_retryable)(const absl::Status&) = &IsRetryable;
    // If set, called with each such failure before the pause.
    std::function<void(const FailedAttempt&)> on_failure{};
  };

  // Calls `attempt` until it succeeds, fails for good, has been called
  // max_attempts times, or the next pause would not end before `deadline`; the
  // status is the last one. DeadlineExceeded without any attempt if `deadline`
  // has passed.
  absl::Status Run(absl::Time deadline,
                   absl::FunctionRef<absl::Status()> attempt,
                   const Options& options);
  absl::Status Run(absl::Time deadline,
                   absl::FunctionRef<absl::Status()> attempt) {
    return Run(deadline, attempt, Options());
  }

 private:
  const RetryPolicy policy_;
  time::Clock& clock_;
  const Random random_;
};

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_RETRY_H_
