// A WebSocket client for tests that sends whatever frames it is told to, valid
// or not, and shows what comes back.
//
//   http::testing::WebSocketClient client(server->port());
//   client.SendText("hello");
//   EXPECT_EQ(client.ReadText(), "hello");
//   client.SendBytes(ClientFrame(0x83, "a reserved opcode"));
//   EXPECT_EQ(client.ReadClose().code, 1002);
//
// Everything blocks until it is done: there are no time-outs that a slow
// machine could trip over. What should not happen to a client fails the test.
#ifndef BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_CLIENT_H_
#define BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_CLIENT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/testing/socket_client.h"
#include "core/http/web_socket.h"

namespace byoshin::http::testing {

// The first byte of a whole frame: the bit for "last", and the opcode.
inline constexpr std::uint8_t kTextFrame = 0x81;
inline constexpr std::uint8_t kBinaryFrame = 0x82;
inline constexpr std::uint8_t kCloseFrame = 0x88;
inline constexpr std::uint8_t kPingFrame = 0x89;
inline constexpr std::uint8_t kPongFrame = 0x8a;

// A request for a WebSocket; `headers` are whole lines.
std::string WebSocketRequest(absl::string_view target = "/",
                             absl::string_view headers = "");
// A frame as a client sends it, masked.
std::string ClientFrame(std::uint8_t first_byte, absl::string_view payload);
// The payload of a close frame.
std::string ClosePayload(std::uint16_t code, absl::string_view reason = "");

// Not thread-safe.
class WebSocketClient {
 public:
  struct Frame {
    std::uint8_t first_byte = 0;
    std::string payload;
  };

  // Connects to this port of 127.0.0.1, and expects to be accepted.
  explicit WebSocketClient(std::uint16_t port,
                           absl::string_view request = WebSocketRequest());

  // The answer to the request.
  const Response& handshake() const { return handshake_; }

  void SendBytes(absl::string_view bytes) { socket_.Send(bytes); }
  void SendFrame(std::uint8_t first_byte, absl::string_view payload) {
    SendBytes(ClientFrame(first_byte, payload));
  }
  void SendText(absl::string_view text) { SendFrame(kTextFrame, text); }
  void SendClose(std::uint16_t code, absl::string_view reason = "") {
    SendFrame(kCloseFrame, ClosePayload(code, reason));
  }

  Frame ReadFrame();
  // These expect a frame of their kind.
  std::string ReadText();
  WebSocketClose ReadClose();
  // Confirms a close, as clients do.
  void ConfirmClose(std::uint16_t code) { SendClose(code); }
  // Reads until the server closes its side.
  std::string ReadUntilEnd() { return socket_.ReadUntilEnd(); }
  // Leaves without a close.
  void Leave() { socket_.Close(); }

 private:
  SocketClient socket_;
  Response handshake_;
};

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_WEB_SOCKET_CLIENT_H_
