#include "core/http/url.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::http {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The reason for which the URL is refused; empty if it is not.
std::string FaultOf(absl::string_view text) {
  const absl::StatusOr<Url> url = ParseUrl(text);
  if (url.ok()) return "";
  EXPECT_EQ(url.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(url.status().message());
}

std::string QueryFaultOf(absl::string_view query) {
  const auto parameters = ParseQuery(query);
  if (parameters.ok()) return "";
  EXPECT_EQ(parameters.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(parameters.status().message());
}

std::string AllBytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

TEST(ParseUrl, TakesAUrlApart) {
  EXPECT_EQ(
      ParseUrl("https://api.example.com:8443/prod/a%20b?x=1&y=/?").value(),
      (Url{.scheme = "https",
           .host = "api.example.com",
           .port = 8443,
           .path = "/prod/a%20b",
           .query = "x=1&y=/?"}));
}

TEST(ParseUrl, FillsInWhatEveryUrlHas) {
  EXPECT_EQ(ParseUrl("http://localhost").value(), (Url{.scheme = "http",
                                                       .host = "localhost",
                                                       .port = 80,
                                                       .path = "/",
                                                       .query = ""}));
  EXPECT_EQ(ParseUrl("https://localhost?").value().port, 443);
  EXPECT_EQ(ParseUrl("https://localhost?a").value().path, "/");
  EXPECT_EQ(ParseUrl("https://localhost?a").value().query, "a");
}

TEST(ParseUrl, ComparesSchemeAndHostWithoutRegardToCase) {
  const Url url = ParseUrl("HTTPS://API.Example.COM/Prod").value();
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "api.example.com");
  EXPECT_EQ(url.path, "/Prod");
}

TEST(ParseUrl, TakesAddresses) {
  EXPECT_EQ(ParseUrl("http://127.0.0.1:4566/").value().host, "127.0.0.1");
  const Url v6 = ParseUrl("http://[::1]:4566/").value();
  EXPECT_EQ(v6.host, "[::1]");
  EXPECT_EQ(v6.port, 4566);
  EXPECT_EQ(ParseUrl("http://[fe80::1.2.3.4]").value().port, 80);
}

TEST(ParseUrl, TakesEveryPortThereIs) {
  EXPECT_EQ(ParseUrl("http://x:1").value().port, 1);
  EXPECT_EQ(ParseUrl("http://x:65535").value().port, 65535);
  EXPECT_EQ(ParseUrl("http://x:0080").value().port, 80);
}

TEST(ParseUrl, RefusesPortsThatDoNotExist) {
  for (const char* port : {"", "0", "65536", "4294967297", "-1", "+1", " 1",
                           "1 ", "0x50", "80:80", "http"}) {
    EXPECT_THAT(FaultOf(absl::StrCat("http://x:", port, "/")),
                HasSubstr("port is not a number from 1 to 65535"))
        << port;
  }
}

TEST(ParseUrl, RefusesWhatHasNoScheme) {
  for (const char* text : {"", "x", "localhost:3000", "//x/", "/path",
                           "http:", "http:/x", "http//x", "http:x"}) {
    EXPECT_THAT(FaultOf(text), HasSubstr("expected http:// or https://"))
        << text;
  }
}

TEST(ParseUrl, RefusesOtherSchemes) {
  for (const char* text :
       {"ftp://x/", "file:///etc/passwd", "://x", "httpx://x", " http://x/",
        "gopher://x", "\nhttp://x"}) {
    EXPECT_THAT(FaultOf(text), HasSubstr("neither http nor https")) << text;
  }
}

TEST(ParseUrl, RefusesUserInfoWithoutShowingIt) {
  for (const char* text :
       {"http://user:secret@x/", "http://secret@x/", "https://:secret@x:1/",
        "http://a:secret@b:secret@x/", "http://secret:@x"}) {
    const std::string fault = FaultOf(text);
    EXPECT_THAT(fault, HasSubstr("user info is not allowed")) << text;
    EXPECT_THAT(fault, Not(HasSubstr("secret"))) << text;
  }
}

TEST(ParseUrl, RefusesHostsThatCannotBe) {
  EXPECT_THAT(FaultOf("http:///path"), HasSubstr("host is missing"));
  EXPECT_THAT(FaultOf("http://:80/"), HasSubstr("host is missing"));
  EXPECT_THAT(FaultOf("https://?q"), HasSubstr("host is missing"));
  for (const char* text :
       {"http://a b/", "http://a\tb/", "http://a%41/", "http://\xe7\xa7\x92/",
        "http://[::1/", "http://::1]/", "http://[]/", "http://[1.2.3.4]/",
        "http://[::1]x/", "http://[::g]/", "http://a\\b/", "http://a,b/"}) {
    EXPECT_THAT(FaultOf(text), HasSubstr("host is not")) << text;
  }
  EXPECT_EQ(FaultOf(absl::StrCat("http://", std::string(253, 'a'))), "");
  EXPECT_THAT(FaultOf(absl::StrCat("http://", std::string(254, 'a'))),
              HasSubstr("host is not"));
}

TEST(ParseUrl, RefusesCharactersThatNeedEncoding) {
  for (const char c : absl::string_view(" \t\r\n\"<>\\^`{|}[]\x7f\x80\xff")) {
    EXPECT_THAT(FaultOf(absl::StrCat("http://x/a", std::string(1, c))),
                HasSubstr("in its path, '"))
        << int{c};
    EXPECT_THAT(FaultOf(absl::StrCat("http://x/?a=", std::string(1, c))),
                HasSubstr("in its query, '"))
        << int{c};
  }
  EXPECT_THAT(FaultOf(absl::string_view("http://x/\0", 10)),
              HasSubstr("'\\x00' has to be percent-encoded"));
}

TEST(ParseUrl, TakesEveryCharacterThatNeedsNoEncoding) {
  constexpr char kPath[] = "/-._~!$&'()*+,;=:@/aZ09%7e%FF";
  EXPECT_EQ(ParseUrl(absl::StrCat("http://x", kPath, "?", kPath, "?"))->path,
            kPath);
}

TEST(ParseUrl, RefusesBrokenEscapes) {
  for (const char* escape : {"%", "%4", "%4g", "%g4", "%%41", "% 1", "%+1"}) {
    EXPECT_THAT(FaultOf(absl::StrCat("http://x/", escape)),
                HasSubstr("'%' without two hexadecimal digits"))
        << escape;
    EXPECT_THAT(FaultOf(absl::StrCat("http://x/?", escape)),
                HasSubstr("'%' without two hexadecimal digits"))
        << escape;
  }
}

TEST(ParseUrl, RefusesFragments) {
  for (const char* text : {"http://x#", "http://x/#a", "http://x/?a#b"}) {
    EXPECT_THAT(FaultOf(text), HasSubstr("fragment")) << text;
  }
}

TEST(ParseUrl, DoesNotShowTheQueryInItsError) {
  EXPECT_THAT(FaultOf("http://x/?key=secret&b=\""), Not(HasSubstr("secret")));
}

TEST(HostAndPort, LeavesOutThePortOfTheScheme) {
  EXPECT_EQ(HostAndPort(*ParseUrl("http://x:80/")), "x");
  EXPECT_EQ(HostAndPort(*ParseUrl("http://x:443/")), "x:443");
  EXPECT_EQ(HostAndPort(*ParseUrl("https://x:443/")), "x");
  EXPECT_EQ(HostAndPort(*ParseUrl("https://[::1]:80/")), "[::1]:80");
}

TEST(Origin, IsTheUrlWithoutPathAndQuery) {
  EXPECT_EQ(Origin(*ParseUrl("http://x:3000/a?b")), "http://x:3000");
  EXPECT_EQ(Origin(*ParseUrl("HTTPS://X:443/a?b")), "https://x");
}

TEST(JoinUrl, AddsThePathToThatOfTheBase) {
  EXPECT_EQ(JoinUrl("https://x", "/a").value(), "https://x/a");
  EXPECT_EQ(JoinUrl("https://x/", "/a").value(), "https://x/a");
  EXPECT_EQ(JoinUrl("https://x/prod", "/a").value(), "https://x/prod/a");
  EXPECT_EQ(JoinUrl("https://x/prod/", "/a").value(), "https://x/prod/a");
  EXPECT_EQ(JoinUrl("https://x/a%20b//", "/c").value(), "https://x/a%20b/c");
  EXPECT_EQ(JoinUrl("http://x:3000", "/").value(), "http://x:3000/");
}

TEST(JoinUrl, EncodesPathAndParameters) {
  EXPECT_EQ(JoinUrl("http://x", "/a b",
                    {{"from", "2025-12-02T10:23:00Z"}, {"&=", "+ %"}})
                .value(),
            "http://x/a%20b?from=2025-12-02T10%3A23%3A00Z&%26%3D=%2B%20%25");
}

TEST(JoinUrl, RefusesABaseThatIsNoUrl) {
  EXPECT_EQ(JoinUrl("localhost:3000", "/a").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(JoinUrl, RefusesABaseWithAQuery) {
  for (const char* base : {"http://x/?a=secret", "http://x?"}) {
    const absl::Status status = JoinUrl(base, "/a").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("has a query"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
  }
}

TEST(JoinUrl, RefusesAPathThatDoesNotBeginWithASlash) {
  for (const char* path : {"", "a", "?a"}) {
    EXPECT_EQ(JoinUrl("http://x", path).status().code(),
              absl::StatusCode::kInvalidArgument)
        << path;
  }
}

TEST(JoinUrl, MakesUrlsThatParseToWhatWasJoined) {
  const std::vector<QueryParameter> parameters = {{AllBytes(), AllBytes()},
                                                  {"b", ""}};
  const absl::StatusOr<std::string> joined =
      JoinUrl("http://x", absl::StrCat("/", AllBytes()), parameters);
  ASSERT_TRUE(joined.ok()) << joined.status();
  const absl::StatusOr<Url> url = ParseUrl(*joined);
  ASSERT_TRUE(url.ok()) << url.status();
  EXPECT_EQ(ParseQuery(url->query).value(), parameters);
}

TEST(PercentEncode, LeavesTheUnreservedCharactersAlone) {
  constexpr char kUnreserved[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  EXPECT_EQ(PercentEncode(kUnreserved), kUnreserved);
}

TEST(PercentEncode, EncodesAllOthersInUpperCase) {
  EXPECT_EQ(PercentEncode("/:?#[]@!$&'()*+,;= %"),
            "%2F%3A%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%20%25");
  EXPECT_EQ(PercentEncode("\xe7\xa7\x92"), "%E7%A7%92");
  EXPECT_EQ(PercentEncode(absl::string_view("\0\x7f", 2)), "%00%7F");
}

TEST(PercentEncodePath, LeavesSlashesAlone) {
  EXPECT_EQ(PercentEncodePath("/a b/c:d//"), "/a%20b/c%3Ad//");
}

TEST(FormatQuery, JoinsEncodedParameters) {
  EXPECT_EQ(FormatQuery({}), "");
  EXPECT_EQ(FormatQuery({{"a", "b"}, {"a", ""}, {"c d", "&"}}),
            "a=b&a=&c%20d=%26");
}

TEST(ParseQuery, GivesDecodedParametersInTheirOrder) {
  EXPECT_THAT(ParseQuery("b=1&a=2&b=3").value(),
              ElementsAre(QueryParameter{"b", "1"}, QueryParameter{"a", "2"},
                          QueryParameter{"b", "3"}));
  EXPECT_THAT(ParseQuery("%66rom=10%3a23%3A00+x&%26=%3d=").value(),
              ElementsAre(QueryParameter{"from", "10:23:00 x"},
                          QueryParameter{"&", "=="}));
}

TEST(ParseQuery, OfNothingIsNothing) {
  EXPECT_THAT(ParseQuery("").value(), IsEmpty());
}

TEST(ParseQuery, TakesAParameterWithoutValue) {
  EXPECT_THAT(ParseQuery("a&b=").value(),
              ElementsAre(QueryParameter{"a", ""}, QueryParameter{"b", ""}));
}

TEST(ParseQuery, DecodesTheOffsetOfATimeOnlyIfItWasEncoded) {
  EXPECT_EQ(ParseQuery("t=19:23%2B09:00")->at(0).value, "19:23+09:00");
  EXPECT_EQ(ParseQuery("t=19:23+09:00")->at(0).value, "19:23 09:00");
}

TEST(ParseQuery, RefusesBrokenEscapes) {
  for (const char* query : {"a=%", "a=%4", "a=%4g", "%zz=1", "a=%%41"}) {
    EXPECT_THAT(QueryFaultOf(query),
                HasSubstr("'%' without two hexadecimal digits"))
        << query;
  }
}

TEST(ParseQuery, RefusesParametersWithoutName) {
  EXPECT_THAT(QueryFaultOf("&"), HasSubstr("parameter 1 has no name"));
  EXPECT_THAT(QueryFaultOf("=1"), HasSubstr("parameter 1 has no name"));
  EXPECT_THAT(QueryFaultOf("a=1&"), HasSubstr("parameter 2 has no name"));
  EXPECT_THAT(QueryFaultOf("a=1&&b=2"), HasSubstr("parameter 2 has no name"));
}

TEST(ParseQuery, RefusesCharactersThatNeedEncoding) {
  for (const char* query :
       {"a=b c", "a=\"", "a=\xe7\xa7\x92", "a=\n", "a#b", "a[]=1"}) {
    EXPECT_THAT(QueryFaultOf(query), HasSubstr("has to be percent-encoded"))
        << query;
  }
}

TEST(UrlForLog, LeavesOutTheQueryAndTheUserInfo) {
  EXPECT_EQ(UrlForLog("https://x:8443/a/b?token=secret"), "https://x:8443/a/b");
  EXPECT_EQ(UrlForLog("https://user:secret@x/a?b"), "https://x/a");
  EXPECT_EQ(UrlForLog("https://x/users/@me"), "https://x/users/@me");
}

TEST(UrlForLog, ShowsAMalformedUrlWithoutItsQuery) {
  EXPECT_EQ(UrlForLog("localhost:3000/a?b"), "localhost:3000/a");
  EXPECT_EQ(UrlForLog("http://x y/#b"), "http://x y/");
  EXPECT_EQ(UrlForLog("http://x:port"), "http://x:port");
  EXPECT_EQ(UrlForLog(""), "");
}

TEST(UrlForLog, HidesWhatMayBeAPassword) {
  for (const char* url :
       {"http://user:secret/@x/", "http://user:secret?@x/",
        "http://user:secret#@x", "user:secret@x", "http://u:secret@a b",
        "http://u ser:secret@x:y", "ftp://u:secret@x/", "://u:secret@x",
        "HTTPS://u:?secret@x", "x http://u:secret@x/"}) {
    EXPECT_THAT(UrlForLog(url), Not(HasSubstr("secret"))) << url;
  }
}

TEST(UrlForLog, IsOneShortLineWhateverTheText) {
  EXPECT_EQ(UrlForLog("a\r\nb\x1b\xff"), "a\\r\\nb\\x1b\\xff");
  EXPECT_LE(UrlForLog(std::string(100000, 'a')).size(), 303u);
  EXPECT_LE(UrlForLog(std::string(100000, '\0')).size(), 303u);
  EXPECT_LE(
      UrlForLog(absl::StrCat("http://x/", std::string(100000, 'a'))).size(),
      303u);
}

}  // namespace
}  // namespace byoshin::http
