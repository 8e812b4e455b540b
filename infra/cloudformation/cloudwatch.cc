#include "infra/cloudformation/cloudwatch.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
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
  properties.Set("Namespace", metric_namespace);
  properties.Set("MetricName", metric);
  properties.Set("Dimensions", ToDimensions(dimensions));
  properties.Set(percentile ? "ExtendedStatistic" : "Statistic", statistic);
  properties.Set("Period", period);
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
  return {.name = "AWS::CloudWatch::Dashboard",
          .tags = ResourceType::Tags::kList};
}

Properties Dashboard::ToProperties() const {
  Properties properties;
  properties.Set("DashboardName", name);
  properties.Require("DashboardBody", body);
  return properties;
}

}  // namespace byoshin::infra::cloudformation::cloudwatch
