// A server below HTTP: it reads a request's head and then sends the bytes it
// was told to, at the pace it was told to. For answers that no proper server
// would give.
//
//   absl::StatusOr<std::unique_ptr<RawServer>> server =
//       RawServer::Start([](absl::string_view head) -> RawServer::Answer {
//         return {.bytes = "HTTP/1.1 200 OK\r\n", .then = Then::kHold};
//       });
#ifndef BYOSHIN_TESTS_INTEGRATION_RAW_SERVER_H_
#define BYOSHIN_TESTS_INTEGRATION_RAW_SERVER_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::integration {

// An open socket, closed with the object.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;
  ~Socket();

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;  // -1 once moved from
};

// A free port of the loopback interface that refuses every connection, for as
// long as the object lives: nobody else can be given the port meanwhile.
class RefusingPort {
 public:
  static absl::StatusOr<RefusingPort> Take();

  std::string url() const;

 private:
  RefusingPort(Socket socket, int port)
      : socket_(std::move(socket)), port_(port) {}

  Socket socket_;
  int port_;
};

// Serves every connection in a thread of its own, one request a connection.
// Thread-safe.
class RawServer {
 public:
  enum class Then {
    kClose,
    // Closes so that the client sees "connection reset".
    kReset,
    // Sends nothing more and keeps the connection until the client leaves.
    kHold,
    // Sends a byte (the last of `bytes`) every `drip_interval` until the client
    // leaves.
    kDrip,
  };
  struct Answer {
    std::string bytes{};
    Then then = Then::kClose;
    absl::Duration drip_interval = absl::Milliseconds(20);
  };
  // Called with the request's head, up to and with the empty line; from several
  // threads.
  using Handler = std::function<Answer(absl::string_view head)>;

  static absl::StatusOr<std::unique_ptr<RawServer>> Start(Handler handler);

  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  ~RawServer();

  // "http://127.0.0.1:40123"
  std::string url() const;

 private:
  RawServer(Socket listener, int port, Handler handler);

  void Accept();
  void Serve(int connection);
  void Drip(int connection, const Answer& answer);

  const Socket listener_;
  const int port_;
  const Handler handler_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::vector<int> connections_;  // open ones, to end them on destruction
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_RAW_SERVER_H_
