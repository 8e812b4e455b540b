#include "local/bedrock/chat_stream.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "local/bedrock/errors.h"
#include "local/bedrock/model.h"
#include "local/bedrock/tokens.h"

namespace byoshin::local::bedrock {
namespace {

// The status of an answer whose stream is of no use.
constexpr int kStreamStatus = 200;

}  // namespace

StopReason ChatStopReason(const std::string& finish) {
  if (finish == "length") return StopReason::kMaxTokens;
  if (finish == "tool_calls") return StopReason::kToolUse;
  return StopReason::kEndTurn;
}

Usage ChatUsage(const Json::Value& usage, const Reply& reply,
                const Question& question) {
  if (usage.isObject() && usage["prompt_tokens"].isInt64() &&
      usage["completion_tokens"].isInt64()) {
    return {.input_tokens = usage["prompt_tokens"].asInt64(),
            .output_tokens = usage["completion_tokens"].asInt64()};
  }
  return {.input_tokens = CountInputTokens(question),
          .output_tokens = CountTokens(reply.text)};
}

std::vector<ReplyPiece> ChatStream::Feed(absl::string_view data) {
  std::vector<ReplyPiece> pieces;
  for (std::size_t end; (end = data.find('\n')) != absl::string_view::npos;
       data.remove_prefix(end + 1)) {
    absl::StrAppend(&line_, data.substr(0, end));
    ReadLine(line_, pieces);
    line_.clear();
  }
  absl::StrAppend(&line_, data);
  return pieces;
}

void ChatStream::ReadLine(absl::string_view line,
                          std::vector<ReplyPiece>& pieces) {
  // Other fields, comments and empty lines have no meaning here.
  if (!absl::ConsumePrefix(&line, "data:")) return;
  line = absl::StripAsciiWhitespace(line);
  if (line == "[DONE]") {
    finished_ = true;
    return;
  }
  const absl::StatusOr<Json::Value> event = json::ParseValue(line);
  if (!event.ok() || !event->isObject() || event->isMember("error")) {
    failed_ = true;
    return;
  }
  if ((*event)["usage"].isObject()) usage_ = (*event)["usage"];
  const Json::Value& choices = (*event)["choices"];
  if (!choices.isArray() || choices.empty() || !choices[0].isObject()) return;
  ReadDelta(choices[0]["delta"], pieces);
  const std::string finish = json::TextMember(choices[0], "finish_reason");
  if (finish.empty()) return;
  finished_ = true;
  reply_.stop_reason = ChatStopReason(finish);
}

void ChatStream::ReadDelta(const Json::Value& delta,
                           std::vector<ReplyPiece>& pieces) {
  if (!delta.isObject()) return;
  std::string text = json::TextMember(delta, "content");
  if (!text.empty()) {
    reply_.text += text;
    pieces.push_back({.text = std::move(text)});
  }
  const Json::Value& calls = delta["tool_calls"];
  if (!calls.isArray() || calls.empty() || !calls[0].isObject() ||
      !calls[0]["function"].isObject() ||
      (calls[0]["index"].isInt() && calls[0]["index"].asInt() != 0)) {
    return;
  }
  const Json::Value& function = calls[0]["function"];
  if (!reply_.tool_use.has_value()) {
    reply_.tool_use = ToolUse{.id = json::TextMember(calls[0], "id"),
                              .name = json::TextMember(function, "name")};
    pieces.push_back({.tool = reply_.tool_use});
  }
  std::string input = json::TextMember(function, "arguments");
  if (input.empty()) return;
  tool_input_ += input;
  pieces.push_back({.tool_input = std::move(input)});
}

absl::StatusOr<Reply> ChatStream::Finish() {
  if (failed_ || !finished_) {
    return ModelError(question_.model_id, kStreamStatus);
  }
  if (reply_.tool_use.has_value()) {
    absl::StatusOr<Json::Value> input =
        json::ParseValue(tool_input_.empty() ? "{}" : tool_input_);
    if (!input.ok() || !input->isObject()) {
      return ModelError(question_.model_id, kStreamStatus);
    }
    reply_.tool_use->input = *std::move(input);
    reply_.stop_reason = StopReason::kToolUse;
  }
  reply_.usage = ChatUsage(usage_, reply_, question_);
  return std::move(reply_);
}

}  // namespace byoshin::local::bedrock
