#include "local/bedrock/deterministic_model.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/crypto/sha256.h"
#include "core/json/value.h"
#include "local/bedrock/schema_example.h"
#include "local/bedrock/texts.h"
#include "local/bedrock/tokens.h"

namespace byoshin::local::bedrock {
namespace {

// The first bytes of the digest of all that the question consists of. The model
// is not part of it: a profile answers as its model.
std::uint64_t SeedOf(const Question& question) {
  std::string all = absl::StrCat(question.system, "\n");
  for (const Turn& turn : question.turns) {
    absl::StrAppend(&all, turn.role == Role::kUser ? "user " : "assistant ",
                    turn.text.size(), "\n", turn.text);
  }
  const auto digest = crypto::Sha256(all);
  std::uint64_t seed = 0;
  for (std::size_t i = 0; i < sizeof(seed); ++i) {
    seed = seed << 8 | static_cast<std::uint8_t>(digest[i]);
  }
  return seed;
}

// The last fenced block that is a JSON object or array.
std::optional<Json::Value> LastJsonBlock(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, "```");
  // Odd parts are inside fences; the last one is not closed.
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (i % 2 == 0 || i + 1 == parts.size()) continue;
    // Without the language: "json\n{…}".
    absl::string_view block = parts[i];
    const std::size_t line = block.find('\n');
    if (line == absl::string_view::npos) continue;
    block.remove_prefix(line);
    absl::StatusOr<Json::Value> value = json::ParseValue(block);
    if (value.ok() && (value->isObject() || value->isArray())) {
      return *std::move(value);
    }
  }
  return std::nullopt;
}

std::optional<Json::Value> DemandedJson(const Question& question) {
  for (auto turn = question.turns.rbegin(); turn != question.turns.rend();
       ++turn) {
    if (turn->role != Role::kUser) continue;
    if (std::optional<Json::Value> block = LastJsonBlock(turn->text)) {
      return block;
    }
  }
  return LastJsonBlock(question.system);
}

// The first question has the topic; later ones may only complain.
std::string TopicText(const Question& question) {
  std::string text;
  for (const Turn& turn : question.turns) {
    if (turn.role == Role::kUser) absl::StrAppend(&text, turn.text, "\n");
  }
  return text;
}

}  // namespace

void DeterministicModel::Ask(const Question& question, OnReply done) {
  const std::uint64_t seed = SeedOf(question);
  const Subject subject = SubjectOf(TopicText(question));
  if (question.forced_tool != nullptr) {
    Reply reply{.stop_reason = StopReason::kToolUse};
    reply.tool_use = ToolUse{
        .id = absl::StrFormat("tooluse_%016x", seed),
        .name = question.forced_tool->name,
        .input = ExampleFor(question.forced_tool->schema, subject, seed)};
    reply.usage = {
        .input_tokens = CountInputTokens(question),
        .output_tokens = CountTokens(json::WriteValue(reply.tool_use->input))};
    return done(std::move(reply));
  }
  const std::optional<Json::Value> demanded = DemandedJson(question);
  if (!demanded.has_value()) {
    return done(LimitedReply(ProseText(subject, seed % 4096), question));
  }
  const Json::Value value = IsSchema(*demanded)
                                ? ExampleFor(*demanded, subject, seed)
                                : ExampleLike(*demanded, subject, seed);
  done(LimitedReply(json::WriteValue(value), question));
}

Reply GarbageReply(const Question& question) {
  return LimitedReply(R"(Sure! {"items": [{"title": "Lorem ipsum", "note")",
                      question);
}

}  // namespace byoshin::local::bedrock
