// All stacks. To add one, write a file like scheduler_stack.cc and list it in
// stacks.cc.
#ifndef BYOSHIN_INFRA_GEN_STACKS_H_
#define BYOSHIN_INFRA_GEN_STACKS_H_

#include <vector>

#include "infra/gen/stack.h"

namespace byoshin::infra {

// The first is the default.
std::vector<Stack> AllStacks();

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_STACKS_H_
