#include "local/secretsmanager/random_password.h"

#include <algorithm>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/gateway/error.h"

namespace byoshin::local::secretsmanager {
namespace {

bool HasAny(const std::string& text, bool (*is)(unsigned char)) {
  return std::any_of(text.begin(), text.end(),
                     [&](char c) { return is(static_cast<unsigned char>(c)); });
}

std::string PasswordError(const PasswordRules& rules) {
  return ErrorAnswerOf(NewPassword(rules).status()).message;
}

TEST(RandomPassword, HasEveryTypeAndTheLength) {
  for (int i = 0; i < 50; ++i) {
    const std::string password = *NewPassword({.length = 4});
    EXPECT_EQ(password.size(), 4u);
    EXPECT_TRUE(HasAny(password, &absl::ascii_islower)) << password;
    EXPECT_TRUE(HasAny(password, &absl::ascii_isupper)) << password;
    EXPECT_TRUE(HasAny(password, &absl::ascii_isdigit)) << password;
    EXPECT_TRUE(HasAny(password, &absl::ascii_ispunct)) << password;
  }
  EXPECT_EQ(NewPassword({})->size(), 32u);
  EXPECT_NE(*NewPassword({}), *NewPassword({}));
}

TEST(RandomPassword, HasNothingThatIsExcluded) {
  const std::string password = *NewPassword({.length = 4096,
                                             .exclude_characters = "abc\"@/\\",
                                             .exclude_uppercase = true,
                                             .exclude_numbers = true,
                                             .include_space = true});
  EXPECT_EQ(password.find_first_of("abc\"@/\\"), std::string::npos);
  EXPECT_FALSE(HasAny(password, &absl::ascii_isupper));
  EXPECT_FALSE(HasAny(password, &absl::ascii_isdigit));
  EXPECT_NE(password.find(' '), std::string::npos);
  EXPECT_NE(password.find('~'), std::string::npos);
}

TEST(RandomPassword, SaysWhyItCannotBeMade) {
  EXPECT_EQ(PasswordError({.length = 3}),
            "Password length 3 is too short based on the required types.");
  EXPECT_EQ(
      NewPassword({.length = 3, .require_each_included_type = false})->size(),
      3u);
  EXPECT_EQ(PasswordError({.length = 0}),
            "Password length must be between 1 and 4096 characters.");
  EXPECT_EQ(PasswordError({.exclude_lowercase = true,
                           .exclude_uppercase = true,
                           .exclude_numbers = true,
                           .exclude_punctuation = true}),
            "All characters of the desired type have been excluded.");
}

}  // namespace
}  // namespace byoshin::local::secretsmanager
