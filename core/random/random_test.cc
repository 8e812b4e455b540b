#include "core/random/random.h"

#include <cstdint>
#include <set>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::random {
namespace {

using ::testing::MatchesRegex;

TEST(NewUuid, IsOfVersion4AndVariant1) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(NewUuid(), MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                                        "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  }
}

TEST(NewUuid, IsDifferentEachTimeAndOnEachThread) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(NewUuid());
  std::string other;
  std::thread([&] { other = NewUuid(); }).join();
  ids.insert(other);
  EXPECT_EQ(ids.size(), 1001);
}

TEST(Bits, VariesInEveryPosition) {
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t bits = Bits();
    ones |= bits;
    zeros |= ~bits;
  }
  EXPECT_EQ(ones, ~std::uint64_t{0});
  EXPECT_EQ(zeros, ~std::uint64_t{0});
}

TEST(NewHex, HasSixteenDigitsThatDiffer) {
  const std::string hex = NewHex();
  EXPECT_EQ(hex.size(), 16);
  EXPECT_EQ(hex.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(hex, NewHex());
}

TEST(NewUuid, CanBeRepeatedFromTheSameBits) {
  EXPECT_EQ(UuidOf([] { return std::uint64_t{0x123456789abcdef0}; }),
            "0fedcba9-8765-4432-90fe-dcba98765432");
}

}  // namespace
}  // namespace byoshin::random
