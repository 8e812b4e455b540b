#include "local/events/module.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/time/real_timer.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/events/cloudformation.h"
#include "local/events/events.h"
#include "local/events/service.h"
#include "local/events/service_targets.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/lambda/lambda.h"
#include "local/queues/queues.h"

namespace byoshin::local::events {
namespace {

constexpr char kName[] = "events";

// Asks a queue's policy whether a rule may send to it.
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
std::function<absl::Status(const std::string&, const std::string&)>
QueueAuthorizer(cloud::Host& host) {
  return [&authority = host.Get<iam::Authority>()](const std::string& rule,
                                                   const std::string& queue) {
    return authority.Authorize(
        {.principal = iam::ServicePrincipal("events.amazonaws.com"),
         .action = "sqs:SendMessage",
         .resource = queue,
         .context = {{"aws:SourceArn", rule}}});
  };
}

class RulesModule final : public cloud::Module {
 public:
  explicit RulesModule(cloud::Host& host)
      : targets_(host.Get<lambda::Lambda>(),
                 {.states = [&host] { return host.FindService("states"); },
                  .authorize =
                      [&authority = host.Get<iam::Authority>()](
                          const std::string& role, const std::string& machine) {
                        return authority.AuthorizeRole(
                            role, "states:StartExecution", machine);
                      },
                  .sink = host.Get<queues::QueueSink>(),
                  .authorize_queue = QueueAuthorizer(host)}) {}

  absl::Status Open(cloud::Host& host) {
    absl::StatusOr<std::unique_ptr<Events>> events =
        Events::Open({.store = host.store(kName),
                      .clock = host.clock(),
                      .targets = targets_,
                      .sink = host.Get<queues::QueueSink>(),
                      .timer = host.Get<time::RealTimer>(),
                      .authorize = QueueAuthorizer(host)});
    if (!events.ok()) return events.status();
    events_ = *std::move(events);
    service_ = std::make_unique<EventsService>(*events_);
    host.Offer(*events_);
    return absl::OkStatus();
  }

  std::vector<Service*> services() override { return {service_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    registry.Add(RuleProvider(*events_));
  }
  void Begin() override { events_->Begin(); }

 private:
  ServiceTargets targets_;
  std::unique_ptr<Events> events_;
  std::unique_ptr<EventsService> service_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenModule(cloud::Host& host) {
  auto module = std::make_unique<RulesModule>(host);
  if (absl::Status opened = module->Open(host); !opened.ok()) return opened;
  return module;
}

}  // namespace

cloud::ModuleSpec EventsModule() {
  return {.name = kName, .stores = {{.name = kName}}, .open = OpenModule};
}

}  // namespace byoshin::local::events
