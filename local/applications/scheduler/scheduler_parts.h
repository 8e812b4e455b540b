// The data-collection scheduler in a deployed stack, recognised by the
// environment variables of its functions: other stacks have none.
//
//   if (std::optional<SchedulerParts> parts = FindScheduler(stack)) {
//     ... parts->sender.window_lag ...
//   }
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SCHEDULER_PARTS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SCHEDULER_PARTS_H_

#include <optional>
#include <set>
#include <string>

#include "core/scheduler/config.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

struct SchedulerParts {
  std::string stack_name{};
  scheduler::SenderConfig sender{};
  scheduler::CollectorConfig collector{};
  // Of the rules that invoke the Sender.
  std::set<std::string> rule_arns{};
};

// Nothing if the stack has no Sender or no Collector.
std::optional<SchedulerParts> FindScheduler(const cloudformation::Stack& stack);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_SCHEDULER_PARTS_H_
