#include "core/aws/retry.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::SizeIs;

const absl::Time kRetryStart = absl::FromUnixSeconds(1764670980);

bool IsRetryableError(const std::string& code, int http_status) {
  return IsRetryable(ToStatus({.code = code, .http_status = http_status}, "X"));
}

TEST(IsRetryable, SaysYesToThrottling) {
  EXPECT_TRUE(IsRetryableError("ThrottlingException", 400));
  EXPECT_TRUE(IsRetryableError("ProvisionedThroughputExceededException", 400));
  EXPECT_TRUE(IsRetryableError("RequestThrottled", 403));
  EXPECT_TRUE(IsRetryableError("UnknownError", 429));
}

TEST(IsRetryable, SaysYesToFailuresOfTheService) {
  EXPECT_TRUE(IsRetryableError("InternalServerError", 500));
  EXPECT_TRUE(IsRetryableError("UnknownError", 502));
  EXPECT_TRUE(IsRetryableError("ServiceUnavailable", 503));
  EXPECT_TRUE(IsRetryableError("RequestTimeout", 400));
}

TEST(IsRetryable, SaysYesToFailuresOnTheWay) {
  EXPECT_TRUE(IsRetryable(absl::UnavailableError("refused")));
  EXPECT_TRUE(IsRetryable(absl::DeadlineExceededError("time-out")));
  EXPECT_TRUE(IsRetryable(absl::DataLossError("not JSON")));
}

TEST(IsRetryable, SaysNoToWhatAwsRefuses) {
  EXPECT_FALSE(IsRetryableError("ConditionalCheckFailedException", 400));
  EXPECT_FALSE(IsRetryableError("ValidationException", 400));
  EXPECT_FALSE(IsRetryableError("ResourceNotFoundException", 400));
  EXPECT_FALSE(IsRetryableError("QueueDoesNotExist", 400));
  EXPECT_FALSE(IsRetryableError("AccessDeniedException", 400));
  EXPECT_FALSE(IsRetryableError("UnknownError", 301));
  EXPECT_FALSE(IsRetryableError("UnknownError", 404));
}

TEST(IsRetryable, SaysNoToAClockThatIsWrong) {
  for (const char* code :
       {"RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
        "InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure"}) {
    EXPECT_FALSE(IsRetryableError(code, 400)) << code;
    EXPECT_FALSE(IsRetryableError(code, 403)) << code;
  }
}

TEST(IsRetryable, SaysNoToTheRest) {
  EXPECT_FALSE(IsRetryable(absl::OkStatus()));
  EXPECT_FALSE(IsRetryable(absl::InvalidArgumentError("URL")));
  EXPECT_FALSE(IsRetryable(absl::ResourceExhaustedError("body too long")));
  EXPECT_FALSE(IsRetryable(absl::UnauthenticatedError("certificate")));
  EXPECT_FALSE(IsRetryable(absl::FailedPreconditionError("variable")));
}

TEST(IsRetryable, SaysNoToWhatTookAwsTooLong) {
  EXPECT_FALSE(IsRetryableError("StatementTimeoutException", 400));
  EXPECT_FALSE(IsRetryableError("ModelTimeoutException", 408));
}

TEST(IsRetryableWithoutEffect, SaysYesToWhatWasNotDone) {
  for (const char* code :
       {"ThrottlingException", "DatabaseResumingException"}) {
    EXPECT_TRUE(IsRetryableWithoutEffect(
        ToStatus({.code = code, .http_status = 400}, "X")))
        << code;
  }
  EXPECT_TRUE(IsRetryableWithoutEffect(
      http::MarkUnsent(absl::UnavailableError("refused"))));
}

TEST(IsRetryableWithoutEffect, SaysNoToWhatMayHaveBeenDone) {
  for (const absl::Status& status :
       {absl::UnavailableError("reset"), absl::DeadlineExceededError("late"),
        absl::DataLossError("not JSON"), absl::InvalidArgumentError("URL"),
        http::MarkUnsent(absl::UnauthenticatedError("certificate")),
        ToStatus({.code = "InternalServerErrorException", .http_status = 500},
                 "X"),
        ToStatus({.code = "ServiceUnavailableError", .http_status = 503}, "X"),
        ToStatus({.code = "ValidationException", .http_status = 400}, "X")}) {
    EXPECT_FALSE(IsRetryableWithoutEffect(status)) << status;
  }
}

TEST(PauseAfter, DoublesItsLimitUpToTheGreatest) {
  const RetryPolicy policy{.first_pause_limit = absl::Milliseconds(100),
                           .max_pause_limit = absl::Milliseconds(500)};
  const double almost_one = 1 - 1e-9;
  std::vector<absl::Duration> pauses;
  for (int attempts = 1; attempts <= 5; ++attempts) {
    pauses.push_back(absl::Floor(
        PauseAfter(attempts, policy, almost_one) + absl::Microseconds(1),
        absl::Milliseconds(1)));
  }
  EXPECT_THAT(pauses,
              ElementsAre(absl::Milliseconds(100), absl::Milliseconds(200),
                          absl::Milliseconds(400), absl::Milliseconds(500),
                          absl::Milliseconds(500)));
}

TEST(PauseAfter, IsAnywhereBelowItsLimit) {
  EXPECT_EQ(PauseAfter(2, {}, 0), absl::ZeroDuration());
  EXPECT_EQ(PauseAfter(2, {}, 0.5), absl::Milliseconds(100));
}

TEST(PauseAfter, DoesNotOverflow) {
  EXPECT_EQ(PauseAfter(1000000000, {}, 0.5), absl::Milliseconds(2500));
}

TEST(SystemRandom, GivesDifferentNumbersBelowOne) {
  const Random random = SystemRandom();
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(random());
  EXPECT_THAT(numbers, Each(AllOf(Ge(0.0), Lt(1.0))));
  EXPECT_NE(numbers[0], numbers[1]);
  EXPECT_NE(SystemRandom()(), SystemRandom()());
}

class RetrierTest : public ::testing::Test {
 protected:
  // Lets `statuses` be the outcomes of the attempts, in their order.
  absl::Status Run(const std::vector<absl::Status>& statuses,
                   absl::Duration allowed = absl::InfiniteDuration()) {
    Retrier retrier({}, clock_, [] { return 0.5; });
    return retrier.Run(kRetryStart + allowed,
                       [&] {
                         attempts_.push_back(clock_.Now() - kRetryStart);
                         clock_.Advance(attempt_takes_);
                         return statuses.at(attempts_.size() - 1);
                       },
                       {.on_failure = [this](const FailedAttempt& failed) {
                         failures_.push_back(failed);
                       }});
  }

  time::testing::InstantClock clock_{kRetryStart};
  absl::Duration attempt_takes_ = absl::ZeroDuration();
  std::vector<absl::Duration> attempts_;  // when they were made
  std::vector<FailedAttempt> failures_;
};

const absl::Status kUnavailable = absl::UnavailableError("refused");

TEST_F(RetrierTest, StopsAtTheFirstSuccess) {
  EXPECT_TRUE(Run({absl::OkStatus()}).ok());
  EXPECT_THAT(attempts_, SizeIs(1));
  EXPECT_THAT(failures_, IsEmpty());
}

TEST_F(RetrierTest, PausesLongerEachTime) {
  EXPECT_TRUE(
      Run({kUnavailable, kUnavailable, kUnavailable, absl::OkStatus()}).ok());
  EXPECT_THAT(attempts_,
              ElementsAre(absl::ZeroDuration(), absl::Milliseconds(50),
                          absl::Milliseconds(150), absl::Milliseconds(350)));
}

TEST_F(RetrierTest, GivesUpAfterAllAttemptsWithTheLastFailure) {
  const absl::Status last = absl::DeadlineExceededError("last");
  EXPECT_EQ(Run({kUnavailable, kUnavailable, kUnavailable, last}), last);
  EXPECT_THAT(attempts_, SizeIs(4));
}

TEST_F(RetrierTest, GivesUpAtOnceOnWhatIsNotRetryable) {
  const absl::Status refused = absl::InvalidArgumentError("no");
  EXPECT_EQ(Run({kUnavailable, refused}), refused);
  EXPECT_THAT(attempts_, SizeIs(2));
}

TEST_F(RetrierTest, KeepsTheErrorOfAws) {
  const absl::Status status =
      Run({ToStatus({.code = "ValidationException", .http_status = 400}, "X")});
  EXPECT_EQ(ErrorOf(status)->code, "ValidationException");
}

TEST_F(RetrierTest, TellsOfEachFailureThatIsFollowedByAnotherAttempt) {
  Run({kUnavailable, kUnavailable, absl::InvalidArgumentError("no")})
      .IgnoreError();
  ASSERT_THAT(failures_, SizeIs(2));
  EXPECT_EQ(failures_[0].attempt, 1);
  EXPECT_EQ(failures_[0].status, kUnavailable);
  EXPECT_EQ(failures_[0].pause, absl::Milliseconds(50));
  EXPECT_EQ(failures_[1].attempt, 2);
  EXPECT_EQ(failures_[1].pause, absl::Milliseconds(100));
}

TEST_F(RetrierTest, DoesNotPauseBeyondTheDeadline) {
  EXPECT_EQ(Run({kUnavailable, kUnavailable}, absl::Milliseconds(149)),
            kUnavailable);
  EXPECT_THAT(attempts_, SizeIs(2));
  EXPECT_EQ(clock_.Now(), kRetryStart + absl::Milliseconds(50));
}

TEST_F(RetrierTest, DoesNotStartAnAttemptAtTheDeadline) {
  EXPECT_EQ(Run({kUnavailable}, absl::Milliseconds(50)), kUnavailable);
  EXPECT_THAT(attempts_, SizeIs(1));
}

TEST_F(RetrierTest, CountsTheTimeThatAttemptsTake) {
  attempt_takes_ = absl::Milliseconds(100);
  EXPECT_EQ(Run({kUnavailable}, absl::Milliseconds(149)), kUnavailable);
  EXPECT_THAT(attempts_, SizeIs(1));
}

TEST_F(RetrierTest, TriesNothingWhenTheDeadlineHasPassed) {
  for (const absl::Duration allowed :
       {absl::ZeroDuration(), absl::Seconds(-1), -absl::InfiniteDuration()}) {
    EXPECT_EQ(Run({}, allowed).code(), absl::StatusCode::kDeadlineExceeded);
  }
  EXPECT_THAT(attempts_, IsEmpty());
}

TEST_F(RetrierTest, AsksTheCallerWhatIsRetryable) {
  Retrier retrier({}, clock_, [] { return 0.5; });
  int attempts = 0;
  EXPECT_EQ(retrier.Run(absl::InfiniteFuture(),
                        [&] {
                          ++attempts;
                          return kUnavailable;
                        },
                        {.is_retryable = &IsRetryableWithoutEffect}),
            kUnavailable);
  EXPECT_EQ(attempts, 1);
}

TEST_F(RetrierTest, MakesOneAttemptIfTheAllowedNumberIsLess) {
  Retrier retrier({.max_attempts = 0}, clock_, [] { return 0.5; });
  int attempts = 0;
  EXPECT_EQ(retrier.Run(absl::InfiniteFuture(),
                        [&] {
                          ++attempts;
                          return kUnavailable;
                        }),
            kUnavailable);
  EXPECT_EQ(attempts, 1);
}

}  // namespace
}  // namespace byoshin::aws
