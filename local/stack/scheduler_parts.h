// The data-collection scheduler in a deployed stack, recognised by the
// environment variables of its functions: other stacks have none.
//
//   if (std::optional<SchedulerParts> parts = FindScheduler(stack)) {
//     ... parts->window_lag ...
//   }
#ifndef BYOSHIN_LOCAL_STACK_SCHEDULER_PARTS_H_
#define BYOSHIN_LOCAL_STACK_SCHEDULER_PARTS_H_

#include <optional>
#include <set>
#include <string>

#include "absl/time/time.h"
#include "core/env/environment.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::stack {

// What a deployed function's environment variables are; empty if the resource
// is not a function.
env::Environment VariablesOf(const cloudformation::StackResource& resource);

struct SchedulerParts {
  // How far windows lie before the time at which they are due.
  absl::Duration window_lag = absl::ZeroDuration();
  // Of the rules that invoke the Sender.
  std::set<std::string> rule_arns{};
};

// Nothing if the stack has no Sender or no Collector.
std::optional<SchedulerParts> FindScheduler(const cloudformation::Stack& stack);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_SCHEDULER_PARTS_H_
