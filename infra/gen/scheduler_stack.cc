#include "infra/gen/scheduler_stack.h"

#include <string>
#include <vector>

#include "core/scheduler/constants.h"
#include "infra/cloudformation/dynamodb.h"
#include "infra/cloudformation/events.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/scheduler/alarms.h"
#include "infra/gen/scheduler/dashboard.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/mock_api.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;

constexpr char kName[] = "scheduler";
constexpr char kDescription[] =
    "Byoshin data-collection scheduler: polls an API every five seconds and "
    "stores the counts.";

// Retained when the stack is deleted or a change replaces it: it holds the
// data.
cfn::Resource AddTable(cfn::Template& stack, const scheduler::Inputs& inputs) {
  return stack.Add("MetricsTable",
                   cfn::dynamodb::Table{.table_name = inputs.table_name,
                                        .partition_key = core::kMetricNameKey,
                                        .sort_key = core::kSlotTimeKey},
                   {.removal = cfn::RemovalPolicy::kRetain});
}

cfn::Resource AddRule(cfn::Template& stack, const scheduler::Queues& queues,
                      const cfn::Resource& sender) {
  const cfn::Resource rule =
      stack.Add("ScheduleRule",
                cfn::events::Rule{
                    .description = "Invokes the Sender every minute",
                    .schedule = kSchedule,
                    .target = {.id = core::kSenderFunction,
                               .arn = sender.Arn(),
                               .dead_letter_queue = queues.rule_failures.Arn(),
                               .max_event_age = kMaxEventAge,
                               .max_retry_attempts = kRuleRetryAttempts}});
  stack.Add("SchedulePermission",
            cfn::lambda::Permission{.function_name = sender.Ref(),
                                    .principal = "events.amazonaws.com",
                                    .source_arn = rule.Arn()});
  return rule;
}

void AddOutputs(cfn::Template& stack, const scheduler::Watched& watched,
                const cfn::Resource& table) {
  const auto add = [&](const char* id, const char* description,
                       cfn::Value value) {
    stack.AddOutput(id, {.description = description, .value = value});
  };
  add("MetricsTableName", "Table with the counts", table.Ref());
  add("SenderFunctionName", "Function that the schedule invokes",
      watched.sender.function.Ref());
  add("CollectorFunctionName", "Function that asks the API",
      watched.collector.function.Ref());
  add("ScheduleRuleName", "Rule that invokes the Sender", watched.rule.Ref());
  add("SchedulingQueueUrl", "Queue between Sender and Collector",
      watched.queues.scheduling.Ref());
  add("DeadLetterQueueUrl", "Slots that the Collector gave up on",
      watched.queues.dead_letters.Ref());
  add("SenderFailureQueueUrl", "Minutes that the Sender gave up on",
      watched.queues.sender_failures.Ref());
  add("RuleFailureQueueUrl", "Events that did not reach the Sender",
      watched.queues.rule_failures.Ref());
}

cfn::Template Build() {
  cfn::Template stack(kDescription);
  stack.SetTags({{kApplicationTag, kApplication}, {kComponentTag, kName}});
  const scheduler::Inputs inputs = scheduler::AddInputs(stack);
  const cfn::Resource table = AddTable(stack, inputs);
  const scheduler::Queues queues = scheduler::AddQueues(stack);
  const scheduler::FunctionResources sender =
      scheduler::AddSender(stack, inputs, queues);
  const cfn::Resource rule = AddRule(stack, queues, sender.function);
  scheduler::AddQueuePolicies(stack, queues, rule);
  const scheduler::MockApi mock_api = scheduler::AddMockApi(stack, inputs);
  stack.AddOutput("MockApiUrl", {.description = "The mock API",
                                 .value = mock_api.url,
                                 .condition = inputs.has_mock_api});
  const scheduler::FunctionResources collector = scheduler::AddCollector(
      stack, inputs,
      {.queue = queues.scheduling,
       .table = table,
       .api_base_url =
           cfn::If(inputs.calls_mock_api, mock_api.url, inputs.api_base_url)});
  const scheduler::Watched watched = {.queues = queues,
                                      .sender = sender,
                                      .collector = collector,
                                      .mock_api = mock_api.function,
                                      .rule = rule};
  AddOutputs(stack, watched, table);
  const std::vector<std::string> alarms =
      scheduler::AddAlarms(stack, inputs, watched);
  scheduler::AddDashboard(stack, inputs, watched, alarms);
  return stack;
}

}  // namespace

Stack SchedulerStack() {
  return {.name = kName, .description = kDescription, .build = Build};
}

}  // namespace byoshin::infra
