// A cloud with the API of tests/bench/appsync.template.json, in a process of
// its own: mutations `report` (without a data source) and `store` (to a table),
// and a subscription to both.
//
//   absl::StatusOr<AppsyncCloud> cloud = StartAppsyncCloud();
//   if (!cloud.ok()) return cloud.status();
//   Subscribers::Open(cloud->api, {.count = 40, .group = "g"});
#ifndef BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_
#define BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/server.h"

namespace byoshin::bench {

inline constexpr char kAppsyncTemplate[] = "tests/bench/appsync.template.json";

struct AppsyncCloud {
  std::unique_ptr<Server> server{};
  GraphqlTarget api{};
  std::string table{};  // its name
};

absl::StatusOr<AppsyncCloud> StartAppsyncCloud();

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_APPSYNC_CLOUD_H_
