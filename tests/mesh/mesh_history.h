// Random histories of a mesh: whoever uses it chooses.
//
//   MeshHistory history(model, [&](int count) { return Random(count); }, "-1");
//   history.PassTime();
//   absl::Status status = history.Mutate();
#ifndef BYOSHIN_TESTS_MESH_MESH_HISTORY_H_
#define BYOSHIN_TESTS_MESH_MESH_HISTORY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tests/mesh/mesh_model.h"

namespace byoshin::mesh {

// Two domains with the same names of nodes in both. `suffix` is part of every
// name.
class MeshHistory {
 public:
  // Returns a number from 0 on below `count`.
  using Choose = std::function<int(int count)>;

  MeshHistory(MeshModel& model, Choose choose, std::string suffix)
      : model_(model), choose_(std::move(choose)), suffix_(std::move(suffix)) {}

  std::string AnyDomain();

  // Lets some time pass: seconds, or until a deadline, or one second longer.
  void PassTime();
  // One mutation, of anybody on any group.
  absl::Status Mutate();
  // A mutation that is published, mostly: of a group that is alive, if there is
  // one, by somebody who may.
  absl::Status Publish();
  // What programs do that work: heartbeats that are due, though some are
  // forgotten. `due` is the rest of a deadline at which one is sent.
  absl::Status SendHeartbeats(int64_t due);

 private:
  std::string AnyNode();
  // Mostly a recent one; null for one that never was.
  ModelGroup* AnyGroup();
  // Mostly the host.
  std::string HostOf(const ModelGroup* group);
  // The end of something that is still to come; 0 if there is none.
  int64_t AnyDeadline();

  MeshModel& model_;
  const Choose choose_;
  const std::string suffix_;
};

}  // namespace byoshin::mesh

#endif  // BYOSHIN_TESTS_MESH_MESH_HISTORY_H_
