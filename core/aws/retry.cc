#include "core/aws/retry.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "core/random/random.h"
#include "core/time/clock.h"

namespace byoshin::aws {

Random SystemRandom() {
  // A double has 53 bits.
  return [] { return static_cast<double>(random::Bits() >> 11) * 0x1p-53; };
}

bool IsRetryable(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDataLoss:
      return true;
    // A timeout of the exchange, rather than AWS's own, which would pass again.
    case absl::StatusCode::kDeadlineExceeded:
      return !ErrorOf(status).has_value();
    // Throttling; without an AWS error, an answer that is too long.
    case absl::StatusCode::kResourceExhausted:
      return ErrorOf(status).has_value();
    default:
      return false;
  }
}

bool IsRetryableWithoutEffect(const absl::Status& status) {
  if (const std::optional<Error> error = ErrorOf(status); error.has_value()) {
    return status.code() == absl::StatusCode::kResourceExhausted ||
           error->code == kDatabaseResuming;
  }
  return IsRetryable(status) && http::IsUnsent(status);
}

absl::Duration PauseAfter(int attempts, const RetryPolicy& policy,
                          double random) {
  absl::Duration limit = policy.first_pause_limit;
  for (int i = 1; i < attempts && limit < policy.max_pause_limit; ++i) {
    limit *= 2;
  }
  return std::min(limit, policy.max_pause_limit) * random;
}

Retrier::Retrier(RetryPolicy policy, time::Clock& clock, Random random)
    : policy_(policy), clock_(clock), random_(std::move(random)) {}

absl::Status Retrier::Run(absl::Time deadline,
                          absl::FunctionRef<absl::Status()> attempt,
                          const Options& options) {
  if (clock_.Now() >= deadline) {
    return absl::DeadlineExceededError("the deadline has passed already");
  }
  for (int attempts = 1;; ++attempts) {
    absl::Status status = attempt();
    if (status.ok() || !options.is_retryable(status) ||
        attempts >= policy_.max_attempts) {
      return status;
    }
    const absl::Duration pause = PauseAfter(attempts, policy_, random_());
    const absl::Time resume = clock_.Now() + pause;
    if (resume >= deadline) return status;
    if (options.on_failure) {
      options.on_failure({attempts, std::move(status), pause});
    }
    clock_.SleepUntil(resume);
  }
}

}  // namespace byoshin::aws
