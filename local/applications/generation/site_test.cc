#include "local/applications/generation/site.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/testing_stack.h"

namespace byoshin::local::applications {
namespace {

using ::testing::HasSubstr;

http::ServerRequest Get(std::string path,
                        std::vector<http::Header> headers = {},
                        std::string host = "127.0.0.1:4566") {
  headers.push_back({"Host", std::move(host)});
  return {.method = "GET", .path = std::move(path), .headers = headers};
}

http::ServerResponse SiteAnswer(const http::ServerRequest& request) {
  return AnswerGenerationSite(request, FindGeneration(GenerationStack()));
}

std::string HeaderOf(const http::ServerResponse& response,
                     absl::string_view name) {
  for (const http::Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

TEST(Site, WantsItsOwnPathsUnsigned) {
  EXPECT_TRUE(WantsGenerationSite(Get("/generation/")));
  EXPECT_TRUE(WantsGenerationSite(Get("/generation")));
  EXPECT_TRUE(WantsGenerationSite(Get("/generation/app.js")));
  EXPECT_FALSE(WantsGenerationSite(Get("/")));
  EXPECT_FALSE(WantsGenerationSite(Get("/generations/")));
  // For a service that has something of that name.
  EXPECT_FALSE(WantsGenerationSite(
      Get("/generation/", {{"Authorization", "AWS4-HMAC-SHA256"}})));
  http::ServerRequest presigned = Get("/generation/key");
  presigned.query = "X-Amz-Signature=1";
  EXPECT_FALSE(WantsGenerationSite(presigned));
}

TEST(Site, ServesItsFilesAndNothingElse) {
  const http::ServerResponse page = SiteAnswer(Get("/generation/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(HeaderOf(page, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.body, HasSubstr("<script src=\"app.js\""));
  for (const char* file : {"app.js", "dom.js", "site.css", "icon.svg"}) {
    EXPECT_EQ(SiteAnswer(Get(absl::StrCat("/generation/", file))).status, 200)
        << file;
  }
  EXPECT_EQ(SiteAnswer(Get("/generation/nothing.js")).status, 404);
  EXPECT_EQ(SiteAnswer(Get("/generation/../cognito.db")).status, 404);
  const http::ServerResponse moved = SiteAnswer(Get("/generation"));
  EXPECT_EQ(moved.status, 308);
  EXPECT_EQ(HeaderOf(moved, "Location"), "/generation/");
}

TEST(Site, LetsThePageCallTheApiAndNobodyElse) {
  const std::string policy =
      HeaderOf(SiteAnswer(Get("/generation/")), "Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("connect-src 'self' "
                                "http://w6c9.execute-api.localhost:4566;"));
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
}

TEST(Site, TellsThePageWhereTheApiIs) {
  const Json::Value config =
      *json::ParseValue(SiteAnswer(Get("/generation/config.json")).body);
  EXPECT_EQ(config["apiUrl"], "http://w6c9.execute-api.localhost:4566/prod");
  EXPECT_EQ(config["cognitoUrl"], "/");
  EXPECT_EQ(config["clientId"], "client1");
  EXPECT_EQ(config["userPoolId"], "us-east-1_Pool");
  EXPECT_EQ(config["user"], "demo");
  EXPECT_EQ(config.size(), 5u) << "no secret is among them";
}

TEST(Site, UsesTheApisOwnHostOnlyWhereBrowsersResolveIt) {
  const GenerationParts parts = *FindGeneration(GenerationStack());
  EXPECT_EQ(ApiUrlFor("localhost:80", parts),
            "http://w6c9.execute-api.localhost:80/prod");
  EXPECT_EQ(ApiUrlFor("localhost", parts),
            "http://w6c9.execute-api.localhost/prod");
  for (const std::string host :
       {"host.docker.internal:4566", "[::1]:4566", "192.168.0.7:4566"}) {
    EXPECT_EQ(
        ApiUrlFor(host, parts),
        absl::StrCat("http://", host, "/restapis/w6c9/prod/_user_request_"));
  }
}

TEST(Site, RefusesPagesOfOtherOriginsAndOtherMethods) {
  EXPECT_EQ(SiteAnswer(Get("/generation/config.json",
                           {{"Origin", "http://evil.example"}}))
                .status,
            403);
  EXPECT_EQ(SiteAnswer(Get("/generation/config.json",
                           {{"Origin", "http://127.0.0.1:4566"}}))
                .status,
            200);
  http::ServerRequest put = Get("/generation/");
  put.method = "PUT";
  EXPECT_EQ(SiteAnswer(put).status, 405);
}

TEST(Site, SaysThatNothingIsDeployed) {
  const http::ServerResponse answer =
      AnswerGenerationSite(Get("/generation/"), std::nullopt);
  EXPECT_EQ(answer.status, 404);
  EXPECT_THAT(answer.body, HasSubstr("--stack=generation"));
}

}  // namespace
}  // namespace byoshin::local::applications
