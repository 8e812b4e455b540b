#include "local/gateway/guard.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local {
namespace {

bool LetsIn(const Guard& guard, std::vector<http::Header> headers,
            std::string path = "/", std::string query = "",
            std::string method = "GET") {
  return guard
      .Judge({.method = std::move(method),
              .path = std::move(path),
              .query = std::move(query),
              .headers = std::move(headers)})
      .refusal.empty();
}

bool KnowsHost(const Guard& guard, const std::string& host) {
  return LetsIn(guard, {{"Host", host}});
}

TEST(Guard, KnowsTheNamesOfThisMachineAndOfAws) {
  const Guard guard({});
  for (const char* host :
       {"localhost", "LocalHost:4566", "127.0.0.1:4566", "127.9.9.9",
        "[::1]:4566", "[::1]", "[::ffff:127.0.0.1]:1", "cloud.localhost:4566",
        "id.execute-api.us-east-1.localhost:4566",
        "sqs.us-east-1.amazonaws.com", "id.execute-api.us-east-1.amazonaws.com",
        "queue.amazonaws.com:80", "us-west-2.queue.amazonaws.com",
        "iam.amazonaws.com", "sqs.us-gov-west-1.amazonaws.com",
        "000000000000.ddb.us-east-1.amazonaws.com",
        "sqs.cn-north-1.amazonaws.com.cn",
        "id.execute-api.cn-north-1.amazonaws.com.cn"}) {
    EXPECT_TRUE(KnowsHost(guard, host)) << host;
  }
  for (const char* host : {"",
                           "rebound.example",
                           "127.0.0.1.rebound.example",
                           "localhost.example",
                           "localhost:4566.x",
                           "localhost:",
                           "localhost:x",
                           "192.0.2.1",
                           "0.0.0.0",
                           "[::]:4566",
                           "[127.0.0.1]",
                           "[::1",
                           "::1",
                           "amazonaws.com",
                           ".amazonaws.com",
                           "ec2-192-0-2-1.compute-1.amazonaws.com",
                           "ec2-192-0-2-1.us-west-2.compute.amazonaws.com",
                           "mine-1234.us-east-1.elb.amazonaws.com",
                           "mine.s3.amazonaws.com",
                           "mine.s3.us-east-1.amazonaws.com",
                           "mine.s3-us-west-2.amazonaws.com",
                           "mine.s3-website-us-east-1.amazonaws.com",
                           "mine.s3-website.eu-central-1.amazonaws.com",
                           "id.execute-api.mine.amazonaws.com",
                           "a.id.execute-api.us-east-1.amazonaws.com",
                           "sqs.amazonaws.com.example",
                           "xamazonaws.com",
                           "a/b.localhost",
                           "a b.amazonaws.com",
                           "host.docker.internal",
                           "id.execute-api.rebound.example",
                           "localhost."}) {
    EXPECT_FALSE(KnowsHost(guard, host)) << host;
  }
  EXPECT_FALSE(LetsIn(guard, {}));
  EXPECT_FALSE(LetsIn(guard, {{"Host", "localhost"}, {"host", "localhost"}}));
}

TEST(Guard, KnowsTheAddressItListensOnAndNamesThatAreAllowed) {
  const Guard guard(
      {.address = "192.0.2.1", .allowed_hosts = {"host.docker.internal"}});
  EXPECT_TRUE(KnowsHost(guard, "192.0.2.1:4566"));
  EXPECT_FALSE(KnowsHost(guard, "192.0.2.2:4566"));
  EXPECT_TRUE(KnowsHost(guard, "Host.Docker.Internal:4566"));
  EXPECT_FALSE(KnowsHost(guard, "x.host.docker.internal"));
}

TEST(Guard, TakesAnyAddressForItsOwnIfItListensOnAll) {
  for (const char* address : {"0.0.0.0", "::"}) {
    const Guard guard({.address = address});
    EXPECT_TRUE(KnowsHost(guard, "192.0.2.2:4566")) << address;
    EXPECT_TRUE(KnowsHost(guard, "[2001:db8::1]:4566")) << address;
    EXPECT_FALSE(KnowsHost(guard, "rebound.example")) << address;
  }
}

TEST(Guard, RefusesPagesOnOtherOrigins) {
  const Guard guard({});
  for (const char* origin :
       {"https://evil.example", "null", "", "http://localhost:3000",
        "https://localhost:4566", "http://localhost", "chrome-extension://x",
        "http://id.execute-api.localhost:4566"}) {
    EXPECT_FALSE(LetsIn(guard, {{"Host", "localhost:4566"},
                                {"Origin", origin},
                                {"Sec-Fetch-Site", "same-origin"}}))
        << origin;
  }
  EXPECT_FALSE(LetsIn(guard, {{"Host", "localhost:4566"},
                              {"Origin", "http://localhost:4566"},
                              {"Origin", "https://evil.example"}}));
  for (const char* site : {"cross-site", "same-site", "something-new"}) {
    EXPECT_FALSE(LetsIn(guard, {{"Host", "localhost:4566"},
                                {"Sec-Fetch-Site", site},
                                {"Sec-Fetch-Mode", "no-cors"},
                                {"Sec-Fetch-Dest", "image"}}))
        << site;
  }
}

TEST(Guard, LetsProgramsPeopleAndItsOwnPageIn) {
  const Guard guard({});
  EXPECT_TRUE(LetsIn(guard, {{"Host", "localhost:4566"}}));
  EXPECT_TRUE(
      LetsIn(guard, {{"Host", "localhost:4566"}, {"Sec-Fetch-Site", "none"}}));
  EXPECT_TRUE(LetsIn(
      guard, {{"Host", "localhost:4566"}, {"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_TRUE(LetsIn(guard, {{"Host", "localhost:4566"},
                             {"Origin", "http://localhost:4566"}}));
}

TEST(Guard, LetsALinkLeadToThePageAndNowhereElse) {
  const Guard guard({});
  const std::vector<http::Header> link = {{"Host", "localhost:4566"},
                                          {"Sec-Fetch-Site", "cross-site"},
                                          {"Sec-Fetch-Mode", "navigate"},
                                          {"Sec-Fetch-Dest", "document"}};
  EXPECT_TRUE(LetsIn(guard, link));
  EXPECT_FALSE(LetsIn(guard, link, "/", "Action=PurgeQueue&X-Amz-Signature=1"));
  EXPECT_FALSE(LetsIn(guard, link, "/_byoshin/api/status"));
  EXPECT_FALSE(LetsIn(guard, link, "/restapis/a/prod/_user_request_/"));
  EXPECT_FALSE(LetsIn(guard, link, "/", "", "POST"));
  std::vector<http::Header> frame = link;
  frame.back().value = "iframe";
  EXPECT_FALSE(LetsIn(guard, frame));
}

TEST(Guard, LetsThePagesOfTheCloudCallRestApisUnderTheirOwnHosts) {
  const Guard guard({.address = "127.0.0.1"});
  const auto lets_in = [&](const char* host, const char* origin) {
    return LetsIn(
        guard,
        {{"Host", host}, {"Origin", origin}, {"Sec-Fetch-Site", "cross-site"}});
  };
  constexpr char kApi[] = "w6c9.execute-api.localhost:4566";
  EXPECT_TRUE(lets_in(kApi, "http://127.0.0.1:4566"));
  EXPECT_TRUE(lets_in(kApi, "http://localhost:4566"));
  // Another program of this machine, another scheme, another API, a name that
  // only looks like ours.
  for (const char* other :
       {"http://127.0.0.1:4567", "http://localhost", "http://127.0.0.2:4566",
        "http://[::1]:4566", "https://127.0.0.1:4566",
        "http://other.execute-api.localhost:4566",
        "http://localhost.evil.example:4566", "http://evil.example:4566",
        "null", ""}) {
    EXPECT_FALSE(lets_in(kApi, other)) << other;
  }
  // The other way round, and to other hosts, it stays forbidden.
  EXPECT_FALSE(
      lets_in("127.0.0.1:4566", "http://w6c9.execute-api.localhost:4566"));
  for (const char* host :
       {"localhost:4566", "a.b.execute-api.localhost:4566",
        ".execute-api.localhost:4566", "execute-api.localhost:4566",
        "w6c9.execute-api.us-east-1.amazonaws.com:4566"}) {
    EXPECT_FALSE(lets_in(host, "http://127.0.0.1:4566")) << host;
  }
}

TEST(Guard, LetsThePagesOfAnOpenCloudCallRestApisFromThisMachine) {
  const auto lets_in = [](const char* address, const char* origin) {
    return LetsIn(Guard({.address = address}),
                  {{"Host", "w6c9.execute-api.localhost:4566"},
                   {"Origin", origin},
                   {"Sec-Fetch-Site", "cross-site"}});
  };
  for (const char* address : {"0.0.0.0", "::"}) {
    EXPECT_TRUE(lets_in(address, "http://127.0.0.1:4566")) << address;
    EXPECT_FALSE(lets_in(address, "http://127.0.0.1:4567")) << address;
    // It may be another machine's by now.
    EXPECT_FALSE(lets_in(address, "http://192.0.2.2:4566")) << address;
  }
  EXPECT_TRUE(lets_in("::", "http://[::1]:4566"));
  EXPECT_FALSE(lets_in("0.0.0.0", "http://[::1]:4566")) << "not ours";
}

TEST(Guard, NamesTheOriginThatItLetsIn) {
  const Guard guard({.allowed_origins = {"https://app.example.com"}});
  const auto judge = [&](const char* origin) {
    return guard.Judge({.method = "POST",
                        .headers = {{"Host", "localhost:4566"},
                                    {"Origin", origin},
                                    {"Sec-Fetch-Site", "cross-site"}}});
  };
  EXPECT_EQ(judge("https://app.example.com").refusal, "");
  EXPECT_EQ(judge("https://app.example.com").allowed_origin,
            "https://app.example.com");
  EXPECT_EQ(judge("http://localhost:4566").allowed_origin, "");
  for (const char* other :
       {"http://app.example.com", "https://app.example.com:444",
        "https://app.example.com.evil.example"}) {
    EXPECT_TRUE(absl::StrContains(judge(other).refusal, "--allow-origin"))
        << other;
  }
  // Nor does that let other hosts in.
  EXPECT_FALSE(LetsIn(guard, {{"Host", "rebound.example"},
                              {"Origin", "https://app.example.com"}}));
}

}  // namespace
}  // namespace byoshin::local
