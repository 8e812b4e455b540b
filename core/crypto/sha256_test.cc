#include "core/crypto/sha256.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sample.h"
#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

std::string HexSha256(absl::string_view data) {
  return HexEncode(Sha256(data));
}

std::string HexHmac(absl::string_view key, absl::string_view data) {
  return HexEncode(HmacSha256(key, data));
}

// https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
TEST(Sha256, GivesTheExampleValuesOfNist) {
  EXPECT_EQ(HexSha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      HexSha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      HexSha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(Sha256, OfNothing) {
  EXPECT_EQ(HexSha256(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(HexSha256(absl::string_view()), HexSha256(""));
}

TEST(Sha256, OfAMillionLetters) {
  EXPECT_EQ(HexSha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the lengths at which the padding needs another block.
TEST(Sha256, PadsEveryLengthAroundABlock) {
  const std::vector<std::pair<int, std::string>> expected = {
      {54, "a3f01b6939256127582ac8ae9fb47a382a244680806a3f613a118851c1ca1d47"},
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"},
      {62, "f506898cc7c2e092f9eb9fadae7ba50383f5b46a2a4fe5597dbb553a78981268"},
      {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
      {118, "879dc4f05b19ebc3b037f4683633df1332b054cf52fa372d323c421cb893a2aa"},
      {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
      {121, "e9615320128cc7a3d6078e9af05603188e5ccbf0d07d8b735d3df5e8e0c1281f"},
      {127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"},
      {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
      {129, "c12cb024a2e5551cca0e08fce8f1c5e314555cc3fef6329ee994a3db752166ae"},
  };
  for (const auto& [length, digest] : expected) {
    EXPECT_EQ(HexSha256(std::string(length, 'a')), digest) << length;
  }
}

// Computed with another implementation.
TEST(Sha256, TakesEveryLengthUpTo300AndEveryByte) {
  std::string digests;
  for (int length = 0; length <= 300; ++length) {
    digests += HexSha256(Sample(length));
  }
  EXPECT_EQ(HexSha256(digests),
            "94bc81110d562891b0adac6bac4837f28ae9118c192446b6ac4414fdf4c6e629");
}

// https://www.rfc-editor.org/rfc/rfc4231
TEST(HmacSha256, GivesTheTestCasesOfRfc4231) {
  EXPECT_EQ(HexHmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(HexHmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(HexHmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(HexHmac("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"
                    "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19",
                    std::string(50, '\xcd')),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b");
  // The RFC shows the first 128 bits only.
  EXPECT_EQ(
      HexHmac(std::string(20, '\x0c'), "Test With Truncation").substr(0, 32),
      "a3b6167473100ee06e0c796c2955552b");
  EXPECT_EQ(HexHmac(std::string(131, '\xaa'),
                    "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      HexHmac(std::string(131, '\xaa'),
              "This is a test using a larger than block-size key and a larger "
              "than block-size data. The key needs to be hashed before being "
              "used by the HMAC algorithm."),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(HmacSha256, HashesKeysLongerThanABlockAndNoOthers) {
  const std::vector<std::pair<int, std::string>> expected = {
      {0, "adf339eb4e16f103a2eb80b29853b6d0b2c36696b5ee5c7bff566353935dca68"},
      {1, "28efe31665f08fe0eef24d5b6713b0bd2b6797d628d8b3a55873d4bba3bdd989"},
      {31, "10d2e0373b68e35d1fcb545698261c62c1cf9d4bc56c31a0685fc7df2ff34e9b"},
      {32, "02e09a480a765914b26456c02a8ee25970608437fe42b4f4b1792d0814d164b5"},
      {63, "c1399c94973f595f8db4b87a15a98eae890e9a9ad80557133de9e00a0625d728"},
      {64, "6507aeb80eeb997e4125a2e585eb1da31e6d59ea1c193ecb02406d64b6fe7c0d"},
      {65, "406dd0b3d1ecec6532fde35d878245202e18480306a266a203513e605a33f916"},
      {127, "25a0b4834ffe271ae0316ea28228fceed16d0fd3386e0440297161bc67dd2217"},
      {128, "9e7cfb9024ed658de4fd768ae17b99270baf877cd12f5fd4cca875d2c50022c0"},
      {129, "a967e3933ec56d65507aa95e702f786aa7900e02e84a380f45706e0cb19db71a"},
  };
  for (const auto& [length, digest] : expected) {
    EXPECT_EQ(HexHmac(std::string(length, 'k'), "what is signed"), digest)
        << length;
  }
}

TEST(HmacSha256, TakesADigestForAKey) {
  const Sha256Digest key = Sha256("key");
  const std::string bytes(key.begin(), key.end());
  EXPECT_EQ(HmacSha256(key, "data"), HmacSha256(bytes, "data"));
}

}  // namespace
}  // namespace byoshin::crypto
