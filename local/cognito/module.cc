#include "local/cognito/module.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/cognito/cognito.h"
#include "local/cognito/documents.h"
#include "local/cognito/providers.h"
#include "local/gateway/service.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kName[] = "cognito";

class UserPoolsModule final : public cloud::Module {
 public:
  explicit UserPoolsModule(std::unique_ptr<Cognito> cognito)
      : cognito_(std::move(cognito)) {}

  std::vector<Service*> services() override { return {cognito_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddCognitoProviders(*cognito_, registry);
  }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    std::optional<http::ServerResponse> answer =
        DocumentAnswer(cognito_->directory(), request);
    if (!answer.has_value()) return false;
    respond(*std::move(answer));
    return true;
  }

 private:
  std::unique_ptr<Cognito> cognito_;
};

}  // namespace

cloud::ModuleSpec CognitoModule(const CognitoModuleOptions& options) {
  return {
      .name = kName,
      .stores = {{.name = kName}},
      .open = [options](cloud::Host& host)
          -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
        absl::StatusOr<std::unique_ptr<Cognito>> cognito = Cognito::Open(
            host.store(kName), host.clock(),
            {.password_cost = options.password_cost,
             .on_note = [&host](const std::string& text) { host.Note(text); }});
        if (!cognito.ok()) return cognito.status();
        host.Offer((*cognito)->verifier());
        return std::make_unique<UserPoolsModule>(*std::move(cognito));
      }};
}

}  // namespace byoshin::local::cognito
