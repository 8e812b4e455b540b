// The scheduler in one run of the cloud: the API that it polls, the first
// minute, a line for each slot, and the report of a simulation.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RUN_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RUN_H_

#include <memory>

#include "local/applications/application.h"

namespace byoshin::local::applications {

// What --faults calls the polled API.
inline constexpr char kApiFault[] = "api";
// Of `up`: where the mock API listens.
inline constexpr char kApiPortFlag[] = "api-port";

std::unique_ptr<ApplicationRun> NewSchedulerRun(RunWorld world);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RUN_H_
