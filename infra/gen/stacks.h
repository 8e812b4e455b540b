// All stacks that there are. To add one, write a file like scheduler_stack.cc
// and name it in stacks.cc.
#ifndef BYOSHIN_INFRA_GEN_STACKS_H_
#define BYOSHIN_INFRA_GEN_STACKS_H_

#include <vector>

#include "infra/gen/stack.h"

namespace byoshin::infra {

// The first is the one that is meant when none is named.
std::vector<Stack> AllStacks();

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_STACKS_H_
