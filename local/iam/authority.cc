#include "local/iam/authority.h"

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/json/value.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "local/iam/policy.h"

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

void Authority::EnforcePolicy(absl::string_view resource_arn,
                              absl::string_view document) {
  if (document.empty()) return iam_.DeleteResourcePolicy(resource_arn);
  const absl::StatusOr<Json::Value> json = json::ParseValue(document);
  absl::StatusOr<PolicyDocument> policy =
      json.ok() ? ParsePolicy(*json, PolicyKind::kResource) : json.status();
  if (policy.ok()) {
    return iam_.PutResourcePolicy(resource_arn, *std::move(policy));
  }
  iam_.DeleteResourcePolicy(resource_arn);
  note_(absl::StrCat(
      "the policy of ", resource_arn,
      " has no effect until it is set again: ", policy.status().message()));
}

void Authority::NoteDenial(const AccessRequest& request,
                           const Decision& decision) {
  note_(absl::StrCat(
      "access denied: ", DenialMessage(request, decision),
      decision.missing.empty() ? "" : "; missing: ", decision.missing));
}

}  // namespace byoshin::local::iam
