// API Gateway's API, as far as it reads REST APIs, their stages, keys and usage
// plans:
//
//   ApiGatewayService service(registry, {.region = "us-east-1"});
//   $ aws apigateway get-rest-apis --endpoint-url …
//
// front.h handles requests to the APIs themselves.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_SERVICE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_SERVICE_H_

#include <string>
#include <utility>
#include <vector>

#include "local/apigateway/registry.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::apigateway {

// Thread-safe.
class ApiGatewayService final : public Service {
 public:
  struct Options {
    std::string account_id = "000000000000";
    // The region of the APIs.
    std::string region{};
  };

  // `registry` must outlive this.
  ApiGatewayService(const Registry& registry, Options options)
      : registry_(registry), options_(std::move(options)) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

 private:
  const Registry& registry_;
  const Options options_;
};

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_SERVICE_H_
