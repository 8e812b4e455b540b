// Tasks as requests to services, and answers as results.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/integration.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/service_request.h"
#include "local/stepfunctions/tasks.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kRequestId[] = "r-1";

class NamedService final : public Service {
 public:
  explicit NamedService(const ServiceTraits& traits) : traits_(traits) {}
  const ServiceTraits& traits() const override { return traits_; }
  std::vector<NeededPermission> PermissionsFor(const Call&) const override {
    return {};
  }
  void Handle(Call, AnswerFunction) override {}

 private:
  const ServiceTraits traits_;
};

TaskCall TaskFor(absl::string_view resource, absl::string_view arguments) {
  return {.resource = ParseTaskResource(resource),
          .arguments = *Data::Parse(arguments)};
}

Call RequestTo(const ServiceTraits& traits, const TaskCall& task) {
  const std::variant<Call, TaskFailure> request =
      RequestFor(task, NamedService(traits));
  EXPECT_TRUE(std::holds_alternative<Call>(request))
      << std::get<TaskFailure>(request).cause;
  return std::get<Call>(request);
}

constexpr ServiceTraits kJsonService = {.name = "sqs",
                                        .target_prefix = "AmazonSQS"};
constexpr ServiceTraits kStatesService = {.name = "states",
                                          .target_prefix = "AWSStepFunctions"};

Data ResultOf(const TaskCall& task, const Answer& answer) {
  const TaskOutcome outcome =
      OutcomeOf(task, answer, kRequestId, absl::FromUnixSeconds(1794902400));
  EXPECT_TRUE(std::holds_alternative<Data>(outcome))
      << std::get<TaskFailure>(outcome).cause;
  return std::get<Data>(outcome);
}

TaskFailure FailureIn(const TaskCall& task, const Answer& answer) {
  return std::get<TaskFailure>(
      OutcomeOf(task, answer, kRequestId, absl::UnixEpoch()));
}

TEST(ServiceRequest, SendsAnObjectAsTheTextOfAMessage) {
  const Call call = RequestTo(
      kJsonService, TaskFor("arn:aws:states:::sqs:sendMessage",
                            R"({"QueueUrl":"q","MessageBody":{"a":[1]}})"));
  EXPECT_EQ(call.operation, "SendMessage");
  EXPECT_EQ(call.body, R"({"QueueUrl":"q","MessageBody":"{\"a\":[1]}"})");
}

TEST(ServiceRequest, SpellsMembersAsTheServiceDoes) {
  const Call call = RequestTo(
      kStatesService,
      TaskFor("arn:aws:states:::states:startExecution",
              R"({"StateMachineArn":"m","Input":{"Key":1},"Name":"n"})"));
  EXPECT_EQ(call.operation, "StartExecution");
  EXPECT_EQ(call.body,
            R"({"stateMachineArn":"m","input":"{\"Key\":1}","name":"n"})");
}

TEST(ServiceRequest, SendsTheDetailsOfEventsAsText) {
  const Call call =
      RequestTo({.name = "events", .target_prefix = "AWSEvents"},
                TaskFor("arn:aws:states:::events:putEvents",
                        R"({"Entries":[{"Detail":{"a":1},"Source":"s"}]})"));
  EXPECT_EQ(call.body, R"({"Entries":[{"Detail":"{\"a\":1}","Source":"s"}]})");
}

TEST(ServiceRequest, InvokesAFunction) {
  const ServiceTraits lambda = {
      .name = "lambda", .target_prefix = "AWSLambda", .speaks_rest = true};
  const Call by_arn = RequestTo(
      lambda, TaskFor("arn:aws:lambda:us-east-1:000000000000:function:f",
                      R"({"a":1})"));
  EXPECT_EQ(by_arn.path,
            "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aus-east-1%3A"
            "000000000000%3Afunction%3Af/invocations");
  EXPECT_EQ(by_arn.body, R"({"a":1})");
  const auto payload = [&](absl::string_view arguments) {
    return RequestTo(lambda,
                     TaskFor("arn:aws:states:::lambda:invoke", arguments))
        .body;
  };
  EXPECT_EQ(payload(R"({"FunctionName":"f","Payload":{"b":2}})"), R"({"b":2})");
  // A text is the payload itself, if it can be.
  EXPECT_EQ(payload(R"({"FunctionName":"f","Payload":"[0.0]"})"), "[0.0]");
  EXPECT_EQ(payload(R"({"FunctionName":"f","Payload":"text"})"), R"("text")");
  EXPECT_EQ(payload(R"({"FunctionName":"f","Payload":null})"), "{}");
  EXPECT_EQ(payload(R"({"FunctionName":"f"})"), "{}");
}

TEST(ServiceRequest, RefusesWhatItCannotCall) {
  const auto failure = [](const ServiceTraits& traits,
                          absl::string_view resource) {
    return std::get<TaskFailure>(
               RequestFor(TaskFor(resource, "{}"), NamedService(traits)))
        .error;
  };
  EXPECT_EQ(
      failure(
          {.name = "lambda", .target_prefix = "AWSLambda", .speaks_rest = true},
          "arn:aws:states:::aws-sdk:lambda:listFunctions"),
      "Lambda.SdkClientException");
  EXPECT_EQ(failure(kJsonService, "arn:aws:states:::sqs:receiveMessage"),
            "SQS.SdkClientException");
}

TEST(ServiceOutcome, HasTheHttpMetadataOfAnOptimizedIntegration) {
  const Answer answer{.content_type = "application/x-amz-json-1.0",
                      .body = R"({"MessageId":"m"})"};
  const Data result =
      ResultOf(TaskFor("arn:aws:states:::sqs:sendMessage", "{}"), answer);
  EXPECT_EQ(result.Find("MessageId")->string(), "m");
  EXPECT_EQ(result.Find("SdkHttpMetadata")->Find("HttpHeaders")->ToJson(),
            R"({"connection":"keep-alive","Content-Length":"17",)"
            R"("Content-Type":"application/x-amz-json-1.0",)"
            R"("Date":"Tue, 17 Nov 2026 08:00:00 GMT",)"
            R"("x-amzn-RequestId":"r-1"})");
  EXPECT_EQ(result.Find("SdkResponseMetadata")->ToJson(),
            R"({"RequestId":"r-1"})");
  // The AWS SDK's integration has the answer only.
  EXPECT_EQ(ResultOf(TaskFor("arn:aws:states:::aws-sdk:sqs:sendMessage", "{}"),
                     answer)
                .ToJson(),
            answer.body);
}

TEST(ServiceOutcome, NamesErrorsAsTheSdksDo) {
  const Answer conditional = JsonErrorAnswer(
      ServiceError({.code = "ConditionalCheckFailedException",
                    .message = "The conditional request failed"}),
      "com.amazonaws.dynamodb.v20120810#");
  const TaskCall optimized = TaskFor("arn:aws:states:::dynamodb:putItem", "{}");
  const TaskCall sdk =
      TaskFor("arn:aws:states:::aws-sdk:dynamodb:putItem", "{}");
  EXPECT_EQ(FailureIn(optimized, conditional).error,
            "DynamoDB.ConditionalCheckFailedException");
  EXPECT_EQ(FailureIn(optimized, conditional).cause,
            "The conditional request failed (Service: AmazonDynamoDBv2; Status "
            "Code: 400; Error Code: ConditionalCheckFailedException; Request "
            "ID: r-1; Proxy: null)");
  EXPECT_EQ(FailureIn(sdk, conditional).error,
            "DynamoDb.ConditionalCheckFailedException");
  EXPECT_EQ(FailureIn(sdk, conditional).cause,
            "The conditional request failed (Service: DynamoDb, Status Code: "
            "400, Request ID: r-1)");
  // Those that the SDKs have no class for have the service's name.
  const Answer invalid = JsonErrorAnswer(
      ServiceError({.code = "ValidationException", .message = "no"}), "");
  EXPECT_EQ(FailureIn(optimized, invalid).error,
            "DynamoDB.AmazonDynamoDBException");
  EXPECT_EQ(FailureIn(sdk, invalid).error, "DynamoDb.DynamoDbException");
  const Answer queue = JsonErrorAnswer(
      ServiceError({.code = "QueueDoesNotExist", .message = "no"}),
      "com.amazonaws.sqs#");
  EXPECT_EQ(
      FailureIn(TaskFor("arn:aws:states:::sqs:sendMessage", "{}"), queue).error,
      "SQS.QueueDoesNotExistException");
}

TEST(ServiceOutcome, FailsWithTheErrorOfTheFunction) {
  const TaskCall task =
      TaskFor("arn:aws:states:::lambda:invoke", R"({"FunctionName":"f"})");
  const Answer failed{.headers = {{"X-Amz-Function-Error", "Unhandled"}},
                      .body = R"({"errorType":"Oops","errorMessage":"m"})"};
  EXPECT_EQ(FailureIn(task, failed).error, "Oops");
  EXPECT_EQ(FailureIn(task, failed).cause, failed.body);
  const Answer timed_out{.headers = {{"X-Amz-Function-Error", "Unhandled"}},
                         .body = R"({"errorMessage":"Task timed out"})"};
  EXPECT_EQ(FailureIn(task, timed_out).error, "Lambda.Unknown");
  EXPECT_EQ(FailureIn(task, timed_out).cause,
            "The cause could not be determined because Lambda did not return "
            "an error type. Returned payload: "
            R"({"errorMessage":"Task timed out"})");
}

}  // namespace
}  // namespace byoshin::local::stepfunctions
