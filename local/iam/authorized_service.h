// A service that checks the permissions of its callers.
//
//   AuthorizedService guarded(sqs, iam, {.on_denied = Log});
//   gateway.Add(guarded);
//
// Callers with the account's own credentials may do everything that the policy
// of a resource does not deny; a function's session also needs the permission
// of its role, as on AWS. Otherwise the answer is AccessDenied.
#ifndef BYOSHIN_LOCAL_IAM_AUTHORIZED_SERVICE_H_
#define BYOSHIN_LOCAL_IAM_AUTHORIZED_SERVICE_H_

#include <functional>

#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// Thread-safe.
class AuthorizedService final : public ForwardingService {
 public:
  struct Options {
    // Called with each denial: the caller, the action, and the statement that
    // is missing. Must not block. May be null.
    std::function<void(const AccessRequest&, const Decision&)> on_denied =
        nullptr;
  };

  // Both must outlive this.
  AuthorizedService(Service& service, const Iam& iam, Options options);

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Iam& iam_;
  const Options options_;
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_AUTHORIZED_SERVICE_H_
