// A service that wraps another: a subclass overrides what it changes, the rest
// is forwarded.
#ifndef BYOSHIN_LOCAL_GATEWAY_FORWARDING_SERVICE_H_
#define BYOSHIN_LOCAL_GATEWAY_FORWARDING_SERVICE_H_

#include <utility>
#include <vector>

#include "local/gateway/service.h"

namespace byoshin::local {

// Thread-safe.
class ForwardingService : public Service {
 public:
  // `service` must outlive this.
  explicit ForwardingService(Service& service) : service_(service) {}

  const ServiceTraits& traits() const override { return service_.traits(); }
  std::vector<NeededPermission> PermissionsFor(
      const Call& call) const override {
    return service_.PermissionsFor(call);
  }
  void Handle(Call call, AnswerFunction answer) override {
    service_.Handle(std::move(call), std::move(answer));
  }
  void EndLongPolls() override { service_.EndLongPolls(); }

 protected:
  Service& service() { return service_; }

 private:
  Service& service_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_FORWARDING_SERVICE_H_
