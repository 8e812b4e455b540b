// Mesh v2: groups of programs that share data and events live.
#ifndef BYOSHIN_INFRA_GEN_MESH_STACK_H_
#define BYOSHIN_INFRA_GEN_MESH_STACK_H_

#include "infra/gen/stack.h"

namespace byoshin::infra {

Stack MeshStack();

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_MESH_STACK_H_
