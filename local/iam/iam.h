// The roles of the local cloud, their sessions, and the policies of resources.
//
//   Iam iam(clock, {});
//   iam.PutRole({.name = "SenderRole", .trust = …, .policies = …});
//
//   // local/lambda, to start a function:
//   absl::StatusOr<SessionCredentials> credentials = iam.AssumeRole(
//       {.role_arn = arn, .session_name = "Sender",
//        .service = "lambda.amazonaws.com"});
//
//   // local/gateway, per request:
//   std::optional<SessionCredentials> session = iam.FindSession(key_id);
//   Decision decision = iam.Authorize({.principal = iam.PrincipalOf(key_id),
//                                      .action = "sqs:SendMessage",
//                                      .resource = queue_arn});
//
//   // local/events, before it sends to a queue on its own behalf:
//   iam.Authorize({.principal = ServicePrincipal("events.amazonaws.com"),
//                  .action = "sqs:SendMessage", .resource = queue_arn,
//                  .context = {{"aws:SourceArn", rule_arn}}});
#ifndef BYOSHIN_LOCAL_IAM_IAM_H_
#define BYOSHIN_LOCAL_IAM_IAM_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/iam/evaluation.h"
#include "local/iam/policy.h"

namespace byoshin::local::iam {

// Properties of a role that are only reported.
struct RoleDetails {
  std::string path = "/";
  std::string id{};  // starts with "AROA"
  std::string description{};
  // Set by PutRole() if not given.
  absl::Time created = absl::InfinitePast();
  // The documents as they were given, as JSON.
  std::string trust_text{};
  std::map<std::string, std::string> inline_texts{};  // by name
  std::vector<std::string> managed_arns{};
};

struct Role {
  std::string name{};
  std::string arn{};
  PolicyDocument trust{};
  std::vector<NamedPolicy> policies{};
  RoleDetails details{};
};

// The credentials of a role's session. The secret and the token must not be
// logged.
struct SessionCredentials {
  std::string access_key_id{};  // starts with "ASIA"
  std::string secret_access_key{};
  std::string session_token{};
  absl::Time expiration = absl::InfinitePast();
  std::string role_arn{};
  std::string session_arn{};
};

struct AssumeRoleRequest {
  std::string role_arn{};
  std::string session_name{};
  // The service that assumes the role: "lambda.amazonaws.com".
  std::string service{};
  absl::Duration duration = absl::Hours(12);
};

struct IamOptions {
  std::string account_id = "000000000000";
  std::string partition = "aws";
  // Returns `length` unpredictable random bytes. By default, the system's.
  std::function<std::string(std::size_t length)> random_bytes = nullptr;
  // For the verification of signatures: called when a session starts and, with
  // its access key, when it ends before it expires. Must not call back. May be
  // null.
  std::function<void(const SessionCredentials&)> on_session = nullptr;
  std::function<void(const std::string& access_key_id)> on_session_end =
      nullptr;
};

Principal ServicePrincipal(absl::string_view service);

// Thread-safe.
class Iam {
 public:
  // `clock` must outlive this.
  Iam(time::Clock& clock, IamOptions options);

  Iam(const Iam&) = delete;
  Iam& operator=(const Iam&) = delete;

  // Adds or changes the role. The new policies apply to existing sessions, too.
  void PutRole(Role role);
  // Also ends its sessions. Does nothing if there is no such role.
  void DeleteRole(absl::string_view arn);
  std::optional<Role> FindRole(absl::string_view arn) const;
  std::vector<Role> Roles() const;
  std::string RoleArn(absl::string_view path, absl::string_view name) const;

  // NotFound if there is no such role, PermissionDenied if its trust policy
  // does not name the service.
  absl::StatusOr<SessionCredentials> AssumeRole(
      const AssumeRoleRequest& request);
  // nullopt if there is no such session or it has ended.
  std::optional<SessionCredentials> FindSession(
      absl::string_view access_key_id) const;
  // Ends a session before it expires, because its environment has ended.
  void EndSession(absl::string_view access_key_id);

  // The session's role; for a session that has ended, a principal without
  // permissions; for any other key the account itself, since the gateway
  // accepts only its keys.
  Principal PrincipalOf(absl::string_view access_key_id) const;

  // The policy of a resource, in place of the previous one. The service that
  // has the resource stores it: see Authority::EnforcePolicy().
  void PutResourcePolicy(absl::string_view resource_arn, PolicyDocument policy);
  void DeleteResourcePolicy(absl::string_view resource_arn);
  // Whether any resource of the service has a policy: "sqs".
  bool HasResourcePolicies(absl::string_view service) const;

  // Decides by the policies of the principal's role and of the resource. Adds
  // the condition keys that the local cloud knows, unless given: the account,
  // and that the transport is secure, since nothing leaves the machine.
  Decision Authorize(AccessRequest request) const;

 private:
  // Adds the values of the condition keys that the local cloud knows.
  AccessRequest WithContext(AccessRequest request) const;
  // Ends the sessions for which `ends` is true.
  void EndSessions(absl::FunctionRef<bool(const SessionCredentials&)> ends)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const IamOptions options_;
  time::Clock& clock_;

  mutable sync::Mutex mutex_;
  // By ARN.
  std::map<std::string, Role> roles_ ABSL_GUARDED_BY(mutex_);
  // By access key id.
  std::map<std::string, SessionCredentials> sessions_ ABSL_GUARDED_BY(mutex_);
  // By resource.
  std::map<std::string, NamedPolicy> resource_policies_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_IAM_H_
