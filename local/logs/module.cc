#include "local/logs/module.h"

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/lambda/lambda.h"
#include "local/logs/cloudformation.h"
#include "local/logs/log_groups.h"
#include "local/logs/service.h"

namespace byoshin::local::logs {
namespace {

class LogGroupsModule final : public cloud::Module {
 public:
  explicit LogGroupsModule(cloud::Host& host)
      : host_(host),
        service_(groups_, host.Get<lambda::Lambda>().logs(), host.clock(),
                 {.account_id = kLocalAccountId, .region = host.region()}) {}

  std::vector<Service*> services() override { return {&service_}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(LogGroupProvider(groups_, host_.Get<lambda::Lambda>().logs(),
                                  host_.clock()));
  }

 private:
  cloud::Host& host_;
  LogGroups groups_;
  LogsService service_;
};

}  // namespace

cloud::ModuleSpec LogsModule() {
  return {.name = "logs",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<LogGroupsModule>(host);
          }};
}

}  // namespace byoshin::local::logs
