// Users: signing up, attributes, aliases, groups and codes.

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cognito/testing/test_pool.h"
#include "local/gateway/in_process.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kFlows[] =
    R"("ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"])";

class UsersTest : public TestPool {
 protected:
  // A pool with these settings and a client of it, used from now on.
  void Use(const std::string& pool_settings,
           const std::string& client_settings = "") {
    pool_ = CreatePool(absl::StrCat("{", pool_settings, "}"));
    client_ = CreateClient(absl::StrCat(
        "{", kFlows, client_settings.empty() ? "" : ",", client_settings, "}"));
  }
  static Json::Value Attribute(const char* name, const char* value) {
    Json::Value attribute;
    attribute["Name"] = name;
    attribute["Value"] = value;
    return attribute;
  }
  absl::StatusOr<Json::Value> SignUp(
      const std::string& name, const std::vector<Json::Value>& attributes) {
    Json::Value request = ByClient(name);
    request["Password"] = "Secret-1";
    for (const Json::Value& one : attributes) {
      request["UserAttributes"].append(one);
    }
    return Call("SignUp", request);
  }
  absl::StatusOr<Json::Value> Confirm(const std::string& name,
                                      const std::string& code) {
    Json::Value request = ByClient(name);
    request["ConfirmationCode"] = code;
    return Call("ConfirmSignUp", request);
  }
  std::string Get(const std::string& user, const std::string& attribute) {
    const Json::Value found = Good(Call("AdminGetUser", InPool(user)));
    for (const Json::Value& one : found["UserAttributes"]) {
      if (one["Name"] == attribute) return one["Value"].asString();
    }
    return "";
  }
  absl::StatusOr<Json::Value> Update(const std::string& user, const char* name,
                                     const char* value) {
    Json::Value request = InPool(user);
    request["UserAttributes"].append(Attribute(name, value));
    return Call("AdminUpdateUserAttributes", request);
  }
  Json::Value AccessToken(const std::string& name) {
    return Good(
        SignIn(name, "Secret-1"))["AuthenticationResult"]["AccessToken"];
  }
};

TEST_F(UsersTest, AreConfirmedByTheCodeTheyAreSent) {
  Use(R"("AutoVerifiedAttributes": ["email"])");
  const Json::Value signed_up =
      Good(SignUp("jane", {Attribute("email", "jane@example.com")}));
  EXPECT_EQ(signed_up["CodeDeliveryDetails"]["Destination"], "j***@e***");
  EXPECT_EQ(Notes().back(),
            absl::StrCat("Cognito: the confirmation code of the user jane is ",
                         LastCode()));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            "UserNotConfirmedException: User is not confirmed.");
  Good(Confirm("jane", LastCode()));
  EXPECT_EQ(Get("jane", "email_verified"), "true");
  EXPECT_EQ(ErrorOf(Confirm("jane", LastCode())),
            "NotAuthorizedException: User cannot be confirmed. Current status "
            "is CONFIRMED");
  Good(SignIn("jane", "Secret-1"));
}

TEST_F(UsersTest, HaveFiveTriesForACode) {
  Use(R"("AutoVerifiedAttributes": ["email"])");
  Good(SignUp("jane", {Attribute("email", "jane@example.com")}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(ErrorOf(Confirm("jane", "x")),
              "CodeMismatchException: Invalid verification code provided, "
              "please try again.");
  }
  EXPECT_EQ(ErrorOf(Confirm("jane", LastCode())),
            "LimitExceededException: Attempt limit exceeded, please try after "
            "some time.");
  Good(Call("ResendConfirmationCode", ByClient("jane")));
  clock_.AdvanceBy(absl::Hours(24));
  EXPECT_EQ(ErrorOf(Confirm("jane", LastCode())),
            "ExpiredCodeException: Invalid code provided, please request a "
            "code again.");
}

TEST_F(UsersTest, AreNotToldWhoExistsWhereTheClientHidesIt) {
  Use("", R"("PreventUserExistenceErrors": "ENABLED")");
  EXPECT_EQ(ErrorOf(Confirm("nobody", "1")),
            "ExpiredCodeException: Invalid code provided, please request a "
            "code again.");
  Good(Call("ForgotPassword", ByClient("nobody")));
  Good(Call("ResendConfirmationCode", ByClient("nobody")));
  EXPECT_TRUE(Notes().empty());
  Use("");
  for (const char* operation : {"ForgotPassword", "ResendConfirmationCode"}) {
    EXPECT_EQ(ErrorOf(Call(operation, ByClient("nobody"))),
              "UserNotFoundException: Username/client id combination not "
              "found.");
  }
}

TEST_F(UsersTest, SignUpOnlyWhereThePoolLetsThem) {
  Use(R"("AdminCreateUserConfig": {"AllowAdminCreateUserOnly": true})");
  EXPECT_EQ(ErrorOf(SignUp("jane", {})),
            "NotAuthorizedException: SignUp is not permitted for this user "
            "pool");
}

TEST_F(UsersTest, ExistOnce) {
  Good(SignUp("jane", {}));
  EXPECT_EQ(ErrorOf(SignUp("jane", {})),
            "UsernameExistsException: User already exists");
  EXPECT_EQ(ErrorOf(Call("AdminCreateUser", InPool("jane"))),
            "UsernameExistsException: User account already exists");
  Good(SignUp("Jane", {}));
  Use(R"("UsernameConfiguration": {"CaseSensitive": false})");
  Good(SignUp("jane", {}));
  EXPECT_EQ(ErrorOf(SignUp("Jane", {})),
            "UsernameExistsException: User already exists");
}

TEST_F(UsersTest, ExistOnceEvenIfTheySignUpAtTheSameTime) {
  Use(R"("UsernameAttributes": ["email"])");
  std::atomic<int> accepted = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      if (SignUp("jane@example.com", {}).ok()) ++accepted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(accepted, 1);
  EXPECT_EQ(Good(Call("ListUsers", InPool()))["Users"].size(), 1U);
}

TEST_F(UsersTest, SignInWithTheirAddressWhereThePoolSaysSo) {
  Use(R"("UsernameAttributes": ["email"])");
  EXPECT_EQ(ErrorOf(SignUp("jane", {})),
            "InvalidParameterException: Username should be an email.");
  const std::string sub =
      Good(SignUp("jane@example.com", {}))["UserSub"].asString();
  EXPECT_EQ(ErrorOf(SignUp("jane@example.com", {})),
            "UsernameExistsException: An account with the given email already "
            "exists.");
  Good(Call("AdminConfirmSignUp", InPool("jane@example.com")));
  const Json::Value id = Claims(Good(SignIn(
      "jane@example.com", "Secret-1"))["AuthenticationResult"]["IdToken"]);
  EXPECT_EQ(id["cognito:username"], sub);
  EXPECT_EQ(id["email"], "jane@example.com");
  Good(SignIn(sub, "Secret-1"));
  Good(Update("jane@example.com", "email", "new@example.com"));
  EXPECT_EQ(ErrorOf(Call("AdminGetUser", InPool("jane@example.com"))),
            "UserNotFoundException: User does not exist.");
  Good(SignIn("new@example.com", "Secret-1"));
}

TEST_F(UsersTest, SignInWithAVerifiedAlias) {
  Use(R"("AliasAttributes": ["email"], "AutoVerifiedAttributes": ["email"])");
  EXPECT_EQ(ErrorOf(SignUp("jane@example.com", {})),
            "InvalidParameterException: Username cannot be of email format, "
            "since user pool is configured for email alias.");
  for (const char* name : {"jane", "joe"}) {
    Good(SignUp(name, {Attribute("email", "shared@example.com")}));
  }
  const std::string joes = LastCode();
  Good(Call("ResendConfirmationCode", ByClient("jane")));
  EXPECT_EQ(ErrorOf(SignIn("shared@example.com", "Secret-1")),
            "UserNotFoundException: User does not exist.");
  Good(Confirm("jane", LastCode()));
  Good(SignIn("shared@example.com", "Secret-1"));
  EXPECT_EQ(ErrorOf(Confirm("joe", joes)),
            "AliasExistsException: An account with the email already exists.");
  Json::Value force = ByClient("joe");
  force["ConfirmationCode"] = joes;
  force["ForceAliasCreation"] = true;
  Good(Call("ConfirmSignUp", force));
  EXPECT_EQ(Get("shared@example.com", "sub"), Get("joe", "sub"));
  EXPECT_EQ(Get("jane", "email_verified"), "false");
}

TEST_F(UsersTest, HaveOnlyAttributesOfTheSchema) {
  Use(R"("Schema": [
      {"Name": "email", "Required": true},
      {"Name": "age", "AttributeDataType": "Number", "Mutable": true,
       "NumberAttributeConstraints": {"MinValue": "18", "MaxValue": "99"}},
      {"Name": "code", "AttributeDataType": "String", "Mutable": false,
       "StringAttributeConstraints": {"MaxLength": "3"}}])");
  const std::string schema =
      "InvalidParameterException: Attributes did not conform to the schema: ";
  EXPECT_EQ(ErrorOf(SignUp("jane", {})),
            schema + "email: The attribute is required\n");
  EXPECT_EQ(ErrorOf(SignUp("jane", {Attribute("email", "jane")})),
            "InvalidParameterException: Invalid email address format.");
  const Json::Value email = Attribute("email", "jane@example.com");
  EXPECT_EQ(
      ErrorOf(SignUp("jane", {email, Attribute("custom:shoe", "9")})),
      schema + "Type for attribute {custom:shoe} could not be determined");
  EXPECT_EQ(ErrorOf(SignUp("jane", {email, Attribute("custom:age", "17")})),
            schema + "custom:age: Number out of range.\n");
  EXPECT_EQ(
      ErrorOf(SignUp("jane", {email, Attribute("custom:code", "long")})),
      schema + "custom:code: String must be no longer than 3 characters\n");
  EXPECT_EQ(
      ErrorOf(SignUp("jane", {email, Attribute("email_verified", "true")})),
      "NotAuthorizedException: A client attempted to write unauthorized "
      "attribute");
  Good(SignUp("jane", {email, Attribute("custom:code", "abc")}));
  EXPECT_EQ(ErrorOf(Update("jane", "custom:code", "xyz")),
            "InvalidParameterException: user.custom:code: Attribute cannot be "
            "updated.\n");
  Good(Update("jane", "custom:age", "30"));
  EXPECT_EQ(Get("jane", "custom:age"), "30");
}

TEST_F(UsersTest, ShowClientsOnlyWhatTheyMayRead) {
  Use("", R"("ReadAttributes": ["email"], "WriteAttributes": ["name"])");
  AddUser("jane", "Secret-1");
  Good(Update("jane", "email", "jane@example.com"));
  Good(Update("jane", "name", "Jane"));
  const Json::Value tokens =
      Good(SignIn("jane", "Secret-1"))["AuthenticationResult"];
  EXPECT_TRUE(Claims(tokens["IdToken"]).isMember("email"));
  EXPECT_FALSE(Claims(tokens["IdToken"]).isMember("name"));
  Json::Value request;
  request["AccessToken"] = tokens["AccessToken"];
  EXPECT_EQ(Good(Call("GetUser", request))["UserAttributes"].size(), 2U);
  request["UserAttributes"].append(Attribute("name", "Janet"));
  Good(Call("UpdateUserAttributes", request));
  EXPECT_EQ(Get("jane", "name"), "Janet");
  request["UserAttributes"].append(Attribute("email", "x@example.com"));
  EXPECT_EQ(ErrorOf(Call("UpdateUserAttributes", request)),
            "NotAuthorizedException: A client attempted to write unauthorized "
            "attribute");
}

TEST_F(UsersTest, VerifyAnAddressThatTheyChange) {
  Use(R"("AutoVerifiedAttributes": ["email"])");
  AddUser("jane", "Secret-1");
  Json::Value request;
  request["AccessToken"] = AccessToken("jane");
  request["UserAttributes"].append(Attribute("email", "new@example.com"));
  EXPECT_EQ(
      Good(Call("UpdateUserAttributes", request))["CodeDeliveryDetailsList"]
          .size(),
      1U);
  EXPECT_EQ(Get("jane", "email_verified"), "false");
  request.removeMember("UserAttributes");
  request["AttributeName"] = "email";
  request["Code"] = "x";
  EXPECT_EQ(ErrorOf(Call("VerifyUserAttribute", request)),
            "CodeMismatchException: Invalid verification code provided, please "
            "try again.");
  request["Code"] = LastCode();
  Good(Call("VerifyUserAttribute", request));
  EXPECT_EQ(Get("jane", "email_verified"), "true");
}

TEST_F(UsersTest, ResetAForgottenPasswordByAVerifiedAddress) {
  AddUser("jane", "Secret-1");
  EXPECT_EQ(ErrorOf(Call("ForgotPassword", ByClient("jane"))),
            "InvalidParameterException: Cannot reset password for the user as "
            "there is no registered/verified email or phone_number");
  Good(Update("jane", "email", "jane@example.com"));
  Good(Update("jane", "email_verified", "true"));
  Good(Call("ForgotPassword", ByClient("jane")));
  Json::Value confirm = ByClient("jane");
  confirm["ConfirmationCode"] = LastCode();
  confirm["Password"] = "weak";
  EXPECT_EQ(ErrorOf(Call("ConfirmForgotPassword", confirm)),
            "InvalidPasswordException: Password did not conform with policy: "
            "Password not long enough");
  confirm["Password"] = "Secret-2";
  Good(Call("ConfirmForgotPassword", confirm));
  EXPECT_EQ(ErrorOf(Call("ConfirmForgotPassword", confirm)),
            "ExpiredCodeException: Invalid code provided, please request a "
            "code again.");
  Good(SignIn("jane", "Secret-2"));
}

TEST_F(UsersTest, MustResetAPasswordThatAnAdministratorReset) {
  AddUser("jane", "Secret-1");
  Good(Call("AdminResetUserPassword", InPool("jane")));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            "PasswordResetRequiredException: Password reset required for the "
            "user");
  Json::Value confirm = ByClient("jane");
  confirm["ConfirmationCode"] = LastCode();
  confirm["Password"] = "Secret-2";
  Good(Call("ConfirmForgotPassword", confirm));
  Good(SignIn("jane", "Secret-2"));
}

TEST_F(UsersTest, ChangeTheirPassword) {
  AddUser("jane", "Secret-1");
  Json::Value request;
  request["AccessToken"] = AccessToken("jane");
  request["PreviousPassword"] = "Secret-2";
  request["ProposedPassword"] = "Secret-3";
  EXPECT_EQ(ErrorOf(Call("ChangePassword", request)),
            "NotAuthorizedException: Incorrect username or password.");
  request["PreviousPassword"] = "Secret-1";
  Good(Call("ChangePassword", request));
  Good(SignIn("jane", "Secret-3"));
}

TEST_F(UsersTest, AreInGroupsInTheOrderOfPrecedence) {
  AddUser("jane", "Secret-1");
  for (const auto& [name, precedence] :
       std::vector<std::pair<std::string, int>>{{"b", 2}, {"a", 7}}) {
    Json::Value group = InPool();
    group["GroupName"] = name;
    group["Precedence"] = precedence;
    group["RoleArn"] = absl::StrCat("arn:aws:iam::000000000000:role/", name);
    Good(Call("CreateGroup", group));
    EXPECT_EQ(ErrorOf(Call("CreateGroup", group)),
              "GroupExistsException: A group with the name already exists.");
    Json::Value member = InPool("jane");
    member["GroupName"] = name;
    Good(Call("AdminAddUserToGroup", member));
  }
  Json::Value id = Claims(
      Good(SignIn("jane", "Secret-1"))["AuthenticationResult"]["IdToken"]);
  EXPECT_EQ(json::WriteValue(id["cognito:groups"]), R"(["b","a"])");
  EXPECT_EQ(id["cognito:preferred_role"], "arn:aws:iam::000000000000:role/b");
  Json::Value group = InPool();
  group["GroupName"] = "b";
  EXPECT_EQ(Good(Call("ListUsersInGroup", group))["Users"].size(), 1U);
  Good(Call("DeleteGroup", group));
  EXPECT_EQ(ErrorOf(Call("GetGroup", group)),
            "ResourceNotFoundException: Group not found.");
  id = Claims(
      Good(SignIn("jane", "Secret-1"))["AuthenticationResult"]["IdToken"]);
  EXPECT_EQ(json::WriteValue(id["cognito:groups"]), R"(["a"])");
}

TEST_F(UsersTest, LeaveNothingBehind) {
  AddUser("jane", "Secret-1");
  const std::string sub = Get("jane", "sub");
  Json::Value group = InPool("jane");
  group["GroupName"] = "g";
  Good(Call("CreateGroup", group));
  Good(Call("AdminAddUserToGroup", group));
  const Json::Value token = AccessToken("jane");
  Good(Call("AdminDeleteUser", InPool("jane")));
  EXPECT_EQ(Good(Call("ListUsersInGroup", group))["Users"].size(), 0U);
  AddUser("jane", "Secret-1");
  EXPECT_NE(Get("jane", "sub"), sub);
  Json::Value request;
  request["AccessToken"] = token;
  EXPECT_EQ(ErrorOf(Call("GetUser", request)),
            "UserNotFoundException: User does not exist.");
}

TEST_F(UsersTest, AreDeletedWithTheirPool) {
  AddUser("jane", "Secret-1");
  Good(Call("DeleteUserPool", InPool()));
  EXPECT_EQ(ErrorOf(SignIn("jane", "Secret-1")),
            absl::StrCat("ResourceNotFoundException: User pool client ",
                         client_, " does not exist."));
  EXPECT_EQ(ErrorOf(Call("DescribeUserPool", InPool())),
            absl::StrCat("ResourceNotFoundException: User pool ", pool_,
                         " does not exist."));
}

TEST_F(UsersTest, ArePooledByRegion) {
  const absl::StatusOr<Json::Value> elsewhere =
      CallInProcess(*cognito_,
                    {.operation = "DescribeUserPool",
                     .region = "eu-west-1",
                     .caller = {.account_id = kAccount}},
                    InPool());
  EXPECT_EQ(ErrorOf(elsewhere),
            absl::StrCat("ResourceNotFoundException: User pool ", pool_,
                         " does not exist."));
}

TEST_F(UsersTest, PoolsWithFeaturesThatAreMissingAreRefused) {
  EXPECT_EQ(ErrorOf(Call("CreateUserPool",
                         R"({"PoolName": "p",
                             "LambdaConfig": {"PreSignUp":
                               "arn:aws:lambda:us-east-1:000000000000:f:x"}})")),
            "InvalidParameterException: the local Cognito does not support "
            "Lambda triggers: LambdaConfig has PreSignUp");
  for (const char* mfa : {"ON", "OPTIONAL"}) {
    EXPECT_EQ(ErrorOf(Call("CreateUserPool", absl::StrCat(R"({"PoolName": "p",
                                            "MfaConfiguration": ")",
                                                          mfa, "\"}")
                                                 .c_str())),
              "InvalidParameterException: SMS configuration and Auto "
              "verification for phone_number are required when MFA is "
              "required/optional");
  }
  EXPECT_EQ(ErrorOf(Call("CreateUserPool",
                         R"({"PoolName": "p", "MfaConfiguration": "ON",
                             "SmsConfiguration": {"SnsCallerArn":
                               "arn:aws:iam::000000000000:role/sms"}})")),
            "InvalidParameterException: the local Cognito does not support the "
            "factor SMS_MFA: turn on software tokens, with "
            "SetUserPoolMfaConfig or EnabledMfas in a template");
}

TEST_F(UsersTest, OfAProtectedPoolStay) {
  Use(R"("DeletionProtection": "ACTIVE")");
  EXPECT_EQ(ErrorOf(Call("DeleteUserPool", InPool())),
            "InvalidParameterException: The user pool cannot be deleted "
            "because deletion protection is activated. Deletion protection "
            "must be inactivated first.");
}

}  // namespace
}  // namespace byoshin::local::cognito
