#include "core/http/testing/web_socket_client.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "gtest/gtest.h"

namespace byoshin::http::testing {
namespace {

constexpr std::array<char, 4> kMask = {0x12, 0x34, 0x56, 0x78};

std::string BigEndian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) {
    text.push_back(static_cast<char>(value >> (8 * i)));
  }
  return text;
}

std::uint64_t FromBigEndian(absl::string_view bytes) {
  std::uint64_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

}  // namespace

std::string WebSocketRequest(absl::string_view target,
                             absl::string_view headers) {
  return absl::StrCat("GET ", target,
                      " HTTP/1.1\r\n"
                      "Host: x\r\n"
                      "Upgrade: websocket\r\n"
                      "Connection: Upgrade\r\n"
                      "Sec-WebSocket-Version: 13\r\n"
                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                      headers, "\r\n");
}

std::string ClientFrame(std::uint8_t first_byte, absl::string_view payload) {
  std::string frame(1, static_cast<char>(first_byte));
  const std::size_t size = payload.size();
  if (size < 126) {
    absl::StrAppend(&frame, BigEndian(0x80 | size, 1));
  } else if (size <= 0xffff) {
    absl::StrAppend(&frame, BigEndian(0x80 | 126, 1), BigEndian(size, 2));
  } else {
    absl::StrAppend(&frame, BigEndian(0x80 | 127, 1), BigEndian(size, 8));
  }
  frame.append(kMask.data(), kMask.size());
  for (std::size_t i = 0; i < size; ++i) {
    frame.push_back(static_cast<char>(payload[i] ^ kMask[i % kMask.size()]));
  }
  return frame;
}

std::string ClosePayload(std::uint16_t code, absl::string_view reason) {
  return absl::StrCat(BigEndian(code, 2), reason);
}

WebSocketClient::WebSocketClient(std::uint16_t port, absl::string_view request)
    : socket_(port) {
  socket_.Send(request);
  handshake_ = socket_.ReadResponse();
  EXPECT_EQ(handshake_.status, 101) << handshake_.body;
}

WebSocketClient::Frame WebSocketClient::ReadFrame() {
  const std::string start = socket_.Read(2);
  if (start.size() < 2) {
    ADD_FAILURE() << "the end, and no frame";
    return {};
  }
  std::uint64_t size = static_cast<unsigned char>(start[1]);
  EXPECT_LT(size, 0x80) << "a server's frame is masked";
  if (size == 126) {
    size = FromBigEndian(socket_.Read(2));
  } else if (size == 127) {
    size = FromBigEndian(socket_.Read(8));
  }
  Frame frame = {static_cast<std::uint8_t>(start[0]), socket_.Read(size)};
  EXPECT_EQ(frame.payload.size(), size) << "the end within a frame";
  return frame;
}

std::string WebSocketClient::ReadText() {
  const Frame frame = ReadFrame();
  EXPECT_EQ(frame.first_byte, kTextFrame);
  return frame.payload;
}

WebSocketClose WebSocketClient::ReadClose() {
  const Frame frame = ReadFrame();
  EXPECT_EQ(frame.first_byte, kCloseFrame) << frame.payload;
  const absl::string_view payload = frame.payload;
  if (payload.size() < 2) return {.code = kCloseNoCode};
  return {static_cast<std::uint16_t>(FromBigEndian(payload.substr(0, 2))),
          std::string(payload.substr(2))};
}

}  // namespace byoshin::http::testing
