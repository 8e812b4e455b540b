#include "local/appsync/model/api_key.h"

#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'764'671'234);
const absl::Time kHour = absl::FromUnixSeconds(1'764'669'600);

TEST(ApiKey, ExpiresAfterAWeekOnTheHour) {
  EXPECT_EQ(*KeyExpiry(std::nullopt, kNow), kHour + absl::Hours(24 * 7));
}

TEST(ApiKey, RoundsItsExpiryDownToTheHour) {
  const absl::Time wanted = kNow + absl::Hours(48);
  EXPECT_EQ(*KeyExpiry(absl::ToUnixSeconds(wanted), kNow),
            kHour + absl::Hours(48));
}

TEST(ApiKey, LivesForADayToAYear) {
  const auto expiry = [](absl::Duration life) {
    return KeyExpiry(absl::ToUnixSeconds(kNow + life), kNow);
  };
  EXPECT_TRUE(expiry(absl::Hours(24)).ok());
  EXPECT_FALSE(expiry(absl::Hours(22)).ok());
  EXPECT_TRUE(expiry(absl::Hours(24 * 365)).ok());
  EXPECT_FALSE(expiry(absl::Hours(24 * 366)).ok());
}

TEST(ApiKey, SurvivesTheStore) {
  const ApiKey key{.id = "da2-x", .description = "d", .expires = kHour};
  const absl::StatusOr<ApiKey> read = ApiKeyFromRecord(ToRecord(key));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->id, key.id);
  EXPECT_EQ(read->description, key.description);
  EXPECT_EQ(read->expires, key.expires);
  EXPECT_FALSE(ApiKeyFromRecord("{}").ok());
}

}  // namespace
}  // namespace byoshin::local::appsync
