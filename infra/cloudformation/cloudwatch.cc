#include "infra/cloudformation/cloudwatch.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::cloudwatch {
namespace {

Value ToValue(Alarm::Comparison comparison) {
  switch (comparison) {
    case Alarm::Comparison::kAtLeast:
      return "GreaterThanOrEqualToThreshold";
    case Alarm::Comparison::kMoreThan:
      return "GreaterThanThreshold";
    case Alarm::Comparison::kLessThan:
      break;
  }
  return "LessThanThreshold";
}

Value ToDimensions(const Value::Members& dimensions) {
  Value::Items items;
  for (const auto& [name, value] : dimensions) {
    items.push_back(Object({{"Name", name}, {"Value", value}}));
  }
  return List(std::move(items));
}

// The metrics of an expression, which are not shown, and the expression itself.
Value ToMetrics(const Alarm& alarm) {
  Value::Items queries = {Object({{"Id", "result"},
                                  {"Expression", alarm.expression},
                                  {"ReturnData", true}})};
  for (std::size_t i = 0; i < alarm.expression_metrics.size(); ++i) {
    queries.push_back(Object(
        {{"Id", absl::StrCat("m", i)},
         {"MetricStat",
          Object({{"Metric",
                   Object({{"Namespace", alarm.metric_namespace},
                           {"MetricName", alarm.expression_metrics[i]}})},
                  {"Period", Seconds(alarm.period.value_or(absl::Minutes(1)))},
                  {"Stat", alarm.statistic}})},
         {"ReturnData", false}}));
  }
  return List(std::move(queries));
}

}  // namespace

ResourceType Alarm::Type() {
  return {.name = "AWS::CloudWatch::Alarm",
          .attributes = {"Arn"},
          .tags = ResourceType::Tags::kList};
}

Properties Alarm::ToProperties() const {
  const bool percentile = absl::StartsWith(statistic, "p");
  Properties properties;
  properties.Set("AlarmDescription", description);
  if (!expression.empty()) {
    properties.Set("Metrics", ToMetrics(*this));
  } else {
    properties.Set("Namespace", metric_namespace);
    properties.Set("MetricName", metric);
    properties.Set("Dimensions", ToDimensions(dimensions));
    properties.Set(percentile ? "ExtendedStatistic" : "Statistic", statistic);
    properties.Set("Period", period);
  }
  properties.Require("EvaluationPeriods", evaluation_periods);
  properties.Set("DatapointsToAlarm", datapoints_to_alarm == 0
                                          ? evaluation_periods
                                          : datapoints_to_alarm);
  properties.Require("ComparisonOperator", ToValue(comparison));
  properties.Require("Threshold", threshold);
  properties.Set("TreatMissingData", missing_data == MissingData::kBreaching
                                         ? "breaching"
                                         : "notBreaching");
  properties.Set("AlarmActions", actions);
  properties.Set("OKActions", actions);
  return properties;
}

ResourceType Dashboard::Type() {
  // CloudFormation knows its tags in some regions only.
  return {.name = "AWS::CloudWatch::Dashboard"};
}

Properties Dashboard::ToProperties() const {
  Properties properties;
  properties.Set("DashboardName", name);
  properties.Require("DashboardBody", body);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::cloudwatch
