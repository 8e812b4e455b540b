// Describes what could not be rolled back in one sentence. A common reason,
// such as a full disk, is stated once.
//
//   UndoFailures failures;
//   failures.Add("Queue", "the disk is full");
//   failures.ToString("told to fail");  // "Queue: the disk is full"
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_UNDO_FAILURES_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_UNDO_FAILURES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local::cloudformation {

// Not thread-safe.
class UndoFailures {
 public:
  // `logical_id` is empty if it concerns no resource.
  void Add(absl::string_view logical_id, absl::string_view reason);

  bool empty() const { return reasons_.empty(); }

  // `known` is the reason of the rollback, which is not repeated.
  std::string ToString(absl::string_view known) const;

 private:
  // Resources by reason, in the order of the reasons.
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_UNDO_FAILURES_H_
