#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/testing_commands.h"

namespace byoshin::local::cli {
namespace {

constexpr char kTokens[] = R"({"UserPoolId": "us-east-1_p", "ClientId": "c",
    "UserCreated": true,
    "AuthenticationResult": {"IdToken": "i.d.t", "AccessToken": "a.c.c"}})";

class TokenCommandTest : public CommandTest {
 protected:
  int RunToken(std::vector<std::string> words) {
    words.insert(words.begin(), "token");
    return Run({TokenCommand()}, words);
  }
};

TEST_F(TokenCommandTest, PrintsTheIdTokenAlone) {
  Answer(kTokens);
  EXPECT_EQ(RunToken({"--user=jane", "--pool=people"}), 0);
  EXPECT_EQ(terminal_.printed, "i.d.t\n");
  EXPECT_EQ(terminal_.noted,
            "the user jane was created in the user pool us-east-1_p\n");
  const http::Request& request = http_.requests().at(0);
  EXPECT_EQ(request.body, R"({"UserPool":"people","Username":"jane"})");
  EXPECT_EQ(http::testing::HeaderOf(request, "X-Amz-Target"),
            "AWSCognitoIdentityProviderService.ByoshinGiveTokens");
  EXPECT_TRUE(absl::StrContains(
      http::testing::HeaderOf(request, "Authorization"),
      "Credential=test/20251202/us-east-1/cognito-idp/aws4_request"));
}

TEST_F(TokenCommandTest, PrintsAnAccessTokenIfAskedTo) {
  Answer(kTokens);
  EXPECT_EQ(RunToken({"--user=jane", "--access"}), 0);
  EXPECT_EQ(terminal_.printed, "a.c.c\n");
}

TEST_F(TokenCommandTest, NeedsAUser) {
  EXPECT_NE(RunToken({}), 0);
  EXPECT_TRUE(absl::StrContains(terminal_.noted, "--user=NAME"))
      << terminal_.noted;
  EXPECT_TRUE(http_.requests().empty());
}

TEST_F(TokenCommandTest, SaysWhyTheCloudRefusesIt) {
  http_.Answer({.status = 400, .body = R"({"__type":"ResourceNotFoundException",
                            "message":"there is no user pool"})"});
  EXPECT_EQ(RunToken({"--user=jane"}), 1);
  EXPECT_EQ(terminal_.printed, "");
  EXPECT_EQ(terminal_.noted,
            "byoshin token: the cloud refused the token: "
            "ResourceNotFoundException: there is no user pool\n");
}

}  // namespace
}  // namespace byoshin::local::cli
