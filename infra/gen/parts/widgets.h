// Widgets of a CloudWatch dashboard. Its body is one Sub, so that names of
// resources are "${Id}".
//
//   Grid grid;
//   grid.Add("metric", 12, Graph("Errors", {MetricLine({"AWS/Lambda",
//   "Errors"}, {{"stat", "Sum"}})}));
//   cfn::Sub(cfn::ToCompactJson(std::move(grid).Body()));
#ifndef BYOSHIN_INFRA_GEN_PARTS_WIDGETS_H_
#define BYOSHIN_INFRA_GEN_PARTS_WIDGETS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::parts {

// "${Id}" and "${Id.Attribute}".
std::string InSub(const cloudformation::Resource& resource);
std::string InSub(const cloudformation::Resource& resource,
                  absl::string_view attribute);

// Puts widgets side by side, and the next row below.
class Grid {
 public:
  void Add(const char* type, int width,
           cloudformation::Value::Members properties);

  cloudformation::Value Body() &&;

 private:
  int x_ = 0;
  int y_ = 0;
  cloudformation::Value::Items widgets_;
};

// A line of a graph: namespace, metric and dimensions, and options.
cloudformation::Value MetricLine(cloudformation::Value::Items path,
                                 cloudformation::Value::Members options);

// The properties of widgets. A log query names groups in quotes.
cloudformation::Value::Members Graph(absl::string_view title,
                                     cloudformation::Value::Items metrics);
cloudformation::Value::Members LogWidget(absl::string_view title,
                                         absl::string_view view,
                                         absl::string_view query);
cloudformation::Value::Members AlarmStates(
    const std::vector<std::string>& alarm_ids);

}  // namespace byoshin::infra::parts

#endif  // BYOSHIN_INFRA_GEN_PARTS_WIDGETS_H_
