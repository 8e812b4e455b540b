// Errors that clients know by their type, carried in an absl::Status.
//
//   return NodeNotFoundError();
//   ...
//   std::optional<std::string> type = lambda::ErrorTypeOf(status);
#ifndef BYOSHIN_CORE_MESH_ERROR_H_
#define BYOSHIN_CORE_MESH_ERROR_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::mesh {

struct GroupKey;

// GroupNotFound: there is none, it has reached its end, or its host is silent.
absl::Status GroupNotFoundError(const GroupKey& key);
absl::Status GroupExpiredError(const GroupKey& key, int64_t expires_at);
absl::Status HeartbeatExpiredError(const GroupKey& key);

absl::Status OnlyHostDissolvesError();
absl::Status NodeNotFoundError();

// `message` must not have the words "not found", "expired" and "unauthorized",
// by which clients decide to leave the group.
absl::Status ValidationError(absl::string_view message);

// Whether a client has caused the error, and gets to know it. Anything else is
// a failure of the service.
bool IsClientError(const absl::Status& status);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_ERROR_H_
