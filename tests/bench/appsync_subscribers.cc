#include "tests/bench/appsync_subscribers.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/connection.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr int kEventsAtOnce = 256;
// Opcodes of RFC 6455.
constexpr int kText = 1;
constexpr int kClose = 8;
constexpr int kPing = 9;
constexpr int kPong = 10;

// A frame of a client, whose mask changes nothing: it is zero.
std::string ClientFrame(int opcode, absl::string_view payload) {
  std::string frame(1, static_cast<char>(0x80 | opcode));
  if (payload.size() < 126) {
    frame.push_back(static_cast<char>(0x80 | payload.size()));
  } else {
    frame.push_back(static_cast<char>(0x80 | 126));
    frame.push_back(static_cast<char>(payload.size() >> 8));
    frame.push_back(static_cast<char>(payload.size() & 0xff));
  }
  frame.append(4, '\0');
  return frame.append(payload.data(), payload.size());
}

struct ServerFrame {
  int opcode = 0;
  absl::string_view payload{};
  std::size_t bytes = 0;  // with its header
};

// The frame at the beginning of `received`, once it is whole. Servers don't
// mask, and these don't fragment.
std::optional<ServerFrame> ReadFrame(absl::string_view received) {
  if (received.size() < 2) return std::nullopt;
  std::size_t size = static_cast<unsigned char>(received[1]) & 0x7f;
  std::size_t header = 2;
  const std::size_t extended = size == 126 ? 2 : size == 127 ? 8 : 0;
  if (extended > 0) {
    header += extended;
    if (received.size() < header) return std::nullopt;
    size = 0;
    for (std::size_t i = 2; i < header; ++i) {
      size = (size << 8) | static_cast<unsigned char>(received[i]);
    }
  }
  if (received.size() < header + size) return std::nullopt;
  return ServerFrame{.opcode = received[0] & 0xf,
                     .payload = received.substr(header, size),
                     .bytes = header + size};
}

}  // namespace

absl::StatusOr<bool> TakeMutationAnswer(Connection& connection) {
  const std::optional<WireAnswer> answer = ReadAnswer(connection.received());
  if (!answer.has_value()) return false;
  if (answer->status != 200 || absl::StrContains(answer->body, R"("errors")")) {
    return absl::InternalError(absl::StrCat(answer->status, " ", answer->body));
  }
  connection.received().erase(0, answer->bytes);
  return true;
}

absl::StatusOr<std::unique_ptr<Subscribers>> Subscribers::Open(
    const GraphqlTarget& target, const Options& options) {
  std::unique_ptr<Subscribers> subscribers(new Subscribers());
  subscribers->poll_ = epoll_create1(EPOLL_CLOEXEC);
  if (subscribers->poll_ < 0) return absl::ErrnoToStatus(errno, "epoll");
  subscribers->sockets_.reserve(options.count);
  for (int i = 0; i < options.count; ++i) {
    absl::Status added = subscribers->Add(target, options.subscription);
    if (!added.ok()) return added;
  }
  return subscribers;
}

Subscribers::~Subscribers() {
  if (poll_ >= 0) close(poll_);
}

absl::Status Subscribers::Add(const GraphqlTarget& target,
                              const GraphqlOperation& subscription) {
  absl::StatusOr<Connection> opened = Connection::Open(target.port);
  if (!opened.ok()) return opened.status();
  const int subscriber = static_cast<int>(sockets_.size());
  Connection& socket = sockets_.emplace_back(*std::move(opened));
  absl::Status status = socket.Send(UpgradeRequest(target));
  while (status.ok() && !absl::StrContains(socket.received(), "\r\n\r\n")) {
    status = socket.Receive();
  }
  if (!status.ok()) return status;
  std::string& received = socket.received();
  if (!absl::StartsWith(received, "HTTP/1.1 101")) {
    return absl::InternalError(absl::StrCat("no WebSocket: ", received));
  }
  received.erase(0, received.find("\r\n\r\n") + 4);
  status = socket.Send(absl::StrCat(
      ClientFrame(kText, kInitMessage),
      ClientFrame(kText, StartMessage(target, "1", subscription))));
  bool acknowledged = false;
  while (status.ok() && !acknowledged) {
    status = TakeFrames(subscriber, [&](int, absl::string_view message) {
      if (acknowledged) early_.emplace_back(subscriber, message);
      acknowledged = acknowledged || HasType(message, "start_ack");
    });
    if (status.ok() && !acknowledged) status = socket.Receive();
  }
  if (!status.ok()) return status;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = static_cast<std::uint32_t>(subscriber);
  if (epoll_ctl(poll_, EPOLL_CTL_ADD, socket.descriptor(), &event) != 0) {
    return absl::ErrnoToStatus(errno, "epoll_ctl");
  }
  return absl::OkStatus();
}

absl::Status Subscribers::TakeFrames(
    int subscriber,
    absl::FunctionRef<void(int subscriber, absl::string_view message)>
        on_message) {
  Connection& socket = sockets_[subscriber];
  std::size_t taken = 0;
  while (const std::optional<ServerFrame> frame =
             ReadFrame(absl::string_view(socket.received()).substr(taken))) {
    if (frame->opcode == kClose) {
      return absl::AbortedError("the server has closed a WebSocket");
    }
    if (frame->opcode == kPing) {
      absl::Status sent = socket.Send(ClientFrame(kPong, frame->payload));
      if (!sent.ok()) return sent;
    }
    if (frame->opcode == kText) {
      if (HasType(frame->payload, "error") ||
          HasType(frame->payload, "connection_error")) {
        return absl::InternalError(frame->payload);
      }
      on_message(subscriber, frame->payload);
    }
    taken += frame->bytes;
  }
  socket.received().erase(0, taken);
  return absl::OkStatus();
}

absl::Status Subscribers::Receive(
    absl::Duration limit,
    absl::FunctionRef<void(int subscriber, absl::string_view message)>
        on_data) {
  const auto take = [&](int which, absl::string_view message) {
    if (HasType(message, "data")) on_data(which, message);
  };
  if (!early_.empty()) limit = absl::ZeroDuration();
  for (const auto& [which, message] : std::exchange(early_, {})) {
    take(which, message);
  }
  std::array<epoll_event, kEventsAtOnce> events{};
  const int count =
      epoll_wait(poll_, events.data(), kEventsAtOnce,
                 static_cast<int>(absl::ToInt64Milliseconds(limit)));
  for (int i = 0; i < count; ++i) {
    const auto subscriber = static_cast<int>(events[i].data.u32);
    absl::Status status = sockets_[subscriber].Receive();
    if (status.ok()) status = TakeFrames(subscriber, take);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace byoshin::bench
