// The table, and the functions that use it.
#ifndef BYOSHIN_INFRA_GEN_MESH_FUNCTIONS_H_
#define BYOSHIN_INFRA_GEN_MESH_FUNCTIONS_H_

#include "infra/cloudformation/template.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::mesh {

cloudformation::Resource AddTable(cloudformation::Template& stack,
                                  const Inputs& inputs);

struct Functions {
  parts::FunctionResources create_group;
  parts::FunctionResources leave_group;
  parts::FunctionResources dissolve_group;
  parts::FunctionResources fire_events;
};

Functions AddFunctions(cloudformation::Template& stack, const Inputs& inputs,
                       const cloudformation::Resource& table);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_FUNCTIONS_H_
