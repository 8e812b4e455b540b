#include "local/gateway/authenticator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"

namespace byoshin::local {
namespace {

absl::Time At(const absl::CivilSecond& civil) {
  return absl::FromCivil(civil, absl::UTCTimeZone());
}

const absl::Time kNow = At(absl::CivilSecond(2026, 11, 16, 8, 0, 0));

http::ServerRequest RequestTo(std::string method, std::string target) {
  http::ServerRequest request;
  request.method = std::move(method);
  request.target = target;
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  return request;
}

void SetHeader(absl::string_view name, absl::string_view value,
               http::ServerRequest& request) {
  for (http::Header& header : request.headers) {
    if (header.name == name) {
      header.value = std::string(value);
      return;
    }
  }
  request.headers.push_back({std::string(name), std::string(value)});
}

void Replace(absl::string_view name, absl::string_view from,
             absl::string_view to, http::ServerRequest& request) {
  SetHeader(name, absl::StrReplaceAll(request.FindHeader(name), {{from, to}}),
            request);
}

class AuthenticatorTest : public ::testing::Test {
 protected:
  AuthenticatorTest() {
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
    credentials_.Add({.access_key_id = "ASIATEMP",
                      .secret_access_key = aws::Secret("secret/+"),
                      .session_token = aws::Secret("token//+="),
                      .expires = kNow + absl::Minutes(10),
                      .account_id = "123456789012"});
    credentials_.Add({.access_key_id = "AKIDEXAMPLE",
                      .secret_access_key = aws::Secret(
                          "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")});
  }

  // A request to DynamoDB, signed by our own signer.
  static http::ServerRequest Signed(
      const aws::Credentials& credentials = {"test", aws::Secret("test")},
      absl::Time time = kNow) {
    aws::RequestParts parts{
        .method = "POST",
        .headers = {{"Host", "127.0.0.1:4566"},
                    {"Content-Type", "application/x-amz-json-1.0"},
                    {"X-Amz-Target", "DynamoDB_20120810.ListTables"}},
        .body = "{}"};
    http::ServerRequest request = RequestTo("POST", "/");
    request.headers = parts.headers;
    request.body = parts.body;
    const aws::Signature signature = aws::Sign(
        parts, credentials,
        {.region = "eu-central-1", .service = "dynamodb", .time = time});
    request.headers.insert(request.headers.end(), signature.headers.begin(),
                           signature.headers.end());
    return request;
  }

  absl::StatusOr<Identity> Authenticate(
      const http::ServerRequest& request,
      Authenticator::Expectation expectation = {.service = "dynamodb"}) {
    return Authenticator(credentials_, clock_)
        .Authenticate(request, expectation);
  }

  // As "code: message".
  std::string JsonError(const http::ServerRequest& request) {
    const ErrorAnswer error = ErrorAnswerOf(Authenticate(request).status());
    EXPECT_EQ(error.http_status, 400);
    return absl::StrCat(error.code, ": ", error.message);
  }

  // As "status code".
  std::string QueryError(const http::ServerRequest& request) {
    const ErrorAnswer error = ErrorAnswerOf(
        Authenticate(request, {.protocol = WireProtocol::kQuery}).status());
    return absl::StrCat(error.http_status, " ", error.query_code);
  }

  time::SimulatedClock clock_{kNow};
  CredentialSet credentials_;
};

using SignedHeader = AuthenticatorTest;
using Presigned = AuthenticatorTest;

TEST_F(SignedHeader, OfOurOwnSignerIsAccepted) {
  const absl::StatusOr<Identity> identity = Authenticate(Signed());
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->caller.access_key_id, "test");
  EXPECT_EQ(identity->caller.account_id, "000000000000");
  EXPECT_EQ(identity->region, "eu-central-1");
  EXPECT_EQ(identity->service, "dynamodb");
  // The second time with the signing key of the first.
  EXPECT_TRUE(Authenticate(Signed()).ok());
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
TEST_F(SignedHeader, OfTheExampleThatAwsPublishesIsAccepted) {
  time::SimulatedClock clock(At(absl::CivilSecond(2015, 8, 30, 12, 36, 0)));
  http::ServerRequest request =
      RequestTo("GET", "/?Action=ListUsers&Version=2010-05-08");
  request.headers = {
      {"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
      {"HOST", "iam.amazonaws.com"},
      {"user-agent", "not signed"},
      {"x-amz-date", "20150830T123600Z"},
      {"authorization",
       "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/"
       "aws4_request, SignedHeaders=content-type;host;x-amz-date, "
       "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b"
       "5d7"}};
  const auto identity =
      Authenticator(credentials_, clock)
          .Authenticate(request, {.protocol = WireProtocol::kQuery});
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->service, "iam");
}

TEST_F(SignedHeader, IsMissing) {
  http::ServerRequest request = RequestTo("POST", "/");
  EXPECT_EQ(JsonError(request),
            "MissingAuthenticationTokenException: Request is missing "
            "Authentication Token");
  EXPECT_EQ(QueryError(request), "403 MissingAuthenticationToken");
  SetHeader("Authorization", "Bearer abc", request);
  EXPECT_EQ(QueryError(request), "403 MissingAuthenticationToken");
}

TEST_F(SignedHeader, LacksParts) {
  http::ServerRequest request = RequestTo("POST", "/");
  SetHeader("Authorization", "AWS4-HMAC-SHA256", request);
  EXPECT_EQ(JsonError(request),
            "IncompleteSignatureException: Authorization header requires "
            "'Credential' parameter. Authorization header requires 'Signature' "
            "parameter. Authorization header requires 'SignedHeaders' "
            "parameter. Authorization header requires existence of either a "
            "'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256");
  EXPECT_EQ(QueryError(request), "400 IncompleteSignature");
  SetHeader("Authorization", "AWS4-HMAC-SHA256 Credential", request);
  EXPECT_EQ(JsonError(request),
            "IncompleteSignatureException: 'Credential' not a valid key=value "
            "pair (missing equal-sign) in Authorization header: "
            "'AWS4-HMAC-SHA256 Credential'.");
}

TEST_F(SignedHeader, MustNotHaveAPartTwice) {
  for (const char* part :
       {"Signature=0123", "Credential=test", "SignedHeaders=host"}) {
    http::ServerRequest request = Signed();
    std::string authorization(request.FindHeader("Authorization"));
    absl::StrAppend(&authorization, ", ", part);
    SetHeader("Authorization", authorization, request);
    EXPECT_EQ(
        JsonError(request),
        absl::StrCat("IncompleteSignatureException: Authorization header has "
                     "more than one '",
                     std::string(part).substr(0, std::string(part).find('=')),
                     "' parameter. Authorization=", authorization));
  }
  http::ServerRequest request = Signed();
  request.headers.push_back(
      {"authorization", std::string(request.FindHeader("Authorization"))});
  EXPECT_EQ(JsonError(request),
            "IncompleteSignatureException: The request has more than one "
            "Authorization header.");
}

TEST_F(SignedHeader, IsOfAnUnknownKey) {
  const http::ServerRequest request =
      Signed({"AKIAUNKNOWN", aws::Secret("test")});
  EXPECT_EQ(JsonError(request),
            "UnrecognizedClientException: The security token included in the "
            "request is invalid.");
  EXPECT_EQ(QueryError(request), "403 InvalidClientTokenId");
}

TEST_F(SignedHeader, IsMadeWithTheWrongSecret) {
  const http::ServerRequest request = Signed({"test", aws::Secret("guess")});
  const std::string error = JsonError(request);
  EXPECT_TRUE(absl::StartsWith(
      error,
      "InvalidSignatureException: The request signature we calculated does not "
      "match the signature you provided. Check your AWS Secret Access Key and "
      "signing method. Consult the service documentation for details.\n\nThe "
      "Canonical String for this request should have been\n'POST\n/\n\n"
      "content-type:application/x-amz-json-1.0\nhost:127.0.0.1:4566\n"))
      << error;
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
}

TEST_F(SignedHeader, DoesNotCoverWhatWasChangedOnTheWay) {
  http::ServerRequest request = Signed();
  request.body = "{ }";
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
  request = Signed();
  request.method = "PUT";
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
  request = Signed();
  request.path = "/other";
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
  request = Signed();
  request.query = "a=b";
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
  request = Signed();
  SetHeader("X-Amz-Target", "DynamoDB_20120810.DeleteTable", request);
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
  request = Signed();
  request.headers.erase(request.headers.begin() + 1);
  EXPECT_EQ(QueryError(request), "403 SignatureDoesNotMatch");
}

TEST_F(SignedHeader, IsGoodForAQuarterOfAnHour) {
  const aws::Credentials test{"test", aws::Secret("test")};
  EXPECT_TRUE(Authenticate(Signed(test, kNow - absl::Minutes(15))).ok());
  EXPECT_TRUE(Authenticate(Signed(test, kNow + absl::Minutes(15))).ok());
  EXPECT_EQ(JsonError(Signed(test, kNow - absl::Seconds(901))),
            "InvalidSignatureException: Signature expired: 20261116T074459Z is "
            "now earlier than 20261116T074500Z (20261116T080000Z - 15 min.)");
  const http::ServerRequest early = Signed(test, kNow + absl::Seconds(901));
  EXPECT_EQ(JsonError(early),
            "InvalidSignatureException: Signature not yet current: "
            "20261116T081501Z is still later than 20261116T081500Z "
            "(20261116T080000Z + 15 min.)");
  EXPECT_EQ(QueryError(early), "403 SignatureDoesNotMatch");
}

TEST_F(SignedHeader, HasAnImpossibleDate) {
  for (const char* date :
       {"201", "Sun, 23 Nov 2014 04:07:43 GMT", "20260230T000000Z",
        "20261116T080060Z", "20261116X080000Z", "2026111aT080000Z"}) {
    http::ServerRequest request = Signed();
    SetHeader("X-Amz-Date", date, request);
    EXPECT_EQ(
        JsonError(request),
        absl::StrCat("IncompleteSignatureException: Date must be in "
                     "ISO-8601 'basic format'. Got '",
                     date, "'. See http://en.wikipedia.org/wiki/ISO_8601"));
  }
}

// As the SDK for JavaScript does over HTTP/2.
TEST_F(SignedHeader, MayCoverTheAuthorityInsteadOfTheHost) {
  aws::RequestParts parts{
      .method = "POST",
      .headers = {{":authority", "127.0.0.1:4566"},
                  {"x-amz-target", "DynamoDB_20120810.ListTables"}},
      .body = "{}"};
  http::ServerRequest request = RequestTo("POST", "/");
  request.body = parts.body;
  request.headers = {{"host", "127.0.0.1:4566"},
                     {"x-amz-target", "DynamoDB_20120810.ListTables"}};
  const aws::Signature signature = aws::Sign(
      parts, {"test", aws::Secret("test")},
      {.region = "eu-central-1", .service = "dynamodb", .time = kNow});
  request.headers.insert(request.headers.end(), signature.headers.begin(),
                         signature.headers.end());
  ASSERT_THAT(std::string(request.FindHeader("Authorization")),
              ::testing::HasSubstr("SignedHeaders=:authority;x-amz-date"));
  EXPECT_TRUE(Authenticate(request).ok()) << Authenticate(request).status();

  SetHeader("host", "127.0.0.1:4567", request);
  EXPECT_FALSE(Authenticate(request).ok());
}

TEST_F(SignedHeader, MustCoverHostAndDate) {
  http::ServerRequest request = Signed();
  Replace("Authorization", "host;", "", request);
  EXPECT_EQ(JsonError(request),
            "InvalidSignatureException: 'Host' must be a 'SignedHeader' in the "
            "AWS Authorization.");
  request = Signed();
  Replace("Authorization", "x-amz-date;", "", request);
  EXPECT_EQ(JsonError(request),
            "InvalidSignatureException: 'X-Amz-Date' must be a 'SignedHeader' "
            "in the AWS Authorization.");
}

// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
TEST_F(SignedHeader, MustCoverAllHeadersOfAws) {
  http::ServerRequest request = Signed();
  request.headers.push_back({"X-Amz-Invocation-Type", "Event"});
  EXPECT_EQ(JsonError(request),
            "InvalidSignatureException: 'x-amz-invocation-type' must be a "
            "'SignedHeader' in the AWS Authorization.");
  request.headers.back() = {"X-Amzn-Trace-Id", "Root=1"};
  EXPECT_TRUE(Authenticate(request).ok());

  // A signature for nothing in particular is not good for an operation.
  aws::RequestParts parts{
      .method = "POST", .headers = {{"Host", "127.0.0.1:4566"}}, .body = "{}"};
  http::ServerRequest bare = RequestTo("POST", "/");
  bare.headers = parts.headers;
  bare.body = parts.body;
  const aws::Signature signature = aws::Sign(
      parts, {"test", aws::Secret("test")},
      {.region = "eu-central-1", .service = "dynamodb", .time = kNow});
  bare.headers.insert(bare.headers.end(), signature.headers.begin(),
                      signature.headers.end());
  EXPECT_TRUE(Authenticate(bare).ok());
  bare.headers.push_back({"x-amz-TARGET", "DynamoDB_20120810.DeleteTable"});
  EXPECT_EQ(QueryError(bare), "403 SignatureDoesNotMatch");
  EXPECT_EQ(JsonError(bare),
            "InvalidSignatureException: 'x-amz-target' must be a "
            "'SignedHeader' in the AWS Authorization.");
}

TEST_F(SignedHeader, IsOfAnotherAlgorithm) {
  http::ServerRequest request = Signed();
  Replace("Authorization", "SHA256", "SHA512", request);
  EXPECT_EQ(JsonError(request),
            "IncompleteSignatureException: Unsupported AWS 'algorithm': "
            "'AWS4-HMAC-SHA512' (only AWS4-HMAC-SHA256 for now). ");
}

TEST_F(SignedHeader, HasAScopeThatDoesNotFit) {
  http::ServerRequest request = Signed();
  Replace("Authorization", "/dynamodb/", "/", request);
  EXPECT_EQ(JsonError(request),
            "IncompleteSignatureException: Credential must have exactly 5 "
            "slash-delimited elements, e.g. keyid/date/region/service/term, "
            "got 'test/20261116/eu-central-1/aws4_request'");
  request = Signed();
  Replace("Authorization", "20261116/eu-central-1/dynamodb/aws4_request",
          "20261115/a.b/sqs/aws5", request);
  EXPECT_EQ(JsonError(request),
            "InvalidSignatureException: Credential should be scoped to a valid "
            "region, not 'a.b'. Credential should be scoped to correct "
            "service: 'dynamodb'. Credential should be scoped with a valid "
            "terminator: 'aws4_request', not 'aws5'. Date in Credential scope "
            "does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
            "'20261115' != '20261116', from '20261116T080000Z'.");
}

TEST_F(SignedHeader, OfTemporaryCredentialsNeedsTheirToken) {
  const aws::Credentials temporary{"ASIATEMP", aws::Secret("secret/+"),
                                   aws::Secret("token//+=")};
  const auto identity = Authenticate(Signed(temporary));
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->caller.account_id, "123456789012");
  const char* kInvalid =
      "UnrecognizedClientException: The security token included in the request "
      "is invalid";
  EXPECT_EQ(JsonError(Signed({"ASIATEMP", aws::Secret("secret/+")})), kInvalid);
  EXPECT_EQ(JsonError(Signed({"ASIATEMP", aws::Secret("secret/+"),
                              aws::Secret("tokeN//+=")})),
            kInvalid);
  EXPECT_EQ(
      JsonError(Signed({"test", aws::Secret("test"), aws::Secret("token")})),
      kInvalid);

  clock_.AdvanceTo(kNow + absl::Minutes(10));
  EXPECT_EQ(JsonError(Signed(temporary)),
            "ExpiredTokenException: The security token included in the request "
            "is expired");
  EXPECT_EQ(QueryError(Signed(temporary)), "403 ExpiredToken");
}

TEST_F(SignedHeader, FollowsCredentialsAsTheyComeAndGo) {
  EXPECT_TRUE(Authenticate(Signed()).ok());
  credentials_.Add(
      {.access_key_id = "test", .secret_access_key = aws::Secret("changed")});
  EXPECT_EQ(QueryError(Signed()), "403 SignatureDoesNotMatch");
  EXPECT_TRUE(Authenticate(Signed({"test", aws::Secret("changed")})).ok());
  credentials_.Remove("test");
  EXPECT_EQ(QueryError(Signed()), "403 InvalidClientTokenId");
}

// Made by botocore 1.43.
constexpr char kByBotocore[] =
    "/000000000000/orders?Action=ReceiveMessage&AttributeName.1=All&"
    "Text=a%20b%2Fc%2B&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
    "test%2F20261116%2Feu-central-1%2Fsqs%2Faws4_request&X-Amz-Date="
    "20261116T074031Z&X-Amz-Expires=90&X-Amz-SignedHeaders=host&"
    "X-Amz-Signature="
    "42cafb8bf51999adbd837ae2e40fca86555ae7e44f2930e270b8539f67d85820";
const absl::Time kBotocoreTime = At(absl::CivilSecond(2026, 11, 16, 7, 40, 31));

http::ServerRequest FromBotocore(absl::string_view target = kByBotocore) {
  http::ServerRequest request = RequestTo("GET", std::string(target));
  SetHeader("Host", "127.0.0.1:4566", request);
  return request;
}

TEST_F(Presigned, ByBotocoreIsAcceptedUntilItExpires) {
  time::SimulatedClock clock(kBotocoreTime + absl::Seconds(90));
  const Authenticator authenticator(credentials_, clock);
  const Authenticator::Expectation query{.protocol = WireProtocol::kQuery};
  const auto identity = authenticator.Authenticate(FromBotocore(), query);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->service, "sqs");
  clock.AdvanceBy(absl::Seconds(1));
  const ErrorAnswer error =
      ErrorAnswerOf(authenticator.Authenticate(FromBotocore(), query).status());
  EXPECT_EQ(error.query_code, "SignatureDoesNotMatch");
  EXPECT_EQ(error.message,
            "Signature expired: 20261116T074031Z is now earlier than "
            "20261116T074032Z (20261116T074202Z - 90 sec.)");
}

TEST_F(Presigned, WithASessionTokenIsAccepted) {
  time::SimulatedClock clock(kBotocoreTime);
  const auto identity =
      Authenticator(credentials_, clock)
          .Authenticate(
              FromBotocore(
                  "/?Action=ListQueues&X-Amz-Algorithm=AWS4-HMAC-SHA256&"
                  "X-Amz-Credential=ASIATEMP%2F20261116%2Feu-central-1%2Fsqs%"
                  "2Faws4_request&X-Amz-Date=20261116T074031Z&X-Amz-Expires="
                  "3600&X-Amz-SignedHeaders=host&X-Amz-Security-Token="
                  "token%2F%2F%2B%3D&X-Amz-Signature=414fa22fca7f86a7b59ca20b6"
                  "900a31141aacaac5057d9a32ab0902a2f63e1db"),
              {.protocol = WireProtocol::kQuery});
  EXPECT_TRUE(identity.ok()) << identity.status();
}

TEST_F(Presigned, ByTheSdkForJavaScriptIsAccepted) {
  http::ServerRequest request = RequestTo(
      "GET",
      "/000000000000/a%20queue?Action=SendMessage&MessageBody=x%3D1%26y%20%C3%"
      "BC&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20261116%"
      "2Fus-east-1%2Fsqs%2Faws4_request&X-Amz-Date=20261116T080000Z&"
      "X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature="
      "4b97988fdab4797f1f7ec01c55f271627320b72682a2db3230c894765eab104a");
  SetHeader("Host", "localhost:4566", request);
  const auto identity =
      Authenticate(request, {.protocol = WireProtocol::kQuery});
  EXPECT_TRUE(identity.ok()) << identity.status();
}

// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
TEST_F(Presigned, ExampleThatAwsPublishesIsAccepted) {
  credentials_.Add({.access_key_id = "AKIAIOSFODNN7EXAMPLE",
                    .secret_access_key = aws::Secret(
                        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")});
  time::SimulatedClock clock(At(absl::CivilSecond(2013, 5, 24, 12, 0, 0)));
  http::ServerRequest request = RequestTo(
      "GET",
      "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
      "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&"
      "X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders="
      "host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d1"
      "57751f604d404");
  request.body = "not signed";
  request.headers = {{"Host", "examplebucket.s3.amazonaws.com"},
                     {"x-amz-content-sha256", "UNSIGNED-PAYLOAD"}};
  const auto identity =
      Authenticator(credentials_, clock)
          .Authenticate(request, {.protocol = WireProtocol::kQuery});
  EXPECT_TRUE(identity.ok()) << identity.status();
}

TEST_F(Presigned, MustCoverAllHeadersOfAws) {
  time::SimulatedClock clock(kBotocoreTime);
  http::ServerRequest request = FromBotocore();
  request.headers.push_back({"X-Amz-Target", "AmazonSQS.PurgeQueue"});
  const ErrorAnswer error = ErrorAnswerOf(
      Authenticator(credentials_, clock)
          .Authenticate(request, {.protocol = WireProtocol::kQuery})
          .status());
  EXPECT_EQ(error.message,
            "'x-amz-target' must be a 'SignedHeader' in the AWS "
            "Authorization.");
}

TEST_F(Presigned, IsRefusedForWhatItLacks) {
  EXPECT_EQ(JsonError(RequestTo("GET", "/?X-Amz-Algorithm=&X-Amz-Date=x")),
            "IncompleteSignatureException: AWS query-string parameters must "
            "include 'X-Amz-Algorithm'. AWS query-string parameters must "
            "include 'X-Amz-Credential'. AWS query-string parameters must "
            "include 'X-Amz-Signature'. AWS query-string parameters must "
            "include 'X-Amz-SignedHeaders'. Re-examine the query-string "
            "parameters.");
}

TEST_F(Presigned, MustNotHaveAPartTwice) {
  clock_.AdvanceTo(kNow);
  for (const char* name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-Signature", "X-Amz-SignedHeaders"}) {
    EXPECT_EQ(
        JsonError(FromBotocore(absl::StrCat(kByBotocore, "&", name, "=x"))),
        absl::StrCat("IncompleteSignatureException: AWS query-string "
                     "parameters must include '",
                     name, "' only once."));
  }
}

TEST_F(Presigned, IsRefusedIfItChanged) {
  clock_.AdvanceTo(kNow);
  std::string target = kByBotocore;
  EXPECT_EQ(QueryError(FromBotocore(absl::StrReplaceAll(
                target, {{"AttributeName.1=All", "AttributeName.1=Nil"},
                         {"Expires=90", "Expires=7200"}}))),
            "403 SignatureDoesNotMatch");
  for (const char* expires : {"0", "604801", "-1", "1h", "", "9999999999"}) {
    EXPECT_EQ(
        QueryError(FromBotocore(absl::StrReplaceAll(
            target, {{"Expires=90", absl::StrCat("Expires=", expires)}}))),
        "400 IncompleteSignature")
        << expires;
  }
  http::ServerRequest both = FromBotocore();
  SetHeader("Authorization", "AWS4-HMAC-SHA256 Credential=x", both);
  EXPECT_EQ(JsonError(both),
            "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a "
            "query-string param and 'Authorization' as HTTP header.");
}

}  // namespace
}  // namespace byoshin::local
