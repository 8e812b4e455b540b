// What several tests of generation share: identifiers, a clock, and clients
// that answer what the test says.
#ifndef BYOSHIN_CORE_GENERATION_TESTING_FIXTURE_H_
#define BYOSHIN_CORE_GENERATION_TESTING_FIXTURE_H_

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/constants.h"

namespace byoshin::generation::testing {

inline constexpr char kStateMachine[] =
    "arn:aws:states:us-east-1:123456789012:stateMachine:Generation";
inline constexpr char kGoalId[] = "11111111-1111-4111-8111-111111111111";
inline constexpr char kAlice[] = "alice";
inline constexpr char kBob[] = "bob";
// For calls whose deadline does not matter.
inline constexpr absl::Time kNever = absl::InfiniteFuture();

inline absl::Time StartOfTests() {
  return absl::FromUnixSeconds(1'760'090'400);  // 2025-10-10T10:00:00Z
}

// The UUIDs 00000000-0000-4000-8000-000000000001, …2 and so on.
inline std::function<std::string()> CountingIds() {
  return [number = 0]() mutable {
    return absl::StrFormat("00000000-0000-4000-8000-%012d", ++number);
  };
}

// A valid request for sub-goals of kGoalId.
inline std::string SubGoalRequest() {
  return absl::StrCat(R"({"type":"SUBGOAL_GENERATION","params":{"goalId":")",
                      kGoalId,
                      R"(","title":"英語を話す","description":"説明",)"
                      R"("deadline":"2027-03-31","background":"背景"}})");
}

// Acceptable answers.
inline std::string SubGoalsAnswer() {
  std::string answer = R"({"subGoals":[)";
  for (int i = 1; i <= kSubGoalsPerGoal; ++i) {
    absl::StrAppend(&answer, i > 1 ? "," : "", R"({"title":"サブゴール)", i,
                    R"(","description":"説明"})");
  }
  return answer + "]}";
}
inline std::string ActionsAnswer() {
  std::string answer = R"({"actions":[)";
  for (int i = 1; i <= kActionsPerSubGoal; ++i) {
    absl::StrAppend(&answer, i > 1 ? "," : "", R"({"title":"アクション)", i,
                    R"(","description":"説明","type":")",
                    i % 2 == 0 ? "HABIT" : "EXECUTION", R"("})");
  }
  return answer + "]}";
}
inline std::string TasksAnswer() {
  return R"({"tasks":[{"title":"準備する","description":"説明",)"
         R"("estimatedMinutes":15},{"title":"実行する","description":"説明",)"
         R"("estimatedMinutes":120}]})";
}

// Answers with what was written down, then with acceptable answers. Not
// thread-safe.
class FakeModel final : public aws::bedrock::Client {
 public:
  void Answer(std::string text) { script_.push_back(std::move(text)); }
  void Fail(absl::Status status) { script_.push_back(std::move(status)); }
  // Called before every answer.
  void OnQuestion(std::function<void()> hook) { hook_ = std::move(hook); }
  void set_stop_reason(std::string reason) { stop_reason_ = std::move(reason); }

  absl::StatusOr<aws::bedrock::ConverseResult> Converse(
      const aws::bedrock::ConverseRequest& request,
      absl::Time deadline) override {
    requests_.push_back(request);
    deadlines_.push_back(deadline);
    if (hook_) hook_();
    absl::StatusOr<std::string> text =
        AcceptableAnswer(request.messages.front().text);
    if (!script_.empty()) {
      text = std::move(script_.front());
      script_.pop_front();
    }
    if (!text.ok()) return text.status();
    return aws::bedrock::ConverseResult{.text = *std::move(text),
                                        .stop_reason = stop_reason_,
                                        .usage = {.total_tokens = 10}};
  }

  const std::vector<aws::bedrock::ConverseRequest>& requests() const {
    return requests_;
  }
  const std::vector<absl::Time>& deadlines() const { return deadlines_; }

 private:
  static std::string AcceptableAnswer(const std::string& prompt) {
    if (prompt.find(R"("subGoals")") != std::string::npos) {
      return SubGoalsAnswer();
    }
    return prompt.find(R"("tasks")") != std::string::npos ? TasksAnswer()
                                                          : ActionsAnswer();
  }

  std::deque<absl::StatusOr<std::string>> script_;
  std::function<void()> hook_;
  std::string stop_reason_ = "end_turn";
  std::vector<aws::bedrock::ConverseRequest> requests_;
  std::vector<absl::Time> deadlines_;
};

// Remembers what it was asked, and the executions that were started; they run
// until the test ends them. Not thread-safe.
class FakeWorkflow final : public aws::stepfunctions::Client {
 public:
  // The outcome of every following call of the kind.
  absl::Status start_status;
  absl::Status stop_status;
  absl::Status success_status;
  absl::Status heartbeat_status;

  absl::StatusOr<std::string> StartExecution(
      const aws::stepfunctions::StartExecutionRequest& request,
      absl::Time) override {
    started.push_back(request);
    if (!start_status.ok()) return start_status;
    const auto [execution, is_new] = executions.insert(
        {absl::StrReplaceAll(
             absl::StrCat(request.state_machine_arn, ":", request.name),
             {{":stateMachine:", ":execution:"}}),
         {.input = request.input}});
    if (!is_new && (execution->second.input != request.input ||
                    execution->second.status !=
                        aws::stepfunctions::ExecutionStatus::kRunning)) {
      return absl::AlreadyExistsError("ExecutionAlreadyExists");
    }
    return execution->first;
  }
  absl::Status StopExecution(
      const aws::stepfunctions::StopExecutionRequest& request,
      absl::Time) override {
    stopped.push_back(request);
    return stop_status;
  }
  absl::StatusOr<aws::stepfunctions::Execution> DescribeExecution(
      absl::string_view execution_arn, absl::Time) override {
    const auto found = executions.find(std::string(execution_arn));
    if (found == executions.end()) return absl::NotFoundError("no execution");
    return found->second;
  }
  absl::Status SendTaskSuccess(absl::string_view token,
                               absl::string_view output, absl::Time) override {
    successes[std::string(token)] = std::string(output);
    return success_status;
  }
  absl::Status SendTaskFailure(const aws::stepfunctions::TaskFailure& failure,
                               absl::Time) override {
    failures.push_back(failure);
    return absl::OkStatus();
  }
  absl::Status SendTaskHeartbeat(absl::string_view, absl::Time) override {
    ++heartbeats;
    return heartbeat_status;
  }

  std::vector<aws::stepfunctions::StartExecutionRequest> started;
  // By their ARNs.
  std::map<std::string, aws::stepfunctions::Execution> executions;
  std::vector<aws::stepfunctions::StopExecutionRequest> stopped;
  std::map<std::string, std::string> successes;
  std::vector<aws::stepfunctions::TaskFailure> failures;
  int heartbeats = 0;
};

}  // namespace byoshin::generation::testing

#endif  // BYOSHIN_CORE_GENERATION_TESTING_FIXTURE_H_
