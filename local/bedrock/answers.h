// Answers of Bedrock Runtime: a Reply in the JSON of each operation, whole or
// as a stream.
#ifndef BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_
#define BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/bedrock/model.h"
#include "local/bedrock/requests.h"
#include "local/gateway/service.h"

namespace byoshin::local::bedrock {

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
Answer ConverseAnswer(const Reply& reply, absl::Duration latency);
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
Answer ConverseStreamAnswer(const Reply& reply, absl::Duration latency);

struct InvokeAnswerOptions {
  InvokeShape shape = InvokeShape::kNova;
  absl::string_view model{};
  absl::Duration latency{};
};
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
Answer InvokeAnswer(const Reply& reply, const InvokeAnswerOptions& options);
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
Answer InvokeStreamAnswer(const Reply& reply,
                          const InvokeAnswerOptions& options);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_ANSWERS_H_
