#include "tests/bench/appsync_runs.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/deliveries.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/load.h"
#include "tests/bench/usage.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr int kConnections = 32;

class Reports final : public Conversation {
 public:
  explicit Reports(std::string request) : request_(std::move(request)) {}

  absl::string_view Next() override { return request_; }
  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status == 200 && !absl::StrContains(answer.body, "errors")) {
      return true;
    }
    return absl::InternalError(absl::StrCat(answer.status, " ", answer.body));
  }

 private:
  const std::string request_;
};

// Waits for the answer to what was sent.
absl::Status AwaitAnswer(Connection& connection) {
  while (true) {
    const absl::StatusOr<bool> taken = TakeMutationAnswer(connection);
    if (!taken.ok()) return taken.status();
    if (*taken) return absl::OkStatus();
    if (absl::Status status = connection.Receive(); !status.ok()) {
      return status;
    }
  }
}

// One round: what is sent arrives once at each.
absl::Status RunRound(Connection& publisher, const std::string& request,
                      int number, Subscribers& subscribers,
                      std::vector<bool>& reached,
                      std::vector<absl::Duration>& latencies) {
  std::fill(reached.begin(), reached.end(), false);
  const absl::Time sent = absl::Now();
  if (absl::Status status = publisher.Send(request); !status.ok()) {
    return status;
  }
  std::size_t left = reached.size();
  absl::Status wrong;
  while (left > 0) {
    absl::Status status = subscribers.Receive(
        kDeliveryGuard, [&](int who, absl::string_view message) {
          const absl::StatusOr<Report> report = ReadReport(message);
          if (!report.ok() || report->number != number || reached[who]) {
            wrong = absl::InternalError(
                absl::StrCat("instead of report ", number, ": ", message));
            return;
          }
          latencies.push_back(absl::Now() - sent);
          reached[who] = true;
          --left;
        });
    if (!status.ok()) return status;
    if (!wrong.ok()) return wrong;
    if (absl::Now() - sent > kDeliveryGuard) {
      return absl::DeadlineExceededError(
          absl::StrCat("report ", number, " did not reach ", left));
    }
  }
  return AwaitAnswer(publisher);
}

}  // namespace

absl::StatusOr<Mutations> RunMutations(const GraphqlTarget& target,
                                       const GroupOperations& group,
                                       absl::Duration duration) {
  const absl::Duration cpu = CpuTime(target.process);
  const absl::Time begun = absl::Now();
  absl::StatusOr<LoadResult> load = RunLoad(
      {.port = target.port, .connections = kConnections, .duration = duration},
      [&](int connection) {
        return std::make_unique<Reports>(
            NumberedReport(target, group, connection, 0));
      });
  if (!load.ok()) return load.status();
  const double used = absl::ToDoubleSeconds(CpuTime(target.process) - cpu);
  const double elapsed = absl::ToDoubleSeconds(absl::Now() - begun);
  return Mutations{.load = *load,
                   .per_cpu_second = load->per_second * elapsed / used};
}

absl::StatusOr<Deliveries> RunRounds(const GraphqlTarget& target,
                                     const Audience& audience,
                                     absl::Duration duration) {
  const absl::StatusOr<std::unique_ptr<Subscribers>> subscribers =
      Subscribers::Open(target, {.count = audience.subscribers,
                                 .subscription = audience.group.subscribe});
  if (!subscribers.ok()) return subscribers.status();
  absl::StatusOr<Connection> publisher = Connection::Open(target.port);
  if (!publisher.ok()) return publisher.status();
  std::vector<bool> reached(audience.subscribers);
  std::vector<absl::Duration> latencies;
  absl::Time end = absl::Now() + duration / 5;
  absl::Duration cpu;
  int number = 0;
  int counted_from = 0;
  // The first fifth is not counted.
  for (const bool counted : {false, true}) {
    if (counted) {
      latencies.clear();
      counted_from = number;
      cpu = CpuTime(target.process);
      end = absl::Now() + duration * 4 / 5;
    }
    do {
      ++number;
      absl::Status status = RunRound(
          *publisher, NumberedReport(target, audience.group, 0, number), number,
          **subscribers, reached, latencies);
      if (!status.ok()) return status;
    } while (absl::Now() < end);
  }
  return Summarize(std::move(latencies), number - counted_from,
                   CpuTime(target.process) - cpu);
}

absl::StatusOr<double> MeasureIdleSockets(const GraphqlTarget& target,
                                          const GraphqlOperation& subscription,
                                          int count) {
  // The first brings what all of them need.
  const absl::StatusOr<std::unique_ptr<Subscribers>> first =
      Subscribers::Open(target, {.subscription = subscription});
  if (!first.ok()) return first.status();
  const double before = ResidentKib(target.process);
  const absl::StatusOr<std::unique_ptr<Subscribers>> idle =
      Subscribers::Open(target, {.count = count, .subscription = subscription});
  if (!idle.ok()) return idle.status();
  return (ResidentKib(target.process) - before) / count;
}

}  // namespace byoshin::bench
