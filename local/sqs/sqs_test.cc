// The service over time, and as the rest of the local cloud uses it.
#include "local/sqs/sqs.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "local/gateway/service.h"
#include "local/sqs/api.h"
#include "local/sqs/testing/sqs_fixture.h"
#include "local/store/testing/failing_store.h"

namespace byoshin::local::sqs {
namespace {

class SqsTest : public SqsFixture {};

TEST_F(SqsTest, AnswersALongPollWhenAMessageIsDue) {
  CreateOrders();
  Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"a","DelaySeconds":5)"));
  std::future<Answer> poll = Start(
      WireProtocol::kJson10, "ReceiveMessage",
      absl::StrCat(R"({"QueueUrl":")", kUrl, R"(","WaitTimeSeconds":20})"));
  clock.AwaitIdle();
  EXPECT_EQ(clock.earliest_deadline(), clock.Now() + absl::Seconds(5));
  ASSERT_TRUE(clock.AdvanceToNextDeadline());
  EXPECT_TRUE(absl::StrContains(poll.get().body, R"("Body":"a")"));
}

TEST_F(SqsTest, EndsLongPollsOnTimeAndOnRequest) {
  CreateOrders();
  const std::string body =
      absl::StrCat(R"({"QueueUrl":")", kUrl, R"(","WaitTimeSeconds":20})");
  std::future<Answer> poll =
      Start(WireProtocol::kJson10, "ReceiveMessage", body);
  clock.AwaitIdle();
  EXPECT_EQ(clock.earliest_deadline(), clock.Now() + absl::Seconds(20));
  ASSERT_TRUE(clock.AdvanceToNextDeadline());
  EXPECT_EQ(poll.get().body, "{}");
  poll = Start(WireProtocol::kJson10, "ReceiveMessage", body);
  sqs->EndLongPolls();
  EXPECT_EQ(poll.get().body, "{}");
}

TEST_F(SqsTest, KeepsWhatItAnsweredWhenOpenedAgain) {
  CreateOrders();
  Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"a","DelaySeconds":5)"));
  sqs = nullptr;
  clock.AdvanceBy(absl::Seconds(5));
  sqs = *Sqs::Open(*store, clock, {});
  EXPECT_EQ(Parsed(JsonOrders("ReceiveMessage"))["Messages"][0]["Body"], "a");
}

TEST_F(SqsTest, ServesTheRestOfTheCloudWithoutPolling) {
  CreateOrders();
  std::promise<std::string> body;
  const uint64_t subscription = sqs->Subscribe(kArn, [&] {
    sqs->Receive(kArn, {.max_messages = 10}, [&](const ReceiveResult& result) {
      ASSERT_TRUE(result.ok()) << result.status();
      if (result->empty()) return;
      const std::string handle = result->front().receipt_handle;
      sqs->ChangeVisibility(
          kArn, {{handle, absl::Seconds(60)}},
          [&, handle](const absl::Status& changed) {
            EXPECT_TRUE(changed.ok()) << changed;
            sqs->Delete(kArn, {handle}, [&](const absl::Status& deleted) {
              EXPECT_TRUE(deleted.ok()) << deleted;
              body.set_value("done");
            });
          });
    });
  });
  EXPECT_NE(subscription, 0);
  EXPECT_EQ(sqs->Subscribe("nonsense", [] {}), 0);
  sqs->Send(kArn, {.body = "a"},
            [](const auto& sent) { EXPECT_TRUE(sent.ok()) << sent.status(); });
  EXPECT_EQ(body.get_future().get(), "done");
  const auto depth = async::Await<absl::StatusOr<QueueDepth>>(
      [&](auto done) { sqs->Depth(kArn, done); });
  EXPECT_EQ(*depth, QueueDepth());
  const auto peeked = async::Await<absl::StatusOr<std::vector<PeekedMessage>>>(
      [&](auto done) { sqs->Peek(kArn, 5, done); });
  EXPECT_EQ(peeked->size(), 0);
  const absl::Status none = async::Await<absl::Status>(
      [&](auto done) { sqs->Delete("nonsense", {}, done); });
  EXPECT_FALSE(none.ok());
  async::Await<void>([&](auto done) { sqs->Unsubscribe(subscription, done); });
}

TEST_F(SqsTest, EmptiesAQueueAsOftenAsIsWanted) {
  CreateOrders();
  const auto empty = [this](const char* arn) {
    return async::Await<absl::Status>(
        [&](auto done) { sqs->Empty(arn, done); });
  };
  for (int i = 0; i < 2; ++i) {
    Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"in flight")"));
    Parsed(JsonOrders("ReceiveMessage"));
    Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"visible")"));
    Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"a","DelaySeconds":5)"));
    EXPECT_EQ(empty(kArn), absl::OkStatus());
    const auto depth = async::Await<absl::StatusOr<QueueDepth>>(
        [&](auto done) { sqs->Depth(kArn, done); });
    EXPECT_EQ(*depth, QueueDepth());
  }
  EXPECT_FALSE(empty("arn:aws:sqs:eu-west-1:000000000000:none").ok());
  EXPECT_FALSE(empty("nonsense").ok());
}

TEST_F(SqsTest, ForgetsWhatCouldNotBeCommitted) {
  FailingStore failing(*store);
  sqs = nullptr;
  sqs = *Sqs::Open(failing, clock, {});
  CreateOrders();
  failing.FailCommits(1);
  const Answer sent = JsonOrders("SendMessage", R"(,"MessageBody":"a")");
  EXPECT_EQ(sent.status, 500);
  EXPECT_FALSE(absl::StrContains(sent.body, "disk"));
  EXPECT_EQ(JsonOrders("ReceiveMessage").body, "{}");
  Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"b")"));
  EXPECT_EQ(Parsed(JsonOrders("ReceiveMessage"))["Messages"][0]["Body"], "b");
  sqs = nullptr;
}

TEST_F(SqsTest, PausesBeforeItRemovesOldMessagesAgain) {
  FailingStore failing(*store);
  sqs = nullptr;
  sqs = *Sqs::Open(failing, clock, {});
  Parsed(Json("CreateQueue",
              R"({"QueueName":"orders",)"
              R"("Attributes":{"MessageRetentionPeriod":"60"}})"));
  Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"a")"));
  clock.AwaitIdle();
  const absl::Time due = clock.Now() + absl::Seconds(60);
  // More than are tried, so that one that does not pause comes to an end.
  failing.FailCommits(1000);
  clock.RunUntil(due + absl::Seconds(4));
  EXPECT_EQ(failing.failed_commits(), 1);
  // Meanwhile what needs no commit is served.
  Parsed(JsonOrders("GetQueueAttributes", R"(,"AttributeNames":["All"])"));
  EXPECT_EQ(failing.failed_commits(), 1);
  clock.RunUntil(due + absl::Seconds(5));
  EXPECT_EQ(failing.failed_commits(), 2);
  failing.FailCommits(0);
  clock.RunUntil(due + absl::Seconds(10));
  const Json::Value attributes = Parsed(
      JsonOrders("GetQueueAttributes",
                 R"(,"AttributeNames":["ApproximateNumberOfMessages"])"));
  EXPECT_EQ(attributes["Attributes"]["ApproximateNumberOfMessages"], "0");
  sqs = nullptr;
}

TEST_F(SqsTest, EndsLongPollsOnTimeWhileItPauses) {
  FailingStore failing(*store);
  sqs = nullptr;
  sqs = *Sqs::Open(failing, clock, {});
  CreateOrders();
  std::future<Answer> poll = Start(
      WireProtocol::kJson10, "ReceiveMessage",
      absl::StrCat(R"({"QueueUrl":")", kUrl, R"(","WaitTimeSeconds":1})"));
  failing.FailCommits(1);
  EXPECT_EQ(Json("CreateQueue", R"({"QueueName":"other"})").status, 500);
  clock.AwaitIdle();
  EXPECT_EQ(clock.earliest_deadline(), clock.Now() + absl::Seconds(1));
  ASSERT_TRUE(clock.AdvanceToNextDeadline());
  EXPECT_EQ(poll.get().body, "{}");
  sqs = nullptr;
}

TEST_F(SqsTest, ServesThoseWhoWaitOnceAPauseIsOver) {
  FailingStore failing(*store);
  sqs = nullptr;
  sqs = *Sqs::Open(failing, clock, {});
  CreateOrders();
  Parsed(JsonOrders("SendMessage", R"(,"MessageBody":"a")"));
  std::atomic<int> calls = 0;
  sqs->Subscribe(kArn, [&] { ++calls; });
  clock.AwaitIdle();
  EXPECT_EQ(calls, 1);
  failing.FailCommits(1);
  EXPECT_EQ(Json("CreateQueue", R"({"QueueName":"other"})").status, 500);
  clock.AwaitIdle();
  EXPECT_EQ(calls, 1);
  clock.RunUntil(clock.Now() + absl::Seconds(5));
  EXPECT_EQ(calls, 2);
  sqs = nullptr;
}

}  // namespace
}  // namespace byoshin::local::sqs
