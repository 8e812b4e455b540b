// What the nodes of a group do, in the terms of an API: loads and soaks run on
// any API that has groups.
//
//   const GroupOperations group = PlainGroup("g", {"report"});
//   connection.Send(PostRequest(target, group.report(7, 1, "25.5")));
#ifndef BYOSHIN_TESTS_BENCH_GROUP_OPERATIONS_H_
#define BYOSHIN_TESTS_BENCH_GROUP_OPERATIONS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "tests/bench/graphql_wire.h"

namespace byoshin::bench {

// What APIs call the node with this number, counted from 0.
inline std::string NodeId(int node) { return absl::StrCat("node-", node); }

struct GroupOperations {
  // As the API knows it.
  std::string id{};
  // A report of a node; `number` counts the node's reports. Subscribers get
  // nodeId, groupId, timestamp and data, with `value` as the value of its only
  // element.
  std::function<GraphqlOperation(int node, int number,
                                 const std::string& value)>
      report{};
  // To all reports of the group.
  GraphqlOperation subscribe{};
  // What keeps the group and its nodes alive, if each is sent once in an
  // interval.
  std::vector<GraphqlOperation> heartbeats{};
  absl::Duration heartbeat_interval = absl::InfiniteDuration();
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_GROUP_OPERATIONS_H_
