#include "core/crypto/md5.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sample.h"
#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

std::string HexMd5(absl::string_view data) { return HexEncode(Md5(data)); }

// https://www.rfc-editor.org/rfc/rfc1321#appendix-A.5
TEST(Md5, GivesTheTestSuiteOfRfc1321) {
  EXPECT_EQ(HexMd5(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(HexMd5("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(HexMd5("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(HexMd5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(HexMd5("abcdefghijklmnopqrstuvwxyz"),
            "c3fcd3d76192e4007dfb496cca67e13b");
  EXPECT_EQ(
      HexMd5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
      "d174ab98d277d9f5a5611c2c9f419d9f");
  EXPECT_EQ(
      HexMd5("123456789012345678901234567890123456789012345678901234567890"
             "12345678901234567890"),
      "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, OfAMillionLetters) {
  EXPECT_EQ(HexMd5(std::string(1000000, 'a')),
            "7707d6ae4e027c70eea2a935c2296f21");
}

// Around the lengths at which the padding needs another block.
TEST(Md5, PadsEveryLengthAroundABlock) {
  const std::vector<std::pair<int, std::string>> expected = {
      {54, "eced9e0b81ef2bba605cbc5e2e76a1d0"},
      {55, "ef1772b6dff9a122358552954ad0df65"},
      {56, "3b0c8ac703f828b04c6c197006d17218"},
      {57, "652b906d60af96844ebd21b674f35e93"},
      {62, "24612f0ce2c9d2cf2b022ef1e027a54f"},
      {63, "b06521f39153d618550606be297466d5"},
      {64, "014842d480b571495a4a0363793f7367"},
      {65, "c743a45e0d2e6a95cb859adae0248435"},
      {118, "81f8453cf3f7e5ee5479c777e5a8d80c"},
      {119, "8a7bd0732ed6a28ce75f6dabc90e1613"},
      {120, "5f61c0ccad4cac44c75ff505e1f1e537"},
      {121, "f6acfca2d47c87f2b14ca038234d3614"},
      {127, "020406e1d05cdc2aa287641f7ae2cc39"},
      {128, "e510683b3f5ffe4093d021808bc6ff70"},
      {129, "b325dc1c6f5e7a2b7cf465b9feab7948"},
  };
  for (const auto& [length, digest] : expected) {
    EXPECT_EQ(HexMd5(std::string(length, 'a')), digest) << length;
  }
}

// Computed with another implementation.
TEST(Md5, TakesEveryLengthUpTo300AndEveryByte) {
  std::string digests;
  for (int length = 0; length <= 300; ++length) {
    digests += HexMd5(Sample(length));
  }
  EXPECT_EQ(HexMd5(digests), "6b17c297413904f899439ba384a83c93");
}

}  // namespace
}  // namespace byoshin::crypto
