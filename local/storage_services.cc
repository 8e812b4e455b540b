#include "local/storage_services.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/time/clock.h"
#include "local/cloud.h"
#include "local/dynamodb/dynamodb.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/sqs/sqs.h"
#include "local/store/store.h"

namespace byoshin::local {
namespace {

using OpenedService = absl::StatusOr<std::unique_ptr<Service>>;

OpenedService OpenDynamoDb(Store& store, time::Clock& clock) {
  absl::StatusOr<std::unique_ptr<dynamodb::DynamoDb>> service =
      dynamodb::DynamoDb::Open(store, clock, {.account_id = kLocalAccountId});
  if (!service.ok()) return service.status();
  return *std::move(service);
}

OpenedService OpenSqs(Store& store, time::Clock& clock) {
  absl::StatusOr<std::unique_ptr<sqs::Sqs>> service =
      sqs::Sqs::Open(store, clock, {.account_id = kLocalAccountId});
  if (!service.ok()) return service.status();
  return *std::move(service);
}

}  // namespace

std::vector<ServiceFactory> StorageServices() {
  return {{.name = "dynamodb", .open = OpenDynamoDb},
          {.name = "sqs", .open = OpenSqs}};
}

}  // namespace byoshin::local
