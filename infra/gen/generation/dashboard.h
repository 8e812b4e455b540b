// The CloudWatch dashboard: processes and their outcomes, durations, the queue,
// the workflow, the functions and the database.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_DASHBOARD_H_
#define BYOSHIN_INFRA_GEN_GENERATION_DASHBOARD_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/generation/api.h"
#include "infra/gen/generation/database.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/workflow.h"

namespace byoshin::infra::generation {

struct Watched {
  Database database;
  WorkflowFunctions workflow_functions;
  ApiFunctions api_functions;
  FunctionResources clean_up;
  Workflow workflow;
  Api api;
};

// `model_id` is what the worker asks.
void AddDashboard(cloudformation::Template& stack, const Watched& watched,
                  const cloudformation::Value& model_id,
                  const std::vector<std::string>& alarm_ids);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_DASHBOARD_H_
