#include "local/iam/module.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/aws/credentials.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/authorized_service.h"
#include "local/iam/cloudformation.h"
#include "local/iam/iam.h"
#include "local/iam/service.h"

namespace byoshin::local::iam {
namespace {

// Sessions are credentials that the gateway accepts.
IamOptions OptionsFor(CredentialSet& credentials) {
  return {
      .on_session =
          [&credentials](const SessionCredentials& session) {
            credentials.Add(
                {.access_key_id = session.access_key_id,
                 .secret_access_key = aws::Secret(session.secret_access_key),
                 .session_token = aws::Secret(session.session_token),
                 .expires = session.expiration});
          },
      .on_session_end =
          [&credentials](const std::string& key) { credentials.Remove(key); }};
}

class AccessModule final : public cloud::Module {
 public:
  explicit AccessModule(cloud::Host& host)
      : host_(host),
        iam_(host.wall_clock(), OptionsFor(host.credentials())),
        authority_(iam_,
                   [&host](const std::string& text) { host.Note(text); }) {
    host_.Offer(iam_);
    host_.Offer(authority_);
  }

  std::vector<Service*> services() override { return {&service_, &sts_}; }
  std::unique_ptr<Service> Guard(Service& service) override {
    return std::make_unique<AuthorizedService>(
        service, iam_,
        AuthorizedService::Options{
            .on_denied = [this](const AccessRequest& request,
                                const Decision& decision) {
              authority_.NoteDenial(request, decision);
            }});
  }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddIamProviders(iam_, registry);
  }

 private:
  cloud::Host& host_;
  Iam iam_;
  Authority authority_;
  IamService service_{iam_};
  StsService sts_{iam_};
};

}  // namespace

cloud::ModuleSpec IamModule() {
  return {.name = "iam",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<AccessModule>(host);
          }};
}

}  // namespace byoshin::local::iam
