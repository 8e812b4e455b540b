#include "local/cloudformation/module.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/cloud/host.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/recorded.h"
#include "local/cloudformation/service.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"

namespace byoshin::local::cloudformation {
namespace {

constexpr char kName[] = "cloudformation";

class StacksModule final : public cloud::Module {
 public:
  StacksModule(cloud::Host& host, std::unique_ptr<Deployer> deployer)
      : host_(host), deployer_(std::move(deployer)), service_(*deployer_) {
    host_.Offer(*deployer_);
  }

  std::vector<Service*> services() override { return {&service_}; }

  // Not before: URLs of queues contain the cloud's address.
  absl::Status Listening() override {
    if (absl::Status restored = deployer_->Restore(); !restored.ok()) {
      host_.Note(absl::StrCat(restored.message(),
                              "; the next deployment repairs this"));
    }
    return absl::OkStatus();
  }

 private:
  cloud::Host& host_;
  const std::unique_ptr<Deployer> deployer_;
  CloudFormationService service_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  AddRecordedProviders(host.providers());
  absl::StatusOr<std::unique_ptr<Deployer>> deployer = Deployer::Open(
      host.store(kName), host.clock(), host.providers(),
      {.context = {.account_id = kLocalAccountId, .region = host.region()}});
  if (!deployer.ok()) return deployer.status();
  return std::make_unique<StacksModule>(host, *std::move(deployer));
}

}  // namespace

cloud::ModuleSpec CloudFormationModule() {
  return {.name = kName,
          // A deployment reports its errors itself.
          .stores = {{.name = kName,
                      .trouble = cloud::StoreSpec::Trouble::kReturned}},
          .open = OpenModule};
}

}  // namespace byoshin::local::cloudformation
