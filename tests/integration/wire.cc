#include "tests/integration/wire.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/sigv4_verifier.h"

namespace byoshin::integration {
namespace {

using ::testing::Contains;

SigV4Expectation Expectation(absl::string_view service) {
  return {.access_key_id = kAccessKeyId,
          .secret_access_key = kSecretAccessKey,
          .session_token = kSessionToken,
          .region = kRegion,
          .service = std::string(service)};
}

}  // namespace

void ExpectEquivalent(const http::ServerRequest& ours,
                      const http::ServerRequest& sdks,
                      absl::string_view signing_name) {
  EXPECT_EQ(ours.method, sdks.method);
  EXPECT_EQ(ours.target, sdks.target);
  for (const char* name :
       {"Host", "Content-Type", "X-Amz-Target", "X-Amz-Security-Token"}) {
    EXPECT_EQ(ours.FindHeader(name), sdks.FindHeader(name)) << name;
  }
  EXPECT_EQ(json::ParseValue(ours.body).value(),
            json::ParseValue(sdks.body).value());

  const absl::StatusOr<std::vector<std::string>> our_headers =
      VerifySigV4(ours, Expectation(signing_name));
  const absl::StatusOr<std::vector<std::string>> sdk_headers =
      VerifySigV4(sdks, Expectation(signing_name));
  ASSERT_TRUE(our_headers.ok()) << our_headers.status();
  ASSERT_TRUE(sdk_headers.ok()) << sdk_headers.status();
  for (const std::string& name : *sdk_headers) {
    // The SDK's telemetry: what we do not send cannot be signed.
    if (ours.FindHeader(name).empty()) continue;
    // Follows from the body, which is signed whole.
    if (name == "content-length") continue;
    EXPECT_THAT(*our_headers, Contains(name));
  }
}

}  // namespace byoshin::integration
