// The Sender's zip under the Runtime API, against an SQS that is strict and one
// that fails.

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/scheduler/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/fake_sqs.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/raw_server.h"

namespace byoshin::integration {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAreArray;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// As EventBridge sends it.
std::string ScheduledEvent(absl::string_view time) {
  return absl::StrCat(R"({
    "version": "0",
    "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
    "detail-type": "Scheduled Event",
    "source": "aws.events",
    "account": "123456789012",
    "time": ")",
                      time, R"(",
    "region": "us-east-1",
    "resources": ["arn:aws:events:us-east-1:123456789012:rule/every-minute"],
    "detail": {}
  })");
}

std::string Body(absl::string_view from, absl::string_view to) {
  return absl::StrCat(R"({"from":")", from, R"(","to":")", to, R"("})");
}

// What has to be sent for 10:23 on 2 December 2025, written out from the
// specification.
std::vector<std::pair<int, std::string>> MessagesOf1023() {
  std::vector<std::pair<int, std::string>> messages;
  for (int delay = 0; delay < 55; delay += 5) {
    messages.emplace_back(
        delay, Body(absl::StrFormat("2025-12-02T10:23:%02dZ", delay),
                    absl::StrFormat("2025-12-02T10:23:%02dZ", delay + 5)));
  }
  messages.emplace_back(55,
                        Body("2025-12-02T10:23:55Z", "2025-12-02T10:24:00Z"));
  return messages;
}

class SenderTest : public FunctionTest {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
    ASSERT_TRUE(sqs.ok()) << sqs.status();
    sqs_ = *std::move(sqs);
    StartSender();
  }

  void TearDown() override {
    FunctionTest::TearDown();
    EXPECT_THAT(sqs_->endpoint().violations(), IsEmpty());
  }

  Variables Queue() const {
    return {{scheduler::kQueueUrlVariable, sqs_->queue_url()},
            {"AWS_ENDPOINT_URL_SQS", sqs_->endpoint().url()}};
  }

  void StartSender(Variables variables = {}) {
    variables.merge(Queue());
    StartFunction("sender", variables);
  }

  std::vector<std::pair<int, std::string>> SentMessages() const {
    std::vector<std::pair<int, std::string>> sent;
    for (const FakeSqs::Message& message : sqs_->messages()) {
      sent.emplace_back(message.delay_seconds, message.body);
    }
    return sent;
  }

  std::set<std::pair<int, std::string>> DistinctSentMessages() const {
    const std::vector<std::pair<int, std::string>> sent = SentMessages();
    return {sent.begin(), sent.end()};
  }

  std::size_t requests() const { return sqs_->endpoint().requests().size(); }

  std::unique_ptr<FakeSqs> sqs_;
};

TEST_F(SenderTest, SendsTheTwelveMessagesOfTheMinuteInTwoBatches) {
  const Json::Value response =
      ParseJson(Respond(ScheduledEvent("2025-12-02T10:23:00Z")));

  EXPECT_THAT(SentMessages(), ElementsAreArray(MessagesOf1023()));
  EXPECT_EQ(requests(), 2);
  EXPECT_EQ(response["sent"], 12);
}

TEST_F(SenderTest, TakesTheBaseTimeFromTheEventAndFloorsItToTheMinute) {
  Respond(ScheduledEvent("2025-12-02T10:23:41Z"));
  EXPECT_THAT(SentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, ReadsAnEventWithOnlyATime) {
  Respond(R"({"time":"2025-12-02T19:23:59.999+09:00"})");
  EXPECT_THAT(SentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, SendsTheSameAgainForTheSameEvent) {
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(SentMessages(), SizeIs(24));
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, MovesWindowsButNotDelaysByTheLag) {
  StartSender({{scheduler::kWindowLagVariable, "10"}});
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  const auto sent = SentMessages();
  ASSERT_THAT(sent, SizeIs(12));
  EXPECT_EQ(sent.front(), std::make_pair(0, Body("2025-12-02T10:22:50Z",
                                                 "2025-12-02T10:22:55Z")));
  EXPECT_EQ(sent.back(), std::make_pair(55, Body("2025-12-02T10:23:45Z",
                                                 "2025-12-02T10:23:50Z")));
}

TEST_F(SenderTest, LogsEveryMessageUnderTheRequestId) {
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  const std::vector<Json::Value> lines = LogLines("message sent");
  ASSERT_THAT(lines, SizeIs(12));
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(lines[i]["level"], "INFO");
    EXPECT_EQ(lines[i]["requestId"], "8476a536-e9f4-11e8-9739-000000000001");
    EXPECT_EQ(lines[i]["delaySeconds"], 5 * i);
  }
}

TEST_F(SenderTest, UsesOneConnectionForManyInvocations) {
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  Respond(ScheduledEvent("2025-12-02T10:24:00Z"));
  std::set<std::string> connections;
  for (const http::ServerRequest& request : sqs_->endpoint().requests()) {
    connections.insert(request.remote);
  }
  EXPECT_THAT(connections, SizeIs(1));
}

TEST_F(SenderTest, SendsEntriesThatFailedAgainAndOnlyThose) {
  sqs_->FailEntries({.delay_seconds = {5, 45, 55}, .times = 2});
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(SentMessages(), SizeIs(12));
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, NamesTheSlotsThatCouldNotBeSentAndSendsAllOthers) {
  sqs_->FailEntries({.delay_seconds = {15, 55}, .times = 1000});

  const FunctionError error = Fail(ScheduledEvent("2025-12-02T10:23:00Z"));

  EXPECT_THAT(error.message, AllOf(HasSubstr("2 of 12"), HasSubstr("3, 11"),
                                   HasSubstr("InternalError")));
  EXPECT_THAT(SentMessages(), SizeIs(10));
  EXPECT_THAT(DistinctSentMessages(), SizeIs(10));
  EXPECT_THAT(LogLines("message not sent"), SizeIs(2));
}

TEST_F(SenderTest, DoesNotRepeatAnEntryThatIsAtFaultItself) {
  sqs_->FailEntries({.delay_seconds = {0},
                     .times = 1000,
                     .code = "InvalidMessageContents",
                     .sender_fault = true});

  const FunctionError error = Fail(ScheduledEvent("2025-12-02T10:23:00Z"));

  EXPECT_THAT(error.message, HasSubstr("InvalidMessageContents"));
  EXPECT_EQ(requests(), 2);
  EXPECT_THAT(SentMessages(), SizeIs(11));
}

TEST_F(SenderTest, SendsAgainWhatCameBackWithTheWrongChecksum) {
  sqs_->AnswerWrongMd5();
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(SentMessages(), SizeIs(22));  // the first batch twice
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, FailsIfChecksumsAreNeverRight) {
  sqs_->AnswerWrongMd5(1000);
  const FunctionError error =
      Fail(ScheduledEvent("2025-12-02T10:23:00Z"), kShortTimeLimit);
  EXPECT_THAT(error.message, HasSubstr("12 of 12"));
}

TEST_F(SenderTest, SendsAgainWhatAnAnswerDoesNotMention) {
  sqs_->AnswerIncompletely();
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(SentMessages(), SizeIs(Ge(13)));
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, FailsAtOnceIfTheQueueDoesNotExist) {
  StartSender({{scheduler::kQueueUrlVariable,
                absl::StrCat(sqs_->endpoint().url(), "/000000000000/other")}});
  const FunctionError error = Fail(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("QueueDoesNotExist"), HasSubstr("12 of 12")));
  EXPECT_EQ(requests(), 1);
}

TEST_F(SenderTest, FailsAtOnceIfItMayNotSend) {
  sqs_->endpoint().InjectAlways(Fault::kAccessDenied);
  const FunctionError error = Fail(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(error.message, HasSubstr("AccessDenied"));
  EXPECT_EQ(requests(), 1);
}

TEST_F(SenderTest, FailsIfNobodyListens) {
  absl::StatusOr<RefusingPort> port = RefusingPort::Take();
  ASSERT_TRUE(port.ok()) << port.status();
  StartSender({{scheduler::kQueueUrlVariable,
                absl::StrCat(port->url(), "/000000000000/schedule")},
               {"AWS_ENDPOINT_URL_SQS", port->url()}});
  const FunctionError error =
      Fail(ScheduledEvent("2025-12-02T10:23:00Z"), kShortTimeLimit);
  EXPECT_THAT(error.message, HasSubstr("12 of 12"));
}

TEST_F(SenderTest, ReportsAMissingQueueUrlWhenItStarts) {
  const FunctionError error = FailToStart("sender", {});
  EXPECT_THAT(error.type, Not(IsEmpty()));
  EXPECT_THAT(error.message, HasSubstr(scheduler::kQueueUrlVariable));
}

TEST_F(SenderTest, ReportsAnUnusableQueueUrlWhenItStarts) {
  for (const char* url : {"", "not a url", "ftp://sqs/1/q", "https://"}) {
    SCOPED_TRACE(url);
    const FunctionError error =
        FailToStart("sender", {{scheduler::kQueueUrlVariable, url}});
    EXPECT_THAT(error.message, HasSubstr(scheduler::kQueueUrlVariable));
  }
}

TEST_F(SenderTest, ReportsALagThatIsNoNumberOfSlotsWhenItStarts) {
  for (const char* lag : {"-5", "7", "5.0", "five", "99999999999999999999"}) {
    SCOPED_TRACE(lag);
    Variables variables = Queue();
    variables[scheduler::kWindowLagVariable] = lag;
    const FunctionError error = FailToStart("sender", variables);
    EXPECT_THAT(error.message, HasSubstr(scheduler::kWindowLagVariable));
  }
}

TEST_F(SenderTest, RefusesMalformedEventsAndSurvivesThem) {
  const std::vector<std::string> events = {
      "",
      " ",
      "null",
      "true",
      "[]",
      "{}",
      "\"2025-12-02T10:23:00Z\"",
      "{\"time\":",
      "{\"time\":null}",
      "{\"time\":1764670980}",
      "{\"time\":\"\"}",
      "{\"time\":\"now\"}",
      "{\"time\":\"2025-12-02\"}",
      "{\"time\":\"2025-12-02 10:23:00Z\"}",
      "{\"time\":\"2025-02-29T10:23:00Z\"}",
      "{\"time\":\"2025-12-02T24:00:00Z\"}",
      "{\"time\":\"2025-12-02T10:23:00\"}",
      "{\"time\":\"+12025-12-02T10:23:00Z\"}",
      "{\"time\":\"0000-12-02T10:23:00Z\"}",
      "{\"time\":\"9999-12-31T23:59:00Z\"}",  // its last window ends beyond
      "{\"time\":[\"2025-12-02T10:23:00Z\"]}",
      "{\"time\":\"2025-12-02T10:23:00Z\",\"time\":\"2025-12-02T10:23:00Z\"}",
      "{\"Time\":\"2025-12-02T10:23:00Z\"}",
      "{\"time\":\"2025-12-02T10:23:00Z\"}}",
      "{\"time\":\"2025-12-02T10:23:00Z\\u0000\"}",
      "{\"time\":\"\xff\xfe\"}",
      std::string("{\"time\":\"2025-12-02T10:23:00Z\"\0}", 32),
      "{\"time\":\"" + std::string(100'000, '9') + "\"}",
      std::string(100'000, '['),
      std::string("\0\0\0", 3),
  };
  for (const std::string& event : events) {
    SCOPED_TRACE(event.substr(0, 100));
    const FunctionError error = Fail(event);
    EXPECT_THAT(error.type, Not(IsEmpty()));
    EXPECT_THAT(error.message, Not(IsEmpty()));
    EXPECT_LT(error.message.size(), 1000);
  }
  EXPECT_EQ(requests(), 0);
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(SentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_F(SenderTest, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(Fail("{}").message, HasSubstr("time"));
  EXPECT_THAT(Fail(R"({"time":"2025-02-29T10:23:00Z"})").message,
              AllOf(HasSubstr("time"), HasSubstr("2025-02-29T10:23:00Z")));
}

class SenderFaultTest : public SenderTest,
                        public testing::WithParamInterface<FaultCase> {};

TEST_P(SenderFaultTest, IsOvercomeIfItPasses) {
  sqs_->endpoint().Inject(GetParam().fault);
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

TEST_P(SenderFaultTest, FailsTheInvocationButNotTheProcessIfItLasts) {
  sqs_->endpoint().InjectAlways(GetParam().fault);
  const FunctionError error =
      Fail(ScheduledEvent("2025-12-02T10:23:00Z"), kShortTimeLimit);
  EXPECT_THAT(error.message, HasSubstr("12 of 12"));
  EXPECT_THAT(SentMessages(), IsEmpty());

  sqs_->endpoint().Recover();
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  // A request that the Sender gave up on can still arrive, as a duplicate.
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, SenderFaultTest,
    testing::Values(FaultCase{"Throttling", Fault::kThrottle},
                    FaultCase{"InternalError", Fault::kInternalError},
                    FaultCase{"Unavailable", Fault::kUnavailable},
                    FaultCase{"Reset", Fault::kReset},
                    FaultCase{"Garbage", Fault::kGarbage},
                    FaultCase{"EmptyBody", Fault::kEmptyBody},
                    FaultCase{"EmptyObject", Fault::kEmptyObject}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(SenderTest, GivesUpOnAQueueThatHangsBeforeItsDeadline) {
  sqs_->endpoint().InjectAlways(Fault::kHang);
  const FunctionError error =
      Fail(ScheduledEvent("2025-12-02T10:23:00Z"), kShortTimeLimit);
  EXPECT_THAT(error.message, HasSubstr("12 of 12"));

  sqs_->endpoint().Recover();
  Respond(ScheduledEvent("2025-12-02T10:23:00Z"));
  // A request that the Sender gave up on can still arrive, as a duplicate.
  EXPECT_THAT(DistinctSentMessages(), ElementsAreArray(MessagesOf1023()));
}

}  // namespace
}  // namespace byoshin::integration
