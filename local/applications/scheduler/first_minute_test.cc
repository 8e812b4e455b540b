#include "local/applications/scheduler/first_minute.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sqs/client.h"
#include "core/aws/sqs/json_client.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/scheduler/config.h"
#include "core/scheduler/lateness.h"
#include "core/scheduler/message.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const absl::Time kMinute = absl::FromUnixSeconds(1764670980);  // 10:23:00Z

// A queue that remembers what is sent, and when.
class FakeQueue final : public aws::sqs::Client {
 public:
  explicit FakeQueue(time::Clock& clock) : clock_(clock) {}

  absl::StatusOr<aws::sqs::SendMessageBatchResult> SendMessageBatch(
      const aws::sqs::SendMessageBatchRequest& request, absl::Time) override {
    if (!error.ok()) return error;
    EXPECT_EQ(request.queue_url, "http://queue");
    aws::sqs::SendMessageBatchResult result;
    batches.push_back(request.entries.size());
    for (const aws::sqs::SendMessageBatchEntry& entry : request.entries) {
      due.push_back(clock_.Now() + entry.delay - kMinute);
      bodies.push_back(entry.body);
      result.sent.push_back({.id = entry.id});
    }
    return result;
  }

  absl::Status error;
  std::vector<std::size_t> batches;
  std::vector<absl::Duration> due;  // counted from kMinute
  std::vector<std::string> bodies;

 private:
  time::Clock& clock_;
};

struct Minute {
  explicit Minute(absl::Duration start)
      : clock(kMinute + start), queue(clock) {}

  // Lets the minute pass.
  absl::Status Run(absl::Duration lag = absl::ZeroDuration()) {
    absl::Status error;
    {
      FirstMinute first_minute(
          {.clock = clock,
           .queue = queue,
           .on_sent = [&](absl::Time slot) { sent_from = slot; },
           .on_error = [&](const absl::Status& status) { error = status; }},
          {.queue_url = "http://queue", .window_lag = lag});
      clock.RunUntil(kMinute + absl::Minutes(1));
    }
    return error;
  }

  time::SimulatedClock clock;
  FakeQueue queue;
  std::optional<absl::Time> sent_from;
};

TEST(FirstMinute, SendsTheSlotsThatAreStillToCome) {
  Minute minute(absl::Seconds(42));
  EXPECT_EQ(minute.Run(), absl::OkStatus());
  EXPECT_THAT(
      minute.queue.due,
      ElementsAre(absl::Seconds(45), absl::Seconds(50), absl::Seconds(55)));
  EXPECT_EQ(minute.queue.bodies.front(),
            R"({"from":"2025-12-02T10:23:45Z","to":"2025-12-02T10:23:50Z"})");
}

TEST(FirstMinute, SendsNoMoreAtOnceThanTheQueueTakes) {
  Minute minute(absl::Milliseconds(1));
  EXPECT_EQ(minute.Run(), absl::OkStatus());
  EXPECT_THAT(minute.queue.batches, ElementsAre(10, 1));
}

TEST(FirstMinute, MovesWindowsAsTheSenderDoes) {
  Minute minute(absl::Seconds(51));
  EXPECT_EQ(minute.Run(/*lag=*/absl::Seconds(10)), absl::OkStatus());
  EXPECT_THAT(
      minute.queue.bodies,
      ElementsAre(
          R"({"from":"2025-12-02T10:23:45Z","to":"2025-12-02T10:23:50Z"})"));
}

TEST(FirstMinute, LeavesTheNextMinuteToTheRule) {
  Minute minute(absl::Seconds(56));
  EXPECT_EQ(minute.Run(), absl::OkStatus());
  EXPECT_THAT(minute.queue.bodies, IsEmpty());
}

TEST(FirstMinute, SendsNothingOnceItHasEnded) {
  Minute minute(absl::Seconds(42));
  {
    FirstMinute first_minute({.clock = minute.clock,
                              .queue = minute.queue,
                              .on_sent = [](absl::Time) {},
                              .on_error = [](const absl::Status&) {}},
                             {.queue_url = "http://queue"});
  }
  minute.clock.RunUntil(kMinute + absl::Minutes(1));
  EXPECT_THAT(minute.queue.bodies, IsEmpty());
}

TEST(FirstMinute, TellsOfAnError) {
  Minute minute(absl::Seconds(42));
  minute.queue.error = absl::NotFoundError("no such queue");
  EXPECT_EQ(minute.Run(), minute.queue.error);
  EXPECT_FALSE(minute.sent_from.has_value());
}

TEST(FirstMinute, JoinsTheNextMinuteOfTheSenderWhateverTheLag) {
  for (const int lag : {0, 10, 60, 300}) {
    for (const int start : {0, 1, 29, 42, 54}) {
      Minute minute(absl::Seconds(start) + absl::Milliseconds(1));
      ASSERT_EQ(minute.Run(absl::Seconds(lag)), absl::OkStatus());
      // Each window ends where the next one begins, the last where the next
      // minute's first one does; each is due its lag after its start.
      const scheduler::Plan next =
          scheduler::PlanMinute(kMinute + absl::Minutes(1), absl::Seconds(lag))
              .value();
      absl::Time end = *minute.sent_from;
      for (std::size_t i = 0; i < minute.queue.bodies.size(); ++i) {
        const scheduler::Window window =
            scheduler::ParseMessage(minute.queue.bodies[i]).value();
        EXPECT_EQ(window.from, end) << lag << " " << start;
        EXPECT_EQ(kMinute + minute.queue.due[i],
                  scheduler::DueTime(
                      {.slot = window.from, .window_lag = absl::Seconds(lag)}));
        end = window.to;
      }
      EXPECT_EQ(end, next[0].window.from) << lag << " " << start;
    }
  }
}

TEST(FirstMinute, IsSentToTheCloudThatRuns) {
  time::SimulatedClock clock(kMinute + absl::Seconds(51));
  http::testing::FakeClient http;
  http.Answer({.status = 200, .body = "{}"});
  aws::sqs::JsonClient queue(
      {.http = http,
       .clock = clock,
       .environment = ClientEnvironment(
           "http://127.0.0.1:4567",
           {.access_key_id = "mine", .secret_access_key = aws::Secret("s")})});
  {
    // The first cloud on these data had another port.
    FirstMinute first_minute(
        {.clock = clock,
         .queue = queue,
         .on_sent = [](absl::Time) {},
         .on_error = [](const absl::Status&) {}},
        {.queue_url = "http://127.0.0.1:4566/000000000000/queue"});
    clock.RunUntil(kMinute + absl::Seconds(56));
  }
  ASSERT_EQ(http.requests().size(), 1);
  EXPECT_EQ(http.requests()[0].url, "http://127.0.0.1:4567/");
  bool signed_as_mine = false;
  for (const http::Header& header : http.requests()[0].headers) {
    signed_as_mine |= absl::StrContains(header.value, "Credential=mine/");
  }
  EXPECT_TRUE(signed_as_mine);
}

}  // namespace
}  // namespace byoshin::local::applications
