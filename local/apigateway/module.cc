#include "local/apigateway/module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/random/random.h"
#include "local/apigateway/front.h"
#include "local/apigateway/providers.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/role_caller.h"
#include "local/apigateway/service.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/lambda/lambda.h"
#include "local/logs/logs.h"

namespace byoshin::local::apigateway {
namespace {

// Functions behind REST APIs.
class LambdaInvoker final : public FunctionInvoker {
 public:
  explicit LambdaInvoker(lambda::Lambda& lambda) : lambda_(lambda) {}

  void InvokeForApi(Request request, Done done) override {
    const lambda::ServicePrincipal caller{
        .principal = "apigateway.amazonaws.com",
        .source_arn = std::move(request.source_arn)};
    lambda_.Invoke(
        request.function_arn, {.payload = std::move(request.payload)}, &caller,
        [done = std::move(done)](absl::StatusOr<lambda::InvokeResult> result) {
          if (!result.ok()) return done(result.status());
          if (!result->function_error.empty()) {
            return done(absl::InternalError(
                absl::StrCat("the function failed: ", result->payload)));
          }
          done(std::move(result->payload));
        });
  }

 private:
  lambda::Lambda& lambda_;
};

class RestApisModule final : public cloud::Module {
 public:
  explicit RestApisModule(cloud::Host& host)
      : lambda_(host.Get<lambda::Lambda>()),
        front_(apis_,
               {.invoker = invoker_,
                .call_service =
                    [this](ServiceCall call, RoleCaller::Done done) {
                      roles_.Call(std::move(call), std::move(done));
                    },
                .clock = host.clock(),
                .account_id = kLocalAccountId,
                .region = host.region(),
                .access_log =
                    [this, &clock = host.clock()](absl::string_view group,
                                                  std::string line) {
                      lambda_.logs().Write({.time = clock.Now(),
                                            .group = logs::GroupOfArn(group),
                                            .stream = "access",
                                            .text = std::move(line)});
                    },
                .new_request_id = random::NewHex}),
        service_(apis_,
                 {.account_id = kLocalAccountId, .region = host.region()}),
        roles_({.iam = host.Get<iam::Iam>(),
                .authority = host.Get<iam::Authority>(),
                .clock = host.clock(),
                .account_id = kLocalAccountId,
                .find_service =
                    [&host](absl::string_view name) {
                      return host.FindService(name);
                    },
                .endpoint = [&host] { return host.endpoint(); }}) {
    host.Offer(apis_);
  }

  std::vector<Service*> services() override { return {&service_}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    for (auto& provider : NewProviders(apis_)) {
      registry.Add(std::move(provider));
    }
  }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!Front::Wants(request)) return false;
    front_.Handle(request, respond);
    return true;
  }

 private:
  lambda::Lambda& lambda_;
  Registry apis_;
  LambdaInvoker invoker_{lambda_};
  Front front_;
  ApiGatewayService service_;
  // Destroyed before the front, to which it passes answers.
  RoleCaller roles_;
};

}  // namespace

cloud::ModuleSpec ApiGatewayModule() {
  return {.name = "apigateway",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<RestApisModule>(host);
          }};
}

}  // namespace byoshin::local::apigateway
