#include "tests/bench/appsync_class.h"

#include <fcntl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/deliveries.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/usage.h"

namespace byoshin::bench {
namespace {

// How often a class whose reports have all been sent looks for answers.
constexpr absl::Duration kLookForAnswers = absl::Milliseconds(10);

// The state of a class at work.
class Classroom {
 public:
  Classroom(const GraphqlTarget& target, const Class& members)
      : target_(target),
        members_(members),
        subscribers_(members.nodes + members.listeners),
        due_(members.nodes),
        last_(subscribers_, std::vector<int>(members.nodes, 0)) {}

  absl::Status Open() {
    absl::StatusOr<std::unique_ptr<Subscribers>> all = Subscribers::Open(
        target_,
        {.count = subscribers_, .subscription = members_.group.subscribe});
    if (!all.ok()) return all.status();
    all_ = *std::move(all);
    if (members_.other_group.has_value()) {
      absl::StatusOr<std::unique_ptr<Subscribers>> others = Subscribers::Open(
          target_, {.subscription = members_.other_group->subscribe});
      if (!others.ok()) return others.status();
      others_ = *std::move(others);
    }
    publishers_.reserve(members_.nodes);
    for (int node = 0; node < members_.nodes; ++node) {
      absl::StatusOr<Connection> publisher = Connection::Open(target_.port);
      if (!publisher.ok()) return publisher.status();
      fcntl(publisher->descriptor(), F_SETFL, O_NONBLOCK);
      publishers_.push_back(*std::move(publisher));
    }
    return absl::OkStatus();
  }

  // A node's next report, which was due at `due`.
  absl::Status SendReport(int node, absl::Time due) {
    if (absl::Status status = TakeAnswers(publishers_[node]); !status.ok()) {
      return status;
    }
    due_[node].push_back(due);
    return publishers_[node].Send(NumberedReport(
        target_, members_.group, node, static_cast<int>(due_[node].size())));
  }

  // Takes the reports that have arrived, and waits for them at most `limit`.
  absl::Status Receive(absl::Duration limit) {
    absl::Status wrong;
    absl::Status status =
        all_->Receive(limit, [&](int who, absl::string_view message) {
          if (absl::Status taken = Take(who, message); !taken.ok()) {
            wrong = taken;
          }
        });
    return status.ok() ? wrong : status;
  }

  // An error if a report was refused, or seen in the other group.
  absl::Status CheckRest() {
    for (Connection& publisher : publishers_) {
      if (absl::Status status = TakeAnswers(publisher); !status.ok()) {
        return status;
      }
    }
    if (others_ == nullptr) return absl::OkStatus();
    absl::Status wrong;
    absl::Status status = others_->Receive(
        absl::ZeroDuration(), [&](int, absl::string_view message) {
          wrong = absl::InternalError(
              absl::StrCat("seen in another group: ", message));
        });
    return status.ok() ? wrong : status;
  }

  std::int64_t reports() const {
    std::int64_t reports = 0;
    for (const std::vector<absl::Time>& times : due_) {
      reports += static_cast<std::int64_t>(times.size());
    }
    return reports;
  }
  // Whether each has reached everyone.
  bool complete() const {
    return static_cast<std::int64_t>(latencies_.size()) ==
           reports() * subscribers_;
  }
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
    latencies_.push_back(absl::Now() - due_[report->node][last - 1]);
    return absl::OkStatus();
  }

  static absl::Status TakeAnswers(Connection& publisher) {
    if (absl::Status status = publisher.Receive(); !status.ok()) {
      return status;
    }
    absl::StatusOr<bool> taken = true;
    while (taken.ok() && *taken) taken = TakeMutationAnswer(publisher);
    return taken.status();
  }

  const GraphqlTarget& target_;
  const Class members_;
  const int subscribers_;
  std::unique_ptr<Subscribers> all_;
  // Null if there is no other group.
  std::unique_ptr<Subscribers> others_;
  std::vector<Connection> publishers_;
  // When each node was to send its reports.
  std::vector<std::vector<absl::Time>> due_;
  // By subscriber and node: the number of the last report that has arrived.
  std::vector<std::vector<int>> last_;
  std::vector<absl::Duration> latencies_;
};

}  // namespace

absl::StatusOr<Deliveries> RunClass(const GraphqlTarget& target,
                                    const Class& members,
                                    absl::Duration duration) {
  Classroom classroom(target, members);
  if (absl::Status status = classroom.Open(); !status.ok()) return status;
  const absl::Duration cpu = CpuTime(target.process);
  // Always the same times.
  std::minstd_rand random;  // NOLINT(cert-msc*)
  std::exponential_distribution<double> seconds(members.nodes *
                                                members.reports_per_second);
  const absl::Time end = absl::Now() + duration;
  int node = 0;
  for (absl::Time next = absl::Now(); next < end;
       next += absl::Seconds(seconds(random))) {
    for (absl::Time now; (now = absl::Now()) < next;) {
      absl::Status status = classroom.Receive(next - now);
      if (!status.ok()) return status;
    }
    if (absl::Status status = classroom.SendReport(node, next); !status.ok()) {
      return status;
    }
    node = (node + 1) % members.nodes;
  }
  while (!classroom.complete()) {
    if (absl::Now() > end + kDeliveryGuard) {
      return absl::InternalError("reports were lost");
    }
    absl::Status status = classroom.Receive(kLookForAnswers);
    if (status.ok()) status = classroom.CheckRest();
    if (!status.ok()) return status;
  }
  const absl::Duration used = CpuTime(target.process) - cpu;
  if (absl::Status status = classroom.CheckRest(); !status.ok()) return status;
  const auto reports = static_cast<double>(classroom.reports());
  return Summarize(classroom.TakeLatencies(), reports, used);
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

}  // namespace byoshin::bench
