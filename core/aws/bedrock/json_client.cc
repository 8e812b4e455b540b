#include "core/aws/bedrock/json_client.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/caller.h"
#include "core/json/value.h"

namespace byoshin::aws::bedrock {
namespace {

constexpr char kOperation[] = "Bedrock Converse";
constexpr std::size_t kMaxResponseBytes = std::size_t{8} << 20;

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(kOperation, ": in the answer, ", what));
}

// A list with one block of text.
Json::Value TextBlocks(const std::string& text) {
  Json::Value blocks(Json::arrayValue);
  blocks[0]["text"] = text;
  return blocks;
}

Json::Value InferenceConfig(const ConverseRequest& request) {
  Json::Value config(Json::objectValue);
  if (request.max_tokens.has_value()) {
    config["maxTokens"] = *request.max_tokens;
  }
  if (request.temperature.has_value()) {
    config["temperature"] = *request.temperature;
  }
  if (request.top_p.has_value()) config["topP"] = *request.top_p;
  for (const std::string& sequence : request.stop_sequences) {
    config["stopSequences"].append(sequence);
  }
  return config;
}

Json::Value InputFor(const ConverseRequest& request) {
  Json::Value input(Json::objectValue);
  input["messages"] = Json::Value(Json::arrayValue);
  for (const Message& message : request.messages) {
    Json::Value item(Json::objectValue);
    item["role"] = message.role == Role::kUser ? "user" : "assistant";
    item["content"] = TextBlocks(message.text);
    input["messages"].append(std::move(item));
  }
  if (!request.system.empty()) input["system"] = TextBlocks(request.system);
  Json::Value config = InferenceConfig(request);
  if (!config.empty()) input["inferenceConfig"] = std::move(config);
  return input;
}

// The member of this name if `json` is an object; otherwise null.
const Json::Value& Get(const Json::Value& json, const char* name) {
  return json.isObject() ? json[name] : Json::Value::nullSingleton();
}

int64_t Count(const Json::Value& usage, const char* name) {
  const Json::Value& count = Get(usage, name);
  return count.isInt64() ? count.asInt64() : 0;
}

absl::StatusOr<ConverseResult> ResultOf(const Json::Value& output) {
  const Json::Value& content =
      Get(Get(Get(output, "output"), "message"), "content");
  if (!content.isArray()) return Damaged("there is no message");
  ConverseResult result{.stop_reason = json::TextMember(output, "stopReason")};
  // Blocks of other kinds, such as the model's reasoning, are not the answer.
  for (const Json::Value& block : content) {
    result.text += json::TextMember(block, "text");
  }
  const Json::Value& usage = Get(output, "usage");
  result.usage = {.input_tokens = Count(usage, "inputTokens"),
                  .output_tokens = Count(usage, "outputTokens"),
                  .total_tokens = Count(usage, "totalTokens")};
  result.latency =
      absl::Milliseconds(Count(Get(output, "metrics"), "latencyMs"));
  return result;
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies,
                       absl::Duration attempt_timeout)
    : protocol_(std::move(dependencies)), attempt_timeout_(attempt_timeout) {}

absl::StatusOr<ConverseResult> JsonClient::Converse(
    const ConverseRequest& request, absl::Time deadline) {
  const absl::StatusOr<Json::Value> output = protocol_.Send(
      {.service = {.name = "bedrock-runtime", .signing_name = "bedrock"},
       .path = {"model", request.model_id, "converse"},
       .operation = kOperation,
       .input = InputFor(request),
       .limits = {.attempt_timeout = attempt_timeout_,
                  .max_response_bytes = kMaxResponseBytes}},
      deadline);
  if (!output.ok()) return output.status();
  return ResultOf(*output);
}

}  // namespace byoshin::aws::bedrock
