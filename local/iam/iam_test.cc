#include "local/iam/iam.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/iam/authority.h"
#include "local/iam/cloudformation.h"
#include "local/iam/evaluation.h"
#include "local/iam/role_sessions.h"

namespace byoshin::local::iam {
namespace {

constexpr char kQueue[] = "arn:aws:sqs:us-east-1:000000000000:orders";
constexpr char kLambda[] = "lambda.amazonaws.com";

constexpr char kRoleProperties[] = R"({
  "Description": "d",
  "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
     "Action": "sts:AssumeRole"}]},
  "Policies": [{"PolicyName": "P", "PolicyDocument": {
    "Version": "2012-10-17", "Statement": {
      "Effect": "Allow", "Action": "sqs:SendMessage",
      "Resource": "arn:aws:sqs:us-east-1:000000000000:orders"}}}],
  "ManagedPolicyArns": [
    "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"]})";

class IamTest : public ::testing::Test {
 protected:
  IamTest()
      : clock_(absl::FromUnixSeconds(0)),
        iam_(clock_,
             {.on_session =
                  [this](const SessionCredentials& session) {
                    begun_.push_back(session.access_key_id);
                  },
              .on_session_end =
                  [this](const std::string& key) { ended_.push_back(key); }}) {
    AddIamProviders(iam_, registry_);
  }

  cloudformation::ResourceRequest Request(const Json::Value& properties,
                                          std::string physical_id = "") {
    return {.stack = stack_,
            .logical_id = "Id",
            .physical_id = std::move(physical_id),
            .name_suffix = "ABCDEF123456",
            .properties = properties};
  }

  absl::StatusOr<cloudformation::ResourceState> Create(
      absl::string_view type, absl::string_view properties) {
    const Json::Value json = json::ParseValue(properties).value();
    return registry_.Find(type)->Create(Request(json));
  }

  std::string CreateRole() {
    const auto role = Create("AWS::IAM::Role", kRoleProperties);
    EXPECT_TRUE(role.ok()) << role.status();
    return role.ok() ? role->attributes.at("Arn") : "";
  }

  absl::StatusOr<SessionCredentials> Assume(
      const std::string& arn, const std::string& service = kLambda) {
    return iam_.AssumeRole({.role_arn = arn,
                            .session_name = "fn",
                            .service = service,
                            .duration = absl::Hours(1)});
  }

  bool Sends(const std::string& key) {
    return iam_
        .Authorize({.principal = iam_.PrincipalOf(key),
                    .action = "sqs:SendMessage",
                    .resource = kQueue})
        .allowed();
  }

  time::SimulatedClock clock_;
  std::vector<std::string> begun_;
  std::vector<std::string> ended_;
  Iam iam_;
  cloudformation::StackContext stack_{.stack_name = "s"};
  cloudformation::ProviderRegistry registry_;
};

TEST_F(IamTest, GivesASessionWhatItsRoleGrants) {
  const std::string arn = CreateRole();
  EXPECT_EQ(arn, "arn:aws:iam::000000000000:role/s-Id-ABCDEF123456");
  const auto session = Assume(arn);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(absl::StartsWith(session->access_key_id, "ASIA"));
  EXPECT_EQ(session->access_key_id.size(), 20u);
  EXPECT_EQ(session->secret_access_key.size(), 40u);
  EXPECT_GT(session->session_token.size(), 200u);
  EXPECT_EQ(session->session_arn,
            "arn:aws:sts::000000000000:assumed-role/s-Id-ABCDEF123456/fn");
  EXPECT_NE(Assume(arn)->access_key_id, session->access_key_id);
  EXPECT_TRUE(Sends(session->access_key_id));
  const Decision decision =
      iam_.Authorize({.principal = iam_.PrincipalOf(session->access_key_id),
                      .action = "sqs:DeleteMessage",
                      .resource = kQueue});
  EXPECT_EQ(decision.outcome, Decision::Outcome::kNotAllowed);
  // By the managed policy.
  EXPECT_EQ(
      iam_.Authorize({.principal = iam_.PrincipalOf(session->access_key_id),
                      .action = "logs:PutLogEvents",
                      .resource = "arn:aws:logs:us-east-1:0:x"})
          .statement,
      "policy service-role/AWSLambdaBasicExecutionRole, statement 1");
}

TEST_F(IamTest, TellsATrustPolicyForWhoseAccountAServiceActs) {
  for (const char* account : {"000000000000", "111111111111"}) {
    Json::Value properties = json::ParseValue(kRoleProperties).value();
    properties["RoleName"] = absl::StrCat("R", account);
    properties["AssumeRolePolicyDocument"]["Statement"][0]["Condition"]
              ["StringEquals"]["aws:SourceAccount"] = account;
    const auto role = Create("AWS::IAM::Role", json::WriteValue(properties));
    ASSERT_TRUE(role.ok()) << role.status();
    EXPECT_EQ(Assume(role->attributes.at("Arn")).ok(),
              absl::string_view(account) == "000000000000");
  }
}

TEST_F(IamTest, RefusesARoleWithAConditionThatItCannotEvaluate) {
  Json::Value properties = json::ParseValue(kRoleProperties).value();
  properties["Policies"][0]["PolicyDocument"]["Statement"]["Condition"]["Null"]
            ["aws:MultiFactorAuthPresent"] = "true";
  const absl::Status refused =
      Create("AWS::IAM::Role", json::WriteValue(properties)).status();
  EXPECT_TRUE(absl::StrContains(refused.message(),
                                "policy P: policy statement 1: the local IAM "
                                "cannot evaluate the condition key "
                                "aws:MultiFactorAuthPresent; it supports "))
      << refused;
}

TEST_F(IamTest, LendsARoleOnlyToWhomItTrusts) {
  EXPECT_EQ(Assume("arn:none").status().code(), absl::StatusCode::kNotFound);
  const absl::Status refused =
      Assume(CreateRole(), "events.amazonaws.com").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(begun_.empty());
}

TEST_F(IamTest, EndsSessionsInTimeOrBefore) {
  const std::string arn = CreateRole();
  const std::string first = Assume(arn)->access_key_id;
  const std::string second = Assume(arn)->access_key_id;
  EXPECT_TRUE(iam_.FindSession(first).has_value());
  iam_.EndSession(first);
  EXPECT_FALSE(iam_.FindSession(first).has_value());
  clock_.AdvanceBy(absl::Hours(1));
  EXPECT_FALSE(iam_.FindSession(second).has_value());
  const std::string third = Assume(arn)->access_key_id;
  iam_.DeleteRole(arn);
  EXPECT_FALSE(iam_.FindSession(third).has_value());
  EXPECT_EQ(begun_, (std::vector<std::string>{first, second, third}));
  EXPECT_EQ(ended_, (std::vector<std::string>{first, second, third}));
}

TEST_F(IamTest, KeepsASessionThatIsToLastUntilItIsEnded) {
  const std::string arn = CreateRole();
  const absl::StatusOr<SessionCredentials> session =
      iam_.AssumeRole({.role_arn = arn,
                       .session_name = "sender",
                       .service = "lambda.amazonaws.com",
                       .duration = absl::InfiniteDuration()});
  ASSERT_TRUE(session.ok()) << session.status();
  clock_.AdvanceBy(absl::Hours(24 * 365));
  ASSERT_TRUE(Assume(arn).ok());  // those that are over go
  EXPECT_TRUE(iam_.FindSession(session->access_key_id).has_value());
  iam_.EndSession(session->access_key_id);
  EXPECT_FALSE(iam_.FindSession(session->access_key_id).has_value());
}

TEST_F(IamTest, KeepsTheSessionInWhichAServiceActsAsARole) {
  const std::string arn = CreateRole();
  RoleSessions sessions(iam_, "lambda.amazonaws.com");
  const absl::StatusOr<std::string> key = sessions.AccessKeyOf(arn);
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_TRUE(Sends(*key));
  EXPECT_EQ(*sessions.AccessKeyOf(arn), *key);
  iam_.EndSession(*key);
  EXPECT_NE(*sessions.AccessKeyOf(arn), *key);
  EXPECT_TRUE(absl::IsNotFound(
      sessions.AccessKeyOf(iam_.RoleArn("/", "none")).status()));
  RoleSessions distrusted(iam_, "states.amazonaws.com");
  EXPECT_TRUE(absl::IsPermissionDenied(distrusted.AccessKeyOf(arn).status()));
}

TEST_F(IamTest, GivesRunningSessionsTheNewPoliciesOfTheirRole) {
  const std::string arn = CreateRole();
  const std::string key = Assume(arn)->access_key_id;
  Json::Value properties = json::ParseValue(kRoleProperties).value();
  const Json::Value before = properties;
  properties.removeMember("Policies");
  cloudformation::ResourceProvider* provider = registry_.Find("AWS::IAM::Role");
  const auto updated =
      provider->Update(Request(properties, "s-Id-ABCDEF123456"), before);
  ASSERT_TRUE(updated.ok()) << updated.status();
  EXPECT_EQ(updated->attributes.at("Arn"), arn);
  EXPECT_FALSE(Sends(key));
  ASSERT_TRUE(provider->Delete(Request(properties, "s-Id-ABCDEF123456")).ok());
  EXPECT_FALSE(iam_.FindRole(arn).has_value());
  ASSERT_TRUE(provider->Restore(Request(before, "s-Id-ABCDEF123456"), {}).ok());
  EXPECT_TRUE(Sends(Assume(arn)->access_key_id));
}

TEST_F(IamTest, LetsTheAccountDoEverythingThatIsNotDenied) {
  EXPECT_EQ(iam_.PrincipalOf("AKIATEST").kind, Principal::Kind::kAccount);
  EXPECT_TRUE(Sends("AKIATEST"));
}

// A session that has ended must not become the account.
TEST_F(IamTest, LetsAnEndedSessionDoNothing) {
  const std::string key = Assume(CreateRole())->access_key_id;
  iam_.EndSession(key);
  EXPECT_FALSE(Sends(key));
}

TEST_F(IamTest, RefusesRolesThatItCannotBeFaithfulTo) {
  Json::Value properties = json::ParseValue(kRoleProperties).value();
  properties["ManagedPolicyArns"][0] =
      "arn:aws:iam::aws:policy/AdministratorAccess";
  EXPECT_TRUE(absl::StrContains(
      Create("AWS::IAM::Role", json::WriteValue(properties)).status().message(),
      "does not know the managed policy "
      "arn:aws:iam::aws:policy/AdministratorAccess"));
  properties = json::ParseValue(kRoleProperties).value();
  properties["Policies"][0]["PolicyDocument"]["Statement"].removeMember(
      "Effect");
  EXPECT_TRUE(absl::StrContains(
      Create("AWS::IAM::Role", json::WriteValue(properties)).status().message(),
      "policy P: policy statement 1: Effect"));
  CreateRole();
  EXPECT_EQ(Create("AWS::IAM::Role", kRoleProperties).status().code(),
            absl::StatusCode::kAlreadyExists);
}

TEST_F(IamTest, HoldsResourcesToTheirPolicies) {
  std::vector<std::string> notes;
  Authority authority(iam_,
                      [&](const std::string& note) { notes.push_back(note); });
  const auto events_send = [this] {
    return iam_
        .Authorize({.principal = ServicePrincipal("events.amazonaws.com"),
                    .action = "sqs:SendMessage",
                    .resource = kQueue})
        .allowed();
  };
  EXPECT_FALSE(events_send());
  // Queues whose policy is made by AddPermission have the older version.
  for (const char* version :
       {R"("Version": "2012-10-17",)", R"("Version": "2008-10-17",)", ""}) {
    authority.EnforcePolicy(kQueue, absl::StrCat("{", version, R"("Statement": [
        {"Effect": "Deny", "Principal": "*", "Action": "sqs:*",
         "Resource": "*",
         "Condition": {"Bool": {"aws:SecureTransport": "false"}}},
        {"Effect": "Allow", "Principal": {"Service": "events.amazonaws.com"},
         "Action": "sqs:SendMessage", "Resource": "*",
         "Condition": {"StringEquals":
             {"aws:SourceAccount": "000000000000"}}}]})"));
    EXPECT_TRUE(events_send()) << version;
    EXPECT_TRUE(Sends("AKIATEST")) << version;
    authority.EnforcePolicy(kQueue, "");
    EXPECT_FALSE(events_send()) << version;
  }
  EXPECT_EQ(notes, std::vector<std::string>());
}

// One that was stored by an earlier version, for example.
TEST_F(IamTest, TellsWhichPolicyHasNoEffect) {
  std::vector<std::string> notes;
  Authority authority(iam_,
                      [&](const std::string& note) { notes.push_back(note); });
  const auto denies = [this] { return !Sends("AKIATEST"); };
  authority.EnforcePolicy(
      kQueue,
      R"({"Statement": {"Effect": "Deny", "Principal": "*", "Action": "sqs:*",
                        "Resource": "*"}})");
  EXPECT_TRUE(denies());
  authority.EnforcePolicy(kQueue, R"({"Version": "1999-01-01"})");
  EXPECT_FALSE(denies());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            absl::StrCat("the policy of ", kQueue,
                         " has no effect until it is set again: policy "
                         "document: Version must be \"2012-10-17\", not "
                         "\"1999-01-01\""));
}

}  // namespace
}  // namespace byoshin::local::iam
