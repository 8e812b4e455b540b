#include "local/applications/mesh/module.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/async/gate.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "local/applications/mesh/happenings.h"
#include "local/applications/mesh/mesh_panel.h"
#include "local/applications/mesh/mesh_source.h"
#include "local/applications/mesh/site.h"
#include "local/applications/mesh/table_writes.h"
#include "local/appsync/realtime/realtime.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/dynamodb/dynamodb.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

class PlaygroundModule final : public cloud::Module {
 public:
  PlaygroundModule(cloud::Host& host, MeshModuleOptions options)
      : host_(host),
        options_(std::move(options)),
        deployer_(host.Get<cloudformation::Deployer>()),
        source_({.dynamodb = host.Get<dynamodb::DynamoDb>(),
                 .clock = host.clock(),
                 .region = host.region(),
                 .on_change =
                     [&panels = host.Get<dashboard::Panels>()] {
                       panels.changes().Note();
                     },
                 .count_sockets =
                     [&realtime = host.Get<appsync::Realtime>()](
                         const std::string& api_id) {
                       return realtime.connections(api_id);
                     }}),
        panel_(source_),
        subscription_(deployer_.Subscribe(
            [this](const cloudformation::Stack& stack) { Load(stack); })) {
    host.Offer(source_);
    host.Get<dashboard::Panels>().Add(panel_);
  }
  ~PlaygroundModule() override {
    gate_->Close();
    deployer_.Unsubscribe(subscription_);
  }

  // Also what resolvers write.
  std::unique_ptr<Service> Watch(Service& service) override {
    if (service.name() != "dynamodb") return nullptr;
    return std::make_unique<TableWriteObserver>(
        service, [this, gate = gate_](const TableWrite& write) {
          const async::Gate::Pass pass(*gate);
          if (pass.granted()) Note(write);
        });
  }

  bool Take(const http::ServerRequest& request,
            const http::Responder& respond) override {
    if (!WantsMeshSite(request)) return false;
    respond(AnswerMeshSite(request, source_.parts()));
    return true;
  }

 private:
  void Load(const cloudformation::Stack& stack) {
    if (source_.Load(stack)) return;
    host_.Note(absl::StrCat("the stack ", stack.name,
                            " has a mesh, too: it runs, but its groups are "
                            "not shown"));
  }

  void Note(const TableWrite& write) {
    if (!source_.NoteWrite(write.table) || !options_.on_happening) return;
    if (const std::optional<std::string> text = Describe(write)) {
      options_.on_happening(*text);
    }
  }

  cloud::Host& host_;
  const MeshModuleOptions options_;
  cloudformation::Deployer& deployer_;
  MeshSource source_;
  MeshPanel panel_;
  const int subscription_;
  const std::shared_ptr<async::Gate> gate_ = std::make_shared<async::Gate>();
};

}  // namespace

cloud::ModuleSpec MeshModule(MeshModuleOptions options) {
  return {.name = kMeshName,
          .open = [options = std::move(options)](cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<cloud::Module>> {
            return std::make_unique<PlaygroundModule>(host, options);
          }};
}

}  // namespace byoshin::local::applications
