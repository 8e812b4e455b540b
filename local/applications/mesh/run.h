// Mesh v2 in one run of the cloud: what `up` and `simulate` say about it.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_RUN_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_RUN_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/applications/application.h"
#include "local/applications/mesh/mesh_parts.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {

std::unique_ptr<ApplicationRun> NewMeshRun(RunWorld world);

// Unless the user has set when the key of a mesh expires, it does as late as it
// may: every `up` renews it, and a cloud that is used every now and then keeps
// its key.
void SetKeyExpiry(const stack::TemplateInputs& inputs, absl::Time now,
                  stack::StackDeployment& deployment);

// Returns the report of a simulation; `stack` is empty if no mesh is deployed.
SimulationReport MeshReport(absl::string_view stack);

// What `up` prints; `endpoint` is the cloud's address.
std::string MeshGreeting(const MeshParts& parts, absl::string_view endpoint);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_RUN_H_
