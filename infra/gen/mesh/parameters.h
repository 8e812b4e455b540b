// The parameters of Mesh v2's template, and the conditions over them.
#ifndef BYOSHIN_INFRA_GEN_MESH_PARAMETERS_H_
#define BYOSHIN_INFRA_GEN_MESH_PARAMETERS_H_

#include <string>

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::mesh {

// References to the parameters, what follows from the stage, and the names of
// conditions.
struct Inputs {
  parts::FunctionInputs functions;
  cloudformation::Value table_name;
  cloudformation::Value api_key_expires;
  // In seconds.
  cloudformation::Value host_interval;
  cloudformation::Value member_interval;
  cloudformation::Value max_connection_time;

  std::string is_production;
  std::string has_key_expiry;
};

// The names of the functions, which begin the ids of their resources.
inline constexpr char kCreateGroup[] = "CreateGroup";
inline constexpr char kLeaveGroup[] = "LeaveGroup";
inline constexpr char kDissolveGroup[] = "DissolveGroup";
inline constexpr char kFireEvents[] = "FireEvents";

// Adds parameters, conditions and their metadata for the console.
Inputs AddInputs(cloudformation::Template& stack);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_PARAMETERS_H_
