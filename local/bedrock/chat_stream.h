// Reads the server-sent events in which a server with OpenAI's API streams a
// chat, without I/O. It makes no difference how the bytes are split.
//
//   ChatStream stream(question);
//   for (const ReplyPiece& piece : stream.Feed(bytes)) Pass(piece);
//   absl::StatusOr<Reply> reply = stream.Finish();
//
// https://platform.openai.com/docs/api-reference/chat-streaming
#ifndef BYOSHIN_LOCAL_BEDROCK_CHAT_STREAM_H_
#define BYOSHIN_LOCAL_BEDROCK_CHAT_STREAM_H_

#include <json/json.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

// Not thread-safe.
class ChatStream {
 public:
  // `question` must outlive it.
  explicit ChatStream(const Question& question) : question_(question) {}

  // The pieces that `data` completes.
  std::vector<ReplyPiece> Feed(absl::string_view data);
  // The whole reply; ModelErrorException if the stream is malformed, reports an
  // error, or ended before the reply did.
  absl::StatusOr<Reply> Finish();

 private:
  void ReadLine(absl::string_view line, std::vector<ReplyPiece>& pieces);
  void ReadDelta(const Json::Value& delta, std::vector<ReplyPiece>& pieces);

  const Question& question_;
  std::string line_;  // so far
  Reply reply_;
  std::string tool_input_;
  Json::Value usage_;
  bool failed_ = false;
  bool finished_ = false;
};

// What a chat's "finish_reason" means.
StopReason ChatStopReason(const std::string& finish);
// A chat's "usage"; counted if there is none.
Usage ChatUsage(const Json::Value& usage, const Reply& reply,
                const Question& question);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_CHAT_STREAM_H_
