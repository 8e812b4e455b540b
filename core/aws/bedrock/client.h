// The part of Amazon Bedrock's runtime that Byoshin's functions call: models
// that answer text with text.
//
//   absl::StatusOr<ConverseResult> result = models.Converse(
//       {.model_id = "amazon.nova-lite-v1:0",
//        .system = "Answer with JSON only.",
//        .messages = {{.role = Role::kUser, .text = "Name eight sub-goals."}},
//        .max_tokens = 4096},
//       deadline);
//
// JsonClient (json_client.h) speaks the wire protocol itself.
#ifndef BYOSHIN_CORE_AWS_BEDROCK_CLIENT_H_
#define BYOSHIN_CORE_AWS_BEDROCK_CLIENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::aws::bedrock {

enum class Role { kUser, kAssistant };

struct Message {
  Role role = Role::kUser;
  std::string text{};
};

struct ConverseRequest {
  // The id of a model or an inference profile, or an ARN.
  std::string model_id{};
  // May be empty.
  std::string system{};
  // Begins with the user, then alternates.
  std::vector<Message> messages{};
  // The model's own values if not set.
  std::optional<int> max_tokens{};
  std::optional<double> temperature{};
  std::optional<double> top_p{};
  std::vector<std::string> stop_sequences{};
};

struct Usage {
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
  int64_t total_tokens = 0;
};

struct ConverseResult {
  // All text blocks of the answer, joined.
  std::string text{};
  // AWS's: "end_turn", "max_tokens", "stop_sequence", "content_filtered", ...
  std::string stop_reason{};
  Usage usage{};
  absl::Duration latency{};
};

// The stop reason of an answer that was cut off at max_tokens.
inline constexpr char kStoppedAtMaxTokens[] = "max_tokens";

// Calls Bedrock. Not thread-safe.
//
// Errors are those of aws::ToStatus(): ResourceExhausted for throttling,
// DeadlineExceeded for a model that took too long, Internal for one that
// failed, Unavailable for the service, InvalidArgument for a request that the
// model does not accept.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
  virtual absl::StatusOr<ConverseResult> Converse(
      const ConverseRequest& request, absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::bedrock

#endif  // BYOSHIN_CORE_AWS_BEDROCK_CLIENT_H_
