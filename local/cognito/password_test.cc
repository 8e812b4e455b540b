// Passwords, SRP, filters and names, without the service.

#include "local/cognito/password.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/names.h"
#include "local/cognito/secrets.h"
#include "local/cognito/srp.h"
#include "local/cognito/user_filter.h"
#include "local/gateway/error.h"

namespace byoshin::local::cognito {
namespace {

constexpr PasswordCost kCheap = {
    .log2_cost = 1, .block_size = 1, .parallelism = 1};
constexpr PasswordPolicy kStrict = {.minimum_length = 8,
                                    .require_uppercase = true,
                                    .require_lowercase = true,
                                    .require_numbers = true,
                                    .require_symbols = true};

std::string Refusal(const std::string& password) {
  return ErrorAnswerOf(CheckPassword(password, kStrict)).message;
}

TEST(Password, MustConformWithThePolicy) {
  const std::string begin = "Password did not conform with policy: Password ";
  EXPECT_EQ(Refusal("Aa1!"), begin + "not long enough");
  EXPECT_EQ(Refusal("aaaaaa1!"), begin + "must have uppercase characters");
  EXPECT_EQ(Refusal("AAAAAA1!"), begin + "must have lowercase characters");
  EXPECT_EQ(Refusal("AAaaaaa!"), begin + "must have numeric characters");
  EXPECT_EQ(Refusal("AAaaaaa1"), begin + "must have symbol characters");
  EXPECT_TRUE(CheckPassword("AAaaaa1!", kStrict).ok());
  EXPECT_FALSE(CheckPassword(std::string(257, 'a'), {}).ok());
}

TEST(Password, IsKeptWithASaltOfItsOwn) {
  const kept::Password one = HashPassword("word", kPasswordCost);
  const kept::Password two = HashPassword("word", kCheap);
  EXPECT_NE(one.salt(), two.salt());
  EXPECT_NE(one.hash(), two.hash());
  EXPECT_FALSE(absl::StrContains(one.SerializeAsString(), "word"));
  EXPECT_TRUE(IsPassword("word", one));
  EXPECT_TRUE(IsPassword("word", two));
  EXPECT_FALSE(IsPassword("Word", two));
  EXPECT_FALSE(IsPassword("", kept::Password()));
}

TEST(Password, LocksLongerAfterEachFailure) {
  const absl::Time last = absl::FromUnixSeconds(1000);
  EXPECT_EQ(LockedUntil(4, last), absl::InfinitePast());
  EXPECT_EQ(LockedUntil(5, last), last + absl::Seconds(1));
  EXPECT_EQ(LockedUntil(8, last), last + absl::Seconds(8));
  EXPECT_EQ(LockedUntil(1000, last), last + absl::Minutes(15));
}

// **Feature: passwords, Property 1: A generated password conforms with the
// policy it was generated for**
RC_GTEST_PROP(PasswordProperty, GeneratedOnesConform, ()) {
  const PasswordPolicy policy{
      .minimum_length = *rc::gen::inRange<std::int64_t>(6, 100),
      .require_uppercase = *rc::gen::arbitrary<bool>(),
      .require_lowercase = *rc::gen::arbitrary<bool>(),
      .require_numbers = *rc::gen::arbitrary<bool>(),
      .require_symbols = *rc::gen::arbitrary<bool>()};
  RC_ASSERT(CheckPassword(NewPassword(policy), policy).ok());
}

// **Feature: passwords, Property 2: More failures never lock for a shorter
// time, nor for more than fifteen minutes**
RC_GTEST_PROP(PasswordProperty, LocksGrow, ()) {
  const int failures = *rc::gen::inRange(5, 100000);
  const absl::Time last = absl::FromUnixSeconds(1000);
  RC_ASSERT(LockedUntil(failures, last) <= LockedUntil(failures + 1, last));
  RC_ASSERT(LockedUntil(failures, last) <= last + absl::Minutes(15));
}

TEST(Srp, RefusesPublicValuesThatGiveTheKeyAway) {
  const SrpVerifier kept = NewSrpVerifier(
      {.pool_id = "us-east-1_pool", .user_id = "jane", .password = "word"});
  const SrpServer server = BeginSrp(kept.verifier);
  EXPECT_TRUE(SrpKey("05", server, kept.verifier).ok());
  for (const std::string& bad : {std::string(""), std::string("0"),
                                 std::string("xyz"), std::string(1000, 'f')}) {
    EXPECT_TRUE(
        absl::IsInvalidArgument(SrpKey(bad, server, kept.verifier).status()))
        << bad;
  }
}

TEST(Srp, SignsWithTheKeyOfTheSession) {
  const SrpClaim claim{.pool_id = "us-east-1_pool",
                       .user_id = "jane",
                       .secret_block = "block",
                       .timestamp = "now"};
  EXPECT_EQ(SrpSignature("key", claim), SrpSignature("key", claim));
  EXPECT_NE(SrpSignature("key", claim), SrpSignature("other", claim));
}

TEST(Secrets, AreDrawnFromTheWholeAlphabet) {
  const std::string text = RandomText(10000, kDigits);
  EXPECT_EQ(std::set<char>(text.begin(), text.end()).size(), 10U);
  EXPECT_NE(NewSecretToken(), NewSecretToken());
  EXPECT_TRUE(AreEqualSecrets("a", "a"));
  EXPECT_FALSE(AreEqualSecrets("a", "b"));
  EXPECT_FALSE(AreEqualSecrets("a", "ab"));
}

TEST(UserFilter, ComparesWholeValuesOrBeginnings) {
  kept::User user;
  user.set_username("jane");
  user.set_enabled(true);
  user.set_status(kept::CONFIRMED);
  kept::Attribute& email = *user.add_attributes();
  email.set_name("email");
  email.set_value("ja\"ne@example.com");
  const auto matches = [&](const std::string& text) {
    return Matches(*ParseUserFilter(text), user);
  };
  EXPECT_TRUE(matches(""));
  EXPECT_TRUE(matches(R"(username = "jane")"));
  EXPECT_TRUE(matches(R"(username ^= "ja")"));
  EXPECT_TRUE(matches(R"(username^="ja")"));
  EXPECT_FALSE(matches(R"(username = "ja")"));
  EXPECT_TRUE(matches(R"(email ^= "ja\"ne")"));
  EXPECT_TRUE(matches(R"(cognito:user_status = "confirmed")"));
  EXPECT_TRUE(matches(R"(status = "Enabled")"));
  for (const char* bad :
       {"username", "username = jane", "username = \"a\" x", "shoe = \"9\"",
        "username = \"a\\\"", "= \"a\"", "username = \"a\"b\""}) {
    EXPECT_FALSE(ParseUserFilter(bad).ok()) << bad;
  }
}

TEST(Names, HaveTheirForms) {
  EXPECT_TRUE(IsEmail("a@b"));
  for (const char* bad : {"a", "@b", "a@", "a@b@c", "a b@c", "a@b.", "a@.b"}) {
    EXPECT_FALSE(IsEmail(bad)) << bad;
  }
  EXPECT_TRUE(IsPhone("+14325551212"));
  for (const char* bad :
       {"", "+", "14325551212", "+1 432", "+1234567890123456"}) {
    EXPECT_FALSE(IsPhone(bad)) << bad;
  }
  EXPECT_FALSE(IsUserName("a b"));
  EXPECT_FALSE(IsUserName(std::string(129, 'a')));
  EXPECT_EQ(MaskedAddress("jane@example.com"), "j***@e***");
  EXPECT_EQ(MaskedAddress("+14325551212"), "+*******1212");
}

}  // namespace
}  // namespace byoshin::local::cognito
