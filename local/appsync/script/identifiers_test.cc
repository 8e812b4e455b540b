#include "local/appsync/script/identifiers.h"

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync::script {
namespace {

uint64_t NoBits() { return 0; }
uint64_t AllBits() { return ~uint64_t{0}; }

TEST(NewUlid, IsTimeAndThenRandom) {
  // The example of the specification.
  EXPECT_EQ(NewUlid(absl::FromUnixMillis(1'469'918'176'385), NoBits),
            "01ARYZ6S410000000000000000");
  EXPECT_EQ(NewUlid(absl::UnixEpoch(), AllBits), "0000000000ZZZZZZZZZZZZZZZZ");
}

TEST(NewUlid, SortsByTime) {
  const absl::Time now = absl::FromUnixSeconds(1'700'000'000);
  EXPECT_LT(NewUlid(now, AllBits),
            NewUlid(now + absl::Milliseconds(1), NoBits));
}

TEST(NewKsuid, IsTimeAndThenRandom) {
  EXPECT_EQ(NewKsuid(absl::FromUnixSeconds(1'400'000'000), NoBits),
            "000000000000000000000000000");
  // The largest one.
  EXPECT_EQ(
      NewKsuid(absl::FromUnixSeconds(1'400'000'000 + 0xffffffffLL), AllBits),
      "aWgEPTl1tmebfsQzFP4bxwgy80V");
}

TEST(NewKsuid, SortsByTime) {
  const absl::Time now = absl::FromUnixSeconds(1'700'000'000);
  EXPECT_LT(NewKsuid(now, AllBits), NewKsuid(now + absl::Seconds(1), NoBits));
}

}  // namespace
}  // namespace byoshin::local::appsync::script
