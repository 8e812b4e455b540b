#include "infra/gen/generation/workflow.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/process.h"
#include "infra/cloudformation/events.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/sqs.h"
#include "infra/cloudformation/stepfunctions.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
namespace sfn = cloudformation::stepfunctions;
using cfn::Value;
using core::ProcessStatus;

// Where errors go: beside the input, whose processId the next state needs.
constexpr char kErrorPath[] = "$.error";
// Why cdk-nag can't tell.
constexpr char kTracingReason[] =
    "Requests are traced unless the parameter Tracing says otherwise.";
constexpr char kAllErrors[] = "States.ALL";
// Step Functions has both names for a missed heartbeat.
constexpr char kHeartbeatError[] = "States.HeartbeatTimeout";

// Lambda's own errors, when a call may be repeated.
// https://docs.aws.amazon.com/step-functions/latest/dg/sfn-best-practices.html
const std::vector<std::string>& LambdaErrors() {
  static const auto* const errors = new std::vector<std::string>{
      "Lambda.ServiceException", "Lambda.AWSLambdaException",
      "Lambda.SdkClientException", "Lambda.ClientExecutionTimeoutException"};
  return *errors;
}

Value Invocation(const FunctionResources& function, Value::Members payload) {
  return cfn::Object({{"FunctionName", function.function.Arn()},
                      {"Payload", cfn::Object(std::move(payload))}});
}

// A change of state may be made twice, so that every failure is tried again,
// except that the process is over.
std::vector<sfn::Retrier> UpdateRetriers() {
  return {{.errors = {core::kProcessEndedFailure}, .max_attempts = 0},
          {.errors = {kAllErrors},
           .interval = core::kRetryInterval,
           .max_attempts = kUpdateAttempts,
           .backoff_rate = core::kRetryBackoffRate,
           .max_delay = kUpdateMaxDelay}};
}

enum class WithError { kNo, kYes };

// Changes the state of the process. Its result is the state that the process
// then has, which may be another if the process was over.
sfn::Task Update(const WorkflowFunctions& functions, ProcessStatus to,
                 WithError with_error) {
  Value::Members payload = {{"processId.$", "$.processId"},
                            {"status", core::NameOf(to)}};
  if (with_error == WithError::kYes) {
    payload.emplace_back("error.$", kErrorPath);
  }
  return {
      .resource = sfn::kInvokeFunction,
      .parameters = Invocation(functions.update_state, std::move(payload)),
      .result_selector = cfn::Object({{"processId.$", "$.Payload.processId"},
                                      {"status.$", "$.Payload.status"}}),
      .retry = UpdateRetriers()};
}

sfn::Task StartTask(const WorkflowFunctions& functions) {
  sfn::Task task =
      Update(functions, ProcessStatus::kProcessing, WithError::kNo);
  task.result_path = "$.started";
  task.catchers = {{.errors = {kAllErrors},
                    .next = core::kErrorState,
                    .result_path = kErrorPath}};
  task.next = core::kWorkerState;
  return task;
}

sfn::Task WorkerTask(const WorkflowFunctions& functions) {
  return {.resource = sfn::kInvokeFunctionForToken,
          .parameters =
              Invocation(functions.worker, {{"processId.$", "$.processId"},
                                            {"taskToken.$", "$$.Task.Token"}}),
          .result_path = "$.work",
          .timeout = core::kWorkerTaskTimeout,
          .heartbeat = core::kHeartbeatTimeout,
          .retry = {{.errors = {std::begin(core::kRetryableFailures),
                                std::end(core::kRetryableFailures)},
                     .interval = core::kRetryInterval,
                     .max_attempts = core::kRetryAttempts,
                     .backoff_rate = core::kRetryBackoffRate},
                    {.errors = {"Lambda.TooManyRequestsException"},
                     .interval = kBusyInterval,
                     .max_attempts = kBusyAttempts,
                     .backoff_rate = kBusyBackoffRate,
                     .max_delay = kBusyMaxDelay,
                     .jitter = sfn::Retrier::Jitter::kFull},
                    {.errors = LambdaErrors(),
                     .interval = kBusyInterval,
                     .max_attempts = core::kRetryAttempts,
                     .backoff_rate = core::kRetryBackoffRate}},
          .catchers = {{.errors = {core::kTimeoutFailure, kHeartbeatError,
                                   core::kDeadlineFailure},
                        .next = core::kTimeoutState,
                        .result_path = kErrorPath},
                       {.errors = {kAllErrors},
                        .next = core::kErrorState,
                        .result_path = kErrorPath}},
          .next = core::kToCompletedState};
}

cfn::Resource AddRole(cfn::Template& stack,
                      const WorkflowFunctions& functions) {
  return stack.Add(
      "WorkflowRole",
      cfn::iam::Role{
          .description = "What the workflow may do",
          .assumed_by = "states.amazonaws.com",
          .policy_name = "WorkflowPolicy",
          .statements =
              {cfn::iam::Allow({"lambda:InvokeFunction"},
                               {functions.update_state.function.Arn(),
                                functions.worker.function.Arn()}),
               // Neither has resources for policies.
               cfn::iam::Allow(
                   {"logs:CreateLogDelivery", "logs:GetLogDelivery",
                    "logs:UpdateLogDelivery", "logs:DeleteLogDelivery",
                    "logs:ListLogDeliveries", "logs:PutResourcePolicy",
                    "logs:DescribeResourcePolicies", "logs:DescribeLogGroups"},
                   {"*"}),
               cfn::iam::Allow(
                   {"xray:PutTraceSegments", "xray:PutTelemetryRecords",
                    "xray:GetSamplingRules", "xray:GetSamplingTargets"},
                   {"*"})}},
      {.metadata = parts::Accept(
           {{.rule = "AwsSolutions-IAM5",
             .reason = "Actions for which IAM has no resources: deliveries of "
                       "logs and X-Ray.",
             .findings = {"Resource::*"}}})});
}

// A time-out of the machine and a stopped execution can't be caught inside.
cfn::Resource AddRule(cfn::Template& stack, const cfn::Resource& machine,
                      const WorkflowFunctions& functions,
                      const cfn::Resource& failures) {
  const cfn::Resource rule = stack.Add(
      "ExecutionEndRule",
      cfn::events::Rule{
          .description = "Closes the process of an execution that ended",
          .pattern = cfn::Object(
              {{"source", cfn::List({"aws.states"})},
               {"detail-type",
                cfn::List({"Step Functions Execution Status Change"})},
               {"detail",
                cfn::Object({{"stateMachineArn", cfn::List({machine.Ref()})},
                             {"status", cfn::List({"FAILED", "TIMED_OUT",
                                                   "ABORTED"})}})}}),
          .target = {.id = core::kUpdateStateFunction,
                     .arn = functions.update_state.function.Arn(),
                     .dead_letter_queue = failures.Arn(),
                     .max_event_age = kMaxEventAge,
                     .max_retry_attempts = kRuleRetryAttempts}});
  stack.Add("ExecutionEndPermission",
            cfn::lambda::Permission{
                .function_name = functions.update_state.function.Ref(),
                .principal = "events.amazonaws.com",
                .source_arn = rule.Arn()});
  return rule;
}

}  // namespace

sfn::Machine WorkflowMachine(const WorkflowFunctions& functions) {
  return {
      .comment = "AI Generation Async Processing",
      .start_at = core::kToProcessingState,
      .timeout = core::kWorkflowTimeout,
      .states = {{core::kToProcessingState, StartTask(functions)},
                 {core::kWorkerState, WorkerTask(functions)},
                 {core::kToCompletedState,
                  Update(functions, ProcessStatus::kCompleted, WithError::kNo)},
                 {core::kTimeoutState,
                  Update(functions, ProcessStatus::kTimeout, WithError::kYes)},
                 {core::kErrorState,
                  Update(functions, ProcessStatus::kFailed, WithError::kYes)}}};
}

Workflow AddWorkflow(cfn::Template& stack, const Inputs& inputs,
                     const WorkflowFunctions& functions,
                     const cfn::Resource& failures) {
  // Step Functions' own groups have this prefix, for the size of its policy.
  const cfn::Resource log_group = stack.Add(
      "WorkflowLogGroup",
      cfn::logs::LogGroup{
          .name = cfn::Sub("/aws/vendedlogs/states/${AWS::StackName}-workflow"),
          .retention_days = inputs.functions.observation.log_retention},
      {.removal = cfn::RemovalPolicy::kDelete});
  const cfn::Resource machine = stack.Add(
      "Workflow",
      sfn::StateMachine{
          .role = AddRole(stack, functions).Arn(),
          .machine = WorkflowMachine(functions),
          .log_level = sfn::StateMachine::LogLevel::kError,
          .log_group_arn = log_group.Arn(),
          .tracing = cfn::If(inputs.functions.observation.traces_requests, true,
                             false)},
      {.metadata = parts::Accept(
           {{.rule = "AwsSolutions-SF1",
             .reason = "Every event of every task would be logged again: the "
                       "execution's history has them, and the functions log."},
            {.rule = "AwsSolutions-SF2", .reason = kTracingReason},
            {.rule = "CdkNagValidationFailure", .reason = kTracingReason}})});
  return {.state_machine = machine,
          .log_group = log_group,
          .rule = AddRule(stack, machine, functions, failures)};
}

// Kept when the stack is deleted: its messages tell what was not done.
cfn::Resource AddFailureQueue(cfn::Template& stack) {
  return stack.Add(
      "FailureQueue",
      cfn::sqs::Queue{
          .retention = kDeadLetterRetention,
          .dead_letters_from = cfn::sqs::Queue::DeadLettersFrom::kNoQueue},
      {.removal = cfn::RemovalPolicy::kRetain,
       .metadata = parts::Accept({parts::QueueOfFailures()})});
}

void AddFailureQueuePolicy(cfn::Template& stack, const cfn::Resource& queue) {
  // By name: the rules refer to the queue.
  stack.Add(
      "FailureQueuePolicy",
      cfn::sqs::QueuePolicy{
          .queue_url = queue.Ref(),
          .statements = {
              cfn::iam::DenyWithoutTls("sqs:*", queue.Arn()),
              {.sid = "LetTheRulesSend",
               .principal = cfn::Object({{"Service", "events.amazonaws.com"}}),
               .actions = {"sqs:SendMessage"},
               .resources = {queue.Arn()},
               .condition = cfn::Object(
                   {{"ArnEquals",
                     cfn::Object({{"aws:SourceArn",
                                   cfn::List({cfn::GetAtt("CleanUpRule", "Arn"),
                                              cfn::GetAtt("ExecutionEndRule",
                                                          "Arn")})}})}})}}});
}

}  // namespace byoshin::infra::generation
