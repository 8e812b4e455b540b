#include "local/dynamodb/module.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/providers.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr char kName[] = "dynamodb";

class TablesModule final : public cloud::Module {
 public:
  TablesModule(cloud::Host& host, std::unique_ptr<DynamoDb> dynamodb)
      : dynamodb_(std::move(dynamodb)) {
    host.Offer(*dynamodb_);
  }

  std::vector<Service*> services() override { return {dynamodb_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(NewTableProvider(*dynamodb_));
  }

 private:
  const std::unique_ptr<DynamoDb> dynamodb_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  absl::StatusOr<std::unique_ptr<DynamoDb>> dynamodb = DynamoDb::Open(
      host.store(kName), host.clock(), {.account_id = kLocalAccountId});
  if (!dynamodb.ok()) return dynamodb.status();
  return std::make_unique<TablesModule>(host, *std::move(dynamodb));
}

}  // namespace

cloud::ModuleSpec DynamoDbModule() {
  return {.name = kName, .stores = {{.name = kName}}, .open = OpenModule};
}

}  // namespace byoshin::local::dynamodb
