// A service whose callers may do what their role's policies say, and no more.
//
//   AuthorizedService guarded(sqs, iam, {.on_denied = Log});
//   gateway.Add(guarded);
//
// Callers with the account's own credentials may do everything that the policy
// of a resource does not deny; a function's session is held to its role, too,
// as on AWS: AccessDenied otherwise.
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
    // Told of each refusal: who was refused what, and the statement that is
    // missing. Does not block; may be null.
    std::function<void(const AccessRequest&, const Decision&)> on_denied =
        nullptr;
  };

  // Both outlive it.
  AuthorizedService(Service& service, const Iam& iam, Options options);

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Iam& iam_;
  const Options options_;
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_AUTHORIZED_SERVICE_H_
