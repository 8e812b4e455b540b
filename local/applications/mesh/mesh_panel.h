// Mesh v2's part of the dashboard: groups, their nodes and events, and the
// files in page/. See local/dashboard/api.md.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PANEL_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PANEL_H_

#include <json/json.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/applications/mesh/mesh_source.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"

namespace byoshin::local::applications {

// In addresses, in the status and for --stack.
inline constexpr char kMeshName[] = "mesh";

class MeshPanel final : public dashboard::Panel {
 public:
  // `source` outlives it.
  explicit MeshPanel(MeshSource& source) : source_(source) {}

  absl::string_view name() const override { return kMeshName; }
  bool IsShown() override { return source_.parts().has_value(); }
  void WriteStatus(json::Writer& json) override;
  std::vector<dashboard::PanelEndpoint> endpoints() override;
  const std::vector<dashboard::Asset>& assets() const override;
  absl::StatusOr<std::int64_t> Reset() override { return source_.DeleteAll(); }

 private:
  MeshSource& source_;
};

// What `byoshin status` says of it.
std::string FormatMeshStatus(const Json::Value& status);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_PANEL_H_
