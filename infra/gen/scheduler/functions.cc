#include "infra/gen/scheduler/functions.h"

#include "core/scheduler/constants.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/function.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;

}  // namespace

FunctionResources AddSender(cfn::Template& stack, const Inputs& inputs,
                            const Queues& queues) {
  const FunctionResources sender = parts::AddFunction(
      stack, inputs.functions,
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
  const FunctionResources collector = parts::AddFunction(
      stack, inputs.functions,
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
