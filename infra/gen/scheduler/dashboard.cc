#include "infra/gen/scheduler/dashboard.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"
#include "infra/constants.h"
#include "infra/gen/parts/widgets.h"
#include "infra/gen/scheduler/alarms.h"
#include "infra/gen/scheduler/parameters.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;
using cfn::Value;
using parts::Graph;
using parts::Grid;
using parts::InSub;
using parts::LogWidget;
using parts::MetricLine;

Value OwnMetric(absl::string_view function, absl::string_view metric,
                Value::Members options) {
  return MetricLine(
      {core::kMetricsNamespace, metric, core::kFunctionDimension, function},
      std::move(options));
}

void AddSeries(Grid& grid, const Watched& watched) {
  // The lines with a count are those of slots that were stored, now or before.
  grid.Add(
      "log", 16,
      LogWidget(core::kMetricName, "timeSeries",
                absl::StrCat("SOURCE '", InSub(watched.collector.log_group),
                             "' | filter ispresent(`", core::kCountAttribute,
                             "`) | stats max(`", core::kCountAttribute,
                             "`) as ", core::kMetricName, " by bin(",
                             absl::ToInt64Seconds(core::kSlotInterval), "s)")));
  Value::Members stored = Graph(
      "Slots a minute",
      {OwnMetric(core::kCollectorFunction, core::kStoredMetric,
                 {{"stat", "Sum"}, {"label", "stored"}}),
       OwnMetric(core::kCollectorFunction, core::kDuplicateMetric,
                 {{"stat", "Sum"}, {"label", "stored before"}}),
       OwnMetric(core::kCollectorFunction, core::kFailedMetric,
                 {{"stat", "Sum"}, {"label", "failed"}, {"color", "#d62728"}}),
       OwnMetric(core::kSenderFunction, core::kSendFailedMetric,
                 {{"stat", "Sum"}, {"label", "not sent"}})});
  stored.emplace_back(
      "annotations",
      cfn::Object({{"horizontal", cfn::List({cfn::Object(
                                      {{"label", "expected"},
                                       {"value", core::kSlotsPerMinute}})})}}));
  grid.Add("metric", 8, std::move(stored));
}

void AddLatencies(Grid& grid) {
  const auto percentiles = [](absl::string_view metric) {
    return Value::Items{
        OwnMetric(core::kCollectorFunction, metric, {{"stat", "p50"}}),
        OwnMetric(core::kCollectorFunction, metric, {{"stat", "p99"}}),
        OwnMetric(core::kCollectorFunction, metric, {{"stat", "Maximum"}})};
  };
  grid.Add(
      "metric", 12,
      Graph("Lateness of slots (ms)", percentiles(core::kSlotLatenessMetric)));
  grid.Add(
      "metric", 12,
      Graph("Latency of the API (ms)", percentiles(core::kApiLatencyMetric)));
}

void AddQueues(Grid& grid, const Queues& queues) {
  const auto line = [](absl::string_view metric, const cfn::Resource& queue,
                       absl::string_view label) {
    return MetricLine(
        {"AWS/SQS", metric, "QueueName", InSub(queue, "QueueName")},
        {{"stat", "Maximum"}, {"label", label}});
  };
  constexpr char kVisible[] = "ApproximateNumberOfMessagesVisible";
  grid.Add(
      "metric", 8,
      Graph("Scheduling queue", {line("ApproximateNumberOfMessagesDelayed",
                                      queues.scheduling, "delayed"),
                                 line(kVisible, queues.scheduling, "waiting"),
                                 line("ApproximateNumberOfMessagesNotVisible",
                                      queues.scheduling, "being processed")}));
  grid.Add("metric", 8,
           Graph("Age of the oldest message (s)",
                 {line("ApproximateAgeOfOldestMessage", queues.scheduling,
                       "oldest")}));
  grid.Add(
      "metric", 8,
      Graph("Dead letters", {line(kVisible, queues.dead_letters, "slots"),
                             line(kVisible, queues.sender_failures, "Sender"),
                             line(kVisible, queues.rule_failures, "rule")}));
}

// `mock_api` is the name of the mock's function inside the Sub: a variable,
// since there may be none.
void AddFunctions(Grid& grid, const Watched& watched,
                  absl::string_view mock_api) {
  const std::vector<std::pair<std::string, std::string>> functions = {
      {core::kSenderFunction, InSub(watched.sender.function)},
      {core::kCollectorFunction, InSub(watched.collector.function)},
      {"MockApi", std::string(mock_api)}};
  Value::Items errors, durations;
  for (const auto& [label, name] : functions) {
    for (const char* metric : {"Errors", "Throttles"}) {
      errors.push_back(MetricLine(
          {"AWS/Lambda", metric, "FunctionName", name},
          {{"stat", "Sum"}, {"label", absl::StrCat(label, " ", metric)}}));
    }
    durations.push_back(
        MetricLine({"AWS/Lambda", "Duration", "FunctionName", name},
                   {{"stat", "p99"}, {"label", label}}));
  }
  const auto rule_line = [&](const char* metric) {
    return MetricLine({"AWS/Events", metric, "RuleName", InSub(watched.rule)},
                      {{"stat", "Sum"}});
  };
  grid.Add("metric", 8, Graph("Errors and throttles", std::move(errors)));
  grid.Add("metric", 8, Graph("Duration, p99 (ms)", std::move(durations)));
  grid.Add("metric", 8,
           Graph("Schedule",
                 {rule_line("Invocations"), rule_line("FailedInvocations")}));
}

void AddErrorLines(Grid& grid, const Watched& watched) {
  grid.Add(
      "log", 16,
      LogWidget("Latest errors", "table",
                absl::StrCat("SOURCE '", InSub(watched.sender.log_group),
                             "' | SOURCE '", InSub(watched.collector.log_group),
                             "' | filter level = 'ERROR' | fields @timestamp, "
                             "message, from, step, error | sort @timestamp "
                             "desc | limit 50")));
}

}  // namespace

void AddDashboard(cfn::Template& stack, const Inputs& inputs,
                  const Watched& watched,
                  const std::vector<std::string>& alarm_ids) {
  Grid grid;
  AddSeries(grid, watched);
  AddLatencies(grid);
  AddQueues(grid, watched.queues);
  AddFunctions(grid, watched, "${MockApiName}");
  grid.Add("alarm", 8, parts::AlarmStates(alarm_ids));
  AddErrorLines(grid, watched);
  const cfn::Resource dashboard =
      stack.Add("Dashboard",
                cfn::cloudwatch::Dashboard{
                    .name = cfn::Sub("${AWS::StackName}-${AWS::Region}"),
                    .body = cfn::Sub(
                        cfn::ToCompactJson(std::move(grid).Body()),
                        {{"MockApiName",
                          cfn::If(inputs.has_mock_api,
                                  watched.mock_api.function.Ref(), "none")}})});
  stack.AddOutput("DashboardName", {.description = "Dashboard in CloudWatch",
                                    .value = dashboard.Ref()});
}

}  // namespace byoshin::infra::scheduler
