// Calls services of the cloud for API Gateway, as if a role had signed the
// requests.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_ROLE_CALLER_H_
#define BYOSHIN_LOCAL_APIGATEWAY_ROLE_CALLER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/time/clock.h"
#include "local/apigateway/front.h"
#include "local/gateway/service.h"
#include "local/iam/authority.h"
#include "local/iam/iam.h"
#include "local/iam/role_sessions.h"

namespace byoshin::local::apigateway {

// Thread-safe.
class RoleCaller {
 public:
  // All outlive it.
  struct World {
    iam::Iam& iam;
    iam::Authority& authority;
    time::Clock& clock;
    std::string account_id;
    // Null if there is none. Never null itself.
    std::function<Service*(absl::string_view name)> find_service;
    // Where clients reach the cloud. Never null.
    std::function<std::string()> endpoint;
  };
  using Done = std::function<void(absl::StatusOr<Answer>)>;

  explicit RoleCaller(World world);
  // Waits for a `done` that is running. Later answers are dropped: an
  // execution that a client waits for may outlast the API.
  ~RoleCaller();

  // NotFound or PermissionDenied if there is no such service, or the role does
  // not exist or does not trust API Gateway. An action that the role may not
  // perform is answered as the service answers it.
  void Call(ServiceCall call, Done done);

  // OK if API Gateway can assume the role, and the role allows it to invoke the
  // function.
  absl::Status MayInvoke(const std::string& role_arn,
                         const std::string& function_arn);

 private:
  // The access key of a session of the role.
  absl::StatusOr<std::string> Assume(const std::string& role_arn);

  const World world_;
  iam::RoleSessions sessions_;
  const std::shared_ptr<async::Gate> gate_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_ROLE_CALLER_H_
