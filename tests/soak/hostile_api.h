// A cloud with the API of hostile.template.json, in a process of its own, whose
// memory and open files can be counted while hostile clients try it.
//
//   absl::StatusOr<std::unique_ptr<HostileApi>> api = HostileApi::Start();
//   absl::StatusOr<bench::Reply> reply = (*api)->Ask("{ echo(text: \"a\") }");
//   absl::Status served = (*api)->ServeGoodClient();
#ifndef BYOSHIN_TESTS_SOAK_HOSTILE_API_H_
#define BYOSHIN_TESTS_SOAK_HOSTILE_API_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"

namespace byoshin::tests {

// Far more than anything takes: it turns a hang into a failure.
inline constexpr absl::Duration kGuard = absl::Seconds(60);

// Not thread-safe.
class HostileApi {
 public:
  static absl::StatusOr<std::unique_ptr<HostileApi>> Start();

  const bench::GraphqlTarget& target() const { return cloud_.api; }

  // The answer to a POST, on a connection of its own.
  absl::StatusOr<bench::Reply> Post(absl::string_view body) const;
  absl::StatusOr<bench::Reply> Ask(std::string query,
                                   std::string variables = "{}") const {
    return Post(bench::OperationBody(
        {.query = std::move(query), .variables = std::move(variables)}));
  }

  // A client that subscribes, reports, and is sent its report.
  absl::Status ServeGoodClient();

  // What the cloud takes now, and has taken at most.
  double ResidentMib() const { return cloud_.server->ResidentKib() / 1024; }
  double PeakMib() const { return cloud_.server->PeakKib() / 1024; }

  // Waits until the cloud has no more files and sockets open than when it was
  // started.
  absl::Status AwaitClosedSockets() const;

 private:
  explicit HostileApi(bench::AppsyncCloud cloud) : cloud_(std::move(cloud)) {}

  bench::AppsyncCloud cloud_;
  int files_at_first_ = 0;
  int good_clients_ = 0;
};

}  // namespace byoshin::tests

#endif  // BYOSHIN_TESTS_SOAK_HOSTILE_API_H_
