// The stand-ins for AWS, as the AWS SDK for JavaScript sees them: it accepts
// their answers and knows their errors, and its signatures pass the verifier.
// What it understands, a real client understands.

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/http/server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/aws_endpoint.h"
#include "tests/integration/fake_sqs.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/sdk_call.h"
#include "tests/integration/sigv4_verifier.h"

namespace byoshin::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

SigV4Expectation Expectation() {
  return {.access_key_id = kAccessKeyId,
          .secret_access_key = kSecretAccessKey,
          .session_token = kSessionToken,
          .region = kRegion,
          .service = "sqs"};
}

class StandInsTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
    ASSERT_TRUE(sqs.ok()) << sqs.status();
    sqs_ = *std::move(sqs);
  }

  Json::Value Send(const Json::Value& input) {
    return CallWithSdk(
        {"sqs", "SendMessageBatch", sqs_->endpoint().url(), input});
  }

  Json::Value OneMessage() const {
    Json::Value input;
    input["QueueUrl"] = sqs_->queue_url();
    Json::Value entry;
    entry["Id"] = "a";
    entry["MessageBody"] = "text";
    entry["DelaySeconds"] = 5;
    input["Entries"].append(entry);
    return input;
  }

  std::unique_ptr<FakeSqs> sqs_;
};

TEST_F(StandInsTest, SqsTakesWhatTheSdkSends) {
  const Json::Value result = Send(OneMessage());
  EXPECT_EQ(result["output"]["Successful"][0]["Id"], "a") << result;
  ASSERT_THAT(sqs_->messages(), SizeIs(1));
  EXPECT_EQ(sqs_->messages()[0].body, "text");
  EXPECT_EQ(sqs_->messages()[0].delay_seconds, 5);
  EXPECT_THAT(sqs_->endpoint().violations(), IsEmpty());
}

TEST_F(StandInsTest, SqsEnforcesItsLimitsWithErrorsThatTheSdkKnows) {
  Json::Value input = OneMessage();
  input["QueueUrl"] = absl::StrCat(sqs_->endpoint().url(), "/000000000000/x");
  EXPECT_EQ(Send(input)["error"], "QueueDoesNotExist");

  input = OneMessage();
  input["Entries"].append(input["Entries"][0]);
  EXPECT_EQ(Send(input)["error"], "BatchEntryIdsNotDistinct");

  input = OneMessage();
  for (int i = 0; i < 10; ++i) {
    Json::Value entry = input["Entries"][0];
    entry["Id"] = absl::StrCat(i);
    input["Entries"].append(entry);
  }
  EXPECT_EQ(Send(input)["error"], "TooManyEntriesInBatchRequest");
  EXPECT_THAT(sqs_->messages(), IsEmpty());
}

TEST_F(StandInsTest, SqsMisbehavesInWaysThatTheSdkNotices) {
  sqs_->endpoint().Inject(Fault::kThrottle);
  EXPECT_EQ(Send(OneMessage())["error"], "ThrottlingException");

  sqs_->AnswerWrongMd5();
  EXPECT_THAT(Send(OneMessage())["message"].asString(),
              HasSubstr("Invalid MD5 checksum"));

  sqs_->FailEntries({.delay_seconds = {5}});
  EXPECT_EQ(Send(OneMessage())["output"]["Failed"][0]["Code"], "InternalError");
}

TEST_F(StandInsTest, VerifierRefusesARequestThatWasChanged) {
  Send(OneMessage());
  ASSERT_THAT(sqs_->endpoint().requests(), SizeIs(1));
  const http::ServerRequest signed_request = sqs_->endpoint().requests()[0];
  ASSERT_TRUE(VerifySigV4(signed_request, Expectation()).ok());

  http::ServerRequest request = signed_request;
  request.body += " ";
  EXPECT_FALSE(VerifySigV4(request, Expectation()).ok());

  request = signed_request;
  request.path = "/other";
  EXPECT_FALSE(VerifySigV4(request, Expectation()).ok());

  request = signed_request;
  request.headers.push_back({"X-Amz-Added-Later", "1"});
  EXPECT_FALSE(VerifySigV4(request, Expectation()).ok());

  for (std::size_t i = 0; i < signed_request.headers.size(); ++i) {
    const std::string& name = signed_request.headers[i].name;
    if (!absl::EqualsIgnoreCase(name, "Host") &&
        !absl::StartsWithIgnoreCase(name, "X-Amz-")) {
      continue;
    }
    request = signed_request;
    request.headers[i].value += "x";
    EXPECT_FALSE(VerifySigV4(request, Expectation()).ok()) << name;
  }

  SigV4Expectation other = Expectation();
  other.secret_access_key += "x";
  EXPECT_FALSE(VerifySigV4(signed_request, other).ok());
}

}  // namespace
}  // namespace byoshin::integration
