// Bedrock's runtime over its own wire protocol.
//
//   aws::bedrock::JsonClient models(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
#ifndef BYOSHIN_CORE_AWS_BEDROCK_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_BEDROCK_JSON_CLIENT_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/caller.h"
#include "core/aws/rest_json_protocol.h"

namespace byoshin::aws::bedrock {

// Models take minutes for long answers.
inline constexpr absl::Duration kConverseAttemptTimeout = absl::Minutes(2);

// Not thread-safe.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies,
                      absl::Duration attempt_timeout = kConverseAttemptTimeout);

  // Answers that are lost are asked for again, which costs tokens but changes
  // nothing. DataLoss: an answer without a message.
  absl::StatusOr<ConverseResult> Converse(const ConverseRequest& request,
                                          absl::Time deadline) override;

 private:
  RestJsonProtocol protocol_;
  const absl::Duration attempt_timeout_;
};

}  // namespace byoshin::aws::bedrock

#endif  // BYOSHIN_CORE_AWS_BEDROCK_JSON_CLIENT_H_
