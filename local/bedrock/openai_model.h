// Models of a server with OpenAI's API, such as llama.cpp or Ollama.
//
//   absl::StatusOr<std::string> url = ChatUrl("http://127.0.0.1:11434");
//   OpenAiModel model({.url = *url, .name = "qwen3:4b",
//                      .new_client = [] { return …; }});
//
// https://platform.openai.com/docs/api-reference/chat/create
#ifndef BYOSHIN_LOCAL_BEDROCK_OPENAI_MODEL_H_
#define BYOSHIN_LOCAL_BEDROCK_OPENAI_MODEL_H_

#include <json/json.h>

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/sync/mutex.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

// The variable with the server's API key.
inline constexpr char kApiKeyVariable[] = "BYOSHIN_MODEL_API_KEY";
// How long the server may take for an answer.
inline constexpr absl::Duration kModelServerTimeout = absl::Minutes(5);
// How many questions are asked at the same time; others wait.
inline constexpr int kModelServerThreads = 8;

// Where chats are completed: "http://127.0.0.1:11434/v1/chat/completions" for
// "http://127.0.0.1:11434" or "http://127.0.0.1:11434/v1". InvalidArgument if
// it is not a URL.
absl::StatusOr<std::string> ChatUrl(absl::string_view url);

struct OpenAiOptions {
  std::string url{};  // from ChatUrl()
  // The name of the model; if empty, the id in the request.
  std::string name{};
  // Empty if the server needs none.
  aws::Secret api_key{};
  // Creates a client for each thread. Never null.
  std::function<std::unique_ptr<http::Client>()> new_client{};
  // Called with why the server does not answer, once until it answers again.
  // May be null.
  std::function<void(const std::string&)> on_note{};
};

// Thread-safe.
class OpenAiModel final : public Model {
 public:
  explicit OpenAiModel(OpenAiOptions options);
  // Cancels what is in progress, which takes about a second.
  ~OpenAiModel() override;

  void Ask(const Question& question, OnReply done) override;
  // The server is asked for a stream, whose events are passed on as they
  // arrive.
  void AskInPieces(const Question& question, OnPiece on_piece,
                   OnReply done) override;

 private:
  struct Job {
    // It outlives the caller's.
    Question question{};
    OnPiece on_piece{};  // null if the reply is wanted whole
    OnReply done{};
  };

  void Run();
  bool stopping() const;
  absl::StatusOr<Reply> Complete(http::Client& client, const Job& job);
  http::Request RequestFor(const Job& job) const;
  void NoteOutcome(const absl::Status& outcome);

  const OpenAiOptions options_;
  mutable sync::Mutex mutex_;
  sync::Condition more_;
  std::deque<Job> jobs_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool noted_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

// The request's body, and the reply in the server's answer.
Json::Value ChatRequest(const Question& question, const std::string& name);
absl::StatusOr<Reply> ReadChatAnswer(const http::Response& response,
                                     const Question& question);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_OPENAI_MODEL_H_
