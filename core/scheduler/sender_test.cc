#include "core/scheduler/sender.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/aws/sqs/client.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/scheduler/config.h"
#include "core/scheduler/testing/fake_queue.h"
#include "core/time/iso8601.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::FakeQueue;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using time::testing::InstantClock;

constexpr char kEvent[] = R"({"time":"2025-12-02T10:23:41Z"})";
constexpr char kSendersQueueUrl[] = "http://127.0.0.1:4566/000000000000/slots";

class SenderTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Send(std::string payload = kEvent) {
    Sender sender({.queue_url = kSendersQueueUrl, .window_lag = lag_},
                  {.queue = queue_, .clock = clock_, .logger = logger_});
    return sender.Handle({.payload = std::move(payload),
                          .request_id = "r-1",
                          .deadline = deadline_,
                          .requested = requested_});
  }

  // How many messages each call had.
  std::vector<int> CallSizes() const {
    std::vector<int> sizes;
    for (const FakeQueue::Call& call : queue_.calls()) {
      sizes.push_back(static_cast<int>(call.request.entries.size()));
    }
    return sizes;
  }

  static std::vector<std::string> Ids(const FakeQueue::Call& call) {
    std::vector<std::string> ids;
    for (const FakeQueue::Entry& entry : call.request.entries) {
      ids.push_back(entry.id);
    }
    return ids;
  }

  // Long after the event: only a minute that lies ahead is refused.
  const absl::Time start_ = time::ParseIso8601("2025-12-02T11:00:07Z").value();
  absl::Time deadline_ = start_ + absl::Seconds(30);
  absl::Time requested_ = absl::InfinitePast();
  absl::Duration lag_ = absl::ZeroDuration();
  InstantClock clock_{start_};
  FakeQueue queue_;
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

TEST_F(SenderTest, SendsTwelveMessagesInBatchesOfTenAndTwo) {
  ASSERT_TRUE(Send().ok());
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2));
  EXPECT_EQ(queue_.calls()[0].request.queue_url, kSendersQueueUrl);
  EXPECT_EQ(queue_.calls()[1].request.queue_url, kSendersQueueUrl);
}

TEST_F(SenderTest, GivesEachMessageItsWindowAndItsDelay) {
  ASSERT_TRUE(Send().ok());
  ASSERT_THAT(queue_.taken(), SizeIs(12));
  EXPECT_EQ(queue_.taken()[0].body,
            R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z"})");
  EXPECT_EQ(queue_.taken()[0].delay, absl::ZeroDuration());
  EXPECT_EQ(queue_.taken()[1].body,
            R"({"from":"2025-12-02T10:23:05Z","to":"2025-12-02T10:23:10Z"})");
  EXPECT_EQ(queue_.taken()[1].delay, absl::Seconds(5));
  EXPECT_EQ(queue_.taken()[11].body,
            R"({"from":"2025-12-02T10:23:55Z","to":"2025-12-02T10:24:00Z"})");
  EXPECT_EQ(queue_.taken()[11].delay, absl::Seconds(55));
}

TEST_F(SenderTest, SaysWhatItSent) {
  EXPECT_EQ(Send().value(), R"({"baseTime":"2025-12-02T10:23:00Z","sent":12})");
}

TEST_F(SenderTest, MovesTheWindowsBackByTheLag) {
  lag_ = absl::Seconds(10);
  ASSERT_TRUE(Send().ok());
  EXPECT_EQ(queue_.taken()[0].body,
            R"({"from":"2025-12-02T10:22:50Z","to":"2025-12-02T10:22:55Z"})");
  EXPECT_EQ(queue_.taken()[0].delay, absl::ZeroDuration());
}

TEST_F(SenderTest, LogsEachMessage) {
  ASSERT_TRUE(Send().ok());
  const std::vector<Json::Value> lines = sink_.AtLevel("INFO");
  ASSERT_THAT(lines, SizeIs(12));
  EXPECT_EQ(lines[3]["message"].asString(), "message sent");
  EXPECT_EQ(lines[3]["slot"].asInt(), 3);
  EXPECT_EQ(lines[3]["from"].asString(), "2025-12-02T10:23:15Z");
  EXPECT_EQ(lines[3]["to"].asString(), "2025-12-02T10:23:20Z");
  EXPECT_EQ(lines[3]["delaySeconds"].asInt(), 15);
  EXPECT_EQ(lines[3]["messageId"].asString(), "m-3");
  EXPECT_THAT(sink_.AtLevel("WARN"), IsEmpty());
  EXPECT_THAT(sink_.AtLevel("ERROR"), IsEmpty());
}

TEST_F(SenderTest, CountsWhatItSentInMetrics) {
  queue_.FailEntries({"4"}, FakeQueue::Fault::kSender);
  ASSERT_FALSE(Send().ok());
  ASSERT_THAT(sink_.metrics(), SizeIs(1));
  const Json::Value metrics = sink_.metrics()[0];
  EXPECT_EQ(metrics["_aws"]["CloudWatchMetrics"][0]["Namespace"].asString(),
            "Byoshin/Scheduler");
  EXPECT_EQ(metrics["Function"].asString(), "Sender");
  EXPECT_EQ(metrics["MessagesSent"].asDouble(), 11);
  EXPECT_EQ(metrics["MessagesFailed"].asDouble(), 1);
  EXPECT_EQ(metrics["baseTime"].asString(), "2025-12-02T10:23:00Z");
}

TEST_F(SenderTest, RefusesAnEventWithoutATime) {
  for (const char* event : {"", "{}", "[]", R"({"time":"10:23"})"}) {
    const absl::Status status = Send(event).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << event;
  }
  EXPECT_THAT(queue_.calls(), IsEmpty());
}

TEST_F(SenderTest, RefusesAnEventWhoseWindowsCannotBeWritten) {
  requested_ = time::ParseIso8601("9999-12-31T23:59:00Z").value();
  EXPECT_EQ(Send(R"({"time":"9999-12-31T23:59:00Z"})").status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_THAT(queue_.calls(), IsEmpty());
}

// The clock is at 11:00:07.
TEST_F(SenderTest, SendsTheNextMinuteAndRefusesLaterOnes) {
  EXPECT_TRUE(Send(R"({"time":"2025-12-02T11:01:59Z"})").ok());
  EXPECT_THAT(queue_.taken(), SizeIs(12));
  const absl::Status later =
      Send(R"({"time":"2025-12-02T11:02:00Z"})").status();
  EXPECT_EQ(later.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(
      later.message(),
      "nothing was sent: the event's time, 2025-12-02T11:02:00Z, is more "
      "than a minute ahead of the present one, 2025-12-02T11:00:07Z; send "
      "the event again with the right time");
  EXPECT_EQ(Send(R"({"time":"2030-12-02T10:23:00Z"})").status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_THAT(queue_.taken(), SizeIs(12));
}

// The clocks of the cloud and of the function differ if time is simulated.
TEST_F(SenderTest, SendsTheMinuteInWhichItsInvocationWasRequested) {
  requested_ = start_ + absl::Hours(24 * 365);
  EXPECT_TRUE(Send(R"({"time":"2026-12-02T11:01:00Z"})").ok());
  EXPECT_FALSE(Send(R"({"time":"2026-12-02T11:02:00Z"})").ok());
  requested_ = start_ - absl::Hours(24 * 365);
  EXPECT_TRUE(Send().ok());
}

TEST_F(SenderTest, TriesOnlyTheFailedEntriesAgain) {
  queue_.FailEntries({"2", "7"}, FakeQueue::Fault::kService);
  queue_.FailEntries({"11"}, FakeQueue::Fault::kService);
  ASSERT_TRUE(Send().ok());
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2, 3));
  EXPECT_THAT(Ids(queue_.calls()[2]), ElementsAre("2", "7", "11"));
  EXPECT_EQ(queue_.calls()[2].request.entries[0].delay, absl::Seconds(10))
      << "the delay stays that of the plan";
  EXPECT_THAT(queue_.taken(), SizeIs(12));
  EXPECT_THAT(sink_.Messages("WARN"), SizeIs(3));
  EXPECT_THAT(sink_.AtLevel("ERROR"), IsEmpty());
}

TEST_F(SenderTest, WaitsLongerBeforeEachNextAttempt) {
  std::vector<absl::Time> times;
  queue_.AlwaysAnswerBy([&](const FakeQueue::Request& request) {
    times.push_back(clock_.Now());
    return queue_.Take(request, {"0"}, FakeQueue::Fault::kService);
  });
  EXPECT_FALSE(Send().ok());
  EXPECT_THAT(times, ElementsAre(start_, start_,  // ten and two
                                 start_ + absl::Milliseconds(100),
                                 start_ + absl::Milliseconds(300),
                                 start_ + absl::Milliseconds(700)));
}

TEST_F(SenderTest, NamesTheSlotsThatCouldNotBeSentInTheEnd) {
  queue_.AlwaysAnswerBy([&](const FakeQueue::Request& request) {
    return queue_.Take(request, {"3", "10"}, FakeQueue::Fault::kService);
  });
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(),
            "2 of 12 messages were not sent, those of slots 3, 10 of the "
            "minute; the first: InternalError: made up");
  EXPECT_THAT(queue_.taken(), SizeIs(10));
  const std::vector<Json::Value> errors = sink_.AtLevel("ERROR");
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0]["message"].asString(), "message not sent");
  EXPECT_EQ(errors[0]["slot"].asInt(), 3);
  EXPECT_EQ(errors[0]["from"].asString(), "2025-12-02T10:23:15Z");
  EXPECT_EQ(errors[0]["error"].asString(), "InternalError: made up");
  EXPECT_EQ(errors[1]["slot"].asInt(), 10);
}

TEST_F(SenderTest, DoesNotTryAMessageAgainThatIsItselfAtFault) {
  queue_.FailEntries({"5"}, FakeQueue::Fault::kSender);
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("slots 5 of"));
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2));
  EXPECT_THAT(queue_.taken(), SizeIs(11)) << "the rest is sent all the same";
}

TEST_F(SenderTest, SendsTheSecondBatchAlthoughTheFirstFailedAsAWhole) {
  queue_.FailCall(absl::UnavailableError("no connection"));
  queue_.TakeAll();
  ASSERT_TRUE(Send().ok());
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2, 10));
  EXPECT_THAT(queue_.taken(), SizeIs(12));
}

TEST_F(SenderTest, GivesUpAfterABoundedNumberOfAttempts) {
  for (const absl::Status& error : {absl::UnavailableError("no connection"),
                                    absl::DeadlineExceededError("time-out"),
                                    absl::ResourceExhaustedError("throttled"),
                                    absl::InternalError("garbage")}) {
    FakeQueue queue;
    queue.AlwaysAnswerBy([&](const FakeQueue::Request&) { return error; });
    Sender sender({.queue_url = kSendersQueueUrl, .window_lag = lag_},
                  {.queue = queue, .clock = clock_, .logger = logger_});
    const absl::Status status =
        sender.Handle({.payload = kEvent, .request_id = "r"}).status();
    EXPECT_EQ(status.code(), error.code());
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("12 of 12 messages"),
                      HasSubstr("slots 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
                      HasSubstr(std::string(error.message()))));
    EXPECT_THAT(queue.calls(), SizeIs(4 * 2));
  }
}

TEST_F(SenderTest, FailsAtOnceWhereTheQueueDoesNotExist) {
  queue_.FailCall(
      aws::ToStatus({.code = "AWS.SimpleQueueService.NonExistentQueue",
                     .message = "The specified queue does not exist.",
                     .http_status = 400,
                     .request_id = "x"},
                    "SQS SendMessageBatch"));
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("12 of 12"), HasSubstr("NonExistentQueue")));
  EXPECT_THAT(queue_.calls(), SizeIs(1));
  EXPECT_EQ(clock_.Now(), start_) << "without a pause";
  EXPECT_THAT(sink_.Messages("ERROR"),
              AllOf(SizeIs(12), Each("message not sent")));
}

TEST_F(SenderTest, FailsAtOnceWhereTheQueueRefuses) {
  for (const absl::Status& error :
       {absl::PermissionDeniedError("AccessDenied"),
        absl::UnauthenticatedError("certificate"),
        absl::InvalidArgumentError("InvalidAddress")}) {
    FakeQueue queue;
    queue.AlwaysAnswerBy([&](const FakeQueue::Request&) { return error; });
    Sender sender({.queue_url = kSendersQueueUrl, .window_lag = lag_},
                  {.queue = queue, .clock = clock_, .logger = logger_});
    EXPECT_EQ(
        sender.Handle({.payload = kEvent, .request_id = "r"}).status().code(),
        error.code());
    EXPECT_THAT(queue.calls(), SizeIs(1));
  }
}

TEST_F(SenderTest, KeepsWhatWasSentBeforeTheQueueRefused) {
  queue_.FailEntries({"0"}, FakeQueue::Fault::kService);
  queue_.FailCall(absl::PermissionDeniedError("AccessDenied"));
  const absl::Status status = Send().status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("3 of 12 messages were not sent, those of slots "
                        "0, 10, 11 "));
  EXPECT_THAT(queue_.calls(), SizeIs(2));
}

TEST_F(SenderTest, TriesAnEntryAgainThatTheAnswerDoesNotMention) {
  queue_.AnswerBy([&](const FakeQueue::Request& request) {
    FakeQueue::Result result =
        queue_.Take(request, {}, FakeQueue::Fault::kService);
    result.sent.erase(result.sent.begin() + 6);
    result.sent.push_back({.id = "99", .message_id = "m"});
    return result;
  });
  ASSERT_TRUE(Send().ok());
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2, 1));
  EXPECT_THAT(Ids(queue_.calls()[2]), ElementsAre("6"));
}

TEST_F(SenderTest, GivesEachCallOnlyAPartOfTheTime) {
  ASSERT_TRUE(Send().ok());
  EXPECT_EQ(queue_.calls()[0].deadline, start_ + absl::Seconds(5));
  EXPECT_EQ(queue_.calls()[1].deadline, start_ + absl::Seconds(5));
}

TEST_F(SenderTest, KeepsAMarginBeforeTheDeadline) {
  deadline_ = start_ + absl::Seconds(3);
  ASSERT_TRUE(Send().ok());
  EXPECT_EQ(queue_.calls()[0].deadline, start_ + absl::Seconds(2));
}

TEST_F(SenderTest, SendsTheSecondBatchAlthoughTheFirstHung) {
  queue_.AnswerBy([&](const FakeQueue::Request&) {
    clock_.Advance(absl::Seconds(5));
    return absl::DeadlineExceededError("time-out");
  });
  ASSERT_TRUE(Send().ok());
  EXPECT_THAT(CallSizes(), ElementsAre(10, 2, 10));
}

TEST_F(SenderTest, StopsTryingWhenTheDeadlineIsNear) {
  queue_.AlwaysAnswerBy([&](const FakeQueue::Request&) {
    clock_.Advance(absl::Seconds(5));
    return absl::DeadlineExceededError("time-out");
  });
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("12 of 12"));
  EXPECT_THAT(queue_.calls(), SizeIs(6)) << "30 seconds, 5 at a time";
  EXPECT_LE(queue_.calls().back().deadline, deadline_ - absl::Seconds(1));
}

TEST_F(SenderTest, DoesNotWaitForAnAttemptThatWouldComeTooLate) {
  deadline_ = start_ + absl::Milliseconds(1050);
  queue_.AlwaysAnswerBy([](const FakeQueue::Request&) {
    return absl::UnavailableError("no connection");
  });
  EXPECT_FALSE(Send().ok());
  EXPECT_THAT(queue_.calls(), SizeIs(2));
  EXPECT_EQ(clock_.Now(), start_);
}

TEST_F(SenderTest, SaysSoWhereThereIsNoTimeAtAll) {
  deadline_ = start_;
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no time was left"));
  EXPECT_THAT(queue_.calls(), IsEmpty());
}

TEST_F(SenderTest, SendsTheSameForTheSameEvent) {
  ASSERT_TRUE(Send().ok());
  clock_.Advance(absl::Minutes(3));
  deadline_ += absl::Minutes(3);
  ASSERT_TRUE(Send().ok());
  ASSERT_THAT(queue_.taken(), SizeIs(24));
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(queue_.taken()[i].body, queue_.taken()[i + 12].body);
    EXPECT_EQ(queue_.taken()[i].delay, queue_.taken()[i + 12].delay);
  }
}

}  // namespace
}  // namespace byoshin::scheduler
