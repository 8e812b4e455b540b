// A group of nodes that report while they and a visitor listen: finds what is
// lost, doubled, out of order, damaged or of another group.
//
//   absl::StatusOr<std::unique_ptr<SoakGroup>> group = SoakGroup::Open(
//       target, {.number = 0, .nodes = 40, .operations = …});
//   absl::StatusOr<bool> sent = (*group)->SendReport();
//   absl::Status status = (*group)->Receive();
//
// A node reports again once its report is answered. Visitors come and go.
#ifndef BYOSHIN_TESTS_SOAK_SOAK_GROUP_H_
#define BYOSHIN_TESTS_SOAK_SOAK_GROUP_H_

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/soak/group_record.h"

namespace byoshin::tests {

// Not thread-safe.
class SoakGroup {
 public:
  struct Options {
    int number = 0;  // of the group
    int nodes = 1;
    bench::GroupOperations operations{};
  };

  // `target` must outlive the group.
  static absl::StatusOr<std::unique_ptr<SoakGroup>> Open(
      const bench::GraphqlTarget& target, Options options);

  // The next report of a node whose last one is answered; false if there is no
  // such node.
  absl::StatusOr<bool> SendReport();
  // Takes what has arrived, without waiting. Then a visitor may come or go, and
  // a heartbeat is sent if one is due.
  absl::Status Receive();

  // What Receive() reads from.
  void AddDescriptors(std::vector<pollfd>& descriptors) const;

  // Whether everything that was sent has arrived everywhere.
  bool complete() const { return record_.complete(); }
  std::int64_t deliveries() const { return deliveries_; }
  int visits() const { return visits_; }

 private:
  // A visitor comes after so many reports.
  static constexpr std::int64_t kReportsBetweenVisits = 100;

  // Subscribers, with the numbers from `first` on in the record.
  struct Listeners {
    int first = 0;
    std::unique_ptr<bench::Subscribers> sockets{};
    int heard = 0;
  };

  SoakGroup(const bench::GraphqlTarget& target, Options options)
      : target_(target),
        options_(std::move(options)),
        record_(options_.nodes),
        busy_(options_.nodes, false) {}

  absl::StatusOr<Listeners> Subscribe(int count);
  absl::Status Listen(Listeners& listeners);
  absl::Status ReceiveVisitor();
  absl::Status TakeAnswer(int node);
  absl::Status KeepAlive();

  std::string ReportValue(const NodeReport& report) const;
  // A message to a subscriber. An error if it is damaged or another group's.
  absl::StatusOr<NodeReport> ReadReport(absl::string_view message) const;

  const bench::GraphqlTarget& target_;
  const Options options_;
  GroupRecord record_;
  std::vector<bench::Connection> publishers_;  // by node
  std::vector<bool> busy_;  // by node: its report is not answered
  Listeners members_;
  std::optional<Listeners> visitor_;
  // Who sends the next report.
  int next_node_ = 0;
  std::int64_t next_visit_ = kReportsBetweenVisits;
  std::int64_t deliveries_ = 0;
  int visits_ = 0;
  // Sends heartbeats, spread evenly over their interval.
  std::optional<bench::Connection> heartbeat_connection_;
  bool heartbeat_pending_ = false;
  std::size_t next_heartbeat_ = 0;
  absl::Time heartbeat_due_ = absl::InfiniteFuture();
};

}  // namespace byoshin::tests

#endif  // BYOSHIN_TESTS_SOAK_SOAK_GROUP_H_
