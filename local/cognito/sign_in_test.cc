// Signing in: flows, challenges, sessions and lock-outs.

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"
#include "local/cognito/operations.h"
#include "local/cognito/testing/test_pool.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kWrong[] =
    "NotAuthorizedException: Incorrect username or password.";
constexpr char kLocked[] = "NotAuthorizedException: Password attempts exceeded";

class SignInTest : public TestPool {
 protected:
  Json::Value Tokens(const std::string& name, const std::string& password) {
    return Good(SignIn(name, password))["AuthenticationResult"];
  }
  std::string CallWith(const std::string& operation,
                       const Json::Value& access_token) {
    Json::Value request(Json::objectValue);
    request["AccessToken"] = access_token;
    return ErrorOf(Call(operation, request));
  }
  // A client with one more setting, used from now on.
  void UseClient(const char* name, const Json::Value& value) {
    Json::Value settings(Json::objectValue);
    settings[name] = value;
    settings["ExplicitAuthFlows"].append("ALLOW_USER_PASSWORD_AUTH");
    settings["ExplicitAuthFlows"].append("ALLOW_REFRESH_TOKEN_AUTH");
    client_ = CreateClient(settings.toStyledString());
  }
  std::string SecretHash(const std::string& secret, const std::string& user) {
    const crypto::Sha256Digest digest =
        crypto::HmacSha256(secret, absl::StrCat(user, client_));
    return absl::Base64Escape(absl::string_view(
        reinterpret_cast<const char*>(digest.data()), digest.size()));
  }
};

TEST_F(SignInTest, TakesNoSignatureForWhatUsersDo) {
  const auto takes_unsigned = cognito_->traits().takes_unsigned;
  for (const char* operation :
       {"ConfirmDevice", "GetTokensFromRefreshToken", "GetUserAuthFactors",
        "InitiateAuth", "ListDevices", "SetUserSettings", "SignUp",
        "StartWebAuthnRegistration", "UpdateDeviceStatus"}) {
    EXPECT_TRUE(takes_unsigned(operation)) << operation;
  }
  for (const char* operation : {"AdminInitiateAuth", "AdminListDevices",
                                "ListUsers", kGiveTokens, "Unknown", ""}) {
    EXPECT_FALSE(takes_unsigned(operation)) << operation;
  }
  EXPECT_EQ(ErrorOf(Call("ListDevices", "{}")),
            "UnknownOperationException: the local Cognito does not support "
            "\"ListDevices\"");
}

TEST_F(SignInTest, GivesTokensForTheRightPassword) {
  AddUser("jane", "Secret-1");
  const Json::Value result = Tokens("jane", "Secret-1");
  EXPECT_EQ(result["TokenType"], "Bearer");
  EXPECT_EQ(result["ExpiresIn"], 3600);
  EXPECT_FALSE(result["RefreshToken"].asString().empty());

  const Json::Value id = Claims(result["IdToken"]);
  EXPECT_EQ(
      id["iss"],
      absl::StrCat("https://cognito-idp.us-east-1.amazonaws.com/", pool_));
  EXPECT_EQ(id["aud"], client_);
  EXPECT_EQ(id["cognito:username"], "jane");
  EXPECT_EQ(id["token_use"], "id");
  EXPECT_EQ(id["iat"].asInt64(), absl::ToUnixSeconds(clock_.Now()));
  EXPECT_EQ(id["exp"].asInt64() - id["iat"].asInt64(), 3600);
  EXPECT_EQ(id["auth_time"], id["iat"]);
  EXPECT_FALSE(id.isMember("client_id"));

  const Json::Value access = Claims(result["AccessToken"]);
  EXPECT_EQ(access["client_id"], client_);
  EXPECT_EQ(access["username"], "jane");
  EXPECT_EQ(access["scope"], "aws.cognito.signin.user.admin");
  EXPECT_EQ(access["token_use"], "access");
  EXPECT_EQ(access["sub"], id["sub"]);
  EXPECT_EQ(access["origin_jti"], id["origin_jti"]);
  EXPECT_NE(access["jti"], id["jti"]);
  EXPECT_FALSE(access.isMember("aud"));
}

TEST_F(SignInTest, RefusesAWrongPasswordAndAnUnknownUser) {
  AddUser("jane", "Secret-1");
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-2")), kWrong);
  EXPECT_EQ(ErrorOf(SignIn("joe", "Secret-1")),
            "UserNotFoundException: User does not exist.");
  UseClient("PreventUserExistenceErrors", "ENABLED");
  EXPECT_EQ(ErrorOf(SignIn("joe", "Secret-1")), kWrong);
}

TEST_F(SignInTest, NamesWhatIsMissing) {
  Json::Value request = ByClient();
  request["AuthFlow"] = "USER_PASSWORD_AUTH";
  request["AuthParameters"]["USERNAME"] = "jane";
  EXPECT_EQ(ErrorOf(Call("InitiateAuth", request)),
            "InvalidParameterException: Missing required parameter PASSWORD");
  request["ClientId"] = "unknown";
  EXPECT_EQ(ErrorOf(Call("InitiateAuth", request)),
            "ResourceNotFoundException: User pool client unknown does not "
            "exist.");
}

TEST_F(SignInTest, TakesOnlyTheFlowsOfTheClient) {
  AddUser("jane", "Secret-1");
  client_ = CreateClient(R"({"ExplicitAuthFlows": ["ALLOW_CUSTOM_AUTH"]})");
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            "InvalidParameterException: USER_PASSWORD_AUTH flow not enabled "
            "for this client");
  EXPECT_EQ(ErrorOf(Refresh("x")),
            "InvalidParameterException: REFRESH_TOKEN_AUTH flow not enabled "
            "for this client");
  Json::Value request = ByClient();
  request["UserPoolId"] = pool_;
  request["AuthFlow"] = "ADMIN_USER_PASSWORD_AUTH";
  EXPECT_EQ(ErrorOf(Call("AdminInitiateAuth", request)),
            "InvalidParameterException: Auth flow not enabled for this client");
  EXPECT_EQ(ErrorOf(Call("InitiateAuth", request)),
            "InvalidParameterException: Initiate Auth method not supported.");
  request["AuthFlow"] = "CUSTOM_AUTH";
  EXPECT_EQ(ErrorOf(Call("InitiateAuth", request)),
            "InvalidParameterException: the local Cognito does not support the "
            "flow CUSTOM_AUTH");
}

TEST_F(SignInTest, LetsAnAdministratorSignInForAUser) {
  AddUser("jane", "Secret-1");
  Json::Value request = ByClient();
  request["UserPoolId"] = pool_;
  request["AuthFlow"] = "ADMIN_USER_PASSWORD_AUTH";
  request["AuthParameters"]["USERNAME"] = "jane";
  request["AuthParameters"]["PASSWORD"] = "Secret-1";
  EXPECT_TRUE(
      Good(Call("AdminInitiateAuth", request))["AuthenticationResult"].isMember(
          "IdToken"));
  const std::string first = pool_;
  pool_ = CreatePool("{}");
  request["UserPoolId"] = pool_;
  EXPECT_EQ(ErrorOf(Call("AdminInitiateAuth", request)),
            absl::StrCat("ResourceNotFoundException: User pool client ",
                         client_, " does not exist."));
}

TEST_F(SignInTest, DemandsTheSecretHashOfAClientWithASecret) {
  AddUser("jane", "Secret-1");
  UseClient("GenerateSecret", true);
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            absl::StrCat("NotAuthorizedException: Client ", client_,
                         " is configured for secret but secret was not "
                         "received"));
  Json::Value describe = InPool();
  describe["ClientId"] = client_;
  const std::string secret = Good(Call(
      "DescribeUserPoolClient", describe))["UserPoolClient"]["ClientSecret"]
                                 .asString();
  Json::Value request = ByClient();
  request["AuthFlow"] = "USER_PASSWORD_AUTH";
  request["AuthParameters"]["USERNAME"] = "jane";
  request["AuthParameters"]["PASSWORD"] = "Secret-1";
  request["AuthParameters"]["SECRET_HASH"] = SecretHash(secret, "joe");
  EXPECT_EQ(ErrorOf(Call("InitiateAuth", request)),
            absl::StrCat("NotAuthorizedException: Unable to verify secret hash "
                         "for client ",
                         client_));
  request["AuthParameters"]["SECRET_HASH"] = SecretHash(secret, "jane");
  const Json::Value tokens =
      Good(Call("InitiateAuth", request))["AuthenticationResult"];

  Json::Value again = ByClient();
  again["AuthFlow"] = "REFRESH_TOKEN_AUTH";
  again["AuthParameters"]["REFRESH_TOKEN"] = tokens["RefreshToken"];
  EXPECT_NE(ErrorOf(Call("InitiateAuth", again)), "none");
  again["AuthParameters"]["SECRET_HASH"] = SecretHash(secret, "jane");
  Good(Call("InitiateAuth", again));
}

TEST_F(SignInTest, DemandsANewPasswordInThePlaceOfATemporaryOne) {
  Json::Value create = InPool("jane");
  create["TemporaryPassword"] = "Temporary-1";
  EXPECT_EQ(Good(Call("AdminCreateUser", create))["User"]["UserStatus"],
            "FORCE_CHANGE_PASSWORD");
  const Json::Value challenge = Good(SignIn("jane", "Temporary-1"));
  EXPECT_EQ(challenge["ChallengeName"], "NEW_PASSWORD_REQUIRED");
  EXPECT_EQ(challenge["ChallengeParameters"]["USER_ID_FOR_SRP"], "jane");

  Json::Value respond = ByClient();
  respond["ChallengeName"] = "NEW_PASSWORD_REQUIRED";
  respond["Session"] = challenge["Session"];
  respond["ChallengeResponses"]["USERNAME"] = "jane";
  respond["ChallengeResponses"]["NEW_PASSWORD"] = "short";
  EXPECT_EQ(ErrorOf(Call("RespondToAuthChallenge", respond)),
            "InvalidPasswordException: Password did not conform with policy: "
            "Password not long enough");
  respond["ChallengeResponses"]["NEW_PASSWORD"] = "Secret-1";
  EXPECT_TRUE(
      Good(Call("RespondToAuthChallenge", respond))["AuthenticationResult"]
          .isMember("IdToken"));
  EXPECT_EQ(ErrorOf(Call("RespondToAuthChallenge", respond)),
            "NotAuthorizedException: Invalid session for the user.");
  EXPECT_EQ(Good(Call("AdminGetUser", InPool("jane")))["UserStatus"],
            "CONFIRMED");
  EXPECT_EQ(ErrorOf(SignIn("jane", "Temporary-1")), kWrong);
  Tokens("jane", "Secret-1");
}

TEST_F(SignInTest, LetsAChallengeExpire) {
  Json::Value create = InPool("jane");
  create["TemporaryPassword"] = "Temporary-1";
  Good(Call("AdminCreateUser", create));
  Json::Value respond = ByClient();
  respond["ChallengeName"] = "NEW_PASSWORD_REQUIRED";
  respond["Session"] = Good(SignIn("jane", "Temporary-1"))["Session"];
  respond["ChallengeResponses"]["USERNAME"] = "jane";
  respond["ChallengeResponses"]["NEW_PASSWORD"] = "Secret-1";
  clock_.AdvanceBy(absl::Minutes(3));
  EXPECT_EQ(ErrorOf(Call("RespondToAuthChallenge", respond)),
            "NotAuthorizedException: Invalid session for the user, session is "
            "expired.");
}

TEST_F(SignInTest, LetsATemporaryPasswordExpire) {
  Json::Value create = InPool("jane");
  create["TemporaryPassword"] = "Temporary-1";
  Good(Call("AdminCreateUser", create));
  clock_.AdvanceBy(absl::Hours(24 * 7));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Temporary-1")),
            "NotAuthorizedException: Temporary password has expired and must "
            "be reset by an administrator.");
}

TEST_F(SignInTest, RefusesADisabledUser) {
  AddUser("jane", "Secret-1");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  Good(Call("AdminDisableUser", InPool("jane")));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            "NotAuthorizedException: User is disabled.");
  EXPECT_NE(ErrorOf(Refresh(tokens["RefreshToken"].asString())), "none");
  Good(Call("AdminEnableUser", InPool("jane")));
  Tokens("jane", "Secret-1");
}

TEST_F(SignInTest, LocksAUserOutForLongerAfterEachFailure) {
  AddUser("jane", "Secret-1");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")), kWrong) << i;
  }
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")), kLocked);
  clock_.AdvanceBy(absl::Milliseconds(999));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")), kLocked);
  clock_.AdvanceBy(absl::Milliseconds(1));
  EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")), kWrong);
  clock_.AdvanceBy(absl::Milliseconds(1999));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")), kLocked);
  clock_.AdvanceBy(absl::Milliseconds(1));
  Tokens("jane", "Secret-1");
  // A success forgets the failures.
  EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")), kWrong);
  EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")), kWrong);
}

TEST_F(SignInTest, TakesNoMoreGuessesIfTheyComeAtTheSameTime) {
  AddUser("jane", "Secret-1");
  std::atomic<int> compared = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      if (ErrorOf(SignIn("jane", "wrong")) == kWrong) ++compared;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(compared, 5);
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")), kLocked);
}

TEST_F(SignInTest, ForgetsFailuresAfterAQuarterOfAnHour) {
  AddUser("jane", "Secret-1");
  for (int i = 0; i < 4; ++i) ErrorOf(SignIn("jane", "wrong"));
  clock_.AdvanceBy(absl::Minutes(15) + absl::Milliseconds(1));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")), kWrong);
  }
  Tokens("jane", "Secret-1");
}

TEST_F(SignInTest, ForgetsFailuresToChangeThePasswordAsWell) {
  AddUser("jane", "Secret-1");
  Json::Value request(Json::objectValue);
  request["AccessToken"] = Tokens("jane", "Secret-1")["AccessToken"];
  request["PreviousPassword"] = "wrong";
  request["ProposedPassword"] = "Secret-2";
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ErrorOf(Call("ChangePassword", request)), kWrong);
  }
  clock_.AdvanceBy(absl::Minutes(15) + absl::Milliseconds(1));
  EXPECT_EQ(ErrorOf(Call("ChangePassword", request)), kWrong);
  Tokens("jane", "Secret-1");
}

TEST_F(SignInTest, RefreshesTheTokensOfASession) {
  AddUser("jane", "Secret-1");
  const Json::Value first = Tokens("jane", "Secret-1");
  clock_.AdvanceBy(absl::Hours(2));
  const Json::Value second =
      Good(Refresh(first["RefreshToken"].asString()))["AuthenticationResult"];
  EXPECT_FALSE(second.isMember("RefreshToken"));
  const Json::Value before = Claims(first["IdToken"]);
  const Json::Value after = Claims(second["IdToken"]);
  EXPECT_EQ(after["auth_time"], before["auth_time"]);
  EXPECT_EQ(after["origin_jti"], before["origin_jti"]);
  EXPECT_EQ(after["iat"].asInt64(), before["iat"].asInt64() + 7200);
  EXPECT_NE(after["jti"], before["jti"]);
}

TEST_F(SignInTest, RefusesRefreshTokensThatAreUnknownOrExpired) {
  AddUser("jane", "Secret-1");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  EXPECT_EQ(ErrorOf(Refresh("unknown")),
            "NotAuthorizedException: Invalid Refresh Token");
  const std::string first = client_;
  UseClient("RefreshTokenValidity", 1);
  EXPECT_EQ(ErrorOf(Refresh(tokens["RefreshToken"].asString())),
            "NotAuthorizedException: Invalid Refresh Token");
  client_ = first;
  clock_.AdvanceBy(absl::Hours(24 * 30));
  EXPECT_EQ(ErrorOf(Refresh(tokens["RefreshToken"].asString())),
            "NotAuthorizedException: Refresh Token has expired");
}

TEST_F(SignInTest, EndsASessionByRevokingItsToken) {
  AddUser("jane", "Secret-1");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  const Json::Value others = Tokens("jane", "Secret-1");
  Json::Value revoke = ByClient();
  revoke["Token"] = tokens["RefreshToken"];
  Good(Call("RevokeToken", revoke));
  EXPECT_EQ(ErrorOf(Refresh(tokens["RefreshToken"].asString())),
            "NotAuthorizedException: Refresh Token has been revoked");
  EXPECT_EQ(CallWith("GetUser", tokens["AccessToken"]),
            "NotAuthorizedException: Access Token has been revoked");
  EXPECT_EQ(CallWith("GetUser", others["AccessToken"]), "none");
  Good(Call("RevokeToken", revoke));
  revoke["Token"] = tokens["AccessToken"];
  EXPECT_EQ(ErrorOf(Call("RevokeToken", revoke)),
            "UnsupportedTokenTypeException: Unsupported token type");
}

TEST_F(SignInTest, EndsAllSessionsByGlobalSignOut) {
  AddUser("jane", "Secret-1");
  const Json::Value one = Tokens("jane", "Secret-1");
  const Json::Value two = Tokens("jane", "Secret-1");
  EXPECT_EQ(CallWith("GlobalSignOut", one["AccessToken"]), "none");
  for (const Json::Value& tokens : {one, two}) {
    EXPECT_EQ(CallWith("GetUser", tokens["AccessToken"]),
              "NotAuthorizedException: Access Token has been revoked");
    EXPECT_EQ(ErrorOf(Refresh(tokens["RefreshToken"].asString())),
              "NotAuthorizedException: Refresh Token has been revoked");
  }
  EXPECT_EQ(CallWith("GetUser", Tokens("jane", "Secret-1")["AccessToken"]),
            "none");
}

TEST_F(SignInTest, RotatesRefreshTokensWhereTheClientSaysSo) {
  AddUser("jane", "Secret-1");
  Json::Value rotation;
  rotation["Feature"] = "ENABLED";
  rotation["RetryGracePeriodSeconds"] = 10;
  UseClient("RefreshTokenRotation", rotation);
  const Json::Value tokens = Tokens("jane", "Secret-1");
  Json::Value request = ByClient();
  request["RefreshToken"] = tokens["RefreshToken"];
  const Json::Value next =
      Good(Call("GetTokensFromRefreshToken", request))["AuthenticationResult"];
  EXPECT_NE(next["RefreshToken"], tokens["RefreshToken"]);
  clock_.AdvanceBy(absl::Seconds(9));
  Good(Call("GetTokensFromRefreshToken", request));
  clock_.AdvanceBy(absl::Seconds(1));
  EXPECT_EQ(ErrorOf(Call("GetTokensFromRefreshToken", request)),
            "RefreshTokenReuseException: Refresh Token has been used before, "
            "and rotated");
  request["RefreshToken"] = next["RefreshToken"];
  Good(Call("GetTokensFromRefreshToken", request));
  request["RefreshToken"] = tokens["RefreshToken"];
  clock_.AdvanceBy(absl::Hours(24 * 30));
  EXPECT_EQ(ErrorOf(Call("GetTokensFromRefreshToken", request)),
            "NotAuthorizedException: Refresh Token has expired");
}

TEST_F(SignInTest, GivesTokensTheLifeThatTheClientSays) {
  AddUser("jane", "Secret-1");
  client_ = CreateClient(R"({"ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"],
      "AccessTokenValidity": 10, "IdTokenValidity": 1,
      "TokenValidityUnits": {"AccessToken": "minutes", "IdToken": "days"}})");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  EXPECT_EQ(tokens["ExpiresIn"], 600);
  const Json::Value id = Claims(tokens["IdToken"]);
  EXPECT_EQ(id["exp"].asInt64() - id["iat"].asInt64(), 86400);
  Json::Value request = InPool();
  request["ClientName"] = "app";
  request["AccessTokenValidity"] = 2;
  request["TokenValidityUnits"]["AccessToken"] = "days";
  EXPECT_EQ(ErrorOf(Call("CreateUserPoolClient", request)),
            "InvalidParameterException: Invalid range for token validity.");
}

TEST_F(SignInTest, RefusesAccessTokensThatAreInvalidOrExpired) {
  AddUser("jane", "Secret-1");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  const std::string invalid = "NotAuthorizedException: Invalid Access Token";
  EXPECT_EQ(CallWith("GetUser", "x"), invalid);
  EXPECT_EQ(CallWith("GetUser", tokens["IdToken"]), invalid);
  clock_.AdvanceBy(absl::Hours(1));
  EXPECT_EQ(CallWith("GetUser", tokens["AccessToken"]),
            "NotAuthorizedException: Access Token has expired");
}

TEST_F(SignInTest, KeepsUsersKeysAndSessions) {
  AddUser("jane", "Secret-1");
  const Json::Value tokens = Tokens("jane", "Secret-1");
  Reopen();
  EXPECT_EQ(CallWith("GetUser", tokens["AccessToken"]), "none");
  Good(Refresh(tokens["RefreshToken"].asString()));
  Tokens("jane", "Secret-1");
}

TEST_F(SignInTest, GivesTokensForTryingWithoutAPassword) {
  Json::Value request(Json::objectValue);
  request["Username"] = "jane";
  const Json::Value created = Good(Call("ByoshinGiveTokens", request));
  EXPECT_EQ(created["UserCreated"], true);
  EXPECT_EQ(created["UserPoolId"], pool_);
  EXPECT_EQ(
      Claims(created["AuthenticationResult"]["IdToken"])["cognito:username"],
      "jane");
  EXPECT_EQ(Good(Call("ByoshinGiveTokens", request))["UserCreated"], false);
  EXPECT_EQ(Notes().size(), 0U);
  CreatePool("{}");
  EXPECT_NE(ErrorOf(Call("ByoshinGiveTokens", request))
                .find("there is more than one user pool"),
            std::string::npos);
  request["UserPool"] = pool_;
  Good(Call("ByoshinGiveTokens", request));
}

}  // namespace
}  // namespace byoshin::local::cognito
