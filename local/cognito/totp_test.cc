#include "local/cognito/totp.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::cognito {
namespace {

// The secret in the examples of RFC 4226 and RFC 6238.
constexpr absl::string_view kSecret = "12345678901234567890";

TEST(Totp, MakesTheCodesOfRfc6238) {
  constexpr int kDigits = 8;
  const auto code = [](std::int64_t seconds) {
    return TotpCode(kSecret, TotpStepAt(absl::FromUnixSeconds(seconds)),
                    kDigits);
  };
  EXPECT_EQ(code(59), "94287082");
  EXPECT_EQ(code(1111111109), "07081804");
  EXPECT_EQ(code(1111111111), "14050471");
  EXPECT_EQ(code(1234567890), "89005924");
  EXPECT_EQ(code(2000000000), "69279037");
  EXPECT_EQ(code(20000000000), "65353130");
}

TEST(Totp, MakesTheCodesOfRfc4226) {
  constexpr absl::string_view kCodes[] = {
      "755224", "287082", "359152", "969429", "338314",
      "254676", "287922", "162583", "399871", "520489"};
  std::int64_t counter = 0;
  for (const absl::string_view expected : kCodes) {
    EXPECT_EQ(TotpCode(kSecret, counter++), expected);
  }
}

TEST(Totp, ToleratesOneStep) {
  const absl::Time now = absl::FromUnixSeconds(1'764'671'010);
  const std::int64_t step = TotpStepAt(now);
  for (const std::int64_t near : {step - 1, step, step + 1}) {
    EXPECT_EQ(FindTotpStep(kSecret, TotpCode(kSecret, near), now), near);
  }
  for (const std::int64_t far : {step - 2, step + 2}) {
    EXPECT_EQ(FindTotpStep(kSecret, TotpCode(kSecret, far), now), std::nullopt);
  }
  EXPECT_EQ(FindTotpStep(kSecret, "", now), std::nullopt);
  EXPECT_EQ(FindTotpStep(kSecret, TotpCode(kSecret, step) + "0", now),
            std::nullopt);
}

TEST(Totp, StepsBeginEveryHalfMinute) {
  EXPECT_EQ(TotpStepAt(absl::FromUnixSeconds(29)), 0);
  EXPECT_EQ(TotpStepAt(absl::FromUnixSeconds(30)), 1);
}

TEST(Totp, MakesNewSecrets) {
  EXPECT_EQ(NewTotpSecret().size(), kTotpSecretBytes);
  EXPECT_NE(NewTotpSecret(), NewTotpSecret());
}

TEST(Base32, EncodesTheExamplesOfRfc4648) {
  EXPECT_EQ(Base32Encode(""), "");
  EXPECT_EQ(Base32Encode("f"), "MY");
  EXPECT_EQ(Base32Encode("fo"), "MZXQ");
  EXPECT_EQ(Base32Encode("foo"), "MZXW6");
  EXPECT_EQ(Base32Encode("foob"), "MZXW6YQ");
  EXPECT_EQ(Base32Encode("fooba"), "MZXW6YTB");
  EXPECT_EQ(Base32Encode("foobar"), "MZXW6YTBOI");
  EXPECT_EQ(Base32Encode(std::string(2, '\xff')), "777Q");
}

}  // namespace
}  // namespace byoshin::local::cognito
