#include "local/bedrock/requests.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/bedrock/errors.h"
#include "local/gateway/constraints.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kInferenceConfig[] = "inferenceConfig";
constexpr Json::ArrayIndex kMaxStopSequences = 2500;
// What the local models don't read, and what it is called.
constexpr const char* kMediaBlocks[] = {"image", "document", "video", "audio"};
// Blocks without text for the model.
constexpr const char* kSilentBlocks[] = {"cachePoint", "reasoningContent",
                                         "toolUse", "guardContent"};

absl::Status Malformed() {
  return ValidationError(
      "Malformed input request, please reformat your input and try again.");
}

// The list, which may be missing; null if it is something else.
const Json::Value* FindList(const Json::Value& object, const char* name) {
  static const auto* const empty = new Json::Value(Json::arrayValue);
  const Json::Value& list = object[name];
  if (list.isNull()) return empty;
  return list.isArray() ? &list : nullptr;
}

void AppendText(const std::string& text, std::string& out) {
  absl::StrAppend(&out, out.empty() ? "" : "\n", text);
}

// The text of what a tool has returned.
absl::Status ReadToolResult(const Json::Value& result, std::string& text) {
  const Json::Value* content =
      result.isObject() ? FindList(result, "content") : nullptr;
  if (content == nullptr) return Malformed();
  for (const Json::Value& part : *content) {
    if (!part.isObject()) return Malformed();
    if (part.isMember("text") && part["text"].isString()) {
      AppendText(part["text"].asString(), text);
    } else if (part.isMember("json")) {
      AppendText(json::WriteValue(part["json"]), text);
    }
  }
  return absl::OkStatus();
}

absl::Status ReadBlock(const Json::Value& block, const std::string& where,
                       std::string& text) {
  if (!block.isObject()) return Malformed();
  if (block.isMember("text")) {
    if (!block["text"].isString()) return Malformed();
    const std::string part = block["text"].asString();
    if (absl::StripAsciiWhitespace(part).empty()) {
      return ValidationError(absl::StrCat(
          "The text field in the ContentBlock object at ", where,
          " is blank. Add text to the text field, and try again."));
    }
    AppendText(part, text);
    return absl::OkStatus();
  }
  if (block.isMember("toolResult")) {
    return ReadToolResult(block["toolResult"], text);
  }
  for (const char* kind : kMediaBlocks) {
    if (!block.isMember(kind)) continue;
    return ValidationError(absl::StrCat("This model doesn't support the ", kind,
                                        " field. Remove ", kind,
                                        " and try again."));
  }
  for (const char* kind : kSilentBlocks) {
    if (block.isMember(kind)) return absl::OkStatus();
  }
  return ValidationError(
      absl::StrCat("The ContentBlock object at ", where,
                   " must set one of the following keys: text, toolUse, "
                   "toolResult."));
}

absl::StatusOr<Turn> ReadTurn(const Json::Value& message,
                              const std::string& where) {
  if (!message.isObject()) return Malformed();
  Turn turn;
  const std::string role = json::TextMember(message, "role");
  if (role != "user" && role != "assistant") {
    ConstraintErrors errors;
    errors.Add(absl::StrCat(where, ".member.role"), message["role"],
               role.empty() ? kMustNotBeNull
                            : "Member must satisfy enum value set: [user, "
                              "assistant]");
    return ValidationError(errors.Message());
  }
  turn.role = role == "user" ? Role::kUser : Role::kAssistant;
  const Json::Value* content = FindList(message, "content");
  if (content == nullptr) return Malformed();
  if (content->empty()) {
    return ValidationError(absl::StrCat(
        "The content field in the Message object at ", where,
        " is empty. Add a ContentBlock object to the content field and try "
        "again."));
  }
  for (Json::ArrayIndex i = 0; i < content->size(); ++i) {
    if (absl::Status read = ReadBlock(
            (*content)[i], absl::StrCat(where, ".content.", i), turn.text);
        !read.ok()) {
      return read;
    }
  }
  return turn;
}

absl::Status ReadTurns(const Json::Value& request, Question& question) {
  const Json::Value* messages = FindList(request, "messages");
  if (messages == nullptr) return Malformed();
  for (Json::ArrayIndex i = 0; i < messages->size(); ++i) {
    absl::StatusOr<Turn> turn =
        ReadTurn((*messages)[i], absl::StrCat("messages.", i));
    if (!turn.ok()) return turn.status();
    if (i == 0 && turn->role != Role::kUser) {
      return ValidationError(
          "A conversation must start with a user message. Try again with a "
          "conversation that starts with a user message.");
    }
    if (i > 0 && turn->role == question.turns.back().role) {
      return ValidationError(
          "A conversation must alternate between user and assistant roles. "
          "Make sure the conversation alternates between user and assistant "
          "roles and try again.");
    }
    question.turns.push_back(*std::move(turn));
  }
  if (question.turns.empty()) {
    return ValidationError(
        "The messages field is empty. Add a message to the messages field and "
        "try again.");
  }
  return absl::OkStatus();
}

absl::Status ReadSystem(const Json::Value& request, Question& question) {
  const Json::Value* system = FindList(request, "system");
  if (system == nullptr) return Malformed();
  for (Json::ArrayIndex i = 0; i < system->size(); ++i) {
    const Json::Value& block = (*system)[i];
    if (block.isObject() && block.isMember("cachePoint")) continue;
    if (!block.isObject() || !block["text"].isString()) return Malformed();
    AppendText(block["text"].asString(), question.system);
  }
  return absl::OkStatus();
}

// A number from 0 to 1.
absl::Status ReadShare(const Json::Value& config, const char* name,
                       std::optional<double>& share) {
  const Json::Value& value = config[name];
  if (value.isNull()) return absl::OkStatus();
  if (!value.isNumeric()) return Malformed();
  ConstraintErrors errors;
  const std::string path = absl::StrCat(kInferenceConfig, ".", name);
  if (value.asDouble() < 0) {
    errors.Add(path, value,
               "Member must have value greater than or equal to 0");
  } else if (value.asDouble() > 1) {
    errors.Add(path, value, "Member must have value less than or equal to 1");
  }
  if (!errors.empty()) return ValidationError(errors.Message());
  share = value.asDouble();
  return absl::OkStatus();
}

absl::Status ReadInference(const Json::Value& request, Inference& inference) {
  const Json::Value& config = request[kInferenceConfig];
  if (config.isNull()) return absl::OkStatus();
  if (!config.isObject()) return Malformed();
  const Json::Value& max = config["maxTokens"];
  if (!max.isNull()) {
    if (!max.isInt64()) return Malformed();
    ConstraintErrors errors;
    errors.CheckValue(absl::StrCat(kInferenceConfig, ".maxTokens"), max,
                      {.min = 1});
    if (!errors.empty()) return ValidationError(errors.Message());
    inference.max_tokens = max.asInt64();
  }
  const Json::Value* stops = FindList(config, "stopSequences");
  if (stops == nullptr || stops->size() > kMaxStopSequences) return Malformed();
  for (const Json::Value& stop : *stops) {
    if (!stop.isString() || stop.asString().empty()) return Malformed();
    inference.stop_sequences.push_back(stop.asString());
  }
  absl::Status read = ReadShare(config, "temperature", inference.temperature);
  if (read.ok()) read = ReadShare(config, "topP", inference.top_p);
  return read;
}

absl::Status ReadTools(const Json::Value& request, Question& question) {
  const Json::Value& config = request["toolConfig"];
  if (config.isNull()) return absl::OkStatus();
  if (!config.isObject()) return Malformed();
  const Json::Value* tools = FindList(config, "tools");
  if (tools == nullptr) return Malformed();
  for (const Json::Value& entry : *tools) {
    if (entry.isObject() && entry.isMember("cachePoint")) continue;
    if (!entry.isObject() || !entry["toolSpec"].isObject()) {
      return ValidationError("The local Bedrock has toolSpec tools only.");
    }
    const Json::Value& spec = entry["toolSpec"];
    const std::string name = json::TextMember(spec, "name");
    if (name.empty() || !spec["inputSchema"].isObject() ||
        !spec["inputSchema"]["json"].isObject()) {
      return Malformed();
    }
    question.tools.push_back(
        {.name = name,
         .description = json::TextMember(spec, "description"),
         .schema = spec["inputSchema"]["json"]});
  }
  if (question.tools.empty()) {
    return ValidationError(
        "The toolConfig field has no tools. Add a tool and try again.");
  }
  const Json::Value& choice = config["toolChoice"];
  if (!choice.isObject()) return absl::OkStatus();
  if (choice.isMember("any")) question.forced_tool = &question.tools.front();
  if (choice.isMember("tool")) {
    const std::string name = json::TextMember(choice["tool"], "name");
    for (const Tool& tool : question.tools) {
      if (tool.name == name) question.forced_tool = &tool;
    }
    if (question.forced_tool == nullptr) {
      return ValidationError(absl::StrCat("The tool that toolChoice names, ",
                                          name, ", is not one of tools."));
    }
  }
  return absl::OkStatus();
}

// Text, or a list of typed blocks, as a list of Converse's blocks.
Json::Value ConverseBlocks(const Json::Value& content) {
  Json::Value blocks(Json::arrayValue);
  if (content.isString()) {
    Json::Value block(Json::objectValue);
    block["text"] = content;
    blocks.append(std::move(block));
    return blocks;
  }
  if (!content.isArray()) return blocks;
  for (const Json::Value& part : content) {
    Json::Value block(Json::objectValue);
    const std::string type = json::TextMember(part, "type");
    if (type == "text") {
      block["text"] = part["text"];
    } else if (!type.empty()) {
      block[type] = true;
    }
    blocks.append(std::move(block));
  }
  return blocks;
}

// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
absl::StatusOr<Json::Value> ConverseOfAnthropic(const Json::Value& request) {
  if (json::TextMember(request, "anthropic_version") != "bedrock-2023-05-31") {
    return ValidationError("anthropic_version: Field required");
  }
  if (request["max_tokens"].isNull()) {
    return ValidationError("max_tokens: Field required");
  }
  if (request.isMember("tools")) {
    return ValidationError(
        "The local Bedrock has tools in Converse, not in InvokeModel.");
  }
  Json::Value converse(Json::objectValue);
  if (!request["system"].isNull()) {
    converse["system"] = ConverseBlocks(request["system"]);
  }
  if (!request["messages"].isArray()) return Malformed();
  converse["messages"] = Json::Value(Json::arrayValue);
  for (const Json::Value& message : request["messages"]) {
    if (!message.isObject()) return Malformed();
    Json::Value turn(Json::objectValue);
    turn["role"] = message["role"];
    turn["content"] = ConverseBlocks(message["content"]);
    converse["messages"].append(std::move(turn));
  }
  Json::Value& config = converse[kInferenceConfig];
  config["maxTokens"] = request["max_tokens"];
  config["temperature"] = request["temperature"];
  config["topP"] = request["top_p"];
  config["stopSequences"] = request["stop_sequences"];
  return converse;
}

}  // namespace

absl::StatusOr<InvokeShape> ShapeOf(absl::string_view model) {
  if (absl::StartsWith(model, "anthropic.")) return InvokeShape::kAnthropic;
  if (absl::StartsWith(model, "amazon.nova") ||
      absl::StartsWith(model, "byoshin.")) {
    return InvokeShape::kNova;
  }
  return ValidationError(
      "The local Bedrock's InvokeModel takes the requests of Amazon Nova and "
      "Anthropic Claude. Use Converse for other models.");
}

absl::StatusOr<QuestionPtr> ReadConverse(const Json::Value& request,
                                         const std::string& model_id) {
  if (!request.isObject()) return Malformed();
  auto question = std::make_shared<Question>();
  question->model_id = model_id;
  if (!request["guardrailConfig"].isNull()) {
    return ValidationError(
        "The local Bedrock has no guardrails. Remove guardrailConfig and try "
        "again.");
  }
  absl::Status read = ReadTurns(request, *question);
  if (read.ok()) read = ReadSystem(request, *question);
  if (read.ok()) read = ReadInference(request, question->inference);
  if (read.ok()) read = ReadTools(request, *question);
  if (!read.ok()) return read;
  return question;
}

absl::StatusOr<QuestionPtr> ReadInvoke(const Json::Value& request,
                                       InvokeShape shape,
                                       const std::string& model_id) {
  if (!request.isObject()) return Malformed();
  if (shape == InvokeShape::kAnthropic) {
    const absl::StatusOr<Json::Value> converse = ConverseOfAnthropic(request);
    if (!converse.ok()) return converse.status();
    return ReadConverse(*converse, model_id);
  }
  // https://docs.aws.amazon.com/nova/latest/userguide/complete-request-schema.html
  const std::string version = json::TextMember(request, "schemaVersion");
  if (!version.empty() && version != "messages-v1") return Malformed();
  Json::Value converse = request;
  Json::Value& config = converse[kInferenceConfig];
  if (config.isObject() && config.isMember("max_new_tokens")) {
    config["maxTokens"] = config["max_new_tokens"];
  }
  return ReadConverse(converse, model_id);
}

}  // namespace byoshin::local::bedrock
