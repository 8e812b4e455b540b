#include "tests/bench/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

}  // namespace

absl::StatusOr<Connection> Connection::Open(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, "making a socket");
  Connection connection(descriptor);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) != 0) {
    return absl::ErrnoToStatus(errno, "connecting");
  }
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return connection;
}

Connection::~Connection() {
  if (socket_ >= 0) close(socket_);
}

absl::Status Connection::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return absl::ErrnoToStatus(errno, "sending");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return absl::OkStatus();
}

absl::Status Connection::Receive() {
  // Not into `received_`, which would set it to zero first.
  std::array<char, kReadBytes> chunk;
  ssize_t size = -1;
  do {
    size = recv(socket_, chunk.data(), chunk.size(), 0);
  } while (size < 0 && errno == EINTR);
  if (size > 0) received_.append(chunk.data(), static_cast<std::size_t>(size));
  if (size > 0 || (size < 0 && errno == EAGAIN)) return absl::OkStatus();
  if (size == 0) return absl::UnavailableError("the server has closed");
  return absl::ErrnoToStatus(errno, "receiving");
}

absl::StatusOr<Reply> Connection::Exchange(absl::string_view request) {
  if (absl::Status status = Send(request); !status.ok()) return status;
  for (;;) {
    if (std::optional<WireAnswer> answer = ReadAnswer(received_)) {
      Reply reply{.status = answer->status, .body = std::string(answer->body)};
      received_.erase(0, answer->bytes);
      return reply;
    }
    if (absl::Status status = Receive(); !status.ok()) return status;
  }
}

}  // namespace byoshin::bench
