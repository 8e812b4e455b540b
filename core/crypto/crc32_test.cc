#include "core/crypto/crc32.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

TEST(Crc32, GivesTheCheckValueOfTheStandard) {
  EXPECT_EQ(Crc32("123456789"), 0xcbf43926u);
}

TEST(Crc32, OfNothingIsZero) { EXPECT_EQ(Crc32(""), 0u); }

// What DynamoDB sends with the answer to a PutItem.
TEST(Crc32, OfAnEmptyObject) { EXPECT_EQ(Crc32("{}"), 2745614147u); }

// Computed with another implementation.
TEST(Crc32, TakesEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_EQ(Crc32(bytes), 0x29058c73u);
}

// By the definition, bit for bit.
uint32_t SlowCrc32(const std::string& text) {
  uint32_t crc = 0xffffffff;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc;
}

TEST(Crc32, IsRightForTextsOfAnyLength) {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Crc32(text), SlowCrc32(text)) << text.size() << " bytes";
    text.push_back(static_cast<char>(i * 37));
  }
}

TEST(Crc32, ChangesWithEveryBit) {
  std::string text = "what DynamoDB answered";
  const uint32_t original = Crc32(text);
  for (char& c : text) {
    for (int bit = 0; bit < 8; ++bit) {
      c = static_cast<char>(c ^ (1 << bit));
      EXPECT_NE(Crc32(text), original);
      c = static_cast<char>(c ^ (1 << bit));
    }
  }
}

}  // namespace
}  // namespace byoshin::crypto
