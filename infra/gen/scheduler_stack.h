// The data-collection scheduler on AWS: an EventBridge rule invokes the Sender
// every minute, which puts twelve delayed messages on a queue; each invokes the
// Collector, which asks the API and writes to a table.
//
//   absl::StatusOr<std::string> json = cloudformation::WriteTemplate(
//       SchedulerStack().build(), cloudformation::Format::kJson);
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_STACK_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_STACK_H_

#include "infra/gen/stack.h"

namespace byoshin::infra {

Stack SchedulerStack();

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_STACK_H_
