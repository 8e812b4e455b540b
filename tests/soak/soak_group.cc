#include "tests/soak/soak_group.h"

#include <fcntl.h>
#include <poll.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/json/data.h"
#include "tests/bench/appsync_subscribers.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/group_operations.h"
#include "tests/soak/group_record.h"

namespace byoshin::tests {
namespace {

using bench::Connection;
using bench::GraphqlTarget;
using bench::Subscribers;

// A visitor leaves when it was sent so many.
constexpr int kReportsPerVisit = 50;

// Null if there is no such text.
const json::Data* FindText(const json::Data* object, absl::string_view name) {
  const json::Data* text = object == nullptr ? nullptr : object->Find(name);
  return text != nullptr && text->is_string() ? text : nullptr;
}

// The only member of the message's payload.data; null if there is none.
const json::Data* FindResult(const json::Data& message) {
  const json::Data* payload = message.Find("payload");
  const json::Data* data = payload == nullptr ? nullptr : payload->Find("data");
  return data == nullptr || data->size() != 1 ? nullptr
                                              : &data->members()[0].value;
}

absl::StatusOr<Connection> OpenNonBlocking(int port) {
  absl::StatusOr<Connection> connection = Connection::Open(port);
  if (connection.ok()) fcntl(connection->descriptor(), F_SETFL, O_NONBLOCK);
  return connection;
}

// What has arrived of an answer; true once it is there.
absl::StatusOr<bool> ReceiveAnswer(Connection& connection) {
  if (absl::Status status = connection.Receive(); !status.ok()) return status;
  return bench::TakeMutationAnswer(connection);
}

}  // namespace

absl::StatusOr<std::unique_ptr<SoakGroup>> SoakGroup::Open(
    const GraphqlTarget& target, Options options) {
  std::unique_ptr<SoakGroup> group(new SoakGroup(target, std::move(options)));
  absl::StatusOr<Listeners> members = group->Subscribe(group->options_.nodes);
  if (!members.ok()) return members.status();
  group->members_ = *std::move(members);
  for (int node = 0; node < group->options_.nodes; ++node) {
    absl::StatusOr<Connection> publisher = OpenNonBlocking(target.port);
    if (!publisher.ok()) return publisher.status();
    group->publishers_.push_back(*std::move(publisher));
  }
  if (!group->options_.operations.heartbeats.empty()) {
    absl::StatusOr<Connection> connection = OpenNonBlocking(target.port);
    if (!connection.ok()) return connection.status();
    group->heartbeat_connection_.emplace(*std::move(connection));
    group->heartbeat_due_ = absl::Now();
  }
  return group;
}

absl::StatusOr<bool> SoakGroup::SendReport() {
  for (int tried = 0; tried < options_.nodes; ++tried) {
    const int node = next_node_;
    next_node_ = (next_node_ + 1) % options_.nodes;
    if (busy_[node]) continue;
    const NodeReport report = {.node = node, .number = record_.Send(node)};
    busy_[node] = true;
    const absl::Status sent = publishers_[node].Send(bench::PostRequest(
        target_,
        options_.operations.report(node, report.number, ReportValue(report))));
    if (!sent.ok()) return sent;
    return true;
  }
  return false;
}

absl::Status SoakGroup::Receive() {
  for (int node = 0; node < options_.nodes; ++node) {
    if (absl::Status taken = TakeAnswer(node); !taken.ok()) return taken;
  }
  absl::Status status = Listen(members_);
  if (status.ok()) status = ReceiveVisitor();
  return status.ok() ? KeepAlive() : status;
}

void SoakGroup::AddDescriptors(std::vector<pollfd>& descriptors) const {
  const auto add = [&](int descriptor) {
    descriptors.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
  };
  for (const Connection& publisher : publishers_) add(publisher.descriptor());
  add(members_.sockets->descriptor());
  if (visitor_.has_value()) add(visitor_->sockets->descriptor());
}

absl::StatusOr<SoakGroup::Listeners> SoakGroup::Subscribe(int count) {
  Listeners listeners = {.first = record_.Join()};
  for (int i = 1; i < count; ++i) record_.Join();
  absl::StatusOr<std::unique_ptr<Subscribers>> sockets = Subscribers::Open(
      target_, {.count = count, .subscription = options_.operations.subscribe});
  if (!sockets.ok()) return sockets.status();
  for (int i = 0; i < count; ++i) record_.Admit(listeners.first + i);
  listeners.sockets = *std::move(sockets);
  return listeners;
}

absl::Status SoakGroup::Listen(Listeners& listeners) {
  absl::Status wrong;
  absl::Status received = listeners.sockets->Receive(
      absl::ZeroDuration(), [&](int who, absl::string_view message) {
        if (!wrong.ok()) return;
        const absl::StatusOr<NodeReport> report = ReadReport(message);
        wrong = report.ok() ? record_.Take(listeners.first + who, *report)
                            : report.status();
        ++listeners.heard;
        ++deliveries_;
      });
  return received.ok() ? wrong : received;
}

absl::Status SoakGroup::ReceiveVisitor() {
  if (!visitor_.has_value() && record_.sent() >= next_visit_) {
    absl::StatusOr<Listeners> visitor = Subscribe(/*count=*/1);
    if (!visitor.ok()) return visitor.status();
    visitor_ = *std::move(visitor);
    ++visits_;
  }
  if (!visitor_.has_value()) return absl::OkStatus();
  if (absl::Status heard = Listen(*visitor_); !heard.ok()) return heard;
  if (visitor_->heard >= kReportsPerVisit) {
    record_.Leave(visitor_->first);
    visitor_.reset();
    next_visit_ = record_.sent() + kReportsBetweenVisits;
  }
  return absl::OkStatus();
}

absl::Status SoakGroup::TakeAnswer(int node) {
  if (!busy_[node]) return absl::OkStatus();
  const absl::StatusOr<bool> taken = ReceiveAnswer(publishers_[node]);
  if (!taken.ok()) return taken.status();
  if (*taken) {
    busy_[node] = false;
    record_.Answer(node);
  }
  return absl::OkStatus();
}

absl::Status SoakGroup::KeepAlive() {
  if (!heartbeat_connection_.has_value()) return absl::OkStatus();
  if (heartbeat_pending_) {
    const absl::StatusOr<bool> taken = ReceiveAnswer(*heartbeat_connection_);
    if (!taken.ok()) return taken.status();
    heartbeat_pending_ = !*taken;
  }
  const absl::Time now = absl::Now();
  if (heartbeat_pending_ || now < heartbeat_due_) return absl::OkStatus();
  const bench::GroupOperations& operations = options_.operations;
  const std::size_t count = operations.heartbeats.size();
  heartbeat_pending_ = true;
  heartbeat_due_ = now + operations.heartbeat_interval / count;
  return heartbeat_connection_->Send(bench::PostRequest(
      target_, operations.heartbeats[next_heartbeat_++ % count]));
}

std::string SoakGroup::ReportValue(const NodeReport& report) const {
  return absl::StrCat(options_.number, "/", report.node, "/", report.number);
}

absl::StatusOr<NodeReport> SoakGroup::ReadReport(
    absl::string_view message) const {
  const absl::StatusOr<json::Data> json = json::Data::Parse(message);
  if (!json.ok()) return json.status();
  const json::Data* status = FindResult(*json);
  const json::Data* node = FindText(status, "nodeId");
  const json::Data* data = status == nullptr ? nullptr : status->Find("data");
  const json::Data* value = data == nullptr || data->size() != 1
                                ? nullptr
                                : FindText(&data->elements()[0], "value");
  const json::Data* in_group = FindText(status, "groupId");
  NodeReport report;
  if (node == nullptr || value == nullptr || in_group == nullptr ||
      in_group->string() != options_.operations.id ||
      !absl::SimpleAtoi(value->string().substr(value->string().rfind('/') + 1),
                        &report.number) ||
      !absl::SimpleAtoi(node->string().substr(node->string().rfind('-') + 1),
                        &report.node) ||
      value->string() != ReportValue(report)) {
    return absl::InternalError(
        absl::StrCat("a subscriber of group ", options_.number, ", ",
                     options_.operations.id, ", was sent ", message));
  }
  return report;
}

}  // namespace byoshin::tests
