// The lengths of texts from clients, in characters as JavaScript counts them.
#ifndef BYOSHIN_CORE_MESH_LIMITS_H_
#define BYOSHIN_CORE_MESH_LIMITS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::mesh {

struct GroupKey;

// Whether there can be such an id, and such a group. What is too long for a key
// is in no table.
bool IsPossibleId(absl::string_view id);
bool IsPossibleKey(const GroupKey& key);

// ValidationError, naming the argument, unless it has `min` to `max`
// characters.
struct LengthLimit {
  absl::string_view argument;
  int min;
  int max;
};
absl::Status CheckLength(absl::string_view text, const LengthLimit& limit);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_LIMITS_H_
