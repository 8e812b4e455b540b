#include "local/sqs/module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/sqs/providers.h"
#include "local/sqs/sqs.h"

namespace byoshin::local::sqs {
namespace {

constexpr char kName[] = "sqs";

class QueuesModule final : public cloud::Module {
 public:
  QueuesModule(cloud::Host& host, std::unique_ptr<Sqs> sqs)
      : host_(host), sqs_(std::move(sqs)) {
    host_.Offer(*sqs_);
  }

  std::vector<Service*> services() override { return {sqs_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddSqsProviders(
        *sqs_, [host = &host_] { return host->endpoint(); }, registry);
  }

 private:
  cloud::Host& host_;
  const std::unique_ptr<Sqs> sqs_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  SqsOptions options{.account_id = kLocalAccountId};
  // A cloud of a few services has no IAM.
  if (auto* const authority = host.Find<iam::Authority>()) {
    options.on_policy = [authority](const std::string& queue_arn,
                                    const std::string& policy) {
      authority->EnforcePolicy(queue_arn, policy);
    };
  }
  absl::StatusOr<std::unique_ptr<Sqs>> sqs =
      Sqs::Open(host.store(kName), host.clock(), std::move(options));
  if (!sqs.ok()) return sqs.status();
  return std::make_unique<QueuesModule>(host, *std::move(sqs));
}

}  // namespace

cloud::ModuleSpec SqsModule() {
  return {.name = kName, .stores = {{.name = kName}}, .open = OpenModule};
}

}  // namespace byoshin::local::sqs
