#include "local/stack/stack_cloud.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/apigateway/module.h"
#include "local/appsync/module.h"
#include "local/bedrock/module.h"
#include "local/cloud/cloud.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/module.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/stack.h"
#include "local/cognito/module.h"
#include "local/customresources/module.h"
#include "local/dashboard/source.h"
#include "local/dynamodb/module.h"
#include "local/events/events.h"
#include "local/events/module.h"
#include "local/iam/module.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/lambda/module.h"
#include "local/lambda/zip_folder.h"
#include "local/logs/module.h"
#include "local/rds/module.h"
#include "local/rdsdata/module.h"
#include "local/secretsmanager/module.h"
#include "local/sqs/module.h"
#include "local/stack/cloud_source.h"
#include "local/stack/dashboard_module.h"
#include "local/stack/template_inputs.h"
#include "local/stepfunctions/module.h"

namespace byoshin::local::stack {
namespace {

// The template parameter for the bucket of the zips may be omitted: there is no
// bucket here.
constexpr char kBucketParameter[] = "CodeBucket";

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

// Resources that exist before the first deployment were made by a cloud that
// used the same folder, and whose record of the stack has been lost.
cloudformation::ExistingResources ExistingFor(
    const std::optional<cloudformation::Stack>& stack) {
  return stack.has_value() && stack->established
             ? cloudformation::ExistingResources::kRefuse
             : cloudformation::ExistingResources::kTakeUp;
}

}  // namespace

absl::StatusOr<std::unique_ptr<StackCloud>> StackCloud::Start(
    const StackCloudOptions& options, time::Clock& clock) {
  absl::StatusOr<std::unique_ptr<cloud::Cloud>> cloud =
      cloud::Cloud::Start({.gateway = options.gateway,
                           .data_directory = options.data_directory,
                           .durability = options.durability,
                           .credentials = options.credentials,
                           .region = options.region,
                           .on_note = options.on_note,
                           .fault = options.fault},
                          Modules(options), clock);
  if (!cloud.ok()) return cloud.status();
  return std::unique_ptr<StackCloud>(
      new StackCloud(options.on_note, *std::move(cloud)));
}

void StackCloud::WarmUp() { Get<lambda::Lambda>().WarmUp(); }

void StackCloud::EndSchedules() { Get<events::Events>().DisableRules(); }

dashboard::DashboardSource& StackCloud::source() const {
  return Get<CloudSource>();
}

std::int64_t StackCloud::retries() const {
  return Get<lambda::CountingQueues>().all_retries();
}

absl::StatusOr<cloudformation::DeployResult> StackCloud::Deploy(
    const StackDeployment& deployment) {
  const absl::StatusOr<TemplateInputs> inputs =
      ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  cloudformation::Deployer& deployer = Get<cloudformation::Deployer>();
  lambda::ZipFolder& zips = Get<lambda::ZipFolder>();
  cloudformation::DeployRequest request{
      .stack_name = deployment.stack_name,
      .template_text = deployment.template_text,
      .parameters = deployment.parameters,
      .existing = ExistingFor(deployer.Find(deployment.stack_name)),
      .on_note = [this](const std::string& note) { Note(note); }};
  if (inputs->required.contains(kBucketParameter)) {
    request.parameters.try_emplace(kBucketParameter, lambda::kLocalBucket);
  }
  const sync::MutexLock lock(deploying_);
  zips.Give(deployment.zips, deployment.zips_origin);
  const absl::Cleanup forget_zips = [&zips] { zips.Give({}, ""); };
  std::set<std::string> given;
  for (const auto& [parameter, file] : inputs->code) {
    const auto zip = deployment.zips.find(file);
    if (zip == deployment.zips.end()) {
      return absl::NotFoundError(absl::StrCat(
          "the template needs ", file, ", which is not in ",
          deployment.zips_origin.empty() ? "what was given"
                                         : deployment.zips_origin));
    }
    absl::StatusOr<std::string> name = zips.Put(file, zip->second);
    if (!name.ok()) return name.status();
    given.insert(*name);
    request.parameters[parameter] = *std::move(name);
  }
  if (absl::Status complete =
          CheckRequiredParameters(*inputs, request.parameters);
      !complete.ok()) {
    return complete;
  }
  absl::StatusOr<cloudformation::DeployResult> result =
      deployer.Deploy(request);
  if (!result.ok()) return result;
  // The next start is given those again that no function has.
  RemoveUnusedCode(std::move(given));
  return result;
}

void StackCloud::RemoveUnusedCode(std::set<std::string> kept) {
  const cloudformation::Deployer& deployer = Get<cloudformation::Deployer>();
  std::vector<lambda::CodeLocation> used;
  for (const std::string& name : deployer.Names()) {
    const std::optional<cloudformation::Stack> stack = deployer.Find(name);
    if (!stack.has_value()) continue;
    for (const auto& [id, resource] : stack->resources) {
      if (resource.type != "AWS::Lambda::Function") continue;
      used.push_back({.key = cloudformation::TextProperty(resource.properties,
                                                          "Code.S3Key")
                                 .value_or(""),
                      .function = id});
    }
  }
  absl::Status removed =
      Get<lambda::ZipFolder>().KeepOnly(used, std::move(kept));
  removed.Update(Get<lambda::Lambda>().RemoveUnusedCode());
  if (!removed.ok()) {
    Note(absl::StrCat("code that is not used any more is left: ",
                      removed.message()));
  }
}

}  // namespace byoshin::local::stack
