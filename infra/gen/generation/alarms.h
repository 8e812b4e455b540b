// Alarms for operators.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_ALARMS_H_
#define BYOSHIN_INFRA_GEN_GENERATION_ALARMS_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/gen/generation/parameters.h"

namespace byoshin::infra::generation {

// Returns their ids.
std::vector<std::string> AddAlarms(cloudformation::Template& stack,
                                   const Inputs& inputs,
                                   const cloudformation::Resource& failures);

}  // namespace byoshin::infra::generation

#endif  // BYOSHIN_INFRA_GEN_GENERATION_ALARMS_H_
