// Reads and checks what a model answers. The shapes are those of AnswerSchema()
// in prompts.h.
//
//   absl::StatusOr<std::vector<Task>> tasks = ParseTasks(answer);
//   if (!tasks.ok()) complaint = tasks.status().message();
//   // "tasks[2].estimatedMinutes: expected 15 to 120, found 240"
//
// Errors are InvalidArgument, with a message for the model that quotes nothing
// of the answer's texts. Ids are not set; positions count from 1.
#ifndef BYOSHIN_CORE_GENERATION_MODEL_ANSWER_H_
#define BYOSHIN_CORE_GENERATION_MODEL_ANSWER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/generation/goal_store.h"

namespace byoshin::generation {

// The JSON may be in a fenced block and have text around it.
absl::StatusOr<std::vector<SubGoal>> ParseSubGoals(absl::string_view answer);
absl::StatusOr<std::vector<Action>> ParseActions(absl::string_view answer);
absl::StatusOr<std::vector<Task>> ParseTasks(absl::string_view answer);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_MODEL_ANSWER_H_
