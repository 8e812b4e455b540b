#include "core/aws/dynamodb/json_client.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::dynamodb {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);

class DynamoDbJsonClientTest : public ::testing::Test {
 protected:
  absl::Status Put() {
    JsonClient client({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .random = [] { return 0.5; }});
    return client.PutItem(request_, kStart + absl::Seconds(20));
  }

  PutItemRequest request_{
      .table_name = "AiResponseMetrics",
      .item = {{"metricName", "ai_response_count"},
               {"slotTime", "2025-12-02T10:23:05Z"},
               {"count", int64_t{0}}},
      .condition_expression = "attribute_not_exists(metricName)"};
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

TEST_F(DynamoDbJsonClientTest, PutsTheItem) {
  http_.Answer({.status = 200,
                .headers = {{"x-amz-crc32", "2745614147"}},
                .body = "{}"});
  const absl::Status status = Put();
  EXPECT_TRUE(status.ok()) << status;
  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.url, "https://dynamodb.us-east-1.amazonaws.com/");
  EXPECT_EQ(HeaderOf(request, "x-amz-target"), "DynamoDB_20120810.PutItem");
  EXPECT_EQ(HeaderOf(request, "x-amzn-query-mode"), "");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              HasSubstr("/us-east-1/dynamodb/aws4_request"));
  EXPECT_EQ(request.body,
            R"x({"ConditionExpression":"attribute_not_exists(metricName)",)x"
            R"("Item":{"count":{"N":"0"},)"
            R"("metricName":{"S":"ai_response_count"},)"
            R"("slotTime":{"S":"2025-12-02T10:23:05Z"}},)"
            R"("TableName":"AiResponseMetrics"})");
}

TEST_F(DynamoDbJsonClientTest, LeavesOutAConditionThatIsNotThere) {
  http_.Answer({.status = 200, .body = "{}"});
  request_ = {.table_name = "t"};
  EXPECT_TRUE(Put().ok());
  EXPECT_EQ(http_.requests()[0].body, R"({"Item":{},"TableName":"t"})");
}

TEST_F(DynamoDbJsonClientTest, KeepsEveryDigitOfANumber) {
  http_.Answer({.status = 200, .body = "{}"});
  request_ = {.table_name = "t",
              .item = {{"max", std::numeric_limits<int64_t>::max()},
                       {"min", std::numeric_limits<int64_t>::min()}}};
  EXPECT_TRUE(Put().ok());
  EXPECT_EQ(http_.requests()[0].body,
            R"({"Item":{"max":{"N":"9223372036854775807"},)"
            R"("min":{"N":"-9223372036854775808"}},"TableName":"t"})");
}

TEST_F(DynamoDbJsonClientTest, SendsToTheConfiguredEndpoint) {
  http_.Answer({.status = 200, .body = "{}"});
  variables_["AWS_ENDPOINT_URL"] = "http://localhost:8000";
  EXPECT_TRUE(Put().ok());
  EXPECT_EQ(http_.requests()[0].url, "http://localhost:8000/");
}

TEST_F(DynamoDbJsonClientTest, SaysThatTheConditionDidNotHold) {
  http_.Answer({.status = 400,
                .body = R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
                        R"(ConditionalCheckFailedException","message":)"
                        R"("The conditional request failed"})"});
  const absl::Status status = Put();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  const std::optional<Error> error = ErrorOf(status);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, kConditionalCheckFailed);
  EXPECT_THAT(http_.requests(), SizeIs(1));
}

TEST_F(DynamoDbJsonClientTest, TriesAgainWhenThrottled) {
  http_.Answer(
      {.status = 400,
       .body = R"({"__type":"x#ProvisionedThroughputExceededException"})"});
  http_.Answer({.status = 500, .body = R"({"__type":"InternalServerError"})"});
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Put().ok());
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(DynamoDbJsonClientTest, SaysWhichVariableIsMissing) {
  variables_.erase("AWS_ACCESS_KEY_ID");
  EXPECT_EQ(Put(), absl::FailedPreconditionError(
                       "DynamoDB PutItem: the environment variable "
                       "AWS_ACCESS_KEY_ID is not set"));
}

TEST_F(DynamoDbJsonClientTest, SaysWhenNothingIsReached) {
  http_.AlwaysAnswerBy([](const http::Request&) {
    return absl::UnavailableError("POST https://x/: refused");
  });
  EXPECT_EQ(Put(), absl::UnavailableError(
                       "DynamoDB PutItem: POST https://x/: refused"));
}

}  // namespace
}  // namespace byoshin::aws::dynamodb
