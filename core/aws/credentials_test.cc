#include "core/aws/credentials.h"

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::PrintToString;

template <typename T, typename = void>
struct IsStreamable : std::false_type {};
template <typename T>
struct IsStreamable<T, std::void_t<decltype(std::declval<std::ostream&>()
                                            << std::declval<const T&>())>>
    : std::true_type {};

TEST(Credentials, ComeFromTheEnvironment) {
  const absl::StatusOr<Credentials> credentials =
      CredentialsFrom(env::FromMap({{"AWS_ACCESS_KEY_ID", "AKID"},
                                    {"AWS_SECRET_ACCESS_KEY", "se/cret"},
                                    {"AWS_SESSION_TOKEN", "to/ken=="}}));
  ASSERT_TRUE(credentials.ok()) << credentials.status();
  EXPECT_EQ(credentials->access_key_id, "AKID");
  EXPECT_EQ(credentials->secret_access_key.Reveal(), "se/cret");
  EXPECT_EQ(credentials->session_token.Reveal(), "to/ken==");
}

TEST(Credentials, NeedNoSessionToken) {
  for (const env::Environment& environment :
       {env::FromMap(
            {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
        env::FromMap({{"AWS_ACCESS_KEY_ID", "a"},
                      {"AWS_SECRET_ACCESS_KEY", "b"},
                      {"AWS_SESSION_TOKEN", ""}})}) {
    const absl::StatusOr<Credentials> credentials =
        CredentialsFrom(environment);
    ASSERT_TRUE(credentials.ok()) << credentials.status();
    EXPECT_TRUE(credentials->session_token.empty());
  }
}

TEST(Credentials, NameTheVariableThatIsMissing) {
  const absl::Status no_id =
      CredentialsFrom(env::FromMap({{"AWS_SECRET_ACCESS_KEY", "secret"}}))
          .status();
  EXPECT_EQ(no_id.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(no_id.message()), HasSubstr("AWS_ACCESS_KEY_ID"));
  EXPECT_THAT(std::string(no_id.message()), Not(HasSubstr("secret")));

  const absl::Status no_key =
      CredentialsFrom(env::FromMap({{"AWS_ACCESS_KEY_ID", "a"},
                                    {"AWS_SECRET_ACCESS_KEY", ""}}))
          .status();
  EXPECT_EQ(no_key.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(no_key.message()),
              HasSubstr("AWS_SECRET_ACCESS_KEY"));
}

TEST(Credentials, AreNotShownByTests) {
  const Credentials credentials{.access_key_id = "AKID",
                                .secret_access_key = Secret("hidden"),
                                .session_token = Secret("hidden")};
  EXPECT_EQ(PrintToString(credentials), "credentials of AKID");
  EXPECT_EQ(PrintToString(credentials.session_token), "[secret]");
}

TEST(Secret, CannotBeWrittenToAStreamOrTakenForAString) {
  EXPECT_TRUE(IsStreamable<std::string>::value);
  EXPECT_FALSE(IsStreamable<Secret>::value);
  EXPECT_FALSE((std::is_convertible_v<Secret, std::string>));
}

}  // namespace
}  // namespace byoshin::aws
