// A model that answers questions: the deterministic one, or a server.
//
//   model.Ask({.model_id = "amazon.nova-lite-v1:0",
//              .turns = {{.role = Role::kUser, .text = "Hello"}}},
//             [](absl::StatusOr<Reply> reply) { … });
#ifndef BYOSHIN_LOCAL_BEDROCK_MODEL_H_
#define BYOSHIN_LOCAL_BEDROCK_MODEL_H_

#include <json/json.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace byoshin::local::bedrock {

enum class Role { kUser, kAssistant };

struct Turn {
  Role role = Role::kUser;
  std::string text{};
};

struct Inference {
  std::optional<std::int64_t> max_tokens{};
  std::optional<double> temperature{};
  std::optional<double> top_p{};
  std::vector<std::string> stop_sequences{};
};

// A tool that the model may, or must, ask to be used.
struct Tool {
  std::string name{};
  std::string description{};
  Json::Value schema{Json::objectValue};  // of its input
};

struct Question {
  // As in the request, decoded: "us.amazon.nova-lite-v1:0" or an ARN.
  std::string model_id{};
  std::string system{};
  // Begins with the user; the roles alternate.
  std::vector<Turn> turns{};
  Inference inference{};
  std::vector<Tool> tools{};
  // The tool that must be used; null if the model may answer with text. Points
  // into `tools`.
  const Tool* forced_tool = nullptr;
  // False once nobody waits for the answer. Never null. Not called at the same
  // time as OnPiece.
  std::function<bool()> wanted = [] { return true; };
};

struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
};

struct ToolUse {
  std::string id{};
  std::string name{};
  Json::Value input{Json::objectValue};
};

enum class StopReason { kEndTurn, kMaxTokens, kStopSequence, kToolUse };

struct Reply {
  std::string text{};
  std::optional<ToolUse> tool_use{};
  StopReason stop_reason = StopReason::kEndTurn;
  Usage usage{};
};

// A part of a reply, as it is produced: one of these.
struct ReplyPiece {
  std::string text{};
  // A tool use begins; without its input, which follows.
  std::optional<ToolUse> tool{};
  std::string tool_input{};  // JSON text
};
// False if nobody wants the rest.
using OnPiece = std::function<bool(const ReplyPiece&)>;
using OnReply = std::function<void(absl::StatusOr<Reply>)>;

// Thread-safe.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  // `done` is called once, on any thread, perhaps before this returns. Does not
  // block. An error is one of Bedrock's (errors.h).
  virtual void Ask(const Question& question, OnReply done) = 0;

  // The same, with the parts of the reply as they come, one after another,
  // before `done`, which gets all of it. There are none from a model that
  // produces its reply at once.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): others keep it
  virtual void AskInPieces(const Question& question, OnPiece, OnReply done) {
    Ask(question, std::move(done));
  }
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_MODEL_H_
