// The parameters of the template of asynchronous generation, and the conditions
// over them.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_PARAMETERS_H_
#define BYOSHIN_INFRA_GEN_GENERATION_PARAMETERS_H_

#include <string>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::generation {

// References to the parameters, and the names of the conditions over them.
struct Inputs {
  parts::FunctionInputs functions;
  cloudformation::Value stage_name;
  cloudformation::Value allowed_origin;
  cloudformation::Value self_sign_up;
  cloudformation::Value model_temperature;
  cloudformation::Value model_max_tokens;
  cloudformation::Value min_capacity;
  cloudformation::Value max_capacity;
  cloudformation::Value subnet_group;
  cloudformation::Value security_group;

  std::string has_model_profile;
  std::string has_self_sign_up;
  std::string reserves_concurrency;
  std::string has_subnet_group;
  std::string has_security_group;
  // The database pauses while nobody uses it.
  std::string pauses_database;
  std::string sets_log_role;
};

// Adds parameters, rules, conditions and their metadata for the console.
Inputs AddInputs(cloudformation::Template& stack);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_PARAMETERS_H_
