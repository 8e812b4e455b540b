#include "core/crypto/hex.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

TEST(HexEncode, WritesTwoLowerCaseDigitsAByte) {
  EXPECT_EQ(HexEncode({0x00, 0x01, 0x0a, 0x10, 0x7f, 0x80, 0xab, 0xff}),
            "00010a107f80abff");
}

TEST(HexEncode, WritesNothingForNothing) {
  EXPECT_EQ(HexEncode(std::vector<uint8_t>()), "");
}

TEST(HexEncode, WritesEveryByteDifferently) {
  std::vector<uint8_t> all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<uint8_t>(i));
  const std::string text = HexEncode(all);
  ASSERT_EQ(text.size(), 512u);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(std::stoi(text.substr(2 * i, 2), nullptr, 16), i);
  }
}

}  // namespace
}  // namespace byoshin::crypto
