// Long polls and subscriptions.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/testing/engine_fixture.h"

namespace byoshin::local::sqs {
namespace {

// A receiver that waits, and what it got.
struct Poll {
  bool connected = true;
  bool lets_time_pass = false;
  std::optional<ReceiveResult> result{};

  std::string Text() const {
    if (!result.has_value()) return "(waiting)";
    if (!result->ok()) return Describe(result->status());
    std::string bodies;
    for (const ReceivedMessage& message : **result) {
      absl::StrAppend(&bodies, "[", message.message.content.body, "]");
    }
    return bodies;
  }
};

class WaitsTest : public EngineFixture {
 public:
  WaitsTest() { Create(kOrders); }

  std::shared_ptr<Poll> Start(
      std::optional<absl::Duration> wait = absl::Seconds(20),
      int max_messages = 10, const QueueAddress& queue = kOrders) {
    auto poll = std::make_shared<Poll>();
    engine->ReceiveMessage(
        {.queue = queue,
         .max_messages = max_messages,
         .wait = wait,
         .connected = [poll] { return poll->connected; },
         .let_time_pass = [poll] { poll->lets_time_pass = true; }},
        [poll](const ReceiveResult& result) {
          EXPECT_FALSE(poll->result.has_value()) << "answered twice";
          poll->result = result;
        });
    Commit();
    return poll;
  }
};

TEST_F(WaitsTest, EndWithTheFirstMessage) {
  const auto poll = Start();
  EXPECT_EQ(poll->Text(), "(waiting)");
  Advance(absl::Seconds(19));
  Send("a");
  EXPECT_EQ(poll->Text(), "[a]");
  EXPECT_EQ(Depth(), (QueueDepth{.in_flight = 1}));
}

TEST_F(WaitsTest, EndWithoutOneExactlyWhenTheirTimeIsUp) {
  const auto poll = Start(absl::Seconds(3));
  EXPECT_EQ(engine->NextDue(), kStart + absl::Seconds(3));
  Advance(absl::Milliseconds(2999));
  EXPECT_EQ(poll->Text(), "(waiting)");
  Advance(absl::Milliseconds(1));
  EXPECT_EQ(poll->Text(), "");
  EXPECT_EQ(engine->NextDue(), absl::InfiniteFuture());
}

TEST_F(WaitsTest, TakeTheQueuesTimeUnlessTheyHaveTheirOwn) {
  ASSERT_TRUE(Set(kOrders, {{"ReceiveMessageWaitTimeSeconds", "5"}}).ok());
  EXPECT_EQ(Start(absl::ZeroDuration())->Text(), "");
  const auto poll = Start(std::nullopt);
  EXPECT_EQ(poll->Text(), "(waiting)");
  Advance(absl::Seconds(5));
  EXPECT_EQ(poll->Text(), "");
}

TEST_F(WaitsTest, AreNotNeededIfThereIsAMessage) {
  Send("a");
  EXPECT_EQ(Start()->Text(), "[a]");
}

TEST_F(WaitsTest, EndWithWhatBecomesVisible) {
  Send("delayed", absl::Seconds(2));
  const auto first = Start();
  Advance(absl::Milliseconds(1999));
  EXPECT_EQ(first->Text(), "(waiting)");
  Advance(absl::Milliseconds(1));
  EXPECT_EQ(first->Text(), "[delayed]");

  const auto second = Start();
  ASSERT_TRUE(
      Change((*first->result)->front().receipt_handle, absl::ZeroDuration())
          .ok());
  EXPECT_EQ(second->Text(), "[delayed]");

  ASSERT_TRUE(Set(kOrders, {{"VisibilityTimeout", "10"}}).ok());
  ASSERT_TRUE(
      Change((*second->result)->front().receipt_handle, absl::Seconds(10))
          .ok());
  const auto third = Start();
  Advance(absl::Seconds(10));
  EXPECT_EQ(third->Text(), "[delayed]");
}

TEST_F(WaitsTest, MayEndWithAMessageInTheLastMoment) {
  Send("a", absl::Seconds(20));
  const auto poll = Start(absl::Seconds(20));
  Advance(absl::Seconds(20));
  EXPECT_EQ(poll->Text(), "[a]");
}

TEST_F(WaitsTest, LetSimulatedTimePassOnlyIfTheyWait) {
  const auto waits = Start();
  EXPECT_TRUE(waits->lets_time_pass);
  Send("a");
  Send("b");
  const auto served = Start();
  EXPECT_EQ(served->Text(), "[b]");
  EXPECT_FALSE(served->lets_time_pass);
}

TEST_F(WaitsTest, AreServedInTheirOrder) {
  const auto first = Start(absl::Seconds(20), 1);
  const auto second = Start(absl::Seconds(20), 1);
  Send("a");
  EXPECT_EQ(first->Text(), "[a]");
  EXPECT_EQ(second->Text(), "(waiting)");
  Send("b");
  EXPECT_EQ(second->Text(), "[b]");
}

TEST_F(WaitsTest, OfClientsThatHaveLeftGetNothing) {
  const auto gone = Start(absl::Seconds(20), 1);
  const auto there = Start(absl::Seconds(20), 1);
  gone->connected = false;
  Send("a");
  EXPECT_EQ(gone->Text(), "");
  EXPECT_EQ(there->Text(), "[a]");
  const auto also_gone = Start();
  also_gone->connected = false;
  Send("b");
  EXPECT_EQ(also_gone->Text(), "");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .in_flight = 1}));
}

TEST_F(WaitsTest, OfClientsThatLeftBeforeTheirTurnGetNothing) {
  Send("a");
  auto poll = std::make_shared<Poll>();
  engine->ReceiveMessage(
      {.queue = kOrders, .connected = [] { return false; }},
      [poll](const ReceiveResult& result) { poll->result = result; });
  Commit();
  EXPECT_EQ(poll->Text(), "");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
}

TEST_F(WaitsTest, EndWithTheirQueue) {
  const auto poll = Start();
  ASSERT_TRUE(engine->DeleteQueue(kOrders).ok());
  Commit();
  EXPECT_EQ(poll->Text(),
            "QueueDoesNotExist: The specified queue does not exist.");
}

TEST_F(WaitsTest, OnDeadLettersEndAsTheyArrive) {
  Create(kDead);
  ASSERT_TRUE(
      Set(kOrders, {{"RedrivePolicy",
                     absl::StrCat(R"({"deadLetterTargetArn":")", kDeadArn,
                                  R"(","maxReceiveCount":1})")}})
          .ok());
  Send("a");
  ASSERT_EQ(Receive().size(), 1);
  const auto source = Start(absl::Hours(1));
  const auto dead = Start(absl::Hours(1), 10, kDead);
  Advance(absl::Seconds(30));
  EXPECT_EQ(source->Text(), "(waiting)");
  EXPECT_EQ(dead->Text(), "[a]");
}

TEST_F(WaitsTest, AreNotAnsweredBeforeTheCommit) {
  const auto poll = Start();
  ASSERT_TRUE(
      engine
          ->SendMessage({.queue = kOrders, .message = Prepared({.body = "a"})})
          .ok());
  const auto finish = engine->Finish();
  EXPECT_EQ(poll->Text(), "(waiting)");
  store->Rollback();
  ASSERT_TRUE(engine->Load().ok());
  finish(absl::UnavailableError("disk full"));
  EXPECT_EQ(poll->Text().substr(0, 15), "InternalFailure");
  EXPECT_EQ(Depth(), QueueDepth());
}

TEST_F(WaitsTest, GoOnAfterARollback) {
  const auto poll = Start();
  store->Rollback();
  ASSERT_TRUE(engine->Load().ok());
  Commit();
  EXPECT_EQ(poll->Text(), "(waiting)");
  Send("a");
  EXPECT_EQ(poll->Text(), "[a]");
}

TEST_F(WaitsTest, CanAllBeEnded) {
  const auto first = Start();
  const auto second = Start();
  engine->EndAllWaits();
  Commit();
  EXPECT_EQ(first->Text(), "");
  EXPECT_EQ(second->Text(), "");
  EXPECT_EQ(engine->NextDue(), absl::InfiniteFuture());
}

TEST_F(WaitsTest, SubscribersHearOfEveryMessageThatNobodyWaitedFor) {
  int calls = 0;
  engine->Subscribe(1, kOrders, [&] { ++calls; });
  Commit();
  EXPECT_EQ(calls, 0);
  Send("a");
  EXPECT_EQ(calls, 1);
  Send("b", absl::Seconds(5));
  EXPECT_EQ(calls, 1);
  Advance(absl::Seconds(5));
  EXPECT_EQ(calls, 2);
  ASSERT_EQ(Receive().size(), 2);
  Advance(absl::Seconds(30));
  EXPECT_EQ(calls, 3);
  ASSERT_EQ(Receive().size(), 2);
  Start();
  Send("c");
  EXPECT_EQ(calls, 3);
  engine->Unsubscribe(1);
  Send("d");
  EXPECT_EQ(calls, 3);
}

TEST_F(WaitsTest, SubscribersHearOfWhatWasThereAndOfLaterQueues) {
  Send("a");
  int calls = 0;
  engine->Subscribe(1, kOrders, [&] { ++calls; });
  engine->Subscribe(2, kDead, [&] { calls += 10; });
  Commit();
  EXPECT_EQ(calls, 1);
  Create(kDead);
  Send("b", std::nullopt, kDead);
  EXPECT_EQ(calls, 11);
}

}  // namespace
}  // namespace byoshin::local::sqs
