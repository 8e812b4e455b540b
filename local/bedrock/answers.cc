#include "local/bedrock/answers.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/bedrock/event_stream.h"
#include "local/bedrock/tokens.h"
#include "local/gateway/error.h"
#include "local/gateway/rest.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kInvocationMetrics[] = "amazon-bedrock-invocationMetrics";

// The errors that both kinds of streams have under their own names.
constexpr std::pair<absl::string_view, const char*> kStreamExceptions[] = {
    {"InternalServerException", "internalServerException"},
    {"ServiceUnavailableException", "serviceUnavailableException"},
    {"ThrottlingException", "throttlingException"},
    {"ValidationException", "validationException"},
};

std::string ConverseStop(StopReason reason) {
  switch (reason) {
    case StopReason::kMaxTokens:
      return "max_tokens";
    case StopReason::kStopSequence:
      return "stop_sequence";
    case StopReason::kToolUse:
      return "tool_use";
    case StopReason::kEndTurn:
      break;
  }
  return "end_turn";
}

Json::Value UsageJson(const Usage& usage) {
  Json::Value value(Json::objectValue);
  value["inputTokens"] = Json::Int64(usage.input_tokens);
  value["outputTokens"] = Json::Int64(usage.output_tokens);
  value["totalTokens"] = Json::Int64(usage.input_tokens + usage.output_tokens);
  return value;
}

Json::Value MetricsJson(absl::Duration latency) {
  Json::Value value(Json::objectValue);
  value["latencyMs"] = Json::Int64(absl::ToInt64Milliseconds(latency));
  return value;
}

Json::Value MessageJson(const Reply& reply) {
  Json::Value message(Json::objectValue);
  message["role"] = "assistant";
  message["content"] = Json::Value(Json::arrayValue);
  if (!reply.text.empty() || !reply.tool_use.has_value()) {
    Json::Value block(Json::objectValue);
    block["text"] = reply.text;
    message["content"].append(std::move(block));
  }
  if (reply.tool_use.has_value()) {
    Json::Value block(Json::objectValue);
    block["toolUse"]["toolUseId"] = reply.tool_use->id;
    block["toolUse"]["name"] = reply.tool_use->name;
    block["toolUse"]["input"] = reply.tool_use->input;
    message["content"].append(std::move(block));
  }
  return message;
}

// What Converse and Nova's InvokeModel have in common.
Json::Value OutputJson(const Reply& reply) {
  Json::Value value(Json::objectValue);
  value["output"]["message"] = MessageJson(reply);
  value["stopReason"] = ConverseStop(reply.stop_reason);
  value["usage"] = UsageJson(reply.usage);
  return value;
}

Json::Value AnthropicUsage(const Usage& usage) {
  Json::Value value(Json::objectValue);
  value["input_tokens"] = Json::Int64(usage.input_tokens);
  value["output_tokens"] = Json::Int64(usage.output_tokens);
  return value;
}

Json::Value AnthropicMessage(const Reply& reply, absl::string_view model) {
  Json::Value value(Json::objectValue);
  value["id"] = absl::StrCat("msg_bdrk_", random::NewHex());
  value["type"] = "message";
  value["role"] = "assistant";
  value["model"] = std::string(model);
  value["content"] = Json::Value(Json::arrayValue);
  Json::Value block(Json::objectValue);
  block["type"] = "text";
  block["text"] = reply.text;
  value["content"].append(std::move(block));
  value["stop_reason"] = ConverseStop(reply.stop_reason);
  value["stop_sequence"] = Json::Value();
  value["usage"] = AnthropicUsage(reply.usage);
  return value;
}

Json::Value Typed(const char* type) {
  Json::Value value(Json::objectValue);
  value["type"] = type;
  return value;
}

// What InvokeModel adds to the last chunk of a stream.
Json::Value InvocationMetrics(const Reply& reply, absl::Duration latency) {
  Json::Value metrics(Json::objectValue);
  metrics["inputTokenCount"] = Json::Int64(reply.usage.input_tokens);
  metrics["outputTokenCount"] = Json::Int64(reply.usage.output_tokens);
  metrics["invocationLatency"] =
      Json::Int64(absl::ToInt64Milliseconds(latency));
  metrics["firstByteLatency"] = metrics["invocationLatency"];
  return metrics;
}

}  // namespace

Answer ConverseAnswer(const Reply& reply, absl::Duration latency) {
  Json::Value value = OutputJson(reply);
  value["metrics"] = MetricsJson(latency);
  return RestAnswer(value);
}

Answer InvokeAnswer(const Reply& reply, const InvokeAnswerOptions& options) {
  Answer answer = RestAnswer(options.shape == InvokeShape::kAnthropic
                                 ? AnthropicMessage(reply, options.model)
                                 : OutputJson(reply));
  answer.headers = {{"x-amzn-bedrock-input-token-count",
                     absl::StrCat(reply.usage.input_tokens)},
                    {"x-amzn-bedrock-output-token-count",
                     absl::StrCat(reply.usage.output_tokens)},
                    {"x-amzn-bedrock-invocation-latency",
                     absl::StrCat(absl::ToInt64Milliseconds(options.latency))}};
  return answer;
}

std::vector<ReplyPiece> PiecesOf(const Reply& reply) {
  std::vector<ReplyPiece> pieces;
  for (std::string& text : StreamPieces(reply.text)) {
    pieces.push_back({.text = std::move(text)});
  }
  if (!reply.tool_use.has_value()) return pieces;
  pieces.push_back({.tool = ToolUse{.id = reply.tool_use->id,
                                    .name = reply.tool_use->name}});
  for (std::string& input :
       StreamPieces(json::WriteValue(reply.tool_use->input))) {
    pieces.push_back({.tool_input = std::move(input)});
  }
  return pieces;
}

Answer StreamEncoder::Head() const {
  Answer answer{.content_type = kEventStreamType};
  if (options_.kind != Kind::kConverse) {
    answer.headers = {{"x-amzn-bedrock-content-type", kRestContentType}};
  }
  return answer;
}

std::string StreamEncoder::EncodeChunk(const Json::Value& chunk) const {
  Json::Value payload(Json::objectValue);
  payload["bytes"] = absl::Base64Escape(json::WriteValue(chunk));
  return EncodeEvent({.type = "chunk", .payload = json::WriteValue(payload)});
}

// An event of Converse, which Nova's InvokeModel streams in chunks.
std::string StreamEncoder::EncodeNamed(const char* name,
                                       Json::Value event) const {
  if (options_.kind == Kind::kConverse) {
    return EncodeEvent({.type = name, .payload = json::WriteValue(event)});
  }
  Json::Value chunk(Json::objectValue);
  chunk[name] = std::move(event);
  return EncodeChunk(chunk);
}

std::string StreamEncoder::Begin() {
  if (options_.kind != Kind::kInvokeAnthropic) {
    Json::Value start(Json::objectValue);
    start["role"] = "assistant";
    return EncodeNamed("messageStart", std::move(start));
  }
  Json::Value start = Typed("message_start");
  start["message"] = AnthropicMessage(
      {.usage = {.input_tokens = options_.input_tokens}}, options_.model);
  start["message"]["content"] = Json::Value(Json::arrayValue);
  start["message"]["stop_reason"] = Json::Value();
  Json::Value begin = Typed("content_block_start");
  begin["index"] = 0;
  begin["content_block"] = Typed("text");
  begin["content_block"]["text"] = "";
  return EncodeChunk(start) + EncodeChunk(begin);
}

std::string StreamEncoder::Encode(const ReplyPiece& piece) {
  if (options_.kind == Kind::kInvokeAnthropic) {
    Json::Value delta = Typed("content_block_delta");
    delta["index"] = 0;
    delta["delta"] = Typed("text_delta");
    delta["delta"]["text"] = piece.text;
    return EncodeChunk(delta);
  }
  if (piece.tool.has_value()) {
    std::string events = EndBlock();
    Json::Value begin(Json::objectValue);
    begin["start"]["toolUse"]["toolUseId"] = piece.tool->id;
    begin["start"]["toolUse"]["name"] = piece.tool->name;
    begin["contentBlockIndex"] = index_;
    in_block_ = true;
    return events + EncodeNamed("contentBlockStart", std::move(begin));
  }
  in_block_ = true;
  Json::Value event(Json::objectValue);
  if (piece.tool_input.empty()) {
    event["delta"]["text"] = piece.text;
  } else {
    event["delta"]["toolUse"]["input"] = piece.tool_input;
  }
  event["contentBlockIndex"] = index_;
  return EncodeNamed("contentBlockDelta", std::move(event));
}

std::string StreamEncoder::EndBlock() {
  if (!std::exchange(in_block_, false)) return "";
  Json::Value stop(Json::objectValue);
  stop["contentBlockIndex"] = index_++;
  return EncodeNamed("contentBlockStop", std::move(stop));
}

std::string StreamEncoder::End(const Reply& reply, absl::Duration latency) {
  if (options_.kind == Kind::kInvokeAnthropic) {
    Json::Value end = Typed("content_block_stop");
    end["index"] = 0;
    Json::Value stop = Typed("message_delta");
    stop["delta"]["stop_reason"] = ConverseStop(reply.stop_reason);
    stop["usage"] = AnthropicUsage(reply.usage);
    Json::Value last = Typed("message_stop");
    last[kInvocationMetrics] = InvocationMetrics(reply, latency);
    return EncodeChunk(end) + EncodeChunk(stop) + EncodeChunk(last);
  }
  // An empty reply has an empty block.
  in_block_ = in_block_ || index_ == 0;
  std::string events = EndBlock();
  Json::Value stop(Json::objectValue);
  stop["stopReason"] = ConverseStop(reply.stop_reason);
  events += EncodeNamed("messageStop", std::move(stop));
  Json::Value metadata(Json::objectValue);
  metadata["usage"] = UsageJson(reply.usage);
  metadata["metrics"] = MetricsJson(latency);
  if (options_.kind == Kind::kConverse) {
    return events + EncodeNamed("metadata", std::move(metadata));
  }
  Json::Value chunk(Json::objectValue);
  chunk["metadata"] = std::move(metadata);
  chunk[kInvocationMetrics] = InvocationMetrics(reply, latency);
  return events + EncodeChunk(chunk);
}

std::string StreamEncoder::Fail(const absl::Status& error) const {
  const ErrorAnswer fields = ErrorAnswerOf(error);
  const char* type = "modelStreamErrorException";
  for (const auto& [code, member] : kStreamExceptions) {
    if (fields.code == code) type = member;
  }
  if (fields.code == "ModelTimeoutException" &&
      options_.kind != Kind::kConverse) {
    type = "modelTimeoutException";
  }
  Json::Value payload(Json::objectValue);
  payload["message"] = fields.message;
  return EncodeException({.type = type, .payload = json::WriteValue(payload)});
}

}  // namespace byoshin::local::bedrock
