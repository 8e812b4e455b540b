#include "core/aws/bedrock/json_client.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/error.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::bedrock {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);

constexpr char kAnswer[] =
    R"({"output":{"message":{"role":"assistant","content":[)"
    R"({"reasoningContent":{"reasoningText":{"text":"hm"}}},)"
    R"({"text":"One. "},{"text":"Two."}]}},"stopReason":"end_turn",)"
    R"("usage":{"inputTokens":7,"outputTokens":4,"totalTokens":11},)"
    R"("metrics":{"latencyMs":551}})";

class BedrockJsonClientTest : public ::testing::Test {
 protected:
  absl::StatusOr<ConverseResult> Converse() {
    JsonClient client({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .random = [] { return 0.5; }});
    return client.Converse(request_, kStart + absl::Minutes(5));
  }

  ConverseRequest request_{
      .model_id = "amazon.nova-lite-v1:0",
      .messages = {{.role = Role::kUser, .text = "Count."}}};
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

TEST_F(BedrockJsonClientTest, AsksAModel) {
  http_.Answer({.status = 200, .body = kAnswer});
  request_.system = "Be short.";
  request_.messages.push_back({.role = Role::kAssistant, .text = "1"});
  request_.messages.push_back({.role = Role::kUser, .text = "Go on."});
  request_.max_tokens = 100;
  request_.temperature = 0.5;
  request_.top_p = 0.25;
  request_.stop_sequences = {"END"};
  const absl::StatusOr<ConverseResult> result = Converse();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->text, "One. Two.");
  EXPECT_EQ(result->stop_reason, "end_turn");
  EXPECT_EQ(result->usage.input_tokens, 7);
  EXPECT_EQ(result->usage.output_tokens, 4);
  EXPECT_EQ(result->usage.total_tokens, 11);
  EXPECT_EQ(result->latency, absl::Milliseconds(551));

  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.url,
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
            "amazon.nova-lite-v1%3A0/converse");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              HasSubstr("/us-east-1/bedrock/aws4_request"));
  EXPECT_EQ(request.body,
            R"({"inferenceConfig":{"maxTokens":100,"stopSequences":["END"],)"
            R"("temperature":0.5,"topP":0.25},"messages":[)"
            R"({"content":[{"text":"Count."}],"role":"user"},)"
            R"({"content":[{"text":"1"}],"role":"assistant"},)"
            R"({"content":[{"text":"Go on."}],"role":"user"}],)"
            R"("system":[{"text":"Be short."}]})");
}

TEST_F(BedrockJsonClientTest, LeavesOutWhatIsNotSaid) {
  http_.Answer({.status = 200, .body = kAnswer});
  EXPECT_TRUE(Converse().ok());
  EXPECT_EQ(http_.requests()[0].body,
            R"({"messages":[{"content":[{"text":"Count."}],"role":"user"}]})");
}

TEST_F(BedrockJsonClientTest, WaitsLongForAnAnswer) {
  http_.Answer({.status = 200, .body = kAnswer});
  EXPECT_TRUE(Converse().ok());
  EXPECT_EQ(http_.requests()[0].timeout, kConverseAttemptTimeout);
}

TEST_F(BedrockJsonClientTest, WaitsAsLongAsItIsTold) {
  http_.Answer({.status = 200, .body = kAnswer});
  JsonClient client(
      {.http = http_, .clock = clock_, .environment = env::FromMap(variables_)},
      absl::Seconds(20));
  EXPECT_TRUE(client.Converse(request_, kStart + absl::Minutes(5)).ok());
  EXPECT_EQ(http_.requests()[0].timeout, absl::Seconds(20));
}

TEST_F(BedrockJsonClientTest, RefusesAnAnswerWithoutAMessage) {
  for (const char* body :
       {"{}", R"({"output":5})", R"({"output":{"message":{}}})",
        R"({"output":{"message":{"content":"text"}}})"}) {
    http_.Answer({.status = 200, .body = body});
    EXPECT_EQ(Converse().status().code(), absl::StatusCode::kDataLoss) << body;
  }
}

TEST_F(BedrockJsonClientTest, AsksAgainWhenThrottled) {
  http_.Answer({.status = 429,
                .headers = {{"x-amzn-ErrorType", "ThrottlingException"}},
                .body = R"({"message":"Too many tokens"})"});
  http_.Answer(
      {.status = 503,
       .headers = {{"x-amzn-ErrorType", "ServiceUnavailableException"}},
       .body = "{}"});
  http_.Answer({.status = 200, .body = kAnswer});
  EXPECT_TRUE(Converse().ok());
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(BedrockJsonClientTest, GivesErrorsACode) {
  const auto code_of = [this](int http_status, const std::string& type) {
    http_.Answer({.status = http_status,
                  .headers = {{"x-amzn-ErrorType", type}},
                  .body = R"({"message":"no"})"});
    const absl::Status status = Converse().status();
    EXPECT_EQ(ErrorOf(status)->code, type);
    return status.code();
  };
  EXPECT_EQ(code_of(400, "ValidationException"),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of(403, "AccessDeniedException"),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(code_of(404, "ResourceNotFoundException"),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of(408, "ModelTimeoutException"),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(code_of(424, "ModelErrorException"), absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace byoshin::aws::bedrock
