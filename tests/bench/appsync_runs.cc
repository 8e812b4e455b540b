#include "tests/bench/appsync_runs.h"

#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/bench/load.h"
#include "tests/bench/usage.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr int kConnections = 32;
// Far more than any delivery takes.
constexpr absl::Duration kGuard = absl::Minutes(2);

// A report of a node: the value has the number of the node and of its report.
std::string NumberedReport(const GraphqlTarget& target,
                           const GroupOperations& group, int node, int number) {
  return PostRequest(
      target,
      group.report(node, number, absl::StrFormat("%03d:%08d", node, number)));
}

struct Report {
  int node = 0;
  int number = 0;
};

absl::StatusOr<Report> ReadReport(absl::string_view message) {
  constexpr absl::string_view kBefore = R"("value":")";
  const std::size_t at = message.find(kBefore);
  Report report;
  if (at == absl::string_view::npos ||
      !absl::SimpleAtoi(message.substr(at + kBefore.size(), 3), &report.node) ||
      !absl::SimpleAtoi(message.substr(at + kBefore.size() + 4, 8),
                        &report.number)) {
    return absl::InternalError(absl::StrCat("not a report: ", message));
  }
  return report;
}

Deliveries Summarize(std::vector<absl::Duration> latencies, double mutations,
                     absl::Duration cpu) {
  std::sort(latencies.begin(), latencies.end());
  const double seconds = absl::ToDoubleSeconds(cpu);
  return {.mutations_per_cpu_second = mutations / seconds,
          .deliveries_per_cpu_second =
              static_cast<double>(latencies.size()) / seconds,
          .p50 = latencies[latencies.size() / 2],
          .p99 = latencies[latencies.size() * 99 / 100],
          .max = latencies.back()};
}

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
    absl::Status status =
        subscribers.Receive(kGuard, [&](int who, absl::string_view message) {
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
    if (absl::Now() - sent > kGuard) {
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

namespace {

// The state of a class at work.
class Classroom {
 public:
  Classroom(const GraphqlTarget& target, const Class& members)
      : target_(target),
        members_(members),
        sent_(members.nodes),
        last_(members.nodes, std::vector<int>(members.nodes, 0)) {}

  absl::Status Open() {
    absl::StatusOr<std::unique_ptr<Subscribers>> nodes = Subscribers::Open(
        target_,
        {.count = members_.nodes, .subscription = members_.group.subscribe});
    if (!nodes.ok()) return nodes.status();
    nodes_ = *std::move(nodes);
    absl::StatusOr<std::unique_ptr<Subscribers>> others = Subscribers::Open(
        target_, {.subscription = members_.other_group.subscribe});
    if (!others.ok()) return others.status();
    others_ = *std::move(others);
    publishers_.reserve(members_.nodes);
    for (int node = 0; node < members_.nodes; ++node) {
      absl::StatusOr<Connection> publisher = Connection::Open(target_.port);
      if (!publisher.ok()) return publisher.status();
      fcntl(publisher->descriptor(), F_SETFL, O_NONBLOCK);
      publishers_.push_back(*std::move(publisher));
    }
    return absl::OkStatus();
  }

  // A node's next report.
  absl::Status SendReport(int node) {
    sent_[node].push_back(absl::Now());
    return publishers_[node].Send(NumberedReport(
        target_, members_.group, node, static_cast<int>(sent_[node].size())));
  }

  // Takes what has arrived, and waits for it at most `limit`.
  absl::Status Receive(absl::Duration limit) {
    absl::Status wrong;
    absl::Status status =
        nodes_->Receive(limit, [&](int who, absl::string_view message) {
          if (absl::Status taken = Take(who, message); !taken.ok()) {
            wrong = taken;
          }
        });
    if (status.ok()) status = wrong;
    if (status.ok()) status = TakeAnswers();
    if (!status.ok()) return status;
    return others_->Receive(
        absl::ZeroDuration(),
        [this](int, absl::string_view) { ++seen_elsewhere_; });
  }

  std::int64_t reports() const {
    std::int64_t reports = 0;
    for (const std::vector<absl::Time>& times : sent_) {
      reports += static_cast<std::int64_t>(times.size());
    }
    return reports;
  }
  // Whether each has reached everyone.
  bool complete() const {
    return static_cast<std::int64_t>(latencies_.size()) ==
           reports() * members_.nodes;
  }
  int seen_elsewhere() const { return seen_elsewhere_; }
  std::vector<absl::Duration> TakeLatencies() { return std::move(latencies_); }

 private:
  absl::Status Take(int who, absl::string_view message) {
    const absl::StatusOr<Report> report = ReadReport(message);
    if (!report.ok()) return report.status();
    int& last = last_[who][report->node];
    if (report->number != last + 1) {
      return absl::InternalError(absl::StrCat("node ", report->node,
                                              "'s report ", report->number,
                                              " came after ", last));
    }
    last = report->number;
    latencies_.push_back(absl::Now() - sent_[report->node][last - 1]);
    return absl::OkStatus();
  }

  absl::Status TakeAnswers() {
    for (Connection& publisher : publishers_) {
      if (absl::Status status = publisher.Receive(); !status.ok()) {
        return status;
      }
      absl::StatusOr<bool> taken = true;
      while (taken.ok() && *taken) taken = TakeMutationAnswer(publisher);
      if (!taken.ok()) return taken.status();
    }
    return absl::OkStatus();
  }

  const GraphqlTarget& target_;
  const Class members_;
  std::unique_ptr<Subscribers> nodes_;
  std::unique_ptr<Subscribers> others_;
  std::vector<Connection> publishers_;
  // When each node sent its reports.
  std::vector<std::vector<absl::Time>> sent_;
  // By subscriber and node: the number of the last report that has arrived.
  std::vector<std::vector<int>> last_;
  std::vector<absl::Duration> latencies_;
  int seen_elsewhere_ = 0;
};

}  // namespace

absl::StatusOr<Deliveries> RunClass(const GraphqlTarget& target,
                                    const Class& members,
                                    absl::Duration duration) {
  Classroom classroom(target, members);
  if (absl::Status status = classroom.Open(); !status.ok()) return status;
  const absl::Duration cpu = CpuTime(target.process);
  const absl::Duration pause =
      absl::Seconds(1) / (members.nodes * members.reports_per_second);
  const absl::Time end = absl::Now() + duration;
  int node = 0;
  for (absl::Time next = absl::Now(); next < end; next += pause) {
    for (absl::Time now; (now = absl::Now()) < next;) {
      absl::Status status = classroom.Receive(next - now);
      if (!status.ok()) return status;
    }
    if (absl::Status status = classroom.SendReport(node); !status.ok()) {
      return status;
    }
    node = (node + 1) % members.nodes;
  }
  while (!classroom.complete()) {
    if (absl::Now() > end + kGuard) {
      return absl::InternalError("reports were lost");
    }
    if (absl::Status status = classroom.Receive(absl::Milliseconds(10));
        !status.ok()) {
      return status;
    }
  }
  if (classroom.seen_elsewhere() > 0) {
    return absl::InternalError("reports were seen in another group");
  }
  const auto reports = static_cast<double>(classroom.reports());
  return Summarize(classroom.TakeLatencies(), reports,
                   CpuTime(target.process) - cpu);
}

absl::Status PrintClasses(const GraphqlTarget& target,
                          const std::vector<Class>& classes,
                          absl::Duration duration, std::ostream& out) {
  out << "\n| a class on DynamoDB | reports per s | deliveries per CPU s "
         "| p50 ms | p99 ms | max ms |\n|---|---:|---:|---:|---:|---:|\n";
  for (const Class& members : classes) {
    const absl::StatusOr<Deliveries> result =
        RunClass(target, members, duration);
    if (!result.ok()) return result.status();
    out << absl::StrFormat(
               "| %d nodes | %d | %.0f | %s | %s | %s |\n", members.nodes,
               members.nodes * members.reports_per_second,
               result->deliveries_per_cpu_second, Milliseconds(result->p50),
               Milliseconds(result->p99), Milliseconds(result->max))
        << std::flush;
  }
  return absl::OkStatus();
}

std::string Milliseconds(absl::Duration duration) {
  return absl::StrFormat("%.2f", absl::ToDoubleMilliseconds(duration));
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
