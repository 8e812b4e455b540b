// Groups of nodes that report over AppSync while others listen, come and go: no
// report is lost, doubled, out of order or seen in another group.
//
//   ./bazelw test //tests/soak:appsync_soak_test
//   ./bazelw run -c opt //tests/soak:appsync_soak_test -- --reports=360000
//       --rate=100
//
// The cloud is a process of its own, with the API of the benchmark. Every other
// report goes to a table. A node reports again once its report is answered.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/json/data.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/soak/group_record.h"

ABSL_FLAG(int, groups, 3, "Groups of nodes.");
ABSL_FLAG(int, nodes, 4, "Nodes of each group, which report and subscribe.");
ABSL_FLAG(std::int64_t, reports, 1500, "Reports of all nodes together.");
ABSL_FLAG(double, rate, 0,
          "Reports per second at most, of all nodes together; 0: as many as "
          "are answered.");

namespace byoshin::tests {
namespace {

using bench::AppsyncCloud;
using bench::Connection;
using bench::GraphqlTarget;
using bench::Subscribers;

// A visitor comes to a group after so many reports of it, and leaves when it
// was sent so many.
constexpr std::int64_t kReportsBetweenVisits = 100;
constexpr int kReportsPerVisit = 50;
// Far more than anything takes: only a lost report is waited for so long.
constexpr absl::Duration kGuard = absl::Minutes(2);
// How exactly the rate is kept.
constexpr absl::Duration kTick = absl::Milliseconds(2);

std::string GroupId(int group) { return absl::StrCat("group-", group); }
std::string NodeId(int node) { return absl::StrCat("node-", node); }
std::string ReportValue(int group, const NodeReport& report) {
  return absl::StrCat(group, "/", report.node, "/", report.number);
}

// Null if there is no such text.
const json::Data* FindText(const json::Data* object, absl::string_view name) {
  const json::Data* text = object == nullptr ? nullptr : object->Find(name);
  return text != nullptr && text->is_string() ? text : nullptr;
}

// A message to a subscriber of the group. An error if it is damaged or another
// group's.
absl::StatusOr<NodeReport> ReadReport(int group, absl::string_view message) {
  const absl::StatusOr<json::Data> json = json::Data::Parse(message);
  if (!json.ok()) return json.status();
  const json::Data* status = &*json;
  for (const absl::string_view name : {"payload", "data", "onReport"}) {
    if (status != nullptr) status = status->Find(name);
  }
  const json::Data* node = FindText(status, "nodeId");
  const json::Data* data = status == nullptr ? nullptr : status->Find("data");
  const json::Data* value = data == nullptr || data->size() != 1
                                ? nullptr
                                : FindText(&data->elements()[0], "value");
  const json::Data* in_group = FindText(status, "groupId");
  NodeReport report;
  if (node == nullptr || value == nullptr || in_group == nullptr ||
      in_group->string() != GroupId(group) ||
      !absl::SimpleAtoi(value->string().substr(value->string().rfind('/') + 1),
                        &report.number) ||
      !absl::SimpleAtoi(node->string().substr(node->string().rfind('-') + 1),
                        &report.node) ||
      value->string() != ReportValue(group, report)) {
    return absl::InternalError(absl::StrCat("a subscriber of ", GroupId(group),
                                            " was sent ", message));
  }
  return report;
}

// A group, its members and a visitor. Not thread-safe.
class Group {
 public:
  static absl::StatusOr<std::unique_ptr<Group>> Open(
      const GraphqlTarget& target, int number, int nodes) {
    std::unique_ptr<Group> group(new Group(target, number, nodes));
    for (int node = 0; node < nodes; ++node) {
      absl::StatusOr<Listener> member = group->Subscribe();
      if (!member.ok()) return member.status();
      group->members_.push_back(*std::move(member));
      absl::StatusOr<Connection> publisher = Connection::Open(target.port);
      if (!publisher.ok()) return publisher.status();
      fcntl(publisher->descriptor(), F_SETFL, O_NONBLOCK);
      group->publishers_.push_back(*std::move(publisher));
    }
    return group;
  }

  // The next report of a node whose last one is answered; false if there is no
  // such node.
  absl::StatusOr<bool> SendReport() {
    const int nodes = static_cast<int>(publishers_.size());
    for (int tried = 0; tried < nodes; ++tried) {
      const int node = next_node_;
      next_node_ = (next_node_ + 1) % nodes;
      if (busy_[node]) continue;
      const NodeReport report = {.node = node, .number = record_.Send(node)};
      busy_[node] = true;
      const absl::Status sent = publishers_[node].Send(bench::ReportRequest(
          target_, {.mutation = report.number % 2 == 0 ? "store" : "report",
                    .group = GroupId(number_),
                    .node = NodeId(node),
                    .value = ReportValue(number_, report)}));
      if (!sent.ok()) return sent;
      return true;
    }
    return false;
  }

  // Takes what has arrived, without waiting. Then a visitor may come or go.
  absl::Status Receive() {
    for (int node = 0; node < static_cast<int>(publishers_.size()); ++node) {
      if (absl::Status taken = TakeAnswer(node); !taken.ok()) return taken;
    }
    for (Listener& member : members_) {
      if (absl::Status heard = Listen(member); !heard.ok()) return heard;
    }
    if (visitor_.has_value()) {
      if (absl::Status heard = Listen(*visitor_); !heard.ok()) return heard;
      if (visitor_->heard >= kReportsPerVisit) {
        record_.Leave(visitor_->number);
        visitor_.reset();
        next_visit_ = record_.sent() + kReportsBetweenVisits;
      }
    } else if (record_.sent() >= next_visit_) {
      absl::StatusOr<Listener> visitor = Subscribe();
      if (!visitor.ok()) return visitor.status();
      visitor_ = *std::move(visitor);
      ++visits_;
      return Listen(*visitor_);
    }
    return absl::OkStatus();
  }

  void AddDescriptors(std::vector<pollfd>& descriptors) const {
    const auto add = [&](int descriptor) {
      descriptors.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
    };
    for (const Connection& publisher : publishers_) add(publisher.descriptor());
    for (const Listener& member : members_) add(member.socket->descriptor());
    if (visitor_.has_value()) add(visitor_->socket->descriptor());
  }

  bool complete() const { return record_.complete(); }
  std::int64_t deliveries() const { return deliveries_; }
  int visits() const { return visits_; }

 private:
  struct Listener {
    int number = 0;  // in the record
    std::unique_ptr<Subscribers> socket{};
    int heard = 0;
  };

  Group(const GraphqlTarget& target, int number, int nodes)
      : target_(target), number_(number), record_(nodes), busy_(nodes, false) {}

  absl::StatusOr<Listener> Subscribe() {
    Listener listener = {.number = record_.Join()};
    absl::StatusOr<std::unique_ptr<Subscribers>> socket =
        Subscribers::Open(target_, {.count = 1, .group = GroupId(number_)});
    if (!socket.ok()) return socket.status();
    record_.Admit(listener.number);
    listener.socket = *std::move(socket);
    return listener;
  }

  absl::Status Listen(Listener& listener) {
    absl::Status wrong;
    absl::Status received = listener.socket->Receive(
        absl::ZeroDuration(), [&](int, absl::string_view message) {
          if (!wrong.ok()) return;
          const absl::StatusOr<NodeReport> report =
              ReadReport(number_, message);
          wrong = report.ok() ? record_.Take(listener.number, *report)
                              : report.status();
          ++listener.heard;
          ++deliveries_;
        });
    return received.ok() ? wrong : received;
  }

  absl::Status TakeAnswer(int node) {
    if (!busy_[node]) return absl::OkStatus();
    if (absl::Status status = publishers_[node].Receive(); !status.ok()) {
      return status;
    }
    const absl::StatusOr<bool> taken =
        bench::TakeMutationAnswer(publishers_[node]);
    if (!taken.ok()) return taken.status();
    if (*taken) {
      busy_[node] = false;
      record_.Answer(node);
    }
    return absl::OkStatus();
  }

  const GraphqlTarget& target_;
  const int number_;
  GroupRecord record_;
  std::vector<Connection> publishers_;  // by node
  std::vector<bool> busy_;              // by node: its report is not answered
  std::vector<Listener> members_;
  std::optional<Listener> visitor_;
  int next_node_ = 0;
  std::int64_t next_visit_ = kReportsBetweenVisits;
  std::int64_t deliveries_ = 0;
  int visits_ = 0;
};

// All groups, at the rate that the flags want. Not thread-safe.
class Soak {
 public:
  absl::Status Open(const GraphqlTarget& target) {
    for (int i = 0; i < absl::GetFlag(FLAGS_groups); ++i) {
      absl::StatusOr<std::unique_ptr<Group>> group =
          Group::Open(target, i, absl::GetFlag(FLAGS_nodes));
      if (!group.ok()) return group.status();
      groups_.push_back(*std::move(group));
    }
    return absl::OkStatus();
  }

  // Until all reports have arrived.
  absl::Status Run() {
    begun_ = absl::Now();
    absl::Time last_change = begun_;
    while (sent_ < absl::GetFlag(FLAGS_reports) || !complete()) {
      const std::int64_t before = sent_ + deliveries();
      if (absl::Status status = SendDue(); !status.ok()) return status;
      Wait();
      for (const std::unique_ptr<Group>& group : groups_) {
        if (absl::Status status = group->Receive(); !status.ok()) return status;
      }
      if (sent_ + deliveries() != before) last_change = absl::Now();
      if (absl::Now() - last_change > kGuard) {
        return absl::DeadlineExceededError("reports or answers were lost");
      }
    }
    return absl::OkStatus();
  }

  std::string Describe() const {
    int visits = 0;
    for (const std::unique_ptr<Group>& group : groups_) {
      visits += group->visits();
    }
    return absl::StrFormat("%d reports, %d deliveries, %d visits in %s", sent_,
                           deliveries(), visits,
                           absl::FormatDuration(absl::Now() - begun_));
  }

 private:
  // Those that are due, as long as there are nodes to send them.
  absl::Status SendDue() {
    const double rate = absl::GetFlag(FLAGS_rate);
    std::int64_t due = absl::GetFlag(FLAGS_reports);
    if (rate > 0) {
      due = std::min(due,
                     static_cast<std::int64_t>(
                         absl::ToDoubleSeconds(absl::Now() - begun_) * rate));
    }
    for (std::size_t idle = 0; sent_ < due && idle < groups_.size();) {
      const absl::StatusOr<bool> sent = groups_[next_group_]->SendReport();
      if (!sent.ok()) return sent.status();
      next_group_ = (next_group_ + 1) % groups_.size();
      idle = *sent ? 0 : idle + 1;
      if (*sent) ++sent_;
    }
    return absl::OkStatus();
  }

  // Until something arrives or, if there is a rate, a report is due.
  void Wait() const {
    std::vector<pollfd> descriptors;
    for (const std::unique_ptr<Group>& group : groups_) {
      group->AddDescriptors(descriptors);
    }
    const bool paced = absl::GetFlag(FLAGS_rate) > 0;
    poll(descriptors.data(), descriptors.size(),
         static_cast<int>(absl::ToInt64Milliseconds(paced ? kTick : kGuard)));
  }

  bool complete() const {
    return std::all_of(
        groups_.begin(), groups_.end(),
        [](const std::unique_ptr<Group>& group) { return group->complete(); });
  }

  std::int64_t deliveries() const {
    std::int64_t deliveries = 0;
    for (const std::unique_ptr<Group>& group : groups_) {
      deliveries += group->deliveries();
    }
    return deliveries;
  }

  std::vector<std::unique_ptr<Group>> groups_;
  std::size_t next_group_ = 0;
  std::int64_t sent_ = 0;
  absl::Time begun_;
};

TEST(AppsyncSoak, DeliversEveryReportOnceInOrderAndToItsGroupOnly) {
  const absl::StatusOr<AppsyncCloud> cloud = bench::StartAppsyncCloud();
  ASSERT_TRUE(cloud.ok()) << cloud.status();
  Soak soak;
  const absl::Status opened = soak.Open(cloud->api);
  ASSERT_TRUE(opened.ok()) << opened;
  const double before = cloud->server->ResidentKib();
  const absl::Status status = soak.Run();
  std::cout << soak.Describe()
            << absl::StrFormat("; the cloud: %.1f MiB before, %.1f after\n",
                               before / 1024,
                               cloud->server->ResidentKib() / 1024);
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace byoshin::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
