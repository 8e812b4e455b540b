// The stack of asynchronous generation: an API behind which processes are
// started, watched, retried and cancelled; see docs/generation.md.
#ifndef BYOSHIN_INFRA_GEN_GENERATION_STACK_H_
#define BYOSHIN_INFRA_GEN_GENERATION_STACK_H_

#include "infra/gen/stack.h"

namespace byoshin::infra {

Stack GenerationStack();

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_GENERATION_STACK_H_
