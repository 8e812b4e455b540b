// The Sender and the Collector, each with its log group and role.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_FUNCTIONS_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/scheduler/parameters.h"
#include "infra/gen/scheduler/queues.h"

namespace byoshin::infra::scheduler {

struct FunctionResources {
  cloudformation::Resource function;
  cloudformation::Resource log_group;
};

struct FunctionSpec {
  std::string name;  // "Sender"; the ids are SenderFunction, SenderRole, …
  std::string log_name;
  std::string description;
  cloudformation::Value code_key;
  absl::Duration timeout;
  cloudformation::Value::Members environment{};
  // In addition to writing its own logs and traces.
  std::vector<cloudformation::iam::Statement> statements{};
  cloudformation::Value reserved_concurrency{};
  std::string condition{};
};

// A function, its log group, which is created before it, and its role, which
// has the permissions of `spec` and may write logs and traces.
FunctionResources AddFunction(cloudformation::Template& stack,
                              const Inputs& inputs, const FunctionSpec& spec);

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
