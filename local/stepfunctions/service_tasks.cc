#include "local/stepfunctions/service_tasks.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/random/random.h"
#include "core/time/shared_hold.h"
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

}  // namespace

ServiceTasks::ServiceTasks(World world)
    : world_(std::move(world)), sessions_(world_.iam, kStatesPrincipal) {}

absl::Status ServiceTasks::CheckRole(const std::string& role_arn) {
  const absl::Status assumed = sessions_.AccessKeyOf(role_arn).status();
  if (!absl::IsPermissionDenied(assumed)) return absl::OkStatus();
  return ApiError(
      kAccessDenied,
      "Neither the global service principal states.amazonaws.com, nor the "
      "regional one is authorized to assume the provided role.");
}

void ServiceTasks::Run(TaskCall task, std::function<void(TaskOutcome)> done) {
  const TaskResource resource = task.resource;
  absl::StatusOr<std::string> session = sessions_.AccessKeyOf(task.role_arn);
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
  const auto hold = std::make_shared<time::SharedHold>(world_.clock);
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
