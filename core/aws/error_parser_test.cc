#include "core/aws/error_parser.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string CodeOf(const http::Response& response) {
  return ParseError(response).code;
}

std::string MessageOf(const http::Response& response) {
  return ParseError(response).message;
}

TEST(ParseError, ReadsAnErrorOfDynamoDb) {
  const Error error = ParseError(
      {.status = 400,
       .headers = {{"x-amzn-RequestId", "0KQ7AD7V1DFMK8GGM7OTAMBJRRVV4KQNS"}},
       .body = R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
               R"(ConditionalCheckFailedException",)"
               R"("message":"The conditional request failed"})"});
  EXPECT_EQ(error.code, "ConditionalCheckFailedException");
  EXPECT_EQ(error.message, "The conditional request failed");
  EXPECT_EQ(error.http_status, 400);
  EXPECT_EQ(error.request_id, "0KQ7AD7V1DFMK8GGM7OTAMBJRRVV4KQNS");
}

TEST(ParseError, ReadsAnErrorOfSqs) {
  const Error error = ParseError(
      {.status = 400,
       .headers = {{"x-amzn-requestid", "fe8e0b7c-1e6e-5a1f"},
                   {"x-amzn-query-error",
                    "AWS.SimpleQueueService.NonExistentQueue;Sender"}},
       .body = R"({"__type":"com.amazonaws.sqs#QueueDoesNotExist",)"
               R"("message":"The specified queue does not exist."})"});
  EXPECT_EQ(error.code, "QueueDoesNotExist");
  EXPECT_EQ(error.message, "The specified queue does not exist.");
  EXPECT_EQ(error.request_id, "fe8e0b7c-1e6e-5a1f");
}

TEST(ParseError, TakesTheCodeFromWhereItIs) {
  EXPECT_EQ(CodeOf({.body = R"({"__type":"A"})"}), "A");
  EXPECT_EQ(CodeOf({.body = R"({"code":"A"})"}), "A");
  EXPECT_EQ(CodeOf({.body = R"({"Code":"A"})"}), "A");
  EXPECT_EQ(CodeOf({.headers = {{"X-Amzn-ErrorType", "A"}}, .body = "{}"}),
            "A");
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "A"}}}), "A");
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-query-error", "A;Sender"}}}), "A");
}

TEST(ParseError, PrefersTheBodyToTheHeaders) {
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "C"},
                                {"x-amzn-query-error", "D"}},
                    .body = R"({"code":"B","__type":"A"})"}),
            "A");
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "C"},
                                {"x-amzn-query-error", "D"}},
                    .body = "{}"}),
            "C");
}

// `code` may be a member of the error in REST-JSON.
TEST(ParseError, PrefersTheHeaderToAMemberNamedCode) {
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "A:http://x/"}},
                    .body = R"({"code":"B"})"}),
            "A");
}

TEST(ParseError, KeepsTheSqlStateOfAMessageOfSeveralLines) {
  EXPECT_EQ(MessageOf({.body = R"({"__type":"DatabaseErrorException",)"
                               R"("message":"ERROR: duplicate key\n)"
                               R"(  Detail: Key (mail)=(a@b) exists.; )"
                               R"(SQLState: 23505"})"}),
            "ERROR: duplicate key; SQLState: 23505");
  EXPECT_EQ(MessageOf({.body = R"({"message":"ERROR: x; SQLState: 42601"})"}),
            "ERROR: x; SQLState: 42601");
  EXPECT_EQ(MessageOf({.body = R"({"message":"a\nb; SQLState: 4 601"})"}), "a");
}

TEST(ParseError, LeavesOutNamespaceAndSuffix) {
  EXPECT_EQ(CodeOf({.body = R"({"__type":"a.b#c#A"})"}), "A");
  EXPECT_EQ(
      CodeOf({.headers = {{"x-amzn-errortype",
                           "A:http://internal.amazon.com/coral/com.amazon/"}}}),
      "A");
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "aws#A:http://x#y"}}}),
            "A");
  EXPECT_EQ(CodeOf({.headers = {{"x-amzn-errortype", "A,B"}}}), "A");
}

TEST(ParseError, PassesOverACodeThatIsNoName) {
  for (const char* body :
       {R"({"__type":""})", R"({"__type":5})", R"({"__type":null})",
        R"({"__type":{"a":1}})", R"({"__type":"a b"})", R"({"__type":"#"})",
        R"({"__type":"A\nB"})", R"({"__type":":A"})", R"({"__type":"é"})"}) {
    EXPECT_EQ(
        CodeOf({.headers = {{"x-amzn-errortype", "Header"}}, .body = body}),
        "Header")
        << body;
  }
  EXPECT_EQ(CodeOf({.body = absl::StrCat(R"({"__type":")",
                                         std::string(129, 'A'), R"("})")}),
            kUnknownError);
}

TEST(ParseError, TakesEitherSpellingOfTheMessage) {
  EXPECT_EQ(MessageOf({.body = R"({"__type":"A","message":"m"})"}), "m");
  EXPECT_EQ(MessageOf({.body = R"({"__type":"A","Message":"m"})"}), "m");
  EXPECT_EQ(MessageOf({.body = R"({"__type":"A"})"}), "");
  EXPECT_EQ(MessageOf({.body = R"({"__type":"A","message":["m"]})"}), "");
}

TEST(ParseError, DoesNotRepeatWhatWasSigned) {
  const std::string message = MessageOf(
      {.status = 403,
       .body = R"({"__type":"com.amazon.coral.service#SignatureDoesNotMatch",)"
               R"("message":"The request signature we calculated does not )"
               R"(match.\n\nThe Canonical String for this request should have )"
               R"(been\n'POST\n/\n\nx-amz-security-token:secret'"})"});
  EXPECT_EQ(message, "The request signature we calculated does not match.");
}

TEST(ParseError, CutsALongMessageBetweenTwoCharacters) {
  std::string text = "a";
  for (int i = 0; i < 1000; ++i) text += "\xe7\xa7\x92";
  const std::string message = MessageOf(
      {.body = absl::StrCat(R"({"__type":"A","message":")", text, R"("})")});
  EXPECT_LE(message.size(), 1027u);
  EXPECT_GT(message.size(), 1000u);
  EXPECT_THAT(message, EndsWith("\xe7\xa7\x92..."));
}

TEST(ParseError, ReadsXml) {
  const Error error = ParseError(
      {.status = 403,
       .body = "<?xml version=\"1.0\"?>\n<ErrorResponse><Error><Type>Sender"
               "</Type><Code>InvalidClientTokenId</Code><Message>The security "
               "token is invalid.</Message></Error><RequestId>ab-12</RequestId>"
               "</ErrorResponse>"});
  EXPECT_EQ(error.code, "InvalidClientTokenId");
  EXPECT_EQ(error.message, "The security token is invalid.");
  EXPECT_EQ(error.request_id, "ab-12");
}

TEST(ParseError, GivesAnErrorForWhatIsNone) {
  const Error error =
      ParseError({.status = 502,
                  .headers = {{"Content-Type", "text/html"}},
                  .body = "<html>\r\n<h1>502 Bad Gateway</h1></html>"});
  EXPECT_EQ(error.code, kUnknownError);
  EXPECT_EQ(error.http_status, 502);
  EXPECT_EQ(error.message,
            "the answer is not an AWS error: "
            "\"<html>\\r\\n<h1>502 Bad Gateway</h1></html>\"");
  EXPECT_EQ(ToStatus(error, "X").code(), absl::StatusCode::kUnavailable);
}

TEST(ParseError, GivesAnErrorForAnyBody) {
  for (const std::string& body :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"),
        std::string("\"text\""), std::string("5"), std::string(1000, '['),
        std::string("\0\xff", 2), std::string("<Code>"),
        std::string("<Code></Code>"), std::string("</Code><Code>"),
        std::string("<Code>a b</Code>")}) {
    const Error error = ParseError({.status = 418, .body = body});
    EXPECT_EQ(error.code, kUnknownError) << body;
    EXPECT_EQ(error.http_status, 418);
    EXPECT_THAT(error.message, HasSubstr("the answer ")) << body;
    EXPECT_THAT(error.message, Not(HasSubstr("\n")));
    EXPECT_LE(error.message.size(), 1100u);
  }
}

TEST(ParseError, PassesOverARequestIdThatIsNone) {
  EXPECT_EQ(ParseError({.headers = {{"x-amzn-requestid", "a b"},
                                    {"x-amz-request-id", "ok"}}})
                .request_id,
            "ok");
  EXPECT_EQ(
      ParseError({.headers = {{"x-amzn-requestid", std::string(200, 'a')}}})
          .request_id,
      "");
}

}  // namespace
}  // namespace byoshin::aws
