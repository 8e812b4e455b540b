// A connection to a server on the loopback interface that sends and receives
// bytes, for load generators and tests that want nothing in between.
//
//   absl::StatusOr<Connection> connection = Connection::Open(port);
//   absl::StatusOr<Reply> reply = connection->Exchange(bytes);  // blocks
#ifndef BYOSHIN_TESTS_BENCH_CONNECTION_H_
#define BYOSHIN_TESTS_BENCH_CONNECTION_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::bench {

struct Reply {
  int status = 0;
  std::string body{};
};

// Not thread-safe.
class Connection {
 public:
  // To 127.0.0.1.
  static absl::StatusOr<Connection> Open(int port);

  Connection(Connection&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        received_(std::move(other.received_)) {}
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  int descriptor() const { return socket_; }

  // All of it: requests are small beside a socket's buffer.
  absl::Status Send(absl::string_view bytes);

  // Reads what there is, at least one byte unless the socket does not block,
  // and appends it to received(). An error if the other side has closed.
  absl::Status Receive();
  std::string& received() { return received_; }

  // Sends a request and waits for its answer.
  absl::StatusOr<Reply> Exchange(absl::string_view request);

 private:
  explicit Connection(int socket) : socket_(socket) {}

  int socket_;
  std::string received_;
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_CONNECTION_H_
