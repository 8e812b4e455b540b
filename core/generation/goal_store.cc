#include "core/generation/goal_store.h"

#include <optional>

#include "absl/strings/string_view.h"

namespace byoshin::generation {

absl::string_view NameOf(ActionType type) {
  return type == ActionType::kExecution ? kExecutionAction : kHabitAction;
}

std::optional<ActionType> ActionTypeOf(absl::string_view name) {
  if (name == kExecutionAction) return ActionType::kExecution;
  if (name == kHabitAction) return ActionType::kHabit;
  return std::nullopt;
}

}  // namespace byoshin::generation
