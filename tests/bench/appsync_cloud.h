// Clouds with a GraphQL API, in a process of their own.
//
//   absl::StatusOr<AppsyncCloud> cloud = StartAppsyncCloud();
//   if (!cloud.ok()) return cloud.status();
//   const GroupOperations group = PlainGroup("g", {"report"});
//   Subscribers::Open(cloud->api,
//                     {.count = 40, .subscription = group.subscribe});
#ifndef BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_
#define BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/server.h"

namespace byoshin::bench {

inline constexpr char kAppsyncTemplate[] = "tests/bench/appsync.template.json";

struct AppsyncCloud {
  std::unique_ptr<Server> server{};
  GraphqlTarget api{};
  std::string table{};  // its name; empty if there is none
};

// The API of kAppsyncTemplate: mutations `report` (without a data source) and
// `store` (to a table), and a subscription to both. Another template has the
// outputs Url and Key.
absl::StatusOr<AppsyncCloud> StartAppsyncCloud(
    absl::string_view template_file = kAppsyncTemplate);

// A group of that API, whose nodes report with each of the mutations in turn.
GroupOperations PlainGroup(const std::string& id,
                           std::vector<std::string> mutations);

// Mesh v2, as it is deployed for production.
absl::StatusOr<AppsyncCloud> StartMeshCloud();

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_
