// Tries the reader of WebSocket frames on any bytes, and on the same bytes cut
// into pieces: the first byte of the input says how.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/web_socket.h"
#include "core/http/web_socket_frame.h"
#include "core/json/text.h"

namespace byoshin::http {
namespace {

constexpr std::size_t kMaxMessageBytes = 300;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    const std::size_t length = json::Utf8SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void CheckFrame(const ReceivedFrame& frame) {
  switch (frame.opcode) {
    case Opcode::kText:
      Require(IsUtf8(frame.data), "text is UTF-8");
      [[fallthrough]];
    case Opcode::kBinary:
      Require(frame.data.size() <= kMaxMessageBytes,
              "a message is within its limit");
      return;
    case Opcode::kClose: {
      const WebSocketClose close = ParseClose(frame.data);
      Require(frame.data.empty() || IsCloseCode(close.code),
              "a close has no code, or one that may be sent");
      Require(IsUtf8(close.reason), "the reason of a close is UTF-8");
      Require(FormatClose(close) == frame.data,
              "a close is confirmed as it came");
      [[fallthrough]];
    }
    case Opcode::kPing:
    case Opcode::kPong:
      Require(frame.data.size() <= kMaxControlBytes,
              "a control frame is within its limit");
      return;
    case Opcode::kContinuation:
      Require(false, "fragments are put together");
  }
}

struct Outcome {
  std::vector<std::pair<Opcode, std::string>> frames;
  // 0 if it did not fail.
  int failure = 0;

  bool operator==(const Outcome&) const = default;
};

Outcome Read(absl::string_view input, std::size_t piece) {
  FrameReader reader(kMaxMessageBytes);
  Outcome outcome;
  while (!input.empty()) {
    absl::string_view next = input.substr(0, piece);
    input.remove_prefix(next.size());
    while (std::optional<ReceivedFrame> frame = reader.Next(next)) {
      Require(!reader.failure().has_value(), "nothing is read after a failure");
      Require(outcome.frames.empty() ||
                  outcome.frames.back().first != Opcode::kClose,
              "nothing is read after a close");
      CheckFrame(*frame);
      outcome.frames.emplace_back(frame->opcode, std::move(frame->data));
    }
    Require(next.empty(), "everything is taken");
  }
  if (reader.failure().has_value()) {
    outcome.failure = reader.failure()->code;
    Require(outcome.failure == kCloseProtocolError ||
                outcome.failure == kCloseInvalidText ||
                outcome.failure == kCloseMessageTooBig,
            "a failure has one of three codes");
    Require(FormatClose(*reader.failure()).size() ==
                reader.failure()->reason.size() + 2,
            "the reason of a failure fits into a close");
  }
  return outcome;
}

}  // namespace
}  // namespace byoshin::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace byoshin::http;  // NOLINT: all of this is about it
  if (size == 0) return 0;
  const absl::string_view input(reinterpret_cast<const char*>(data + 1),
                                size - 1);
  Require(Read(input, std::max<std::size_t>(input.size(), 1)) ==
              Read(input, 1 + data[0] % 16),
          "pieces make no other frames");
  return 0;
}
