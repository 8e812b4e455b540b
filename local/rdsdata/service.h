// The Data API's wire format, REST-JSON.
#ifndef BYOSHIN_LOCAL_RDSDATA_SERVICE_H_
#define BYOSHIN_LOCAL_RDSDATA_SERVICE_H_

#include <vector>

#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"

namespace byoshin::local::rdsdata {

// Thread-safe.
class RdsDataService final : public Service {
 public:
  // `api` must outlive this.
  explicit RdsDataService(DataApi& api) : api_(api) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  DataApi& api_;
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_SERVICE_H_
