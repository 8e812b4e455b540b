#include "core/generation/asker.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/generation/prompts.h"
#include "core/generation/text.h"

namespace byoshin::generation {
namespace {

constexpr char kUnacceptablePayload[] =
    "type.byoshin/generation.UnacceptableAnswer";
// Bedrock does not accept blank messages.
constexpr char kBlankAnswer[] = "（空の回答）";

absl::Status Unacceptable(const absl::Status& complaint) {
  absl::Status status = absl::InvalidArgumentError(
      absl::StrCat("the model's answer is not acceptable after ",
                   kMaxComplaints, " complaints: ", complaint.message()));
  status.SetPayload(kUnacceptablePayload, absl::Cord());
  return status;
}

absl::Status CheckComplete(const aws::bedrock::ConverseResult& result) {
  if (result.stop_reason != aws::bedrock::kStoppedAtMaxTokens) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "the answer was cut off because it is too long; write shorter texts");
}

}  // namespace

absl::Status Asker::Ask(ProcessType type, const std::string& prompt,
                        Check check, BeforeQuestion before,
                        absl::Time deadline) {
  aws::bedrock::ConverseRequest request{
      .model_id = config_.model_id,
      .system = SystemPrompt(),
      .messages = {{.role = aws::bedrock::Role::kUser, .text = prompt}},
      .max_tokens = config_.max_tokens,
      .temperature = config_.temperature};
  absl::Status complaint;
  for (int i = 0; i <= kMaxComplaints; ++i) {
    if (absl::Status status = before(); !status.ok()) return status;
    ++questions_;
    const absl::StatusOr<aws::bedrock::ConverseResult> result =
        models_.Converse(request,
                         std::min(deadline, clock_.Now() + kModelCallTimeout));
    if (!result.ok()) return result.status();
    tokens_ += result->usage.total_tokens;
    complaint = CheckComplete(*result);
    if (complaint.ok()) complaint = check(result->text);
    if (complaint.ok()) return absl::OkStatus();
    request.messages.push_back(
        {.role = aws::bedrock::Role::kAssistant,
         .text = IsBlank(result->text) ? kBlankAnswer : result->text});
    request.messages.push_back(
        {.role = aws::bedrock::Role::kUser,
         .text = ComplaintPrompt(type, complaint.message())});
  }
  return Unacceptable(complaint);
}

bool IsUnacceptableAnswer(const absl::Status& status) {
  return status.GetPayload(kUnacceptablePayload).has_value();
}

}  // namespace byoshin::generation
