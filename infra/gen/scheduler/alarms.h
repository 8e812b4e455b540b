// Alarms for operators, and their topic.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_ALARMS_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_ALARMS_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {

// The resources that are watched: everything that can fail.
struct Watched {
  Queues queues;
  FunctionResources sender;
  FunctionResources collector;
  FunctionResources mock_api;
  cloudformation::Resource rule;
};

// Returns the ids of the alarms that always exist.
std::vector<std::string> AddAlarms(cloudformation::Template& stack,
                                   const Inputs& inputs,
                                   const Watched& watched);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_ALARMS_H_
