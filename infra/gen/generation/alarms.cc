#include "infra/gen/generation/alarms.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/constants.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/alarms.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::cloudwatch::Alarm;

// Every process that ends counts 0 or 1 for each outcome, so that there are
// numbers for all or for none.
Alarm RateAlarm(std::string description, const char* metric, int percentage) {
  return {.description = std::move(description),
          .metric_namespace = core::kMetricsNamespace,
          .expression = "100 * m0 / (m1 + m2 + m3)",
          .expression_metrics = {metric, core::kCompletedMetric,
                                 core::kFailedMetric, core::kTimeoutMetric},
          .statistic = "Sum",
          .period = kGenerationAlarmPeriod,
          .comparison = Alarm::Comparison::kMoreThan,
          .threshold = percentage};
}

Alarm MetricAlarm(std::string description, const char* metric,
                  const char* statistic) {
  return {.description = std::move(description),
          .metric_namespace = core::kMetricsNamespace,
          .metric = metric,
          .statistic = statistic,
          .period = kGenerationAlarmPeriod,
          .comparison = Alarm::Comparison::kMoreThan};
}

}  // namespace

std::vector<std::string> AddAlarms(cfn::Template& stack, const Inputs& inputs,
                                   const cfn::Resource& failures) {
  parts::AlarmAdder alarms(
      stack, parts::AddAlarmTopic(stack, inputs.functions.observation));
  alarms.Add("ErrorRateAlarm",
             RateAlarm(absl::StrCat("More than ", kErrorRateAlarm,
                                    "% of the processes failed; see the "
                                    "worker's log."),
                       core::kFailedMetric, kErrorRateAlarm));
  alarms.Add(
      "TimeoutRateAlarm",
      RateAlarm(absl::StrCat("More than ", kTimeoutRateAlarm,
                             "% of the processes timed out: the model is slow, "
                             "or workers hang."),
                core::kTimeoutMetric, kTimeoutRateAlarm));
  Alarm slow = MetricAlarm(
      absl::StrCat("Processes take more than ",
                   absl::FormatDuration(kProcessingAlarm), " on average."),
      core::kDurationMetric, "Average");
  slow.threshold = absl::ToInt64Milliseconds(kProcessingAlarm);
  alarms.Add("ProcessingDurationAlarm", slow);
  Alarm queue = MetricAlarm(
      absl::StrCat("More than ", kQueueDepthAlarm,
                   " processes wait: there are not enough workers."),
      core::kQueueDepthMetric, "Maximum");
  queue.threshold = kQueueDepthAlarm;
  alarms.Add("QueueDepthAlarm", queue);
  alarms.Add(
      "FailureQueueAlarm",
      {.description = "Events were given up: processes may be open although "
                      "their execution has ended.",
       .metric_namespace = "AWS/SQS",
       .metric = "ApproximateNumberOfMessagesVisible",
       .dimensions = {{"QueueName", failures.Attribute("QueueName")}},
       .statistic = "Maximum",
       .period = kAlarmPeriod,
       .comparison = Alarm::Comparison::kAtLeast,
       .threshold = 1});
  return alarms.Take();
}

}  // namespace byoshin::infra::generation
