#include "local/bedrock/openai_model.h"

#include <json/json.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/bedrock/chat_stream.h"
#include "local/bedrock/errors.h"
#include "local/bedrock/model_id.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kChatPath[] = "/chat/completions";
constexpr absl::Duration kModelServerConnectTimeout = absl::Seconds(5);
constexpr std::size_t kMaxChatBytes = std::size_t{16} << 20;

bool IsEventStream(const http::Response& head) {
  return absl::StartsWithIgnoreCase(head.FindHeader("Content-Type"),
                                    "text/event-stream");
}

Json::Value ChatMessage(const char* role, const std::string& text) {
  Json::Value message(Json::objectValue);
  message["role"] = role;
  message["content"] = text;
  return message;
}

// The server's own words, for errors that the caller can do something about.
std::string ServerMessage(const http::Response& response) {
  const absl::StatusOr<Json::Value> body = json::ParseValue(response.body);
  std::string message;
  if (body.ok() && body->isObject()) {
    message = json::TextMember((*body)["error"], "message");
    if (message.empty()) message = json::TextMember(*body, "error");
  }
  return message.empty() ? absl::StrCat("status ", response.status)
                         : json::Excerpt(message);
}

absl::Status ErrorOfChat(const http::Response& response,
                         const Question& question) {
  switch (response.status) {
    case 400:
    case 413:
    case 422:
      return ValidationError(absl::StrCat(
          "The model server rejected the request: ", ServerMessage(response)));
    case 401:
    case 403:
      return AccessDenied();
    case 404:
      return ModelNotFound();
    case 408:
    case 504:
      return ModelTimeout();
    case 429:
      return TooManyRequests();
    case 503:
      return Unavailable();
    default:
      return ModelError(question.model_id, response.status);
  }
}

std::optional<ToolUse> ToolUseOf(const Json::Value& message) {
  const Json::Value& calls = message["tool_calls"];
  if (!calls.isArray() || calls.empty() || !calls[0].isObject() ||
      !calls[0]["function"].isObject()) {
    return std::nullopt;
  }
  const Json::Value& function = calls[0]["function"];
  absl::StatusOr<Json::Value> input =
      json::ParseValue(json::TextMember(function, "arguments"));
  if (!input.ok() || !input->isObject()) return std::nullopt;
  return ToolUse{.id = json::TextMember(calls[0], "id"),
                 .name = json::TextMember(function, "name"),
                 .input = *std::move(input)};
}

Json::Value ToolsOf(const Question& question) {
  Json::Value tools(Json::arrayValue);
  for (const Tool& tool : question.tools) {
    Json::Value entry(Json::objectValue);
    entry["type"] = "function";
    entry["function"]["name"] = tool.name;
    if (!tool.description.empty()) {
      entry["function"]["description"] = tool.description;
    }
    entry["function"]["parameters"] = tool.schema;
    tools.append(std::move(entry));
  }
  return tools;
}

}  // namespace

absl::StatusOr<std::string> ChatUrl(absl::string_view url) {
  const absl::StatusOr<http::Url> parsed = http::ParseUrl(url);
  if (!parsed.ok()) return parsed.status();
  if (!parsed->query.empty()) {
    return absl::InvalidArgumentError("the URL of a model server has no query");
  }
  absl::string_view path = parsed->path;
  absl::ConsumeSuffix(&path, "/");
  if (path.empty()) path = "/v1";
  absl::ConsumeSuffix(&path, kChatPath);
  return absl::StrCat(http::Origin(*parsed), path, kChatPath);
}

Json::Value ChatRequest(const Question& question, const std::string& name) {
  Json::Value request(Json::objectValue);
  if (name.empty()) {
    const absl::StatusOr<ModelId> id = ParseModelId(question.model_id);
    request["model"] = id.ok() ? id->model : question.model_id;
  } else {
    request["model"] = name;
  }
  request["messages"] = Json::Value(Json::arrayValue);
  if (!question.system.empty()) {
    request["messages"].append(ChatMessage("system", question.system));
  }
  for (const Turn& turn : question.turns) {
    request["messages"].append(ChatMessage(
        turn.role == Role::kUser ? "user" : "assistant", turn.text));
  }
  const Inference& inference = question.inference;
  if (inference.max_tokens.has_value()) {
    request["max_tokens"] = Json::Int64(*inference.max_tokens);
  }
  if (inference.temperature.has_value()) {
    request["temperature"] = *inference.temperature;
  }
  if (inference.top_p.has_value()) request["top_p"] = *inference.top_p;
  for (const std::string& stop : inference.stop_sequences) {
    request["stop"].append(stop);
  }
  if (!question.tools.empty()) request["tools"] = ToolsOf(question);
  if (question.forced_tool != nullptr) {
    request["tool_choice"]["type"] = "function";
    request["tool_choice"]["function"]["name"] = question.forced_tool->name;
  }
  return request;
}

absl::StatusOr<Reply> ReadChatAnswer(const http::Response& response,
                                     const Question& question) {
  if (response.status != 200) return ErrorOfChat(response, question);
  const absl::StatusOr<Json::Value> body = json::ParseValue(response.body);
  if (!body.ok() || !body->isObject() || !(*body)["choices"].isArray() ||
      (*body)["choices"].empty() || !(*body)["choices"][0].isObject() ||
      !(*body)["choices"][0]["message"].isObject()) {
    return ModelError(question.model_id, response.status);
  }
  const Json::Value& choice = (*body)["choices"][0];
  Reply reply{
      .text = json::TextMember(choice["message"], "content"),
      .tool_use = ToolUseOf(choice["message"]),
      .stop_reason = ChatStopReason(json::TextMember(choice, "finish_reason"))};
  if (reply.tool_use.has_value()) reply.stop_reason = StopReason::kToolUse;
  reply.usage = ChatUsage((*body)["usage"], reply, question);
  return reply;
}

OpenAiModel::OpenAiModel(OpenAiOptions options) : options_(std::move(options)) {
  for (int i = 0; i < kModelServerThreads; ++i) {
    threads_.emplace_back([this] { Run(); });
  }
}

OpenAiModel::~OpenAiModel() {
  {
    const sync::MutexLock lock(mutex_);
    stopping_ = true;
    more_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
  std::deque<Job> left;
  {
    const sync::MutexLock lock(mutex_);
    left.swap(jobs_);
  }
  for (Job& job : left) job.done(Unavailable());
}

bool OpenAiModel::stopping() const {
  const sync::MutexLock lock(mutex_);
  return stopping_;
}

void OpenAiModel::Ask(const Question& question, OnReply done) {
  AskInPieces(question, nullptr, std::move(done));
}

void OpenAiModel::AskInPieces(const Question& question, OnPiece on_piece,
                              OnReply done) {
  Job job{.question = question,
          .on_piece = std::move(on_piece),
          .done = std::move(done)};
  if (question.forced_tool != nullptr) {
    for (const Tool& tool : job.question.tools) {
      if (tool.name == question.forced_tool->name) {
        job.question.forced_tool = &tool;
      }
    }
  }
  const sync::MutexLock lock(mutex_);
  jobs_.push_back(std::move(job));
  more_.NotifyOne();
}

void OpenAiModel::Run() {
  const std::unique_ptr<http::Client> client = options_.new_client();
  while (true) {
    std::optional<Job> job;
    {
      const sync::MutexLock lock(mutex_);
      while (!stopping_ && jobs_.empty()) more_.Wait(mutex_);
      if (stopping_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job->done(Complete(*client, *job));
  }
}

http::Request OpenAiModel::RequestFor(const Job& job) const {
  Json::Value body = ChatRequest(job.question, options_.name);
  if (job.on_piece) {
    body["stream"] = true;
    body["stream_options"]["include_usage"] = true;
  }
  http::Request request{.method = "POST",
                        .url = options_.url,
                        .headers = {{"Content-Type", "application/json"}},
                        .body = json::WriteValue(body),
                        .connect_timeout = kModelServerConnectTimeout,
                        .timeout = kModelServerTimeout,
                        .max_response_bytes = kMaxChatBytes,
                        .cancelled = [this, &job] {
                          return stopping() || !job.question.wanted();
                        }};
  if (!options_.api_key.empty()) {
    request.headers.push_back(
        {"Authorization", absl::StrCat("Bearer ", options_.api_key.Reveal())});
  }
  return request;
}

absl::StatusOr<Reply> OpenAiModel::Complete(http::Client& client,
                                            const Job& job) {
  http::Request request = RequestFor(job);
  ChatStream stream(job.question);
  // Of a server that does not stream.
  std::string whole;
  if (job.on_piece) {
    request.on_body = [&](const http::Response& head, absl::string_view data) {
      if (!IsEventStream(head)) {
        whole.append(data.data(), data.size());
        return true;
      }
      for (const ReplyPiece& piece : stream.Feed(data)) {
        if (!job.on_piece(piece)) return false;
      }
      return true;
    };
  }
  absl::StatusOr<http::Response> response = client.Send(request);
  NoteOutcome(response.status());
  if (absl::IsDeadlineExceeded(response.status())) return ModelTimeout();
  if (!response.ok()) return Unavailable();
  if (job.on_piece && response->status == 200) {
    if (IsEventStream(*response)) return stream.Finish();
    response->body = std::move(whole);
  }
  return ReadChatAnswer(*response, job.question);
}

void OpenAiModel::NoteOutcome(const absl::Status& outcome) {
  if (absl::IsCancelled(outcome)) return;
  {
    const sync::MutexLock lock(mutex_);
    if (std::exchange(noted_, !outcome.ok()) || outcome.ok()) return;
  }
  if (options_.on_note) {
    options_.on_note(
        absl::StrCat("the model server does not answer: ", outcome.message()));
  }
}

}  // namespace byoshin::local::bedrock
