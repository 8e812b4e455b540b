#include "infra/gen/scheduler/alarms.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/sns.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;
using cfn::Value;
using cfn::cloudwatch::Alarm;

// The topic, which only this account's alarms may publish to. It is not
// encrypted: CloudWatch can't use the account's key for SNS, and an alarm
// contains no data.
cfn::Resource AddTopic(cfn::Template& stack, const Inputs& inputs) {
  const cfn::ResourceOptions options = {.condition = inputs.has_alarm_email};
  const cfn::Resource topic = stack.Add(
      "AlarmTopic", cfn::sns::Topic{.display_name = "Byoshin alarms"}, options);
  stack.Add("AlarmSubscription",
            cfn::sns::EmailSubscription{.topic_arn = topic.Ref(),
                                        .address = inputs.alarm_email},
            options);
  stack.Add("AlarmTopicPolicy",
            cfn::sns::TopicPolicy{
                .topic_arn = topic.Ref(),
                .statements =
                    {cfn::iam::DenyWithoutTls("sns:Publish", topic.Ref()),
                     {.sid = "LetAlarmsPublish",
                      .principal = cfn::Object(
                          {{"Service", "cloudwatch.amazonaws.com"}}),
                      .actions = {"sns:Publish"},
                      .resources = {topic.Ref()},
                      .condition = cfn::Object(
                          {{"StringEquals",
                            cfn::Object({{"aws:SourceAccount",
                                          cfn::Ref("AWS::AccountId")}})}})}}},
            options);
  stack.AddOutput("AlarmTopicArn", {.description = "Topic of the alarms",
                                    .value = topic.Ref(),
                                    .condition = inputs.has_alarm_email});
  return topic;
}

class AlarmAdder {
 public:
  AlarmAdder(cfn::Template& stack, Value actions)
      : stack_(stack), actions_(std::move(actions)) {}

  void Add(const std::string& id, Alarm alarm,
           const std::string& condition = "") {
    alarm.actions = actions_;
    stack_.Add(id, alarm, {.condition = condition});
    if (condition.empty()) ids_.push_back(id);
  }

  std::vector<std::string> Take() { return std::move(ids_); }

 private:
  cfn::Template& stack_;
  const Value actions_;
  std::vector<std::string> ids_;
};

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
  const cfn::Resource topic = AddTopic(stack, inputs);
  AlarmAdder alarms(stack, cfn::If(inputs.has_alarm_email,
                                   cfn::List({topic.Ref()}), cfn::NoValue()));
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
