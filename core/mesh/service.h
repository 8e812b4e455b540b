// What the functions do, by the rules of docs/mesh.md.
//
//   Service service({.store = store, .clock = clock, .config = config});
//   absl::StatusOr<CreatedGroup> created =
//       service.CreateGroup({.name = "class 3b", .host_id = "node-1",
//                            .domain = "203.0.113.7"},
//                           {.now = now, .deadline = deadline});
//
// The other operations are resolvers in infra/gen/mesh/resolvers.
#ifndef BYOSHIN_CORE_MESH_SERVICE_H_
#define BYOSHIN_CORE_MESH_SERVICE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/retry.h"
#include "core/mesh/config.h"
#include "core/mesh/group.h"
#include "core/mesh/store.h"
#include "core/random/random.h"
#include "core/time/clock.h"

namespace byoshin::mesh {

struct CreateGroupRequest {
  std::string name{};
  std::string host_id{};
  std::string domain{};
  // The maximum of the deployment, if there is none.
  std::optional<int64_t> max_connection_seconds{};
};

struct CreatedGroup {
  enum class Origin { kNew, kFound };

  Group group{};
  Origin origin = Origin::kNew;
};

struct FiredEvent {
  std::string name{};
  std::optional<std::string> payload{};
  std::string fired_at{};
};

struct FireEventsRequest {
  GroupKey group{};
  std::string node_id{};
  std::vector<FiredEvent> events{};
};

// When a call was made, by the clock that resolvers have, too, and when its
// function must have ended.
struct CallTimes {
  absl::Time now{};
  absl::Time deadline = absl::InfiniteFuture();
};

// Errors that a client has caused have a type (error.h); others are those of
// the store. Not thread-safe. Its dependencies must outlive it.
class Service {
 public:
  struct Dependencies {
    Store& store;
    // For pauses alone.
    time::Clock& clock;
    Config config{};
    std::function<std::string()> new_id = random::NewUuid;
    aws::Random random = aws::SystemRandom();
  };

  explicit Service(Dependencies dependencies);

  // The host's group in the domain, if it is alive, as it is; otherwise a new
  // one. However many calls there are at once, there is one group.
  absl::StatusOr<CreatedGroup> CreateGroup(const CreateGroupRequest& request,
                                           const CallTimes& times);

  // Also succeeds if the node is not a member.
  absl::Status LeaveGroup(const GroupKey& key, absl::string_view node_id,
                          const CallTimes& times);

  // By the host alone, and also if the group is over but still there. Returns
  // the number of items that were removed.
  absl::StatusOr<int64_t> DissolveGroup(const GroupKey& key,
                                        absl::string_view host_id,
                                        const CallTimes& times);

  // By members and the host.
  absl::StatusOr<EventBatch> FireEvents(const FireEventsRequest& request,
                                        const CallTimes& times);

 private:
  absl::StatusOr<std::optional<Group>> Find(const GroupKey& key,
                                            const CallTimes& times);
  // A group that is alive.
  absl::StatusOr<Group> FindAlive(const GroupKey& key, const CallTimes& times);
  absl::Status Validate(const CreateGroupRequest& request) const;
  absl::StatusOr<std::optional<Group>> FindClaimed(const GroupKey& claimed,
                                                   absl::string_view host_id,
                                                   const CallTimes& times);
  Group NewGroup(const CreateGroupRequest& request, absl::Time now);
  // NodeNotFound, unless the node is one or the host.
  absl::Status CheckMember(const Group& group, absl::string_view node_id,
                           const CallTimes& times);
  // Removes what was just stored if the group is being dissolved: whoever
  // dissolves it may have looked before.
  absl::Status KeepEvents(const EventBatch& batch, const CallTimes& times);

  const Dependencies dependencies_;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_SERVICE_H_
