#include "core/aws/stepfunctions/json_client.h"

#include <json/json.h>

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/aws/stepfunctions/client.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::stepfunctions {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);
const absl::Time kDeadline = kStart + absl::Seconds(20);

class StepFunctionsJsonClientTest : public ::testing::Test {
 protected:
  JsonClient Client() {
    return JsonClient({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .random = [] { return 0.5; }});
  }
  void ExpectSent(const std::string& operation, const std::string& body) {
    ASSERT_FALSE(http_.requests().empty());
    const http::Request& request = http_.requests().back();
    EXPECT_EQ(HeaderOf(request, "x-amz-target"),
              absl::StrCat("AWSStepFunctions.", operation));
    EXPECT_EQ(request.body, body);
  }

  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

TEST_F(StepFunctionsJsonClientTest, StartsAnExecution) {
  http_.Answer(
      {.status = 200, .body = R"({"executionArn":"arn:e","startDate":1.5})"});
  const absl::StatusOr<std::string> arn = Client().StartExecution(
      {.state_machine_arn = "arn:m", .name = "n", .input = R"({"a":1})"},
      kDeadline);
  ASSERT_TRUE(arn.ok()) << arn.status();
  EXPECT_EQ(*arn, "arn:e");
  ExpectSent("StartExecution",
             R"({"input":"{\"a\":1}","name":"n","stateMachineArn":"arn:m"})");
  EXPECT_EQ(http_.requests()[0].url, "https://states.us-east-1.amazonaws.com/");
  EXPECT_EQ(HeaderOf(http_.requests()[0], "content-type"),
            "application/x-amz-json-1.0");
  EXPECT_THAT(HeaderOf(http_.requests()[0], "authorization"),
              HasSubstr("/us-east-1/states/aws4_request"));
}

TEST_F(StepFunctionsJsonClientTest, UsesTheEndpointOfTheSdksVariable) {
  http_.Answer({.status = 200, .body = "{}"});
  variables_["AWS_ENDPOINT_URL_SFN"] = "http://localhost:1";
  EXPECT_TRUE(Client().SendTaskHeartbeat("t", kDeadline).ok());
  EXPECT_EQ(http_.requests()[0].url, "http://localhost:1/");
}

TEST_F(StepFunctionsJsonClientTest, NeedsTheArnOfAnExecution) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_EQ(Client().StartExecution({.name = "n"}, kDeadline).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(StepFunctionsJsonClientTest, StartsANamedExecutionAgainAfterALoss) {
  http_.Fail(absl::UnavailableError("reset"));
  http_.Answer({.status = 200, .body = R"({"executionArn":"arn:e"})"});
  EXPECT_TRUE(Client().StartExecution({.name = "n"}, kDeadline).ok());
}

TEST_F(StepFunctionsJsonClientTest, DoesNotStartTwiceWhatHasNoName) {
  http_.Fail(absl::UnavailableError("reset"));
  EXPECT_EQ(Client().StartExecution({}, kDeadline).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_THAT(http_.requests(), SizeIs(1));
  EXPECT_EQ(http_.requests()[0].body, R"({"input":"{}","stateMachineArn":""})");
}

TEST_F(StepFunctionsJsonClientTest, StopsAnExecution) {
  http_.Answer({.status = 200, .body = R"({"stopDate":1.5})"});
  http_.Answer({.status = 200, .body = R"({"stopDate":1.5})"});
  EXPECT_TRUE(Client().StopExecution({.execution_arn = "e"}, kDeadline).ok());
  ExpectSent("StopExecution", R"({"executionArn":"e"})");
  EXPECT_TRUE(
      Client()
          .StopExecution({.execution_arn = "e", .error = "E", .cause = "C"},
                         kDeadline)
          .ok());
  ExpectSent("StopExecution",
             R"({"cause":"C","error":"E","executionArn":"e"})");
}

TEST_F(StepFunctionsJsonClientTest, DescribesAnExecution) {
  http_.Answer({.status = 200,
                .body =
                    R"({"executionArn":"e","stateMachineArn":"m","name":"n",)"
                    R"("status":"FAILED","startDate":1764670980.25,)"
                    R"("stopDate":1764670981,"input":"{}","error":"E",)"
                    R"("cause":"C"})"});
  const absl::StatusOr<Execution> execution =
      Client().DescribeExecution("e", kDeadline);
  ASSERT_TRUE(execution.ok()) << execution.status();
  ExpectSent("DescribeExecution", R"({"executionArn":"e"})");
  EXPECT_EQ(execution->execution_arn, "e");
  EXPECT_EQ(execution->state_machine_arn, "m");
  EXPECT_EQ(execution->name, "n");
  EXPECT_EQ(execution->status, ExecutionStatus::kFailed);
  EXPECT_EQ(execution->start_date, kStart + absl::Milliseconds(250));
  EXPECT_EQ(execution->stop_date, kStart + absl::Seconds(1));
  EXPECT_EQ(execution->input, "{}");
  EXPECT_EQ(execution->output, "");
  EXPECT_EQ(execution->error, "E");
  EXPECT_EQ(execution->cause, "C");
}

TEST_F(StepFunctionsJsonClientTest, KnowsWhenAnExecutionIsRunning) {
  http_.Answer(
      {.status = 200, .body = R"({"status":"RUNNING","startDate":1})"});
  const absl::StatusOr<Execution> execution =
      Client().DescribeExecution("e", kDeadline);
  ASSERT_TRUE(execution.ok()) << execution.status();
  EXPECT_EQ(execution->status, ExecutionStatus::kRunning);
  EXPECT_EQ(execution->stop_date, std::nullopt);
}

TEST_F(StepFunctionsJsonClientTest, RefusesADescriptionThatMakesNoSense) {
  for (const char* body :
       {"{}", R"({"status":"RUNNING"})", R"({"status":5,"startDate":1})",
        R"({"status":"SLEEPING","startDate":1})",
        R"({"status":"RUNNING","startDate":"today"})"}) {
    http_.Answer({.status = 200, .body = body});
    EXPECT_EQ(Client().DescribeExecution("e", kDeadline).status().code(),
              absl::StatusCode::kDataLoss)
        << body;
  }
}

TEST_F(StepFunctionsJsonClientTest, ReportsOnTasks) {
  http_.AlwaysAnswerBy([](const http::Request&) {
    return http::Response{.status = 200, .body = "{}"};
  });
  EXPECT_TRUE(Client().SendTaskSuccess("t", R"({"a":1})", kDeadline).ok());
  ExpectSent("SendTaskSuccess", R"({"output":"{\"a\":1}","taskToken":"t"})");
  EXPECT_TRUE(Client()
                  .SendTaskFailure({.token = "t", .error = "E", .cause = "C"},
                                   kDeadline)
                  .ok());
  ExpectSent("SendTaskFailure", R"({"cause":"C","error":"E","taskToken":"t"})");
  EXPECT_TRUE(Client().SendTaskHeartbeat("t", kDeadline).ok());
  ExpectSent("SendTaskHeartbeat", R"({"taskToken":"t"})");
}

TEST_F(StepFunctionsJsonClientTest, TruncatesWhatIsTooLongToReport) {
  http_.Answer({.status = 200, .body = "{}"});
  std::string cause = "a";
  while (cause.size() <= kMaxCauseLength) cause += "秒";
  EXPECT_TRUE(
      Client()
          .SendTaskFailure(
              {.token = "t", .error = std::string(300, 'e'), .cause = cause},
              kDeadline)
          .ok());
  const Json::Value sent = json::ParseValue(http_.requests()[0].body).value();
  EXPECT_THAT(sent["error"].asString(), SizeIs(kMaxErrorLength));
  EXPECT_LE(sent["cause"].asString().size(), kMaxCauseLength);
  EXPECT_GT(sent["cause"].asString().size(), kMaxCauseLength - 3);
}

TEST_F(StepFunctionsJsonClientTest, GivesErrorsACode) {
  const auto code_of = [this](const std::string& type) {
    http_.Answer(
        {.status = 400, .body = absl::StrCat(R"({"__type":")", type, R"("})")});
    const absl::Status status = Client().SendTaskHeartbeat("t", kDeadline);
    EXPECT_EQ(ErrorOf(status)->code, type);
    return status.code();
  };
  EXPECT_EQ(code_of("ExecutionAlreadyExists"),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(code_of("ExecutionDoesNotExist"), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of("StateMachineDoesNotExist"), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of("TaskDoesNotExist"), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of("TaskTimedOut"), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(code_of("InvalidToken"), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace byoshin::aws::stepfunctions
