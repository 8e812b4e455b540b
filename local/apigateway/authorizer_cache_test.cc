#include "local/apigateway/authorizer_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/apigateway/authorizer_result.h"

namespace byoshin::local::apigateway {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'764'671'000);

AuthorizerCache::Result ResultOf(const std::string& principal) {
  return std::make_shared<const AuthorizerResult>(
      AuthorizerResult{.principal_id = principal});
}

TEST(AuthorizerCache, KeepsAResultUntilItExpires) {
  AuthorizerCache cache;
  cache.Put("k", ResultOf("a"), {.expires = kStart + absl::Seconds(5)});
  ASSERT_NE(cache.Find("k", kStart), nullptr);
  EXPECT_EQ(cache.Find("k", kStart)->principal_id, "a");
  EXPECT_EQ(cache.Find("other", kStart), nullptr);
  EXPECT_EQ(cache.Find("k", kStart + absl::Seconds(5)), nullptr);
}

TEST(AuthorizerCache, ReplacesAResult) {
  AuthorizerCache cache;
  cache.Put("k", ResultOf("a"), {.expires = kStart + absl::Seconds(5)});
  cache.Put("k", ResultOf("b"), {.expires = kStart + absl::Seconds(9)});
  EXPECT_EQ(cache.Find("k", kStart + absl::Seconds(7))->principal_id, "b");
}

TEST(AuthorizerCache, DropsWhatExpiresFirstBeyondItsLimits) {
  AuthorizerCache few({.entries = 2, .bytes = 1000});
  for (int i = 1; i <= 3; ++i) {
    few.Put(absl::StrCat(i), ResultOf(""),
            {.expires = kStart + absl::Seconds(i)});
  }
  EXPECT_EQ(few.Find("1", kStart), nullptr);
  EXPECT_NE(few.Find("2", kStart), nullptr);
  EXPECT_NE(few.Find("3", kStart), nullptr);
  few.Put("4", ResultOf(""),
          {.size = 990, .expires = kStart + absl::Seconds(4)});
  EXPECT_NE(few.Find("4", kStart), nullptr);
  few.Put("5", ResultOf(""),
          {.size = 2000, .expires = kStart + absl::Seconds(5)});
  EXPECT_EQ(few.Find("5", kStart), nullptr);
}

}  // namespace
}  // namespace byoshin::local::apigateway
