// Functions behind the local SQS, and the zips that are deployed.

#include "local/lambda/sqs_queues.h"

#include <json/json.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/aws/credentials.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/lambda/code_store.h"
#include "local/lambda/lambda.h"
#include "local/lambda/testing/gate.h"
#include "local/lambda/testing/lambda_fixture.h"
#include "local/queues/queues.h"
#include "local/sqs/api.h"
#include "local/sqs/sqs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::lambda {
namespace {

constexpr char kDeadLetters[] = "arn:aws:sqs:eu-west-1:000000000000:dead";

class SqsQueuesTest : public LambdaFixture {
 protected:
  SqsQueuesTest() {
    sqs_ = *sqs::Sqs::Open(*sqs_store_, clock_, {});
    sqs_queues_ = std::make_unique<SqsQueues>(*sqs_);
    lambda_ = nullptr;
    lambda_ = *Lambda::Open(
        {.store = *store_,
         .clock = clock_,
         .queues = *sqs_queues_,
         .sink = *sqs_queues_},
        {.folder = folder_,
         .credentials = [](const std::string&) { return aws::Credentials{}; },
         .endpoint_url = [] { return std::string(); },
         .timer = &timer_});
    lambda_->Begin();
    CreateQueue(R"({"QueueName":"dead"})");
    CreateQueue(absl::StrCat(
        R"({"QueueName":"work","Attributes":{"VisibilityTimeout":"30",)",
        R"("RedrivePolicy":"{\"deadLetterTargetArn\":\")", kDeadLetters,
        R"(\",\"maxReceiveCount\":3}"}})"));
  }
  ~SqsQueuesTest() override { lambda_ = nullptr; }

  void CreateQueue(std::string body) {
    const Answer created = async::Await<Answer>([&](auto done) {
      sqs_->Handle({.operation = "CreateQueue",
                    .body = std::move(body),
                    .region = kTestRegion},
                   done);
    });
    ASSERT_EQ(created.status, 200) << created.body;
  }

  void SendMessage(const std::string& body, absl::Duration delay) {
    const absl::Status status =
        async::Await<absl::StatusOr<sqs::SendMessageResult>>([&](auto done) {
          sqs_->Send(kTestQueue, {.body = body, .delay = delay}, done);
        }).status();
    ASSERT_TRUE(status.ok()) << status;
  }

  sqs::QueueDepth DepthOf(const std::string& arn) {
    return async::Await<absl::StatusOr<sqs::QueueDepth>>(
               [&](auto done) { sqs_->Depth(arn, done); })
        .value_or(sqs::QueueDepth{});
  }

  std::string PutMapped() {
    const std::string arn = Put(TestFunction());
    const absl::Status put = lambda_->PutMapping(
        {.uuid = "u",
         .queue_arn = kTestQueue,
         .function_arn = arn,
         .batch_size = 1,
         .responses = MappingConfig::Responses::kReportBatchItemFailures});
    EXPECT_TRUE(put.ok()) << put;
    return arn;
  }

  std::unique_ptr<Store> sqs_store_ = *OpenSqliteStore({});
  std::unique_ptr<sqs::Sqs> sqs_;
  std::unique_ptr<SqsQueues> sqs_queues_;
};

TEST_F(SqsQueuesTest, ADelayedMessageReachesItsFunctionWhenItIsDue) {
  const std::string arn = PutMapped();
  for (int i = 0; i < 12; ++i) SendMessage("{}", absl::Seconds(5 * i));
  clock_.RunUntil(start_ + absl::Minutes(1));
  const FunctionStatistics statistics = lambda_->Statistics(arn);
  ASSERT_EQ(statistics.recent.size(), 12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(statistics.recent[i].started, start_ + absl::Seconds(5 * i));
  }
  EXPECT_EQ(statistics.cold_starts, 1);
  const sqs::QueueDepth depth = DepthOf(kTestQueue);
  EXPECT_EQ(depth.visible + depth.delayed + depth.in_flight, 0);
}

TEST_F(SqsQueuesTest, AMessageThatFailsComesAgainAndThenIsADeadLetter) {
  const std::string arn = PutMapped();
  SendMessage("RESPOND:{'batchItemFailures':[{'itemIdentifier':'x'}]}:END",
              absl::ZeroDuration());
  clock_.RunUntil(start_ + absl::Seconds(61));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 3);
  clock_.RunUntil(start_ + absl::Hours(1));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 3);
  EXPECT_EQ(DepthOf(kDeadLetters).visible, 1);
}

TEST_F(SqsQueuesTest, AMessageThatIsNotFinishedAtTheEndIsGivenBack) {
  Gate gate(folder_ + "/gate");
  FunctionConfig slow = TestFunction();
  slow.variables = {{"COMMANDS", "slow=" + gate.command()}};
  Put(slow);
  ASSERT_TRUE(lambda_
                  ->PutMapping({.uuid = "u",
                                .queue_arn = kTestQueue,
                                .function_arn = slow.arn,
                                .batch_size = 1})
                  .ok());
  SendMessage("slow", absl::ZeroDuration());
  gate.Await();
  EXPECT_EQ(DepthOf(kTestQueue).in_flight, 1);
  lambda_->Drain(absl::Milliseconds(1));
  EXPECT_EQ(DepthOf(kTestQueue).visible, 1);
  EXPECT_EQ(DepthOf(kTestQueue).in_flight, 0);
  gate.Open();
}

class FifoQueuesTest : public SqsQueuesTest {
 protected:
  FifoQueuesTest() {
    CreateQueue(R"({"QueueName":"work.fifo","Attributes":{"FifoQueue":"true",)"
                R"("ContentBasedDeduplication":"true"}})");
  }

  // To the group that its first letter names; returns its ID.
  std::string Post(const std::string& body) {
    const absl::StatusOr<sqs::SendMessageResult> sent =
        async::Await<absl::StatusOr<sqs::SendMessageResult>>([&](auto done) {
          sqs_->Send(kFifoQueue, {.body = body, .group_id = body.substr(0, 1)},
                     done);
        });
    EXPECT_TRUE(sent.ok()) << sent.status();
    return sent.ok() ? sent->message_id : "";
  }
  std::string PutMappedTo(const std::string& commands, int batch_size) {
    FunctionConfig config = TestFunction();
    config.variables = {{"COMMANDS", commands}};
    Put(config);
    const absl::Status put = lambda_->PutMapping(
        {.uuid = "u",
         .queue_arn = kFifoQueue,
         .function_arn = config.arn,
         .batch_size = batch_size,
         .responses = MappingConfig::Responses::kReportBatchItemFailures});
    EXPECT_TRUE(put.ok()) << put;
    return config.arn;
  }

  static constexpr char kFifoQueue[] =
      "arn:aws:sqs:eu-west-1:000000000000:work.fifo";
};

TEST_F(FifoQueuesTest, AGroupIsInOneBatchAtATime) {
  Gate a1(folder_ + "/a1");
  Gate a2(folder_ + "/a2");
  Gate b1(folder_ + "/b1");
  for (const char* body : {"a1", "a2", "b1"}) Post(body);
  PutMappedTo(absl::StrCat("\"a1\"=", a1.command(), "|\"a2\"=", a2.command(),
                           "|\"b1\"=", b1.command()),
              1);
  a1.Await();
  b1.Await();
  EXPECT_EQ(DepthOf(kFifoQueue),
            (sqs::QueueDepth{.visible = 1, .in_flight = 2}));
  b1.Open();
  a1.Open();
  a2.Open();
  clock_.AwaitIdle();
  EXPECT_EQ(DepthOf(kFifoQueue), sqs::QueueDepth());
  EXPECT_EQ(clock_.Now(), start_);
}

TEST_F(FifoQueuesTest, AGroupStopsUntilWhatFailedIsVisibleAgain) {
  Post("a1");
  const std::string a2 = Post("a2");
  const std::string a3 = Post("a3");
  const std::string arn = PutMappedTo(
      absl::StrCat("\"a1\"=RESPOND:{'batchItemFailures':[{'itemIdentifier':'",
                   a2, "'},{'itemIdentifier':'", a3, "'}]}:END"),
      10);
  clock_.AwaitIdle();
  Post("a4");
  Post("b1");
  clock_.RunUntil(start_ + absl::Seconds(29));
  // One with the group a, one with b.
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 2);
  EXPECT_EQ(DepthOf(kFifoQueue),
            (sqs::QueueDepth{.visible = 1, .in_flight = 2}));
  clock_.RunUntil(start_ + absl::Seconds(30));
  EXPECT_EQ(lambda_->Statistics(arn).invocations, 3);
  EXPECT_EQ(DepthOf(kFifoQueue), sqs::QueueDepth());
}

TEST_F(FifoQueuesTest, ABatchHasItsMessagesInOrderWithTheirNumbers) {
  for (const char* body : {"a1", "b1", "a2"}) Post(body);
  const auto messages =
      async::Await<absl::StatusOr<std::vector<queues::QueueMessage>>>(
          [&](auto done) { sqs_queues_->Receive(kFifoQueue, 10, done); });
  ASSERT_TRUE(messages.ok()) << messages.status();
  ASSERT_EQ(messages->size(), 3);
  EXPECT_EQ((*messages)[0].body, "a1");
  EXPECT_EQ((*messages)[1].body, "a2");
  EXPECT_EQ((*messages)[2].body, "b1");
  const auto& attributes = (*messages)[0].attributes;
  EXPECT_EQ(attributes.at("MessageGroupId"), "a");
  EXPECT_EQ(attributes.at("SequenceNumber").size(), 20);
  EXPECT_EQ(attributes.at("MessageDeduplicationId").size(), 64);
}

TEST_F(SqsQueuesTest, WhatCannotBeExecutedGoesToTheDestination) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(lambda_
                  ->PutEventInvokeConfig(
                      arn, {.max_retries = 0, .on_failure = kDeadLetters})
                  .ok());
  InvokeAsync(arn, "fail");
  clock_.AwaitIdle();
  EXPECT_EQ(DepthOf(kDeadLetters).visible, 1);
}

TEST_F(SqsQueuesTest, RunsTheZipsThatAreDeployed) {
  FunctionConfig config = TestFunction("mock-api");
  const std::string zip = files::ReadFile("lambdas/mock_api.zip").value();
  ASSERT_TRUE(lambda_->PutFunction(config, Zip(zip)).ok());
  std::promise<absl::StatusOr<InvokeResult>> promise;
  lambda_->Invoke(
      config.arn,
      {.payload = R"({"httpMethod":"GET","path":"/response_count",)"
                  R"("queryStringParameters":{"from":"2025-12-02T10:23:00Z",)"
                  R"("to":"2025-12-02T10:23:05Z"}})"},
      nullptr, [&](absl::StatusOr<InvokeResult> result) {
        promise.set_value(std::move(result));
      });
  const absl::StatusOr<InvokeResult> result = promise.get_future().get();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->function_error, "") << result->payload;
  const absl::StatusOr<Json::Value> response =
      json::ParseValue(result->payload);
  ASSERT_TRUE(response.ok()) << result->payload;
  EXPECT_EQ((*response)["statusCode"], 200) << result->payload;
  EXPECT_TRUE(absl::StrContains((*response)["body"].asString(), "\"count\":1"));
  EXPECT_LT(result->report.max_memory_bytes, std::size_t{64} << 20);
}

}  // namespace
}  // namespace byoshin::local::lambda
