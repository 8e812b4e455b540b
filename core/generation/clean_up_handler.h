// CleanUp: sweeps for processes that have lost their workflow, and removes what
// is old.
//
// A function adds a process before it starts its execution; if it ends in
// between, the process has none. A sweep starts the executions of processes
// that stay PENDING, and ends processes whose execution has ended, or that have
// been active for too long. Sweeps may overlap, with each other and with the
// functions that start processes.
#ifndef BYOSHIN_CORE_GENERATION_CLEAN_UP_HANDLER_H_
#define BYOSHIN_CORE_GENERATION_CLEAN_UP_HANDLER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/generation/workflow.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"

namespace byoshin::generation {

// Not thread-safe.
class CleanUpHandler final : public lambda::Handler {
 public:
  struct Dependencies {
    ProcessingStateService& states;
    Workflow& workflow;
    log::Logger& logger;
  };

  explicit CleanUpHandler(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  // Takes any event and returns a CleanUpResult. Processes whose execution
  // can't be started or described are left to the next sweep.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  // Counts of processes.
  struct Swept {
    // Their executions were started, or ran already.
    std::int64_t started = 0;
    // Their executions had ended.
    std::int64_t ended = 0;
  };

  absl::StatusOr<Swept> StartPending(absl::Time deadline);
  // Starts the execution of a process, or ends the process, and counts it.
  absl::Status Repair(const Process& process, absl::Time deadline,
                      Swept& swept);
  // True if the process has been ended.
  absl::StatusOr<bool> EndByExecution(const Process& process,
                                      absl::Time deadline);

  const Dependencies dependencies_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_CLEAN_UP_HANDLER_H_
