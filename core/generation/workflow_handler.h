// The functions that the workflow, EventBridge and CloudFormation call.
#ifndef BYOSHIN_CORE_GENERATION_WORKFLOW_HANDLER_H_
#define BYOSHIN_CORE_GENERATION_WORKFLOW_HANDLER_H_

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/database_users.h"
#include "core/generation/migrator.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/http/client.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "proto/eventbridge.pb.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {

// UpdateProcessingState: changes the state of a process, for the workflow (an
// UpdateStateEvent) and for the rule on executions that end (an
// ExecutionStatusChangeEvent). Not thread-safe.
class UpdateStateHandler final : public lambda::Handler {
 public:
  // Both must outlive the handler.
  UpdateStateHandler(ProcessingStateService& states, log::Logger& logger)
      : states_(states), logger_(logger) {}

  // An UpdateStateResult. A process that is over stays as it is, which is a
  // success, except that it can't become PROCESSING: that is
  // kProcessEndedFailure of failure.h. Errors have the types of failure.h, so
  // that the workflow retries some of them.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  absl::StatusOr<std::string> Update(const UpdateStateEvent& event,
                                     absl::Time deadline);
  absl::StatusOr<std::string> Close(
      const events::ExecutionStatusChangeEvent& event, absl::Time deadline);
  std::string Report(const ProcessingStateService::Update& update,
                     absl::Time deadline);

  ProcessingStateService& states_;
  log::Logger& logger_;
};

// The migration function, as a custom resource of the template. Not
// thread-safe.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref.html
class MigrationHandler final : public lambda::Handler {
 public:
  struct Dependencies {
    Migrator& migrator;
    DatabaseUsers& users;
    http::Client& http_client;
    const time::Clock& clock;
    log::Logger& logger;
  };

  explicit MigrationHandler(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  // A MigrationResult, after the users got their passwords. A request of
  // CloudFormation is answered at its ResponseURL, where a migration that fails
  // is reported, too; then the invocation succeeds. An event without a
  // ResponseURL is answered only by the return value.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  absl::StatusOr<std::string> Migrate(const Json::Value& event,
                                      absl::Time deadline);
  absl::Status Respond(const Json::Value& event, const absl::Status& outcome,
                       absl::Time deadline);

  const Dependencies dependencies_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_WORKFLOW_HANDLER_H_
