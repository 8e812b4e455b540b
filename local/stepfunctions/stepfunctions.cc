#include "local/stepfunctions/stepfunctions.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/answers.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution_json.h"
#include "local/stepfunctions/history.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/permissions.h"
#include "local/stepfunctions/start.h"
#include "local/store/run_on_loop.h"
#include "local/wire/models.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr ServiceTraits kTraits = {.name = "states",
                                   .target_prefix = "AWSStepFunctions",
                                   .access_denied_status = 400};

constexpr FieldErrors kFieldErrors = {.model = &wire::kStepfunctionsModel,
                                      .invalid_code = "ValidationException"};

// What the commit leaves of a result.
Answer AnswerAfter(const absl::Status& committed,
                   const absl::StatusOr<Json::Value>& result) {
  return ToAnswer(committed.ok() ? result
                                 : absl::StatusOr<Json::Value>(committed));
}

}  // namespace

StepFunctions::StepFunctions(World world)
    : world_(std::move(world)),
      catalog_(world_.store, world_.compiler),
      loop_(world_.store, world_.clock,
            {.on_rollback =
                 [this] {
                   // What can't be read can't be written either.
                   catalog_.Load().IgnoreError();
                   executions_.Load().IgnoreError();
                 }}),
      gate_(std::make_shared<LoopGate>(loop_)),
      executions_({.store = world_.store,
                   .loop = loop_,
                   .gate = gate_,
                   .clock = world_.clock,
                   .catalog = catalog_,
                   .tasks = world_.tasks,
                   .log = world_.log,
                   .status_changes = world_.status_changes}) {
  if (!world_.check_role) {
    world_.check_role = [](const std::string&) { return absl::OkStatus(); };
  }
}

StepFunctions::~StepFunctions() { Stop(); }

void StepFunctions::Stop() {
  gate_->Close();
  loop_.Stop();
}

absl::StatusOr<std::unique_ptr<StepFunctions>> StepFunctions::Open(
    World world) {
  std::unique_ptr<StepFunctions> states(new StepFunctions(std::move(world)));
  absl::Status loaded;
  RunOnLoop(states->loop_, [&] {
    loaded = states->catalog_.Load();
    if (loaded.ok()) loaded = states->executions_.Load();
    if (loaded.ok()) states->executions_.RemoveUnusedRevisions();
  });
  if (!loaded.ok()) return loaded;
  return states;
}

void StepFunctions::Begin() {
  loop_.Submit([this]() -> AfterCommit {
    executions_.Begin();
    return executions_.TakeEffects();
  });
}

void StepFunctions::Read(
    absl::FunctionRef<void(const Catalog&, Executions&)> read) {
  RunOnLoop(loop_, [&] { read(catalog_, executions_); });
}

const ServiceTraits& StepFunctions::traits() const { return kTraits; }

std::vector<NeededPermission> StepFunctions::PermissionsFor(
    const Call& call) const {
  return {PermissionFor(call)};
}

OperationContext StepFunctions::ContextFor(const Call& call) {
  return {.catalog = catalog_,
          .executions = executions_,
          .call = call,
          .now = world_.clock.Now(),
          .check_role = world_.check_role};
}

void StepFunctions::Handle(Call call, AnswerFunction answer) {
  const LongOperation long_operation = FindLongOperation(call.operation);
  const Operation operation = FindOperation(call.operation);
  if (long_operation == nullptr && operation == nullptr) {
    return answer(
        ToAnswer(UnknownJsonOperation("Step Functions", call.operation)));
  }
  // On this thread, not on the loop's.
  JsonFields fields(call, kFieldErrors);
  if (!fields.status().ok()) return answer(ToAnswer(fields.status()));
  Request request{.call = std::make_shared<const Call>(std::move(call)),
                  .fields = std::move(fields),
                  .answer = std::move(answer)};
  if (long_operation != nullptr) {
    (this->*long_operation)(std::move(request));
  } else {
    Run(operation, std::move(request));
  }
}

StepFunctions::LongOperation StepFunctions::FindLongOperation(
    absl::string_view name) {
  if (name == "GetActivityTask") return &StepFunctions::GetActivityTask;
  if (name == "GetExecutionHistory") return &StepFunctions::GetExecutionHistory;
  if (name == "StartSyncExecution") return &StepFunctions::StartSyncExecution;
  if (name == "TestState") return &StepFunctions::TestState;
  return nullptr;
}

void StepFunctions::Run(Operation operation, Request request) {
  loop_.SubmitOrRun(
      [this, operation, request = std::move(request)]() mutable -> AfterCommit {
        OperationContext context = ContextFor(*request.call);
        auto result = std::make_shared<absl::StatusOr<Json::Value>>(
            operation(context, request.fields));
        return executions_.TakeEffects([answer = std::move(request.answer),
                                        result](const absl::Status& committed) {
          answer(AnswerAfter(committed, *result));
        });
      });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetExecutionHistory.html
void StepFunctions::GetExecutionHistory(Request request) {
  loop_.Submit([this, request = std::move(request)]() mutable -> AfterCommit {
    OperationContext context = ContextFor(*request.call);
    request.answer(HistoryAnswer(context, request.fields));
    return executions_.TakeEffects();
  });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartSyncExecution.html
void StepFunctions::StartSyncExecution(Request request) {
  loop_.SubmitOrRun(
      [this, request = std::move(request)]() mutable -> AfterCommit {
        const AnswerFunction& answer = request.answer;
        OperationContext context = ContextFor(*request.call);
        const IncludedData included = ReadIncludedData(request.fields);
        absl::StatusOr<StartRequest> start =
            ReadStartRequest(context, request.fields);
        absl::Status refused = start.status();
        if (refused.ok() && start->target.machine->type() != kept::EXPRESS) {
          refused = TypeNotSupportedError();
        }
        if (!refused.ok()) {
          answer(ToAnswer(refused));
          return nullptr;
        }
        start->kept = StartRequest::Kept::kNo;
        const absl::StatusOr<kept::Execution> started =
            executions_.Start(*std::move(start));
        if (!started.ok()) {
          answer(ToAnswer(started.status()));
          return nullptr;
        }
        executions_.OnEnd(
            started->arn(), [answer, included](const kept::Execution& ended) {
              answer(ToAnswer(SyncExecutionJson(ended, included)));
            });
        return executions_.TakeEffects(
            [answer, call = request.call](const absl::Status& committed) {
              if (!committed.ok()) return answer(ToAnswer(committed));
              call->let_time_pass();
            });
      });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetActivityTask.html
void StepFunctions::GetActivityTask(Request request) {
  loop_.SubmitOrRun(
      [this, request = std::move(request)]() mutable -> AfterCommit {
        const AnswerFunction& answer = request.answer;
        const std::string arn = request.fields.Text("activityArn");
        const std::string worker = request.fields.Text("workerName");
        absl::Status refused = CheckActivityArn(arn);
        if (refused.ok() && catalog_.FindActivity(arn) == nullptr) {
          refused = ActivityNotFoundError(arn);
        }
        if (!refused.ok()) {
          answer(ToAnswer(refused));
          return nullptr;
        }
        request.call->let_time_pass();
        Activities& activities = executions_.activities();
        const Activities::WorkerId id = activities.AddWorker(
            arn, {.name = worker,
                  .connected = request.call->connected,
                  .done = [answer](const std::optional<ActivityTask>& task) {
                    Json::Value result(Json::objectValue);
                    if (task.has_value()) {
                      result["taskToken"] = task->token;
                      result["input"] = task->input;
                    }
                    answer(ToAnswer(result));
                  }});
        if (id != 0) {
          loop_.At(world_.clock.Now() + kActivityPollTime,
                   [this, arn, id]() -> AfterCommit {
                     executions_.activities().EndWorker(arn, id);
                     return nullptr;
                   });
        }
        return executions_.TakeEffects();
      });
}

void StepFunctions::EndLongPolls() {
  loop_.Submit([this]() -> AfterCommit {
    executions_.activities().EndAllWorkers();
    return nullptr;
  });
}

}  // namespace byoshin::local::stepfunctions
