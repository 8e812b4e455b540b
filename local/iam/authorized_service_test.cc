#include "local/iam/authorized_service.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"
#include "local/iam/iam.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

using Strings = std::vector<std::string>;

Call CallOf(absl::string_view operation, absl::string_view body) {
  return {.operation = std::string(operation),
          .body = std::string(body),
          .region = "us-east-1",
          .caller = {.access_key_id = "test", .account_id = "000000000000"}};
}

// Needs the operation's action on the resource that is the body.
class Accepting final : public local::testing::TestService {
 public:
  explicit Accepting(std::string name) : TestService(std::move(name)) {}

  std::vector<NeededPermission> PermissionsFor(
      const Call& call) const override {
    std::vector<NeededPermission> needed;
    for (const absl::string_view action : absl::StrSplit(call.operation, '+')) {
      needed.push_back(
          {.action = absl::StrCat(name(), ":", action), .resource = call.body});
    }
    return needed;
  }
  void Handle(Call, AnswerFunction answer) override {
    ++calls;
    answer({.status = 200});
  }
  int calls = 0;
};

TEST(AuthorizedService, HoldsASessionToItsRoleAndLetsTheAccountDoAll) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'000));
  Iam iam(clock, {});
  const absl::StatusOr<PolicyDocument> trust =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[{
          "Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},
          "Action":"sts:AssumeRole"}]})"),
                  PolicyKind::kTrust);
  ASSERT_TRUE(trust.ok()) << trust.status();
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[{
          "Effect":"Allow","Action":"dynamodb:PutItem","Resource":
            "arn:aws:dynamodb:us-east-1:000000000000:table/mine"}]})"),
                  PolicyKind::kIdentity);
  ASSERT_TRUE(policy.ok()) << policy.status();
  const std::string role = iam.RoleArn("/", "R");
  iam.PutRole({.name = "R",
               .arn = role,
               .trust = *trust,
               .policies = {{.name = "P", .document = *policy}}});
  const absl::StatusOr<SessionCredentials> session =
      iam.AssumeRole({.role_arn = role,
                      .session_name = "s",
                      .service = "lambda.amazonaws.com"});
  ASSERT_TRUE(session.ok()) << session.status();

  Accepting service("dynamodb");
  Strings denied;
  AuthorizedService guarded(
      service, iam,
      {.on_denied = [&](const AccessRequest& request,
                        const Decision& decision) {
        denied.push_back(request.action);
        EXPECT_TRUE(absl::StrContains(decision.missing, request.action));
      }});
  const auto status = [&](absl::string_view key, absl::string_view operation,
                          absl::string_view body) {
    Call call = CallOf(operation, body);
    call.caller.access_key_id = std::string(key);
    Answer answer;
    guarded.Handle(std::move(call), [&](Answer a) { answer = std::move(a); });
    if (answer.status != 200) {
      EXPECT_TRUE(absl::StrContains(answer.body, "AccessDeniedException"));
      EXPECT_TRUE(
          absl::StrContains(answer.body, "is not authorized to perform"));
      EXPECT_TRUE(absl::StrContains(answer.body, R"("Message":")"));
    }
    return answer.status;
  };
  const std::string& key = session->access_key_id;
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(status(key, "PutItem", table + "mine"), 200);
  EXPECT_EQ(status(key, "PutItem", table + "other"), 403);
  EXPECT_EQ(status(key, "DeleteItem", table + "mine"), 403);
  EXPECT_EQ(status(key, "PutItem", "*"), 403);
  EXPECT_EQ(service.calls, 1);
  EXPECT_EQ(denied, (Strings{"dynamodb:PutItem", "dynamodb:DeleteItem",
                             "dynamodb:PutItem"}));
  // All that a call needs must be allowed.
  EXPECT_EQ(status(key, "PutItem+PutItem", table + "mine"), 200);
  EXPECT_EQ(status(key, "PutItem+DeleteItem", table + "mine"), 403);
  EXPECT_EQ(denied.back(), "dynamodb:DeleteItem");
  EXPECT_EQ(status("test", "DeleteTable", table + "other"), 200);
}

TEST(AuthorizedService, HoldsTheAccountToWhatAQueueDeniesEverybody) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'000));
  Iam iam(clock, {});
  // As the template has it: nothing here comes without TLS, so that the first
  // statement denies nothing.
  const absl::StatusOr<PolicyDocument> policy =
      ParsePolicy(*json::ParseValue(R"({"Version":"2012-10-17","Statement":[
          {"Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*",
           "Condition":{"Bool":{"aws:SecureTransport":"false"}}},
          {"Effect":"Deny","Principal":"*","Action":"sqs:PurgeQueue",
           "Resource":"*"}]})"),
                  PolicyKind::kResource);
  ASSERT_TRUE(policy.ok()) << policy.status();
  iam.PutResourcePolicy("arn:aws:sqs:us-east-1:000000000000:kept", *policy);
  Accepting service("sqs");
  int denials = 0;
  AuthorizedService guarded(
      service, iam,
      {.on_denied = [&](const AccessRequest&, const Decision&) { ++denials; }});
  const auto status = [&](absl::string_view operation,
                          absl::string_view queue) {
    Answer answer;
    guarded.Handle(
        CallOf(operation,
               absl::StrCat("arn:aws:sqs:us-east-1:000000000000:", queue)),
        [&](Answer a) { answer = std::move(a); });
    return answer.status;
  };
  EXPECT_EQ(status("SendMessage", "kept"), 200);
  EXPECT_EQ(status("PurgeQueue", "other"), 200);
  EXPECT_EQ(service.calls, 2);
  EXPECT_EQ(status("PurgeQueue", "kept"), 403);
  EXPECT_EQ(service.calls, 2);
  EXPECT_EQ(denials, 1);
}

TEST(AuthorizedService, LetsOnlyTheAccountUnlockAQueueThatDeniesEverybody) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'000));
  Iam iam(clock, {});
  const std::string queue = "arn:aws:sqs:us-east-1:000000000000:locked";
  const absl::StatusOr<PolicyDocument> policy = ParsePolicy(
      *json::ParseValue(
          R"({"Statement":{"Effect":"Deny","Principal":"*","Action":"sqs:*",
              "Resource":"*"}})"),
      PolicyKind::kResource);
  ASSERT_TRUE(policy.ok()) << policy.status();
  iam.PutResourcePolicy(queue, *policy);
  const auto outcome = [&](const Principal& principal, const char* action) {
    return iam
        .Authorize(
            {.principal = principal, .action = action, .resource = queue})
        .outcome;
  };
  const Principal account = iam.PrincipalOf("test");
  EXPECT_EQ(outcome(account, "sqs:SendMessage"),
            Decision::Outcome::kExplicitlyDenied);
  EXPECT_EQ(outcome(account, "sqs:DeleteQueue"),
            Decision::Outcome::kExplicitlyDenied);
  EXPECT_EQ(outcome(account, "sqs:GetQueueAttributes"),
            Decision::Outcome::kAllowed);
  EXPECT_EQ(outcome(account, "sqs:SetQueueAttributes"),
            Decision::Outcome::kAllowed);
  EXPECT_EQ(outcome(ServicePrincipal("events.amazonaws.com"),
                    "sqs:SetQueueAttributes"),
            Decision::Outcome::kExplicitlyDenied);
}

}  // namespace
}  // namespace byoshin::local::iam
