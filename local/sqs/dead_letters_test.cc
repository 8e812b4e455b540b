// Redrive policies, dead-letter queues, and moving messages back.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/keys.h"
#include "local/sqs/testing/engine_fixture.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

using Bodies = std::vector<std::string>;

std::string Redrive(absl::string_view arn, absl::string_view count) {
  return absl::StrCat(R"({"deadLetterTargetArn":")", arn,
                      R"(","maxReceiveCount":)", count, "}");
}

class DeadLettersTest : public EngineFixture {
 public:
  DeadLettersTest() {
    Create(kDead);
    Create(kOrders, {{"RedrivePolicy", Redrive(kDeadArn, "2")}});
  }

  // Receives all there is and lets it time out, `times` times.
  void ReceiveInVain(int times) {
    for (int i = 0; i < times; ++i) {
      Receive();
      Advance(absl::Seconds(30));
    }
  }
  // Makes dead letters of messages with these bodies.
  void Kill(const Bodies& bodies) {
    for (const std::string& body : bodies) Send(body);
    ReceiveInVain(2);
    EXPECT_EQ(Receive().size(), 0);
  }

  std::string PolicyError(const std::string& policy) {
    return Describe(Set(kOrders, {{"RedrivePolicy", policy}}));
  }

  absl::StatusOr<std::string> Start(
      const StartMessageMoveTaskRequest& request) {
    absl::StatusOr<std::string> handle = engine->StartMessageMoveTask(request);
    Commit();
    return handle;
  }
  MoveTask Newest() {
    const auto tasks = engine->ListMessageMoveTasks({.source_arn = kDeadArn});
    return tasks.ok() && !tasks->empty() ? (*tasks)[0] : MoveTask();
  }
};

TEST_F(DeadLettersTest, AreMovedWhenReceivedTooOften) {
  const std::string id = Send("a");
  Advance(absl::Seconds(1));
  ReceiveInVain(2);
  // It moves when it would be received once more, not before.
  EXPECT_EQ(Depth(), (QueueDepth{.visible = 1}));
  EXPECT_EQ(Receive().size(), 0);
  EXPECT_EQ(Depth(), QueueDepth());
  EXPECT_EQ(Depth(kDead), (QueueDepth{.visible = 1}));

  const std::vector<ReceivedMessage> dead = Receive({.queue = kDead});
  ASSERT_EQ(dead.size(), 1);
  EXPECT_EQ(dead[0].message.header.id, id);
  EXPECT_EQ(dead[0].message.header.dead_letter_source, kOrdersArn);
  EXPECT_EQ(dead[0].message.content.body, "a");
  // Its age and count go on.
  EXPECT_EQ(dead[0].message.header.sent_at, kStart);
  EXPECT_EQ(dead[0].receives, 3);
  EXPECT_EQ(dead[0].first_received_at, kStart + absl::Seconds(1));
}

TEST_F(DeadLettersTest, LetOthersThrough) {
  Send("bad");
  ReceiveInVain(2);
  Send("good");
  EXPECT_EQ(ReceiveBodies({.max_messages = 1}), (Bodies{"good"}));
}

TEST_F(DeadLettersTest, CanStillBeDeletedBeforeTheyMove) {
  Send("a");
  ReceiveInVain(1);
  const std::vector<ReceivedMessage> last = Receive();
  ASSERT_EQ(last.size(), 1);
  Advance(absl::Seconds(30));
  EXPECT_TRUE(Delete(last[0].receipt_handle).ok());
  Receive();
  EXPECT_EQ(Depth(kDead), QueueDepth());
}

TEST_F(DeadLettersTest, StayIfThereIsNowhereToGo) {
  Send("a");
  ReceiveInVain(2);
  ASSERT_TRUE(engine->DeleteQueue(kDead).ok());
  Commit();
  EXPECT_EQ(ReceiveBodies(), (Bodies{"a"}));
}

TEST_F(DeadLettersTest, SurviveReopening) {
  Kill({"a"});
  Reopen();
  const std::vector<ReceivedMessage> dead = Receive({.queue = kDead});
  ASSERT_EQ(dead.size(), 1);
  EXPECT_EQ(dead[0].receives, 3);
  EXPECT_EQ(dead[0].message.header.dead_letter_source, kOrdersArn);
}

TEST_F(DeadLettersTest, KeepTheirAgeTowardsRetention) {
  Kill({"a"});
  ASSERT_TRUE(Set(kDead, {{"MessageRetentionPeriod", "100"}}).ok());
  Advance(absl::Seconds(39));
  EXPECT_EQ(Depth(kDead).visible, 1);
  Advance(absl::Seconds(1));
  EXPECT_EQ(Depth(kDead), QueueDepth());
}

TEST_F(DeadLettersTest, CountEachQueueAloneInAChain) {
  const QueueAddress last{.region = "eu-west-1", .name = "last"};
  Create(last);
  ASSERT_TRUE(
      Set(kDead, {{"RedrivePolicy",
                   Redrive("arn:aws:sqs:eu-west-1:000000000000:last", "1")}})
          .ok());
  Kill({"a"});
  EXPECT_EQ(ReceiveBodies({.queue = kDead}), (Bodies{"a"}));
  Advance(absl::Seconds(30));
  EXPECT_EQ(Receive({.queue = kDead}).size(), 0);
  EXPECT_EQ(ReceiveBodies({.queue = last}), (Bodies{"a"}));
}

TEST_F(DeadLettersTest, PoliciesAreChecked) {
  const std::string dummy =
      R"({"deadLetterTargetArn":"dummy","maxReceiveCount":42})";
  EXPECT_EQ(PolicyError(dummy),
            absl::StrCat("InvalidParameterValueException: Value ", dummy,
                         " for parameter RedrivePolicy is invalid. Reason: "
                         "Invalid value for deadLetterTargetArn."));
  EXPECT_TRUE(absl::EndsWith(PolicyError("x"), "not a valid JSON map."));
  EXPECT_TRUE(absl::EndsWith(PolicyError("[]"), "not a valid JSON map."));
  EXPECT_TRUE(absl::EndsWith(PolicyError("{}"),
                             "mandatory attribute: deadLetterTargetArn."));
  EXPECT_TRUE(absl::EndsWith(
      PolicyError(absl::StrCat(R"({"deadLetterTargetArn":")", kDeadArn, "\"}")),
      "mandatory attribute: maxReceiveCount."));
  for (const char* count : {"0", "1001", "-36", "1.5", "\"x\"", "null"}) {
    EXPECT_TRUE(absl::StrContains(PolicyError(Redrive(kDeadArn, count)),
                                  "Invalid value for maxReceiveCount: "))
        << count;
  }
  EXPECT_TRUE(absl::EndsWith(
      PolicyError(Redrive("arn:aws:sqs:eu-west-1:000000000000:none", "1")),
      "Dead letter target does not exist."));
  EXPECT_TRUE(absl::StrContains(
      PolicyError(Redrive("arn:aws:sqs:us-east-1:000000000000:dead", "1")),
      "same region"));
  EXPECT_EQ(PolicyError(""), "OK");
  EXPECT_EQ(Attribute(kOrders, "RedrivePolicy"), "(none)");
  EXPECT_EQ(PolicyError(Redrive(kDeadArn, "\"1000\"")), "OK");
}

TEST_F(DeadLettersTest, StayInAQueueThatIsItsOwnTarget) {
  EXPECT_EQ(PolicyError(Redrive(kOrdersArn, "1")), "OK");
  Send("a");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Receive().size(), 1);
    Advance(absl::Seconds(30));
  }
  const absl::StatusOr<QueueList> sources =
      engine->ListDeadLetterSourceQueues({.queue = kOrders});
  ASSERT_TRUE(sources.ok()) << sources.status();
  EXPECT_EQ(sources->queues, std::vector<QueueAddress>{kOrders});
  // It must be there first.
  const QueueAddress own{.region = kOrders.region, .name = "own"};
  EXPECT_TRUE(absl::EndsWith(
      Describe(TryCreate(
          own, {{"RedrivePolicy",
                 Redrive("arn:aws:sqs:eu-west-1:000000000000:own", "1")}})),
      "Dead letter target does not exist."));
}

TEST_F(DeadLettersTest, AllowPoliciesAreCheckedAndObeyed) {
  const auto allow = [&](const std::string& policy) {
    return Describe(Set(kDead, {{"RedriveAllowPolicy", policy}}));
  };
  for (const char* bad :
       {"x", "{}", R"({"redrivePermission":"some"})",
        R"({"redrivePermission":"byQueue"})",
        R"({"redrivePermission":"byQueue","sourceQueueArns":[]})",
        R"({"redrivePermission":"byQueue","sourceQueueArns":[1]})",
        R"({"redrivePermission":"denyAll","sourceQueueArns":["a"]})"}) {
    EXPECT_TRUE(absl::StartsWith(allow(bad), "InvalidParameterValueException"))
        << bad;
  }
  EXPECT_EQ(allow(R"({"redrivePermission":"denyAll"})"), "OK");
  EXPECT_TRUE(
      absl::StrContains(PolicyError(Redrive(kDeadArn, "3")), "does not allow"));
  EXPECT_EQ(allow(absl::StrCat(
                R"({"redrivePermission":"byQueue","sourceQueueArns":[")",
                kOrdersArn, "\"]}")),
            "OK");
  EXPECT_EQ(PolicyError(Redrive(kDeadArn, "3")), "OK");
  EXPECT_EQ(allow(R"({"redrivePermission":"allowAll"})"), "OK");
  EXPECT_EQ(PolicyError(Redrive(kDeadArn, "4")), "OK");
}

TEST_F(DeadLettersTest, SourcesAreListed) {
  const auto sources = engine->ListDeadLetterSourceQueues({.queue = kDead});
  ASSERT_TRUE(sources.ok()) << sources.status();
  EXPECT_EQ(sources->queues, (std::vector<QueueAddress>{kOrders}));
  EXPECT_TRUE(
      engine->ListDeadLetterSourceQueues({.queue = kOrders})->queues.empty());
  const QueueAddress none{.region = "eu-west-1", .name = "none"};
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine->ListDeadLetterSourceQueues({.queue = none}).status()),
      "QueueDoesNotExist"));
}

TEST_F(DeadLettersTest, MoveBackToWhereTheyCameFrom) {
  Kill({"a", "b"});
  const std::string old_id = engine->Peek(kDead, 1)->front().message.header.id;
  ASSERT_TRUE(Start({.source_arn = kDeadArn}).ok());
  Advance(absl::ZeroDuration());
  const MoveTask task = Newest();
  EXPECT_EQ(task.status, MoveTask::Status::kCompleted);
  EXPECT_EQ(task.moved, 2);
  EXPECT_EQ(task.to_move, 2);
  EXPECT_EQ(Depth(kDead), QueueDepth());
  const std::vector<ReceivedMessage> back = Receive();
  ASSERT_EQ(back.size(), 2);
  // They are new messages.
  EXPECT_NE(back[0].message.header.id, old_id);
  EXPECT_EQ(back[0].message.header.sent_at, clock.Now());
  EXPECT_EQ(back[0].message.header.dead_letter_source, "");
  EXPECT_EQ(back[0].message.content.body, "a");
  EXPECT_EQ(back[0].receives, 1);
}

TEST_F(DeadLettersTest, MoveAsFastAsToldAndCanBeStopped) {
  Kill({"a", "b", "c"});
  const QueueAddress other{.region = "eu-west-1", .name = "other"};
  Create(other);
  const absl::StatusOr<std::string> handle =
      Start({.source_arn = kDeadArn,
             .destination_arn = "arn:aws:sqs:eu-west-1:000000000000:other",
             .max_per_second = 2});
  ASSERT_TRUE(handle.ok()) << handle.status();
  Advance(absl::ZeroDuration());
  EXPECT_EQ(Depth(other).visible, 1);
  Advance(absl::Milliseconds(499));
  EXPECT_EQ(Depth(other).visible, 1);
  Advance(absl::Milliseconds(1));
  EXPECT_EQ(Depth(other).visible, 2);
  EXPECT_EQ(Newest().status, MoveTask::Status::kRunning);
  EXPECT_EQ(Describe(Start({.source_arn = kDeadArn}).status()),
            "InvalidParameterValueException: There is already a task running. "
            "Only one active task is allowed for a source queue arn at a given "
            "time.");
  EXPECT_EQ(*engine->CancelMessageMoveTask(*handle), 2);
  Commit();
  EXPECT_EQ(Describe(engine->CancelMessageMoveTask(*handle).status()),
            "InvalidParameterValueException: Only active tasks can be "
            "cancelled.");
  Advance(absl::Seconds(10));
  EXPECT_EQ(Newest().status, MoveTask::Status::kCancelled);
  EXPECT_EQ(Depth(other).visible, 2);
  EXPECT_EQ(Depth(kDead).visible, 1);
}

TEST_F(DeadLettersTest, GoOnMovingAfterReopening) {
  Kill({"a", "b"});
  ASSERT_TRUE(Start({.source_arn = kDeadArn, .max_per_second = 1}).ok());
  Advance(absl::ZeroDuration());
  Reopen();
  EXPECT_EQ(Newest().moved, 1);
  Advance(absl::Seconds(2));
  EXPECT_EQ(Newest().status, MoveTask::Status::kCompleted);
  EXPECT_EQ(Depth().visible, 2);
}

TEST_F(DeadLettersTest, FailToMoveWhereThereIsNoQueue) {
  Kill({"a"});
  ASSERT_TRUE(engine->DeleteQueue(kOrders).ok());
  Commit();
  const QueueAddress other{.region = "eu-west-1", .name = "other"};
  Create(other, {{"RedrivePolicy", Redrive(kDeadArn, "1")}});
  ASSERT_TRUE(Start({.source_arn = kDeadArn}).ok());
  Advance(absl::ZeroDuration());
  EXPECT_EQ(Newest().status, MoveTask::Status::kFailed);
  EXPECT_EQ(Newest().failure_reason, "AWS.SimpleQueueService.NonExistentQueue");
  EXPECT_EQ(Depth(kDead).visible, 1);
}

TEST_F(DeadLettersTest, FailToMoveBackWhatWasNeverElsewhere) {
  Send("direct", std::nullopt, kDead);
  ASSERT_TRUE(Start({.source_arn = kDeadArn}).ok());
  Advance(absl::ZeroDuration());
  EXPECT_EQ(Newest().status, MoveTask::Status::kFailed);
  EXPECT_EQ(Newest().failure_reason, "CouldNotDetermineMessageSource");
  EXPECT_EQ(Depth(kDead).visible, 1);
}

TEST_F(DeadLettersTest, FailToMoveWhatTheStoreHasLost) {
  Kill({"a"});
  ASSERT_TRUE(store->DeleteRange(PrefixRange(kMessagePrefix)).ok());
  ASSERT_TRUE(Start({.source_arn = kDeadArn}).ok());
  Advance(absl::ZeroDuration());
  EXPECT_EQ(Newest().status, MoveTask::Status::kFailed);
  EXPECT_EQ(Newest().failure_reason, "InternalFailure");
}

TEST_F(DeadLettersTest, MoveTasksAreRefusedAsAwsDoes) {
  const std::string none = "arn:aws:sqs:eu-west-1:000000000000:none";
  const auto error = [&](const StartMessageMoveTaskRequest& request) {
    return Describe(Start(request).status());
  };
  EXPECT_EQ(error({.source_arn = none}),
            "ResourceNotFoundException: The resource that you specified for "
            "the SourceArn parameter doesn't exist.");
  EXPECT_EQ(error({.source_arn = kOrdersArn}),
            "InvalidParameterValueException: Source queue must be configured "
            "as a Dead Letter Queue.");
  EXPECT_EQ(error({.source_arn = kDeadArn, .destination_arn = none}),
            "ResourceNotFoundException: The resource that you specified for "
            "the DestinationArn parameter doesn't exist.");
  for (const StartMessageMoveTaskRequest& bad :
       {StartMessageMoveTaskRequest{.source_arn = kDeadArn,
       .max_per_second = 0},
        StartMessageMoveTaskRequest{.source_arn = kDeadArn,
        .max_per_second = 501},
        StartMessageMoveTaskRequest{.source_arn = kDeadArn,
        .destination_arn = kDeadArn}}) {
    EXPECT_TRUE(absl::StartsWith(error(bad), "InvalidParameterValueException"));
  }
  EXPECT_EQ(Describe(engine->CancelMessageMoveTask("x").status()),
            "InvalidParameterValueException: Value for parameter TaskHandle is "
            "invalid.");
  EXPECT_EQ(Describe(engine
                         ->CancelMessageMoveTask(Engine::TaskHandleOf(
                             {.id = "x", .source_arn = kDeadArn}))
                         .status()),
            "ResourceNotFoundException: Task does not exist.");
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine
                   ->CancelMessageMoveTask(
                       Engine::TaskHandleOf({.id = "x", .source_arn = none}))
                   .status()),
      "ResourceNotFoundException"));
  EXPECT_TRUE(absl::StartsWith(
      Describe(engine->ListMessageMoveTasks({.source_arn = none}).status()),
      "ResourceNotFoundException"));
  for (const int64_t bad : {0, 11}) {
    EXPECT_TRUE(absl::StartsWith(
        Describe(engine
                     ->ListMessageMoveTasks(
                         {.source_arn = kDeadArn, .max_results = bad})
                     .status()),
        "InvalidParameterValueException"));
  }
}

TEST_F(DeadLettersTest, OnlyTheLastMoveTasksAreRemembered) {
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(Start({.source_arn = kDeadArn}).ok());
    Advance(absl::Seconds(1));
  }
  const auto tasks =
      engine->ListMessageMoveTasks({.source_arn = kDeadArn, .max_results = 10});
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  ASSERT_EQ(tasks->size(), 10);
  EXPECT_EQ((*tasks)[0].started_at, kStart + absl::Seconds(11));
  EXPECT_EQ((*tasks)[9].started_at, kStart + absl::Seconds(2));
}

}  // namespace
}  // namespace byoshin::local::sqs
