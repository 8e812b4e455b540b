// WebSocket frames (RFC 6455, section 5), without any I/O: bytes from a client
// to messages, and the headers of frames to a client.
//
//   FrameReader reader(max_message_bytes);
//   while (std::optional<ReceivedFrame> frame = reader.Next(data)) {
//     Handle(*std::move(frame));
//   }
//   if (reader.failure()) return Close(*reader.failure());
//
// For core/http/server.h, and only for it.
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

// A control frame, or a message that was put together from its fragments.
struct ReceivedFrame {
  // Not kContinuation.
  Opcode opcode;
  // Text and the reason of a close are UTF-8.
  std::string data{};
};

// Reads what a client sends, however it arrives. Not thread-safe.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_message_bytes)
      : max_message_bytes_(max_message_bytes) {}

  // The next control frame or whole message. Takes what it uses from the front
  // of `data`; without a result, that is everything, and more is needed. Keeps
  // no more than one message and one control frame. After a failure or a close
  // it returns nothing any more.
  std::optional<ReceivedFrame> Next(absl::string_view& data);

  // Why the client must be cut off, with which code and what to tell it.
  const std::optional<WebSocketClose>& failure() const { return failure_; }

 private:
  // Of the frame at hand.
  struct Header {
    bool is_last = false;
    Opcode opcode = Opcode::kContinuation;
    std::uint64_t payload_bytes = 0;
    std::array<std::uint8_t, 4> mask{};
  };

  bool in_header() const { return header_bytes_ < header_size_; }
  bool is_control() const { return header_.opcode >= Opcode::kClose; }
  // Takes bytes until the header is whole, or fails.
  void ReadHeader(absl::string_view& data);
  void CheckStart();
  void FinishHeader();
  void CheckLength();
  // Takes bytes until the payload is whole, or fails.
  void ReadPayload(absl::string_view& data);
  std::optional<ReceivedFrame> FinishFrame();
  void CheckText(bool whole);
  void Fail(std::uint16_t code, absl::string_view reason);

  const std::size_t max_message_bytes_;
  // The bytes of a header, as far as they are there, and how many it will have
  // by what is known: two say it exactly.
  std::array<std::uint8_t, 14> bytes_{};
  std::uint8_t header_bytes_ = 0;
  std::uint8_t header_size_ = 2;
  Header header_;
  std::uint64_t payload_read_ = 0;

  // The message at hand, if one has begun, and how much of it is valid text.
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
// The payload of a close frame: empty for 1005, and the reason cut to fit.
std::string FormatClose(const WebSocketClose& close);
// `payload` is that of a frame that FrameReader has accepted.
WebSocketClose ParseClose(absl::string_view payload);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_WEB_SOCKET_FRAME_H_
