#include "core/aws/json_protocol.h"

#include <json/json.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/crypto/crc32.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);  // 10:23:00
const absl::Time kDeadline = kStart + absl::Seconds(20);

http::Response Throttled() {
  return {
      .status = 400,
      .body = R"({"__type":"x#ThrottlingException","message":"slow down"})"};
}

class JsonProtocolTest : public ::testing::Test {
 protected:
  absl::StatusOr<Json::Value> Send(JsonProtocol::Call call,
                                   absl::Time deadline = kDeadline) {
    JsonProtocol protocol({.http = http_,
                           .clock = clock_,
                           .environment = env::FromMap(variables_),
                           .logger = &logger_,
                           .random = [] { return 0.5; }});
    return protocol.Send(call, deadline);
  }
  absl::StatusOr<Json::Value> Send() { return Send(call_); }

  JsonProtocol::Call call_{.service = {.name = "dynamodb"},
                           .target = "DynamoDB_20120810.ListTables",
                           .operation = "DynamoDB ListTables"};
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"},
      {"AWS_SECRET_ACCESS_KEY", "hush"},
      {"AWS_SESSION_TOKEN", "token"},
      {"AWS_REGION", "eu-west-1"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

TEST_F(JsonProtocolTest, SendsWhatTheProtocolAsksFor) {
  http_.Answer({.status = 200, .body = R"({"TableNames":["a"]})"});
  call_.input["Limit"] = 5;
  call_.headers = {{"X-More", "yes"}};
  const absl::StatusOr<Json::Value> output = Send();
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ((*output)["TableNames"][0].asString(), "a");

  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://dynamodb.eu-west-1.amazonaws.com/");
  EXPECT_EQ(request.body, R"({"Limit":5})");
  EXPECT_EQ(HeaderOf(request, "content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(HeaderOf(request, "x-amz-target"), "DynamoDB_20120810.ListTables");
  EXPECT_EQ(HeaderOf(request, "x-more"), "yes");
  EXPECT_EQ(HeaderOf(request, "host"), "dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(HeaderOf(request, "x-amz-date"), "20251202T102300Z");
  EXPECT_EQ(HeaderOf(request, "x-amz-security-token"), "token");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              StartsWith("AWS4-HMAC-SHA256 Credential=AKID/20251202/eu-west-1/"
                         "dynamodb/aws4_request, SignedHeaders=content-type;"
                         "host;x-amz-date;x-amz-security-token;x-amz-target;"
                         "x-more, Signature="));
}

TEST_F(JsonProtocolTest, SendsAnEmptyInputAsAnObject) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests().at(0).body, "{}");
}

TEST_F(JsonProtocolTest, PrefersTheCallsUrlToAwssOwn) {
  http_.Answer({.status = 200, .body = "{}"});
  call_.url = "https://eu-west-1.queue.amazonaws.com";
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests().at(0).url,
            "https://eu-west-1.queue.amazonaws.com/");
}

TEST_F(JsonProtocolTest, PrefersAConfiguredEndpointToTheCallsUrl) {
  http_.Answer({.status = 200, .body = "{}"});
  call_.url = "https://eu-west-1.queue.amazonaws.com";
  variables_["AWS_ENDPOINT_URL_DYNAMODB"] = "http://localhost:8000/base/";
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests().at(0).url, "http://localhost:8000/base/");
  EXPECT_EQ(HeaderOf(http_.requests()[0], "host"), "localhost:8000");
}

TEST_F(JsonProtocolTest, NamesWhatIsMissingOrWrongInTheEnvironment) {
  variables_.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(Send().status(),
            absl::FailedPreconditionError(
                "DynamoDB ListTables: the environment variable "
                "AWS_SECRET_ACCESS_KEY is not set"));
  variables_["AWS_REGION"] = "!";
  EXPECT_THAT(std::string(Send().status().message()), HasSubstr("AWS_REGION"));
  variables_["AWS_REGION"] = "eu-west-1";
  variables_["AWS_ENDPOINT_URL"] = "localhost";
  EXPECT_THAT(std::string(Send().status().message()),
              HasSubstr("AWS_ENDPOINT_URL"));
  EXPECT_THAT(http_.requests(), SizeIs(0));
}

TEST_F(JsonProtocolTest, GivesTheErrorThatAwsAnswered) {
  http_.Answer(
      {.status = 400,
       .headers = {{"x-amzn-requestid", "id-1"}},
       .body = R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
               R"(ResourceNotFoundException","message":"no such table"})"});
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "DynamoDB ListTables: ResourceNotFoundException: no such table "
            "(HTTP 400, request id id-1)");
  EXPECT_EQ(ErrorOf(status)->code, "ResourceNotFoundException");
  EXPECT_THAT(http_.requests(), SizeIs(1));
}

TEST_F(JsonProtocolTest, TriesAgainAfterEachKindOfPassingFailure) {
  http_.Answer(Throttled());
  http_.Answer({.status = 503, .body = "<html>unavailable</html>"});
  http_.Fail(absl::UnavailableError("connection refused"));
  http_.Answer({.status = 200, .body = "{}"});
  const absl::StatusOr<Json::Value> output = Send();
  EXPECT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(http_.unused(), 0);
  EXPECT_EQ(clock_.Now(), kStart + absl::Milliseconds(50 + 100 + 200));
}

TEST_F(JsonProtocolTest, TriesAgainAfterATimeOutOrADamagedAnswer) {
  http_.Fail(absl::DeadlineExceededError("time-out"));
  http_.Answer({.status = 200, .body = "{\"TableNames\":["});
  http_.Answer(
      {.status = 200, .headers = {{"x-amz-crc32", "1"}}, .body = "{}"});
  http_.Answer({.status = 200, .body = "{}"});
  const absl::StatusOr<Json::Value> output = Send();
  EXPECT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(JsonProtocolTest, SignsEachAttemptAnew) {
  http_.AnswerBy([this](const http::Request&) {
    clock_.Advance(absl::Seconds(2));
    return Throttled();
  });
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send().ok());
  ASSERT_THAT(http_.requests(), SizeIs(2));
  EXPECT_EQ(HeaderOf(http_.requests()[1], "x-amz-date"), "20251202T102302Z");
  EXPECT_NE(HeaderOf(http_.requests()[0], "authorization"),
            HeaderOf(http_.requests()[1], "authorization"));
  EXPECT_EQ(http_.requests()[0].headers.size(),
            http_.requests()[1].headers.size());
}

TEST_F(JsonProtocolTest, GivesUpInTheEnd) {
  http_.AlwaysAnswerBy([](const http::Request&) { return Throttled(); });
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ErrorOf(status)->code, "ThrottlingException");
  EXPECT_THAT(http_.requests(), SizeIs(4));
}

TEST_F(JsonProtocolTest, DoesNotTryAgainWhatCannotSucceed) {
  for (const absl::Status& failure :
       {absl::InvalidArgumentError("URL"), absl::UnauthenticatedError("TLS"),
        absl::ResourceExhaustedError("too long")}) {
    http_.Fail(failure);
    EXPECT_EQ(Send().status().code(), failure.code());
    EXPECT_EQ(http_.unused(), 0);
  }
  for (const char* code : {"RequestTimeTooSkewed", "AccessDeniedException",
                           "ConditionalCheckFailedException"}) {
    http_.Answer(
        {.status = 400, .body = absl::StrCat(R"({"__type":")", code, R"("})")});
    EXPECT_EQ(ErrorOf(Send().status())->code, code);
    EXPECT_EQ(http_.unused(), 0);
  }
}

TEST_F(JsonProtocolTest, SaysWhatFailedOnTheWay) {
  http_.Fail(absl::UnauthenticatedError("POST https://x/: certificate"));
  EXPECT_EQ(Send().status(),
            absl::UnauthenticatedError(
                "DynamoDB ListTables: POST https://x/: certificate"));
}

TEST_F(JsonProtocolTest, GivesEachAttemptItsTimeOuts) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send().ok());
  EXPECT_EQ(http_.requests()[0].timeout, kAttemptTimeout);
  EXPECT_EQ(http_.requests()[0].connect_timeout, kConnectTimeout);
}

TEST_F(JsonProtocolTest, EndsEachAttemptByTheDeadline) {
  http_.AnswerBy(
      [this](const http::Request&) -> absl::StatusOr<http::Response> {
        clock_.Advance(absl::Milliseconds(1500));
        return absl::UnavailableError("broke");
      });
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send(call_, kStart + absl::Seconds(3)).ok());
  ASSERT_THAT(http_.requests(), SizeIs(2));
  EXPECT_EQ(http_.requests()[0].timeout, absl::Seconds(3));
  EXPECT_EQ(http_.requests()[0].connect_timeout, absl::Seconds(2));
  // 1.5 s and the pause later.
  EXPECT_EQ(http_.requests()[1].timeout, absl::Milliseconds(1450));
  EXPECT_EQ(http_.requests()[1].connect_timeout, absl::Milliseconds(1450));
}

TEST_F(JsonProtocolTest, DoesNotTryAgainPastTheDeadline) {
  http_.AnswerBy([this](const http::Request& request) {
    clock_.Advance(request.timeout);
    return absl::DeadlineExceededError("time-out");
  });
  const absl::Status status = Send(call_, kStart + absl::Seconds(3)).status();
  EXPECT_EQ(status,
            absl::DeadlineExceededError("DynamoDB ListTables: time-out"));
  EXPECT_THAT(http_.requests(), SizeIs(1));
}

TEST_F(JsonProtocolTest, SendsNothingWhenTheDeadlineHasPassed) {
  for (const absl::Time deadline :
       {kStart, kStart - absl::Seconds(1), absl::InfinitePast()}) {
    const absl::Status status = Send(call_, deadline).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(std::string(status.message()),
                StartsWith("DynamoDB ListTables: "));
  }
  EXPECT_THAT(http_.requests(), SizeIs(0));
}

TEST_F(JsonProtocolTest, HasTimeWithoutADeadline) {
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send(call_, absl::InfiniteFuture()).ok());
  EXPECT_EQ(http_.requests()[0].timeout, kAttemptTimeout);
}

TEST_F(JsonProtocolTest, AcceptsAnAnswerThatAddsUp) {
  http_.Answer({.status = 200,
                .headers = {{"X-Amz-Crc32", "2745614147"}},
                .body = "{}"});
  EXPECT_TRUE(Send().ok());
}

TEST_F(JsonProtocolTest, RefusesAnAnswerThatDoesNotAddUp) {
  for (const char* checksum :
       {"2745614146", "0", "-1", "x", "99999999999999999999"}) {
    http_.AlwaysAnswerBy([checksum](const http::Request&) {
      return http::Response{
          .status = 200, .headers = {{"x-amz-crc32", checksum}}, .body = "{}"};
    });
    const absl::Status status = Send().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << checksum;
    EXPECT_THAT(std::string(status.message()), HasSubstr("x-amz-crc32"));
  }
}

TEST_F(JsonProtocolTest, DoesNotBelieveAnErrorThatDoesNotAddUp) {
  const std::string body = R"({"__type":"ConditionalCheckFailedException"})";
  http_.Answer(
      {.status = 400, .headers = {{"x-amz-crc32", "1"}}, .body = body});
  http_.Answer({.status = 400,
                .headers = {{"x-amz-crc32", absl::StrCat(crypto::Crc32(body))}},
                .body = body});
  EXPECT_EQ(Send().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(http_.unused(), 0);
}

TEST_F(JsonProtocolTest, RefusesAnAnswerThatIsNoJsonObject) {
  for (const std::string& body :
       {std::string(), std::string("<html>"), std::string("null"),
        std::string("[]"), std::string("5"), std::string("{}x"),
        std::string("\0", 1), std::string(1 << 20, '[')}) {
    http_.AlwaysAnswerBy([&body](const http::Request&) {
      return http::Response{.status = 200, .body = body};
    });
    const absl::Status status = Send().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << body.substr(0, 80);
    EXPECT_THAT(std::string(status.message()),
                StartsWith("DynamoDB ListTables: the answer is not "));
    EXPECT_LT(status.message().size(), 1000u);
  }
}

TEST_F(JsonProtocolTest, TakesOtherStatusesThan200ForErrors) {
  for (const int http_status : {201, 204, 301, 400, 404}) {
    http_.Answer({.status = http_status, .body = "{}"});
    EXPECT_EQ(ErrorOf(Send().status())->http_status, http_status);
  }
}

TEST_F(JsonProtocolTest, LogsWhatIsTriedAgainAndNoSecret) {
  http_.Answer(Throttled());
  http_.Answer({.status = 200, .body = "{}"});
  EXPECT_TRUE(Send().ok());
  ASSERT_THAT(sink_.lines(), SizeIs(1));
  const Json::Value line = json::ParseValue(sink_.lines()[0]).value();
  EXPECT_EQ(line["level"].asString(), "WARN");
  EXPECT_EQ(line["operation"].asString(), "DynamoDB ListTables");
  EXPECT_EQ(line["attempt"].asInt(), 1);
  EXPECT_EQ(line["pauseMs"].asInt(), 50);
  EXPECT_EQ(line["error"].asString(),
            "DynamoDB ListTables: ThrottlingException: slow down (HTTP 400)");
  EXPECT_THAT(sink_.lines()[0],
              AllOf(Not(HasSubstr("hush")), Not(HasSubstr("token"))));
}

TEST_F(JsonProtocolTest, NeedsNoLogger) {
  http_.Answer(Throttled());
  http_.Answer({.status = 200, .body = "{}"});
  JsonProtocol protocol({.http = http_,
                         .clock = clock_,
                         .environment = env::FromMap(variables_)});
  EXPECT_TRUE(protocol.Send(call_, kDeadline).ok());
}

}  // namespace
}  // namespace byoshin::aws
