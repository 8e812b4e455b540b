#include "local/stack/stack_cloud.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/host/open_files.h"
#include "core/time/clock.h"
#include "local/apigateway/module.h"
#include "local/appsync/module.h"
#include "local/bedrock/module.h"
#include "local/cloud/cloud.h"
#include "local/cloud/module.h"
#include "local/cloudformation/module.h"
#include "local/cognito/module.h"
#include "local/customresources/module.h"
#include "local/dashboard/source.h"
#include "local/dynamodb/module.h"
#include "local/events/events.h"
#include "local/events/module.h"
#include "local/iam/module.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/lambda/module.h"
#include "local/logs/module.h"
#include "local/rds/module.h"
#include "local/rdsdata/module.h"
#include "local/secretsmanager/module.h"
#include "local/sqs/module.h"
#include "local/stack/cloud_source.h"
#include "local/stack/dashboard_module.h"
#include "local/stepfunctions/module.h"

namespace byoshin::local::stack {
namespace {

// What the cloud consists of: to add a service is to add a line. Each may use
// those above it.
std::vector<cloud::ModuleSpec> Modules(const StackCloudOptions& options) {
  std::vector<cloud::ModuleSpec> modules = {
      PanelsModule(),
      iam::IamModule(),
      sqs::SqsModule(),
      dynamodb::DynamoDbModule(),
      lambda::LambdaModule({.crash = options.crash}),
      events::EventsModule(),
      logs::LogsModule(),
      secretsmanager::SecretsManagerModule(),
      rds::RdsModule({.postgres_url = options.postgres_url}),
      rdsdata::RdsDataModule(),
      bedrock::BedrockModule(options.bedrock),
      stepfunctions::StepFunctionsModule(),
      cognito::CognitoModule(),
      apigateway::ApiGatewayModule(),
      appsync::AppSyncModule(),
      customresources::CustomResourcesModule(),
      cloudformation::CloudFormationModule(),
      bedrock::BedrockLimitsModule(),
      stepfunctions::StepFunctionsPanelModule()};
  modules.insert(modules.end(), options.applications.begin(),
                 options.applications.end());
  // On the page below what applications tell of them.
  modules.push_back(appsync::AppSyncPanelModule());
  modules.push_back(DashboardModule({.on_outcome = options.on_outcome}));
  return modules;
}

}  // namespace

absl::StatusOr<std::unique_ptr<StackCloud>> StackCloud::Start(
    const StackCloudOptions& options, time::Clock& clock) {
  if (absl::Status enough = host::CheckOpenFiles(); !enough.ok()) {
    return enough;
  }
  absl::StatusOr<std::unique_ptr<cloud::Cloud>> cloud =
      cloud::Cloud::Start({.gateway = options.gateway,
                           .early_requests = options.early_requests,
                           .data_directory = options.data_directory,
                           .durability = options.durability,
                           .credentials = options.credentials,
                           .region = options.region,
                           .on_note = options.on_note,
                           .fault = options.fault},
                          Modules(options), clock);
  if (!cloud.ok()) return cloud.status();
  return std::unique_ptr<StackCloud>(new StackCloud(*std::move(cloud)));
}

std::vector<std::string> StackCloud::StoreNames() {
  std::vector<std::string> names;
  for (const cloud::ModuleSpec& module : Modules({})) {
    for (const cloud::StoreSpec& store : module.stores) {
      names.push_back(store.name);
    }
  }
  return names;
}

void StackCloud::WarmUp() { Get<lambda::Lambda>().WarmUp(); }

void StackCloud::EndSchedules() { Get<events::Events>().DisableRules(); }

dashboard::DashboardSource& StackCloud::source() const {
  return Get<CloudSource>();
}

std::int64_t StackCloud::retries() const {
  return Get<lambda::CountingQueues>().all_retries();
}

}  // namespace byoshin::local::stack
