// A server on 127.0.0.1 whose every byte the test decides, for behaviour that a
// proper HTTP server would not show.
//
//   http::testing::LoopbackServer server([](auto& connection) {
//     connection.ReadRequest();
//     connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx");
//   });
//   client.Send({.url = server.Url("/")});
//   EXPECT_EQ(server.connections(), 1);
#ifndef BYOSHIN_CORE_HTTP_TESTING_LOOPBACK_SERVER_H_
#define BYOSHIN_CORE_HTTP_TESTING_LOOPBACK_SERVER_H_

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::http::testing {

// One accepted connection, which is closed when its handler returns. For use by
// its handler only.
class Connection {
 public:
  Connection(int socket, int index) : socket_(socket), index_(index) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // 0 for the first connection to the server, 1 for the second, ...
  int index() const { return index_; }

  // The next request, headers and body as they came; nothing if the client has
  // closed the connection, or the server is being stopped. Bodies must have a
  // Content-Length.
  std::optional<std::string> ReadRequest();

  void Write(absl::string_view bytes);

  // Blocks until the client has closed the connection.
  void AwaitClose();

  // Makes the close that follows a reset: the client gets an error rather than
  // an end.
  void ResetOnClose();

 private:
  bool Receive();

  const int socket_;
  const int index_;
  std::string received_;  // and not read yet
};

// Serves each connection on a thread of its own, from construction to
// destruction, which ends them all. Thread-safe.
class LoopbackServer {
 public:
  using Handler = std::function<void(Connection&)>;

  explicit LoopbackServer(Handler handler);
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  ~LoopbackServer();

  int port() const { return port_; }

  // "http://127.0.0.1:PORT" and the path, which begins with "/".
  std::string Url(absl::string_view path) const;

  // How many connections there have been.
  int connections() const;

 private:
  struct Session {
    int socket;  // -1 once closed
    std::thread thread;
  };

  void Accept();

  const Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  mutable sync::Mutex mutex_;
  std::list<Session> sessions_ ABSL_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

// Handlers that answer every request, or one for each connection before it is
// closed, with the same bytes.
LoopbackServer::Handler AnswerAlways(std::string response);
LoopbackServer::Handler AnswerOnce(std::string response);

// A port of 127.0.0.1 without a listener, as long as this exists.
class UnusedPort {
 public:
  UnusedPort();
  UnusedPort(const UnusedPort&) = delete;
  UnusedPort& operator=(const UnusedPort&) = delete;
  ~UnusedPort();

  int port() const { return port_; }

 private:
  int socket_ = -1;
  int port_ = 0;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_LOOPBACK_SERVER_H_
