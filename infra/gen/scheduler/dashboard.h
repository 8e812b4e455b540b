// The CloudWatch dashboard: the collected series, its lateness and
// completeness, and errors.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_DASHBOARD_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_DASHBOARD_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/gen/scheduler/alarms.h"
#include "infra/gen/scheduler/parameters.h"

namespace byoshin::infra::scheduler {

void AddDashboard(cloudformation::Template& stack, const Inputs& inputs,
                  const Watched& watched,
                  const std::vector<std::string>& alarm_ids);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_DASHBOARD_H_
