// Asks a model until it answers in the demanded form.
//
//   Asker asker(models, clock, config);
//   std::vector<Task> tasks;
//   absl::Status status = asker.Ask(
//       ProcessType::kTasks, prompt,
//       [&](absl::string_view answer) -> absl::Status {
//         absl::StatusOr<std::vector<Task>> parsed = ParseTasks(answer);
//         if (!parsed.ok()) return parsed.status();
//         tasks = *std::move(parsed);
//         return absl::OkStatus();
//       },
//       [&] { return SendHeartbeat(); }, deadline);
#ifndef BYOSHIN_CORE_GENERATION_ASKER_H_
#define BYOSHIN_CORE_GENERATION_ASKER_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/generation/config.h"
#include "core/generation/process.h"
#include "core/time/clock.h"

namespace byoshin::generation {

// Not thread-safe. The client and the clock must outlive it.
class Asker {
 public:
  Asker(aws::bedrock::Client& models, const time::Clock& clock,
        ModelConfig config)
      : models_(models), clock_(clock), config_(std::move(config)) {}

  // OK if the answer is acceptable, otherwise the complaint.
  using Check = absl::FunctionRef<absl::Status(absl::string_view answer)>;
  // Called before each question; an error ends the asking.
  using BeforeQuestion = absl::FunctionRef<absl::Status()>;

  // Asks, and asks again with the complaint at most kMaxComplaints times. Each
  // question takes at most kModelCallTimeout and ends by `deadline`.
  //
  // Errors are those of aws::bedrock::Client and `before`, and InvalidArgument
  // with IsUnacceptableAnswer() if the last answer was not acceptable either.
  absl::Status Ask(ProcessType type, const std::string& prompt, Check check,
                   BeforeQuestion before, absl::Time deadline);

  // Of all questions so far.
  std::int64_t questions() const { return questions_; }
  std::int64_t tokens() const { return tokens_; }

 private:
  aws::bedrock::Client& models_;
  const time::Clock& clock_;
  const ModelConfig config_;
  std::int64_t questions_ = 0;
  std::int64_t tokens_ = 0;
};

// Whether the error means that the model's answers were not acceptable.
bool IsUnacceptableAnswer(const absl::Status& status);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_ASKER_H_
