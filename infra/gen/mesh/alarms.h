// Alarms for operators.
#ifndef BYOSHIN_INFRA_GEN_MESH_ALARMS_H_
#define BYOSHIN_INFRA_GEN_MESH_ALARMS_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/gen/mesh/dashboard.h"
#include "infra/gen/mesh/parameters.h"

namespace byoshin::infra::mesh {

// Returns the ids of the alarms.
std::vector<std::string> AddAlarms(cloudformation::Template& stack,
                                   const Inputs& inputs,
                                   const Watched& watched);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_ALARMS_H_
