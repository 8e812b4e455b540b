// The mock API's zip under the Runtime API: events of API Gateway in, HTTP
// answers out.

#include <json/json.h>

#include <string>
#include <vector>

#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/function_fixture.h"

namespace byoshin::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct Parameter {
  std::string name;
  std::string value;
};

// As a REST API with proxy integration sends it.
std::string GatewayEvent(const std::string& method, const std::string& path,
                         const std::vector<Parameter>& parameters = {}) {
  Json::Value event;
  event["resource"] = "/{proxy+}";
  event["path"] = path;
  event["httpMethod"] = method;
  event["headers"]["Host"] = "id.execute-api.us-east-1.amazonaws.com";
  event["multiValueHeaders"]["Host"].append(
      "id.execute-api.us-east-1.amazonaws.com");
  event["queryStringParameters"] = Json::nullValue;
  event["multiValueQueryStringParameters"] = Json::nullValue;
  for (const Parameter& parameter : parameters) {
    event["queryStringParameters"][parameter.name] = parameter.value;
    event["multiValueQueryStringParameters"][parameter.name].append(
        parameter.value);
  }
  event["pathParameters"]["proxy"] = path.substr(1);
  event["stageVariables"] = Json::nullValue;
  event["requestContext"]["requestId"] = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef";
  event["requestContext"]["stage"] = "prod";
  event["body"] = Json::nullValue;
  event["isBase64Encoded"] = false;
  return json::WriteValue(event);
}

class MockApiTest : public FunctionTest {
 protected:
  struct Answer {
    int status = 0;
    Json::Value headers;
    std::string body;
  };

  void SetUp() override { StartFunction("mock_api", {}); }

  Answer Ask(const std::string& event) {
    const Json::Value response = ParseJson(Respond(event));
    if (!response.isObject()) return {};
    EXPECT_EQ(response["isBase64Encoded"], false);
    EXPECT_EQ(response["headers"]["Content-Type"], "application/json");
    return {response["statusCode"].asInt(), response["headers"],
            response["body"].asString()};
  }
};

TEST_F(MockApiTest, CountsByTheMinuteOfTheWindowsEnd) {
  const Answer answer = Ask(GatewayEvent(
      "GET", "/response_count",
      {{"from", "2025-12-02T10:23:55Z"}, {"to", "2025-12-02T10:24:00Z"}}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body,
            R"({"from":"2025-12-02T10:23:55Z","to":"2025-12-02T10:24:00Z",)"
            R"("count":2})");
}

TEST_F(MockApiTest, AnswersAnEventWrittenByHand) {
  const Answer answer = Ask(
      R"({"httpMethod":"GET","path":"/response_count","queryStringParameters":)"
      R"({"from":"2025-12-02T10:22:00Z","to":"2025-12-02T10:22:05Z"}})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(ParseJson(answer.body)["count"], 0);
}

TEST_F(MockApiTest, IsHealthy) {
  const Answer answer = Ask(GatewayEvent("GET", "/health"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"status":"ok"})");
}

TEST_F(MockApiTest, RefusesBadParametersAndSaysWhich) {
  const auto expect_refusal = [&](const std::vector<Parameter>& parameters,
                                  const std::string& part) {
    const Answer answer =
        Ask(GatewayEvent("GET", "/response_count", parameters));
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(ParseJson(answer.body)["error"].asString(), HasSubstr(part));
  };
  const std::string time = "2025-12-02T10:23:00Z";
  expect_refusal({}, "from");
  expect_refusal({{"from", time}}, "to");
  expect_refusal({{"to", time}}, "from");
  expect_refusal({{"from", "yesterday"}, {"to", time}}, "yesterday");
  expect_refusal({{"from", time}, {"to", "2025-02-30T00:00:00Z"}}, "to");
  expect_refusal({{"from", time}, {"to", time}}, "before");
  expect_refusal({{"from", time}, {"from", time}, {"to", time}}, "from");
}

TEST_F(MockApiTest, KnowsNoOtherPathAndNoOtherMethod) {
  EXPECT_EQ(Ask(GatewayEvent("GET", "/")).status, 404);
  EXPECT_EQ(Ask(GatewayEvent("GET", "/response_count/")).status, 404);
  const Answer answer = Ask(GatewayEvent("POST", "/health"));
  EXPECT_EQ(answer.status, 405);
  EXPECT_THAT(answer.headers["Allow"].asString(), HasSubstr("GET"));
}

TEST_F(MockApiTest, RefusesMalformedEventsAndSurvivesThem) {
  for (const char* event :
       {"", "null", "[]", "{}", "{\"path\":\"/health\"}",
        "{\"httpMethod\":\"GET\"}", "{\"httpMethod\":1,\"path\":\"/health\"}",
        "{\"httpMethod\":\"GET\",\"path\":\"/health\",\"headers\":[]}",
        "{\"httpMethod\":\"GET\",\"path\":\"\xff\"}"}) {
    SCOPED_TRACE(event);
    EXPECT_THAT(Fail(event).message, Not(IsEmpty()));
  }
  EXPECT_EQ(Ask(GatewayEvent("GET", "/health")).status, 200);
}

TEST_F(MockApiTest, LogsEveryRequest) {
  Ask(GatewayEvent("GET", "/health"));
  Ask(GatewayEvent("GET", "/nowhere"));
  const std::vector<Json::Value> lines = LogLines("request served");
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[1]["status"], 404);
}

}  // namespace
}  // namespace byoshin::integration
