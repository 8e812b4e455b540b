#include "local/iam/role_caller.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/async/gate.h"
#include "core/random/random.h"
#include "core/time/shared_hold.h"
#include "local/gateway/service.h"
#include "local/iam/authorized_service.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

RoleCaller::RoleCaller(World world)
    : world_(std::move(world)),
      sessions_(world_.iam, world_.principal),
      gate_(std::make_shared<async::Gate>()) {}

RoleCaller::~RoleCaller() { gate_->Close(); }

absl::StatusOr<std::string> RoleCaller::Assume(const std::string& role_arn) {
  absl::StatusOr<std::string> session = sessions_.AccessKeyOf(role_arn);
  if (session.ok()) return session;
  return absl::Status(session.status().code(),
                      absl::StrCat(world_.actor, " can't assume the role ",
                                   role_arn, ": ", session.status().message()));
}

absl::StatusOr<SessionCredentials> RoleCaller::CredentialsOf(
    const std::string& role_arn) {
  const absl::StatusOr<std::string> session = Assume(role_arn);
  if (!session.ok()) return session.status();
  std::optional<SessionCredentials> credentials =
      world_.iam.FindSession(*session);
  // The role was deleted meanwhile.
  if (!credentials.has_value()) {
    return absl::NotFoundError(absl::StrCat("the role ", role_arn, " is gone"));
  }
  return *std::move(credentials);
}

absl::Status RoleCaller::May(const std::string& role_arn,
                             const std::string& action,
                             const std::string& resource) {
  const absl::StatusOr<std::string> session = Assume(role_arn);
  if (!session.ok()) {
    return absl::PermissionDeniedError(session.status().message());
  }
  return world_.authority.Authorize(
      {.principal = world_.iam.PrincipalOf(*session),
       .action = action,
       .resource = resource});
}

absl::Status RoleCaller::MayInvoke(const std::string& role_arn,
                                   const std::string& function_arn) {
  return May(role_arn, "lambda:InvokeFunction", function_arn);
}

void RoleCaller::Call(ServiceCall call, Done done) {
  Service* const service = world_.find_service(call.service);
  if (service == nullptr) {
    return done(absl::NotFoundError(
        absl::StrCat("the local cloud has no service ", call.service)));
  }
  absl::StatusOr<std::string> session = Assume(call.role_arn);
  if (!session.ok()) return done(session.status());
  const auto hold = std::make_shared<time::SharedHold>(world_.clock);
  AuthorizedService(
      *service, world_.iam,
      {.on_denied =
           [this](const AccessRequest& request, const Decision& decision) {
             world_.authority.NoteDenial(request, decision);
           }})
      .Handle({.operation = std::move(call.action),
               .body = std::move(call.body),
               .path = std::move(call.path),
               .method = std::move(call.method),
               .request_id = random::NewUuid(),
               .region = std::move(call.region),
               .endpoint = world_.endpoint(),
               .caller = {.access_key_id = *std::move(session),
                          .account_id = world_.account_id},
               .let_time_pass = [hold] { hold->End(); }},
              [gate = gate_, hold, done = std::move(done)](Answer answer) {
                const async::Gate::Pass pass(*gate);
                if (pass.granted()) done(std::move(answer));
                hold->End();
              });
}

}  // namespace byoshin::local::iam
