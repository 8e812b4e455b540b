// A group of Mesh v2 at work.
//
//   absl::StatusOr<AppsyncCloud> cloud = StartMeshCloud();
//   absl::StatusOr<GroupOperations> group =
//       OpenMeshGroup(cloud->api, "host-1", /*nodes=*/40);
#ifndef BYOSHIN_TESTS_BENCH_MESH_GROUP_H_
#define BYOSHIN_TESTS_BENCH_MESH_GROUP_H_

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"

namespace byoshin::bench {

// Creates the group of a host that has none, and lets nodes join it.
absl::StatusOr<GroupOperations> OpenMeshGroup(const GraphqlTarget& target,
                                              const std::string& host,
                                              int nodes);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_MESH_GROUP_H_
