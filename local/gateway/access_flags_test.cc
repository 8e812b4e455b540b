#include "local/gateway/access_flags.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"

namespace byoshin::local {
namespace {

std::string OriginOrError(absl::string_view text) {
  const absl::StatusOr<std::string> origin = ParseOrigin(text);
  return origin.ok() ? *origin : std::string(origin.status().message());
}

TEST(ParseOrigin, WritesOriginsAsBrowsersDo) {
  EXPECT_EQ(OriginOrError("http://LocalHost:3000"), "http://localhost:3000");
  EXPECT_EQ(OriginOrError("https://app.example.com:443/"),
            "https://app.example.com");
  EXPECT_EQ(OriginOrError("http://[::1]:80"), "http://[::1]");
}

TEST(ParseOrigin, RefusesWhatIsNotOneOrigin) {
  for (const char* text :
       {"", "*", "null", "localhost:3000", "http://a/b", "http://a/?b",
        "http://*.example.com", "file:///", "http://user@a"}) {
    EXPECT_TRUE(absl::StrContains(OriginOrError(text),
                                  "--allow-origin expects the origin"))
        << text << ": " << OriginOrError(text);
  }
}

TEST(ParseHostName, TakesNamesWithoutAPort) {
  EXPECT_EQ(*ParseHostName("Host.Docker.internal"), "host.docker.internal");
  for (const char* text : {"", "a:1", "*.example.com", "http://a", "a b"}) {
    EXPECT_FALSE(ParseHostName(text).ok()) << text;
  }
}

TEST(ParseCredentials, ShowsNoSecretInErrors) {
  EXPECT_EQ(ParseCredentials("AKIA:a:b")->secret_access_key.Reveal(), "a:b");
  for (const char* text :
       {"HIDDEN", ":HIDDEN", "a/b:HIDDEN", "HIDDEN:", "ASIAX:HIDDEN"}) {
    const auto credentials = ParseCredentials(text);
    ASSERT_FALSE(credentials.ok()) << text;
    EXPECT_FALSE(absl::StrContains(credentials.status().message(), "HIDDEN"));
  }
}

}  // namespace
}  // namespace byoshin::local
