#include "local/iam/role_caller.h"

#include <gtest/gtest.h>

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
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {
namespace {

// Keeps its calls unanswered.
class Machines final : public local::testing::TestService {
 public:
  Machines() : TestService("states") {}

  std::vector<NeededPermission> PermissionsFor(
      const Call& call) const override {
    return {
        {.action = absl::StrCat("states:", call.operation), .resource = "*"}};
  }
  void Handle(Call call, AnswerFunction answer) override {
    calls.push_back(std::move(call));
    answers.push_back(std::move(answer));
  }

  std::vector<Call> calls;
  std::vector<AnswerFunction> answers;
};

class RoleCallerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    PutRole("trusting", "apigateway.amazonaws.com");
    PutRole("other", "lambda.amazonaws.com");
  }

  void PutRole(absl::string_view name, absl::string_view service) {
    const auto parse = [](const std::string& text, PolicyKind kind) {
      return ParsePolicy(*json::ParseValue(text), kind).value();
    };
    iam_.PutRole(
        {.name = std::string(name),
         .arn = iam_.RoleArn("/", name),
         .trust = parse(
             absl::StrCat(
                 R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow",)",
                 R"("Principal":{"Service":")", service,
                 R"("},"Action":"sts:AssumeRole"}]})"),
             PolicyKind::kTrust),
         .policies = {
             {.name = "P",
              .document = parse(
                  R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow",
                      "Action":"states:StartExecution","Resource":"*"}]})",
                  PolicyKind::kIdentity)}}});
  }

  void Call(absl::string_view role, absl::string_view action,
            absl::string_view service = "states") {
    result_.reset();
    caller_->Call(
        {.service = std::string(service),
         .action = std::string(action),
         .region = "eu-west-1",
         .role_arn = iam_.RoleArn("/", role),
         .body = "{}"},
        [this](absl::StatusOr<Answer> result) { result_ = std::move(result); });
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  Iam iam_{clock_, {}};
  std::vector<std::string> notes_;
  Authority authority_{
      iam_, [this](const std::string& note) { notes_.push_back(note); }};
  Machines machines_;
  std::optional<absl::StatusOr<Answer>> result_;
  std::optional<RoleCaller> caller_{
      std::in_place,
      RoleCaller::World{
          .iam = iam_,
          .authority = authority_,
          .clock = clock_,
          .account_id = "000000000000",
          .actor = "API Gateway",
          .principal = "apigateway.amazonaws.com",
          .find_service = [this](absl::string_view name) -> Service* {
            return name == machines_.name() ? &machines_ : nullptr;
          },
          .endpoint = [] { return "http://here"; }}};
};

TEST_F(RoleCallerTest, CallsAServiceAsTheRole) {
  Call("trusting", "StartExecution");
  ASSERT_EQ(machines_.calls.size(), 1u);
  EXPECT_FALSE(result_.has_value());
  const local::Call& call = machines_.calls[0];
  EXPECT_EQ(call.operation, "StartExecution");
  EXPECT_EQ(call.body, "{}");
  EXPECT_EQ(call.region, "eu-west-1");
  EXPECT_EQ(call.caller.account_id, "000000000000");
  EXPECT_EQ(iam_.PrincipalOf(call.caller.access_key_id).role_arn,
            iam_.RoleArn("/", "trusting"));
  machines_.answers[0]({.status = 400, .body = "b"});
  ASSERT_TRUE(result_.has_value());
  EXPECT_EQ((*result_)->status, 400);
  EXPECT_EQ((*result_)->body, "b");
}

TEST_F(RoleCallerTest, AnswersAsTheServiceDoesIfTheRoleMayNot) {
  Call("trusting", "StopExecution");
  EXPECT_TRUE(machines_.calls.empty());
  ASSERT_TRUE(result_.has_value() && result_->ok());
  EXPECT_TRUE(absl::StrContains(
      (*result_)->body, "is not authorized to perform: states:StopExecution"))
      << (*result_)->body;
  EXPECT_EQ(notes_.size(), 1u);
}

TEST_F(RoleCallerTest, FailsIfTheRoleCannotBeAssumed) {
  Call("other", "StartExecution");
  EXPECT_TRUE(absl::IsPermissionDenied(result_->status()));
  Call("missing", "StartExecution");
  EXPECT_TRUE(absl::IsNotFound(result_->status()));
  Call("trusting", "StartExecution", "sqs");
  EXPECT_TRUE(absl::IsNotFound(result_->status()));
  EXPECT_TRUE(machines_.calls.empty());
}

TEST_F(RoleCallerTest, DropsAnswersThatComeAfterItsEnd) {
  Call("trusting", "StartExecution");
  caller_.reset();
  machines_.answers[0]({});
  EXPECT_FALSE(result_.has_value());
}

}  // namespace
}  // namespace byoshin::local::iam
