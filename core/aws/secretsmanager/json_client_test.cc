#include "core/aws/secretsmanager/json_client.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::secretsmanager {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::HasSubstr;
using ::testing::Not;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);

class SecretsManagerJsonClientTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Get(http::Response response) {
    http_.Answer(response);
    return JsonClient({.http = http_,
                       .clock = clock_,
                       .environment =
                           env::FromMap({{"AWS_REGION", "us-east-1"},
                                         {"AWS_ACCESS_KEY_ID", "AKID"},
                                         {"AWS_SECRET_ACCESS_KEY", "hush"}})})
        .GetSecretValue("arn:secret", kStart + absl::Seconds(20));
  }

  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

TEST_F(SecretsManagerJsonClientTest, ReadsTheTextOfASecret) {
  const absl::StatusOr<std::string> secret =
      Get({.status = 200, .body = R"({"SecretString":"{\"a\":\"b\"}"})"});
  ASSERT_TRUE(secret.ok()) << secret.status();
  EXPECT_EQ(*secret, R"({"a":"b"})");
  const http::Request& request = http_.requests().back();
  EXPECT_EQ(request.url, "https://secretsmanager.us-east-1.amazonaws.com/");
  EXPECT_EQ(HeaderOf(request, "x-amz-target"), "secretsmanager.GetSecretValue");
  EXPECT_EQ(request.body, R"({"SecretId":"arn:secret"})");
}

TEST_F(SecretsManagerJsonClientTest, RefusesABinarySecret) {
  const absl::Status status =
      Get({.status = 200, .body = R"({"SecretBinary":"c2VjcmV0"})"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), Not(HasSubstr("c2VjcmV0")));
}

TEST_F(SecretsManagerJsonClientTest, SaysThatThereIsNoSuchSecret) {
  const absl::Status status =
      Get({.status = 400, .body = R"({"__type":"ResourceNotFoundException"})"})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace byoshin::aws::secretsmanager
