// API Gateway's throttling: a bucket of up to `burst` tokens that is refilled
// at `rate` tokens a second; a request takes one or is rejected.
//
//   TokenBucket bucket({.rate = 50, .burst = 25});
//   if (!bucket.Take(clock.Now())) ...  // 429
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_THROTTLE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_THROTTLE_H_

#include <algorithm>

#include "absl/time/time.h"

namespace byoshin::local::apigateway {

struct ThrottleLimits {
  double rate = 0;  // tokens a second
  double burst = 0;

  friend bool operator==(const ThrottleLimits&,
                         const ThrottleLimits&) = default;
};

// Not thread-safe.
class TokenBucket {
 public:
  explicit TokenBucket(ThrottleLimits limits)
      : limits_(limits), tokens_(limits.burst) {}

  bool Take(absl::Time now) {
    // A clock that was set back must not empty the bucket.
    const double seconds = absl::ToDoubleSeconds(now - filled_);
    if (seconds > 0) {
      tokens_ = std::min(limits_.burst, tokens_ + seconds * limits_.rate);
    }
    filled_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  const ThrottleLimits limits_;
  double tokens_;
  absl::Time filled_ = absl::InfinitePast();
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_THROTTLE_H_
