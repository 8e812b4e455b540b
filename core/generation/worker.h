// AIGenerationWorker: works through a process, item by item.
//
//   Worker worker(config, {.processes = processes, .goals = goals,
//                          .models = models, .workflow = workflow,
//                          .clock = clock, .logger = logger});
//   worker.Handle(invocation);  // {"processId":"…","taskToken":"…"}
//
// For each item it asks the model, saves what it answers together with the
// progress, and sends a heartbeat. What the series of retries has saved before
// is not asked for again. The outcome is reported with the task's token; a
// failure also fails the invocation, with the same error name.
#ifndef BYOSHIN_CORE_GENERATION_WORKER_H_
#define BYOSHIN_CORE_GENERATION_WORKER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/asker.h"
#include "core/generation/config.h"
#include "core/generation/failure.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/random/random.h"
#include "core/time/clock.h"

namespace byoshin::generation {

// Not thread-safe. Its dependencies must outlive it.
class Worker final : public lambda::Handler {
 public:
  struct Dependencies {
    ProcessStore& processes;
    GoalStore& goals;
    aws::bedrock::Client& models;
    aws::stepfunctions::Client& workflow;
    const time::Clock& clock;
    log::Logger& logger;
    std::function<std::string()> new_id = random::NewUuid;
  };

  Worker(ModelConfig config, Dependencies dependencies);

  // A WorkerResult. An error has the failure's name as its type (see
  // core/lambda/error_type.h) and nothing of prompts or answers in its message.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  // One invocation.
  class Job;
  // What went wrong, and why in detail, for the log.
  struct Problem {
    Failure failure{};
    absl::Status status{};
  };

  absl::Status ReportFailure(const std::string& token, const Problem& problem,
                             absl::Time deadline);

  const ModelConfig config_;
  const Dependencies dependencies_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_WORKER_H_
