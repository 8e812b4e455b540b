#include "local/stack/stack_cloud.h"

#include <sys/stat.h>

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/stack.h"
#include "local/files/folders.h"
#include "local/files/temporary_folder.h"
#include "local/lambda/cloudformation.h"
#include "local/stack/cloud_source.h"
#include "local/stack/stack_cloud_impl.h"
#include "local/stack/template_inputs.h"
#include "local/stack/watched_store.h"
#include "local/stack/zip_folder.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::stack {
namespace {

// A part of the second within which the cloud stops.
constexpr absl::Duration kDrainLimit = absl::Milliseconds(400);
// Where a template asks for the bucket of the zips by this name, it need not be
// given: there is none here.
constexpr char kBucketParameter[] = "CodeBucket";

// Nobody but a cloud that has used this folder before can have made what is
// there before the first deployment: its record of the stack has been lost.
cloudformation::ExistingResources ExistingFor(
    const std::optional<cloudformation::Stack>& stack) {
  return stack.has_value() && stack->established
             ? cloudformation::ExistingResources::kRefuse
             : cloudformation::ExistingResources::kTakeUp;
}

}  // namespace

// Services tell the source of what they do, and the dashboard's thread asks
// them through it. So first nobody calls from outside any more, then the two
// are cut off from the services, then those end that call others, and last the
// called.
StackCloudImpl::~StackCloudImpl() {
  Stop();
  gateway_.reset();
  if (source_ != nullptr) source_->Stop();
  dashboard_.reset();
  deployer_.reset();
  events_.reset();
  lambda_.reset();
  dynamodb_.reset();
  sqs_.reset();
}

void StackCloudImpl::Stop() {
  std::call_once(stopped_, [this] {
    // While functions still reach the cloud.
    if (lambda_ != nullptr) lambda_->Drain(kDrainLimit);
    if (dashboard_ != nullptr) dashboard_->EndLongPolls();
    // The gateway waits for those who wait for records.
    if (source_ != nullptr) source_->StopReading();
    if (gateway_ != nullptr) gateway_->Stop();
  });
}

absl::Status StackCloudImpl::Open() {
  for (absl::Status (StackCloudImpl::*step)() :
       {&StackCloudImpl::MakeFolders, &StackCloudImpl::OpenStores,
        &StackCloudImpl::OpenServices, &StackCloudImpl::OpenDeployer,
        &StackCloudImpl::StartGateway, &StackCloudImpl::RestoreStacks}) {
    if (absl::Status status = (this->*step)(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status StackCloudImpl::MakeFolders() {
  if (options_.data_directory.empty()) {
    absl::StatusOr<std::unique_ptr<TemporaryFolder>> temporary =
        TemporaryFolder::Make();
    if (!temporary.ok()) return temporary.status();
    temporary_ = *std::move(temporary);
    folder_ = temporary_->path();
  } else {
    // Functions run in folders of their own.
    absl::StatusOr<std::string> folder = AbsolutePath(options_.data_directory);
    if (!folder.ok()) return folder.status();
    folder_ = *std::move(folder);
  }
  absl::Status status = MakePrivateFolder(folder_);
  for (const char* own : {"/zips", "/lambda"}) {
    if (!status.ok()) break;
    status = MakePrivateFolder(folder_ + own);
    ::chmod((folder_ + own).c_str(), S_IRWXU);
  }
  return status;
}

absl::Status StackCloudImpl::OpenStores() {
  const std::pair<std::unique_ptr<Store>*, absl::string_view> stores[] = {
      {&sqs_store_, "sqs"},
      {&dynamodb_store_, "dynamodb"},
      {&lambda_store_, "lambda"},
      {&events_store_, "events"},
      {&stacks_store_, "cloudformation"}};
  for (const auto& [store, name] : stores) {
    absl::StatusOr<std::unique_ptr<Store>> opened = OpenSqliteStore(
        {.path = DatabasePath(name), .durability = options_.durability});
    if (!opened.ok()) return opened.status();
    *store = *std::move(opened);
    // Deploy() itself says what is wrong with the stacks' store.
    if (store == &stacks_store_) continue;
    *store = std::make_unique<WatchedStore>(
        std::move(*store), [this](const std::string& text) { Note(text); });
  }
  return absl::OkStatus();
}

std::string StackCloudImpl::DatabasePath(absl::string_view service) const {
  return options_.data_directory.empty()
             ? ""
             : absl::StrCat(folder_, "/", service, ".db");
}

// Once the gateway is there: URLs of queues have its address.
absl::Status StackCloudImpl::RestoreStacks() {
  if (absl::Status status = deployer_->Restore(); !status.ok()) {
    // The next deployment makes it anew.
    Note(absl::StrCat("not all of what was deployed could be started again: ",
                      status.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<cloudformation::DeployResult> StackCloudImpl::Deploy(
    const StackDeployment& deployment) {
  const absl::StatusOr<TemplateInputs> inputs =
      ReadTemplateInputs(deployment.template_text);
  if (!inputs.ok()) return inputs.status();
  cloudformation::DeployRequest request{
      .stack_name = deployment.stack_name,
      .template_text = deployment.template_text,
      .parameters = deployment.parameters,
      .existing = ExistingFor(deployer_->Find(deployment.stack_name))};
  if (inputs->required.contains(kBucketParameter)) {
    request.parameters.try_emplace(kBucketParameter, kLocalBucket);
  }
  const std::lock_guard<std::mutex> lock(deploying_);
  zips_->Give(deployment.zips, deployment.zips_origin);
  std::set<std::string> given;
  for (const auto& [parameter, file] : inputs->code) {
    const auto zip = deployment.zips.find(file);
    if (zip == deployment.zips.end()) {
      return absl::NotFoundError(absl::StrCat(
          "the template needs ", file, ", which is not in ",
          deployment.zips_origin.empty() ? "what was given"
                                         : deployment.zips_origin));
    }
    absl::StatusOr<std::string> name = zips_->Put(file, zip->second);
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
      deployer_->Deploy(request);
  zips_->Give({}, "");
  if (!result.ok()) return result;
  for (const std::string& note : result->notes) Note(note);
  source_->Load(result->stack);
  // The next start is given those again that no function has.
  RemoveUnusedCode(std::move(given));
  return result;
}

void StackCloudImpl::RemoveUnusedCode(std::set<std::string> kept) {
  std::vector<lambda::CodeLocation> used;
  for (const std::string& name : deployer_->Names()) {
    const std::optional<cloudformation::Stack> stack = deployer_->Find(name);
    if (!stack.has_value()) continue;
    for (const auto& [id, resource] : stack->resources) {
      if (resource.type != "AWS::Lambda::Function") continue;
      used.push_back({.key = cloudformation::TextProperty(resource.properties,
                                                          "Code.S3Key")
                                 .value_or(""),
                      .function = id});
    }
  }
  absl::Status removed = zips_->KeepOnly(used, std::move(kept));
  removed.Update(lambda_->RemoveUnusedCode());
  if (!removed.ok()) {
    Note(absl::StrCat("code that is not used any more is left: ",
                      removed.message()));
  }
}

absl::StatusOr<std::unique_ptr<StackCloud>> StackCloud::Start(
    StackCloudOptions options, time::Clock& clock) {
  auto cloud = std::make_unique<StackCloudImpl>(std::move(options), clock);
  if (absl::Status status = cloud->Open(); !status.ok()) return status;
  return cloud;
}

}  // namespace byoshin::local::stack
