#include "local/lambda/module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/real_timer.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/lambda/cloudformation.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/lambda/service.h"
#include "local/lambda/sqs_queues.h"
#include "local/lambda/zip_folder.h"
#include "local/queues/queues.h"
#include "local/sqs/sqs.h"

namespace byoshin::local::lambda {
namespace {

constexpr char kName[] = "lambda";

class FunctionsModule final : public cloud::Module {
 public:
  FunctionsModule(cloud::Host& host, std::string zips)
      : queues_(host.Get<sqs::Sqs>()), zips_(std::move(zips)) {}

  absl::Status Open(cloud::Host& host, std::string folder,
                    const LambdaModuleOptions& options) {
    iam::Authority& authority = host.Get<iam::Authority>();
    absl::StatusOr<std::unique_ptr<Lambda>> lambda = Lambda::Open(
        {.store = host.store(kName),
         .clock = host.clock(),
         .queues = counting_,
         .sink = queues_},
        {.folder = std::move(folder),
         .credentials =
             [&authority](const std::string& role) {
               return authority.CredentialsForFunction(role);
             },
         .on_credentials_end =
             [&authority](const std::string& key) {
               authority.EndSession(key);
             },
         .endpoint_url = [&host] { return host.endpoint(); },
         .authorize =
             [&authority](const std::string& role, const std::string& action,
                          const std::string& resource) {
               return authority.AuthorizeRole(role, action, resource);
             },
         .crash = options.crash,
         .on_note = [&host](const std::string& text) { host.Note(text); },
         .waits = host.caller_waits(),
         .timer = &timer_});
    if (!lambda.ok()) return lambda.status();
    lambda_ = *std::move(lambda);
    service_ = std::make_unique<LambdaService>(*lambda_);
    host.Offer(*lambda_);
    host.Offer(zips_);
    host.Offer(counting_);
    host.Offer<queues::QueueSink>(queues_);
    host.Offer<time::RealTimer>(timer_);
    return absl::OkStatus();
  }

  std::vector<Service*> services() override { return {service_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    for (auto& provider : LambdaProviders(*lambda_, zips_)) {
      registry.Add(std::move(provider));
    }
  }
  void Begin() override {
    lambda_->Begin();
    // Until here, deployments compare the code with theirs.
    zips_.ForgetBytes();
  }
  void Drain(absl::Duration limit) override { lambda_->Drain(limit); }

 private:
  time::SteadyTimer timer_;
  SqsQueues queues_;
  CountingQueues counting_{queues_};
  ZipFolder zips_;
  std::unique_ptr<Lambda> lambda_;
  std::unique_ptr<LambdaService> service_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(
    cloud::Host& host, const LambdaModuleOptions& options) {
  absl::StatusOr<std::string> zips = host.Folder("zips");
  if (!zips.ok()) return zips.status();
  absl::StatusOr<std::string> folder = host.Folder(kName);
  if (!folder.ok()) return folder.status();
  auto module = std::make_unique<FunctionsModule>(host, *std::move(zips));
  absl::Status opened = module->Open(host, *std::move(folder), options);
  if (!opened.ok()) return opened;
  return module;
}

}  // namespace

cloud::ModuleSpec LambdaModule(LambdaModuleOptions options) {
  return {.name = kName,
          .stores = {{.name = kName}},
          .open = [options = std::move(options)](cloud::Host& host) {
            return OpenModule(host, options);
          }};
}

}  // namespace byoshin::local::lambda
