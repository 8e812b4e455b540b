#include "infra/gen/scheduler/alarms.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/alarms.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;
using cfn::cloudwatch::Alarm;
using parts::AlarmAdder;

// An alarm on something that may happen once without harm.
Alarm RepeatedAlarm(std::string description) {
  return {.description = std::move(description),
          .statistic = "Sum",
          .period = kAlarmPeriod,
          .evaluation_periods = kAlarmPeriods,
          .datapoints_to_alarm = kAlarmBadPeriods,
          .comparison = Alarm::Comparison::kAtLeast,
          .threshold = 1};
}

void AddQueueAlarms(AlarmAdder& alarms, const Queues& queues) {
  alarms.Add(
      "OldestMessageAlarm",
      {.description = "Messages wait in the scheduling queue: the "
                      "Collector is not invoked, or fails.",
       .metric_namespace = "AWS/SQS",
       .metric = "ApproximateAgeOfOldestMessage",
       .dimensions = {{"QueueName", queues.scheduling.Attribute("QueueName")}},
       .statistic = "Maximum",
       .period = kAlarmPeriod,
       .comparison = Alarm::Comparison::kMoreThan,
       .threshold = cfn::Seconds(kOldestMessageAlarm)});
  const auto add = [&](const cfn::Resource& queue, std::string description) {
    alarms.Add(absl::StrCat(queue.id(), "Alarm"),
               {.description = std::move(description),
                .metric_namespace = "AWS/SQS",
                .metric = "ApproximateNumberOfMessagesVisible",
                .dimensions = {{"QueueName", queue.Attribute("QueueName")}},
                .statistic = "Maximum",
                .period = kAlarmPeriod,
                .comparison = Alarm::Comparison::kAtLeast,
                .threshold = 1});
  };
  add(queues.dead_letters,
      "The Collector gave up on slots, which are missing from the table.");
  add(queues.sender_failures,
      "The Sender gave up on minutes, whose slots may be missing.");
  add(queues.rule_failures,
      "EventBridge could not invoke the Sender; slots are missing.");
}

struct WatchedFunction {
  std::string name;
  cfn::Resource function;
  absl::Duration duration_limit;
  std::string condition{};
};

void AddFunctionAlarms(AlarmAdder& alarms, const WatchedFunction& watched) {
  const std::string& name = watched.name;
  const auto make = [&](const char* metric, std::string description) {
    Alarm alarm = RepeatedAlarm(absl::StrCat(name, ": ", description));
    alarm.metric_namespace = "AWS/Lambda";
    alarm.metric = metric;
    alarm.dimensions = {{"FunctionName", watched.function.Ref()}};
    return alarm;
  };
  alarms.Add(absl::StrCat(name, "ErrorsAlarm"),
             make("Errors", "invocations fail; see its log."),
             watched.condition);
  alarms.Add(absl::StrCat(name, "ThrottlesAlarm"),
             make("Throttles", "Lambda has no concurrency left for it."),
             watched.condition);
  Alarm slow = make(
      "Duration",
      absl::StrCat("slower than ", absl::FormatDuration(watched.duration_limit),
                   " (p99)."));
  slow.statistic = "p99";
  slow.threshold = absl::ToInt64Milliseconds(watched.duration_limit);
  alarms.Add(absl::StrCat(name, "DurationAlarm"), slow, watched.condition);
}

void AddSlotAlarms(AlarmAdder& alarms) {
  Alarm failed = RepeatedAlarm(
      "Slots fail: the API or the table refuses. They are tried again before "
      "they go to the dead-letter queue.");
  failed.metric_namespace = core::kMetricsNamespace;
  failed.metric = core::kFailedMetric;
  failed.dimensions = {{core::kFunctionDimension, core::kCollectorFunction}};
  alarms.Add("FailedSlotsAlarm", failed);

  const int expected = static_cast<int>(kMissedSlotsPeriod / absl::Minutes(1)) *
                       core::kSlotsPerMinute;
  alarms.Add(
      "MissedSlotsAlarm",
      {.description = absl::StrCat("Fewer slots were stored in ",
                                   absl::FormatDuration(kMissedSlotsPeriod),
                                   " than the ", expected, " that there are."),
       .metric_namespace = core::kMetricsNamespace,
       .metric = core::kStoredMetric,
       .dimensions = {{core::kFunctionDimension, core::kCollectorFunction}},
       .statistic = "Sum",
       .period = kMissedSlotsPeriod,
       .comparison = Alarm::Comparison::kLessThan,
       .threshold = expected - kMissedSlotsTolerance,
       .missing_data = Alarm::MissingData::kBreaching});
}

void AddRuleAlarm(AlarmAdder& alarms, const cfn::Resource& rule) {
  alarms.Add("RuleFailuresAlarm",
             {.description = "EventBridge fails to invoke the Sender.",
              .metric_namespace = "AWS/Events",
              .metric = "FailedInvocations",
              .dimensions = {{"RuleName", rule.Ref()}},
              .statistic = "Sum",
              .period = kAlarmPeriod,
              .comparison = Alarm::Comparison::kAtLeast,
              .threshold = 1});
}

}  // namespace

std::vector<std::string> AddAlarms(cfn::Template& stack, const Inputs& inputs,
                                   const Watched& watched) {
  AlarmAdder alarms(stack,
                    parts::AddAlarmTopic(stack, inputs.functions.observation));
  AddQueueAlarms(alarms, watched.queues);
  AddFunctionAlarms(alarms, {.name = core::kSenderFunction,
                             .function = watched.sender.function,
                             .duration_limit = kSenderDurationAlarm});
  AddFunctionAlarms(alarms, {.name = core::kCollectorFunction,
                             .function = watched.collector.function,
                             .duration_limit = kCollectorDurationAlarm});
  AddFunctionAlarms(alarms, {.name = "MockApi",
                             .function = watched.mock_api.function,
                             .duration_limit = kMockApiDurationAlarm,
                             .condition = inputs.has_mock_api});
  AddRuleAlarm(alarms, watched.rule);
  AddSlotAlarms(alarms);
  return alarms.Take();
}

}  // namespace byoshin::infra::scheduler
