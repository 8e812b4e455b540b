#include "core/aws/sigv4.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4_suite.h"
#include "core/http/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Sign, ShowsWhatWasSigned) {
  const Signature signature =
      Sign(RequestParts{.headers = {{"Host", "example.amazonaws.com"}}},
           SuiteCredentials(), SuiteScope());
  EXPECT_EQ(signature.canonical_request,
            "GET\n/\n\nhost:example.amazonaws.com\n"
            "x-amz-date:20150830T123600Z\n\nhost;x-amz-date\n"
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(signature.string_to_sign,
            "AWS4-HMAC-SHA256\n20150830T123600Z\n"
            "20150830/us-east-1/service/aws4_request\n"
            "bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63");
}

std::vector<std::string> NamesOf(const std::vector<http::Header>& headers) {
  std::vector<std::string> names;
  for (const http::Header& header : headers) names.push_back(header.name);
  return names;
}

TEST(SignRequest, GivesTheHeadersToAdd) {
  Credentials credentials = SuiteCredentials();
  http::Request request{.url = "https://example.amazonaws.com"};
  absl::StatusOr<Signature> signature =
      Sign(request, credentials, SuiteScope());
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_THAT(NamesOf(signature->headers),
              ElementsAre("Host", "X-Amz-Date", "Authorization"));
  EXPECT_EQ(signature->headers[0].value, "example.amazonaws.com");
  EXPECT_EQ(signature->headers[1].value, "20150830T123600Z");
  EXPECT_EQ(signature->headers[2].value, Expected("host;x-amz-date", kVanilla));

  credentials.session_token = Secret("token");
  request.headers = {{"host", "other"}};
  signature = Sign(request, credentials, SuiteScope());
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_THAT(
      NamesOf(signature->headers),
      ElementsAre("X-Amz-Date", "X-Amz-Security-Token", "Authorization"));
  EXPECT_EQ(signature->headers[1].value, "token");
  EXPECT_THAT(signature->canonical_request, HasSubstr("\nhost:other\n"));
}

TEST(SignRequest, SignsThePartsOfTheUrl) {
  const absl::StatusOr<Signature> signature =
      Sign(http::Request{.method = "PUT",
                         .url = "http://LOCALHOST:4566/a%20b/c?y=%2F&x=1+2"},
           SuiteCredentials(), SuiteScope());
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_THAT(signature->canonical_request,
              HasSubstr("PUT\n/a%2520b/c\nx=1%202&y=%2F\n"
                        "host:localhost:4566\n"));
}

TEST(SignRequest, LeavesOutHeadersThatChangeOnTheWay) {
  const absl::StatusOr<Signature> signature =
      Sign(http::Request{.url = "http://x",
                         .headers = {{"User-Agent", "a"},
                                     {"X-Amzn-Trace-Id", "b"},
                                     {"Connection", "c"},
                                     {"Proxy-Authorization", "d"},
                                     {"Sec-Fetch-Mode", "e"},
                                     {"Accept", "f"}}},
           SuiteCredentials(), SuiteScope());
  ASSERT_TRUE(signature.ok()) << signature.status();
  EXPECT_THAT(AuthorizationOf(*signature),
              HasSubstr("SignedHeaders=accept;host;x-amz-date,"));
}

TEST(SignRequest, RefusesARequestThatIsSignedAlready) {
  for (const char* name :
       {"authorization", "X-Amz-Date", "x-amz-security-token"}) {
    const absl::Status status =
        Sign(http::Request{.url = "http://x", .headers = {{name, "secret"}}},
             SuiteCredentials(), SuiteScope())
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
  }
}

TEST(SignRequest, RefusesMalformedUrls) {
  for (const char* url : {"", "x", "http://x/a b", "http://x/?=1"}) {
    EXPECT_EQ(Sign(http::Request{.url = url}, SuiteCredentials(), SuiteScope())
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument)
        << url;
  }
}

}  // namespace
}  // namespace byoshin::aws
