#include "core/scheduler/config.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kQueueUrl[] =
    "https://sqs.us-east-1.amazonaws.com/123456789012/slots";

absl::StatusOr<SenderConfig> SenderWith(
    std::map<std::string, std::string> variables) {
  variables.insert({"QUEUE_URL", kQueueUrl});
  return LoadSenderConfig(env::FromMap(variables));
}

absl::StatusOr<CollectorConfig> CollectorWith(
    std::map<std::string, std::string> variables) {
  variables.insert({"AI_API_BASE_URL", "http://localhost:3000"});
  variables.insert({"AI_METRICS_TABLE_NAME", "AiResponseMetrics"});
  return LoadCollectorConfig(env::FromMap(variables));
}

std::string InvalidArgument(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(LoadSenderConfig, ReadsTheQueueUrlAndDefaultsTheLagToNone) {
  const absl::StatusOr<SenderConfig> config = SenderWith({});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->queue_url, kQueueUrl);
  EXPECT_EQ(config->window_lag, absl::ZeroDuration());
}

TEST(LoadSenderConfig, NamesTheQueueUrlIfItIsMissingOrEmpty) {
  EXPECT_EQ(LoadSenderConfig(env::FromMap({})).status(),
            absl::FailedPreconditionError(
                "the environment variable QUEUE_URL is not set"));
  EXPECT_EQ(SenderWith({{"QUEUE_URL", ""}}).status(),
            absl::FailedPreconditionError(
                "the environment variable QUEUE_URL is empty"));
}

TEST(LoadSenderConfig, TakesQueueUrlsOfEmulators) {
  for (const char* url :
       {"http://127.0.0.1:4566/000000000000/slots",
        "http://localhost:4566/queue/us-east-1/000000000000/slots",
        "https://queue.amazonaws.com/123456789012/My-Queue_1"}) {
    EXPECT_TRUE(SenderWith({{"QUEUE_URL", url}}).ok()) << url;
  }
}

TEST(LoadSenderConfig, RefusesWhatIsNotTheUrlOfAQueue) {
  for (const char* url :
       {"slots", "arn:aws:sqs:us-east-1:123456789012:slots",
        "sqs.us-east-1.amazonaws.com/123456789012/slots",
        "ftp://host/123456789012/slots", "https:///123456789012/slots",
        "https://host:99999/123456789012/slots", "https://host",
        "https://host/", "https://host/slots", "https://host/1/slots/",
        "https://host/1/slots?Action=SendMessage", "https://host/1/slots?",
        "https://host/1/slots#x", "https://host/1/sl ots",
        "https://host/1/sl%20ots", "https://host/1/a.b",
        " https://host/1/slots", "https://host/1/slots\n"}) {
    EXPECT_THAT(InvalidArgument(SenderWith({{"QUEUE_URL", url}}).status()),
                HasSubstr("the environment variable QUEUE_URL is invalid"))
        << url;
  }
  EXPECT_THAT(
      InvalidArgument(
          SenderWith({{"QUEUE_URL",
                       absl::StrCat("https://host/1/", std::string(81, 'q'))}})
              .status()),
      HasSubstr("does not name a queue"));
}

TEST(LoadSenderConfig, RefusesAFifoQueueSinceItTakesNoDelayPerMessage) {
  EXPECT_THAT(
      InvalidArgument(
          SenderWith({{"QUEUE_URL", "https://host/1/slots.fifo"}}).status()),
      HasSubstr("FIFO queue, which takes no delay per message"));
}

TEST(LoadSenderConfig, ShowsNoPasswordInItsError) {
  EXPECT_THAT(InvalidArgument(SenderWith({{"QUEUE_URL",
                                           "https://user:secret@host/1/slots"}})
                                  .status()),
              AllOf(HasSubstr("user info"), Not(HasSubstr("secret"))));
}

TEST(LoadSenderConfig, ReadsALagThatIsAMultipleOfTheInterval) {
  EXPECT_EQ(SenderWith({{"WINDOW_LAG_SECONDS", "0"}})->window_lag,
            absl::ZeroDuration());
  EXPECT_EQ(SenderWith({{"WINDOW_LAG_SECONDS", "5"}})->window_lag,
            absl::Seconds(5));
  EXPECT_EQ(SenderWith({{"WINDOW_LAG_SECONDS", "3600"}})->window_lag,
            absl::Hours(1));
  EXPECT_EQ(SenderWith({{"WINDOW_LAG_SECONDS", ""}})->window_lag,
            absl::ZeroDuration());
}

TEST(LoadSenderConfig, RefusesAnyOtherLag) {
  for (const char* lag : {"-5", "+5", "3", "5.0", "5s", " 5", "five", "0x5",
                          "1e1", "99999999999999999999999999999999"}) {
    EXPECT_EQ(
        InvalidArgument(SenderWith({{"WINDOW_LAG_SECONDS", lag}}).status()),
        absl::StrCat("the environment variable WINDOW_LAG_SECONDS is invalid: "
                     "\"",
                     lag, "\" is not a multiple of 5 that is 0 or more"));
  }
}

TEST(LoadCollectorConfig, ReadsItsVariables) {
  const absl::StatusOr<CollectorConfig> config = CollectorWith({});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->api_base_url, "http://localhost:3000");
  EXPECT_EQ(config->table_name, "AiResponseMetrics");
  EXPECT_EQ(config->window_lag, absl::ZeroDuration());
  EXPECT_EQ(CollectorWith({{"WINDOW_LAG_SECONDS", "60"}})->window_lag,
            absl::Minutes(1));
}

TEST(LoadCollectorConfig, NamesTheVariableThatIsMissing) {
  EXPECT_EQ(LoadCollectorConfig(
                env::FromMap({{"AI_METRICS_TABLE_NAME", "AiResponseMetrics"}}))
                .status(),
            absl::FailedPreconditionError(
                "the environment variable AI_API_BASE_URL is not set"));
  EXPECT_EQ(LoadCollectorConfig(
                env::FromMap({{"AI_API_BASE_URL", "http://localhost:3000"}}))
                .status(),
            absl::FailedPreconditionError(
                "the environment variable AI_METRICS_TABLE_NAME is not set"));
}

TEST(LoadCollectorConfig, TakesABaseUrlWithAPath) {
  EXPECT_TRUE(
      CollectorWith({{"AI_API_BASE_URL", "https://api.example.com/prod/"}})
          .ok());
}

TEST(LoadCollectorConfig, RefusesABaseUrlThatNothingCanBePutBehind) {
  for (const char* url :
       {"localhost:3000", "file:///etc/passwd", "http://", "http://host?a=b",
        "http://host#f", "http://user:secret@host", "http://ho st"}) {
    EXPECT_THAT(
        InvalidArgument(CollectorWith({{"AI_API_BASE_URL", url}}).status()),
        AllOf(HasSubstr("the environment variable AI_API_BASE_URL is invalid"),
              Not(HasSubstr("secret"))))
        << url;
  }
}

TEST(LoadCollectorConfig, HoldsTheTableNameToTheRuleOfDynamoDb) {
  for (const std::string& name :
       {std::string("abc"), std::string("A.b-c_9"), std::string(255, 'x')}) {
    EXPECT_TRUE(CollectorWith({{"AI_METRICS_TABLE_NAME", name}}).ok()) << name;
  }
  for (const std::string& name :
       {std::string("ab"), std::string(256, 'x'), std::string("a b c"),
        std::string("table/1"), std::string("表表表"), std::string("abc\n")}) {
    EXPECT_THAT(InvalidArgument(
                    CollectorWith({{"AI_METRICS_TABLE_NAME", name}}).status()),
                HasSubstr("AI_METRICS_TABLE_NAME is invalid: \""))
        << name;
  }
}

TEST(LoadCollectorConfig, RefusesTheLagThatTheSenderRefuses) {
  EXPECT_THAT(
      InvalidArgument(CollectorWith({{"WINDOW_LAG_SECONDS", "4"}}).status()),
      HasSubstr("WINDOW_LAG_SECONDS"));
}

}  // namespace
}  // namespace byoshin::scheduler
