// The port to what is stored, implemented by TableStore (table_store.h) on
// DynamoDB, and by a map in tests.
#ifndef BYOSHIN_CORE_MESH_STORE_H_
#define BYOSHIN_CORE_MESH_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/group.h"

namespace byoshin::mesh {

// Reads see every write before them. What is over may be there still. Not
// thread-safe.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual absl::StatusOr<std::optional<Group>> FindGroup(
      const GroupKey& key, absl::Time deadline) = 0;

  // A host has at most one claim in a domain: the id of its latest group.
  virtual absl::StatusOr<std::optional<std::string>> FindClaim(
      absl::string_view host_id, absl::string_view domain,
      absl::Time deadline) = 0;

  // Adds a group together with its host's claim. Aborted, and nothing is
  // changed, unless the host's claim is `claimed`, as FindClaim() returned it.
  virtual absl::Status AddGroup(const Group& group,
                                const std::optional<std::string>& claimed,
                                absl::Time deadline) = 0;

  // The deadline of a member that has joined.
  virtual absl::StatusOr<std::optional<int64_t>> FindNode(
      const GroupKey& key, absl::string_view node_id, absl::Time deadline) = 0;

  // Removes a member, if it is one, and then its status in this group: a report
  // that still finds the member was stored before that.
  virtual absl::Status RemoveNode(const GroupKey& key,
                                  absl::string_view node_id,
                                  absl::Time deadline) = 0;

  // Makes a group that is there be over, so that nothing is added to it any
  // more. No error if it is gone.
  virtual absl::Status CloseGroup(const Group& group, int64_t ttl,
                                  absl::Time deadline) = 0;

  // Removes everything of a group, the group itself last, so that a removal
  // that has failed can be repeated. Returns the number of items.
  virtual absl::StatusOr<int64_t> RemoveGroup(const Group& group,
                                              absl::Time deadline) = 0;

  // Adds events; they are removed with the group.
  virtual absl::Status AddEvents(const Group& group, const EventBatch& batch,
                                 absl::Time deadline) = 0;
  virtual absl::Status RemoveEvents(const EventBatch& batch,
                                    absl::Time deadline) = 0;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_STORE_H_
