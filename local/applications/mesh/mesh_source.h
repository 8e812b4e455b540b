// What there is to show of a mesh: what its table has, and its sockets.
//
//   MeshSource source({.dynamodb = dynamodb, .clock = clock, ...});
//   source.Load(stack);  // for every stack
//   absl::StatusOr<MeshState> state = source.Read();
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_SOURCE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/applications/mesh/mesh_parts.h"
#include "local/applications/mesh/mesh_state.h"
#include "local/cloudformation/stack.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Thread-safe.
class MeshSource {
 public:
  // What is referred to outlives it.
  struct World {
    Service& dynamodb;
    const time::Clock& clock;
    std::string region{};
    // Called after each change. Never null.
    std::function<void()> on_change{};
    // The open WebSockets of an API. Never null.
    std::function<std::size_t(const std::string& api_id)> count_sockets{};
  };
  explicit MeshSource(World world) : world_(std::move(world)) {}

  // Shows the stack, if it is one of this kind. False if another one is shown
  // already.
  bool Load(const cloudformation::Stack& stack);
  std::optional<MeshParts> parts() const;

  // Something was written to a table, of this name or ARN. Whether it is the
  // mesh's.
  bool NoteWrite(absl::string_view table);

  // FailedPrecondition if no such stack is deployed. Blocks.
  absl::StatusOr<MeshState> Read();
  std::size_t CountSockets() const;

  // Deletes everything in the table; returns how many items there were, 0 if no
  // such stack is deployed. Blocks.
  absl::StatusOr<std::int64_t> DeleteAll();

 private:
  absl::StatusOr<std::string> Table() const;

  const World world_;
  mutable sync::Mutex mutex_;
  std::optional<MeshParts> parts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_MESH_SOURCE_H_
