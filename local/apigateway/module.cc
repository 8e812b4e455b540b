#include "local/apigateway/module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/random/random.h"
#include "local/apigateway/front.h"
#include "local/apigateway/iam_authorization.h"
#include "local/apigateway/providers.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/service.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"
#include "local/lambda/lambda.h"
#include "local/logs/logs.h"

namespace byoshin::local::apigateway {
namespace {

using iam::RoleCaller;

constexpr char kPrincipal[] = "apigateway.amazonaws.com";

class RestApisModule final : public cloud::Module {
 public:
  explicit RestApisModule(cloud::Host& host)
      : lambda_(host.Get<lambda::Lambda>()),
        roles_({.iam = host.Get<iam::Iam>(),
                .authority = host.Get<iam::Authority>(),
                .clock = host.clock(),
                .account_id = kLocalAccountId,
                .actor = "API Gateway",
                .principal = kPrincipal,
                .find_service =
                    [&host](absl::string_view name) {
                      return host.FindService(name);
                    },
                .endpoint = [&host] { return host.endpoint(); }}),
        iam_({.credentials = host.credentials(),
              .signing_clock = host.wall_clock(),
              .iam = host.Get<iam::Iam>(),
              .on_denied =
                  [&authority = host.Get<iam::Authority>()](
                      const iam::AccessRequest& request,
                      const iam::Decision& decision) {
                    authority.NoteDenial(request, decision);
                  }}),
        front_(apis_,
               {.invoker = invoker_,
                .call_service =
                    [this](ServiceCall call, RoleCaller::Done done) {
                      roles_.Call(std::move(call), std::move(done));
                    },
                .tokens = host.Find<cognito::TokenVerifier>(),
                .iam = iam_,
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
                 {.account_id = kLocalAccountId, .region = host.region()}) {
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
  RoleCaller roles_;
  lambda::LambdaInvoker invoker_{lambda_, roles_, kPrincipal};
  IamAuthorization iam_;
  Front front_;
  ApiGatewayService service_;
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
