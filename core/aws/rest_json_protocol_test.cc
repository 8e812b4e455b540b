#include "core/aws/rest_json_protocol.h"

#include <json/json.h>

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/error.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const absl::Time kRestStart = absl::FromUnixSeconds(1764670980);  // 10:23:00

class RestJsonProtocolTest : public ::testing::Test {
 protected:
  absl::StatusOr<Json::Value> Send() {
    RestJsonProtocol protocol({.http = http_,
                               .clock = clock_,
                               .environment = env::FromMap(variables_),
                               .random = [] { return 0.5; }});
    return protocol.Send(call_, kRestStart + absl::Seconds(60));
  }

  RestJsonProtocol::Call call_{
      .service = {.name = "bedrock-runtime", .signing_name = "bedrock"},
      .path = {"model", "amazon.nova-lite-v1:0", "converse"},
      .operation = "Bedrock Converse"};
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "hush"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kRestStart};
};

TEST_F(RestJsonProtocolTest, SendsWhatTheProtocolAsksFor) {
  http_.Answer({.status = 200, .body = R"({"a":1})"});
  call_.input["b"] = 2;
  const absl::StatusOr<Json::Value> output = Send();
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ((*output)["a"].asInt(), 1);
  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url,
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
            "amazon.nova-lite-v1%3A0/converse");
  EXPECT_EQ(request.body, R"({"b":2})");
  EXPECT_EQ(HeaderOf(request, "content-type"), "application/json");
  EXPECT_EQ(HeaderOf(request, "x-amz-target"), "");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              HasSubstr("/us-east-1/bedrock/aws4_request"));
}

TEST_F(RestJsonProtocolTest, EncodesASlashWithinASegment) {
  http_.Answer({.status = 200, .body = "{}"});
  call_.path[1] = "arn:aws:bedrock:us-east-1:1:inference-profile/us.x-v1:0 (é)";
  EXPECT_TRUE(Send().ok());
  EXPECT_THAT(http_.requests()[0].url,
              HasSubstr("/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference"
                        "-profile%2Fus.x-v1%3A0%20%28%C3%A9%29/converse"));
}

TEST_F(RestJsonProtocolTest, AppendsThePathToThatOfAConfiguredEndpoint) {
  http_.Answer({.status = 200, .body = "{}"});
  variables_["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] = "http://localhost:1/base/";
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests()[0].url,
            "http://localhost:1/base/model/amazon.nova-lite-v1%3A0/converse");
}

TEST_F(RestJsonProtocolTest, RefusesSegmentsThatWouldBecomeAnotherPath) {
  for (const char* segment : {"", ".", ".."}) {
    call_.path[1] = segment;
    EXPECT_EQ(Send().status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_THAT(http_.requests(), SizeIs(0));
}

TEST_F(RestJsonProtocolTest, ReadsTheErrorInTheHeader) {
  http_.Answer(
      {.status = 424,
       .headers = {{"x-amzn-ErrorType", "ModelErrorException:http://x"}},
       .body = R"({"message":"no","originalStatusCode":500})"});
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(ErrorOf(status)->code, "ModelErrorException");
  EXPECT_EQ(status.message(),
            "Bedrock Converse: ModelErrorException: no (HTTP 424)");
}

TEST_F(RestJsonProtocolTest, KeepsToTheLimitsOfTheCall) {
  http_.Answer({.status = 200, .body = "{}"});
  call_.limits = {.attempt_timeout = absl::Seconds(50),
                  .max_response_bytes = 77};
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests()[0].timeout, absl::Seconds(50));
  EXPECT_EQ(http_.requests()[0].connect_timeout, kConnectTimeout);
  EXPECT_EQ(http_.requests()[0].max_response_bytes, 77u);
  EXPECT_EQ(http_.requests()[0].resend, http::Resend::kAllowed);
}

TEST_F(RestJsonProtocolTest, SendsAgainWhatIsHarmless) {
  http_.Answer({.status = 500, .body = "{}"});
  http_.Fail(absl::UnavailableError("reset"));
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send().ok());
}

TEST_F(RestJsonProtocolTest, DoesNotSendAgainWhatMayHaveHadAnEffect) {
  call_.limits.repetition = Repetition::kHarmful;
  http_.Answer({.status = 500, .body = "{}"});
  EXPECT_EQ(Send().status().code(), absl::StatusCode::kUnavailable);
  http_.Fail(absl::DeadlineExceededError("late"));
  EXPECT_EQ(Send().status().code(), absl::StatusCode::kDeadlineExceeded);
  http_.Answer({.status = 200, .body = "{"});
  EXPECT_EQ(Send().status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(http_.unused(), 0);
  EXPECT_EQ(http_.requests()[0].resend, http::Resend::kNever);
}

TEST_F(RestJsonProtocolTest, SendsAgainWhatHadNoEffect) {
  call_.limits.repetition = Repetition::kHarmful;
  http_.Answer({.status = 429, .body = R"({"__type":"ThrottlingException"})"});
  http_.Fail(http::MarkUnsent(absl::UnavailableError("refused")));
  http_.Answer({.status = 200, .body = "{}"});
  const absl::StatusOr<Json::Value> output = Send();
  EXPECT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(http_.unused(), 0);
}

}  // namespace
}  // namespace byoshin::aws
