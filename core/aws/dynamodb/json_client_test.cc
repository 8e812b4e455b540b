#include "core/aws/dynamodb/json_client.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);
const absl::Time kDeadline = kStart + absl::Seconds(20);

class DynamoDbJsonClientTest : public ::testing::Test {
 protected:
  absl::Status Put() { return Client().PutItem(request_, kDeadline); }

  JsonClient Client() {
    return JsonClient({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .random = [] { return 0.5; }});
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

TEST_F(DynamoDbJsonClientTest, GetsAnItemWithoutWhatItCannotRepresent) {
  http_.Answer({.status = 200,
                .body = R"({"Item":{"pk":{"S":"a"},"ttl":{"N":"12"},)"
                        R"("half":{"N":"0.5"},"list":{"L":[]}}})"});
  const absl::StatusOr<std::optional<Item>> item =
      Client().GetItem({.table_name = "t", .key = {{"pk", "a"}}}, kDeadline);
  ASSERT_TRUE(item.ok()) << item.status();
  ASSERT_TRUE(item->has_value());
  EXPECT_THAT(**item, ElementsAre(Pair("pk", AttributeValue("a")),
                                  Pair("ttl", AttributeValue(int64_t{12}))));
  EXPECT_EQ(
      http_.requests()[0].body,
      R"({"ConsistentRead":true,"Key":{"pk":{"S":"a"}},"TableName":"t"})");
}

TEST_F(DynamoDbJsonClientTest, GetsNothingIfThereIsNoItem) {
  http_.Answer({.status = 200, .body = "{}"});
  const absl::StatusOr<std::optional<Item>> item =
      Client().GetItem({.table_name = "t"}, kDeadline);
  ASSERT_TRUE(item.ok()) << item.status();
  EXPECT_FALSE(item->has_value());
}

TEST_F(DynamoDbJsonClientTest, RefusesAnItemThatIsNone) {
  http_.AlwaysAnswerBy([](const http::Request&) {
    return http::Response{.status = 200, .body = R"({"Item":3})"};
  });
  EXPECT_EQ(Client().GetItem({.table_name = "t"}, kDeadline).status(),
            absl::DataLossError("DynamoDB GetItem: in the answer, Item is 3"));
}

TEST_F(DynamoDbJsonClientTest, DeletesWhatFulfilsTheCondition) {
  http_.Answer({.status = 200, .body = "{}"});
  const absl::Status status = Client().DeleteItem(
      {.table_name = "t",
       .key = {{"pk", "a"}},
       .condition_expression = "#d = :d",
       .placeholders = {.names = {{"#d", "domain"}}, .values = {{":d", "x"}}}},
      kDeadline);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(HeaderOf(http_.requests()[0], "x-amz-target"),
            "DynamoDB_20120810.DeleteItem");
  EXPECT_EQ(http_.requests()[0].body,
            R"({"ConditionExpression":"#d = :d",)"
            R"("ExpressionAttributeNames":{"#d":"domain"},)"
            R"("ExpressionAttributeValues":{":d":{"S":"x"}},)"
            R"("Key":{"pk":{"S":"a"}},"TableName":"t"})");
}

TEST_F(DynamoDbJsonClientTest, QueriesAPageAndTheNext) {
  http_.Answer({.status = 200,
                .body = R"({"Items":[{"sk":{"S":"1"}}],)"
                        R"("LastEvaluatedKey":{"sk":{"S":"1"}}})"});
  http_.Answer({.status = 200, .body = R"({"Items":[]})"});
  JsonClient client = Client();
  QueryRequest request = {.table_name = "t",
                          .key_condition_expression = "pk = :pk",
                          .projection_expression = "sk",
                          .placeholders = {.values = {{":pk", "a"}}}};
  const absl::StatusOr<QueryPage> first = client.Query(request, kDeadline);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_THAT(first->items, ElementsAre(Item{{"sk", "1"}}));
  request.exclusive_start_key = first->last_evaluated_key;
  const absl::StatusOr<QueryPage> second = client.Query(request, kDeadline);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(second->items, IsEmpty());
  EXPECT_THAT(second->last_evaluated_key, IsEmpty());
  EXPECT_EQ(http_.requests()[1].body,
            R"({"ConsistentRead":true,"ExclusiveStartKey":{"sk":{"S":"1"}},)"
            R"("ExpressionAttributeValues":{":pk":{"S":"a"}},)"
            R"("KeyConditionExpression":"pk = :pk",)"
            R"("ProjectionExpression":"sk","TableName":"t"})");
}

TEST_F(DynamoDbJsonClientTest, ReturnsWhatABatchDidNotWrite) {
  http_.Answer({.status = 200,
                .body = R"({"UnprocessedItems":{"t":[)"
                        R"({"PutRequest":{"Item":{"pk":{"S":"b"}}}},)"
                        R"({"DeleteRequest":{"Key":{"pk":{"S":"c"}}}}]}})"});
  const absl::StatusOr<BatchWrites> unprocessed = Client().BatchWriteItem(
      {.table_name = "t",
       .writes = {.puts = {{{"pk", "a"}}, {{"pk", "b"}}},
                  .deletes = {{{"pk", "c"}}}}},
      kDeadline);
  ASSERT_TRUE(unprocessed.ok()) << unprocessed.status();
  EXPECT_THAT(unprocessed->puts, ElementsAre(Item{{"pk", "b"}}));
  EXPECT_THAT(unprocessed->deletes, ElementsAre(Item{{"pk", "c"}}));
  EXPECT_EQ(http_.requests()[0].body,
            R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
            R"({"PutRequest":{"Item":{"pk":{"S":"b"}}}},)"
            R"({"DeleteRequest":{"Key":{"pk":{"S":"c"}}}}]}})");
}

TEST_F(DynamoDbJsonClientTest, WritesAllOrNothing) {
  http_.Answer({.status = 400,
                .body = R"({"__type":"x#TransactionCanceledException",)"
                        R"("Message":"[ConditionalCheckFailed, None]"})"});
  const absl::Status status = Client().TransactWriteItems(
      {.puts = {{.table_name = "t",
                 .item = {{"pk", "a"}},
                 .condition_expression = "attribute_not_exists(pk)"},
                {.table_name = "t", .item = {{"pk", "b"}}}},
       .client_request_token = "once"},
      kDeadline);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << status;
  EXPECT_THAT(http_.requests(), SizeIs(1));
  EXPECT_EQ(http_.requests()[0].body,
            R"({"ClientRequestToken":"once","TransactItems":[{"Put":)"
            R"x({"ConditionExpression":"attribute_not_exists(pk)",)x"
            R"("Item":{"pk":{"S":"a"}},"TableName":"t"}},)"
            R"({"Put":{"Item":{"pk":{"S":"b"}},"TableName":"t"}}]})");
}

}  // namespace
}  // namespace byoshin::aws::dynamodb
