// The local cloud with Mesh v2's stack, from the template and the zips that AWS
// would get, in this process and on simulated time.
//
//   time::SimulatedClock clock(start);
//   absl::StatusOr<DeployedMesh> mesh = DeployMesh(
//       {.template_file = "…", .zips_folder = "…"}, clock);
//   mesh->outputs.at(mesh::kGraphQlUrlOutput);
#ifndef BYOSHIN_TESTS_MESH_DEPLOYED_MESH_H_
#define BYOSHIN_TESTS_MESH_DEPLOYED_MESH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/mesh/constants.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cloud/module.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::mesh {

struct MeshDeployment {
  std::string template_file = "infra/gen/mesh.template.json";
  std::string zips_folder = "lambdas";
  std::string stage = kProductionStage;
  // In memory if empty.
  std::string data_directory{};
  // Any that is free if 0.
  std::uint16_t port = 0;
  // What a test adds to the cloud.
  std::vector<local::cloud::ModuleSpec> modules{};
};

// What the cloud has to say to its user, such as denied permissions: nothing,
// if all is well. Thread-safe.
class CloudNotes {
 public:
  void Add(const std::string& note);
  void Clear();
  std::vector<std::string> all() const;

 private:
  mutable sync::Mutex mutex_;
  std::vector<std::string> notes_ ABSL_GUARDED_BY(mutex_);
};

struct DeployedMesh {
  std::unique_ptr<CloudNotes> notes;
  std::unique_ptr<local::stack::StackCloud> cloud;
  // Of the stack.
  std::map<std::string, std::string> outputs;
};

// `clock` must outlive the cloud.
absl::StatusOr<DeployedMesh> DeployMesh(const MeshDeployment& deployment,
                                        time::Clock& clock);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_TESTS_MESH_DEPLOYED_MESH_H_
