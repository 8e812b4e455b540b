// Authorization of type AWS_IAM: the request is signed for the service
// execute-api, and the caller may invoke the method.
//
//   IamAuthorization authorization({.credentials = credentials, ...});
//   AuthorizationOutcome outcome = authorization.Check(request, method_arn);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_IAM_AUTHORIZATION_H_
#define BYOSHIN_LOCAL_APIGATEWAY_IAM_AUTHORIZATION_H_

#include <functional>
#include <string>
#include <utility>

#include "core/http/server_message.h"
#include "core/time/clock.h"
#include "local/apigateway/authorization.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/credential_set.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"

namespace byoshin::local::apigateway {

// Thread-safe.
class IamAuthorization {
 public:
  // All outlive it.
  struct World {
    const CredentialSet& credentials;
    // The clock that clients sign by.
    const time::Clock& signing_clock;
    const iam::Iam& iam;
    // Called with each denial; must not block. May be null.
    std::function<void(const iam::AccessRequest&, const iam::Decision&)>
        on_denied;
  };

  explicit IamAuthorization(World world)
      : world_(std::move(world)),
        authenticator_(world_.credentials, world_.signing_clock) {}

  AuthorizationOutcome Check(const http::ServerRequest& request,
                             const std::string& method_arn) const;

 private:
  const World world_;
  const Authenticator authenticator_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_IAM_AUTHORIZATION_H_
