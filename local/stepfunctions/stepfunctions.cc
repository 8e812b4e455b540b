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
#include "local/stepfunctions/answers.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution_json.h"
#include "local/stepfunctions/history.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/permissions.h"
#include "local/stepfunctions/start.h"
#include "local/store/run_on_loop.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr ServiceTraits kTraits = {.name = "states",
                                   .target_prefix = "AWSStepFunctions",
                                   .access_denied_status = 400};

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
  // On this thread, not on the loop's.
  if (!call.body.empty()) call.JsonBody();
  if (call.operation == "GetExecutionHistory") {
    return GetExecutionHistory(std::move(call), std::move(answer));
  }
  if (call.operation == "StartSyncExecution") {
    return StartSyncExecution(std::move(call), std::move(answer));
  }
  if (call.operation == "GetActivityTask") {
    return GetActivityTask(std::move(call), std::move(answer));
  }
  if (call.operation == "TestState") {
    return TestState(std::move(call), std::move(answer));
  }
  const Operation operation = FindOperation(call.operation);
  if (operation == nullptr) {
    return answer(
        ToAnswer(UnknownJsonOperation("Step Functions", call.operation)));
  }
  Run(operation, std::move(call), std::move(answer));
}

void StepFunctions::Run(Operation operation, Call call, AnswerFunction answer) {
  loop_.SubmitOrRun([this, operation,
                     call = std::make_shared<Call>(std::move(call)),
                     answer = std::move(answer)]() -> AfterCommit {
    OperationContext context = ContextFor(*call);
    Fields fields(*call);
    auto result = std::make_shared<absl::StatusOr<Json::Value>>(
        operation(context, fields));
    return executions_.TakeEffects(
        [answer, result](const absl::Status& committed) {
          answer(AnswerAfter(committed, *result));
        });
  });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetExecutionHistory.html
void StepFunctions::GetExecutionHistory(Call call, AnswerFunction answer) {
  loop_.Submit([this, call = std::make_shared<Call>(std::move(call)),
                answer = std::move(answer)]() -> AfterCommit {
    OperationContext context = ContextFor(*call);
    Fields fields(*call);
    answer(HistoryAnswer(context, fields));
    return executions_.TakeEffects();
  });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartSyncExecution.html
void StepFunctions::StartSyncExecution(Call call, AnswerFunction answer) {
  loop_.SubmitOrRun([this, call = std::make_shared<Call>(std::move(call)),
                     answer = std::move(answer)]() -> AfterCommit {
    OperationContext context = ContextFor(*call);
    Fields fields(*call);
    const IncludedData included =
        fields.Choice("includedData", {"ALL_DATA", "METADATA_ONLY"}) ==
                "ALL_DATA"
            ? IncludedData::kAll
            : IncludedData::kMetadata;
    absl::StatusOr<StartRequest> request = ReadStartRequest(context, fields);
    absl::Status refused = request.status();
    if (refused.ok() && request->target.machine->type() != kept::EXPRESS) {
      refused = TypeNotSupportedError();
    }
    if (!refused.ok()) {
      answer(ToAnswer(refused));
      return nullptr;
    }
    request->kept = StartRequest::Kept::kNo;
    const absl::StatusOr<kept::Execution> started =
        executions_.Start(*std::move(request));
    if (!started.ok()) {
      answer(ToAnswer(started.status()));
      return nullptr;
    }
    executions_.OnEnd(started->arn(),
                      [answer, included](const kept::Execution& ended) {
                        answer(ToAnswer(SyncExecutionJson(ended, included)));
                      });
    return executions_.TakeEffects(
        [answer, call](const absl::Status& committed) {
          if (!committed.ok()) return answer(ToAnswer(committed));
          call->let_time_pass();
        });
  });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetActivityTask.html
void StepFunctions::GetActivityTask(Call call, AnswerFunction answer) {
  loop_.SubmitOrRun([this, call = std::make_shared<Call>(std::move(call)),
                     answer = std::move(answer)]() -> AfterCommit {
    Fields fields(*call);
    const std::string arn =
        fields.Required("activityArn", {.min = 1, .max = kMaxArnLength});
    const std::string worker =
        fields.Text("workerName", {.min = 1, .max = kMaxNameLength});
    absl::Status refused = fields.status();
    if (refused.ok()) refused = CheckActivityArn(arn);
    if (refused.ok() && catalog_.FindActivity(arn) == nullptr) {
      refused = ActivityNotFoundError(arn);
    }
    if (!refused.ok()) {
      answer(ToAnswer(refused));
      return nullptr;
    }
    call->let_time_pass();
    Activities& activities = executions_.activities();
    const Activities::WorkerId id = activities.AddWorker(
        arn, {.name = worker,
              .connected = call->connected,
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
