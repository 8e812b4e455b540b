// Authenticator apps as second factor: setting them up, and signing in.

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cognito/testing/test_pool.h"
#include "local/cognito/totp.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kPassword[] = "Secret-1";
constexpr char kWrongCode[] =
    "CodeMismatchException: Invalid code received for user";
constexpr char kInvalidSession[] =
    "NotAuthorizedException: Invalid session for the user.";
constexpr char kNotVerified[] =
    "InvalidParameterException: User has not verified software token mfa";

// RFC 4648, section 6.
std::string Base32Decode(absl::string_view text) {
  constexpr absl::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string bytes;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text) {
    buffer = (buffer << 5U) | static_cast<std::uint32_t>(kAlphabet.find(c));
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(buffer >> bits));
  }
  return bytes;
}

class SoftwareTokenTest : public TestPool {
 protected:
  void SetMfa(const std::string& mfa) {
    Json::Value request = InPool();
    request["MfaConfiguration"] = mfa;
    if (mfa != "OFF")
      request["SoftwareTokenMfaConfiguration"]["Enabled"] = true;
    Good(Call("SetUserPoolMfaConfig", request));
  }
  // With an access token, from now on in `token_`.
  std::string Associate() {
    Json::Value request(Json::objectValue);
    request["AccessToken"] = token_;
    return Base32Decode(
        Good(Call("AssociateSoftwareToken", request))["SecretCode"].asString());
  }
  absl::StatusOr<Json::Value> Verify(const std::string& code) {
    Json::Value request(Json::objectValue);
    request["AccessToken"] = token_;
    request["UserCode"] = code;
    request["FriendlyDeviceName"] = "phone";
    return Call("VerifySoftwareToken", request);
  }
  absl::StatusOr<Json::Value> Prefer(bool enabled, bool preferred) {
    Json::Value request(Json::objectValue);
    request["AccessToken"] = token_;
    request["SoftwareTokenMfaSettings"]["Enabled"] = enabled;
    request["SoftwareTokenMfaSettings"]["PreferredMfa"] = preferred;
    return Call("SetUserMFAPreference", request);
  }
  // The code of now, or of a step before or after.
  std::string CodeOf(const std::string& secret, std::int64_t steps = 0) {
    return TotpCode(secret, TotpStepAt(clock_.Now()) + steps);
  }
  void SignInAs(const std::string& name) {
    token_ =
        Good(SignIn(name, kPassword))["AuthenticationResult"]["AccessToken"]
            .asString();
  }
  // A user who is asked for codes of the secret that is returned, from the next
  // step on.
  std::string AddUserWithToken(const std::string& name) {
    SetMfa("OPTIONAL");
    AddUser(name, kPassword);
    SignInAs(name);
    std::string secret = Associate();
    Good(Verify(CodeOf(secret)));
    Good(Prefer(true, true));
    clock_.AdvanceBy(kTotpStep);
    return secret;
  }
  std::string Challenge(const std::string& name, const char* expected) {
    const Json::Value asked = Good(SignIn(name, kPassword));
    EXPECT_EQ(asked["ChallengeName"], expected);
    EXPECT_FALSE(asked.isMember("AuthenticationResult"));
    return asked["Session"].asString();
  }
  absl::StatusOr<Json::Value> Respond(
      const std::string& challenge, const std::string& session,
      const std::map<std::string, std::string>& responses) {
    Json::Value request = ByClient();
    request["ChallengeName"] = challenge;
    request["Session"] = session;
    for (const auto& [name, value] : responses) {
      request["ChallengeResponses"][name] = value;
    }
    return Call("RespondToAuthChallenge", request);
  }
  absl::StatusOr<Json::Value> AnswerCode(const std::string& session,
                                         const std::string& code) {
    return Respond("SOFTWARE_TOKEN_MFA", session,
                   {{"USERNAME", "jane"}, {"SOFTWARE_TOKEN_MFA_CODE", code}});
  }
  // MFA_SETUP's session, with the next call.
  Json::Value AssociateIn(const std::string& session) {
    Json::Value request(Json::objectValue);
    request["Session"] = session;
    return Good(Call("AssociateSoftwareToken", request));
  }
  absl::StatusOr<Json::Value> VerifyIn(const std::string& session,
                                       const std::string& code) {
    Json::Value request(Json::objectValue);
    request["Session"] = session;
    request["UserCode"] = code;
    return Call("VerifySoftwareToken", request);
  }
  std::string Config() {
    return json::WriteValue(Good(Call("GetUserPoolMfaConfig", InPool())));
  }

  std::string token_;
};

TEST_F(SoftwareTokenTest, AreTurnedOnForAPool) {
  EXPECT_EQ(Config(), R"({"MfaConfiguration":"OFF"})");
  const auto set = [&](const char* settings) {
    Json::Value request = *json::ParseValue(settings);
    request["UserPoolId"] = pool_;
    return Call("SetUserPoolMfaConfig", request);
  };
  EXPECT_EQ(ErrorOf(set(R"({"MfaConfiguration": "OPTIONAL"})")),
            "InvalidParameterException: Invalid MFA Configuration given. SMS "
            "MFA, Email MFA, or Software Token MFA must be enabled.");
  EXPECT_EQ(ErrorOf(set(R"({"MfaConfiguration": "OFF",
                            "SoftwareTokenMfaConfiguration":
                                {"Enabled": true}})")),
            "InvalidParameterException: Invalid MFA configuration given, can't "
            "turn off MFA and configure an MFA together.");
  EXPECT_EQ(ErrorOf(set(R"({"EmailMfaConfiguration": {}})")),
            "InvalidParameterException: the local Cognito does not support "
            "other factors than software tokens: the request has "
            "EmailMfaConfiguration");
  SetMfa("ON");
  EXPECT_EQ(Config(), R"({"MfaConfiguration":"ON",)"
                      R"("SoftwareTokenMfaConfiguration":{"Enabled":true}})");
  Json::Value update = InPool();
  update["MfaConfiguration"] = "OPTIONAL";
  Good(Call("UpdateUserPool", update));
  Reopen();
  EXPECT_EQ(Config(), R"({"MfaConfiguration":"OPTIONAL",)"
                      R"("SoftwareTokenMfaConfiguration":{"Enabled":true}})");
  const Json::Value pool = Good(Call("DescribeUserPool", InPool()))["UserPool"];
  EXPECT_EQ(pool["MfaConfiguration"], "OPTIONAL");
  EXPECT_FALSE(pool.isMember("SoftwareTokenMfaConfiguration"));
  SetMfa("OFF");
  EXPECT_EQ(Config(), R"({"MfaConfiguration":"OFF",)"
                      R"("SoftwareTokenMfaConfiguration":{"Enabled":false}})");
}

TEST_F(SoftwareTokenTest, AreNotOfferedWithoutThePool) {
  AddUser("jane", kPassword);
  SignInAs("jane");
  Json::Value request(Json::objectValue);
  request["AccessToken"] = token_;
  EXPECT_EQ(ErrorOf(Call("AssociateSoftwareToken", request)),
            "SoftwareTokenMFANotFoundException: Software Token MFA has not "
            "been enabled by the userPool");
  EXPECT_EQ(ErrorOf(Verify("000000")),
            "SoftwareTokenMFANotFoundException: Software Token MFA has not "
            "been enabled by the userPool");
}

TEST_F(SoftwareTokenTest, AreSetUpByASignedInUser) {
  SetMfa("OPTIONAL");
  AddUser("jane", kPassword);
  SignInAs("jane");
  EXPECT_EQ(ErrorOf(Verify("000000")),
            "SoftwareTokenMFANotFoundException: No software token has been "
            "associated with the user");
  const std::string secret = Associate();
  EXPECT_EQ(secret.size(), kTotpSecretBytes);
  EXPECT_EQ(ErrorOf(Prefer(true, true)), kNotVerified);
  EXPECT_EQ(ErrorOf(Verify(CodeOf(secret, 5))),
            "EnableSoftwareTokenMFAException: Code mismatch and fail enable "
            "Software Token MFA");
  EXPECT_EQ(Good(Verify(CodeOf(secret)))["Status"], "SUCCESS");
  // It is asked for only if the user wants that.
  SignInAs("jane");
  Good(Prefer(true, false));
  Json::Value get(Json::objectValue);
  get["AccessToken"] = token_;
  Json::Value user = Good(Call("GetUser", get));
  EXPECT_EQ(user["UserMFASettingList"][0], "SOFTWARE_TOKEN_MFA");
  EXPECT_FALSE(user.isMember("PreferredMfaSetting"));
  Good(Prefer(true, true));
  EXPECT_EQ(Good(Call("GetUser", get))["PreferredMfaSetting"],
            "SOFTWARE_TOKEN_MFA");
  Challenge("jane", "SOFTWARE_TOKEN_MFA");
  Good(Prefer(false, false));
  user = Good(Call("AdminGetUser", InPool("jane")));
  EXPECT_FALSE(user.isMember("UserMFASettingList"));
  EXPECT_FALSE(user.isMember("PreferredMfaSetting"));
  SignInAs("jane");
}

TEST_F(SoftwareTokenTest, AreAskedForAtSignIn) {
  const std::string secret = AddUserWithToken("jane");
  const Json::Value asked = Good(SignIn("jane", kPassword));
  EXPECT_EQ(asked["ChallengeName"], "SOFTWARE_TOKEN_MFA");
  EXPECT_EQ(asked["ChallengeParameters"]["USER_ID_FOR_SRP"], "jane");
  EXPECT_EQ(asked["ChallengeParameters"]["FRIENDLY_DEVICE_NAME"], "phone");
  const std::string session = asked["Session"].asString();
  EXPECT_EQ(
      ErrorOf(Respond("SOFTWARE_TOKEN_MFA", session, {{"USERNAME", "jane"}})),
      "InvalidParameterException: Missing required parameter "
      "SOFTWARE_TOKEN_MFA_CODE");
  EXPECT_EQ(ErrorOf(Respond("MFA_SETUP", session, {{"USERNAME", "jane"}})),
            kInvalidSession);
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 5))), kWrongCode);
  const Json::Value result =
      Good(AnswerCode(session, CodeOf(secret)))["AuthenticationResult"];
  EXPECT_EQ(Claims(result["IdToken"])["cognito:username"], "jane");
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 1))), kInvalidSession);
  // No code is needed to refresh.
  Good(Refresh(result["RefreshToken"].asString()));
}

TEST_F(SoftwareTokenTest, TakeEachCodeOnce) {
  SetMfa("OPTIONAL");
  AddUser("jane", kPassword);
  SignInAs("jane");
  const std::string secret = Associate();
  const std::string code = CodeOf(secret);
  Good(Verify(code));
  Good(Prefer(true, true));
  constexpr char kUsed[] =
      "ExpiredCodeException: Your software token has already been used once.";
  const std::string session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  EXPECT_EQ(ErrorOf(AnswerCode(session, code)), kUsed);
  Reopen();
  EXPECT_EQ(ErrorOf(AnswerCode(session, code)), kUsed);
  clock_.AdvanceBy(kTotpStep);
  const std::string next = CodeOf(secret);
  Good(AnswerCode(session, next));
  EXPECT_EQ(ErrorOf(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"), next)),
            kUsed);
}

TEST_F(SoftwareTokenTest, ToleratesAClockThatIsOneStepOff) {
  const std::string secret = AddUserWithToken("jane");
  clock_.AdvanceBy(kTotpStep);
  EXPECT_EQ(ErrorOf(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"),
                               CodeOf(secret, 2))),
            kWrongCode);
  Good(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"), CodeOf(secret, -1)));
  Good(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"), CodeOf(secret, 1)));
}

TEST_F(SoftwareTokenTest, LockAUserOutWhoGuessesCodes) {
  const std::string secret = AddUserWithToken("jane");
  std::string session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 5))), kWrongCode);
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 5))), kWrongCode);
  // The right password does not forget the wrong codes.
  session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 5))), kWrongCode);
  }
  constexpr char kLocked[] =
      "NotAuthorizedException: Password attempts exceeded";
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret))), kLocked);
  EXPECT_EQ(ErrorOf(SignIn("jane", kPassword)), kLocked);
  clock_.AdvanceBy(absl::Seconds(1));
  Good(AnswerCode(session, CodeOf(secret)));
  // The right code does.
  EXPECT_EQ(ErrorOf(SignIn("jane", "wrong")),
            "NotAuthorizedException: Incorrect username or password.");
  Challenge("jane", "SOFTWARE_TOKEN_MFA");
}

TEST_F(SoftwareTokenTest, EndAChallengeAfterFiveWrongCodes) {
  const std::string secret = AddUserWithToken("jane");
  const std::string session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret, 5))), kWrongCode);
  }
  clock_.AdvanceBy(absl::Seconds(1));
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret))), kInvalidSession);
}

TEST_F(SoftwareTokenTest, LetAChallengeExpire) {
  const std::string secret = AddUserWithToken("jane");
  const std::string session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  clock_.AdvanceBy(absl::Minutes(3));
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(secret))),
            "NotAuthorizedException: Invalid session for the user, session is "
            "expired.");
}

TEST_F(SoftwareTokenTest, AreReplacedOnlyByAVerifiedOne) {
  const std::string first = AddUserWithToken("jane");
  const std::string second = Associate();
  Good(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"), CodeOf(first)));
  clock_.AdvanceBy(kTotpStep);
  Good(Verify(CodeOf(second)));
  clock_.AdvanceBy(kTotpStep);
  const std::string session = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  EXPECT_EQ(ErrorOf(AnswerCode(session, CodeOf(first))), kWrongCode);
  Good(AnswerCode(session, CodeOf(second)));
}

TEST_F(SoftwareTokenTest, AreSetUpBeforeTheFirstSignInWhereTheyAreRequired) {
  SetMfa("ON");
  AddUser("jane", kPassword);
  const Json::Value asked = Good(SignIn("jane", kPassword));
  EXPECT_EQ(asked["ChallengeName"], "MFA_SETUP");
  EXPECT_EQ(asked["ChallengeParameters"]["MFAS_CAN_SETUP"],
            "[\"SOFTWARE_TOKEN_MFA\"]");
  const std::string first = asked["Session"].asString();
  EXPECT_EQ(ErrorOf(Respond("MFA_SETUP", first, {{"USERNAME", "jane"}})),
            kNotVerified);
  const Json::Value associated = AssociateIn(first);
  const std::string secret = Base32Decode(associated["SecretCode"].asString());
  const std::string second = associated["Session"].asString();
  EXPECT_EQ(ErrorOf(VerifyIn(first, CodeOf(secret))), kInvalidSession);
  EXPECT_EQ(ErrorOf(VerifyIn(second, CodeOf(secret, 5))),
            "EnableSoftwareTokenMFAException: Code mismatch and fail enable "
            "Software Token MFA");
  const Json::Value verified = Good(VerifyIn(second, CodeOf(secret)));
  EXPECT_EQ(verified["Status"], "SUCCESS");
  const std::string third = verified["Session"].asString();
  EXPECT_EQ(ErrorOf(Respond("MFA_SETUP", third, {{"USERNAME", "joe"}})),
            kInvalidSession);
  EXPECT_TRUE(Good(Respond("MFA_SETUP", third,
                           {{"USERNAME", "jane"}}))["AuthenticationResult"]
                  .isMember("IdToken"));
  EXPECT_EQ(ErrorOf(Respond("MFA_SETUP", third, {{"USERNAME", "jane"}})),
            kInvalidSession);
  EXPECT_EQ(Good(Call("AdminGetUser", InPool("jane")))["PreferredMfaSetting"],
            "SOFTWARE_TOKEN_MFA");
  Reopen();
  clock_.AdvanceBy(kTotpStep);
  Good(AnswerCode(Challenge("jane", "SOFTWARE_TOKEN_MFA"), CodeOf(secret)));
}

TEST_F(SoftwareTokenTest, AreNotReplacedByWhoOnlyKnowsThePassword) {
  SetMfa("ON");
  AddUser("jane", kPassword);
  const std::string thief = Challenge("jane", "MFA_SETUP");
  const Json::Value stolen = AssociateIn(thief);
  const Json::Value own = AssociateIn(Challenge("jane", "MFA_SETUP"));
  Good(VerifyIn(own["Session"].asString(),
                CodeOf(Base32Decode(own["SecretCode"].asString()))));
  EXPECT_EQ(
      ErrorOf(VerifyIn(stolen["Session"].asString(),
                       CodeOf(Base32Decode(stolen["SecretCode"].asString())))),
      kInvalidSession);
}

TEST_F(SoftwareTokenTest, AreAskedForAfterANewPassword) {
  SetMfa("ON");
  Json::Value create = InPool("jane");
  create["TemporaryPassword"] = "Temporary-1";
  Good(Call("AdminCreateUser", create));
  const Json::Value asked = Good(SignIn("jane", "Temporary-1"));
  EXPECT_EQ(asked["ChallengeName"], "NEW_PASSWORD_REQUIRED");
  EXPECT_EQ(Good(Respond("NEW_PASSWORD_REQUIRED", asked["Session"].asString(),
                         {{"USERNAME", "jane"},
                          {"NEW_PASSWORD", kPassword}}))["ChallengeName"],
            "MFA_SETUP");
}

// The secret of a user without a token would be empty, and its codes known.
TEST_F(SoftwareTokenTest, EndTheirChallengesWithTheUser) {
  AddUserWithToken("jane");
  const std::string asked = Challenge("jane", "SOFTWARE_TOKEN_MFA");
  Good(Call("AdminDeleteUser", InPool("jane")));
  AddUser("jane", kPassword);
  EXPECT_EQ(ErrorOf(AnswerCode(asked, CodeOf(""))), kInvalidSession);
  SetMfa("ON");
  const Json::Value setup = AssociateIn(Challenge("jane", "MFA_SETUP"));
  const std::string verified = Good(VerifyIn(
      setup["Session"].asString(),
      CodeOf(Base32Decode(setup["SecretCode"].asString()))))["Session"]
                                   .asString();
  Good(Call("AdminDeleteUser", InPool("jane")));
  AddUser("jane", kPassword);
  EXPECT_EQ(ErrorOf(Respond("MFA_SETUP", verified, {{"USERNAME", "jane"}})),
            kInvalidSession);
}

TEST_F(SoftwareTokenTest, AreChosenByAnAdministrator) {
  const std::string secret = AddUserWithToken("jane");
  const auto prefer = [&](const std::string& user, bool enabled) {
    Json::Value request = InPool(user);
    request["SoftwareTokenMfaSettings"]["Enabled"] = enabled;
    return Call("AdminSetUserMFAPreference", request);
  };
  Good(prefer("jane", false));
  SignInAs("jane");
  Good(prefer("jane", true));
  Challenge("jane", "SOFTWARE_TOKEN_MFA");
  AddUser("joe", kPassword);
  EXPECT_EQ(ErrorOf(prefer("joe", true)), kNotVerified);
  Json::Value request = InPool("jane");
  request["SMSMfaSettings"]["Enabled"] = true;
  EXPECT_EQ(ErrorOf(Call("AdminSetUserMFAPreference", request)),
            "InvalidParameterException: User does not have delivery config set "
            "to turn on SMS_MFA");
}

TEST_F(SoftwareTokenTest, AreAskedForByAdministratorsToo) {
  const std::string secret = AddUserWithToken("jane");
  Json::Value request = ByClient();
  request["UserPoolId"] = pool_;
  request["AuthFlow"] = "ADMIN_USER_PASSWORD_AUTH";
  request["AuthParameters"]["USERNAME"] = "jane";
  request["AuthParameters"]["PASSWORD"] = kPassword;
  const Json::Value asked = Good(Call("AdminInitiateAuth", request));
  Json::Value answer = ByClient();
  answer["UserPoolId"] = pool_;
  answer["ChallengeName"] = asked["ChallengeName"];
  answer["Session"] = asked["Session"];
  answer["ChallengeResponses"]["USERNAME"] = "jane";
  answer["ChallengeResponses"]["SOFTWARE_TOKEN_MFA_CODE"] = CodeOf(secret);
  EXPECT_TRUE(
      Good(Call("AdminRespondToAuthChallenge", answer))["AuthenticationResult"]
          .isMember("IdToken"));
}

TEST_F(SoftwareTokenTest, NeedATokenOrASession) {
  Json::Value request(Json::objectValue);
  const std::string either =
      "InvalidParameterException: The request must have either AccessToken or "
      "Session.";
  EXPECT_EQ(ErrorOf(Call("AssociateSoftwareToken", request)), either);
  request["AccessToken"] = "x";
  request["Session"] = "an-unknown-session-yyyy";
  EXPECT_EQ(ErrorOf(Call("AssociateSoftwareToken", request)), either);
  request.removeMember("AccessToken");
  EXPECT_EQ(ErrorOf(Call("AssociateSoftwareToken", request)), kInvalidSession);
}

TEST_F(SoftwareTokenTest, ShowNoSecretToTheDeveloper) {
  AddUserWithToken("jane");
  EXPECT_TRUE(Notes().empty());
}

}  // namespace
}  // namespace byoshin::local::cognito
