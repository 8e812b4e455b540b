#include "local/stepfunctions/module.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/cloud/host.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/events/bus_event.h"
#include "local/events/events.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/lambda/lambda.h"
#include "local/logs/logs.h"
#include "local/stepfunctions/jsonata/jsonata.h"
#include "local/stepfunctions/noting_store.h"
#include "local/stepfunctions/panel.h"
#include "local/stepfunctions/providers.h"
#include "local/stepfunctions/service_tasks.h"
#include "local/stepfunctions/status_change.h"
#include "local/stepfunctions/stepfunctions.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kName[] = "stepfunctions";

// Sends status changes to EventBridge's default bus; null if the cloud has no
// EventBridge.
StatusChangeSink StatusChangesTo(events::Events* bus) {
  if (bus == nullptr) return {};
  return {
      .wanted = [bus] { return bus->MayMatch(); },
      .send =
          [bus](StatusChange change, std::function<void(absl::Status)> done) {
            events::BusEvent event{
                .id = random::NewUuid(),
                .source = "aws.states",
                .detail_type = "Step Functions Execution Status Change",
                .account_id = change.account_id,
                .region = change.region,
                .time = change.time,
                .resources = {change.execution_arn},
                .detail = std::move(change.detail)};
            bus->Publish({std::move(event)}, std::move(done));
          }};
}

class StatesModule final : public cloud::Module {
 public:
  explicit StatesModule(cloud::Host& host)
      : store_(host.store(kName), host.Find<dashboard::Panels>()),
        stream_id_(random::NewHex()),
        tasks_({.iam = host.Get<iam::Iam>(),
                .authority = host.Get<iam::Authority>(),
                .clock = host.clock(),
                .find_service =
                    [&host](absl::string_view name) {
                      return host.FindService(name);
                    },
                .endpoint = [&host] { return host.endpoint(); }}) {}

  absl::Status Open(cloud::Host& host) {
    logs::Logs& logs = host.Get<lambda::Lambda>().logs();
    absl::StatusOr<std::unique_ptr<StepFunctions>> states = StepFunctions::Open(
        {.store = store_,
         .clock = host.clock(),
         .tasks = tasks_,
         .compiler = &jsonata_,
         .log =
             [this, &logs, &clock = host.clock()](
                 const std::string& group_arn, const std::string& machine_name,
                 std::string line) {
               logs.Write({.time = clock.Now(),
                           .group = logs::GroupOfArn(group_arn),
                           .stream = absl::StrCat(
                               "states/", machine_name, "/",
                               absl::FormatTime("%Y-%m-%d-%H-%M", clock.Now(),
                                                absl::UTCTimeZone()),
                               "/", stream_id_),
                           .text = std::move(line)});
             },
         .check_role =
             [this](const std::string& role) { return tasks_.CheckRole(role); },
         .status_changes = StatusChangesTo(host.Find<events::Events>())});
    if (!states.ok()) return states.status();
    states_ = *std::move(states);
    host.Offer(*states_);
    host.Offer(store_);
    return absl::OkStatus();
  }

  ~StatesModule() override {
    if (states_ != nullptr) states_->Stop();
  }

  std::vector<Service*> services() override { return {states_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddStepFunctionsProviders(*states_, registry);
  }
  void Begin() override { states_->Begin(); }

 private:
  NotingStore store_;
  const std::string stream_id_;
  ServiceTasks tasks_;
  JsonataCompiler jsonata_;
  std::unique_ptr<StepFunctions> states_;
};

class PanelModule final : public cloud::Module {
 public:
  explicit PanelModule(cloud::Host& host)
      : deployer_(host.Get<cloudformation::Deployer>()),
        panel_({.states = host.Get<StepFunctions>(),
                .version =
                    [&store = host.Get<NotingStore>()] {
                      return store.version();
                    }}),
        subscription_(
            deployer_.Subscribe([this](const cloudformation::Stack& stack) {
              panel_.LoadStack(stack);
            })) {
    host.Get<dashboard::Panels>().Add(panel_);
  }
  ~PanelModule() override { deployer_.Unsubscribe(subscription_); }

 private:
  cloudformation::Deployer& deployer_;
  StatesPanel panel_;
  const int subscription_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  auto module = std::make_unique<StatesModule>(host);
  if (absl::Status opened = module->Open(host); !opened.ok()) return opened;
  return module;
}

}  // namespace

cloud::ModuleSpec StepFunctionsModule() {
  return {.name = kName, .stores = {{.name = kName}}, .open = OpenModule};
}

cloud::ModuleSpec StepFunctionsPanelModule() {
  return {.name = "stepfunctions-panel",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<PanelModule>(host);
          }};
}

}  // namespace byoshin::local::stepfunctions
