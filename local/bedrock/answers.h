// Answers of Bedrock Runtime: a Reply in the JSON of each operation, whole or
// as a stream.
#ifndef BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_
#define BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/bedrock/model.h"
#include "local/bedrock/requests.h"
#include "local/gateway/service.h"

namespace byoshin::local::bedrock {

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
Answer ConverseAnswer(const Reply& reply, absl::Duration latency);

struct InvokeAnswerOptions {
  InvokeShape shape = InvokeShape::kNova;
  absl::string_view model{};
  absl::Duration latency{};
};
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
Answer InvokeAnswer(const Reply& reply, const InvokeAnswerOptions& options);

// The events of a stream, encoded, as the reply is produced:
//
//   StreamEncoder encoder({.kind = StreamEncoder::Kind::kConverse});
//   Write(encoder.Begin());
//   Write(encoder.Encode({.text = "Hel"}));
//   Write(encoder.Encode({.text = "lo"}));
//   Write(encoder.End(reply, latency));
//
// Not thread-safe.
class StreamEncoder {
 public:
  enum class Kind {
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
    kConverse,
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
    kInvokeNova,
    kInvokeAnthropic,
  };
  struct Options {
    Kind kind = Kind::kConverse;
    std::string model{};
    std::int64_t input_tokens = 0;
  };
  explicit StreamEncoder(Options options) : options_(std::move(options)) {}

  // The answer that events follow.
  Answer Head() const;
  std::string Begin();
  std::string Encode(const ReplyPiece& piece);
  std::string End(const Reply& reply, absl::Duration latency);
  // Instead of End(): an error, as one of the exceptions of the stream.
  std::string Fail(const absl::Status& error) const;

 private:
  std::string EncodeNamed(const char* name, Json::Value event) const;
  std::string EncodeChunk(const Json::Value& chunk) const;
  std::string EndBlock();

  const Options options_;
  // Of the content block that is open, or would be the next.
  int index_ = 0;
  bool in_block_ = false;
};

// The pieces of a reply that is complete.
std::vector<ReplyPiece> PiecesOf(const Reply& reply);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_
