// IAM's and STS's APIs, as far as they read roles and the caller's identity:
//
//   IamService iam_service(iam);  // behind the gateway
//   StsService sts_service(iam);
//   $ aws iam get-role --role-name … --endpoint-url …
//   $ aws sts get-caller-identity --endpoint-url …
#ifndef BYOSHIN_LOCAL_IAM_SERVICE_H_
#define BYOSHIN_LOCAL_IAM_SERVICE_H_

#include <vector>

#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/iam/iam.h"

namespace byoshin::local::iam {

// Thread-safe.
class IamService final : public Service {
 public:
  // `iam` outlives this.
  explicit IamService(const Iam& iam) : iam_(iam) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Iam& iam_;
};

// Thread-safe.
class StsService final : public Service {
 public:
  // `iam` outlives this.
  explicit StsService(const Iam& iam) : iam_(iam) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Iam& iam_;
};

}  // namespace byoshin::local::iam

#endif  // BYOSHIN_LOCAL_IAM_SERVICE_H_
