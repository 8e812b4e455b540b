#include "core/crypto/sha1.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sample.h"
#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

std::string HexSha1(absl::string_view data) { return HexEncode(Sha1(data)); }

// https://www.rfc-editor.org/rfc/rfc3174#section-7.3
TEST(Sha1, GivesTheTestsOfRfc3174) {
  EXPECT_EQ(HexSha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(HexSha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(HexSha1(std::string(1000000, 'a')),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha1, OfNothing) {
  EXPECT_EQ(HexSha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST(Sha1, PadsEveryLengthAroundABlock) {
  const std::vector<std::pair<int, std::string>> expected = {
      {55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
      {56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
      {63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},
      {64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
      {65, "11655326c708d70319be2610e8a57d9a5b959d3b"},
      {119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"},
      {120, "f34c1488385346a55709ba056ddd08280dd4c6d6"},
  };
  for (const auto& [length, digest] : expected) {
    EXPECT_EQ(HexSha1(std::string(length, 'a')), digest) << length;
  }
}

// Computed with another implementation.
TEST(Sha1, TakesEveryLengthUpTo300AndEveryByte) {
  std::string digests;
  for (int length = 0; length <= 300; ++length) {
    digests += HexSha1(Sample(length));
  }
  EXPECT_EQ(HexSha1(digests), "9c5dda79c0be8cee2e2272304c8e3502832cdc60");
}

}  // namespace
}  // namespace byoshin::crypto
