#include "local/applications/mesh/mesh_panel.h"

#include <json/json.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "local/applications/mesh/mesh_source.h"
#include "local/applications/mesh/mesh_state.h"
#include "local/applications/mesh/site.h"
#include "local/cli/format.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"

namespace byoshin::local::applications {

// Defined by :embedded_page.
const std::vector<dashboard::Asset>& MeshAssets();

void MeshPanel::WriteStatus(json::Writer& json) {
  const absl::StatusOr<MeshState> state = source_.Read();
  std::set<std::string> domains;
  std::int64_t nodes = 0;
  if (state.ok()) {
    for (const MeshGroup& group : state->groups) {
      domains.insert(group.domain);
      nodes += static_cast<std::int64_t>(group.nodes.size());
    }
  }
  json.Open('{').Key("page").String(kMeshSitePath);
  json.Key("domains").Int(static_cast<std::int64_t>(domains.size()));
  json.Key("groups").Int(
      state.ok() ? static_cast<std::int64_t>(state->groups.size()) : 0);
  json.Key("nodes").Int(nodes);
  json.Key("sockets")
      .Int(static_cast<std::int64_t>(source_.CountSockets()))
      .Close('}');
}

std::vector<dashboard::PanelEndpoint> MeshPanel::endpoints() {
  return {{.method = "GET",
           .name = "groups",
           .answer = [this](const http::ServerRequest&)
               -> absl::StatusOr<std::string> {
             const absl::StatusOr<MeshState> state = source_.Read();
             if (!state.ok()) return state.status();
             json::Writer json;
             WriteMeshState(*state, json);
             return json.Take();
           }}};
}

const std::vector<dashboard::Asset>& MeshPanel::assets() const {
  return MeshAssets();
}

std::string FormatMeshStatus(const Json::Value& status) {
  return absl::StrCat("mesh          ", cli::FormatCount(status["groups"]),
                      " groups in ", cli::FormatCount(status["domains"]),
                      " domains, ", cli::FormatCount(status["nodes"]),
                      " nodes, ", cli::FormatCount(status["sockets"]),
                      " sockets\n");
}

}  // namespace byoshin::local::applications
