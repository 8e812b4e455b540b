// Calls services of the cloud for another service, as if a role had signed the
// requests.
#ifndef BYOSHIN_LOCAL_IAM_ROLE_CALLER_H_
#define BYOSHIN_LOCAL_IAM_ROLE_CALLER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/time/clock.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/role_sessions.h"

namespace byoshin::local::iam {

// A call of a service in the name of a role.
struct ServiceCall {
  std::string service{};  // "states"
  std::string action{};   // "StartExecution"
  std::string region{};
  std::string role_arn{};
  std::string body{};
  // For a service that speaks REST, which has no actions.
  std::string method = "POST";
  std::string path = "/";
};

// Thread-safe.
class RoleCaller {
 public:
  // All outlive it.
  struct World {
    Iam& iam;
    Authority& authority;
    time::Clock& clock;
    std::string account_id;
    // The service that acts, as messages call it and as roles trust it: "API
    // Gateway", "apigateway.amazonaws.com".
    std::string actor;
    std::string principal;
    // Null if there is none. Never null itself.
    std::function<Service*(absl::string_view name)> find_service;
    // Where clients reach the cloud. Never null.
    std::function<std::string()> endpoint;
  };
  using Done = std::function<void(absl::StatusOr<Answer>)>;

  explicit RoleCaller(World world);
  // Waits for a `done` that is running. Later answers are dropped: an
  // execution that a client waits for may outlast the actor.
  ~RoleCaller();

  // NotFound or PermissionDenied if there is no such service, or the role does
  // not exist or does not trust the actor. An action that the role may not
  // perform is answered as the service answers it.
  void Call(ServiceCall call, Done done);

  // Of a session of the role, for requests that leave the cloud. NotFound or
  // PermissionDenied as above.
  absl::StatusOr<SessionCredentials> CredentialsOf(const std::string& role_arn);

  // OK if the actor can assume the role, and the role allows the action.
  absl::Status May(const std::string& role_arn, const std::string& action,
                   const std::string& resource);
  // The same for invoking a function.
  absl::Status MayInvoke(const std::string& role_arn,
                         const std::string& function_arn);

 private:
  // The access key of a session of the role.
  absl::StatusOr<std::string> Assume(const std::string& role_arn);

  const World world_;
  RoleSessions sessions_;
  const std::shared_ptr<async::Gate> gate_;
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_ROLE_CALLER_H_
