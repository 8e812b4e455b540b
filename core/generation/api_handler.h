// The functions behind the API: each turns an event of API Gateway into an
// answer.
//
//   HistoryHandler handler({.states = states, .logger = logger,
//                           .config = LoadApiConfig(environment)});
//   handler.Handle(invocation);  // {"statusCode":200,"headers":…,"body":"…"}
#ifndef BYOSHIN_CORE_GENERATION_API_HANDLER_H_
#define BYOSHIN_CORE_GENERATION_API_HANDLER_H_

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/config.h"
#include "core/generation/goal_store.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/generation/state_service.h"
#include "core/generation/workflow.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/time/clock.h"
#include "proto/api_gateway.pb.h"

namespace byoshin::generation {

// The dependencies that all of them share. The parts must outlive the handlers,
// as everything else that is passed by reference must.
struct ApiDependencies {
  ProcessingStateService& states;
  log::Logger& logger;
  ApiConfig config{};
};

// Reads the event, finds the user, writes the answer, and logs it: one line per
// request, without bodies. Not thread-safe.
class ApiHandler : public lambda::Handler {
 public:
  // Every request is answered with an HTTP status. InvalidArgument only if the
  // payload is not an event of API Gateway.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) final;

 protected:
  struct Call {
    std::string user_id{};
    // The language of messages.
    Language language = Language::kJapanese;
    const events::ApiGatewayRequest& event;
    absl::Time deadline{};
  };
  struct Reply {
    int http_status = 0;
    Json::Value data{};
  };

  explicit ApiHandler(ApiDependencies dependencies);

  ProcessingStateService& states() const { return dependencies_.states; }
  log::Logger& logger() const { return dependencies_.logger; }

  // The id in the path.
  static absl::StatusOr<std::string> ProcessIdOf(const Call& call);
  // Starts the execution of a new process. A process that can't be started is
  // FAILED.
  absl::Status Start(const Process& process, Workflow& workflow,
                     absl::Time deadline);

 private:
  virtual absl::StatusOr<Reply> Answer(const Call& call) = 0;

  absl::StatusOr<Reply> AnswerEvent(const events::ApiGatewayRequest& event,
                                    absl::Time deadline);

  const ApiDependencies dependencies_;
};

// AsyncProcessingHandler: POST /api/ai/async/generate.
class GenerateHandler final : public ApiHandler {
 public:
  GenerateHandler(ApiDependencies dependencies, GoalStore& goals,
                  const time::Clock& clock, Workflow& workflow);

 private:
  absl::StatusOr<Reply> Answer(const Call& call) override;
  // Whether the user may have something generated for the target, and there is
  // something to generate.
  absl::Status CheckTarget(const Call& call, const GenerateRequest& request);

  GoalStore& goals_;
  const time::Clock& clock_;
  Workflow& workflow_;
};

// GET /api/ai/async/status/{processId}. Starts the execution of a process that
// may have none.
class StatusCheckHandler final : public ApiHandler {
 public:
  StatusCheckHandler(ApiDependencies dependencies, Workflow& workflow)
      : ApiHandler(std::move(dependencies)), workflow_(workflow) {}

 private:
  absl::StatusOr<Reply> Answer(const Call& call) override;

  // Only logs the outcome: the clean-up tries again.
  void StartAgain(const Process& process, absl::Time deadline);

  Workflow& workflow_;
};

// POST /api/ai/async/retry/{processId}.
class RetryHandler final : public ApiHandler {
 public:
  RetryHandler(ApiDependencies dependencies, Workflow& workflow)
      : ApiHandler(std::move(dependencies)), workflow_(workflow) {}

 private:
  absl::StatusOr<Reply> Answer(const Call& call) override;

  Workflow& workflow_;
};

// POST /api/ai/async/cancel/{processId}.
class CancelHandler final : public ApiHandler {
 public:
  CancelHandler(ApiDependencies dependencies,
                aws::stepfunctions::Client& workflow)
      : ApiHandler(std::move(dependencies)), workflow_(workflow) {}

 private:
  absl::StatusOr<Reply> Answer(const Call& call) override;

  aws::stepfunctions::Client& workflow_;
};

// GET /api/ai/async/history.
class HistoryHandler final : public ApiHandler {
 public:
  explicit HistoryHandler(ApiDependencies dependencies)
      : ApiHandler(std::move(dependencies)) {}

 private:
  absl::StatusOr<Reply> Answer(const Call& call) override;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_API_HANDLER_H_
