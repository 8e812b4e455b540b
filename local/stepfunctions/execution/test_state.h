// TestState: runs one state, with a real task or a mocked result.
//
//   absl::StatusOr<StateTest> test = StateTest::Start(std::move(request));
//   if (!test.ok()) return test.status();
//   if (test->task() != nullptr) test->Finish(Run(*test->task()));
//   const TestStateResult& result = test->result();
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TEST_STATE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TEST_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"

namespace byoshin::local::stepfunctions {

enum class InspectionLevel { kInfo, kDebug, kTrace };

// What TestState's request has. The definition is parsed by the caller.
struct TestStateRequest {
  // A state machine with the state, or a machine of which `state_name` is
  // tested.
  std::shared_ptr<const StateMachine> machine;
  std::string state_name;
  // The region, account and role of the context object.
  ExecutionInfo info;
  Data input = Data::EmptyObject();
  InspectionLevel inspection_level = InspectionLevel::kInfo;
  Data variables = Data::EmptyObject();
  // Replaces the context object.
  std::optional<Data> context;
  struct ErrorOutput {
    std::optional<std::string> error;
    std::optional<std::string> cause;
  };
  // mock.result or mock.errorOutput.
  std::optional<Data> mock_result;
  std::optional<ErrorOutput> mock_error;
  bool reveals_secrets = false;
  // stateConfiguration.
  int64_t retrier_retry_count = 0;
  std::optional<std::string> error_caused_by_state;
  std::optional<int64_t> map_iteration_failure_count;
  std::optional<Data> map_item_reader_data;
  absl::Time now;
};

struct TestStateResult {
  // "SUCCEEDED", "FAILED", "RETRIABLE" or "CAUGHT_ERROR".
  std::string status;
  std::optional<Data> output;
  std::optional<std::string> error;
  std::optional<std::string> cause;
  std::optional<std::string> next_state;
  // As the API returns it; absent with kInfo.
  std::optional<Data> inspection_data;
};

// Whether the state can be tested as the request says. Errors are
// InvalidArgument, with the message of AWS's ValidationException.
absl::Status CheckTest(const TestStateRequest& request, const State& state);

class StateTest {
 public:
  // Errors are InvalidArgument, with the message of AWS's ValidationException.
  static absl::StatusOr<StateTest> Start(TestStateRequest request);

  StateTest(StateTest&&) noexcept;
  StateTest& operator=(StateTest&&) noexcept;
  ~StateTest();

  // The task to run; null if there is none, or it has finished.
  const TaskRequest* task() const;
  void Finish(std::variant<TaskSucceeded, TaskFailed> outcome);

  // Requires task() == nullptr.
  const TestStateResult& result() const;

 private:
  class Run;
  explicit StateTest(std::unique_ptr<Run> run);

  std::unique_ptr<Run> run_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TEST_STATE_H_
