#include "core/crypto/sha512.h"

#include <string>

#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sample.h"
#include "gtest/gtest.h"

namespace byoshin::crypto {
namespace {

std::string HexSha512(absl::string_view data) {
  return HexEncode(Sha512(data));
}

std::string HexSha384(absl::string_view data) {
  return HexEncode(Sha384(data));
}

// FIPS 180-4's examples.
TEST(Sha512, GivesTheExamplesOfTheStandard) {
  EXPECT_EQ(HexSha512("abc"),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  EXPECT_EQ(HexSha512(std::string(1000000, 'a')),
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
            "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b");
  EXPECT_EQ(HexSha512(""),
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
            "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e");
}

TEST(Sha384, GivesTheExamplesOfTheStandard) {
  EXPECT_EQ(HexSha384("abc"),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            "8086072ba1e7cc2358baeca134c825a7");
  EXPECT_EQ(HexSha384(""),
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
            "274edebfe76f65fbd51ad2f14898b95b");
}

// Computed with another implementation.
TEST(Sha512, TakesEveryLengthUpTo300AndEveryByte) {
  std::string digests;
  std::string shorter_digests;
  for (int length = 0; length <= 300; ++length) {
    digests += HexSha512(Sample(length));
    shorter_digests += HexSha384(Sample(length));
  }
  EXPECT_EQ(HexSha512(digests),
            "e95e6767913ed1920530e5028b1a97936b37a3b30665a24bd709b6593b5ed389"
            "86d7a1546bcacef4b54b49ff8a3eb6cdbc3d2e64337146c9b3f5a9a637e7133a");
  EXPECT_EQ(HexSha384(shorter_digests),
            "193570ab6249e6ef15cd46431d8b884b8ba5d0f538c6c7d24abb05dd41df127a"
            "9254e57f05913275a65ef9e9ab12695a");
}

}  // namespace
}  // namespace byoshin::crypto
