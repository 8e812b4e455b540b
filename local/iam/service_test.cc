// IAM's and STS's APIs, asked about roles that a template has made.

#include "local/iam/service.h"

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

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
#include "local/gateway/service.h"
#include "local/iam/cloudformation.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {
namespace {

constexpr char kServiceRole[] = R"({
  "RoleName": "worker", "Path": "/app/", "Description": "works & rests",
  "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"},
     "Action": "sts:AssumeRole"}]},
  "Policies": [{"PolicyName": "P", "PolicyDocument": {
      "Version": "2012-10-17", "Statement": {
      "Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "*"}}}],
  "ManagedPolicyArns": [
    "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"]})";
constexpr char kRoleArn[] = "arn:aws:iam::000000000000:role/app/worker";

// What stands in the first element of this name.
std::string In(absl::string_view xml, absl::string_view name) {
  const std::string open = absl::StrCat("<", name, ">");
  const std::size_t begin = xml.find(open);
  if (begin == absl::string_view::npos) return "";
  const std::size_t end = xml.find(absl::StrCat("</", name, ">"), begin);
  return std::string(
      xml.substr(begin + open.size(), end - begin - open.size()));
}

class IamServiceTest : public ::testing::Test {
 protected:
  IamServiceTest() {
    AddIamProviders(iam_, registry_);
    state_ = *Provider().Create(Request(""));
  }

  cloudformation::ResourceProvider& Provider() {
    return *registry_.Find("AWS::IAM::Role");
  }
  cloudformation::ResourceRequest Request(const std::string& id) {
    return {.stack = stack_,
            .logical_id = "Role",
            .physical_id = id,
            .name_suffix = "ABCDEF123456",
            .properties = properties_};
  }

  std::string Ask(Service& service, const std::string& operation,
                  const std::string& parameters = "",
                  const std::string& key = "test") {
    std::string body;
    service.Handle(
        {.operation = operation,
         .protocol = WireProtocol::kQuery,
         .body = absl::StrCat("Action=", operation, "&", parameters),
         .caller = {.access_key_id = key, .account_id = "000000000000"}},
        [&](const Answer& answer) { body = answer.body; });
    return body;
  }

  const Json::Value properties_ = json::ParseValue(kServiceRole).value();
  const cloudformation::StackContext stack_{.stack_name = "s"};
  time::SimulatedClock clock_{absl::FromUnixSeconds(1000)};
  Iam iam_{clock_, {}};
  cloudformation::ProviderRegistry registry_;
  cloudformation::ResourceState state_;
  IamService service_{iam_};
  StsService sts_{iam_};
};

TEST_F(IamServiceTest, ShowsARole) {
  const std::string body = Ask(service_, "GetRole", "RoleName=worker");
  EXPECT_EQ(In(body, "Arn"), kRoleArn);
  EXPECT_EQ(In(body, "Path"), "/app/");
  EXPECT_EQ(In(body, "RoleId"), "AROAABCDEF123456AAAAA");
  EXPECT_EQ(In(body, "Description"), "works &amp; rests");
  EXPECT_EQ(In(body, "CreateDate"), "1970-01-01T00:16:40.000Z");
  EXPECT_TRUE(absl::StartsWith(In(body, "AssumeRolePolicyDocument"),
                               "%7B%22Statement%22%3A"))
      << body;
  EXPECT_EQ(In(In(Ask(service_, "ListRoles"), "Roles"), "RoleName"), "worker");
  EXPECT_EQ(In(Ask(service_, "ListRoles", "PathPrefix=/x/"), "RoleName"), "");
}

TEST_F(IamServiceTest, KeepsARolesAgeWhenItIsChangedOrRestored) {
  clock_.AdvanceBy(absl::Seconds(60));
  ASSERT_TRUE(Provider().Update(Request("worker"), properties_).ok());
  const std::string created = "1970-01-01T00:16:40.000Z";
  EXPECT_EQ(In(Ask(service_, "GetRole", "RoleName=worker"), "CreateDate"),
            created);
  iam_.DeleteRole(kRoleArn);
  ASSERT_TRUE(Provider().Restore(Request("worker"), state_).ok());
  EXPECT_EQ(In(Ask(service_, "GetRole", "RoleName=worker"), "CreateDate"),
            created);
}

TEST_F(IamServiceTest, ShowsARolesPolicies) {
  EXPECT_EQ(In(In(Ask(service_, "ListRolePolicies", "RoleName=worker"),
                  "PolicyNames"),
               "member"),
            "P");
  const std::string body =
      Ask(service_, "GetRolePolicy", "RoleName=worker&PolicyName=P");
  EXPECT_TRUE(absl::StrContains(In(body, "PolicyDocument"),
                                "%22Action%22%3A%22sqs%3ASendMessage%22"))
      << body;
  const std::string attached =
      Ask(service_, "ListAttachedRolePolicies", "RoleName=worker");
  EXPECT_EQ(In(attached, "PolicyName"), "AWSLambdaBasicExecutionRole");
  EXPECT_EQ(In(attached, "PolicyArn"),
            "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole");
  EXPECT_EQ(In(attached, "IsTruncated"), "false");
}

TEST_F(IamServiceTest, GivesRolesInPages) {
  iam_.PutRole({.name = "a", .arn = "arn:a"});
  const std::string first = Ask(service_, "ListRoles", "MaxItems=1");
  EXPECT_EQ(In(first, "RoleName"), "a");
  EXPECT_EQ(In(first, "IsTruncated"), "true");
  const std::string second =
      Ask(service_, "ListRoles", absl::StrCat("Marker=", In(first, "Marker")));
  EXPECT_EQ(In(second, "RoleName"), "worker");
  EXPECT_EQ(In(second, "IsTruncated"), "false");
}

TEST_F(IamServiceTest, RefusesAsIamDoes) {
  const std::string body = Ask(service_, "GetRole", "RoleName=none");
  EXPECT_EQ(In(body, "Code"), "NoSuchEntity");
  EXPECT_EQ(In(body, "Message"), "The role with name none cannot be found.");
  EXPECT_EQ(In(Ask(service_, "GetRolePolicy", "RoleName=worker&PolicyName=Q"),
               "Message"),
            "The role policy with name Q cannot be found.");
  EXPECT_EQ(In(Ask(service_, "GetRole"), "Code"), "ValidationError");
  EXPECT_EQ(In(Ask(service_, "ListRoles", "MaxItems=x"), "Code"),
            "ValidationError");
  EXPECT_EQ(In(Ask(service_, "CreateRole"), "Code"), "InvalidAction");
}

TEST_F(IamServiceTest, TellsCallersWhoTheyAre) {
  const std::string body = Ask(sts_, "GetCallerIdentity");
  EXPECT_EQ(In(body, "Arn"), "arn:aws:iam::000000000000:root");
  EXPECT_EQ(In(body, "Account"), "000000000000");
  const SessionCredentials session =
      *iam_.AssumeRole({.role_arn = kRoleArn,
                        .session_name = "fn",
                        .service = "lambda.amazonaws.com"});
  EXPECT_EQ(
      In(Ask(sts_, "GetCallerIdentity", "", session.access_key_id), "Arn"),
      "arn:aws:sts::000000000000:assumed-role/worker/fn");
  EXPECT_EQ(In(Ask(sts_, "AssumeRole"), "Code"), "InvalidAction");
}

TEST_F(IamServiceTest, NeedsThePermissionOnTheRole) {
  const Call call{.operation = "GetRole",
                  .protocol = WireProtocol::kQuery,
                  .body = "Action=GetRole&RoleName=r",
                  .region = "us-east-1",
                  .caller = {.account_id = "000000000000"}};
  EXPECT_EQ(service_.PermissionsFor(call),
            (std::vector<NeededPermission>{
                {"iam:GetRole", "arn:aws:iam::000000000000:role/r"}}));
}

TEST_F(IamServiceTest, LetsEverybodyAskWhoTheyAre) {
  EXPECT_TRUE(sts_.PermissionsFor({.operation = "GetCallerIdentity"}).empty());
  EXPECT_FALSE(sts_.PermissionsFor({.operation = "AssumeRole"}).empty());
}

}  // namespace
}  // namespace byoshin::local::iam
