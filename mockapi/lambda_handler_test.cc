#include "mockapi/lambda_handler.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mockapi {
namespace {

using ::testing::HasSubstr;

class LambdaHandlerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Invoke(absl::string_view payload) {
    lambda::Invocation invocation;
    invocation.payload = std::string(payload);
    return handler_.Handle(invocation);
  }

  // The answer to an event; fails if there is none.
  Json::Value Answer(absl::string_view payload) {
    const absl::StatusOr<std::string> text = Invoke(payload);
    EXPECT_TRUE(text.ok()) << text.status();
    const absl::StatusOr<Json::Value> answer = json::ParseValue(*text);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return *answer;
  }

  time::SimulatedClock clock_{absl::UnixEpoch()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  LambdaHandler handler_{logger_};
};

TEST_F(LambdaHandlerTest, AnswersAnEventOfApiGateway) {
  const absl::StatusOr<std::string> answer = Invoke(R"({
    "resource": "/response_count",
    "path": "/response_count",
    "httpMethod": "GET",
    "headers": {"Host": "x.execute-api.us-east-1.amazonaws.com"},
    "multiValueHeaders": {"Host": ["x.execute-api.us-east-1.amazonaws.com"]},
    "queryStringParameters": {
      "from": "2025-12-02T10:23:00Z", "to": "2025-12-02T10:23:05Z"},
    "multiValueQueryStringParameters": {
      "from": ["2025-12-02T10:23:00Z"], "to": ["2025-12-02T10:23:05Z"]},
    "pathParameters": null,
    "stageVariables": null,
    "requestContext": {"requestId": "1", "stage": "prod", "identity": {}},
    "body": null,
    "isBase64Encoded": false
  })");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(
      *answer,
      R"({"statusCode":200,"headers":{"Content-Type":"application/json"},)"
      R"("body":"{\"from\":\"2025-12-02T10:23:00Z\",)"
      R"(\"to\":\"2025-12-02T10:23:05Z\",\"count\":1}",)"
      R"("isBase64Encoded":false})");
}

TEST_F(LambdaHandlerTest, TakesAnEventWithTheSingleValuesAlone) {
  const Json::Value answer = Answer(R"({
    "path": "/response_count", "httpMethod": "GET",
    "queryStringParameters": {
      "from": "2025-12-02T10:23:00Z", "to": "2025-12-02T10:23:05Z"}})");
  EXPECT_EQ(answer["statusCode"].asInt(), 200);
}

TEST_F(LambdaHandlerTest, TreatsNullAsNoParameters) {
  const Json::Value answer = Answer(R"({
    "path": "/response_count", "httpMethod": "GET",
    "queryStringParameters": null, "multiValueQueryStringParameters": null})");
  EXPECT_EQ(answer["statusCode"].asInt(), 400);
  EXPECT_THAT(answer["body"].asString(), HasSubstr(R"(\"from\": missing)"));
}

TEST_F(LambdaHandlerTest, SeesThatAParameterWasGivenTwice) {
  const Json::Value answer = Answer(R"({
    "path": "/response_count", "httpMethod": "GET",
    "queryStringParameters": {
      "from": "2025-12-02T10:23:00Z", "to": "2025-12-02T10:23:05Z"},
    "multiValueQueryStringParameters": {
      "from": ["2025-12-02T10:22:00Z", "2025-12-02T10:23:00Z"],
      "to": ["2025-12-02T10:23:05Z"]}})");
  EXPECT_EQ(answer["statusCode"].asInt(), 400);
  EXPECT_THAT(answer["body"].asString(), HasSubstr("given more than once"));
}

TEST_F(LambdaHandlerTest, PassesOnTheHeadersOfAnAnswer) {
  const Json::Value answer =
      Answer(R"({"path": "/health", "httpMethod": "POST", "body": "x"})");
  EXPECT_EQ(answer["statusCode"].asInt(), 405);
  EXPECT_EQ(answer["headers"]["Allow"].asString(), "GET, HEAD");
}

TEST_F(LambdaHandlerTest, LeavesTheBodyOfAnAnswerToHeadOut) {
  const Json::Value answer =
      Answer(R"({"path": "/health", "httpMethod": "HEAD"})");
  EXPECT_EQ(answer["statusCode"].asInt(), 200);
  EXPECT_EQ(answer["body"].asString(), "");
}

TEST_F(LambdaHandlerTest, AnswersAnUnknownPath) {
  EXPECT_EQ(Answer(R"({"path": "/x", "httpMethod": "GET"})")["statusCode"],
            404);
}

TEST_F(LambdaHandlerTest, LogsEachRequest) {
  Answer(R"({"path": "/health", "httpMethod": "GET"})");
  const Json::Value line = sink_.AtLevel("INFO").at(0);
  EXPECT_EQ(line["message"].asString(), "request served");
  EXPECT_EQ(line["method"].asString(), "GET");
  EXPECT_EQ(line["path"].asString(), "/health");
  EXPECT_EQ(line["status"].asInt(), 200);
}

TEST_F(LambdaHandlerTest, RefusesWhatIsNoEventAndNamesTheField) {
  for (absl::string_view payload :
       {"", "null", "[]", "{", R"({"httpMethod": "GET"})", R"({"path": "/"})",
        R"({"path": 1, "httpMethod": "GET"})",
        R"({"path": "/", "httpMethod": "GET", "queryStringParameters": []})",
        R"({"path": "/", "httpMethod": "GET",
            "multiValueQueryStringParameters": {"from": "x"}})"}) {
    EXPECT_EQ(Invoke(payload).status().code(),
              absl::StatusCode::kInvalidArgument)
        << payload;
  }
  EXPECT_THAT(std::string(Invoke(R"({"path": "/"})").status().message()),
              HasSubstr("httpMethod"));
}

}  // namespace
}  // namespace byoshin::mockapi
