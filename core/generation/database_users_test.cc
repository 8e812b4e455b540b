#include "core/generation/database_users.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/sql.h"
#include "core/generation/testing/fake_database.h"
#include "core/generation/testing/fake_secrets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class DatabaseUsersTest : public ::testing::Test {
 protected:
  absl::Status SetPasswords() {
    return DatabaseUsers(database_, secrets_, {{kReaderUser, "arn:reader"}})
        .SetPasswords(absl::InfiniteFuture());
  }

  testing::FakeDatabase client_;
  SqlDatabase database_{client_, {}};
  testing::FakeSecrets secrets_;
};

TEST_F(DatabaseUsersTest, GetTheirPasswordsWithoutPuttingThemIntoSql) {
  secrets_.Put("arn:reader",
               R"({"username":"generation_reader","password":"hu'sh"})");
  ASSERT_TRUE(SetPasswords().ok());
  EXPECT_THAT(client_.statements(),
              ElementsAre("BEGIN", HasSubstr("set_config"),
                          HasSubstr("ALTER ROLE"), "COMMIT"));
  for (const std::string& statement : client_.statements()) {
    EXPECT_THAT(statement, Not(HasSubstr("sh'"))) << "the password";
  }
  EXPECT_EQ(*client_.requests().at(0).parameters.at(0).value.text(),
            kReaderUser);
  EXPECT_EQ(*client_.requests().at(0).parameters.at(1).value.text(), "hu'sh");
}

TEST_F(DatabaseUsersTest, DoNotGetThePasswordOfAnother) {
  for (const char* secret :
       {R"({"username":"generation_owner","password":"hush"})",
        R"({"username":"generation_reader"})", R"(hush)"}) {
    secrets_.Put("arn:reader", secret);
    const absl::Status status = SetPasswords();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr("arn:reader"));
    EXPECT_THAT(status.message(), Not(HasSubstr("hush")));
  }
  EXPECT_THAT(client_.statements(), IsEmpty());
}

TEST_F(DatabaseUsersTest, KeepTheirPasswordsIfTheDatabaseFails) {
  secrets_.Put("arn:reader",
               R"({"username":"generation_reader","password":"hush"})");
  client_.FailWhen("ALTER ROLE", absl::UnavailableError("gone"));
  EXPECT_TRUE(absl::IsUnavailable(SetPasswords()));
  EXPECT_EQ(client_.statements().back(), "ROLLBACK");
}

TEST_F(DatabaseUsersTest, NeedTheirSecrets) {
  EXPECT_TRUE(absl::IsNotFound(SetPasswords()));
}

}  // namespace
}  // namespace byoshin::generation
