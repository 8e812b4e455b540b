#include "core/http/web_socket_frame.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/json/text.h"

namespace byoshin::http {
namespace {

constexpr std::uint8_t kLastFrame = 0x80;
constexpr std::uint8_t kReservedBits = 0x70;
constexpr std::uint8_t kOpcodeBits = 0x0f;
constexpr std::uint8_t kMasked = 0x80;
constexpr std::uint8_t kLengthBits = 0x7f;
// Values that mean that the length follows in two or eight bytes.
constexpr std::uint8_t kLengthIn2Bytes = 126;
constexpr std::uint8_t kLengthIn8Bytes = 127;
constexpr std::size_t kMaskBytes = 4;
constexpr std::size_t kLongestSequence = 4;

bool IsOpcode(std::uint8_t value) {
  return value <= static_cast<std::uint8_t>(Opcode::kBinary) ||
         (value >= static_cast<std::uint8_t>(Opcode::kClose) &&
          value <= static_cast<std::uint8_t>(Opcode::kPong));
}

std::size_t LengthBytes(std::uint8_t length) {
  return length == kLengthIn8Bytes ? 8 : length == kLengthIn2Bytes ? 2 : 0;
}

std::uint64_t ReadBigEndian(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

// Applies the mask to `count` bytes; the first is at `position` in its frame.
void Unmask(char* data, std::size_t count,
            const std::array<std::uint8_t, kMaskBytes>& mask,
            std::uint64_t position) {
  std::array<std::uint8_t, 8> key;
  for (std::size_t i = 0; i < key.size(); ++i) {
    key[i] = mask[(position + i) % kMaskBytes];
  }
  std::uint64_t key_word;
  std::memcpy(&key_word, key.data(), sizeof(key_word));
  std::size_t i = 0;
  for (; i + sizeof(key_word) <= count; i += sizeof(key_word)) {
    std::uint64_t word;
    std::memcpy(&word, data + i, sizeof(word));
    word ^= key_word;
    std::memcpy(data + i, &word, sizeof(word));
  }
  for (; i < count; ++i) {
    data[i] = static_cast<char>(data[i] ^ key[i % key.size()]);
  }
}

// How many bytes of `text`, from its beginning, are ASCII, at least.
std::size_t AsciiPrefix(absl::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof(word));
    if ((word & kHighBits) != 0) break;
  }
  return i;
}

// How many bytes of `text`, from its beginning, are whole UTF-8 sequences.
std::size_t Utf8Prefix(absl::string_view text) {
  std::size_t i = AsciiPrefix(text);
  while (i < text.size()) {
    const std::size_t length = json::Utf8SequenceLength(text.substr(i));
    if (length == 0) break;
    i += length;
    if (length == 1) i += AsciiPrefix(text.substr(i));
  }
  return i;
}

}  // namespace

std::optional<ReceivedFrame> FrameReader::Next(absl::string_view& data) {
  while (!finished_) {
    if (in_header()) ReadHeader(data);
    if (finished_ || in_header()) break;
    ReadPayload(data);
    if (finished_ || payload_read_ < header_.payload_bytes) break;
    std::optional<ReceivedFrame> frame = FinishFrame();
    if (frame.has_value()) return frame;
  }
  data.remove_prefix(data.size());
  return std::nullopt;
}

void FrameReader::ReadHeader(absl::string_view& data) {
  while (in_header()) {
    const std::size_t count =
        std::min<std::size_t>(header_size_ - header_bytes_, data.size());
    if (count == 0) return;
    std::memcpy(bytes_.data() + header_bytes_, data.data(), count);
    data.remove_prefix(count);
    header_bytes_ += count;
    if (header_bytes_ == 2) CheckStart();
    if (finished_) return;
  }
  FinishHeader();
}

// Parses the first two bytes.
void FrameReader::CheckStart() {
  if ((bytes_[0] & kReservedBits) != 0) {
    return Fail(kCloseProtocolError, "reserved bits are set in a frame");
  }
  if (!IsOpcode(bytes_[0] & kOpcodeBits)) {
    return Fail(kCloseProtocolError, "a frame has a reserved opcode");
  }
  if ((bytes_[1] & kMasked) == 0) {
    return Fail(kCloseProtocolError, "a frame is not masked");
  }
  header_.is_last = (bytes_[0] & kLastFrame) != 0;
  header_.opcode = static_cast<Opcode>(bytes_[0] & kOpcodeBits);
  const std::uint8_t length = bytes_[1] & kLengthBits;
  if (is_control()) {
    if (!header_.is_last) {
      return Fail(kCloseProtocolError, "a control frame is fragmented");
    }
    if (length > kMaxControlBytes) {
      return Fail(kCloseProtocolError,
                  "a control frame is longer than 125 bytes");
    }
  } else if (header_.opcode == Opcode::kContinuation) {
    if (!message_opcode_.has_value()) {
      return Fail(kCloseProtocolError,
                  "a frame continues a message that has not begun");
    }
  } else if (message_opcode_.has_value()) {
    return Fail(kCloseProtocolError,
                "a message begins before the one before it has ended");
  }
  header_size_ = 2 + LengthBytes(length) + kMaskBytes;
}

void FrameReader::FinishHeader() {
  const std::uint8_t length = bytes_[1] & kLengthBits;
  const std::size_t length_bytes = LengthBytes(length);
  header_.payload_bytes =
      length_bytes == 0 ? length : ReadBigEndian(&bytes_[2], length_bytes);
  std::copy_n(bytes_.begin() + 2 + length_bytes, kMaskBytes,
              header_.mask.begin());
  payload_read_ = 0;
  if (!is_control()) CheckLength();
}

void FrameReader::CheckLength() {
  const std::uint64_t bytes = header_.payload_bytes;
  const std::size_t length_bytes = LengthBytes(bytes_[1] & kLengthBits);
  if ((length_bytes == 2 && bytes < kLengthIn2Bytes) ||
      (length_bytes == 8 && bytes <= 0xffff)) {
    return Fail(kCloseProtocolError,
                "a frame's length is not in its shortest form");
  }
  if (bytes >> 63 != 0) {
    return Fail(kCloseProtocolError, "a frame's length is negative");
  }
  if (bytes > max_message_bytes_ - message_.size()) {
    return Fail(kCloseMessageTooBig,
                absl::StrCat("a message is longer than ", max_message_bytes_,
                             " bytes"));
  }
  if (header_.opcode != Opcode::kContinuation) {
    message_opcode_ = header_.opcode;
  }
}

void FrameReader::ReadPayload(absl::string_view& data) {
  const std::size_t count = std::min<std::uint64_t>(
      header_.payload_bytes - payload_read_, data.size());
  std::string& payload = is_control() ? control_ : message_;
  payload.append(data.data(), count);
  data.remove_prefix(count);
  Unmask(payload.data() + payload.size() - count, count, header_.mask,
         payload_read_);
  payload_read_ += count;
  if (!is_control()) {
    CheckText(header_.is_last && payload_read_ == header_.payload_bytes);
  }
}

// Checks the new part of the message, so that invalid text is rejected before
// the message ends. A sequence may still be incomplete, unless the message is
// complete.
void FrameReader::CheckText(bool whole) {
  if (message_opcode_ != Opcode::kText) return;
  const absl::string_view rest = absl::string_view(message_).substr(checked_);
  const std::size_t valid = Utf8Prefix(rest);
  checked_ += valid;
  const std::size_t left = rest.size() - valid;
  if (left >= kLongestSequence || (whole && left > 0)) {
    Fail(kCloseInvalidText, "a text message is not UTF-8");
  }
}

std::optional<ReceivedFrame> FrameReader::FinishFrame() {
  header_bytes_ = 0;
  header_size_ = 2;
  if (is_control()) {
    ReceivedFrame frame = {header_.opcode, std::exchange(control_, {})};
    if (frame.opcode != Opcode::kClose) return frame;
    finished_ = true;
    const absl::string_view payload = frame.data;
    if (payload.empty()) return frame;
    if (payload.size() == 1 || !IsCloseCode(ParseClose(payload).code)) {
      Fail(kCloseProtocolError, "a close frame has an invalid code");
    } else if (Utf8Prefix(payload.substr(2)) != payload.size() - 2) {
      Fail(kCloseInvalidText, "the reason of a close frame is not UTF-8");
    }
    if (failure_.has_value()) return std::nullopt;
    return frame;
  }
  if (!header_.is_last) return std::nullopt;
  checked_ = 0;
  const Opcode opcode = *std::exchange(message_opcode_, std::nullopt);
  return ReceivedFrame{opcode, std::exchange(message_, {})};
}

void FrameReader::Fail(std::uint16_t code, absl::string_view reason) {
  finished_ = true;
  failure_ = {code, std::string(reason)};
  message_ = std::string();
}

FrameHeader FormatFrameHeader(Opcode opcode, std::uint64_t payload_bytes) {
  FrameHeader header;
  header.text[0] = static_cast<char>(kLastFrame | static_cast<int>(opcode));
  const std::uint8_t length = payload_bytes < kLengthIn2Bytes ? payload_bytes
                              : payload_bytes <= 0xffff       ? kLengthIn2Bytes
                                                              : kLengthIn8Bytes;
  header.text[1] = static_cast<char>(length);
  const std::size_t length_bytes = LengthBytes(length);
  for (std::size_t i = 0; i < length_bytes; ++i) {
    header.text[2 + i] =
        static_cast<char>(payload_bytes >> (8 * (length_bytes - 1 - i)));
  }
  header.size = 2 + length_bytes;
  return header;
}

bool IsCloseCode(std::uint16_t code) {
  if (code >= 3000 && code <= 4999) return true;
  // The others are unassigned, or may not be sent: 1004 to 1006, 1015.
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

std::string FormatClose(const WebSocketClose& close) {
  if (close.code == kCloseNoCode) return "";
  const absl::string_view reason =
      absl::string_view(close.reason).substr(0, kMaxControlBytes - 2);
  std::string payload = {static_cast<char>(close.code >> 8),
                         static_cast<char>(close.code & 0xff)};
  absl::StrAppend(&payload, reason.substr(0, Utf8Prefix(reason)));
  return payload;
}

WebSocketClose ParseClose(absl::string_view payload) {
  if (payload.size() < 2) return {.code = kCloseNoCode};
  const auto code =
      static_cast<std::uint16_t>(static_cast<unsigned char>(payload[0]) << 8 |
                                 static_cast<unsigned char>(payload[1]));
  return {.code = code, .reason = std::string(payload.substr(2))};
}

}  // namespace byoshin::http
