// CloudFormation's API, as far as it describes stacks:
//
//   CloudFormationService service(deployer);  // behind the gateway
//   $ aws cloudformation describe-stacks --endpoint-url …
//
// It does not create stacks: the zips of a template come from a folder, not
// from S3. CreateStack and similar operations are rejected with an error that
// says what to use.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_

#include <vector>

#include "local/cloudformation/deployer.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::cloudformation {

// Thread-safe.
class CloudFormationService final : public Service {
 public:
  // `deployer` must outlive this.
  explicit CloudFormationService(const Deployer& deployer)
      : deployer_(deployer) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Deployer& deployer_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_
