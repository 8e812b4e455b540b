// Asynchronous invocation and queue mappings, on the simulated clock, with a
// real function behind them.

#include <json/json.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/gateway/error.h"
#include "local/lambda/async_invoker.h"
#include "local/lambda/event_source_mapping.h"
#include "local/lambda/lambda.h"
#include "local/lambda/sqs_event.h"
#include "local/lambda/testing/gate.h"
#include "local/lambda/testing/lambda_fixture.h"
#include "local/queues/testing/fake_queues.h"

namespace byoshin::local::lambda {
namespace {

using Strings = std::vector<std::string>;

class Asynchronous : public LambdaFixture {};

TEST_F(Asynchronous, ExecutesWhatWasAccepted) {
  const std::string arn = Put(TestFunction());
  InvokeAsync(arn, "log:done");
  clock_.AwaitIdle();
  EXPECT_TRUE(Logged("subject", "done"));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
}

TEST_F(Asynchronous, TriesAgainAfterOneAndTwoMinutesAndThenGivesUp) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(
      lambda_->PutEventInvokeConfig(arn, {.on_failure = kTestQueue}).ok());
  InvokeAsync(arn, "fail");
  const auto invocations = [&] { return lambda_->Statistics(arn).invocations; };
  clock_.AwaitIdle();
  EXPECT_EQ(invocations(), 1);
  clock_.RunUntil(start_ + absl::Seconds(59));
  EXPECT_EQ(invocations(), 1);
  clock_.RunUntil(start_ + absl::Seconds(60));
  EXPECT_EQ(invocations(), 2);
  clock_.RunUntil(start_ + absl::Seconds(179));
  EXPECT_EQ(invocations(), 2);
  clock_.RunUntil(start_ + absl::Seconds(180));
  EXPECT_EQ(invocations(), 3);
  clock_.RunUntil(start_ + absl::Hours(7));
  EXPECT_EQ(invocations(), 3);

  ASSERT_EQ(queues_->sent().size(), 1);
  EXPECT_EQ(queues_->sent()[0].queue_arn, kTestQueue);
  const absl::StatusOr<Json::Value> record =
      json::ParseValue(queues_->sent()[0].body);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ((*record)["requestContext"]["condition"], "RetriesExhausted");
  EXPECT_EQ((*record)["requestContext"]["approximateInvokeCount"], 3);
  EXPECT_EQ((*record)["requestContext"]["functionArn"], arn + ":$LATEST");
  EXPECT_EQ((*record)["requestPayload"], "fail");
  EXPECT_EQ((*record)["responseContext"]["functionError"], "Unhandled");
  EXPECT_EQ((*record)["responsePayload"]["errorType"], "Oops");
  EXPECT_EQ((*record)["timestamp"], "2025-12-02T10:26:00.000Z");
}

TEST_F(Asynchronous, DoesNotTryAgainWhereTheFunctionForbidsIt) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(lambda_->PutEventInvokeConfig(arn, {.max_retries = 0}).ok());
  InvokeAsync(arn, "fail");
  clock_.RunUntil(start_ + absl::Hours(7));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
}

TEST_F(Asynchronous, GivesUpWhatIsTooOld) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 0;  // throttled for ever
  const std::string arn = Put(config);
  ASSERT_TRUE(lambda_
                  ->PutEventInvokeConfig(arn, {.max_age = absl::Minutes(10),
                                               .on_failure = kTestQueue})
                  .ok());
  InvokeAsync(arn, "hello");
  clock_.RunUntil(start_ + absl::Minutes(10) - absl::Seconds(1));
  EXPECT_TRUE(queues_->sent().empty());
  clock_.RunUntil(start_ + absl::Minutes(10));
  ASSERT_EQ(queues_->sent().size(), 1);
  EXPECT_TRUE(absl::StrContains(queues_->sent()[0].body, "EventAgeExceeded"));
}

TEST_F(Asynchronous, WaitsWhileTheFunctionIsThrottled) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 0;
  const std::string arn = Put(config);
  InvokeAsync(arn, "hello");
  clock_.RunUntil(start_ + absl::Minutes(1));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 0);
  config.reserved_concurrency = 1;
  Put(config);
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
}

TEST_F(Asynchronous, SurvivesARestart) {
  FunctionConfig config = TestFunction();
  const std::string arn = Put(config);
  InvokeAsync(arn, "fail");
  clock_.AwaitIdle();
  Reopen();
  lambda_->Begin();
  clock_.RunUntil(start_ + absl::Minutes(30));
  Put(config);
  clock_.AwaitIdle();
  // The first attempt was counted by the Lambda of before.
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
  clock_.RunUntil(start_ + absl::Hours(2));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
}

TEST_F(Asynchronous, KeepsForTheNextStartWhatComesAtTheEnd) {
  const std::string arn = Put(TestFunction());
  lambda_->Drain(absl::Hours(1));
  InvokeAsync(arn, "log:done");
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 0);
  Reopen();
  Put(TestFunction());
  clock_.RunUntil(start_ + absl::Minutes(1));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 0) << "before it began";
  lambda_->Begin();
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
}

TEST_F(Asynchronous, SendsToItsDestinationWhatBecameTooOldWhileNothingRan) {
  const std::string arn = Put(TestFunction());
  InvokeAsync(arn, "fail");
  clock_.AwaitIdle();
  Reopen();
  clock_.RunUntil(start_ + absl::Hours(7));
  Put(TestFunction());
  clock_.AwaitIdle();
  EXPECT_FALSE(Logged("subject", "given up"));
  ASSERT_TRUE(
      lambda_->PutEventInvokeConfig(arn, {.on_failure = kTestQueue}).ok());
  lambda_->Begin();
  clock_.AwaitIdle();
  ASSERT_EQ(queues_->sent().size(), 1);
  EXPECT_TRUE(absl::StrContains(queues_->sent()[0].body, "EventAgeExceeded"));
  EXPECT_TRUE(Logged("subject", "given up: EventAgeExceeded"));
}

TEST_F(Asynchronous, GivesNothingUpWhileItsFunctionIsMissing) {
  const std::string arn = Put(TestFunction());
  InvokeAsync(arn, "fail");
  clock_.AwaitIdle();
  Reopen();
  lambda_->Begin();
  clock_.RunUntil(start_ + absl::Hours(7));
  // As a deployment does: first the one, then the other.
  Put(TestFunction());
  clock_.AwaitIdle();
  ASSERT_TRUE(
      lambda_->PutEventInvokeConfig(arn, {.on_failure = kTestQueue}).ok());
  clock_.RunUntil(clock_.Now() + kLongestThrottlePause);
  ASSERT_EQ(queues_->sent().size(), 1);
  EXPECT_TRUE(absl::StrContains(queues_->sent()[0].body, "EventAgeExceeded"));
}

TEST_F(Asynchronous, AsksForTheRolesPermissionToSendToTheDestination) {
  FunctionConfig config = TestFunction();
  config.role = "powerless";
  const std::string arn = Put(config);
  const absl::Status status =
      lambda_->PutEventInvokeConfig(arn, {.on_failure = kTestQueue});
  EXPECT_TRUE(absl::StrContains(status.message(), "SendMessage")) << status;
}

TEST_F(Asynchronous, ServicesNeedThePermissionOfTheFunction) {
  const std::string arn = Put(TestFunction());
  const ServicePrincipal caller = {
      .principal = "events.amazonaws.com",
      .source_arn = "arn:aws:events:eu-west-1:000000000000:rule/every-minute"};
  const auto invoke = [&] {
    absl::StatusOr<std::string> accepted;
    lambda_->InvokeAsync(
        arn, {.payload = "{}"}, &caller,
        [&accepted](absl::StatusOr<std::string> id) { accepted = id; });
    clock_.AwaitIdle();
    return accepted;
  };
  EXPECT_EQ(ErrorAnswerOf(invoke().status()).code, "AccessDeniedException");
  lambda_->PutPermission(arn, {.id = "other",
                               .principal = "events.amazonaws.com",
                               .source_arn = "arn:aws:events:*:rule/other"});
  EXPECT_FALSE(invoke().ok());
  lambda_->PutPermission(arn, {.id = "rule",
                               .principal = "events.amazonaws.com",
                               .source_arn = "arn:aws:events:*:rule/every-*"});
  EXPECT_TRUE(invoke().ok());
  lambda_->RemovePermission(arn, "rule");
  EXPECT_FALSE(invoke().ok());
}

class Mapping : public LambdaFixture {
 protected:
  MappingConfig TestMapping(const std::string& arn) {
    return {.uuid = "mapping",
            .queue_arn = kTestQueue,
            .function_arn = arn,
            .batch_size = 1};
  }
};

TEST_F(Mapping, ExecutesAMessageAtOnceAndDeletesIt) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  queues_->Put("m1", "body");
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
  EXPECT_EQ(clock_.Now(), start_);
  EXPECT_EQ(queues_->remaining(), Strings{});
}

TEST_F(Mapping, ReceivesNothingWhileTheQueueDeniesItToTheRole) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  denies_all_ = true;
  queues_->Put("m1", "body");
  clock_.RunUntil(start_ + absl::Minutes(1));
  EXPECT_EQ(queues_->receives_of("m1"), 0);
  denies_all_ = false;
  clock_.RunUntil(start_ + absl::Minutes(2));
  EXPECT_EQ(queues_->remaining(), Strings{});
}

TEST_F(Mapping, FindsMessagesThatWereThereBefore) {
  const std::string arn = Put(TestFunction());
  queues_->Put("m1", "body");
  queues_->Put("m2", "body");
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
}

TEST_F(Mapping, LeavesMessagesToTheFunctionAsItIsOnceAllHasBegun) {
  queues_->Put("m1", "body");
  Reopen();
  // What was deployed before, and would fail now: its API is elsewhere.
  FunctionConfig outdated = TestFunction();
  outdated.variables = {{"INIT", "error"}};
  const std::string arn = Put(outdated);
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->receives_of("m1"), 0) << "before it began";
  Put(TestFunction());
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->receives_of("m1"), 0) << "before it began";
  lambda_->Begin();
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{});
  EXPECT_EQ(clock_.Now(), start_);
}

TEST_F(Mapping, LeavesTheBatchInTheQueueWhenTheFunctionFails) {
  FunctionConfig config = TestFunction();
  config.variables = {{"INIT", "error"}};
  const std::string arn = Put(config);
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  queues_->Put("m1", "body");
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->receives_of("m1"), 1);
  clock_.RunUntil(start_ + absl::Seconds(179));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
  clock_.RunUntil(start_ + absl::Seconds(180));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
  EXPECT_EQ(queues_->receives_of("m1"), 2);
}

TEST_F(Mapping, TakesAMalformedResponseForAFailure) {
  const std::string arn = Put(TestFunction());
  MappingConfig mapping = TestMapping(arn);
  mapping.responses = MappingConfig::Responses::kReportBatchItemFailures;
  ASSERT_TRUE(lambda_->PutMapping(mapping).ok());
  queues_->Put("m1", "RESPOND:{'batchItemFailures':5}:END");
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{"m1"});
  EXPECT_TRUE(Logged("subject", "the whole batch counts as failed"));
  EXPECT_EQ(lambda_->Statistics(arn).partial_failures, 1);
}

TEST_F(Mapping, DeletesWhatThePartialResponseDoesNotName) {
  const std::string arn = Put(TestFunction());
  MappingConfig mapping = TestMapping(arn);
  mapping.batch_size = 10;
  mapping.batching_window = absl::Seconds(1);
  mapping.responses = MappingConfig::Responses::kReportBatchItemFailures;
  ASSERT_TRUE(lambda_->PutMapping(mapping).ok());
  const std::string body =
      "RESPOND:{'batchItemFailures':[{'itemIdentifier':'m2'}]}:END";
  for (const char* id : {"m1", "m2", "m3"}) queues_->Put(id, body);
  clock_.RunUntil(start_ + absl::Seconds(1));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
  EXPECT_EQ(lambda_->Statistics(arn).errors, 0);
  EXPECT_EQ(lambda_->Statistics(arn).partial_failures, 1);
  EXPECT_EQ(queues_->remaining(), Strings{"m2"});
  // It comes again, alone, when its visibility time-out is over.
  clock_.RunUntil(start_ + absl::Seconds(182));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
}

TEST_F(Mapping, GathersUntilTheBatchIsFullOrTheWindowOver) {
  const std::string arn = Put(TestFunction());
  MappingConfig mapping = TestMapping(arn);
  mapping.batch_size = 3;
  mapping.batching_window = absl::Seconds(5);
  ASSERT_TRUE(lambda_->PutMapping(mapping).ok());
  queues_->Put("m1", "1");
  queues_->Put("m2", "2");
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 0);
  clock_.RunUntil(start_ + absl::Seconds(5));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 1);
  for (int i = 0; i < 3; ++i) queues_->Put(absl::StrCat("n", i), "n");
  clock_.AwaitIdle();
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
  EXPECT_EQ(clock_.Now(), start_ + absl::Seconds(5));
}

TEST_F(Mapping, ReceivesNothingThatCouldNotBeExecuted) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 0;
  const std::string arn = Put(config);
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  queues_->Put("m1", "body");
  clock_.RunUntil(start_ + absl::Hours(1));
  EXPECT_EQ(queues_->receives_of("m1"), 0);
  config.reserved_concurrency = 1;
  Put(config);
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{});
}

TEST_F(Mapping, LeavesNothingHalfDoneAtTheEnd) {
  const std::string arn = Put(TestFunction());
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
    queues_->Put(absl::StrCat("m", i), "body");
    // Wherever the message is now, it is executed whole or is in the queue for
    // whoever comes next.
    lambda_->Drain(absl::Hours(1));
    clock_.AwaitIdle();
    EXPECT_EQ(queues_->hidden(), Strings{});
  }
}

TEST_F(Mapping, GivesBackAtTheEndWhatIsNotFinished) {
  Gate gate(folder_ + "/gate");
  FunctionConfig slow = TestFunction();
  slow.variables = {{"COMMANDS", absl::StrCat("slow=", gate.command())}};
  const std::string arn = Put(slow);
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  queues_->Put("m1", "slow");
  gate.Await();
  lambda_->Drain(absl::Milliseconds(1));
  Reopen();
  // The next start finds it at once, not after its visibility time-out.
  lambda_->Begin();
  Put(TestFunction());
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{});
  EXPECT_EQ(clock_.Now(), start_);
}

TEST_F(Mapping, GivesBackWhatItGatheredWhenItIsRemoved) {
  const std::string arn = Put(TestFunction());
  MappingConfig gathers = TestMapping(arn);
  gathers.batch_size = 3;
  gathers.batching_window = absl::Seconds(5);
  ASSERT_TRUE(lambda_->PutMapping(gathers).ok());
  queues_->Put("m1", "1");
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->receives_of("m1"), 1);
  lambda_->RemoveMapping(gathers.uuid);
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{});
  EXPECT_EQ(clock_.Now(), start_);
}

TEST_F(Mapping, ExecutesManyMessagesWithinItsConcurrency) {
  const std::string arn = Put(TestFunction());
  MappingConfig mapping = TestMapping(arn);
  mapping.max_concurrency = 2;
  ASSERT_TRUE(lambda_->PutMapping(mapping).ok());
  for (int i = 0; i < 50; ++i) queues_->Put(absl::StrCat("m", i), "body");
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->remaining(), Strings{});
  const FunctionStatistics statistics = lambda_->Statistics(arn);
  EXPECT_EQ(statistics.invocations, 50);
  EXPECT_LE(statistics.environments, 2);
}

TEST_F(Mapping, TriesAgainWhenTheQueueDoesNotAnswer) {
  const std::string arn = Put(TestFunction());
  queues_->FailNextReceives(2);
  queues_->Put("m1", "body");
  ASSERT_TRUE(lambda_->PutMapping(TestMapping(arn)).ok());
  clock_.RunUntil(start_ + absl::Seconds(2));
  EXPECT_EQ(queues_->remaining(), Strings{});
}

TEST_F(Mapping, IsRefusedWhereItCouldNotWork) {
  FunctionConfig config = TestFunction();
  config.role = "powerless";
  const std::string powerless = Put(config);
  EXPECT_TRUE(
      absl::StrContains(lambda_->PutMapping(TestMapping(powerless)).message(),
                        "does not have permissions to call ReceiveMessage"));
  const std::string arn = Put(TestFunction("other"));
  MappingConfig mapping = TestMapping(arn);
  mapping.batch_size = 11;
  EXPECT_FALSE(lambda_->PutMapping(mapping).ok());
  mapping = TestMapping(arn);
  mapping.queue_arn = absl::StrCat(kTestQueue, ".fifo");
  mapping.batching_window = absl::Seconds(1);
  EXPECT_EQ(ErrorAnswerOf(lambda_->PutMapping(mapping)).message,
            "Batching window is not supported for FIFO queues");
  mapping = TestMapping(arn);
  mapping.max_concurrency = 1;
  EXPECT_FALSE(lambda_->PutMapping(mapping).ok());
  mapping = TestMapping("arn:aws:lambda:eu-west-1:000000000000:function:none");
  EXPECT_FALSE(lambda_->PutMapping(mapping).ok());
  mapping = TestMapping(arn);
  mapping.queue_arn = "arn:aws:sqs:eu-west-1:000000000000:missing";
  EXPECT_FALSE(lambda_->PutMapping(mapping).ok());
}

TEST_F(Mapping, DoesNothingWhileItIsDisabledOrRemoved) {
  const std::string arn = Put(TestFunction());
  MappingConfig mapping = TestMapping(arn);
  mapping.state = MappingConfig::State::kDisabled;
  ASSERT_TRUE(lambda_->PutMapping(mapping).ok());
  queues_->Put("m1", "body");
  clock_.AwaitIdle();
  EXPECT_EQ(queues_->receives_of("m1"), 0);
  lambda_->RemoveMapping("mapping");
  EXPECT_TRUE(lambda_->ListMappings().empty());
}

TEST(SqsEvent, IsWhatLambdaSends) {
  const std::vector<queues::QueueMessage> messages = {
      {.id = "m1",
       .receipt_handle = "r1",
       .body = "{\"a\":1}",
       .md5_of_body = "0123",
       .attributes = {{"ApproximateReceiveCount", "1"}},
       .message_attributes = {{"kind", "String", "x"},
                              {"raw", "Binary", "\x01"}}}};
  EXPECT_EQ(
      SqsEvent(messages, kTestQueue),
      R"({"Records":[{"attributes":{"ApproximateReceiveCount":"1"},)"
      R"("awsRegion":"eu-west-1","body":"{\"a\":1}","eventSource":"aws:sqs",)"
      R"("eventSourceARN":"arn:aws:sqs:eu-west-1:000000000000:work",)"
      R"("md5OfBody":"0123","messageAttributes":{)"
      R"("kind":{"binaryListValues":[],"dataType":"String",)"
      R"("stringListValues":[],"stringValue":"x"},)"
      R"("raw":{"binaryListValues":[],"binaryValue":"AQ==",)"
      R"("dataType":"Binary","stringListValues":[]}},)"
      R"("messageId":"m1","receiptHandle":"r1"}]})");
}

TEST(BatchResponse, SaysWhatToDelete) {
  const std::vector<queues::QueueMessage> messages = {
      {.id = "m1", .receipt_handle = "r1"},
      {.id = "m2", .receipt_handle = "r2"}};
  const auto succeeded = [&](absl::string_view response) {
    return ReadBatchResponse(response, messages).succeeded;
  };
  const Strings all = {"r1", "r2"};
  for (const char* response :
       {"", "null", "{}", R"({"batchItemFailures":[]})",
        R"({"batchItemFailures":null})", R"({"other":1})"}) {
    EXPECT_EQ(succeeded(response), all) << response;
  }
  EXPECT_EQ(succeeded(R"({"batchItemFailures":[{"itemIdentifier":"m1"}]})"),
            Strings{"r2"});
  for (const char* response :
       {"garbage", "[]", "5", R"({"batchItemFailures":{}})",
        R"({"batchItemFailures":[5]})", R"({"batchItemFailures":[{}]})",
        R"({"batchItemFailures":[{"itemIdentifier":""}]})",
        R"({"batchItemFailures":[{"itemIdentifier":null}]})",
        R"({"batchItemFailures":[{"wrong":"m1"}]})",
        R"({"batchItemFailures":[{"itemIdentifier":"m3"}]})"}) {
    EXPECT_EQ(succeeded(response), Strings{}) << response;
    EXPECT_FALSE(ReadBatchResponse(response, messages).malformed.empty());
  }
}

}  // namespace
}  // namespace byoshin::local::lambda
