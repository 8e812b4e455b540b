// Sending, receiving, deleting, changing visibility, and the passing of time.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/testing/engine_fixture.h"

namespace byoshin::local::sqs {
namespace {

using Bodies = std::vector<std::string>;

constexpr absl::Duration kJustBefore = -absl::Milliseconds(1);

class MessagesTest : public EngineFixture {
 public:
  MessagesTest() { Create(kOrders); }

  std::string ReceiveHandle() {
    const std::vector<ReceivedMessage> received = Receive({.max_messages = 1});
    return received.empty() ? "(none)" : received[0].receipt_handle;
  }
};

TEST_F(MessagesTest, AreHandedOutInTheOrderTheyBecameAvailable) {
  Send("delayed", absl::Seconds(2));
  Send("first");
  Advance(absl::Seconds(1));
  Send("second");
  Advance(absl::Seconds(2));
  Send("last");
  EXPECT_EQ(ReceiveBodies(), (Bodies{"first", "second", "delayed", "last"}));
}

TEST_F(MessagesTest, AreInvisibleWhileInFlight) {
  Send("a");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  EXPECT_EQ(Receive().size(), 1);
  EXPECT_EQ(Depth(), (QueueDepth{.in_flight = 1}));
  Advance(absl::Seconds(30) + kJustBefore);
  EXPECT_EQ(Receive().size(), 0);
  Advance(-kJustBefore);
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  const std::vector<ReceivedMessage> again = Receive();
  ASSERT_EQ(again.size(), 1);
  EXPECT_EQ(again[0].receives, 2);
  EXPECT_EQ(again[0].first_received_at, kStart);
  EXPECT_EQ(again[0].message.header.sent_at, kStart);
}

TEST_F(MessagesTest, AreVisibleExactlyWhenTheirDelayIsOver) {
  Send("a", absl::Seconds(5));
  EXPECT_EQ(Depth(), (QueueDepth{.delayed = 1}));
  EXPECT_EQ(engine->NextDue(), kStart + absl::Seconds(5));
  Advance(absl::Seconds(5) + kJustBefore);
  EXPECT_EQ(Receive().size(), 0);
  Advance(-kJustBefore);
  EXPECT_EQ(Receive().size(), 1);
}

TEST_F(MessagesTest, TakeTheQueuesDelayUnlessTheyHaveTheirOwn) {
  ASSERT_TRUE(Set(kOrders, {{"DelaySeconds", "10"}}).ok());
  Send("queue's");
  Send("own", absl::ZeroDuration());
  EXPECT_EQ(ReceiveBodies(), (Bodies{"own"}));
  Advance(absl::Seconds(10));
  EXPECT_EQ(ReceiveBodies(), (Bodies{"queue's"}));
}

TEST_F(MessagesTest, AreReceivedEvenIfNobodyRanWhatWasDue) {
  Send("a", absl::Seconds(5));
  clock.AdvanceBy(absl::Seconds(5));
  EXPECT_EQ(Receive().size(), 1);
}

TEST_F(MessagesTest, AreLimitedInNumberAndStayInView) {
  for (int i = 0; i < 12; ++i) Send(absl::StrCat(i));
  EXPECT_EQ(Receive({.max_messages = 3}).size(), 3);
  EXPECT_EQ(Receive({.max_messages = 10}).size(), 9);
}

TEST_F(MessagesTest, ReceivedWithoutTimeoutStayVisible) {
  Send("a");
  Send("b");
  EXPECT_EQ(ReceiveBodies({.visibility_timeout = absl::ZeroDuration()}),
            (Bodies{"a", "b"}));
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 2}));
  const std::vector<ReceivedMessage> again = Receive();
  ASSERT_EQ(again.size(), 2);
  EXPECT_EQ(again[0].receives, 2);
}

TEST_F(MessagesTest, LongerThanTheQueueAllowsAreRefused) {
  ASSERT_TRUE(Set(kOrders, {{"MaximumMessageSize", "1024"}}).ok());
  const auto send = [&](std::size_t bytes) {
    return Describe(engine
                        ->SendMessage({.queue = kOrders,
                                       .message = Prepared(
                                           {.body = std::string(bytes, 'x')})})
                        .status());
  };
  EXPECT_EQ(send(1025),
            "InvalidParameterValueException: One or more parameters are "
            "invalid. Reason: Message must be shorter than 1024 bytes.");
  EXPECT_EQ(send(1024), "OK");
  Commit();
  EXPECT_EQ(Depth().visible, 1);
}

TEST_F(MessagesTest, ToQueuesThatAreNotThereAreRefused) {
  const std::string error =
      "QueueDoesNotExist: The specified queue does not exist.";
  EXPECT_EQ(Describe(engine->SendMessage({.queue = kDead}).status()), error);
  EXPECT_EQ(Describe(engine->SendMessageBatch({.queue = kDead}).status()),
            error);
  EXPECT_EQ(ReceiveError({.queue = kDead}), error);
  EXPECT_EQ(Describe(Delete("x", kDead)), error);
  EXPECT_EQ(Describe(engine->DeleteMessageBatch({.queue = kDead}).status()),
            error);
  EXPECT_EQ(Describe(Change("x", absl::ZeroDuration(), kDead)), error);
  EXPECT_EQ(
      Describe(engine->ChangeMessageVisibilityBatch({.queue = kDead}).status()),
      error);
  EXPECT_EQ(Describe(engine->Depth(kDead).status()), error);
  EXPECT_EQ(Describe(engine->Peek(kDead, 1).status()), error);
}

TEST_F(MessagesTest, ThatAreDeletedAreGoneForGood) {
  Send("a");
  const std::string handle = ReceiveHandle();
  EXPECT_EQ(Describe(Delete(handle)), "OK");
  EXPECT_EQ(Depth(), QueueDepth());
  EXPECT_EQ(Describe(Delete(handle)), "OK");
  Advance(absl::Hours(1));
  EXPECT_EQ(Receive().size(), 0);
}

TEST_F(MessagesTest, CanBeDeletedAfterTheirTimeoutButNotByAnOldHandle) {
  Send("a");
  const std::string old_handle = ReceiveHandle();
  Advance(absl::Seconds(30));
  const std::string new_handle = ReceiveHandle();
  EXPECT_NE(old_handle, new_handle);
  EXPECT_EQ(Describe(Delete(old_handle)), "OK");
  EXPECT_EQ(Depth().in_flight, 1);
  Advance(absl::Seconds(30));
  EXPECT_EQ(Describe(Delete(new_handle)), "OK");
  EXPECT_EQ(Depth(), QueueDepth());
}

TEST_F(MessagesTest, NeedAHandleOfTheirOwnQueue) {
  EXPECT_EQ(Describe(Delete("nonsense")),
            "ReceiptHandleIsInvalid: The input receipt handle \"nonsense\" is "
            "not a valid receipt handle.");
  Create(kDead);
  Send("a");
  const std::string handle = ReceiveHandle();
  EXPECT_TRUE(absl::StartsWith(Describe(Delete(handle, kDead)),
                               "ReceiptHandleIsInvalid"));
  EXPECT_TRUE(absl::StartsWith(Describe(Change("x", absl::ZeroDuration())),
                               "ReceiptHandleIsInvalid"));
  EXPECT_EQ(Depth().in_flight, 1);
}

TEST_F(MessagesTest, CanBeReleasedAndKeptLonger) {
  Send("a");
  EXPECT_EQ(Describe(Change(ReceiveHandle(), absl::ZeroDuration())), "OK");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  EXPECT_EQ(Describe(Change(ReceiveHandle(), absl::Seconds(100))), "OK");
  Advance(absl::Seconds(100) + kJustBefore);
  EXPECT_EQ(Receive().size(), 0);
  Advance(-kJustBefore);
  EXPECT_EQ(Receive().size(), 1);
}

TEST_F(MessagesTest, RefuseVisibilityChangesAsAwsDoes) {
  Send("a");
  const std::string handle = ReceiveHandle();
  EXPECT_EQ(Describe(Change(handle, absl::Seconds(43201))),
            "InvalidParameterValueException: Value 43201 for parameter "
            "VisibilityTimeout is invalid. Reason: Must be >= 0 and <= "
            "43200.");
  EXPECT_TRUE(absl::StartsWith(Describe(Change(handle, -absl::Seconds(1))),
                               "InvalidParameterValueException"));
  EXPECT_EQ(Describe(Change(handle, absl::Hours(12))), "OK");
  Advance(absl::Seconds(1));
  EXPECT_EQ(Describe(Change(handle, absl::Hours(12))),
            "InvalidParameterValueException: Value 43200 for parameter "
            "VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for "
            "the message is beyond the limit [43200 seconds]");
  EXPECT_EQ(Describe(Change(handle, absl::Hours(12) - absl::Seconds(1))), "OK");
  ASSERT_TRUE(Delete(handle).ok());
  EXPECT_TRUE(absl::EndsWith(Describe(Change(handle, absl::Seconds(1))),
                             "Reason: Message does not exist or is not "
                             "available for visibility timeout change."));
}

TEST_F(MessagesTest, AreKeptByAHeartbeatThatComesTooLate) {
  Send("a");
  const std::string handle = ReceiveHandle();
  Advance(absl::Seconds(31));
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  EXPECT_EQ(Describe(Change(handle, absl::Seconds(10))), "OK");
  EXPECT_EQ(Receive().size(), 0);
  Reopen();
  Advance(absl::Seconds(10) + kJustBefore);
  EXPECT_EQ(Receive().size(), 0);
  Advance(-kJustBefore);
  EXPECT_EQ(Receive().size(), 1);
}

TEST_F(MessagesTest, AreChangedByEarlierReceiversToo) {
  Send("a");
  const std::string old_handle = ReceiveHandle();
  Advance(absl::Seconds(30));
  ASSERT_EQ(Receive().size(), 1);
  EXPECT_EQ(Describe(Change(old_handle, absl::Seconds(40))), "OK");
  Advance(absl::Seconds(40) + kJustBefore);
  EXPECT_EQ(Depth(), (QueueDepth{.in_flight = 1}));
  EXPECT_EQ(Describe(Change(old_handle, absl::ZeroDuration())), "OK");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  // But only the last receiver deletes them.
  EXPECT_TRUE(Delete(old_handle).ok());
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
}

TEST_F(MessagesTest, ExpireWhereverTheyStand) {
  ASSERT_TRUE(Set(kOrders, {{"MessageRetentionPeriod", "60"}}).ok());
  Send("in flight");
  ASSERT_EQ(Receive({.visibility_timeout = absl::Hours(1)}).size(), 1);
  Send("visible");
  Send("delayed", absl::Seconds(900));
  Advance(absl::Seconds(60) + kJustBefore);
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .delayed = 1, .in_flight = 1}));
  Advance(-kJustBefore);
  EXPECT_EQ(Depth(), QueueDepth());
  Reopen();
  EXPECT_EQ(Depth(), QueueDepth());
  EXPECT_EQ(engine->NextDue(), absl::InfiniteFuture());
}

TEST_F(MessagesTest, ExpireAtOnceIfTheRetentionIsShortened) {
  Send("old");
  Advance(absl::Minutes(2));
  Send("new");
  ASSERT_TRUE(Set(kOrders, {{"MessageRetentionPeriod", "60"}}).ok());
  EXPECT_EQ(ReceiveBodies(), (Bodies{"new"}));
}

TEST_F(MessagesTest, InFlightAreLimited) {
  engine = std::make_unique<Engine>(*store, clock,
                                    EngineOptions{.max_in_flight = 3});
  ASSERT_TRUE(engine->Load().ok());
  for (int i = 0; i < 5; ++i) Send(absl::StrCat(i));
  EXPECT_EQ(Receive().size(), 3);
  EXPECT_TRUE(absl::StartsWith(ReceiveError({}), "OverLimit: "));
  Advance(absl::Seconds(30));
  EXPECT_EQ(Receive().size(), 3);
}

TEST_F(MessagesTest, SurviveReopening) {
  Send("visible");
  Send("delayed", absl::Seconds(60));
  Send("in flight");
  // "visible" comes first, so it is received and released again.
  std::vector<ReceivedMessage> received = Receive({.max_messages = 2});
  ASSERT_EQ(received.size(), 2);
  ASSERT_TRUE(Change(received[0].receipt_handle, absl::ZeroDuration()).ok());
  Advance(absl::Seconds(10));
  Reopen();
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .delayed = 1, .in_flight = 1}));
  EXPECT_EQ(engine->NextDue(), kStart + absl::Seconds(30));
  EXPECT_EQ(Describe(Delete(received[1].receipt_handle)), "OK");
  EXPECT_EQ(Depth().in_flight, 0);
  received = Receive();
  ASSERT_EQ(received.size(), 1);
  EXPECT_EQ(received[0].receives, 2);
  EXPECT_EQ(received[0].first_received_at, kStart);
  Advance(absl::Seconds(50));
  EXPECT_EQ(ReceiveBodies(), (Bodies{"visible", "delayed"}));
}

TEST_F(MessagesTest, StoredByAClockThatWasSetBackAreNotOutOfReach) {
  clock.AdvanceBy(absl::Hours(100));
  Send("a");
  Send("b");
  ASSERT_EQ(Receive({.max_messages = 1}).size(), 1);
  time::SimulatedClock earlier(kStart);
  Engine reopened(*store, earlier, {});
  ASSERT_TRUE(reopened.Load().ok());
  EXPECT_EQ(reopened.Depth(kOrders)->visible, 0);
  earlier.AdvanceBy(absl::Minutes(15));
  EXPECT_EQ(reopened.Depth(kOrders)->visible, 1);
  earlier.AdvanceBy(absl::Hours(12));
  EXPECT_EQ(reopened.Depth(kOrders)->visible, 2);
}

TEST_F(MessagesTest, CanBeLookedAtWithoutBeingReceived) {
  Send("a");
  Send("b", absl::Seconds(5));
  const absl::StatusOr<std::vector<PeekedMessage>> peeked =
      engine->Peek(kOrders, 10);
  ASSERT_TRUE(peeked.ok()) << peeked.status();
  ASSERT_EQ(peeked->size(), 2);
  EXPECT_EQ((*peeked)[0].message.content.body, "a");
  EXPECT_EQ((*peeked)[0].receives, 0);
  EXPECT_EQ((*peeked)[1].place, Message::Place::kDelayed);
  EXPECT_EQ((*peeked)[1].available_at, kStart + absl::Seconds(5));
  EXPECT_EQ(engine->Peek(kOrders, 1)->size(), 1);
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .delayed = 1}));
}

TEST_F(MessagesTest, InBatchesAreSentOneByOne) {
  const absl::StatusOr<BatchResult<SendMessageResult>> results =
      engine->SendMessageBatch(
          {.queue = kOrders,
           .entries = {
               {"good", Prepared({.body = "a"})},
               {"bad", absl::InvalidArgumentError("bad")},
               {"later", Prepared({.body = "b", .delay = absl::Seconds(5)})}}});
  ASSERT_TRUE(results.ok()) << results.status();
  Commit();
  ASSERT_EQ(results->size(), 3);
  EXPECT_TRUE((*results)[0].value.ok());
  EXPECT_FALSE((*results)[1].value.ok());
  EXPECT_EQ((*results)[2].id, "later");
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .delayed = 1}));
}

TEST_F(MessagesTest, InBatchesFollowTheRulesOfBatches) {
  const auto send = [&](std::vector<std::string> ids, std::string body = "x") {
    SendMessageBatchRequest request{.queue = kOrders};
    for (const std::string& id : ids) {
      request.entries.push_back({id, Prepared({.body = body})});
    }
    return Describe(engine->SendMessageBatch(request).status());
  };
  EXPECT_EQ(send({}),
            "EmptyBatchRequest: There should be at least one "
            "SendMessageBatchRequestEntry in the request.");
  EXPECT_EQ(send(Bodies(11, "a")),
            "TooManyEntriesInBatchRequest: Maximum number of entries per "
            "request are 10. You have sent 11.");
  for (const std::string& bad :
       {std::string(), std::string("a:b"), std::string(81, 'a')}) {
    EXPECT_EQ(send({bad}),
              "InvalidBatchEntryId: A batch entry id can only contain "
              "alphanumeric characters, hyphens and underscores. It can be at "
              "most 80 letters long.");
  }
  EXPECT_EQ(send({"a", "b", "a"}), "BatchEntryIdsNotDistinct: Id a repeated.");
  EXPECT_EQ(send({"a", "b"}, std::string(524289, 'x')),
            "BatchRequestTooLong: Batch requests cannot be longer than 1048576 "
            "bytes. You have sent 1048578 bytes.");
  EXPECT_EQ(send({"a", "b"}, std::string(524288, 'x')), "OK");
}

TEST_F(MessagesTest, InBatchesAreDeletedAndChangedOneByOne) {
  Send("a");
  Send("b");
  const std::vector<ReceivedMessage> received = Receive();
  ASSERT_EQ(received.size(), 2);
  const auto changed = engine->ChangeMessageVisibilityBatch(
      {.queue = kOrders,
       .entries = {{"1", VisibilityChange{received[0].receipt_handle,
                                          absl::ZeroDuration()}},
                   {"2", VisibilityChange{"bad", absl::ZeroDuration()}}}});
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE((*changed)[0].value.ok());
  EXPECT_FALSE((*changed)[1].value.ok());
  Commit();
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1, .in_flight = 1}));
  const auto deleted = engine->DeleteMessageBatch(
      {.queue = kOrders,
       .entries = {{"1", received[0].receipt_handle},
                   {"2", std::string("bad")},
                   {"3", received[1].receipt_handle}}});
  ASSERT_TRUE(deleted.ok()) << deleted.status();
  EXPECT_FALSE((*deleted)[1].value.ok());
  Commit();
  EXPECT_EQ(Depth(), QueueDepth());
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine->DeleteMessageBatch({.queue = kOrders}).status()),
      "EmptyBatchRequest"));
  EXPECT_TRUE(absl::StartsWith(
      Describe(
          engine->ChangeMessageVisibilityBatch({.queue = kOrders}).status()),
      "EmptyBatchRequest"));
}

}  // namespace
}  // namespace byoshin::local::sqs
