#include "local/bedrock/answers.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/bedrock/event_stream.h"
#include "local/bedrock/tokens.h"
#include "local/gateway/rest.h"

namespace byoshin::local::bedrock {
namespace {

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

using NamedEvents = std::vector<std::pair<std::string, Json::Value>>;

void AddBlockStop(int index, NamedEvents& events) {
  Json::Value stop(Json::objectValue);
  stop["contentBlockIndex"] = index;
  events.emplace_back("contentBlockStop", std::move(stop));
}

void AddDelta(const char* kind, Json::Value delta, int index,
              NamedEvents& events) {
  Json::Value event(Json::objectValue);
  event["delta"][kind] = std::move(delta);
  event["contentBlockIndex"] = index;
  events.emplace_back("contentBlockDelta", std::move(event));
}

// The events of ConverseStream, which Nova's InvokeModel streams, too.
NamedEvents ConverseEvents(const Reply& reply, absl::Duration latency) {
  NamedEvents events;
  Json::Value start(Json::objectValue);
  start["role"] = "assistant";
  events.emplace_back("messageStart", std::move(start));
  int index = 0;
  if (!reply.text.empty() || !reply.tool_use.has_value()) {
    for (std::string& piece : StreamPieces(reply.text)) {
      AddDelta("text", std::move(piece), index, events);
    }
    AddBlockStop(index++, events);
  }
  if (reply.tool_use.has_value()) {
    Json::Value begin(Json::objectValue);
    begin["start"]["toolUse"]["toolUseId"] = reply.tool_use->id;
    begin["start"]["toolUse"]["name"] = reply.tool_use->name;
    begin["contentBlockIndex"] = index;
    events.emplace_back("contentBlockStart", std::move(begin));
    for (std::string& piece :
         StreamPieces(json::WriteValue(reply.tool_use->input))) {
      Json::Value part(Json::objectValue);
      part["input"] = std::move(piece);
      AddDelta("toolUse", std::move(part), index, events);
    }
    AddBlockStop(index, events);
  }
  Json::Value stop(Json::objectValue);
  stop["stopReason"] = ConverseStop(reply.stop_reason);
  events.emplace_back("messageStop", std::move(stop));
  Json::Value metadata(Json::objectValue);
  metadata["usage"] = UsageJson(reply.usage);
  metadata["metrics"] = MetricsJson(latency);
  events.emplace_back("metadata", std::move(metadata));
  return events;
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

std::vector<Json::Value> AnthropicEvents(const Reply& reply,
                                         absl::string_view model) {
  std::vector<Json::Value> events;
  Json::Value start = Typed("message_start");
  start["message"] = AnthropicMessage(reply, model);
  start["message"]["content"] = Json::Value(Json::arrayValue);
  start["message"]["stop_reason"] = Json::Value();
  events.push_back(std::move(start));
  Json::Value begin = Typed("content_block_start");
  begin["index"] = 0;
  begin["content_block"] = Typed("text");
  begin["content_block"]["text"] = "";
  events.push_back(std::move(begin));
  for (std::string& piece : StreamPieces(reply.text)) {
    Json::Value delta = Typed("content_block_delta");
    delta["index"] = 0;
    delta["delta"] = Typed("text_delta");
    delta["delta"]["text"] = std::move(piece);
    events.push_back(std::move(delta));
  }
  Json::Value end = Typed("content_block_stop");
  end["index"] = 0;
  events.push_back(std::move(end));
  Json::Value stop = Typed("message_delta");
  stop["delta"]["stop_reason"] = ConverseStop(reply.stop_reason);
  stop["usage"] = AnthropicUsage(reply.usage);
  events.push_back(std::move(stop));
  events.push_back(Typed("message_stop"));
  return events;
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

Answer ConverseStreamAnswer(const Reply& reply, absl::Duration latency) {
  Answer answer{.content_type = kEventStreamType};
  for (const auto& [name, event] : ConverseEvents(reply, latency)) {
    answer.body +=
        EncodeEvent({.type = name, .payload = json::WriteValue(event)});
  }
  return answer;
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

Answer InvokeStreamAnswer(const Reply& reply,
                          const InvokeAnswerOptions& options) {
  std::vector<Json::Value> chunks;
  if (options.shape == InvokeShape::kAnthropic) {
    chunks = AnthropicEvents(reply, options.model);
  } else {
    for (auto& [name, event] : ConverseEvents(reply, options.latency)) {
      Json::Value chunk(Json::objectValue);
      chunk[name] = std::move(event);
      chunks.push_back(std::move(chunk));
    }
  }
  chunks.back()["amazon-bedrock-invocationMetrics"] =
      InvocationMetrics(reply, options.latency);
  Answer answer{.headers = {{"x-amzn-bedrock-content-type", kRestContentType}},
                .content_type = kEventStreamType};
  for (const Json::Value& chunk : chunks) {
    Json::Value payload(Json::objectValue);
    payload["bytes"] = absl::Base64Escape(json::WriteValue(chunk));
    answer.body +=
        EncodeEvent({.type = "chunk", .payload = json::WriteValue(payload)});
  }
  return answer;
}

}  // namespace byoshin::local::bedrock
