#include "core/crypto/sha256_compress.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "core/crypto/block_hash.h"
#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

TEST(Sha256Compress, IsTheSameWithTheProcessorsInstructions) {
  std::mt19937 random(20251202);
  Sha256Compress* const best = BestSha256Compress();
  for (int i = 0; i < 1000; ++i) {
    Sha256State state;
    for (uint32_t& word : state) word = random();
    // At any address, not only at those that suit the processor.
    std::array<uint8_t, kBlockBytes + 15> bytes;
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    const uint8_t* block = bytes.data() + i % 16;

    Sha256State expected = state;
    PortableSha256Compress(expected, block);
    best(state, block);
    ASSERT_EQ(state, expected) << "round " << i;
  }
}

// FIPS 180-4's example of one block, "abc", as NIST publishes it.
TEST(Sha256Compress, GivesThePublishedResultWithoutThem) {
  Sha256State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, kBlockBytes> block{'a', 'b', 'c', 0x80};
  block.back() = 24;
  PortableSha256Compress(state, block.data());
  EXPECT_EQ(state,
            (Sha256State{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                         0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad}));
}

}  // namespace
}  // namespace byoshin::crypto
