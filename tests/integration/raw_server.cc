#include "tests/integration/raw_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace byoshin::integration {
namespace {

struct BoundSocket {
  Socket socket;
  int port;
};

absl::StatusOr<BoundSocket> BindToLoopback() {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (socket.descriptor() < 0 ||
      bind(socket.descriptor(), generic, size) != 0 ||
      getsockname(socket.descriptor(), generic, &size) != 0) {
    return absl::ErrnoToStatus(errno, "binding a socket to 127.0.0.1");
  }
  return BoundSocket{std::move(socket), ntohs(address.sin_port)};
}

std::string LoopbackUrl(int port) {
  return absl::StrCat("http://127.0.0.1:", port);
}

// All bytes, unless the client leaves before.
void SendAll(int connection, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string ReceiveHead(int connection) {
  std::string head;
  std::array<char, 4096> buffer;
  while (!absl::StrContains(head, "\r\n\r\n")) {
    const ssize_t size = recv(connection, buffer.data(), buffer.size(), 0);
    if (size <= 0) return {};
    head.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return head;
}

void AwaitClientLeaving(int connection) {
  std::array<char, 4096> buffer;
  while (recv(connection, buffer.data(), buffer.size(), 0) > 0) {
  }
}

// What is unsent is thrown away, and the client told so.
void MakeCloseReset(int connection) {
  const linger option = {.l_onoff = 1, .l_linger = 0};
  setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, sizeof(option));
}

}  // namespace

Socket::Socket(Socket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::StatusOr<RefusingPort> RefusingPort::Take() {
  absl::StatusOr<BoundSocket> bound = BindToLoopback();
  if (!bound.ok()) return bound.status();
  return RefusingPort(std::move(bound->socket), bound->port);
}

std::string RefusingPort::url() const { return LoopbackUrl(port_); }

absl::StatusOr<std::unique_ptr<RawServer>> RawServer::Start(Handler handler) {
  absl::StatusOr<BoundSocket> bound = BindToLoopback();
  if (!bound.ok()) return bound.status();
  if (listen(bound->socket.descriptor(), SOMAXCONN) != 0) {
    return absl::ErrnoToStatus(errno, "listening");
  }
  return std::unique_ptr<RawServer>(
      new RawServer(std::move(bound->socket), bound->port, std::move(handler)));
}

RawServer::RawServer(Socket listener, int port, Handler handler)
    : listener_(std::move(listener)),
      port_(port),
      handler_(std::move(handler)),
      acceptor_([this] { Accept(); }) {}

RawServer::~RawServer() {
  // Ends the accept() under way.
  shutdown(listener_.descriptor(), SHUT_RDWR);
  acceptor_.join();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    for (int connection : connections_) shutdown(connection, SHUT_RDWR);
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

std::string RawServer::url() const { return LoopbackUrl(port_); }

void RawServer::Accept() {
  for (;;) {
    const int connection =
        accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    connections_.push_back(connection);
    threads_.emplace_back([this, connection] { Serve(connection); });
  }
}

void RawServer::Serve(int connection) {
  if (const std::string head = ReceiveHead(connection); !head.empty()) {
    const Answer answer = handler_(head);
    SendAll(connection, answer.bytes);
    switch (answer.then) {
      case Then::kClose:
        // The client may be sending still: it must not see a reset.
        shutdown(connection, SHUT_WR);
        AwaitClientLeaving(connection);
        break;
      case Then::kReset:
        MakeCloseReset(connection);
        break;
      case Then::kHold:
        AwaitClientLeaving(connection);
        break;
      case Then::kDrip:
        Drip(connection, answer);
        break;
    }
  }
  std::lock_guard<std::mutex> lock(mutex_);
  connections_.erase(
      std::find(connections_.begin(), connections_.end(), connection));
  close(connection);
}

void RawServer::Drip(int connection, const Answer& answer) {
  const char drop = answer.bytes.back();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock,
                            absl::ToChronoMilliseconds(answer.drip_interval),
                            [this] { return stopping_; })) {
    if (send(connection, &drop, 1, MSG_NOSIGNAL) != 1) return;
  }
}

}  // namespace byoshin::integration
