#include "infra/gen/parts/widgets.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"

namespace byoshin::infra::parts {
namespace {

namespace cfn = cloudformation;
using cfn::Value;

// CloudWatch lays widgets out on a grid 24 wide.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
constexpr int kGridWidth = 24;
constexpr int kWidgetHeight = 6;

}  // namespace

std::string InSub(const cfn::Resource& resource) {
  return absl::StrCat("${", resource.id(), "}");
}

std::string InSub(const cfn::Resource& resource, absl::string_view attribute) {
  return absl::StrCat("${", resource.id(), ".", attribute, "}");
}

void Grid::Add(const char* type, int width, Value::Members properties) {
  if (x_ + width > kGridWidth) {
    x_ = 0;
    y_ += kWidgetHeight;
  }
  widgets_.push_back(
      cfn::Object({{"type", type},
                   {"x", x_},
                   {"y", y_},
                   {"width", width},
                   {"height", kWidgetHeight},
                   {"properties", Value(std::move(properties))}}));
  x_ += width;
}

Value Grid::Body() && {
  return cfn::Object({{"widgets", Value(std::move(widgets_))}});
}

Value MetricLine(Value::Items path, Value::Members options) {
  path.push_back(Value(std::move(options)));
  return cfn::List(std::move(path));
}

Value::Members Graph(absl::string_view title, Value::Items metrics) {
  return {{"title", title},
          {"view", "timeSeries"},
          {"region", "${AWS::Region}"},
          {"period", cfn::Seconds(kAlarmPeriod)},
          {"metrics", cfn::List(std::move(metrics))}};
}

Value::Members LogWidget(absl::string_view title, absl::string_view view,
                         absl::string_view query) {
  return {{"title", title},
          {"view", view},
          {"region", "${AWS::Region}"},
          {"query", query}};
}

Value::Members AlarmStates(const std::vector<std::string>& alarm_ids) {
  Value::Items arns;
  for (const std::string& id : alarm_ids) {
    arns.push_back(absl::StrCat("${", id, ".Arn}"));
  }
  return {{"title", "Alarms"}, {"alarms", Value(std::move(arns))}};
}

}  // namespace byoshin::infra::parts
