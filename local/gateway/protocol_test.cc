// How services read parameters and write errors: error.h, query.h, xml.h.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/query.h"
#include "local/gateway/service.h"
#include "local/gateway/xml.h"

namespace byoshin::local {
namespace {

constexpr char kNamespace[] = "http://queue.amazonaws.com/doc/2012-11-05/";

QueryParameters Parse(absl::string_view encoded) {
  const absl::StatusOr<QueryParameters> parameters =
      QueryParameters::Parse(encoded);
  EXPECT_TRUE(parameters.ok()) << parameters.status();
  return parameters.value_or(QueryParameters());
}

TEST(ServiceError, ComesBackWhole) {
  const ErrorAnswer error =
      ErrorAnswerOf(ServiceError({.code = "QueueDoesNotExist",
                                  .query_code = "AWS.NonExistentQueue",
                                  .message = "No\nsuch \xFF queue.",
                                  .http_status = 404,
                                  .json_members = "\"Item\":{}"}));
  EXPECT_EQ(error.code, "QueueDoesNotExist");
  EXPECT_EQ(error.query_code, "AWS.NonExistentQueue");
  EXPECT_EQ(error.message, "No\nsuch \xFF queue.");
  EXPECT_EQ(error.http_status, 404);
  EXPECT_EQ(error.json_members, "\"Item\":{}");
}

TEST(ServiceError, TellsNothingOfFailuresOfOurOwn) {
  const Answer answer =
      JsonErrorAnswer(absl::DataLossError("/secret/path is broken"), "a#");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body,
            "{\"__type\":\"a#InternalFailure\",\"message\":\"The request "
            "processing has failed because of an unknown error, exception or "
            "failure.\"}");
}

TEST(JsonErrorAnswer, NamesTypeMessageAndMembers) {
  const Answer answer = JsonErrorAnswer(
      ServiceError({.code = "Failed",
                    .message = "a \"condition\"",
                    .json_members = R"("Item":{"id":{"S":"1"}})"}),
      "com.amazonaws.dynamodb.v20120810#");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.content_type, "application/x-amz-json-1.0");
  EXPECT_TRUE(answer.headers.empty());
  EXPECT_EQ(answer.body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#Failed",)"
            R"("message":"a \"condition\"","Item":{"id":{"S":"1"}}})");
}

TEST(JsonErrorAnswer, TellsTheQueryProtocolsCode) {
  const Answer answer = JsonErrorAnswer(
      ServiceError({.code = "QueueDoesNotExist",
                    .query_code = "AWS.SimpleQueueService.NonExistentQueue"}),
      "com.amazonaws.sqs#");
  ASSERT_EQ(answer.headers.size(), 1);
  EXPECT_EQ(answer.headers[0].name, "x-amzn-query-error");
  EXPECT_EQ(answer.headers[0].value,
            "AWS.SimpleQueueService.NonExistentQueue;Sender");
}

TEST(QueryErrorAnswer, IsXml) {
  const Answer answer = QueryErrorAnswer(
      ServiceError({.code = "InvalidAddress", .message = "a < b"}), "id-1",
      kNamespace);
  EXPECT_EQ(answer.content_type, "text/xml");
  EXPECT_EQ(answer.body,
            "<?xml version=\"1.0\"?><ErrorResponse "
            "xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\"><Error>"
            "<Type>Sender</Type><Code>InvalidAddress</Code>"
            "<Message>a &lt; b</Message><Detail/></Error>"
            "<RequestId>id-1</RequestId></ErrorResponse>");
}

TEST(QueryErrorAnswer, PrefersTheProtocolsOwnCodeAndTellsWhoseFaultItIs) {
  const Answer answer = QueryErrorAnswer(
      ServiceError({.code = "A", .query_code = "B", .http_status = 503}), "",
      kNamespace);
  EXPECT_EQ(answer.status, 503);
  EXPECT_NE(answer.body.find("<Type>Receiver</Type><Code>B</Code>"),
            std::string::npos);
}

TEST(Xml, EscapesWhatXmlCannotSay) {
  std::string escaped;
  AppendXmlEscaped(absl::string_view("<&>\"' \t\n\r\0\x01\x1F\x7F", 13),
                   escaped);
  EXPECT_EQ(escaped,
            "&lt;&amp;&gt;&quot;&apos; \t\n&#xD;"
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\x7F");
  escaped.clear();
  // Broken UTF-8, U+FFFE, a surrogate; then what is fine.
  AppendXmlEscaped("\xC3(\xEF\xBF\xBE\xED\xA0\x80 ü \xF0\x9F\x98\x80", escaped);
  EXPECT_EQ(escaped,
            "\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD ü "
            "\xF0\x9F\x98\x80");
}

TEST(Query, DecodesAForm) {
  const QueryParameters parameters =
      Parse("Action=SendMessage&MessageBody=a+b%20%C3%BC%26%3d&Empty=&Bare&&");
  EXPECT_EQ(parameters.Find("Action"), "SendMessage");
  EXPECT_EQ(parameters.Find("MessageBody"), "a b ü&=");
  EXPECT_EQ(parameters.Find("Empty"), "");
  EXPECT_EQ(parameters.Find("Bare"), "");
  EXPECT_FALSE(parameters.Find("action").has_value());
}

TEST(Query, TakesTheFirstOfTwo) { EXPECT_EQ(Parse("A=1&A=2").Find("A"), "1"); }

TEST(Query, RefusesWhatIsNoForm) {
  for (const char* encoded : {"a=%", "a=%4", "a=%4g", "%zz=1", "=1"}) {
    const auto parameters = QueryParameters::Parse(encoded);
    ASSERT_FALSE(parameters.ok()) << encoded;
    EXPECT_EQ(ErrorAnswerOf(parameters.status()).code, "MalformedQueryString");
    EXPECT_EQ(ErrorAnswerOf(parameters.status()).http_status, 404);
  }
}

TEST(Query, ListsStructuresInTheOrderOfTheirNumbers) {
  const auto entries =
      Parse("E.10.Id=c&E.2.Id=b&E.1.Id=a&E.1.Tag.1=x&Even.1.Id=no").List("E");
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 3);
  EXPECT_EQ((*entries)[0].Find("Id"), "a");
  EXPECT_EQ((*entries)[1].Find("Id"), "b");
  EXPECT_EQ((*entries)[2].Find("Id"), "c");
  EXPECT_EQ(*(*entries)[0].Values("Tag"), std::vector<std::string>{"x"});
  EXPECT_TRUE((*entries)[1].Values("Tag")->empty());
}

TEST(Query, ListsValuesWithAndWithoutWrapper) {
  const std::vector<std::string> expected = {"x", "y"};
  EXPECT_EQ(*Parse("N.1=x&N.2=y").Values("N"), expected);
  EXPECT_EQ(*Parse("N.member.1=x&N.member.2=y").Values("N"), expected);
  EXPECT_TRUE(Parse("M.1=x").Values("N")->empty());
}

TEST(Query, ReadsMaps) {
  const std::vector<std::pair<std::string, std::string>> expected = {{"a", "1"},
                                                                     {"b", ""}};
  EXPECT_EQ(*Parse("T.1.Key=a&T.1.Value=1&T.2.Key=b")
                 .Map("T", {.key = "Key", .value = "Value"}),
            expected);
  EXPECT_EQ(*Parse("T.entry.1.key=a&T.entry.1.value=1&T.entry.2.key=b")
                 .Map("T", {.key = "key", .value = "value"}),
            expected);
}

TEST(Query, RefusesListsThatAreNone) {
  for (const char* encoded :
       {"N.x=1", "N.0=1", "N.-1=1", "N.+1=1", "N.1000000=1", "N.=1",
        "N.member.x=1", "N.1.Deep=1"}) {
    const auto values = Parse(encoded).Values("N");
    ASSERT_FALSE(values.ok()) << encoded;
    EXPECT_EQ(ErrorAnswerOf(values.status()).code, "MalformedInput");
  }
  EXPECT_FALSE(Parse("T.1.Value=1").Map("T", {}).ok());
}

TEST(Query, FindsStructures) {
  const QueryParameters parameters = Parse("V.StringValue=x&Vary=1&A.B.C=2");
  EXPECT_EQ(parameters.Member("V").Find("StringValue"), "x");
  EXPECT_EQ(parameters.Member("A").Member("B").Find("C"), "2");
  EXPECT_TRUE(parameters.Has("V"));
  EXPECT_TRUE(parameters.Has("V.StringValue"));
  EXPECT_TRUE(parameters.Has("A.B"));
  EXPECT_FALSE(parameters.Has("Va"));
  EXPECT_FALSE(parameters.Has("W"));
}

}  // namespace
}  // namespace byoshin::local
