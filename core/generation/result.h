// The result of a process, as the API shows it once the process is COMPLETED.
#ifndef BYOSHIN_CORE_GENERATION_RESULT_H_
#define BYOSHIN_CORE_GENERATION_RESULT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/request.h"

namespace byoshin::generation {

// JSON of a SubGoalResult, an ActionResult or a TaskResult of
// proto/generation.proto. Errors are those of the store.
absl::StatusOr<std::string> ResultJson(GoalStore& goals, ProcessType type,
                                       const Target& target,
                                       absl::Time deadline);

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_RESULT_H_
