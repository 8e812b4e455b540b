#include "local/applications/generation/module.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/process_panel.h"
#include "local/applications/generation/process_source.h"
#include "local/applications/generation/site.h"
#include "local/applications/generation/write_observer.h"
#include "local/bedrock/call_ledger.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"

namespace byoshin::local::applications {
namespace {

constexpr char kPasswordFile[] = "demo-password";

class MandalaModule final : public cloud::Module, public GenerationModulePart {
 public:
  MandalaModule(cloud::Host& host, std::string folder)
      : host_(host),
        folder_(std::move(folder)),
        deployer_(host.Get<cloudformation::Deployer>()),
        source_({.data = host.Get<rdsdata::DataApi>(),
                 .calls = host.Get<bedrock::CallLedger>(),
                 .on_change =
                     [&panels = host.Get<dashboard::Panels>()] {
                       panels.changes().Note();
                     }}),
        panel_(source_, [&host] { return host.endpoint(); }),
        subscription_(deployer_.Subscribe(
            [this](const cloudformation::Stack& stack) { Load(stack); })) {
    host.Offer<GenerationModulePart>(*this);
    host.Get<dashboard::Panels>().Add(panel_);
  }
  ~MandalaModule() override { deployer_.Unsubscribe(subscription_); }

  std::unique_ptr<Service> Guard(Service& service) override {
    if (service.name() != "rds-data") return nullptr;
    return std::make_unique<WriteObserver>(
        service, [this](const std::string& cluster_arn) {
          source_.NoteWrite(cluster_arn);
        });
  }

  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!WantsGenerationSite(request)) return false;
    respond(AnswerGenerationSite(request, source_.parts()));
    return true;
  }

  std::optional<GenerationParts> parts() const override {
    return source_.parts();
  }

  absl::StatusOr<DemoUser> EnsureUser() override {
    const absl::StatusOr<GenerationParts> parts = DeployedParts();
    if (!parts.ok()) return parts.status();
    const absl::StatusOr<UserWorld> world = Users();
    if (!world.ok()) return world.status();
    return EnsureDemoUser(*world, *parts);
  }

  absl::StatusOr<std::string> TokenOf(const std::string& user) override {
    const absl::StatusOr<GenerationParts> parts = DeployedParts();
    if (!parts.ok()) return parts.status();
    const absl::StatusOr<UserWorld> world = Users();
    if (!world.ok()) return world.status();
    return IdTokenOf(*world, *parts, user);
  }

  absl::StatusOr<Json::Value> Counts() override {
    absl::StatusOr<Json::Value> summary = source_.Summary();
    if (!summary.ok()) return summary.status();
    return (*summary)["counts"];
  }

 private:
  static absl::Status NotDeployed() {
    return absl::FailedPreconditionError(
        "asynchronous generation is not deployed");
  }
  absl::StatusOr<GenerationParts> DeployedParts() const {
    const std::optional<GenerationParts> shown = source_.parts();
    if (!shown.has_value()) return NotDeployed();
    return *shown;
  }
  absl::StatusOr<UserWorld> Users() const {
    Service* cognito = host_.FindService("cognito-idp");
    if (cognito == nullptr) return NotDeployed();
    return UserWorld{.cognito = *cognito,
                     .region = host_.region(),
                     .file = absl::StrCat(folder_, "/", kPasswordFile)};
  }

  void Load(const cloudformation::Stack& stack) {
    if (source_.Load(stack)) return;
    host_.Note(absl::StrCat("the stack ", stack.name,
                            " has asynchronous generation, too: it runs, but "
                            "its processes are not shown"));
  }

  cloud::Host& host_;
  const std::string folder_;
  cloudformation::Deployer& deployer_;
  ProcessSource source_;
  ProcessPanel panel_;
  const int subscription_;
};

}  // namespace

cloud::ModuleSpec GenerationModule() {
  return {.name = kGenerationName,
          .open = [](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            absl::StatusOr<std::string> folder = host.Folder(kGenerationName);
            if (!folder.ok()) return folder.status();
            return std::make_unique<MandalaModule>(host, *std::move(folder));
          }};
}

}  // namespace byoshin::local::applications
