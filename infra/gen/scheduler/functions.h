// The Sender and the Collector, each with its log group and role.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_FUNCTIONS_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_FUNCTIONS_H_

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/function.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {

using parts::FunctionResources;

FunctionResources AddSender(cloudformation::Template& stack,
                            const Inputs& inputs, const Queues& queues);

struct CollectorSurroundings {
  cloudformation::Resource queue;
  cloudformation::Resource table;
  cloudformation::Value api_base_url;
};

FunctionResources AddCollector(cloudformation::Template& stack,
                               const Inputs& inputs,
                               const CollectorSurroundings& surroundings);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_FUNCTIONS_H_
