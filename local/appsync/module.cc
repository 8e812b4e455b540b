#include "local/appsync/module.h"

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
#include "core/async/gate.h"
#include "core/async/workers.h"
#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/random/random.h"
#include "core/turn/turn.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/cloudformation/providers.h"
#include "local/appsync/compilers.h"
#include "local/appsync/control/control_plane.h"
#include "local/appsync/front.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/catalog.h"
#include "local/appsync/model/names.h"
#include "local/appsync/panel.h"
#include "local/appsync/realtime/realtime.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/trace.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/sources/data_sources.h"
#include "local/cloud/host.h"
#include "local/cloudformation/registry.h"
#include "local/cognito/token_verifier.h"
#include "local/dashboard/panel.h"
#include "local/gateway/credential_set.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"
#include "local/lambda/lambda.h"
#include "local/logs/logs.h"

namespace byoshin::local::appsync {
namespace {

constexpr char kPrincipal[] = "appsync.amazonaws.com";
// Threads for resolvers whose data sources answer on threads of other services.
constexpr int kResolverThreads = 2;
// Threads for code that takes long, of resolvers and of EvaluateCode each.
constexpr int kLongCodeThreads = 2;

script::RuntimeOptions RuntimeOptionsFor(cloud::Host& host) {
  script::RuntimeOptions options;
  options.now = [&host] { return host.clock().Now(); };
  return options;
}

class ApisModule final : public cloud::Module {
 public:
  explicit ApisModule(cloud::Host& host)
      : host_(host),
        lambda_(host.Get<lambda::Lambda>()),
        runtime_(RuntimeOptionsFor(host)),
        roles_({.iam = host.Get<iam::Iam>(),
                .authority = host.Get<iam::Authority>(),
                .clock = host.clock(),
                .account_id = kLocalAccountId,
                .actor = "AppSync",
                .principal = kPrincipal,
                .find_service =
                    [&host](absl::string_view name) {
                      return host.FindService(name);
                    },
                .endpoint = [&host] { return host.endpoint(); }}),
        functions_(lambda_, roles_, kPrincipal),
        sources_({.roles = roles_,
                  .functions = functions_,
                  .signing_clock = host.wall_clock(),
                  .new_client =
                      [ca_file = http::FindCaFile(env::OfProcess())] {
                        return std::make_unique<http::CurlClient>(ca_file);
                      }}),
        resolve_world_(
            {.runtime = runtime_,
             .sources = sources_,
             .clock = host.clock(),
             .traces = traces_,
             .is_allowed =
                 [&authority = host.Get<iam::Authority>()](
                     const iam::AccessRequest& request) {
                   return authority.Authorize(request).ok();
                 },
             .post =
                 [this](std::function<void()> work) { Post(std::move(work)); },
             .post_long =
                 [this](std::function<void()> work) {
                   long_workers_.Do(std::move(work));
                 },
             .gate = gate_}),
        authentication_({.credentials = host.credentials(),
                         .signing_clock = host.wall_clock(),
                         .clock = host.clock(),
                         .iam = host.Get<iam::Iam>(),
                         .tokens = host.Find<cognito::TokenVerifier>(),
                         .functions = functions_,
                         .account_id = kLocalAccountId,
                         .gate = gate_}),
        operations_(resolve_world_,
                    {.account_id = kLocalAccountId,
                     .log_writer =
                         [this](const CompiledApi& api) { return LogOf(api); },
                     .is_current =
                         [this](const ApiState& state) {
                           return plane_->catalog().Find(state.api->id).get() ==
                                  &state;
                         }}),
        realtime_({.find_api = FindApi(),
                   .authentication = authentication_,
                   .operations = operations_,
                   .traces = traces_,
                   .clock = host.clock(),
                   .new_request_id = [] { return random::NewUuid(); },
                   .gate = gate_}),
        front_({.find_api = FindApi(),
                .authentication = authentication_,
                .operations = operations_,
                .realtime = realtime_,
                .traces = traces_,
                .clock = host.clock(),
                .new_request_id = [] { return random::NewUuid(); },
                .gate = gate_}) {
    host.Offer(traces_);
    host.Offer(realtime_);
  }

  ~ApisModule() override {
    runtime_.Interrupt();
    // No answer of a data source is let in from here on.
    gate_->Close();
    workers_.Drop();
    long_workers_.Drop();
    evaluation_workers_.Drop();
  }

  absl::Status Open() {
    absl::StatusOr<std::unique_ptr<ControlPlane>> plane =
        ControlPlane::Open({.store = host_.store(kAppSync),
                            .clock = host_.clock(),
                            .compilers = NewCompilers(runtime_),
                            .listener = Forgetter(),
                            .post_long = [this](std::function<void()> work) {
                              evaluation_workers_.Do(std::move(work));
                            }});
    if (!plane.ok()) return plane.status();
    plane_ = *std::move(plane);
    host_.Offer(*plane_);
    return absl::OkStatus();
  }

  std::vector<Service*> services() override { return {plane_.get()}; }
  void AddProviders(cloudformation::ProviderRegistry& registry) override {
    AddAppSyncProviders(
        *plane_, [this] { return host_.endpoint(); }, registry);
  }
  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!Front::Wants(request)) return false;
    front_.Handle(request, respond);
    return true;
  }
  bool IsOpenToPages(const http::ServerRequest& request) override {
    return Front::IsOpenToPages(request);
  }
  // The stop does not wait for code that takes long.
  void Drain(absl::Duration) override { runtime_.Interrupt(); }

 private:
  std::function<std::shared_ptr<const ApiState>(absl::string_view)> FindApi() {
    return [this](absl::string_view id) { return plane_->catalog().Find(id); };
  }

  Catalog::Listener Forgetter() {
    return [this, gate = gate_](const Catalog::StatePointer& before,
                                const Catalog::StatePointer& after) {
      const async::Gate::Pass pass(*gate);
      if (pass.granted() && before != nullptr) {
        operations_.Forget(*before, after.get());
      }
    };
  }

  // On the gateway's thread if this is one, after what it is doing; otherwise
  // on a thread of ours.
  void Post(std::function<void()> work) {
    const auto shared =
        std::make_shared<std::function<void()>>(std::move(work));
    if (turn::AtEnd(shared.get(), [shared] { (*shared)(); }) ==
        turn::Put::kNowhere) {
      workers_.Do([shared] { (*shared)(); });
    }
  }

  // The API's log group, if its role may write to it.
  std::function<void(std::string)> LogOf(const CompiledApi& api) {
    const GraphqlApi& settings = *api.state->api;
    if (settings.log.role_arn.empty()) return nullptr;
    std::string group = absl::StrCat("/aws/appsync/apis/", settings.id);
    const absl::Status allowed = roles_.May(
        settings.log.role_arn, "logs:PutLogEvents",
        absl::StrCat("arn:aws:logs:", settings.region, ":", kLocalAccountId,
                     ":log-group:", group, ":log-stream:", settings.id));
    if (!allowed.ok()) return nullptr;
    return [this, group = std::move(group),
            stream = settings.id](std::string line) {
      lambda_.logs().Write({.time = host_.clock().Now(),
                            .group = group,
                            .stream = stream,
                            .text = std::move(line)});
    };
  }

  cloud::Host& host_;
  lambda::Lambda& lambda_;
  const std::shared_ptr<async::Gate> gate_ = std::make_shared<async::Gate>();
  Traces traces_;
  script::Runtime runtime_;
  // Set by Open().
  std::unique_ptr<ControlPlane> plane_;
  iam::RoleCaller roles_;
  lambda::LambdaInvoker functions_;
  DataSources sources_;
  const ResolveWorld resolve_world_;
  Authentication authentication_;
  Operations operations_;
  Realtime realtime_;
  Front front_;
  async::Workers workers_{kResolverThreads};
  async::Workers long_workers_{kLongCodeThreads};
  // For EvaluateCode.
  async::Workers evaluation_workers_{kLongCodeThreads};
};

class ApisPanelModule final : public cloud::Module {
 public:
  explicit ApisPanelModule(cloud::Host& host)
      : traces_(host.Get<Traces>()),
        panel_({.catalog = host.Get<ControlPlane>().catalog(),
                .traces = traces_,
                .clock = host.clock(),
                .count_sockets = [&realtime = host.Get<Realtime>()](
                                     absl::string_view api_id) {
                  return realtime.connections(api_id);
                }}) {
    dashboard::Panels& panels = host.Get<dashboard::Panels>();
    panels.Add(panel_);
    traces_.set_listener([&panels] { panels.changes().Note(); });
  }
  ~ApisPanelModule() override { traces_.set_listener(nullptr); }

 private:
  Traces& traces_;
  ApisPanel panel_;
};

absl::StatusOr<std::unique_ptr<cloud::Module>> OpenApis(cloud::Host& host) {
  auto module = std::make_unique<ApisModule>(host);
  if (absl::Status opened = module->Open(); !opened.ok()) return opened;
  return module;
}

}  // namespace

cloud::ModuleSpec AppSyncModule() {
  return {.name = kAppSync, .stores = {{.name = kAppSync}}, .open = OpenApis};
}

cloud::ModuleSpec AppSyncPanelModule() {
  return {.name = "appsync-panel",
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<ApisPanelModule>(host);
          }};
}

}  // namespace byoshin::local::appsync
