#include "local/applications/mesh/application.h"

#include "local/applications/application.h"
#include "local/applications/mesh/artifact_paths.h"
#include "local/applications/mesh/mesh_panel.h"
#include "local/applications/mesh/run.h"

namespace byoshin::local::applications {

Application MeshApplication() {
  return {.name = kMeshName,
          .stack_name = "byoshin-mesh",
          .template_path = kMeshTemplate,
          .format_status = FormatMeshStatus,
          .run = NewMeshRun};
}

}  // namespace byoshin::local::applications
