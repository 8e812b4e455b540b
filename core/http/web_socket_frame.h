// WebSocket frames (RFC 6455, section 5), without I/O: parses the bytes of a
// client into messages, and writes the headers of frames to a client.
//
//   FrameReader reader(max_message_bytes);
//   while (std::optional<ReceivedFrame> frame = reader.Next(data)) {
//     Handle(*std::move(frame));
//   }
//   if (reader.failure()) return Close(*reader.failure());
//
// Used only by core/http/server.h.
#ifndef BYOSHIN_CORE_HTTP_WEB_SOCKET_FRAME_H_
#define BYOSHIN_CORE_HTTP_WEB_SOCKET_FRAME_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"

namespace byoshin::http {

enum class Opcode : std::uint8_t {
  kContinuation = 0,
  kText = 1,
  kBinary = 2,
  kClose = 8,
  kPing = 9,
  kPong = 10,
};

// The longest payload of a control frame: close, ping or pong.
inline constexpr std::size_t kMaxControlBytes = 125;

// A control frame, or a message assembled from its fragments.
struct ReceivedFrame {
  // Not kContinuation.
  Opcode opcode;
  // Text and the reason of a close are UTF-8.
  std::string data{};
};

// Parses what a client sends. Not thread-safe.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_message_bytes)
      : max_message_bytes_(max_message_bytes) {}

  // The next control frame or complete message. Consumes what it uses from the
  // front of `data`; without a result, that is everything, and more is needed.
  // Keeps no more than one message and one control frame. Returns nothing after
  // a failure or a close.
  std::optional<ReceivedFrame> Next(absl::string_view& data);

  // Why the client must be disconnected, with the close code and reason.
  const std::optional<WebSocketClose>& failure() const { return failure_; }

 private:
  // Of the current frame.
  struct Header {
    bool is_last = false;
    Opcode opcode = Opcode::kContinuation;
    std::uint64_t payload_bytes = 0;
    std::array<std::uint8_t, 4> mask{};
  };

  bool in_header() const { return header_bytes_ < header_size_; }
  bool is_control() const { return header_.opcode >= Opcode::kClose; }
  // Consumes bytes until the header is complete, or fails.
  void ReadHeader(absl::string_view& data);
  void CheckStart();
  void FinishHeader();
  void CheckLength();
  // Consumes bytes until the payload is complete, or fails.
  void ReadPayload(absl::string_view& data);
  std::optional<ReceivedFrame> FinishFrame();
  void CheckText(bool whole);
  void Fail(std::uint16_t code, absl::string_view reason);

  const std::size_t max_message_bytes_;
  // The bytes of a header received so far, and its length as far as it is
  // known: two bytes determine it.
  std::array<std::uint8_t, 14> bytes_{};
  std::uint8_t header_bytes_ = 0;
  std::uint8_t header_size_ = 2;
  Header header_;
  std::uint64_t payload_read_ = 0;

  // The current message, if one has started, and how much of it is valid text.
  std::optional<Opcode> message_opcode_;
  std::string message_;
  std::size_t checked_ = 0;
  std::string control_;

  bool finished_ = false;
  std::optional<WebSocketClose> failure_;
};

// The header of an unfragmented frame that a server sends.
struct FrameHeader {
  absl::string_view bytes() const {
    return absl::string_view(text.data(), size);
  }

  std::array<char, 10> text;
  std::uint8_t size;
};
FrameHeader FormatFrameHeader(Opcode opcode, std::uint64_t payload_bytes);

// True if a close frame may carry it: RFC 6455, section 7.4.
bool IsCloseCode(std::uint16_t code);
// The payload of a close frame: empty for 1005, and the reason truncated to
// fit.
std::string FormatClose(const WebSocketClose& close);
// `payload` is that of a frame that FrameReader has accepted.
WebSocketClose ParseClose(absl::string_view payload);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_FRAME_H_
