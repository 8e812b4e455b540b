// AWS Step Functions of the local cloud.
//
//   auto states = StepFunctions::Open(
//       {.store = store, .clock = clock, .tasks = tasks});
//   gateway.Add(**states);
//   (*states)->Begin();  // once all that was deployed is there again
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_STEPFUNCTIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_STEPFUNCTIONS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/operations.h"
#include "local/stepfunctions/status_change.h"
#include "local/stepfunctions/tasks.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::stepfunctions {

// Thread-safe.
class StepFunctions final : public Service {
 public:
  // All outlive it.
  struct World {
    Store& store;
    time::Clock& clock;
    TaskRunner& tasks;
    // Null: JSONata is refused.
    ExpressionCompiler* compiler = nullptr;
    // May be null.
    Executions::LogWriter log{};
    // Whether Step Functions may assume the role. Null: it may.
    std::function<absl::Status(const std::string& role_arn)> check_role{};
    // Gets the status changes of STANDARD executions. May be empty.
    StatusChangeSink status_changes{};
  };

  // DataLoss if the store is damaged.
  static absl::StatusOr<std::unique_ptr<StepFunctions>> Open(World world);

  StepFunctions(const StepFunctions&) = delete;
  StepFunctions& operator=(const StepFunctions&) = delete;
  ~StepFunctions() override;

  // What was running goes on: all that its tasks need is there.
  void Begin();
  // Blocks until what was submitted is done; tasks and timers don't go on.
  void Stop();

  // Calls `read` between two changes and waits for it. It must be short, since
  // executions and simulated time wait meanwhile. Not for work of the service
  // itself, nor after Stop().
  void Read(absl::FunctionRef<void(const Catalog&, Executions&)> read);

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;
  void EndLongPolls() override;

 private:
  explicit StepFunctions(World world);

  // The arguments of each operation.
  struct Request {
    std::shared_ptr<const Call> call{};
    // The call's body, which has been checked against AWS's model.
    JsonFields fields;
    AnswerFunction answer{};
  };
  // One that is not answered by what it returns.
  using LongOperation = void (StepFunctions::*)(Request);
  static LongOperation FindLongOperation(absl::string_view name);

  OperationContext ContextFor(const Call& call);
  void Run(Operation operation, Request request);
  void GetExecutionHistory(Request request);
  void StartSyncExecution(Request request);
  void GetActivityTask(Request request);
  void TestState(Request request);

  World world_;
  Catalog catalog_;
  WorkLoop loop_;
  const std::shared_ptr<LoopGate> gate_;
  Executions executions_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_STEPFUNCTIONS_H_
