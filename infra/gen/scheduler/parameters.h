// The parameters of the scheduler's template, and the conditions over them.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_PARAMETERS_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_PARAMETERS_H_

#include <string>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::scheduler {

// References to the parameters, and the names of the conditions over them.
struct Inputs {
  parts::FunctionInputs functions;
  cloudformation::Value sender_code_key;
  cloudformation::Value collector_code_key;
  cloudformation::Value mock_api_code_key;
  cloudformation::Value table_name;
  cloudformation::Value api_base_url;
  cloudformation::Value window_lag;
  cloudformation::Value reserved_concurrency;

  std::string has_mock_api;
  std::string calls_mock_api;
  std::string needs_api_key;
  std::string has_open_mock_api;
  std::string sets_log_role;
  std::string reserves_concurrency;
};

// Adds parameters, rules, conditions and their metadata for the console.
Inputs AddInputs(cloudformation::Template& stack);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_PARAMETERS_H_
