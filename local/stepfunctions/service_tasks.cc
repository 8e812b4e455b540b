#include "local/stepfunctions/service_tasks.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "local/gateway/service.h"
#include "local/iam/evaluation.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/integration.h"
#include "local/stepfunctions/service_request.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kStatesPrincipal[] = "states.amazonaws.com";
// Whatever is not allowed.
constexpr char kAccessDenied[] = "AccessDeniedException";
constexpr int kForbidden = 403;

// Keeps simulated time from jumping until the service has answered, or lets it
// pass. Thread-safe.
class SharedHold {
 public:
  explicit SharedHold(time::Clock& clock) : hold_(clock) {}
  void End() {
    const sync::MutexLock lock(mutex_);
    hold_.End();
  }

 private:
  sync::Mutex mutex_;
  time::Hold hold_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

ServiceTasks::ServiceTasks(World world) : world_(std::move(world)) {}

absl::StatusOr<std::string> ServiceTasks::SessionOf(
    const std::string& role_arn) {
  const sync::MutexLock lock(mutex_);
  std::string& key = sessions_[role_arn];
  if (!key.empty() && world_.iam.FindSession(key).has_value()) return key;
  key.clear();
  absl::StatusOr<iam::SessionCredentials> session =
      world_.iam.AssumeRole({.role_arn = role_arn,
                             .session_name = random::NewHex(),
                             .service = kStatesPrincipal,
                             .duration = absl::InfiniteDuration()});
  if (!session.ok()) return session.status();
  key = session->access_key_id;
  return key;
}

absl::Status ServiceTasks::CheckRole(const std::string& role_arn) {
  const absl::Status assumed = SessionOf(role_arn).status();
  if (!absl::IsPermissionDenied(assumed)) return absl::OkStatus();
  return ApiError(
      kAccessDenied,
      "Neither the global service principal states.amazonaws.com, nor the "
      "regional one is authorized to assume the provided role.");
}

void ServiceTasks::Run(TaskCall task, std::function<void(TaskOutcome)> done) {
  const TaskResource resource = task.resource;
  absl::StatusOr<std::string> session = SessionOf(task.role_arn);
  if (!session.ok()) {
    return done(TaskFailure{
        .error = "States.Permissions",
        .cause =
            absl::StrCat("Step Functions can't assume the role ", task.role_arn,
                         ": ", session.status().message())});
  }
  const std::string service_name = IntegrationOf(resource).service;
  Service* const service = world_.find_service(service_name);
  if (service == nullptr) {
    return done(UnreachableFailure(
        resource,
        absl::StrCat("the local cloud has no service ", service_name)));
  }
  const std::string request_id = random::NewUuid();
  std::variant<Call, TaskFailure> request = RequestFor(task, *service);
  if (auto* failure = std::get_if<TaskFailure>(&request)) {
    return done(std::move(*failure));
  }
  Call& call = std::get<Call>(request);
  call.request_id = request_id;
  call.region = task.region;
  call.endpoint = world_.endpoint();
  call.caller = {.access_key_id = *session, .account_id = task.account_id};
  const iam::Principal principal = world_.iam.PrincipalOf(*session);
  for (const NeededPermission& needed : service->PermissionsFor(call)) {
    const absl::Status allowed =
        world_.authority.Authorize({.principal = principal,
                                    .action = needed.action,
                                    .resource = needed.resource});
    if (allowed.ok()) continue;
    return done(FailureFor(resource, kAccessDenied, allowed.message(),
                           kForbidden, request_id));
  }
  const auto hold = std::make_shared<SharedHold>(world_.clock);
  call.let_time_pass = [hold] { hold->End(); };
  service->Handle(
      std::move(call),
      [this, task = std::make_shared<TaskCall>(std::move(task)), hold,
       request_id, done = std::move(done)](const Answer& answer) {
        done(OutcomeOf(*task, answer, request_id, world_.clock.Now()));
        hold->End();
      });
}

}  // namespace byoshin::local::stepfunctions
