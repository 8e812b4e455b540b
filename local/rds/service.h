// RDS's API behind the gateway, as far as it describes and changes what
// templates have created.
//
//   RdsService service(rds);
//   $ aws rds describe-db-clusters --endpoint-url …
#ifndef BYOSHIN_LOCAL_RDS_SERVICE_H_
#define BYOSHIN_LOCAL_RDS_SERVICE_H_

#include <vector>

#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/rds/rds.h"

namespace byoshin::local::rds {

// Thread-safe.
class RdsService final : public Service {
 public:
  // `rds` outlives this.
  explicit RdsService(Rds& rds) : rds_(rds) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  Rds& rds_;
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_SERVICE_H_
