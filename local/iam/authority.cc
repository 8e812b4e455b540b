#include "local/iam/authority.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"

namespace byoshin::local::iam {

absl::StatusOr<aws::Credentials> Authority::CredentialsForFunction(
    const std::string& role) {
  absl::StatusOr<SessionCredentials> session =
      iam_.AssumeRole({.role_arn = role,
                       .session_name = role.substr(role.rfind('/') + 1),
                       .service = "lambda.amazonaws.com",
                       // A warm environment may be as old as the cloud, and
                       // even older by the clock, if that was set or the
                       // machine slept.
                       .duration = absl::InfiniteDuration()});
  if (!session.ok()) {
    note_(absl::StrCat("a function can't be started: ",
                       session.status().message()));
    return session.status();
  }
  return aws::Credentials{
      .access_key_id = session->access_key_id,
      .secret_access_key = aws::Secret(session->secret_access_key),
      .session_token = aws::Secret(session->session_token)};
}

void Authority::EndSession(const std::string& access_key_id) {
  iam_.EndSession(access_key_id);
}

absl::Status Authority::AuthorizeRole(const std::string& role,
                                      const std::string& action,
                                      const std::string& resource) {
  return Authorize({.principal = {.kind = Principal::Kind::kRole,
                                  .id = role,
                                  .role_arn = role},
                    .action = action,
                    .resource = resource});
}

absl::Status Authority::Authorize(const AccessRequest& request) {
  const Decision decision = iam_.Authorize(request);
  if (decision.allowed()) return absl::OkStatus();
  NoteDenial(request, decision);
  return absl::PermissionDeniedError(DenialMessage(request, decision));
}

void Authority::NoteDenial(const AccessRequest& request,
                           const Decision& decision) {
  note_(absl::StrCat(
      "access denied: ", DenialMessage(request, decision),
      decision.missing.empty() ? "" : "; missing: ", decision.missing));
}

}  // namespace byoshin::local::iam
