#include "local/rdsdata/module.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/gateway/service.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/service.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::rdsdata {
namespace {

class DataApiModule final : public cloud::Module {
 public:
  explicit DataApiModule(std::unique_ptr<DataApi> api)
      : api_(std::move(api)), service_(*api_) {}

  std::vector<Service*> services() override { return {&service_}; }
  void Drain(absl::Duration limit) override { api_->Drain(limit); }

 private:
  const std::unique_ptr<DataApi> api_;
  RdsDataService service_;
};

}  // namespace

cloud::ModuleSpec RdsDataModule() {
  return {.name = "rdsdata",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            absl::StatusOr<std::unique_ptr<DataApi>> api =
                DataApi::Open({.clusters = host.Get<rds::Clusters>(),
                               .secrets = host.Get<secretsmanager::Secrets>()},
                              host.clock());
            if (!api.ok()) return api.status();
            host.Offer(**api);
            return std::make_unique<DataApiModule>(*std::move(api));
          }};
}

}  // namespace byoshin::local::rdsdata
