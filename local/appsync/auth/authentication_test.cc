#include "local/appsync/auth/authentication.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/server_message.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/limits.h"
#include "local/gateway/credential_set.h"
#include "local/iam/iam.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {
namespace {

// Answers when the test says so.
class WaitingFunction final : public lambda::FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    requests.push_back(std::move(request));
    waiting.push_back(std::move(done));
  }
  void Answer(std::string payload) {
    const Done done = std::move(waiting.back());
    waiting.pop_back();
    done(Result{.payload = std::move(payload)});
  }

  std::vector<Request> requests;
  std::vector<Done> waiting;
};

class AuthorizerTest : public ::testing::Test {
 protected:
  AuthorizerTest() {
    GraphqlApi api{.id = "api", .region = "us-east-1"};
    api.providers.push_back({.type = AuthenticationType::kLambda,
                             .function_arn = "arn:function",
                             .token_pattern = "[a-z]+"});
    state_.api = std::make_shared<const GraphqlApi>(std::move(api));
  }

  void Check(const std::string& token) {
    http::ServerRequest request;
    request.headers.push_back({"Authorization", token});
    const Authentication::Operation operation;
    authentication_->Check(state_, {.http = request, .operation = operation},
                           [this](Authentication::Outcome outcome) {
                             outcomes_.push_back(std::move(outcome));
                           });
  }
  bool IsAccepted(std::size_t i) const {
    return std::holds_alternative<CallerPointer>(outcomes_.at(i));
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  CredentialSet credentials_;
  iam::Iam iam_{clock_, {}};
  WaitingFunction function_;
  std::shared_ptr<async::Gate> gate_ = std::make_shared<async::Gate>();
  ApiState state_;
  std::vector<Authentication::Outcome> outcomes_;
  std::unique_ptr<Authentication> authentication_ =
      std::make_unique<Authentication>(
          Authentication::World{.credentials = credentials_,
                                .signing_clock = clock_,
                                .clock = clock_,
                                .iam = iam_,
                                .tokens = nullptr,
                                .functions = function_,
                                .account_id = kLocalAccountId,
                                .gate = gate_});
};

TEST_F(AuthorizerTest, EndsTheRequestOfAFunctionThatTakesTooLong) {
  Check("slow");
  clock_.RunUntil(clock_.Now() + kAuthorizerTimeout - absl::Seconds(1));
  EXPECT_TRUE(outcomes_.empty());
  clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  ASSERT_EQ(outcomes_.size(), 1);
  ASSERT_FALSE(IsAccepted(0));
  EXPECT_TRUE(absl::StrContains(std::get<AuthRefusal>(outcomes_[0]).message,
                                "did not answer in time"));
  // Its answer is for the next request.
  function_.Answer(R"({"isAuthorized":true})");
  EXPECT_EQ(outcomes_.size(), 1);
  Check("slow");
  EXPECT_EQ(function_.requests.size(), 1);
  ASSERT_EQ(outcomes_.size(), 2);
  EXPECT_TRUE(IsAccepted(1));
}

TEST_F(AuthorizerTest, KeepsAnAnswerAndGivesItOutsideOfTheLock) {
  Check("allow");
  function_.Answer(R"({"isAuthorized":true})");
  http::ServerRequest request;
  request.headers.push_back({"Authorization", "allow"});
  const Authentication::Operation operation;
  // Checks another request while it is told of the first.
  authentication_->Check(
      state_, {.http = request, .operation = operation},
      [&](const Authentication::Outcome&) { Check("allow"); });
  EXPECT_EQ(outcomes_.size(), 2);
  clock_.RunUntil(clock_.Now() + kDefaultAuthorizerTtl);
  Check("allow");
  EXPECT_EQ(function_.requests.size(), 2);
}

TEST_F(AuthorizerTest, AsksOnlyForTokensOfTheRightForm) {
  Check("NOT THIS");
  EXPECT_TRUE(function_.requests.empty());
  ASSERT_EQ(outcomes_.size(), 1);
  EXPECT_FALSE(IsAccepted(0));
}

TEST_F(AuthorizerTest, RefusesWhatIsNoAnswer) {
  for (const char* answer :
       {"", "null", "[]", "{}", R"({"isAuthorized":"true"})",
        R"({"isAuthorized":false})"}) {
    Check("token");
    function_.Answer(answer);
    ASSERT_FALSE(outcomes_.empty());
    EXPECT_FALSE(IsAccepted(outcomes_.size() - 1)) << answer;
  }
}

TEST_F(AuthorizerTest, IgnoresAnAnswerThatComesAfterItsEnd) {
  Check("allow");
  gate_->Close();
  authentication_.reset();
  function_.Answer(R"({"isAuthorized":true})");
  EXPECT_TRUE(outcomes_.empty());
}

}  // namespace
}  // namespace byoshin::local::appsync
