// Who may do what in the cloud, and whom it tells when somebody may not.

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "local/gateway/in_process.h"
#include "local/iam/condition_keys.h"
#include "local/iam/iam.h"
#include "local/stack/stack_cloud_impl.h"

namespace byoshin::local::stack {

absl::StatusOr<aws::Credentials> StackCloudImpl::CredentialsOf(
    const std::string& role) {
  absl::StatusOr<iam::SessionCredentials> session =
      iam_->AssumeRole({.role_arn = role,
                        .session_name = role.substr(role.rfind('/') + 1),
                        .service = "lambda.amazonaws.com",
                        // It ends with the environment, and not before: a warm
                        // one may be as old as the cloud, and older by the
                        // clock, if that was set or the machine has slept.
                        .duration = absl::InfiniteDuration()});
  if (!session.ok()) {
    Note(absl::StrCat("a function can't be started: ",
                      session.status().message()));
    return session.status();
  }
  return aws::Credentials{
      .access_key_id = session->access_key_id,
      .secret_access_key = aws::Secret(session->secret_access_key),
      .session_token = aws::Secret(session->session_token)};
}

absl::Status StackCloudImpl::AuthorizeRole(const std::string& role,
                                           const std::string& action,
                                           const std::string& resource) {
  return Authorize({.principal = {.kind = iam::Principal::Kind::kRole,
                                  .id = role,
                                  .role_arn = role},
                    .action = action,
                    .resource = resource});
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
absl::Status StackCloudImpl::AuthorizeRule(const std::string& rule,
                                           const std::string& queue) {
  return Authorize({.principal = iam::ServicePrincipal("events.amazonaws.com"),
                    .action = "sqs:SendMessage",
                    .resource = queue,
                    .context = {{iam::kSourceArnKey, rule}}});
}

absl::Status StackCloudImpl::Authorize(const iam::AccessRequest& request) {
  const iam::Decision decision = iam_->Authorize(request);
  if (decision.allowed()) return absl::OkStatus();
  NoteDenial(request, decision);
  return absl::PermissionDeniedError(iam::DenialMessage(request, decision));
}

void StackCloudImpl::NoteDenial(const iam::AccessRequest& request,
                                const iam::Decision& decision) {
  Note(absl::StrCat(
      "access denied: ", iam::DenialMessage(request, decision),
      decision.missing.empty() ? "" : "; missing: ", decision.missing));
}

absl::Status StackCloudImpl::ShowQueuePolicy(const std::string& queue_url,
                                             const std::string& policy) {
  Json::Value request(Json::objectValue);
  request["QueueUrl"] = queue_url;
  request["Attributes"]["Policy"] = policy;
  return CallInProcess(*sqs_,
                       {.operation = "SetQueueAttributes",
                        .region = options_.region,
                        .endpoint = endpoint(),
                        .caller = {.account_id = kLocalAccountId}},
                       request)
      .status();
}

}  // namespace byoshin::local::stack
