// A client for tests that sends whatever bytes it is told to, HTTP or not, and
// shows what comes back.
//
//   http::testing::SocketClient client(server->port());
//   client.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
//   EXPECT_EQ(client.ReadResponse().status, 200);
//
// Everything blocks until it is done: there are no time-outs that a slow
// machine could trip over. What should not happen to a client fails the test.
#ifndef BYOSHIN_CORE_HTTP_TESTING_SOCKET_CLIENT_H_
#define BYOSHIN_CORE_HTTP_TESTING_SOCKET_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/client.h"

namespace byoshin::http::testing {

// The shortest request there is.
inline constexpr absl::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// Not thread-safe.
class SocketClient {
 public:
  // Not connected yet.
  SocketClient();
  // Connects to this port of 127.0.0.1.
  explicit SocketClient(std::uint16_t port);
  SocketClient(SocketClient&& other) noexcept;
  SocketClient& operator=(SocketClient&&) = delete;
  ~SocketClient();

  // False if the connection was refused.
  bool Connect(std::uint16_t port);
  void Send(absl::string_view bytes);
  // Reads one response. A body ends where Content-Length says; an answer to
  // HEAD has none, whatever Content-Length says.
  enum class Body { kExpected, kNone };
  Response ReadResponse(Body body = Body::kExpected);
  // Reads so many bytes, or fewer at the end.
  std::string Read(std::size_t bytes);
  // Reads until the server closes its side.
  std::string ReadUntilEnd();
  // Says that nothing more will be sent, but goes on reading.
  void FinishSending();
  void Close();

 private:
  // Reads a little more into received_; false at the end.
  bool ReadMore();

  int socket_;
  std::string received_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_SOCKET_CLIENT_H_
