#include "local/bedrock/tokens.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::local::bedrock {
namespace {

constexpr int kAsciiPerToken = 4;
// Characters in a piece of a stream.
constexpr std::size_t kPieceLength = 16;

bool StartsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}
bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Counts tokens character by character. Runs of ASCII share tokens.
class TokenCounter {
 public:
  void Add(char first_byte) {
    if (!IsAscii(first_byte)) {
      ++count_;
      in_token_ = 0;
      return;
    }
    if (in_token_ == 0) ++count_;
    in_token_ = (in_token_ + 1) % kAsciiPerToken;
  }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_ = 0;
  int in_token_ = 0;
};

}  // namespace

std::int64_t CountTokens(absl::string_view text) {
  TokenCounter counter;
  for (const char c : text) {
    if (StartsCharacter(c)) counter.Add(c);
  }
  return counter.count();
}

std::int64_t CountInputTokens(const Question& question) {
  std::int64_t count = CountTokens(question.system);
  for (const Turn& turn : question.turns) count += CountTokens(turn.text);
  for (const Tool& tool : question.tools) {
    count += CountTokens(tool.name) + CountTokens(tool.description) +
             CountTokens(json::WriteValue(tool.schema));
  }
  return std::max<std::int64_t>(count, 1);
}

Reply LimitedReply(std::string text, const Question& question) {
  Reply reply;
  std::size_t end = text.size();
  for (const std::string& stop : question.inference.stop_sequences) {
    end = std::min(end, text.find(stop));
  }
  if (end < text.size()) {
    text.resize(end);
    reply.stop_reason = StopReason::kStopSequence;
  }
  if (question.inference.max_tokens.has_value()) {
    TokenCounter counter;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!StartsCharacter(text[i])) continue;
      counter.Add(text[i]);
      if (counter.count() <= *question.inference.max_tokens) continue;
      text.resize(i);
      reply.stop_reason = StopReason::kMaxTokens;
      break;
    }
  }
  reply.usage = {.input_tokens = CountInputTokens(question),
                 .output_tokens = CountTokens(text)};
  reply.text = std::move(text);
  return reply;
}

std::vector<std::string> StreamPieces(absl::string_view text) {
  std::vector<std::string> pieces;
  std::size_t characters = kPieceLength;
  for (const char c : text) {
    if (StartsCharacter(c) && ++characters > kPieceLength) {
      pieces.emplace_back();
      characters = 1;
    }
    pieces.back() += c;
  }
  return pieces;
}

}  // namespace byoshin::local::bedrock
