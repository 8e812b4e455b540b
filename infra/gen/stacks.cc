#include "infra/gen/stacks.h"

#include <vector>

#include "infra/gen/generation_stack.h"
#include "infra/gen/mesh_stack.h"
#include "infra/gen/scheduler_stack.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {

std::vector<Stack> AllStacks() {
  return {SchedulerStack(), GenerationStack(), MeshStack()};
}

}  // namespace byoshin::infra
