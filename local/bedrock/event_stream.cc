#include "local/bedrock/event_stream.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "core/crypto/crc32.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kStringHeader = 7;
// Total length, length of the headers, and the checksum of both.
constexpr std::size_t kPreludeSize = 12;
constexpr std::size_t kChecksumSize = 4;

void AppendBigEndian(std::uint64_t number, int bytes, std::string& out) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>((number >> shift) & 0xFF);
  }
}

void AppendHeader(absl::string_view name, absl::string_view value,
                  std::string& out) {
  AppendBigEndian(name.size(), 1, out);
  out.append(name.data(), name.size());
  out += kStringHeader;
  AppendBigEndian(value.size(), 2, out);
  out.append(value.data(), value.size());
}

// The names of the two kinds of messages.
struct MessageKind {
  absl::string_view name;
  absl::string_view type_header;
};

std::string EncodeMessage(const StreamEvent& event, const MessageKind& kind) {
  std::string headers;
  AppendHeader(kind.type_header, event.type, headers);
  AppendHeader(":content-type", "application/json", headers);
  AppendHeader(":message-type", kind.name, headers);
  std::string message;
  AppendBigEndian(
      kPreludeSize + headers.size() + event.payload.size() + kChecksumSize, 4,
      message);
  AppendBigEndian(headers.size(), 4, message);
  AppendBigEndian(crypto::Crc32(message), 4, message);
  message += headers;
  message += event.payload;
  AppendBigEndian(crypto::Crc32(message), 4, message);
  return message;
}

}  // namespace

std::string EncodeEvent(const StreamEvent& event) {
  return EncodeMessage(event, {.name = "event", .type_header = ":event-type"});
}

std::string EncodeException(const StreamEvent& exception) {
  return EncodeMessage(exception,
                       {.name = "exception", .type_header = ":exception-type"});
}

}  // namespace byoshin::local::bedrock
