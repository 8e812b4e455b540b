// A front with an API "api1", whose functions and services are fakes.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_FRONT_FIXTURE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_FRONT_FIXTURE_H_

#include <gtest/gtest.h>
#include <json/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/apigateway/front.h"
#include "local/apigateway/iam_authorization.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::apigateway {

inline const absl::Time kNow = absl::FromUnixSeconds(1'764'671'000);
inline constexpr char kFunction[] =
    "arn:aws:lambda:us-east-1:000000000000:function:f";
inline constexpr char kAuthorizerFunction[] =
    "arn:aws:lambda:us-east-1:000000000000:function:authorizer";

class FakeInvoker final : public FunctionInvoker {
 public:
  void InvokeForApi(Request request, Done done) override {
    const bool authorizes = request.function_arn == kAuthorizerFunction;
    (authorizes ? authorizer_requests : requests).push_back(request);
    if (waits) {
      waiting.push_back(std::move(done));
      return;
    }
    done(authorizes ? authorizer_result : result);
  }

  static Result Success(absl::string_view payload) {
    return {.payload = std::string(payload)};
  }

  std::vector<Request> requests;
  absl::StatusOr<Result> result =
      Success(R"({"statusCode":200,"body":"hello"})");
  // Of authorizers.
  std::vector<Request> authorizer_requests;
  absl::StatusOr<Result> authorizer_result = Success("{}");
  // If true, calls are answered by those in `waiting`.
  bool waits = false;
  std::vector<Done> waiting;
};

// User pools: the token says by itself what it is.
class FakeTokens final : public cognito::TokenVerifier {
 public:
  cognito::Verdict Verify(const cognito::TokenToVerify& token) const override {
    last = token;
    return verdict;
  }

  cognito::Verdict verdict;
  mutable cognito::TokenToVerify last;
};

// Receives the answer.
class Recorder final : public http::Responder::Exchange {
 public:
  using Response = std::optional<http::ServerResponse>;

  explicit Recorder(std::shared_ptr<Response> out) : out_(std::move(out)) {}
  void Send(http::ServerResponse response) override {
    EXPECT_FALSE(out_->has_value()) << "answered twice";
    *out_ = std::move(response);
  }
  bool connected() const override { return true; }

 private:
  const std::shared_ptr<Response> out_;
};

inline std::string Header(const http::ServerResponse& response,
                          absl::string_view name) {
  for (const http::Header& header : response.headers) {
    if (header.name == name) return header.value;
  }
  return "";
}

class FrontTest : public testing::Test {
 protected:
  void SetUp() override {
    registry_.PutApi("api1", "orders");
    const std::string root = Registry::RootResourceId("api1");
    Put(root, "orders", "r-orders");
    Put("r-orders", "{id}", "r-id");
    Put("r-orders", "special", "r-special");
    Put(root, "{rest+}", "r-rest");
    for (const char* id : {"r-orders", "r-id", "r-special"}) {
      PutMethod(id, {.http_method = "GET"});
    }
    PutMethod("r-rest", {.http_method = "ANY"});
    PutMethod("r-orders", {.http_method = "POST", .api_key_required = true});
    ASSERT_TRUE(registry_.Deploy("api1", "d1").ok());
    ASSERT_TRUE(
        registry_
            .PutStage(
                "api1",
                {.name = "prod",
                 .deployment_id = "d1",
                 .access_log_group_arn = "arn:log",
                 .access_log_format =
                     R"({"s":"$context.status","a":"$context.identity.userAgent","e":"$context.integrationErrorMessage"})"})
            .ok());
  }

  void Put(absl::string_view parent, absl::string_view part,
           absl::string_view id) {
    ASSERT_TRUE(registry_
                    .PutResource("api1", {.id = std::string(id),
                                          .parent_id = std::string(parent),
                                          .path_part = std::string(part)})
                    .ok());
  }
  // Its function answers, unless something else does.
  void PutMethod(absl::string_view resource_id, Method method) {
    if (!method.service.has_value() && !method.mock.has_value()) {
      method.function_arn = kFunction;
    }
    const absl::Status put =
        registry_.PutMethod("api1", resource_id, std::move(method));
    ASSERT_TRUE(put.ok()) << put;
  }
  // Makes changes effective.
  void Redeploy() { ASSERT_TRUE(registry_.Deploy("api1", "d1").ok()); }
  void ChangeParts(absl::FunctionRef<void(ApiParts&)> change) {
    ASSERT_TRUE(registry_.ChangeParts("api1", change).ok());
    Redeploy();
  }

  // Begins a request, which may be answered later.
  std::shared_ptr<std::optional<http::ServerResponse>> Begin(
      const http::ServerRequest& request) {
    auto response = std::make_shared<std::optional<http::ServerResponse>>();
    front_->Handle(request,
                   http::Responder(std::make_shared<Recorder>(response)));
    return response;
  }
  http::ServerResponse Send(const http::ServerRequest& request) {
    EXPECT_TRUE(Front::Wants(request));
    const auto response = Begin(request);
    EXPECT_TRUE(response->has_value());
    return response->value_or(http::ServerResponse());
  }
  http::ServerResponse Get(absl::string_view path) {
    return Send(
        {.method = "GET",
         .path = absl::StrCat("/restapis/api1/prod/_user_request_", path),
         .remote = "127.0.0.1:40312"});
  }
  Json::Value Event() {
    return *json::ParseValue(invoker_.requests.back().payload);
  }

  time::SimulatedClock clock_{kNow};
  Registry registry_;
  FakeInvoker invoker_;
  std::vector<ServiceCall> calls_;
  std::vector<std::function<void(absl::StatusOr<Answer>)>> waiting_calls_;
  absl::StatusOr<Answer> answer_ = Answer{.body = R"({"executionArn":"e"})"};
  FakeTokens tokens_;
  CredentialSet credentials_;
  std::vector<std::string> denied_;  // actions
  iam::Iam iam_{clock_, {}};
  const IamAuthorization iam_authorization_{
      {.credentials = credentials_,
       .signing_clock = clock_,
       .iam = iam_,
       .on_denied = [this](const iam::AccessRequest& request,
                           const iam::Decision&) {
         denied_.push_back(request.action);
       }}};
  std::vector<std::string> log_;
  int ids_ = 0;
  std::unique_ptr<Front> front_ = std::make_unique<Front>(
      registry_,
      Front::Options{
          .invoker = invoker_,
          .call_service =
              [this](ServiceCall call, const auto& done) {
                calls_.push_back(std::move(call));
                if (!invoker_.waits) return done(answer_);
                waiting_calls_.push_back(done);
              },
          .tokens = &tokens_,
          .iam = iam_authorization_,
          .clock = clock_,
          .account_id = "000000000000",
          .region = "us-east-1",
          .access_log =
              [this](absl::string_view group, std::string line) {
                log_.push_back(absl::StrCat(group, " ", line));
              },
          .new_request_id = [this] { return absl::StrCat("id-", ++ids_); }});
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_FRONT_FIXTURE_H_
