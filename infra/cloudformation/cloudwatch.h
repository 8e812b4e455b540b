// Amazon CloudWatch: alarms and dashboards.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_CLOUDWATCH_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_CLOUDWATCH_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::cloudwatch {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-alarm.html
struct Alarm {
  enum class Comparison { kAtLeast, kMoreThan, kLessThan };
  enum class MissingData { kNotBreaching, kBreaching };

  std::string description{};
  std::string metric_namespace{};
  std::string metric{};
  Value::Members dimensions{};
  // Instead of a metric: an expression over metrics of the namespace, which it
  // names by their position: m0, m1. Each has the alarm's statistic and period.
  std::string expression{};
  std::vector<std::string> expression_metrics{};
  // "Sum", "Maximum", or a percentile such as "p99".
  std::string statistic{};
  std::optional<absl::Duration> period{};
  int evaluation_periods = 1;
  // The number of those periods that must be breaching; all of them if 0.
  int datapoints_to_alarm = 0;
  Comparison comparison = Comparison::kAtLeast;
  Value threshold{};
  MissingData missing_data = MissingData::kNotBreaching;
  // ARNs, or absent; notified when the alarm is raised and when it ends.
  Value actions{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-dashboard.html
struct Dashboard {
  Value name{};
  // JSON text.
  Value body{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::cloudwatch

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_CLOUDWATCH_H_
