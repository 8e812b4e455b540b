// What services share to speak REST-JSON, JSON 1.1 and Query, and to give
// lists in pages.

#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"
#include "local/gateway/paging.h"
#include "local/gateway/query_api.h"
#include "local/gateway/rest.h"
#include "local/gateway/service.h"
#include "local/gateway/xml.h"

namespace byoshin::local {
namespace {

using Texts = std::vector<std::string>;

TEST(Rest, FindsThePartsOfAPath) {
  EXPECT_EQ(MatchPath("/a/{id}/b", "/a/x%2Fy/b"), Texts{"x/y"});
  EXPECT_EQ(MatchPath("/a/{id}/b", "/a/x/b/"), Texts{"x"});
  EXPECT_EQ(MatchPath("/a", "/a"), Texts{});
  EXPECT_EQ(MatchPath("/a/{id}", "/a"), std::nullopt);
  EXPECT_EQ(MatchPath("/a/{id}/b", "/a//b"), std::nullopt);
  EXPECT_EQ(MatchPath("/a/{id}/b", "/a/x/c"), std::nullopt);
}

TEST(Rest, ReadsHeadersAndParameters) {
  const Call call{.query = "name=a%20b&flag", .headers = {{"X-One", "1"}}};
  EXPECT_EQ(FindHeader(call, "x-one"), "1");
  EXPECT_EQ(FindHeader(call, "x-two"), "");
  EXPECT_EQ(FindParameter(call, "name"), "a b");
  EXPECT_EQ(FindParameter(call, "flag"), "");
  EXPECT_EQ(PercentDecoded("100%, 50%zz, %41"), "100%, 50%zz, A");
}

TEST(Rest, NamesErrorsInAHeader) {
  const Answer answer =
      RestErrorAnswer(ServiceError({.code = "NotFoundException",
                                    .message = "no \"x\"",
                                    .http_status = 404}),
                      MessageSpelling::kLowerCase);
  EXPECT_EQ(answer.status, 404);
  ASSERT_EQ(answer.headers.size(), 1u);
  EXPECT_EQ(answer.headers[0].value, "NotFoundException");
  EXPECT_EQ(answer.body, R"({"message":"no \"x\""})");
}

TEST(JsonFields, ReadsWhatIsThere) {
  JsonFields fields(
      Call{.body =
               R"({"a":"x","n":7,"t":-5,"l":["p","q"],"f":true,"none":null})"},
      "Invalid");
  EXPECT_EQ(fields.Required("a"), "x");
  EXPECT_EQ(fields.Text("none"), "");
  EXPECT_EQ(fields.Integer("n", {.otherwise = 1, .max = 7}), 7);
  EXPECT_EQ(fields.Integer("m", {.otherwise = 3}), 3);
  EXPECT_EQ(fields.Time("t"), -5);
  EXPECT_EQ(fields.Time("u"), std::nullopt);
  EXPECT_EQ(fields.Texts("l"), (Texts{"p", "q"}));
  EXPECT_TRUE(fields.Flag("f"));
  EXPECT_FALSE(fields.Flag("g"));
  EXPECT_TRUE(fields.status().ok()) << fields.status();
}

// What the first error is called, of a request that is read by `read`.
template <typename Read>
std::string CodeOf(absl::string_view body, Read read) {
  JsonFields fields(Call{.body = std::string(body)}, "Invalid");
  read(fields);
  return fields.status().ok() ? "" : ErrorAnswerOf(fields.status()).code;
}

TEST(JsonFields, KeepsTheFirstError) {
  const auto number = [](JsonFields& f) { f.Integer("n", {.max = 9}); };
  EXPECT_EQ(CodeOf(R"({"n":10})", number), "Invalid");
  EXPECT_EQ(CodeOf(R"({"n":0})", number), "Invalid");
  EXPECT_EQ(CodeOf(R"({"n":"1"})", number), "SerializationException");
  EXPECT_EQ(CodeOf("[]", number), "SerializationException");
  EXPECT_EQ(CodeOf("{", number), "SerializationException");
  EXPECT_EQ(CodeOf("", number), "");
  EXPECT_EQ(CodeOf("{}", [](JsonFields& f) { f.Required("a"); }), "Invalid");
  EXPECT_EQ(CodeOf(R"({"l":[1]})", [](JsonFields& f) { f.Texts("l"); }),
            "SerializationException");
  EXPECT_EQ(CodeOf(R"({"a":1})",
                   [](JsonFields& f) {
                     f.Text("a");
                     f.Required("b");
                   }),
            "SerializationException");
}

TEST(JsonFields, ListsEveryConstraintThatIsBroken) {
  JsonFields fields(Call{.body = R"({"Limit":0,"Order":"up"})"}, "Invalid");
  fields.Required("Name");
  fields.Integer("Limit", {.max = 9});
  fields.OneOf("Order", {"ASC", "DESC"});
  EXPECT_EQ(ErrorAnswerOf(fields.status()).message,
            "3 validation errors detected: Value null at 'name' failed to "
            "satisfy constraint: Member must not be null; Value '0' at 'limit' "
            "failed to satisfy constraint: Member must have value greater than "
            "or equal to 1; Value 'up' at 'order' failed to satisfy "
            "constraint: Member must satisfy enum value set: [ASC, DESC]");
}

TEST(JsonFields, ReadsObjectsInsideARequest) {
  JsonFields fields(Call{.body = R"({"o":{"a":"1"},"l":[{"a":"2"},{}],
                                     "m":{"k":{"a":"3"}},"t":{"x":"y"},
                                     "b":"YQ=="})"},
                    "Invalid");
  EXPECT_EQ(fields.Object("o")->Text("a"), "1");
  EXPECT_FALSE(fields.Object("none").has_value());
  EXPECT_EQ(fields.ObjectMap("m").at(0).first, "k");
  EXPECT_EQ(fields.ObjectMap("m").at(0).second.Text("a"), "3");
  EXPECT_EQ(fields.TextMap("t").at("x"), "y");
  EXPECT_EQ(fields.Bytes("b"), "a");
  EXPECT_TRUE(fields.Has("b"));
  ASSERT_TRUE(fields.status().ok()) << fields.status();
  for (JsonFields& element : fields.Objects("l")) element.Required("a");
  EXPECT_TRUE(absl::StrContains(ErrorAnswerOf(fields.status()).message,
                                "Value null at 'l.2.member.a'"))
      << fields.status();
}

TEST(JsonFields, PrefersTheErrorOfAMalformedMember) {
  const auto read = [](JsonFields& f) {
    f.Required("missing");
    f.Objects("l");
    f.ObjectMap("m");
    f.TextMap("t");
    f.Bytes("b");
  };
  for (const char* body :
       {R"({"l":1})", R"({"l":[1]})", R"({"m":[]})", R"({"m":{"k":1}})",
        R"({"t":{"k":1}})", R"({"b":"%"})"}) {
    EXPECT_EQ(CodeOf(body, read), "SerializationException") << body;
  }
  JsonFields fields(Call{.body = R"({"n":"5"})"}, "Invalid");
  fields.Integer("n", {});
  EXPECT_EQ(ErrorAnswerOf(fields.status()).message,
            "n must be an integer, not \"5\".");
}

TEST(Json11, AnswersInItsOwnContentType) {
  Json::Value value(Json::objectValue);
  value["a"] = 1;
  EXPECT_EQ(Json11Answer(value).content_type, "application/x-amz-json-1.1");
  EXPECT_EQ(Json11Answer(value).body, R"({"a":1})");
  const Answer error = Json11Answer(UnknownJsonOperation("Logs", "Fly"));
  EXPECT_EQ(error.status, 400);
  EXPECT_EQ(error.content_type, "application/x-amz-json-1.1");
  EXPECT_TRUE(absl::StrContains(error.body, "UnknownOperationException"));
}

TEST(QueryAnswer, WrapsTheResult) {
  const Call call{.operation = "Get", .request_id = "id"};
  const auto write = [](XmlWriter& xml) {
    xml.Element("A", "<");
    ElementUnlessEmpty(xml, "B", "");
    TimeElement(xml, "C", absl::FromUnixMillis(1500));
    return absl::OkStatus();
  };
  EXPECT_EQ(QueryAnswer(call, "ns", write).body,
            "<?xml version=\"1.0\"?><GetResponse xmlns=\"ns\"><GetResult>"
            "<A>&lt;</A><C>1970-01-01T00:00:01.500Z</C></GetResult>"
            "<ResponseMetadata><RequestId>id</RequestId></ResponseMetadata>"
            "</GetResponse>");
}

TEST(QueryAnswer, GivesTheErrorInPlaceOfWhatWasWritten) {
  const Call call{.operation = "Get", .request_id = "id"};
  const Answer answer = QueryAnswer(call, "ns", [](XmlWriter& xml) {
    xml.Element("A", "begun");
    return MissingQueryParameter("name");
  });
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(absl::StrContains(answer.body, "<Code>ValidationError</Code>"));
  EXPECT_FALSE(absl::StrContains(answer.body, "begun"));
}

TEST(Paging, GivesEveryEntryOnce) {
  const Texts keys = {"a", "b", "c", "d", "e"};
  const Page first = PageOf(keys, {.limit = 2}).value();
  EXPECT_EQ(first.begin, 0u);
  EXPECT_EQ(first.end, 2u);
  const Page second =
      PageOf(keys, {.limit = 2, .token = first.next_token}).value();
  EXPECT_EQ(second.begin, 2u);
  EXPECT_EQ(second.end, 4u);
  const Page last =
      PageOf(keys, {.limit = 2, .token = second.next_token}).value();
  EXPECT_EQ(last.begin, 4u);
  EXPECT_EQ(last.end, 5u);
  EXPECT_EQ(last.next_token, "");
}

TEST(Paging, GoesDownwards) {
  const Texts keys = {"c", "b", "a"};
  PageRequest request{.limit = 2, .order = PageRequest::Order::kDescending};
  request.token = PageOf(keys, request).value().next_token;
  const Page last = PageOf(keys, request).value();
  EXPECT_EQ(last.begin, 2u);
  EXPECT_EQ(last.end, 3u);
}

TEST(Paging, GoesOnWhereItWasThoughTheListHasChanged) {
  const Page first = PageOf({"a", "b", "c"}, {.limit = 2}).value();
  const Page second =
      PageOf({"0", "a", "c"}, {.limit = 2, .token = first.next_token}).value();
  EXPECT_EQ(second.begin, 2u);
  EXPECT_EQ(second.end, 3u);
  EXPECT_FALSE(PageOf({"a"}, {.limit = 2, .token = "!"}).has_value());
}

}  // namespace
}  // namespace byoshin::local
