// CloudFormation's API over the wire, for looking at what is deployed:
//
//   CloudFormationService service(deployer);  // behind the gateway
//   $ aws cloudformation describe-stacks --endpoint-url …
//
// Stacks are not made by it: the zips that a template names come from a folder,
// not from S3. CreateStack and its like are refused, and say what to use.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_

#include "absl/strings/string_view.h"
#include "local/cloudformation/deployer.h"
#include "local/gateway/service.h"

namespace byoshin::local::cloudformation {

// Thread-safe.
class CloudFormationService final : public Service {
 public:
  // `deployer` outlives this.
  explicit CloudFormationService(const Deployer& deployer)
      : deployer_(deployer) {}

  absl::string_view name() const override { return "cloudformation"; }
  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Deployer& deployer_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_SERVICE_H_
