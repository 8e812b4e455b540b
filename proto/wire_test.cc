// Holds the schemas to the JSON that is really exchanged: the samples of the
// AWS documentation, and the scheduler's own messages.

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "core/json/json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/api_gateway.pb.h"
#include "proto/eventbridge.pb.h"
#include "proto/generation.pb.h"
#include "proto/scheduler.pb.h"
#include "proto/sqs.pb.h"

namespace byoshin {
namespace {

using ::byoshin::events::ApiGatewayRequest;
using ::byoshin::events::ApiGatewayResponse;
using ::byoshin::events::ExecutionStatusChangeEvent;
using ::byoshin::events::ScheduledEvent;
using ::byoshin::events::SqsBatchResponse;
using ::byoshin::events::SqsEvent;
using ::byoshin::generation::WorkflowError;
using ::byoshin::json::FromJson;
using ::byoshin::json::ToJson;
using ::byoshin::scheduler::ApiResponse;
using ::byoshin::scheduler::MetricRecord;
using ::byoshin::scheduler::ScheduleMessage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <typename T>
T Parsed(const std::string& json) {
  absl::StatusOr<T> message = FromJson<T>(json);
  EXPECT_TRUE(message.ok()) << message.status();
  return message.value_or(T());
}

template <typename T>
std::string ErrorOf(const std::string& json) {
  return std::string(FromJson<T>(json).status().message());
}

TEST(ScheduleMessage, HasTheFormOfTheSpecification) {
  const std::string json =
      R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z"})";
  const auto message = Parsed<ScheduleMessage>(json);
  EXPECT_EQ(message.from(), "2025-12-02T10:23:00Z");
  EXPECT_EQ(message.to(), "2025-12-02T10:23:05Z");
  EXPECT_EQ(ToJson(message), json);
}

TEST(ScheduleMessage, NeedsBothEndsOfTheWindow) {
  EXPECT_EQ(ErrorOf<ScheduleMessage>(R"({"to":"x"})"),
            "from: required, but missing");
  EXPECT_EQ(ErrorOf<ScheduleMessage>(R"({"from":"x"})"),
            "to: required, but missing");
}

TEST(ApiResponse, HasTheFormOfTheSpecification) {
  const std::string json = R"({"from":"a","to":"b","count":7})";
  EXPECT_EQ(Parsed<ApiResponse>(json).count(), 7);
  EXPECT_EQ(ToJson(Parsed<ApiResponse>(json)), json);
}

TEST(ApiResponse, TellsACountOfZeroFromAMissingOne) {
  const std::string zero = R"({"from":"a","to":"b","count":0})";
  EXPECT_EQ(ToJson(Parsed<ApiResponse>(zero)), zero);
  EXPECT_EQ(ErrorOf<ApiResponse>(R"({"from":"a","to":"b"})"),
            "count: required, but missing");
}

TEST(ApiResponse, WantsTheCountAsANumber) {
  EXPECT_EQ(ErrorOf<ApiResponse>(R"({"from":"a","to":"b","count":"7"})"),
            "count: expected a 64-bit integer, found \"7\"");
  EXPECT_EQ(ErrorOf<ApiResponse>(R"({"from":"a","to":"b","count":7.5})"),
            "count: expected a 64-bit integer, found 7.5");
}

TEST(MetricRecord, HasTheFormOfTheSpecification) {
  MetricRecord record;
  record.set_metric_name("ai_response_count");
  record.set_slot_time("2025-12-02T10:23:05Z");
  const std::string zero = R"({"metricName":"ai_response_count",)"
                           R"("slotTime":"2025-12-02T10:23:05Z","count":0})";
  EXPECT_EQ(ToJson(record), zero);
  EXPECT_EQ(Parsed<MetricRecord>(zero).slot_time(), "2025-12-02T10:23:05Z");
  record.set_count(int64_t{1} << 53);
  EXPECT_THAT(ToJson(record), testing::HasSubstr("\"count\":9007199254740992"));
}

TEST(ScheduledEvent, ReadsWhatEventBridgeSends) {
  const std::string json =
      R"({"version":"0","id":"53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",)"
      R"("detail-type":"Scheduled Event","source":"aws.events",)"
      R"("account":"123456789012","time":"2015-10-08T16:53:06Z",)"
      R"("region":"us-east-1","resources":)"
      R"(["arn:aws:events:us-east-1:123456789012:rule/my-scheduled-rule"],)"
      R"("detail":{}})";
  const auto event = Parsed<ScheduledEvent>(json);
  EXPECT_EQ(event.detail_type(), "Scheduled Event");
  EXPECT_EQ(event.time(), "2015-10-08T16:53:06Z");
  EXPECT_THAT(event.resources(), SizeIs(1));
  EXPECT_EQ(ToJson(event), json);
}

TEST(ScheduledEvent, NeedsNothingButTheTime) {
  EXPECT_EQ(Parsed<ScheduledEvent>(R"({"time":"2025-12-02T10:23:00Z"})").time(),
            "2025-12-02T10:23:00Z");
  EXPECT_EQ(ErrorOf<ScheduledEvent>(R"({"detail-type":"Scheduled Event"})"),
            "time: required, but missing");
}

TEST(ScheduledEvent, IgnoresTheDetail) {
  EXPECT_TRUE(
      FromJson<ScheduledEvent>(R"({"time":"t","detail":{"any":[1]}})").ok());
}

TEST(ExecutionStatusChangeEvent, ReadsWhatEventBridgeSends) {
  const auto event = Parsed<ExecutionStatusChangeEvent>(
      R"({"version":"0","id":"315c1398-40ff-a850-213b-158f73e60175",)"
      R"("detail-type":"Step Functions Execution Status Change",)"
      R"("source":"aws.states","resources":[],"detail":{)"
      R"("executionArn":"arn:aws:states:us-east-1:123456789012:execution:m:n",)"
      R"("name":"n","status":"TIMED_OUT","startDate":1551225146847,)"
      R"("stopDate":1551225151881,"input":"{}","output":null}})");
  EXPECT_EQ(event.detail().name(), "n");
  EXPECT_EQ(event.detail().status(), "TIMED_OUT");
}

TEST(WorkflowError, HasTheNamesOfStepFunctions) {
  const std::string json = R"({"Error":"States.Timeout","Cause":"c"})";
  EXPECT_EQ(ToJson(Parsed<WorkflowError>(json)), json);
}

TEST(ApiGatewayRequest, HasTheClaimsOfTheTokenAndThePathsValues) {
  const auto request = Parsed<ApiGatewayRequest>(
      R"({"path":"/status/p","httpMethod":"GET",)"
      R"("pathParameters":{"processId":"p"},"requestContext":{"authorizer":)"
      R"({"claims":{"sub":"u","token_use":"id"}}}})");
  EXPECT_EQ(request.path_parameters().at("processId"), "p");
  EXPECT_EQ(request.request_context().authorizer().claims().at("sub"), "u");
  EXPECT_TRUE(Parsed<ApiGatewayRequest>(
                  R"({"path":"/","httpMethod":"GET","pathParameters":null,)"
                  R"("requestContext":{"authorizer":null}})")
                  .path_parameters()
                  .empty());
}

TEST(SqsEvent, ReadsWhatTheEventSourceMappingSends) {
  const auto event = Parsed<SqsEvent>(R"json({
    "Records": [
      {
        "messageId": "059f36b4-87a3-44ab-83d2-661975830a7d",
        "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a...",
        "body": "{\"from\":\"2025-12-02T10:23:00Z\"}",
        "attributes": {
          "ApproximateReceiveCount": "1",
          "SentTimestamp": "1545082649183",
          "SenderId": "AIDAIENQZJOLO23YVJ4VO",
          "ApproximateFirstReceiveTimestamp": "1545082649185"
        },
        "messageAttributes": {
          "myAttribute": {
            "stringValue": "myValue",
            "stringListValues": [],
            "binaryListValues": [],
            "dataType": "String"
          }
        },
        "md5OfBody": "e4e68fb7bd0e697a0ae8f1bb342846b3",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-2:123456789012:my-queue",
        "awsRegion": "us-east-2"
      }
    ]
  })json");
  ASSERT_THAT(event.records(), SizeIs(1));
  const events::SqsMessage& message = event.records(0);
  EXPECT_EQ(message.message_id(), "059f36b4-87a3-44ab-83d2-661975830a7d");
  EXPECT_EQ(message.body(), R"({"from":"2025-12-02T10:23:00Z"})");
  EXPECT_EQ(message.attributes().at("SentTimestamp"), "1545082649183");
  EXPECT_EQ(message.md5_of_body(), "e4e68fb7bd0e697a0ae8f1bb342846b3");
  EXPECT_EQ(message.event_source_arn(),
            "arn:aws:sqs:us-east-2:123456789012:my-queue");
  EXPECT_EQ(message.aws_region(), "us-east-2");
}

TEST(SqsEvent, IsWrittenUnderTheNamesOfAws) {
  SqsEvent event;
  events::SqsMessage& message = *event.add_records();
  message.set_message_id("m");
  message.set_receipt_handle("r");
  message.set_body("b");
  (*message.mutable_attributes())["SentTimestamp"] = "1";
  message.set_md5_of_body("5");
  message.set_event_source("aws:sqs");
  message.set_event_source_arn("arn");
  message.set_aws_region("us-east-1");
  EXPECT_EQ(ToJson(event),
            R"({"Records":[{"messageId":"m","receiptHandle":"r","body":"b",)"
            R"("attributes":{"SentTimestamp":"1"},"md5OfBody":"5",)"
            R"("eventSource":"aws:sqs","eventSourceARN":"arn",)"
            R"("awsRegion":"us-east-1"}]})");
}

TEST(SqsEvent, NamesTheRecordThatLacksItsBody) {
  EXPECT_EQ(ErrorOf<SqsEvent>(R"({"Records":[{"messageId":"a","body":"x"},)"
                              R"({"messageId":"b"}]})"),
            "Records[1].body: required, but missing");
}

TEST(SqsBatchResponse, SaysThatAllIsWellWithAnEmptyList) {
  EXPECT_EQ(ToJson(SqsBatchResponse()), R"({"batchItemFailures":[]})");
}

TEST(SqsBatchResponse, NamesTheMessagesThatFailed) {
  SqsBatchResponse response;
  response.add_batch_item_failures()->set_item_identifier("id2");
  response.add_batch_item_failures()->set_item_identifier("id4");
  EXPECT_EQ(ToJson(response),
            R"({"batchItemFailures":[{"itemIdentifier":"id2"},)"
            R"({"itemIdentifier":"id4"}]})");
}

TEST(ApiGatewayRequest, ReadsWhatApiGatewaySends) {
  const auto request = Parsed<ApiGatewayRequest>(R"json({
    "resource": "/{proxy+}",
    "path": "/response_count",
    "httpMethod": "GET",
    "headers": {"Accept": "*/*", "Host": "example.com"},
    "multiValueHeaders": {"Accept": ["*/*"], "Host": ["example.com"]},
    "queryStringParameters": {"from": "b", "to": "c"},
    "multiValueQueryStringParameters": {"from": ["a", "b"], "to": ["c"]},
    "pathParameters": {"proxy": "response_count"},
    "stageVariables": null,
    "requestContext": {
      "accountId": "123456789012",
      "stage": "prod",
      "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
      "identity": {"sourceIp": "192.0.2.1", "userArn": null},
      "requestTimeEpoch": 1583817383220
    },
    "body": null,
    "isBase64Encoded": false
  })json");
  EXPECT_EQ(request.http_method(), "GET");
  EXPECT_EQ(request.path(), "/response_count");
  EXPECT_EQ(request.resource(), "/{proxy+}");
  EXPECT_EQ(request.headers().at("Host"), "example.com");
  EXPECT_EQ(request.query_string_parameters().at("from"), "b");
  EXPECT_THAT(request.multi_value_query_string_parameters().at("from").values(),
              ElementsAre("a", "b"));
  EXPECT_EQ(request.request_context().request_id(),
            "c6af9ac6-7b61-11e6-9a41-93e8deadbeef");
  EXPECT_FALSE(request.has_body());
  EXPECT_TRUE(request.has_is_base64_encoded());
}

TEST(ApiGatewayRequest, ReadsTheNullsOfARequestWithoutParameters) {
  const auto request = Parsed<ApiGatewayRequest>(
      R"({"path":"/","httpMethod":"GET","headers":null,)"
      R"("multiValueHeaders":null,"queryStringParameters":null,)"
      R"("multiValueQueryStringParameters":null,"requestContext":null,)"
      R"("body":null,"isBase64Encoded":null})");
  EXPECT_THAT(request.headers(), IsEmpty());
  EXPECT_THAT(request.query_string_parameters(), IsEmpty());
  EXPECT_FALSE(request.has_request_context());
}

TEST(ApiGatewayResponse, IsWrittenAsApiGatewayWantsIt) {
  ApiGatewayResponse response;
  response.set_status_code(200);
  (*response.mutable_headers())["Content-Type"] = "application/json";
  response.set_body(R"({"status":"ok"})");
  response.set_is_base64_encoded(false);
  EXPECT_EQ(
      ToJson(response),
      R"({"statusCode":200,"headers":{"Content-Type":"application/json"},)"
      R"("body":"{\"status\":\"ok\"}","isBase64Encoded":false})");
}

TEST(ApiGatewayResponse, CanRepeatAHeader) {
  ApiGatewayResponse response;
  response.set_status_code(204);
  events::ValueList& cookies =
      (*response.mutable_multi_value_headers())["Set-Cookie"];
  cookies.add_values("a=1");
  cookies.add_values("b=2");
  EXPECT_EQ(ToJson(response),
            R"({"statusCode":204,)"
            R"("multiValueHeaders":{"Set-Cookie":["a=1","b=2"]}})");
}

}  // namespace
}  // namespace byoshin
