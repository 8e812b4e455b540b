#include "local/stepfunctions/language/retry.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {
namespace {

Retrier For(std::vector<std::string> error_equals) {
  Retrier retrier;
  retrier.error_equals = std::move(error_equals);
  return retrier;
}

TEST(AppliesTo, MatchesNames) {
  EXPECT_TRUE(AppliesTo({"A", "B"}, "B"));
  EXPECT_FALSE(AppliesTo({"A", "B"}, "C"));
  EXPECT_FALSE(AppliesTo({}, "C"));
}

TEST(AppliesTo, TakesStatesAllForEveryErrorButRuntime) {
  EXPECT_TRUE(AppliesTo({kErrorAll}, "C"));
  EXPECT_TRUE(AppliesTo({kErrorAll}, kErrorTimeout));
  EXPECT_TRUE(AppliesTo({kErrorAll}, kErrorDataLimitExceeded));
  EXPECT_FALSE(AppliesTo({kErrorAll}, kErrorRuntime));
  EXPECT_FALSE(AppliesTo({kErrorRuntime}, kErrorRuntime));
  EXPECT_FALSE(AppliesTo({kErrorTaskFailed}, kErrorRuntime));
}

TEST(AppliesTo, TakesTaskFailedForEveryErrorButATimeout) {
  EXPECT_TRUE(AppliesTo({kErrorTaskFailed}, "C"));
  EXPECT_FALSE(AppliesTo({kErrorTaskFailed}, kErrorTimeout));
  EXPECT_TRUE(AppliesTo({kErrorTaskFailed, kErrorTimeout}, kErrorTimeout));
}

TEST(FindRetrier, TakesTheFirstThatApplies) {
  const std::vector<Retrier> retriers = {For({"A"}), For({"B", "A"}),
                                         For({kErrorAll})};
  EXPECT_EQ(FindRetrier(retriers, "A"), 0);
  EXPECT_EQ(FindRetrier(retriers, "B"), 1);
  EXPECT_EQ(FindRetrier(retriers, "C"), 2);
  EXPECT_EQ(FindRetrier(retriers, kErrorRuntime), std::nullopt);
}

TEST(FindCatcher, TakesTheFirstThatApplies) {
  std::vector<Catcher> catchers(2);
  catchers[0].error_equals = {"A"};
  catchers[1].error_equals = {kErrorTaskFailed};
  EXPECT_EQ(FindCatcher(catchers, "A"), 0);
  EXPECT_EQ(FindCatcher(catchers, "B"), 1);
  EXPECT_EQ(FindCatcher(catchers, kErrorTimeout), std::nullopt);
}

TEST(RetryDelay, GrowsByTheRateUpToItsLimit) {
  Random random(uint64_t{1});
  Retrier retrier;
  retrier.interval_seconds = 3;
  EXPECT_EQ(RetryDelay(retrier, 0, random), absl::Seconds(3));
  EXPECT_EQ(RetryDelay(retrier, 1, random), absl::Seconds(6));
  EXPECT_EQ(RetryDelay(retrier, 3, random), absl::Seconds(24));
  retrier.backoff_rate = 1.5;
  EXPECT_EQ(RetryDelay(retrier, 1, random), absl::Seconds(4.5));
  retrier.max_delay_seconds = 4;
  EXPECT_EQ(RetryDelay(retrier, 1, random), absl::Seconds(4));
  retrier.interval_seconds = 0;
  EXPECT_EQ(RetryDelay(retrier, 100'000, random), absl::ZeroDuration());
}

TEST(RetryDelay, StaysFinite) {
  Random random(uint64_t{1});
  Retrier retrier;
  retrier.backoff_rate = 1000;
  EXPECT_LT(RetryDelay(retrier, 99'999'999, random), absl::Hours(24 * 36601));
}

// **Feature: stepfunctions, Property 2: Retry's delays are what the
// specification computes**
RC_GTEST_PROP(RetryDelayProperty, IsWhatTheSpecificationComputes, ()) {
  Retrier retrier;
  retrier.interval_seconds = *rc::gen::inRange<int64_t>(0, 1000);
  retrier.backoff_rate = 1 + *rc::gen::inRange(0, 40) / 10.0;
  const bool limited = *rc::gen::arbitrary<bool>();
  if (limited) {
    retrier.max_delay_seconds =
        *rc::gen::inRange<int64_t>(1, kMaxMaxDelaySeconds + 1);
  }
  const auto attempt = *rc::gen::inRange<int64_t>(0, 10);
  const auto seed = *rc::gen::arbitrary<uint64_t>();

  // The specification multiplies the interval once for every further attempt.
  double seconds = static_cast<double>(retrier.interval_seconds);
  for (int64_t i = 0; i < attempt; ++i) seconds *= retrier.backoff_rate;
  if (limited) {
    seconds =
        std::min(seconds, static_cast<double>(*retrier.max_delay_seconds));
  }
  Random random(seed);
  const double delay =
      absl::ToDoubleSeconds(RetryDelay(retrier, attempt, random));
  RC_ASSERT(std::abs(delay - seconds) <= 1e-9 * (1 + seconds));

  retrier.jitter = Retrier::Jitter::kFull;
  Random again(seed);
  const absl::Duration jittered = RetryDelay(retrier, attempt, random);
  RC_ASSERT(jittered >= absl::ZeroDuration());
  RC_ASSERT(absl::ToDoubleSeconds(jittered) <= seconds * (1 + 1e-9));
  RC_ASSERT(jittered == RetryDelay(retrier, attempt, again));
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
