// FIFO queues: order within groups, deduplication, receipts, attempts to
// receive again, dead letters. Where a test names an order between groups, it
// is the one that AWS was seen to have.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/keys.h"
#include "local/sqs/message.h"
#include "local/sqs/testing/engine_fixture.h"

namespace byoshin::local::sqs {
namespace {

using Bodies = std::vector<std::string>;

const QueueAddress kFifo{.region = "eu-west-1", .name = "orders.fifo"};
const QueueAddress kDeadFifo{.region = "eu-west-1", .name = "dead.fifo"};
constexpr char kFifoArn[] = "arn:aws:sqs:eu-west-1:000000000000:orders.fifo";
constexpr char kDeadFifoArn[] = "arn:aws:sqs:eu-west-1:000000000000:dead.fifo";
constexpr absl::Duration kOneSecond = absl::Seconds(1);

class FifoTest : public EngineFixture {
 public:
  FifoTest() {
    Create(kFifo,
           {{"FifoQueue", "true"}, {"ContentBasedDeduplication", "true"}});
  }

  absl::StatusOr<SendMessageResult> TryPost(const NewMessage& message) {
    absl::StatusOr<PreparedMessage> prepared = Prepare(message, "000000000000");
    if (!prepared.ok()) return prepared.status();
    absl::StatusOr<SendMessageResult> sent =
        engine->SendMessage({.queue = kFifo, .message = *prepared});
    Commit();
    return sent;
  }
  // "g1-m2" is sent to the group "g1".
  SendMessageResult Post(const std::string& body) {
    absl::StatusOr<SendMessageResult> sent =
        TryPost({.body = body, .group_id = body.substr(0, body.find('-'))});
    EXPECT_EQ(Describe(sent.status()), "OK");
    return sent.value_or(SendMessageResult());
  }
  void PostAll(const Bodies& bodies) {
    for (const std::string& body : bodies) Post(body);
  }
  std::vector<ReceivedMessage> Get(int most = 10) {
    return Receive({.queue = kFifo, .max_messages = most});
  }
  Bodies GetBodies(int most = 10) {
    return ReceiveBodies({.queue = kFifo, .max_messages = most});
  }
  Bodies LookAtBodies(int most = 10) {
    return ReceiveBodies({.queue = kFifo,
                          .max_messages = most,
                          .visibility_timeout = absl::ZeroDuration()});
  }
  void DeleteAll(const std::vector<ReceivedMessage>& messages) {
    for (const ReceivedMessage& message : messages) {
      EXPECT_EQ(Describe(Delete(message.receipt_handle, kFifo)), "OK");
    }
  }
  void AddDeadLetterQueue() {
    Create(kDeadFifo, {{"FifoQueue", "true"}});
    EXPECT_EQ(
        Describe(Set(kFifo,
                     {{"RedrivePolicy",
                       absl::StrCat(R"({"deadLetterTargetArn":")", kDeadFifoArn,
                                    R"(","maxReceiveCount":1})")}})),
        "OK");
  }
};

TEST_F(FifoTest, ReturnsAsManyMessagesOfAGroupAsPossible) {
  PostAll({"g1-m1", "g2-m1", "g1-m2", "g1-m3"});
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m1", "g1-m2", "g1-m3", "g2-m1"}));
}

TEST_F(FifoTest, HoldsAGroupBackWhileAMessageOfItIsInFlight) {
  PostAll({"g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g3-m1"});
  EXPECT_EQ(GetBodies(2), (Bodies{"g1-m1", "g1-m2"}));
  Advance(kOneSecond);
  EXPECT_EQ(GetBodies(1), (Bodies{"g2-m1"}));
  EXPECT_EQ(Depth(kFifo), (QueueDepth{.visible = 3, .in_flight = 3}));
  Advance(absl::Seconds(30));
  EXPECT_EQ(LookAtBodies(),
            (Bodies{"g3-m1", "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1"}));
}

TEST_F(FifoTest, ReceivesGroupsInTurnIfThereIsNoTimeout) {
  PostAll({"g1-m1", "g2-m1", "g2-m2", "g3-m1", "g1-m2"});
  Advance(kOneSecond);
  EXPECT_EQ(LookAtBodies(3), (Bodies{"g1-m1", "g1-m2", "g2-m1"}));
  EXPECT_EQ(LookAtBodies(),
            (Bodies{"g3-m1", "g1-m1", "g1-m2", "g2-m1", "g2-m2"}));
}

TEST_F(FifoTest, ReleasesOnlyTheMessageWhoseTimeoutIsEnded) {
  PostAll({"g1-m1", "g1-m2", "g2-m1"});
  const std::vector<ReceivedMessage> received = Get(2);
  Advance(kOneSecond);
  ASSERT_EQ(
      Describe(Change(received[0].receipt_handle, absl::ZeroDuration(), kFifo)),
      "OK");
  EXPECT_EQ(GetBodies(3), (Bodies{"g2-m1", "g1-m1"}));
}

TEST_F(FifoTest, DoesNotReturnAMessageBeforeAnEarlierOneThatIsInFlight) {
  PostAll({"g1-m1", "g1-m2"});
  const std::vector<ReceivedMessage> received = Get();
  ASSERT_EQ(
      Describe(Change(received[1].receipt_handle, absl::ZeroDuration(), kFifo)),
      "OK");
  EXPECT_EQ(GetBodies(), Bodies{});
  DeleteAll({received[0]});
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m2"}));
}

TEST_F(FifoTest, ContinuesAGroupWhenAllThatWasReceivedIsDeleted) {
  PostAll({"g1-m1", "g2-m1", "g1-m2", "g2-m2", "g1-m3", "g1-m4", "g3-m1"});
  DeleteAll(Get(2));
  EXPECT_EQ(GetBodies(), (Bodies{"g2-m1", "g2-m2", "g1-m3", "g1-m4", "g3-m1"}));
}

TEST_F(FifoTest, HoldsAGroupBackUntilAllThatWasReceivedIsDeleted) {
  PostAll({"g1-m1", "g2-m1", "g1-m2", "g2-m2", "g1-m3", "g3-m1"});
  DeleteAll({Get(2)[0]});
  EXPECT_EQ(GetBodies(), (Bodies{"g2-m1", "g2-m2", "g3-m1"}));
}

TEST_F(FifoTest, AnswersWhoWaitsWhenAGroupIsReleased) {
  PostAll({"g1-m1", "g1-m2"});
  const std::vector<ReceivedMessage> first = Get(1);
  Bodies waited;
  engine->ReceiveMessage({.queue = kFifo, .wait = absl::Seconds(20)},
                         [&](const ReceiveResult& result) {
                           ASSERT_TRUE(result.ok()) << result.status();
                           for (const ReceivedMessage& message : *result) {
                             waited.push_back(message.message.content.body);
                           }
                         });
  Commit();
  EXPECT_EQ(waited, Bodies{});
  DeleteAll(first);
  EXPECT_EQ(waited, (Bodies{"g1-m2"}));
}

TEST_F(FifoTest, NumbersMessagesWithTwentyDigits) {
  const std::string first = Post("g1-m1").sequence_number;
  const std::string second = Post("g1-m2").sequence_number;
  EXPECT_EQ(first.size(), 20);
  EXPECT_EQ(second.size(), 20);
  EXPECT_LT(first, second);
  const std::vector<ReceivedMessage> received = Get();
  EXPECT_EQ(FormatSequenceNumber(received[1].message.header.sequence), second);
  DeleteAll(received);
  // Even if nothing is left that has a number, and the clock is set back.
  Advance(absl::Minutes(6));
  const time::SimulatedClock earlier(kStart - absl::Hours(1));
  engine = std::make_unique<Engine>(*store, earlier, EngineOptions{});
  ASSERT_TRUE(engine->Load().ok());
  EXPECT_LT(second, Post("g1-m3").sequence_number);
}

TEST_F(FifoTest, AcceptsARepeatedMessageOnceWithinFiveMinutes) {
  const SendMessageResult first = Post("g1-m1");
  DeleteAll(Get());
  Advance(absl::Minutes(5) - absl::Milliseconds(1));
  Reopen();
  const SendMessageResult again = Post("g1-m1");
  EXPECT_EQ(again.message_id, first.message_id);
  EXPECT_EQ(again.sequence_number, first.sequence_number);
  EXPECT_EQ(again.md5_of_body, first.md5_of_body);
  EXPECT_EQ(GetBodies(), Bodies{});
  Advance(absl::Milliseconds(1));
  EXPECT_NE(Post("g1-m1").message_id, first.message_id);
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m1"}));
}

TEST_F(FifoTest, TakesTheGivenIdBeforeThatOfTheContent) {
  const auto post = [&](const std::string& body, const std::string& group,
                        const std::string& id) {
    EXPECT_TRUE(
        TryPost({.body = body, .group_id = group, .deduplication_id = id})
            .ok());
  };
  post("same", "a", "1");
  post("same", "a", "2");
  post("other", "b", "1");  // of the whole queue
  EXPECT_EQ(GetBodies(), (Bodies{"same", "same"}));
}

TEST_F(FifoTest, DeduplicatesWithinAGroupIfThatIsTheScope) {
  EXPECT_EQ(
      Describe(Set(kFifo, {{"FifoThroughputLimit", "perMessageGroupId"}})),
      "InvalidAttributeValue: Invalid value for the parameter "
      "FifoThroughputLimit. Reason: The value perMessageGroupId is "
      "allowed only when DeduplicationScope is messageGroup.");
  ASSERT_EQ(
      Describe(Set(kFifo, {{"DeduplicationScope", "messageGroup"},
                           {"FifoThroughputLimit", "perMessageGroupId"}})),
      "OK");
  for (const char* group : {"a", "b", "a"}) {
    EXPECT_TRUE(TryPost({.body = "x", .group_id = group}).ok());
  }
  EXPECT_EQ(GetBodies(), (Bodies{"x", "x"}));
}

TEST_F(FifoTest, ForgetsIdsWhenItIsPurged) {
  Post("g1-m1");
  ASSERT_TRUE(engine->PurgeQueue(kFifo).ok());
  Commit();
  Reopen();
  Post("g1-m1");
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m1"}));
}

TEST_F(FifoTest, KeepsNothingOfWhatIsOver) {
  Post("g1-m1");
  DeleteAll(Get());
  Advance(absl::Minutes(5));
  EXPECT_EQ(engine->NextDue(), absl::InfiniteFuture());
}

TEST_F(FifoTest, RefusesMessagesAsAwsDoes) {
  EXPECT_EQ(Describe(TryPost({.body = "x"}).status()),
            "MissingRequiredParameterException: The request must contain the "
            "parameter MessageGroupId.");
  EXPECT_EQ(Describe(TryPost({.body = "x", .group_id = ""}).status()),
            "InvalidParameterValueException: Value  for parameter "
            "MessageGroupId is invalid. Reason: MessageGroupId can only "
            "include alphanumeric and punctuation characters. 1 to 128 in "
            "length.");
  EXPECT_EQ(
      Describe(
          TryPost({.body = "x", .delay = absl::Seconds(2), .group_id = "g"})
              .status()),
      "InvalidParameterValueException: Value 2 for parameter "
      "DelaySeconds is invalid. Reason: The request include parameter "
      "that is not valid for this queue type.");
  EXPECT_EQ(
      Describe(
          TryPost({.body = "x", .delay = absl::ZeroDuration(), .group_id = "g"})
              .status()),
      "OK");
  ASSERT_TRUE(Set(kFifo, {{"ContentBasedDeduplication", "false"}}).ok());
  EXPECT_EQ(Describe(TryPost({.body = "y", .group_id = "g"}).status()),
            "InvalidParameterValueException: The queue should either have "
            "ContentBasedDeduplication enabled or MessageDeduplicationId "
            "provided explicitly");
}

TEST_F(FifoTest, RefusesAWholeBatchForAMessageWithoutGroupOrId) {
  const auto send = [&](const NewMessage& second) {
    SendMessageBatchRequest request{.queue = kFifo};
    request.entries.push_back(
        {"1",
         Prepared({.body = "x", .group_id = "g", .deduplication_id = "1"})});
    request.entries.push_back({"2", Prepared(second)});
    const std::string error =
        Describe(engine->SendMessageBatch(request).status());
    Commit();
    return error;
  };
  ASSERT_TRUE(Set(kFifo, {{"ContentBasedDeduplication", "false"}}).ok());
  EXPECT_EQ(send({.body = "y", .deduplication_id = "2"}),
            "InvalidParameterValueException: The request must contain the "
            "parameter MessageGroupId.");
  EXPECT_EQ(send({.body = "y", .group_id = "g"}),
            "InvalidParameterValueException: The queue should either have "
            "ContentBasedDeduplication enabled or MessageDeduplicationId "
            "provided explicitly");
  EXPECT_EQ(GetBodies(), Bodies{});
  EXPECT_EQ(send({.body = "y", .group_id = "g", .deduplication_id = "1"}),
            "OK");
  EXPECT_EQ(GetBodies(), (Bodies{"x"}));
}

TEST_F(FifoTest, RefusesExpiredReceiptHandles) {
  Post("g1-m1");
  const std::string old_handle = Get()[0].receipt_handle;
  const std::string expired =
      absl::StrCat("InvalidParameterValueException: Value ", old_handle,
                   " for parameter ReceiptHandle is invalid. Reason: The "
                   "receipt handle has expired.");
  Advance(absl::Seconds(30));
  EXPECT_EQ(Describe(Delete(old_handle, kFifo)), expired);
  EXPECT_EQ(Describe(Change(old_handle, kOneSecond, kFifo)), expired);
  const std::string handle = Get()[0].receipt_handle;
  EXPECT_EQ(Describe(Delete(old_handle, kFifo)), expired);
  const absl::StatusOr<BatchResult<Nothing>> batch = engine->DeleteMessageBatch(
      {.queue = kFifo, .entries = {{"1", old_handle}}});
  ASSERT_TRUE(batch.ok()) << batch.status();
  EXPECT_EQ(Describe((*batch)[0].value.status()),
            "ReceiptHandleIsInvalid: The receipt handle has expired");
  EXPECT_EQ(Describe(Delete(handle, kFifo)), "OK");
  EXPECT_EQ(Describe(Delete(handle, kFifo)), "OK");
}

TEST_F(FifoTest, AppliesANewDelayToDelayedMessages) {
  ASSERT_TRUE(Set(kFifo, {{"DelaySeconds", "100"}}).ok());
  PostAll({"g1-m1", "g1-m2"});
  EXPECT_EQ(Depth(kFifo), (QueueDepth{.delayed = 2}));
  Advance(absl::Seconds(10));
  ASSERT_TRUE(Set(kFifo, {{"DelaySeconds", "11"}}).ok());
  Reopen();
  EXPECT_EQ(GetBodies(), Bodies{});
  Advance(absl::Seconds(1));
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m1", "g1-m2"}));
}

TEST_F(FifoTest, ReturnsNothingWhenTooManyAreInFlight) {
  engine = std::make_unique<Engine>(*store, clock,
                                    EngineOptions{.max_in_flight = 2});
  ASSERT_TRUE(engine->Load().ok());
  PostAll({"g1-m1", "g2-m1", "g3-m1"});
  const std::vector<ReceivedMessage> received = Get();
  EXPECT_EQ(received.size(), 2);
  EXPECT_EQ(GetBodies(), Bodies{});
  DeleteAll(received);
  EXPECT_EQ(GetBodies(), (Bodies{"g3-m1"}));
}

TEST_F(FifoTest, MovesDeadLettersInOrderWithANewAge) {
  AddDeadLetterQueue();
  PostAll({"g1-m1", "g1-m2"});
  Get();
  Advance(absl::Seconds(30));
  PostAll({"g1-m3"});
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m3"}));
  const std::vector<ReceivedMessage> dead = Receive({.queue = kDeadFifo});
  ASSERT_EQ(dead.size(), 2);
  EXPECT_EQ(dead[0].message.content.body, "g1-m1");
  EXPECT_EQ(dead[1].message.content.body, "g1-m2");
  EXPECT_EQ(dead[0].message.content.group_id, "g1");
  EXPECT_EQ(dead[0].message.header.sent_at, kStart + absl::Seconds(30));
  EXPECT_EQ(dead[0].message.header.dead_letter_source, kFifoArn);
  EXPECT_EQ(dead[0].message.header.deduplication_id.size(), 64);
  EXPECT_LT(dead[0].message.header.sequence, dead[1].message.header.sequence);
}

TEST_F(FifoTest, MovesDeadLettersBackInOrder) {
  AddDeadLetterQueue();
  PostAll({"g1-m1", "g2-m1", "g1-m2", "g1-m3"});
  Get();
  Advance(absl::Seconds(30));
  EXPECT_EQ(GetBodies(), Bodies{});
  ASSERT_EQ(Describe(Set(kFifo, {{"RedrivePolicy",
                                  absl::StrCat(R"({"deadLetterTargetArn":")",
                                               kDeadFifoArn,
                                               R"(","maxReceiveCount":9})")}})),
            "OK");
  ASSERT_TRUE(engine->StartMessageMoveTask({.source_arn = kDeadFifoArn}).ok());
  Commit();
  Advance(kOneSecond);
  EXPECT_EQ(GetBodies(), (Bodies{"g1-m1", "g1-m2", "g1-m3", "g2-m1"}));
}

TEST_F(FifoTest, OnlyQueuesOfTheSameTypeTakeItsDeadLetters) {
  AddDeadLetterQueue();
  Create(kDead);
  Create(kOrders);
  const auto policy = [](absl::string_view arn) {
    return absl::StrCat(R"({"deadLetterTargetArn":")", arn,
                        R"(","maxReceiveCount":1})");
  };
  const std::string reason =
      "Reason: Dead-letter queue must be same type of queue as the source.";
  EXPECT_TRUE(absl::EndsWith(
      Describe(Set(kFifo, {{"RedrivePolicy", policy(kDeadArn)}})), reason));
  EXPECT_TRUE(absl::EndsWith(
      Describe(Set(kOrders, {{"RedrivePolicy", policy(kDeadFifoArn)}})),
      reason));
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine
                   ->StartMessageMoveTask({.source_arn = kDeadFifoArn,
                                           .destination_arn = kOrdersArn})
                   .status()),
      "InvalidParameterValueException: "));
}

TEST_F(FifoTest, IsCreatedUnderItsOwnNameOnly) {
  const auto error = [&](const std::string& name, const StringMap& attributes) {
    return Describe(
        TryCreate({.region = "eu-west-1", .name = name}, attributes));
  };
  const std::string fifo_name =
      "InvalidParameterValueException: The name of a FIFO queue can only "
      "include alphanumeric characters, hyphens, or underscores, must end with "
      ".fifo suffix and be 1 to 80 in length";
  EXPECT_EQ(error("plain", {{"FifoQueue", "true"}}), fifo_name);
  EXPECT_EQ(error(".fifo", {{"FifoQueue", "true"}}), fifo_name);
  EXPECT_EQ(error(std::string(76, 'x') + ".fifo", {{"FifoQueue", "true"}}),
            fifo_name);
  EXPECT_EQ(error(std::string(75, 'x') + ".fifo", {{"FifoQueue", "true"}}),
            "OK");
  EXPECT_EQ(error("new.fifo", {}),
            "InvalidParameterValueException: Can only include alphanumeric "
            "characters, hyphens, or underscores. 1 to 80 in length");
  EXPECT_EQ(error("orders.fifo", {{"FifoQueue", "true"},
                                  {"ContentBasedDeduplication", "true"}}),
            "OK");
  EXPECT_EQ(error("orders.fifo", {{"FifoQueue", "true"},
                                  {"ContentBasedDeduplication", "false"}}),
            "QueueNameExists: A queue already exists with the same name and a "
            "different value for attribute ContentBasedDeduplication");
}

TEST_F(FifoTest, HasAttributesThatStayAndATypeThatStays) {
  Reopen();
  EXPECT_EQ(Attribute(kFifo, "FifoQueue"), "true");
  EXPECT_EQ(Attribute(kFifo, "ContentBasedDeduplication"), "true");
  EXPECT_EQ(Attribute(kFifo, "DeduplicationScope"), "queue");
  EXPECT_EQ(Attribute(kFifo, "FifoThroughputLimit"), "perQueue");
  EXPECT_EQ(Describe(Set(kFifo, {{"FifoQueue", "true"}})), "OK");
  EXPECT_EQ(Describe(Set(kFifo, {{"FifoQueue", "false"}})),
            "InvalidAttributeValue: Invalid value for the parameter FifoQueue. "
            "Reason: Modifying queue type is not supported.");
  EXPECT_EQ(Describe(Set(kFifo, {{"DeduplicationScope", "x"}})),
            "InvalidAttributeValue: Invalid value for the parameter "
            "DeduplicationScope.");
  Create(kOrders);
  EXPECT_EQ(Attribute(kOrders, "FifoQueue"), "(none)");
  EXPECT_EQ(Describe(Set(kOrders, {{"FifoQueue", "true"}})),
            "InvalidAttributeName: Unknown Attribute FifoQueue.");
  EXPECT_EQ(Describe(Set(kOrders, {{"DeduplicationScope", "queue"}})),
            "InvalidAttributeName: You can specify the DeduplicationScope only "
            "when FifoQueue is set to true.");
}

TEST_F(FifoTest, NoticesDamageInTheStore) {
  const SendMessageResult sent = Post("g1-m1");
  for (const absl::string_view prefix : {kAcceptedPrefix, kAttemptPrefix}) {
    // Of this queue, and of none.
    for (const uint64_t queue : {1, 99}) {
      const std::string key = Key(prefix, queue, 7);
      ASSERT_TRUE(store->Put(key, "short").ok());
      Engine damaged(*store, clock, {});
      EXPECT_TRUE(absl::IsDataLoss(damaged.Load())) << prefix << queue;
      ASSERT_TRUE(store->Delete(key).ok());
    }
  }
  Reopen();
  EXPECT_EQ(Post("g1-m1").message_id, sent.message_id);
}

class AttemptTest : public FifoTest {
 public:
  ReceiveResult Try(const std::string& id, const QueueAddress& queue = kFifo) {
    ReceiveResult result = absl::UnknownError("no answer");
    engine->ReceiveMessage(
        {.queue = queue, .max_messages = 2, .attempt_id = id},
        [&](const ReceiveResult& answer) { result = answer; });
    Commit();
    return result;
  }
};

TEST_F(AttemptTest, ReturnsTheSameMessagesForTheSameId) {
  PostAll({"g1-m1", "g1-m2", "g1-m3", "g2-m1"});
  const ReceiveResult first = Try("1");
  ASSERT_TRUE(first.ok() && first->size() == 2);
  Advance(absl::Seconds(20));
  Reopen();
  const ReceiveResult again = Try("1");
  ASSERT_TRUE(again.ok() && again->size() == 2) << again.status();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ((*again)[i].receipt_handle, (*first)[i].receipt_handle);
    EXPECT_EQ((*again)[i].receives, 1);
  }
  // It started the visibility timeout anew.
  Advance(absl::Seconds(20));
  EXPECT_EQ(GetBodies(), (Bodies{"g2-m1"}));
  DeleteAll(*first);
  const ReceiveResult deleted = Try("1");
  EXPECT_EQ(Describe(deleted.status()),
            "InvalidParameterValueException: Value 1 for parameter "
            "ReceiveRequestAttemptId is invalid. Reason: The "
            "receiveRequestAttemptId is not valid anymore since the receive "
            "call is not retryable.");
}

TEST_F(AttemptTest, ReceivesAnewAfterTheTimeout) {
  PostAll({"g1-m1"});
  const ReceiveResult first = Try("1");
  ASSERT_TRUE(first.ok() && first->size() == 1);
  Advance(absl::Seconds(30));
  const ReceiveResult again = Try("1");
  ASSERT_TRUE(again.ok() && again->size() == 1);
  EXPECT_NE((*again)[0].receipt_handle, (*first)[0].receipt_handle);
  EXPECT_EQ((*again)[0].receives, 2);
}

TEST_F(AttemptTest, IsForFifoQueuesOnly) {
  Create(kOrders);
  EXPECT_EQ(Describe(Try("1", kOrders).status()),
            "InvalidParameterValueException: Value 1 for parameter "
            "ReceiveRequestAttemptId is invalid. Reason: The request includes "
            "a parameter that is not valid for this queue type.");
}

}  // namespace
}  // namespace byoshin::local::sqs
