#include "infra/gen/scheduler/functions.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "core/scheduler/constants.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;

cfn::Resource AddRole(cfn::Template& stack, const FunctionSpec& spec,
                      const cfn::Resource& log_group) {
  std::vector<cfn::iam::Statement> statements = spec.statements;
  // The group's ARN ends with ":*", which stands for its streams.
  statements.push_back(cfn::iam::Allow(
      {"logs:CreateLogStream", "logs:PutLogEvents"}, {log_group.Arn()}));
  // X-Ray has no resources for policies.
  statements.push_back(cfn::iam::Allow(
      {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}, {"*"}));
  return stack.Add(
      absl::StrCat(spec.name, "Role"),
      cfn::iam::Role{
          .description = absl::StrCat("What the ", spec.name, " may do"),
          .assumed_by = "lambda.amazonaws.com",
          .policy_name = absl::StrCat(spec.name, "Policy"),
          .statements = statements},
      {.condition = spec.condition});
}

}  // namespace

FunctionResources AddFunction(cfn::Template& stack, const Inputs& inputs,
                              const FunctionSpec& spec) {
  const cfn::Resource log_group = stack.Add(
      absl::StrCat(spec.name, "LogGroup"),
      cfn::logs::LogGroup{.name = cfn::Sub(absl::StrCat(
                              "/byoshin/${AWS::StackName}/", spec.log_name)),
                          .retention_days = inputs.log_retention},
      {.condition = spec.condition, .removal = cfn::RemovalPolicy::kDelete});
  const cfn::Resource role = AddRole(stack, spec, log_group);
  const cfn::Resource function = stack.Add(
      absl::StrCat(spec.name, "Function"),
      cfn::lambda::Function{.description = spec.description,
                            .code_bucket = inputs.code_bucket,
                            .code_key = spec.code_key,
                            .architecture = inputs.architecture,
                            .role = role.Arn(),
                            .memory_mb = kFunctionMemoryMb,
                            .timeout = spec.timeout,
                            .environment = spec.environment,
                            .log_group = log_group.Ref(),
                            .tracing_mode = inputs.tracing,
                            .reserved_concurrency = spec.reserved_concurrency},
      {.condition = spec.condition});
  return {.function = function, .log_group = log_group};
}

FunctionResources AddSender(cfn::Template& stack, const Inputs& inputs,
                            const Queues& queues) {
  const FunctionResources sender = AddFunction(
      stack, inputs,
      {.name = core::kSenderFunction,
       .log_name = "sender",
       .description = "Puts the slots of a minute on the queue, each delayed "
                      "until it begins.",
       .code_key = inputs.sender_code_key,
       .timeout = core::kSenderTimeout,
       .environment = {{core::kQueueUrlVariable, queues.scheduling.Ref()},
                       {core::kWindowLagVariable, inputs.window_lag}},
       // Lambda sends to the second queue on behalf of the function.
       .statements = {
           cfn::iam::Allow({"sqs:SendMessage"}, {queues.scheduling.Arn()}),
           cfn::iam::Allow({"sqs:SendMessage"},
                           {queues.sender_failures.Arn()})}});
  stack.Add("SenderInvokeConfig",
            cfn::lambda::EventInvokeConfig{
                .function_name = sender.function.Ref(),
                .max_retry_attempts = kSenderRetryAttempts,
                .max_event_age = kMaxEventAge,
                .on_failure = queues.sender_failures.Arn()});
  return sender;
}

FunctionResources AddCollector(cfn::Template& stack, const Inputs& inputs,
                               const CollectorSurroundings& surroundings) {
  const auto& [queue, table, api_base_url] = surroundings;
  const FunctionResources collector = AddFunction(
      stack, inputs,
      {.name = core::kCollectorFunction,
       .log_name = "collector",
       .description =
           "Asks the API about one slot and stores the answer, once.",
       .code_key = inputs.collector_code_key,
       .timeout = core::kCollectorTimeout,
       .environment = {{core::kApiBaseUrlVariable, api_base_url},
                       {core::kTableNameVariable, table.Ref()},
                       {core::kWindowLagVariable, inputs.window_lag}},
       // Lambda reads the queue on behalf of the function.
       .statements = {cfn::iam::Allow({"dynamodb:PutItem"}, {table.Arn()}),
                      cfn::iam::Allow(
                          {"sqs:ReceiveMessage", "sqs:DeleteMessage",
                           "sqs:GetQueueAttributes"},
                          {queue.Arn()})},
       .reserved_concurrency =
           cfn::If(inputs.reserves_concurrency, inputs.reserved_concurrency,
                   cfn::NoValue())});
  stack.Add("CollectorEventSource",
            cfn::lambda::EventSourceMapping{
                .function_name = collector.function.Ref(),
                .queue_arn = queue.Arn(),
                .batch_size = core::kCollectorBatchSize,
                .max_concurrency = kCollectorMaxConcurrency});
  return collector;
}

}  // namespace byoshin::infra::scheduler
