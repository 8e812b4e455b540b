#include "local/applications/generation/demo_user.h"

#include <sys/stat.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "local/applications/generation/generation_parts.h"
#include "local/cognito/testing/test_pool.h"
#include "local/files/folders.h"
#include "local/files/testing/test_folder.h"

namespace byoshin::local::applications {
namespace {

class DemoUserTest : public cognito::TestPool {
 protected:
  absl::StatusOr<DemoUser> Ensure() {
    return EnsureDemoUser(
        {.cognito = *cognito_, .region = kRegion, .file = file()}, Parts());
  }
  GenerationParts Parts() {
    return {.user_pool_id = pool_,
            .users_have_addresses = users_have_addresses_,
            .password_length = 20};
  }
  std::string file() const { return absl::StrCat(folder_.path(), "/password"); }

  const TestFolder folder_;
  bool users_have_addresses_ = false;
};

TEST_F(DemoUserTest, CanSignIn) {
  const absl::StatusOr<DemoUser> user = Ensure();
  ASSERT_TRUE(user.ok()) << user.status();
  EXPECT_EQ(user->name, "demo");
  EXPECT_GE(user->password.size(), 20u);
  Good(SignIn(user->name, user->password));
}

TEST_F(DemoUserTest, KeepsItsPasswordFromStartToStart) {
  const DemoUser first = *Ensure();
  Reopen();
  const DemoUser second = *Ensure();
  EXPECT_EQ(second.password, first.password);
  Good(SignIn("demo", first.password));
}

TEST_F(DemoUserTest, KeepsThePasswordInAFileOfItsOwner) {
  ASSERT_TRUE(Ensure().ok());
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(DemoUserTest, GetsANewPasswordIfTheOldOneIsNotKnown) {
  const DemoUser first = *Ensure();
  ASSERT_TRUE(RemoveTree(file()).ok());
  const DemoUser second = *Ensure();
  EXPECT_NE(second.password, first.password);
  Good(SignIn("demo", second.password));
}

TEST_F(DemoUserTest, IsCreatedAgainWithTheSamePassword) {
  const DemoUser first = *Ensure();
  Good(Call("AdminDeleteUser", InPool("demo")));
  ASSERT_EQ(Ensure()->password, first.password);
  Good(SignIn("demo", first.password));
}

TEST_F(DemoUserTest, HasAnAddressWhereUsersSignInWithOne) {
  pool_ = CreatePool(R"({"UsernameAttributes": ["email"]})");
  client_ =
      CreateClient(R"({"ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]})");
  users_have_addresses_ = true;
  const absl::StatusOr<DemoUser> user = Ensure();
  ASSERT_TRUE(user.ok()) << user.status();
  EXPECT_EQ(user->name, "demo@example.com");
  Good(SignIn(user->name, user->password));
  EXPECT_EQ(Ensure()->password, user->password);
}

TEST_F(DemoUserTest, IsNotMadeInAPoolThatIsGone) {
  pool_ = "us-east-1_Nowhere";
  EXPECT_FALSE(Ensure().ok());
}

}  // namespace
}  // namespace byoshin::local::applications
