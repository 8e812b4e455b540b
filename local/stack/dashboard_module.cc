#include "local/stack/dashboard_module.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/random/random.h"
#include "local/apigateway/registry.h"
#include "local/cloud/host.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/dashboard.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/source.h"
#include "local/events/events.h"
#include "local/lambda/counting_queues.h"
#include "local/lambda/lambda.h"
#include "local/lambda/zip_folder.h"
#include "local/sqs/sqs.h"
#include "local/stack/cloud_source.h"
#include "local/stack/deployments.h"

namespace byoshin::local::stack {
namespace {

class PanelList final : public cloud::Module {
 public:
  explicit PanelList(cloud::Host& host) { host.Offer(panels_); }

 private:
  dashboard::Panels panels_;
};

CloudSource::World WorldOf(cloud::Host& host, Deployments& deployments,
                           const DashboardModuleOptions& options) {
  return {
      .clock = host.clock(),
      .sqs = host.Get<sqs::Sqs>(),
      .lambda = host.Get<lambda::Lambda>(),
      .events = host.Get<events::Events>(),
      .queues = host.Get<lambda::CountingQueues>(),
      .changes = host.Get<dashboard::Panels>().changes(),
      .region = host.region(),
      .endpoint = [&host] { return host.endpoint(); },
      .key_value = [&registry = host.Get<apigateway::Registry>()](
                       absl::string_view id) { return registry.KeyValue(id); },
      .remove_stack =
          [&host, &deployments](const std::string& stack) {
            absl::StatusOr<dashboard::RemovedStack> removed =
                deployments.Remove(stack);
            if (removed.ok()) {
              host.Note(absl::StrCat("the stack ", stack, " was removed"));
            }
            return removed;
          },
      .on_outcome = options.on_outcome};
}

class PageModule final : public cloud::Module {
 public:
  PageModule(cloud::Host& host, const DashboardModuleOptions& options)
      : changes_(host.Get<dashboard::Panels>().changes()),
        deployer_(host.Get<cloudformation::Deployer>()),
        deployments_(
            {.deployer = deployer_,
             .zips = host.Get<lambda::ZipFolder>(),
             .lambda = host.Get<lambda::Lambda>(),
             .note = [&host](const std::string& text) { host.Note(text); }}),
        source_(WorldOf(host, deployments_, options)),
        dashboard_(source_, host.Get<dashboard::Panels>(),
                   {.instance = random::NewHex()}),
        subscription_(
            deployer_.Subscribe([this](const cloudformation::Stack& stack) {
              source_.Load(stack);
            })) {
    changes_.set_listener([this] { dashboard_.Changed(); });
    host.Offer(deployments_);
    host.Offer(source_);
  }
  // The dashboard's thread asks the services through the source, which is cut
  // off from them first.
  ~PageModule() override {
    deployer_.Unsubscribe(subscription_);
    source_.Stop();
    changes_.set_listener(nullptr);
  }

  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!dashboard::Dashboard::Wants(request)) return false;
    dashboard_.Handle(request, respond);
    return true;
  }
  bool TakesEarly(const http::ServerRequest& request) override {
    return request.method == "GET" && dashboard::Dashboard::Wants(request);
  }
  void Drain(absl::Duration) override { dashboard_.EndLongPolls(); }

 private:
  dashboard::Changes& changes_;
  cloudformation::Deployer& deployer_;
  Deployments deployments_;
  CloudSource source_;
  dashboard::Dashboard dashboard_;
  const int subscription_;
};

}  // namespace

cloud::ModuleSpec PanelsModule() {
  return {.name = "panels",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<PanelList>(host);
          }};
}

cloud::ModuleSpec DashboardModule(DashboardModuleOptions options) {
  return {.name = "dashboard",
          .open = [options = std::move(options)](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<PageModule>(host, options);
          }};
}

}  // namespace byoshin::local::stack
